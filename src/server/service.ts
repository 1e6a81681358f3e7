/** The whole service as one function from a request to its answer: the API, and around it files, pages and what describes it. */

import type { ApiError } from '../api/contract/errors.js'
import { errorAnswer } from '../api/service/answer.js'
import { answerApi } from '../api/service/api.js'
import { createHandler } from '../api/service/exchange.js'
import { openApi } from '../api/service/index.js'
import type { Answer, Exchange, Handler } from '../api/service/options.js'
import { compressed } from './compression.js'
import { answerFile } from './files/answer.js'
import { answerOperation } from './operation-pages.js'
import { createAttempts } from './pages/attempts.js'
import { answerPage } from './pages/index.js'
import { createPageLimit } from './pages/limit.js'
import { errorPage } from './pages/refusal.js'
import type { Service, ServiceOptions } from './site.js'

/** Makes the service: every endpoint, the pages behind its addresses, and its own description. It never rejects. */
export function createServiceHandler(options: ServiceOptions): Handler {
  const service: Service = {
    ...openApi(options),
    ...options,
    attempts: createAttempts(),
    pageLimit: createPageLimit(options.rateLimit ?? 100),
  }
  return createHandler(options, { answer: (exchange) => answer(service, exchange), refuse })
}

async function answer(service: Service, exchange: Exchange): Promise<Answer> {
  const found = (await answerApi(service, exchange)) ?? (await answerFile(service, exchange))
  if (found !== null) return found
  const page = (await answerOperation(service, exchange)) ?? (await answerPage(service, exchange))
  return compressed(page, exchange.request)
}

function refuse(error: ApiError, exchange: Exchange): Answer {
  return isForPeople(exchange) ? errorPage(error, exchange) : errorAnswer(error, exchange.requestID)
}

/** What a browser shows as a page, and a program reads as JSON. */
function isForPeople({ endpoint, request }: Exchange): boolean {
  return endpoint === 'page' || (endpoint === 'file' && request.headers.get('accept')?.includes('text/html') === true)
}
