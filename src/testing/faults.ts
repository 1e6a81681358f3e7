/** What goes wrong on purpose: answers that are lost, refused or late. */

import { ApiError, type ApiErrorCode, statuses } from '../api/contract/errors.js'
import { errorAnswer } from '../api/service/answer.js'

/** When a fault happens. */
export interface FaultOptions {
  /** How many requests pass before the first that fails (default 0). */
  after?: number
}

/** How a connection breaks. */
export interface LossOptions extends FaultOptions {
  /**
   * What is lost: the answer of a request that was carried out (default), or the request on its way there, which is not
   * carried out.
   */
  of?: 'answer' | 'request'
}

/** How a request is refused. */
export interface FailureOptions extends FaultOptions {
  /** The seconds of Retry-After; by default 1 with 429 and 503, and none with others. */
  retryAfter?: number
}

/** What happens to one request. */
export type Fault =
  | { readonly kind: 'none' }
  | { readonly kind: 'lost'; readonly of: 'answer' | 'request' }
  | { readonly kind: 'failed'; readonly answer: () => Response }

const NONE: Fault = { kind: 'none' }

/** The faults that are still to come, one for each request. */
export class Faults {
  #waiting: Fault[] = []

  /** What happens to the next request. */
  next(): Fault {
    return this.#waiting.shift() ?? NONE
  }

  add(times: number, after: number, fault: Fault): void {
    checkCount('times', times)
    checkCount('after', after)
    this.#waiting.push(...Array<Fault>(after).fill(NONE), ...Array<Fault>(times).fill(fault))
  }

  clear(): void {
    this.#waiting = []
  }
}

function checkCount(name: string, count: number): void {
  if (Number.isInteger(count) && count >= 0) return
  throw new TypeError(`${name}: expected a number of requests, received ${count}`)
}

/** The statuses that a server says when to try again with. */
const RETRY_AFTER: Readonly<Record<number, number>> = { 429: 1, 503: 1 }

/**
 * Makes the answers of requests that are refused, as the service or a proxy before it makes them.
 *
 * @param failure - a status, or one of the service's own codes
 * @param options - the Retry-After
 * @returns what makes an answer
 * @throws {TypeError} where it is no status of an error
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
    const error = new ApiError(code, `The test asked for ${code}.`, { headers })
    const requestID = crypto.randomUUID()
    const answer = errorAnswer(error, requestID, { 'x-request-id': requestID })
    return new Response(answer.body, answer)
  }
}

/** The first code with a status is the plainest one. */
function codeOf(status: number): ApiErrorCode | undefined {
  const codes = Object.keys(statuses) as ApiErrorCode[]
  return status === 409 ? 'idempotency_in_progress' : codes.find((code) => statuses[code] === status)
}

/** What stands before a server answers in its own words, and not in JSON. */
function pageOfProxy(status: number, headers: Record<string, string>): Response {
  const body = `<html><head><title>${status}</title></head><body><h1>${status}</h1></body></html>\n`
  return new Response(body, { status, headers: { 'content-type': 'text/html', ...headers } })
}
