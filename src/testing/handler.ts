/** The service in memory as one function from a request to its response: no port, no file, no process. */

import { endpointNames, endpoints, methodsOf, pathsOf } from '../api/contract/endpoints.js'
import { ApiError, notFound } from '../api/contract/errors.js'
import { sentences } from '../api/contract/sentences.js'
import { BODY_BYTES_MAX, type EndpointName, PATH_PREFIX, UPLOAD_BYTES_MAX } from '../api/contract/types.js'
import { tooLarge } from '../api/files/content-type.js'
import { receiveInMemory } from '../api/files/memory.js'
import { authenticate } from '../api/rules/authentication.js'
import { checkType, readBytes } from '../api/rules/body.js'
import { type Call, dispatch, readKey } from '../api/rules/dispatch.js'
import { createRateLimits, limitedAs, type RateLimits } from '../api/rules/rate.js'
import { errorOf, errorResponse, okResponse, type TextResponse } from '../api/rules/response.js'
import { TimeSlices } from '../api/rules/scheduler.js'
import type { Store } from '../api/store/store.js'

export interface HandlerOptions {
  readonly store: Store
  /** The start of the service's URLs. */
  readonly siteUrl: string
  /** Requests a second for each bot; 0 for no limit. */
  readonly rateLimit?: number
  readonly uploadBytesMax?: number
  readonly now?: () => Date
}

/** Path → endpoint, both spellings of those that have two. */
const routes: ReadonlyMap<string, EndpointName> = new Map(
  endpointNames.flatMap((name) => pathsOf(name).map((path) => [path, name])),
)

/** Uploads a second for each bot, the service's default. */
const UPLOAD_RATE_LIMIT = 5

/** Creates the endpoints alone: every other path is 404. The function never rejects. */
export function createHandler(options: HandlerOptions): (request: Request) => Promise<Response> {
  const { rateLimit = 100, now = () => new Date() } = options
  const limits = createRateLimits(rateLimit, UPLOAD_RATE_LIMIT)
  return async (request) => {
    const headers: Record<string, string> = { 'x-request-id': crypto.randomUUID() }
    const found = await respond(request, { ...options, limits, time: now(), headers }).catch((thrown: unknown) =>
      errorResponse(errorOf(thrown), headers['x-request-id'] ?? ''),
    )
    const body = request.method === 'HEAD' ? null : found.body
    return new Response(body, { status: found.status, headers: { ...headers, ...found.headers } })
  }
}

interface Given extends HandlerOptions {
  readonly limits: RateLimits
  readonly time: Date
  /** Headers of the response, whether the request succeeds or not. */
  readonly headers: Record<string, string>
}

async function respond(request: Request, given: Given): Promise<TextResponse> {
  const { pathname, searchParams: query } = new URL(request.url)
  const endpoint = routes.get(pathname)
  if (endpoint === undefined) throw notFound(pathname.startsWith(PATH_PREFIX) ? 'endpoint' : 'page')
  const methods = methodsOf(endpoint)
  if (!methods.some((method) => method === request.method)) {
    const allow = methods.join(', ')
    throw new ApiError('method_not_allowed', sentences.noMethod(allow), { headers: { allow } })
  }
  const { store, siteUrl, limits, time: now, headers } = given
  const bot = await authenticate(request.headers.get('authorization'), { store, now })
  const who = limitedAs(bot.organization, bot.botID)
  Object.assign(headers, limits.take(who, endpoint === 'upload', now))
  const key = readKey(request.headers.get('idempotency-key'), endpoint)
  const body = await bodyOf(request, endpoint, given.uploadBytesMax ?? UPLOAD_BYTES_MAX)
  const slices = new TimeSlices()
  const outcome = await dispatch({ endpoint, bot, body, key, query }, { store, siteUrl, now, slices })
  if (outcome.isReplay) headers['idempotent-replayed'] = 'true'
  if (typeof outcome.body === 'string') return okResponse(outcome.body)
  let text = ''
  for await (const part of outcome.body) text += part
  return okResponse(text)
}

async function bodyOf(request: Request, endpoint: EndpointName, fileBytesMax: number): Promise<Call['body']> {
  if (endpoints[endpoint].body === null) return null
  checkType(request, endpoint)
  // A form has some bytes around its file.
  if (endpoint !== 'upload') return readBytes(request, BODY_BYTES_MAX)
  const bytes = await readBytes(request, fileBytesMax + 65_536, () => tooLarge(fileBytesMax))
  return receiveInMemory(request, bytes, fileBytesMax)
}
