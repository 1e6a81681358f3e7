/** The service on Fastify: the API's endpoints, files, health, documents and pages, after admission. */

import { hash, randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { endpointAt } from '../../api/contract/endpoints.js'
import { ApiError } from '../../api/contract/errors.js'
import { sentences } from '../../api/contract/sentences.js'
import { PATH_PREFIX } from '../../api/contract/types.js'
import { keyHashOf } from '../../api/keys.js'
import { dispatch } from '../../api/rules/dispatch.js'
import { Limit, type Policy, RateLimits } from '../../api/rules/rate.js'
import { errorOf, errorResponse, okResponse } from '../../api/rules/response.js'
import { TimeSlices } from '../../api/rules/scheduler.js'
import type { IncomingRequest, ServiceResponse } from '../../api/rules/types.js'
import { Admission, AdmittedRequest, type RequestContext } from '../admission/index.js'
import { codeOf } from '../error-code.js'
import { respondWithFile } from '../files/answer.js'
import { receiveUpload } from '../files/receive.js'
import { createOperations, type Operations } from '../operation-pages.js'
import { FORM_PATHS, respondWithPage } from '../pages/index.js'
import { errorPage } from '../pages/layout.js'
import type { ReceivedRequest, SiteOptions } from '../request-context.js'
import { credentialOf } from '../session.js'
import { hasTag, respondWithStatic } from '../static.js'
import { isExpecting, problemOf, requestOf, unreadable } from './request.js'

declare module 'fastify' {
  interface FastifyRequest {
    blockmark: RequestContext
  }
}

/** Creates a Fastify application without the service. The application serves requests after `ready()`. */
export function createApp(): FastifyInstance {
  const app = fastify({
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    // The two compilers of schemas are not loaded, because the routes have no schemas: `api/rules` reads the bodies.
    schemaController: { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } },
    // Fastify calls this function, for example, for a path with a percent sign that does not encode a character.
    frameworkErrors: (_error, _request, reply) => void send(reply, errorResponse(unreadable())),
  })
  // Fastify must not read bodies: each part of the service reads the bodies that it accepts, after it has checked the sender.
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
    app.addHttpMethod(method, { overrideExisting: true })
  return app
}

function noCompiler(): never {
  throw new Error('a route has a schema')
}

/** The limit for failed sign-ins of a network: ten, and then one every six seconds. */
export const SIGN_IN_POLICY: Policy = { name: 'failed sign-ins', rate: 10 / 60, burst: 10 }
/** The limit for the pages of a viewer. Like the limit for bots, it is off if RATE_LIMIT is 0. */
export const PAGE_POLICY: Policy = { name: 'pages', rate: 20, burst: 40 }

/** Adds the service to an application, where it responds to all requests for which the application has no other route. */
export function addSite(app: FastifyInstance, options: SiteOptions): void {
  const { siteUrl, contents, rateLimit, uploadRateLimit, uploadBytesMax } = options
  const limits = new RateLimits(rateLimit, uploadRateLimit)
  const signIns = new Limit(SIGN_IN_POLICY)
  const pageLimit = new Limit({ ...PAGE_POLICY, rate: rateLimit === 0 ? 0 : PAGE_POLICY.rate })
  const admission = new Admission(options)
  const operations = createOperations(options)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  app.decorateRequest('blockmark')
  app.addHook('onRequest', async (request, reply) => {
    // The error is ignored here, because the reader of the body gets it.
    request.raw.on('error', () => undefined)
    const problem = problemOf(request.raw, siteUrl)
    const incoming = requestOf(request.raw, reply.raw, { siteUrl, address: options.addressOf?.(request) })
    // All fields are listed, because V8 takes a hundred times as long to copy an object of this size by spread syntax.
    const received: ReceivedRequest = {
      ...{ siteUrl, contents, uploadBytesMax, limits, signIns, pageLimit },
      request: incoming,
      url: new URL(problem === null ? incoming.url : siteUrl),
      keyHash: keyHashOf(incoming.headers.get('authorization')),
      requestID: request.id,
      // This is a getter, because the body of a request may take hours to arrive.
      get now() {
        return options.now?.() ?? new Date()
      },
      arrivedAt: performance.now(),
      slices: new TimeSlices(),
      headers: { 'x-request-id': request.id, ...transportHeaders(siteUrl) },
      ...{ endpoint: null, organization: null, botID: null, error: undefined, viewer: null },
    }
    const store = new AdmittedRequest(admission, received, credentialOf(received))
    request.blockmark = Object.assign(received, { store })
    if (problem !== null) throw problem
    await admission.enter(store)
  })
  app.addHook('onSend', (request, reply, _payload, done) => {
    const context = request.blockmark
    context.store.leave()
    reply.headers(context.headers)
    // The connection ends, because the client may still send the body, although the server did not ask for it.
    if (isExpecting(request.raw)) reply.header('connection', 'close')
    options.onResponse?.(context, reply.statusCode)
    done()
  })
  app.setErrorHandler((thrown, { blockmark: context }, reply) => {
    // Fastify rejects a Content-Type header that is not a media type.
    const isInvalidContentType = codeOf(thrown) === 'FST_ERR_CTP_INVALID_MEDIA_TYPE'
    context.error = isInvalidContentType ? new ApiError('unsupported_media_type', sentences.notJsonType) : thrown
    const error = errorOf(context.error)
    return send(reply, isForPeople(context) ? errorPage(error, context) : errorResponse(error, context.requestID))
  })
  const handler = async ({ blockmark: context }: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const isApiRequest = context.url.pathname.startsWith(PATH_PREFIX)
    const response = isApiRequest ? await respondToEndpoint(context) : await respondToPath(operations, context)
    return send(reply, context.store.hold(response))
  }
  // The table of endpoints compares the path: the router would decode `/api/public/%70ing`, which would evade a proxy's rule.
  app.all(`${PATH_PREFIX}*`, handler)
  app.setNotFoundHandler(handler)
}

