/** A request from its arrival to its response: it gets an id, and is reported when it is done. */

import type { ApiError } from '../contract/errors.js'
import { errorOf } from './answer.js'
import type { Answer, ApiOptions, Exchange, Handler } from './options.js'
import { Turns } from './turn.js'

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
