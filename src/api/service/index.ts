/** The API as one function from a request to its response. A request gets an id, and is reported when it is done. */

import { type ApiError, notFound } from '../contract/errors.js'
import { errorAnswer, errorOf } from './answer.js'
import { answerApi } from './api.js'
import type { Answer, Api, ApiOptions, Exchange, Handler } from './options.js'
import { createRateLimits } from './rate.js'
import { Turns } from './turn.js'

/** Creates the API alone: every other path is 404. The function never rejects. */
export function createApi(options: ApiOptions): (request: Request) => Promise<Response> {
  const api = openApi(options)
  const answerer: Answerer = {
    async answer(exchange) {
      const found = await answerApi(api, exchange)
      if (found !== null) return found
      throw notFound('page')
    },
    refuse: (error, { requestID }) => errorAnswer(error, requestID),
  }
  return fetching(createHandler(options, answerer))
}

/** Makes the parameters of the endpoints, which last as long as the process. */
export function openApi(options: ApiOptions): Api {
  const { rateLimit = 100, uploadRateLimit = 5 } = options
  return { ...options, limits: createRateLimits(rateLimit, uploadRateLimit) }
}

export interface Answerer {
  answer(exchange: Exchange): Promise<Answer>
  /** Makes the response to a request that failed. */
  refuse(error: ApiError, exchange: Exchange): Answer
}

/** Creates a handler that works without Request and Response, which Node's http does not have. */
export function createHandler({ now, onAnswer }: Pick<ApiOptions, 'now' | 'onAnswer'>, answerer: Answerer): Handler {
  return async (request) => {
    const started = performance.now()
    const exchange: Exchange = {
      ...{ request, url: new URL(request.url), requestID: crypto.randomUUID(), now: now?.() ?? new Date() },
      ...{ turns: new Turns(), endpoint: null, organization: null, botID: null, error: undefined },
    }
    const found = await answerSafely(answerer, exchange)
    const { requestID, endpoint, organization, botID, error } = exchange
    const code = error === undefined ? null : errorOf(error).code
    const milliseconds = performance.now() - started
    const { method, address = null } = request
    const caller = { organization, botID, address }
    onAnswer?.({ requestID, endpoint, method, status: found.status, code, milliseconds, ...caller, error })
    return { ...found, headers: { ...found.headers, 'x-request-id': requestID } }
  }
}

async function answerSafely({ answer, refuse }: Answerer, exchange: Exchange): Promise<Answer> {
  try {
    return await answer(exchange)
  } catch (thrown) {
    exchange.error = thrown
    return refuse(errorOf(thrown), exchange)
  }
}

/** Turns a handler into a function from a Request to a Response. */
export function fetching(handle: Handler): (request: Request) => Promise<Response> {
  return async (request) => {
    const { status, headers, body } = await handle(request)
    return new Response(request.method === 'HEAD' ? null : body, { status, headers })
  }
}