function transportHeaders(siteUrl: string): Readonly<Record<string, string>> {
  return siteUrl.startsWith('https:') ? { 'strict-transport-security': 'max-age=31536000' } : {}
}

function send(reply: FastifyReply, { status, headers, body }: ServiceResponse): FastifyReply {
  reply.code(status).headers(headers)
  return typeof body === 'string' ? reply.serializer(serializeText).send(body) : reply.send(body ?? undefined)
}

/** Returns the text of a response. Without a serializer, Fastify would add a charset to the type of JSON, which has none. */
function serializeText(text: string): string {
  return text
}

async function respondToEndpoint(context: RequestContext): Promise<ServiceResponse> {
  const { request, url, store, contents, uploadBytesMax } = context
  const endpoint = endpointAt(url.pathname, request.method)
  const endpointRequest = Object.assign(context, {
    ...{ endpoint, query: url.searchParams },
    receive: (upload: IncomingRequest, organization: string) =>
      receiveUpload(contents, upload, organization, uploadBytesMax),
    inQueue: <Result>(work: () => Promise<Result>) => store.draw(work),
  })
  const body = await dispatch(endpointRequest)
  if (typeof body === 'string') return okResponse(body)
  // The stream reads the next part of the list only when the client has taken the one before.
  return { ...okResponse(''), body: request.method === 'HEAD' ? null : Readable.from(body, { highWaterMark: 0 }) }
}

/** Responds to a request for a path outside of the API. */
async function respondToPath(operations: Operations, context: RequestContext): Promise<ServiceResponse> {
  const { request, url } = context
  const allowedMethods = ['GET', 'HEAD', ...(FORM_PATHS.has(url.pathname) ? ['POST'] : [])]
  if (!allowedMethods.includes(request.method)) {
    const message = `This path accepts only ${allowedMethods.join(', ')}. The endpoints of the API start with ${PATH_PREFIX}.`
    throw new ApiError('method_not_allowed', message, { headers: { allow: allowedMethods.join(', ') } })
  }
  const file = await respondWithFile(context)
  if (file !== null) return file
  context.endpoint = 'operation'
  const operation = Object.hasOwn(operations, url.pathname) ? operations[url.pathname]?.() : null
  const document = (await operation) ?? (await respondWithStatic(url.pathname, request))
  if (document !== null) return document
  context.endpoint = 'page'
  return withETag(await respondWithPage(context), context)
}

/** Adds an ETag to a document that clients must revalidate. Responds with 304 if the client has it (RFC 9110, 13.1.2). */
function withETag(response: ServiceResponse, { request }: RequestContext): ServiceResponse {
  const { status, headers, body } = response
  if (status !== 200 || headers['cache-control'] !== 'public, no-cache' || typeof body !== 'string') return response
  const etag = `"${hash('sha256', body, 'base64url').slice(0, 22)}"`
  const tags = { ...headers, etag }
  return hasTag(request.headers, etag) ? { status: 304, headers: tags, body: null } : { status, headers: tags, body }
}

/** Whether an error is shown as a page in a browser. Programs get errors as JSON, and the API sends only JSON. */
function isForPeople({ endpoint, request, siteUrl }: RequestContext): boolean {
  // `request.url` has the path that was sent. If a request is not valid, `context.url` is only the URL of the site.
  if (request.url.startsWith(siteUrl + PATH_PREFIX)) return false
  return endpoint === 'page' || request.headers.get('accept')?.includes('text/html') === true
}
