/** The service as one function from a request to its answer. */

import { answerFile } from '../files/answer.js'
import { type Attempts, createAttempts } from '../pages/attempts.js'
import { answerPage } from '../pages/index.js'
import { errorPage } from '../pages/refusal.js'
import { errorAnswer, errorOf } from './answer.js'
import { answerApi } from './api.js'
import { answerOperation } from './operation-pages.js'
import type { Answer, Exchange, IncomingRequest, ServiceOptions } from './options.js'
import { createRateLimits, type RateLimits } from './rate.js'

export type { Files, ReceivedFile, ServiceOptions } from './options.js'

/** What every part of the service is given. */
export interface Service extends ServiceOptions {
  readonly limits: RateLimits
  readonly attempts: Attempts
}

/**
 * Makes the service: every endpoint, the pages behind its addresses, and its own description.
 *
 * @param options - its storage, its address and its limits
 * @returns the service; it never rejects
 */
export function createService(options: ServiceOptions): (request: Request) => Promise<Response> {
  const handle = createHandler(options)
  return async (request) => {
    const { status, headers, body } = await handle(request)
    return new Response(request.method === 'HEAD' ? null : body, { status, headers })
  }
}

/**
 * Makes the service for a server that has no need of Request and Response.
 *
 * @param options - its storage, its address and its limits
 * @returns the service; it never rejects
 */
export function createHandler(options: ServiceOptions): (request: IncomingRequest) => Promise<Answer> {
  const { rateLimit = 100, uploadRateLimit = 5 } = options
  const service: Service = {
    ...options,
    limits: createRateLimits(rateLimit, uploadRateLimit),
    attempts: createAttempts(),
  }
  return (request) => answer(service, request)
}

async function answer(service: Service, request: IncomingRequest): Promise<Answer> {
  const started = performance.now()
  const exchange: Exchange = {
    request,
    url: new URL(request.url),
    requestID: crypto.randomUUID(),
    now: service.now?.() ?? new Date(),
    endpoint: null,
    organization: null,
    botID: null,
    error: undefined,
  }
  const found = await answerSafely(service, exchange)
  const { requestID, endpoint, organization, botID, error } = exchange
  const milliseconds = performance.now() - started
  const { method, address = null } = request
  const { status } = found
  service.onAnswer?.({ requestID, endpoint, method, status, milliseconds, organization, botID, address, error })
  return { ...found, headers: { ...found.headers, 'x-request-id': requestID } }
}

async function answerSafely(service: Service, exchange: Exchange): Promise<Answer> {
  try {
    return (
      (await answerApi(service, exchange)) ??
      (await answerOperation(service, exchange)) ??
      (await answerFile(service, exchange)) ??
      (await answerPage(service, exchange))
    )
  } catch (thrown) {
    exchange.error = thrown
    const error = errorOf(thrown)
    return isForPeople(exchange) ? errorPage(error, exchange) : errorAnswer(error, exchange.requestID)
  }
}

/** What a browser shows as a page, and a program reads as JSON. */
function isForPeople({ endpoint, request }: Exchange): boolean {
  return endpoint === 'page' || (endpoint === 'file' && request.headers.get('accept')?.includes('text/html') === true)
}
