/** The service on Fastify: the API's endpoints, files, health, documents and pages, after admission. */

import { hash, randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { endpointAt } from '../../api/contract/endpoints.js'
import { ApiError } from '../../api/contract/errors.js'
import { sentences } from '../../api/contract/sentences.js'
import { PATH_PREFIX, UPLOAD_BYTES_MAX } from '../../api/contract/types.js'
import { keyHashOf } from '../../api/keys.js'
import { dispatch } from '../../api/rules/dispatch.js'
import { createLimit, createRateLimits, type Policy } from '../../api/rules/rate.js'
import { errorOf, errorResponse, errorWithoutRequest, okResponse } from '../../api/rules/response.js'
import { TimeSlices } from '../../api/rules/scheduler.js'
import type { ServiceResponse } from '../../api/rules/types.js'
import { Admission, type AdmittedRequest } from '../admission/index.js'
import { codeOf } from '../error-code.js'
import { answerFile } from '../files/answer.js'
import { receiveUpload } from '../files/receive.js'
import { answerOperation, createOperations } from '../operation-pages.js'
import { answerPage } from '../pages/index.js'
import { errorPage } from '../pages/layout.js'
import type { RequestContext } from '../request-context.js'
import { sessionSecret } from '../session.js'
import type { Site, SiteOptions } from '../site.js'
import { answerStatic, hasTag } from '../static.js'
import { isExpecting, problemOf, requestOf, unreadable } from './request.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** The context of the request, and its admission; null until the request is admitted. */
    blockmark: { readonly context: RequestContext; admitted: AdmittedRequest | null }
  }
}

/** Creates a Fastify application without the service. The application serves requests after `ready()`. */
export function createApp(): FastifyInstance {
  const app = fastify({
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    // The two compilers of schemas are not loaded, because the routes have no schemas: `api/rules` reads the bodies.
    schemaController: { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } },
    // Called, for example, for a path with a percent sign that does not encode a character.
    frameworkErrors: (_error, _request, reply) => void send(reply, errorWithoutRequest(unreadable())),
  })
  // Fastify must not read bodies: each part of the service reads those that it accepts, after it has checked the sender.
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
    app.addHttpMethod(method, { overrideExisting: true })
  return app
}

function noCompiler(): never {
  throw new Error('a route has a schema')
}

/** The limit for failed sign-ins of a network: ten, and then one every six seconds. */
export const FAILED_SIGN_INS: Policy = { name: 'failed sign-ins', rate: 10 / 60, burst: 10 }
/** The limit for the pages of a viewer. Like the limit for bots, it is off if RATE_LIMIT is 0. */
export const PAGES: Policy = { name: 'pages', rate: 20, burst: 40 }

/** Adds the service to an application, where it responds to all requests without another route. */
export function addSite(app: FastifyInstance, options: SiteOptions): void {
  const { rateLimit = 100, uploadRateLimit = 5, slots = 20, siteUrl, contents } = options
  const limits = createRateLimits(rateLimit, uploadRateLimit)
  const signIns = createLimit(FAILED_SIGN_INS)
  const pageLimit = createLimit({ ...PAGES, rate: rateLimit === 0 ? 0 : PAGES.rate })
  const credentialOf = (context: RequestContext): string | null => credentialIn(context, siteUrl)
  const admission = new Admission({ ...options, limits, slots, isLimited: rateLimit !== 0, credentialOf })
  const operations = createOperations(options)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  app.decorateRequest('blockmark')
  app.addHook('onRequest', async (request, reply) => {
    const problem = problemOf(request.raw, siteUrl)
    const context = contextOf(request, reply, options, problem === null)
    request.blockmark = { context, admitted: null }
    if (problem !== null) throw problem
    request.blockmark.admitted = await admission.enter(context)
  })
  app.addHook('onSend', (request, reply, _payload, done) => {
    const { context, admitted } = request.blockmark
    admitted?.leave()
    reply.headers(context.headers)
    // The connection ends, because the client may still send the body, although the server did not ask for it.
    if (isExpecting(request.raw)) reply.header('connection', 'close')
    options.onResponse?.(context, reply.statusCode)
    done()
  })
  app.setErrorHandler((thrown, request, reply) => {
    const { context } = request.blockmark
    // Fastify rejects a Content-Type header that is not a media type.
    const isOfFramework = codeOf(thrown) === 'FST_ERR_CTP_INVALID_MEDIA_TYPE'
    context.error = isOfFramework ? new ApiError('unsupported_media_type', sentences.notJsonType) : thrown
    const error = errorOf(context.error)
    return send(reply, isForPeople(context, siteUrl) ? errorPage(error, context) : errorResponse(error, request.id))
  })
  const handler = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { context, admitted } = request.blockmark
    if (admitted === null) throw new Error('a request that was not admitted')
    const site: Site = { siteUrl, contents, limits, signIns, pageLimit, store: admitted }
    const isOfApi = context.url.pathname.startsWith(PATH_PREFIX)
    const response = isOfApi
      ? await answerEndpoint(site, context, options.uploadBytesMax)
      : ((await answerFile(site, context)) ??
        (await answerOperation(operations, context)) ??
        (await answerStatic(context)) ??
        tagged(await answerPage(site, context), context))
    return send(reply, admitted.hold(response))
  }
  // The table finds the endpoint: the router would decode `/api/public/%70ing`, which a proxy's rule for a path does not.
  app.all(`${PATH_PREFIX}*`, handler)
  app.setNotFoundHandler(handler)
}

