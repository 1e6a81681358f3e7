/** Injected faults: responses that are lost, and requests that are rejected. */

import { endpointNames } from '../api/contract/endpoints.js'
import { ApiError, type ApiErrorCode, statuses } from '../api/contract/errors.js'
import type { EndpointName } from '../api/contract/types.js'
import { errorResponse } from '../api/rules/response.js'

/** Selects the requests that fail. */
export interface FaultOptions {
  /** The endpoint whose requests fail; by default any. */
  endpoint?: EndpointName
  /** The number of these requests that pass before the first one fails (default 0). */
  after?: number
}

/** Options of a broken connection. */
export interface LossOptions extends FaultOptions {
  /** The lost part: the response to a request that was carried out (default), or the request, before any work. */
  of?: 'response' | 'request'
}

/** Options of a rejected request. */
export interface FailureOptions extends FaultOptions {
  /** The number of requests that fail (default 1). */
  times?: number
  /** The seconds of Retry-After; by default 1 with 429 and 503. Other statuses have no Retry-After by default. */
  retryAfter?: number
}

/** The fault of one request. */
export type Fault =
  | { readonly kind: 'none' }
  | { readonly kind: 'lost'; readonly of: 'response' | 'request' }
  | { readonly kind: 'failed'; readonly answer: () => Response }

const NONE: Fault = { kind: 'none' }

/** The planned faults: those of one endpoint, and those of any request. Each fault is for one request. */
export class Faults {
  #planned = new Map<string | undefined, Fault[]>()

  /** Removes and returns the fault of the next request to an endpoint. */
  next(endpoint: string): Fault {
    return this.#planned.get(endpoint)?.shift() ?? this.#planned.get(undefined)?.shift() ?? NONE
  }

  add(times: number, { endpoint, after = 0 }: FaultOptions, fault: Fault): void {
    if (endpoint !== undefined && !endpointNames.includes(endpoint)) {
      throw new TypeError(`endpoint: expected the name of an endpoint, received ${endpoint}`)
    }
    checkCount('times', times)
    checkCount('after', after)
    const planned = this.#planned.get(endpoint) ?? []
    this.#planned.set(endpoint, [...planned, ...Array<Fault>(after).fill(NONE), ...Array<Fault>(times).fill(fault)])
  }

  clear(): void {
    this.#planned.clear()
  }
}

function checkCount(name: string, count: number): void {
  if (Number.isInteger(count) && count >= 0) return
  throw new TypeError(`${name}: expected a number of requests, received ${count}`)
}

/** The statuses with a Retry-After, in seconds. */
const RETRY_AFTER: Readonly<Record<number, number>> = { 429: 1, 503: 1 }

/**
 * Returns a function that makes the response to a rejected request, as the service or a proxy in front of it makes it.
 * Throws TypeError if `failure` is not an error's status or code.
 */
export function failing(failure: number | ApiErrorCode, { retryAfter }: FailureOptions): () => Response {
  const code = typeof failure === 'string' ? failure : codeOf(failure)
  const status = typeof failure === 'string' ? statuses[failure] : failure
  if (!Number.isInteger(status) || status < 400 || status > 599) {
    throw new TypeError(`fail: expected a status from 400 to 599 or a code of the service, received ${failure}`)
  }
  const seconds = retryAfter ?? RETRY_AFTER[status]
  const headers: Record<string, string> = seconds === undefined ? {} : { 'retry-after': String(seconds) }
  return () => {
    if (code === undefined) return pageOfProxy(status, headers)
    const error = new ApiError(code, `The test requested ${code}.`, { headers })
    const requestID = crypto.randomUUID()
    const answer = errorResponse(error, requestID, { 'x-request-id': requestID })
    return new Response(answer.body, answer)
  }
}

/** Returns the most general code of a status, which comes first in the table. */
function codeOf(status: number): ApiErrorCode | undefined {
  const codes = Object.keys(statuses) as ApiErrorCode[]
  return status === 409 ? 'idempotency_in_progress' : codes.find((code) => statuses[code] === status)
}

/** Returns an HTML page, as a proxy responds. */
function pageOfProxy(status: number, headers: Record<string, string>): Response {
  const body = `<html><head><title>${status}</title></head><body><h1>${status}</h1></body></html>\n`
  return new Response(body, { status, headers: { 'content-type': 'text/html', ...headers } })
}
