/** The service in memory as one function from a request to its response: no port, no file, no process. */

import { endpointAt } from '../api/contract/endpoints.js'
import { ApiError } from '../api/contract/errors.js'
import { sentences } from '../api/contract/sentences.js'
import { PATH_PREFIX, UPLOAD_BYTES_MAX } from '../api/contract/types.js'
import { receiveInMemory } from '../api/files/memory.js'
import { keyHashOf } from '../api/keys.js'
import { dispatch } from '../api/rules/dispatch.js'
import { RateLimits } from '../api/rules/rate.js'
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

/** Uploads a second for each bot, the service's default. */
const UPLOAD_RATE_LIMIT = 5

/** Creates the function that responds to requests for endpoints, and with 404 to all others. The function never rejects. */
export function createHandler(options: HandlerOptions): (request: Request) => Promise<Response> {
  const { store, siteUrl, rateLimit = 100, uploadBytesMax = UPLOAD_BYTES_MAX, now = () => new Date() } = options
  const limits = new RateLimits(rateLimit, UPLOAD_RATE_LIMIT)
  // Costs are not charged, so that no test depends on the speed of its machine.
  limits.charge = () => undefined
  const respond = async (request: Request, headers: Record<string, string>): Promise<TextResponse> => {
    const { pathname, searchParams: query } = new URL(request.url)
    if (!pathname.startsWith(PATH_PREFIX)) throw new ApiError('not_found', sentences.noPage)
    const endpoint = endpointAt(pathname, request.method)
    const body = await dispatch({
      ...{ endpoint, request, query, now: now(), headers, slices: new TimeSlices(), store, siteUrl, limits },
      keyHash: keyHashOf(request.headers.get('authorization')),
      receive: () => receiveInMemory(request, uploadBytesMax),
    })
    if (typeof body === 'string') return okResponse(body)
    let text = ''
    for await (const part of body) text += part
    return okResponse(text)
  }
  return async (request) => {
    const requestID = crypto.randomUUID()
    const headers: Record<string, string> = { 'x-request-id': requestID }
    const result = await respond(request, headers).catch((thrown: unknown) => errorResponse(errorOf(thrown), requestID))
    const body = request.method === 'HEAD' ? null : result.body
    return new Response(body, { status: result.status, headers: { ...headers, ...result.headers } })
  }
}
