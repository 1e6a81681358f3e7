/** The API as one function from a request to its response. */

import { notFound } from '../contract/errors.js'
import { errorAnswer } from './answer.js'
import { answerApi } from './api.js'
import { type Answerer, createHandler, fetching } from './exchange.js'
import type { Api, ApiOptions } from './options.js'
import { createRateLimits } from './rate.js'

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
