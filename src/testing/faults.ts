/** Injected faults: responses that are lost, and requests that are rejected. */

import { check } from '../api/client/errors.js'
import { checkNames, checkObject } from '../api/client/options.js'
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
  | { readonly kind: 'failed'; readonly createResponse: () => Response }

const NO_FAULT: Fault = { kind: 'none' }

/** The planned faults of each endpoint, and of requests to any endpoint. Each fault is for one request. */
export class Faults {
  #planned = new Map<string | undefined, Fault[]>()

  /** Removes and returns the fault of the next request to an endpoint. */
  next(endpoint: string): Fault {
    return this.#planned.get(endpoint)?.shift() ?? this.#planned.get(undefined)?.shift() ?? NO_FAULT
  }

  /** Adds broken connections. Throws TypeError if an option is not valid or not known. */
  lose(times: number, options: LossOptions): void {
    const { of = 'response' } = checkedOptions('lose', options, ['of'])
    check(['response', 'request'].includes(of), 'lose: of', "'response' or 'request'", of)
    this.#add('lose', times, options, { kind: 'lost', of })
  }

  /** Adds rejected requests. Throws TypeError if `failure` is not an error's status or code, or an option is not valid or not known. */
  fail(failure: number | ApiErrorCode, options: FailureOptions): void {
    const { times = 1, retryAfter } = checkedOptions('fail', options, ['times', 'retryAfter'])
    const isRetryAfterValid = retryAfter === undefined || (Number.isInteger(retryAfter) && retryAfter >= 0)
    check(isRetryAfterValid, 'fail: retryAfter', 'a whole number of seconds', retryAfter)
    this.#add('fail', times, options, { kind: 'failed', createResponse: createFailure(failure, retryAfter) })
  }

  #add(method: string, times: number, { endpoint, after = 0 }: FaultOptions, fault: Fault): void {
    const isEndpointValid = endpoint === undefined || endpointNames.includes(endpoint)
    check(isEndpointValid, `${method}: endpoint`, `one of ${endpointNames.join(', ')}`, endpoint)
    checkCount(`${method}: times`, times)
    checkCount(`${method}: after`, after)
    const planned = this.#planned.get(endpoint) ?? []
    this.#planned.set(endpoint, [...planned, ...Array<Fault>(after).fill(NO_FAULT), ...Array<Fault>(times).fill(fault)])
  }

  clear(): void {
    this.#planned.clear()
  }
}

/** Checks the names of a fault's options; `ownNames` names the options that only this method has. */
function checkedOptions<Options extends FaultOptions>(
  method: string,
  options: Options,
  ownNames: readonly (keyof Options & string)[],
): Options {
  checkObject(`${method}: options`, options)
  checkNames(method, options, ['endpoint', 'after', ...ownNames])
  return options
}

function checkCount(where: string, count: number): void {
  check(Number.isInteger(count) && count >= 0, where, 'a number of requests', count)
}

/** The seconds of Retry-After by status. Responses with other statuses have no Retry-After. */
const RETRY_AFTER: Readonly<Record<number, number>> = { 429: 1, 503: 1 }

/**
 * Returns a function that creates the response to a rejected request, as the service or a proxy in front of it would.
 * Throws TypeError if `failure` is not an error's status or code.
 */
function createFailure(failure: number | ApiErrorCode, retryAfter: number | undefined): () => Response {
  const code = typeof failure === 'string' ? failure : codeOf(failure)
  const status = typeof failure === 'string' ? statuses[failure] : failure
  const isStatusValid = Number.isInteger(status) && status >= 400 && status <= 599
  check(isStatusValid, 'fail', 'a status from 400 to 599 or a code of the service', failure)
  const seconds = retryAfter ?? RETRY_AFTER[status]
  const headers: Record<string, string> = seconds === undefined ? {} : { 'retry-after': String(seconds) }
  return () => {
    if (code === undefined) return pageOfProxy(status, headers)
    const error = new ApiError(code, `The test requested ${code}.`, { headers })
    const response = errorResponse(error)
    return new Response(response.body, response)
  }
}

/** Returns the code for a status that a test names: the first in the table, except for 409. Undefined if the table has none. */
function codeOf(status: number): ApiErrorCode | undefined {
  const codes = Object.keys(statuses) as ApiErrorCode[]
  return status === 409 ? 'idempotency_in_progress' : codes.find((code) => statuses[code] === status)
}

/** Returns an HTML page, as a proxy responds. */
function pageOfProxy(status: number, headers: Record<string, string>): Response {
  const body = `<html><head><title>${status}</title></head><body><h1>${status}</h1></body></html>\n`
  return new Response(body, { status, headers: { 'content-type': 'text/html', ...headers } })
}