function contextOf(
  request: FastifyRequest,
  reply: FastifyReply,
  { siteUrl, addressOf, now }: SiteOptions,
  isValid: boolean,
): RequestContext {
  // Ignored here, because the reader of the body gets the error.
  request.raw.on('error', () => undefined)
  const incoming = requestOf(request.raw, reply.raw, { siteUrl, address: addressOf?.(request) })
  const transport = siteUrl.startsWith('https:') ? { 'strict-transport-security': 'max-age=31536000' } : {}
  return {
    request: incoming,
    url: new URL(isValid ? incoming.url : siteUrl),
    requestID: request.id,
    now: now?.() ?? new Date(),
    started: performance.now(),
    slices: new TimeSlices(),
    headers: { 'x-request-id': request.id, ...transport },
    endpoint: null,
    organization: null,
    botID: null,
    error: undefined,
  }
}

/** Returns the hash of the API key or session of a request; null if it has none. The API reads no sessions. */
function credentialIn(context: RequestContext, siteUrl: string): string | null {
  const session = context.url.pathname.startsWith(PATH_PREFIX) ? null : sessionSecret({ siteUrl }, context)
  const hash = keyHashOf(context.request.headers.get('authorization')) ?? session?.hash
  return hash === undefined ? null : Buffer.from(hash).toString('latin1')
}

function send(reply: FastifyReply, { status, headers, body }: ServiceResponse): FastifyReply {
  reply.code(status).headers(headers)
  return typeof body === 'string' ? reply.serializer(unchanged).send(body) : reply.send(body ?? undefined)
}

/** A serializer that changes nothing: without one, Fastify adds a charset to the type of JSON, which has none. */
function unchanged(text: string): string {
  return text
}

async function answerEndpoint(
  { store, siteUrl, limits, contents }: Site,
  context: RequestContext,
  uploadBytesMax = UPLOAD_BYTES_MAX,
): Promise<ServiceResponse> {
  const { request, url, now, slices, headers } = context
  const endpoint = endpointAt(url.pathname, request.method)
  context.endpoint = endpoint
  const body = await dispatch({
    ...{ endpoint, request, query: url.searchParams, now, headers, slices, store, siteUrl, limits },
    receive: (upload, organization) => receiveUpload(contents, upload, organization, uploadBytesMax),
    inQueue: (work) => store.draw(work),
  })
  if (typeof body === 'string') return okResponse(body)
  // A stream, which reads the next part of the list only when the client has taken the one before.
  return { ...okResponse(''), body: request.method === 'HEAD' ? null : Readable.from(body, { highWaterMark: 0 }) }
}

/** Adds an ETag to a document that clients must revalidate. Responds with 304 if the client has it (RFC 9110, 13.1.2). */
function tagged(response: ServiceResponse, { request }: RequestContext): ServiceResponse {
  const { status, headers, body } = response
  if (status !== 200 || headers['cache-control'] !== 'public, no-cache' || typeof body !== 'string') return response
  const etag = `"${hash('sha256', body, 'base64url').slice(0, 22)}"`
  const tags = { ...headers, etag }
  return hasTag(request.headers, etag) ? { status: 304, headers: tags, body: null } : { status, headers: tags, body }
}

/** Whether an error is shown as a page in a browser. Programs get errors as JSON, and the API sends only JSON. */
function isForPeople({ endpoint, request }: RequestContext, siteUrl: string): boolean {
  // `request.url` has the path that was sent. If a request is not valid, `context.url` is only the URL of the site.
  if (request.url.startsWith(siteUrl + PATH_PREFIX)) return false
  return endpoint === 'page' || request.headers.get('accept')?.includes('text/html') === true
}
