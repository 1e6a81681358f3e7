/** The API as one function from a request to its response. A request gets an id, and is reported when it is done. */

import { type ApiError, notFound } from '../contract/errors.js'
import { answerApi } from './api.js'
import { createRateLimits } from './rate.js'
import { errorOf, errorResponse } from './response.js'
import { TimeSlices } from './scheduler.js'
import type { Api, ApiOptions, Handler, RequestContext, ServiceResponse } from './types.js'

/** Creates the API alone: every other path is 404. The function never rejects. */
export function createApi(options: ApiOptions): (request: Request) => Promise<Response> {
  const api = openApi(options)
  const answerer: Answerer = {
    async answer(context) {
      const found = await answerApi(api, context)
      if (found !== null) return found
      throw notFound('page')
    },
    refuse: (error, { requestID }) => errorResponse(error, requestID),
  }
  return fetching(createHandler(options, answerer))
}

/** Makes the parameters of the endpoints, which last as long as the process. */
export function openApi(options: ApiOptions): Api {
  const { rateLimit = 100, uploadRateLimit = 5 } = options
  return { ...options, limits: createRateLimits(rateLimit, uploadRateLimit) }
}

export interface Answerer {
  answer(context: RequestContext): Promise<ServiceResponse>
  /** Makes the response to a request that failed. */
  refuse(error: ApiError, context: RequestContext): ServiceResponse
}

/** Creates a handler that works without Request and Response, which Node's http does not have. */
export function createHandler(
  { now, onResponse }: Pick<ApiOptions, 'now' | 'onResponse'>,
  answerer: Answerer,
): Handler {
  return async (request) => {
    const started = performance.now()
    const context: RequestContext = {
      ...{ request, url: new URL(request.url), requestID: crypto.randomUUID(), now: now?.() ?? new Date() },
      ...{ slices: new TimeSlices(), endpoint: null, organization: null, botID: null, error: undefined },
    }
    const found = await answerSafely(answerer, context)
    const { requestID, endpoint, organization, botID, error } = context
    const code = error === undefined ? null : errorOf(error).code
    const milliseconds = performance.now() - started
    const { method, address = null } = request
    const caller = { organization, botID, address }
    onResponse?.({
      requestID,
      endpoint,
      method,
      path: context.url.pathname,
      status: found.status,
      code,
      milliseconds,
      ...caller,
      error,
    })
    return { ...found, headers: { ...found.headers, 'x-request-id': requestID } }
  }
}

async function answerSafely({ answer, refuse }: Answerer, context: RequestContext): Promise<ServiceResponse> {
  try {
    return await answer(context)
  } catch (thrown) {
    context.error = thrown
    return refuse(errorOf(thrown), context)
  }
}

/** Turns a handler into a function from a Request to a Response. */
export function fetching(handle: Handler): (request: Request) => Promise<Response> {
  return async (request) => {
    const { status, headers, body } = await handle(request)
    return new Response(request.method === 'HEAD' ? null : body, { status, headers })
  }
}
