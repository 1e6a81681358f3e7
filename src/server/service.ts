/** The whole service as one function from a request to its response: the API, files, pages and documents. */

import type { ApiError } from '../api/contract/errors.js'
import { errorAnswer } from '../api/service/answer.js'
import { answerApi } from '../api/service/api.js'
import { type Answerer, createHandler, openApi } from '../api/service/index.js'
import type { Answer, Exchange, Handler } from '../api/service/options.js'
import { Admission } from './admission/index.js'
import { createPageLimit, createSignInLimit } from './admission/rates.js'
import { compressed } from './compression.js'
import { answerFile } from './files/answer.js'
import { answerOperation, createOperations } from './operation-pages.js'
import { answerPage } from './pages/index.js'
import { errorPage } from './pages/layout.js'
import type { Service, ServiceOptions } from './site.js'

/** Makes the service: every endpoint, the pages at its URLs, and its description. The handler never rejects. */
export function createServiceHandler(options: ServiceOptions): Handler {
  const { rateLimit = 100, slots = 20 } = options
  const shared = {
    ...{ ...openApi(options), ...options, operations: createOperations(options) },
    ...{ signIns: createSignInLimit(), pageLimit: createPageLimit(rateLimit) },
  }
  const admission = new Admission({ ...shared, slots, isLimited: rateLimit !== 0 })
  const answerer: Answerer = {
    async answer(exchange) {
      const visit = await admission.enter(exchange)
      try {
        return visit.hold(await answer({ ...shared, visit, store: visit, inTurn: visit.draw }, exchange))
      } finally {
        visit.leave()
      }
    },
    refuse,
  }
  return createHandler(options, answerer)
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

/** Whether a browser shows the response as a page; a program reads it as JSON. */
function isForPeople({ endpoint, request }: Exchange): boolean {
  const isHtml = request.headers.get('accept')?.includes('text/html') === true
  return endpoint === 'page' || (isHtml && (endpoint === 'file' || endpoint === 'operation' || endpoint === null))
}
