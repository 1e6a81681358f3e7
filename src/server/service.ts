/** The whole service as one function from a request to its response: the API, files, pages and documents. */

import type { ApiError } from '../api/contract/errors.js'
import { answerApi } from '../api/rules/api.js'
import { type Answerer, createHandler, openApi } from '../api/rules/index.js'
import { errorResponse } from '../api/rules/response.js'
import type { Handler, RequestContext, ServiceResponse } from '../api/rules/types.js'
import { Admission } from './admission/index.js'
import { createPageLimit, createSignInLimit } from './admission/rates.js'
import { compressed } from './compression.js'
import { answerFile } from './files/answer.js'
import { answerOperation, createOperations } from './operation-pages.js'
import { answerPage } from './pages/index.js'
import { errorPage } from './pages/layout.js'
import type { Site, SiteOptions } from './site.js'

/** Makes the service: every endpoint, the pages at its URLs, and its description. The handler never rejects. */
export function createServiceHandler(options: SiteOptions): Handler {
  const { rateLimit = 100, slots = 20 } = options
  const shared = {
    ...{ ...openApi(options), ...options, operations: createOperations(options) },
    ...{ signIns: createSignInLimit(), pageLimit: createPageLimit(rateLimit) },
  }
  const admission = new Admission({ ...shared, slots, isLimited: rateLimit !== 0 })
  const answerer: Answerer = {
    async answer(context) {
      const admitted = await admission.enter(context)
      try {
        return admitted.hold(await answer({ ...shared, admitted, store: admitted, inTurn: admitted.draw }, context))
      } finally {
        admitted.leave()
      }
    },
    refuse,
  }
  return createHandler(options, answerer)
}

async function answer(site: Site, context: RequestContext): Promise<ServiceResponse> {
  const found = (await answerApi(site, context)) ?? (await answerFile(site, context))
  if (found !== null) return found
  const page = (await answerOperation(site, context)) ?? (await answerPage(site, context))
  return compressed(page, context.request)
}

function refuse(error: ApiError, context: RequestContext): ServiceResponse {
  return isForPeople(context) ? errorPage(error, context) : errorResponse(error, context.requestID)
}

/** Whether a browser shows the response as a page; a program reads it as JSON. */
function isForPeople({ endpoint, request }: RequestContext): boolean {
  const isHtml = request.headers.get('accept')?.includes('text/html') === true
  return endpoint === 'page' || (isHtml && (endpoint === 'file' || endpoint === 'operation' || endpoint === null))
}
