/** Errors that the client throws. None of them contains the API key. */

import type { ApiErrorCode, Detail } from '../contract/errors.js'
import type { EndpointName } from '../contract/types.js'

/** The service's codes, and the codes of a call without a valid response. */
export type ClientErrorCode =
  | ApiErrorCode
  /** The connection failed or broke. */
  | 'connection_failed'
  /** No response came in time. */
  | 'timeout'
  /** The response is not the service's: from a proxy, a redirect or another program, too large, or of another form. */
  | 'invalid_response'

/** The facts about a call that failed. */
export interface Failure {
  readonly method: 'GET' | 'POST'
  readonly endpoint: EndpointName
  /** The HTTP status; 0 if there was no response. */
  readonly status: number
  readonly code: ClientErrorCode
  /** The service's message, or the client's. */
  readonly reason: string
  readonly requestID: string | null
  readonly details: readonly Detail[]
}

/**
 * A call that the service rejected, or that did not reach it.
 *
 * @example
 * import { createClient } from 'blockmark/client'
 * const bot = createClient({ baseUrl: 'http://127.0.0.1:9', apiKey: 'wsk_example', retryFor: 0 })
 * const error = await bot.ping().catch((thrown) => thrown)
 * error instanceof BlockmarkApiError // => true
 * error.code // => 'connection_failed'
 */
export class BlockmarkApiError extends Error {
  /** A literal, because bundlers rename classes. */
  static override readonly name = 'BlockmarkApiError'
  override readonly name = 'BlockmarkApiError'
  /** The HTTP method. */
  readonly method: 'GET' | 'POST'
  readonly endpoint: EndpointName
  /** The HTTP status; 0 if there was no response. */
  readonly status: number
  readonly code: ClientErrorCode
  /** The request's id in the service's log; null if there was no response. */
  readonly requestID: string | null
  /** All problems of the request, if the service reported any. */
  readonly details: readonly Detail[]

  /** @param failure - the facts, without the API key */
  constructor(failure: Failure) {
    super(messageOf(failure))
    this.method = failure.method
    this.endpoint = failure.endpoint
    this.status = failure.status
    this.code = failure.code
    this.requestID = failure.requestID
    this.details = failure.details
  }

  /** Returns the error as plain data, for a log. */
  toJSON(): object {
    const { name, message, method, endpoint, status, code, requestID, details } = this
    return { name, message, method, endpoint, status, code, requestID, details }
  }
}

function messageOf({ method, endpoint, status, code, reason, requestID, details }: Failure): string {
  const kind = status === 0 ? code : `${status} ${code}`
  const request = requestID === null ? '' : ` (request ${requestID})`
  const lines = details.flatMap(({ message }) => (message === reason ? [] : `\n  ${message}`))
  return `${method} ${endpoint}: ${kind}: ${reason}${request}${lines.join('')}`
}

/** Whether a call may have done its work: its response did not come, or reports a failure of the server. */
export function isUnanswered(error: unknown): boolean {
  return !(error instanceof BlockmarkApiError) || error.status === 0 || error.status >= 500
}

/** The facts about a message that was delivered in part. */
interface Stop<Result> {
  readonly idempotencyKey: string
  readonly delivered: readonly Result[]
  readonly isNextUnknown: boolean
  readonly startedAt: Date
  readonly cause: unknown
}

/** A message of which only the first parts were delivered. */
abstract class PartlySentError<Result> extends Error {
  readonly idempotencyKey: string
  /** The results of the parts that were delivered for certain, in order. */
  readonly delivered: readonly Result[]
  /** Whether the next part may have been delivered too, because its response did not come. */
  readonly isNextUnknown: boolean
  /** The time of the first try; pass it to the same method in another process. */
  readonly startedAt: Date

  constructor(message: string, { idempotencyKey, delivered, isNextUnknown, startedAt, cause }: Stop<Result>) {
    super(message, { cause })
    this.idempotencyKey = idempotencyKey
    this.delivered = delivered
    this.isNextUnknown = isNextUnknown
    this.startedAt = startedAt
  }
}

/**
 * A long message of which only the first parts were delivered.
 *
 * @example
 * import { createClient } from 'blockmark/client'
 * import { createTestService } from 'blockmark/testing'
 * const { apiKey, baseUrl, fetch, fail } = createTestService({ chats: ['ops'] })
 * const bot = createClient({ apiKey, baseUrl, fetch, retryFor: 0 })
 * fail(500)
 * const message = { chat: 'ops', source: 'all green: '.repeat(4_000) }
 * const options = { idempotencyKey: 'report of today' }
 * const error: SendAllError = await bot.sendAll(message, options).catch((error) => error)
 * const { delivered, total } = error // and again: bot.sendAll(message, options)
 * delivered.length // => 0
 * total // => 2
 */
export class SendAllError<Result = unknown> extends PartlySentError<Result> {
  /** A literal, because bundlers rename classes. */
  static override readonly name = 'SendAllError'
  override readonly name = 'SendAllError'
  /** The number of all parts. */
  readonly total: number

  /** @param stop - the facts */
  constructor(stop: Stop<Result> & { readonly total: number }) {
    const { delivered, total, isNextUnknown, cause } = stop
    const next = isNextUnknown ? `, part ${delivered.length + 1} perhaps` : ''
    const advice = isRejected(stop) ? '' : '\nCall sendAll again with the same idempotencyKey to deliver the rest.'
    super(
      `sendAll: ${delivered.length} of ${total} parts were delivered${next}; then: ${reasonOf(cause)}${advice}`,
      stop,
    )
    this.total = total
  }
}

/**
 * A message that was delivered while it was written, and failed before its end.
 *
 * @example
 * import { createClient } from 'blockmark/client'
 * import { createTestService } from 'blockmark/testing'
 * const { apiKey, baseUrl, fetch, fail } = createTestService({ chats: ['ops'] })
 * const bot = createClient({ apiKey, baseUrl, fetch, retryFor: 0 })
 * async function* output() {
 *   yield 'all is '
 *   yield 'well'
 * }
 * fail(500)
 * const options = { idempotencyKey: 'answer 7' }
 * const failed = bot.sendStream({ chat: 'ops', source: output() }, options)
 * const error: SendStreamError = await failed.catch((error) => error)
 * error.delivered // => []
 * const delivered = await bot.sendStream({ chat: 'ops', source: output() }, options)
 * delivered.length // => 1
 */
export class SendStreamError<Result = unknown> extends PartlySentError<Result> {
  /** A literal, because bundlers rename classes. */
  static override readonly name = 'SendStreamError'
  override readonly name = 'SendStreamError'

  /** @param stop - the facts */
  constructor(stop: Stop<Result>) {
    const { idempotencyKey, delivered, isNextUnknown, cause } = stop
    const number = delivered.length + 1
    const count = delivered.length === 1 ? '1 message was' : `${delivered.length} messages were`
    const posted = `sendStream: ${count} posted${isNextUnknown ? `, message ${number} perhaps` : ''}`
    const differs = `message ${number} differs from the one that was posted under ${idempotencyKey}: send the same text, or choose a new idempotencyKey`
    const isOther = cause instanceof BlockmarkApiError && cause.code === 'idempotency_mismatch'
    const advice = isRejected(stop)
      ? ''
      : '\nCall sendStream again with the same idempotencyKey and the same text to deliver the rest.'
    super(isOther ? `${posted}; ${differs}` : `${posted}; then: ${reasonOf(cause)}${advice}`, stop)
  }
}

/** The 4xx codes that another try may not meet. */
const passing: readonly ClientErrorCode[] = ['timeout', 'idempotency_in_progress', 'rate_limited']

/** Whether nothing was delivered because the service rejects the message, now and later. */
function isRejected({ delivered, cause }: Stop<unknown>): boolean {
  if (delivered.length > 0 || !(cause instanceof BlockmarkApiError)) return false
  return cause.status >= 400 && cause.status < 500 && !passing.includes(cause.code)
}

function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}

/** Runs `work`; the message of an error that it throws starts with the method and the field. */
export function inField<Result>(method: string, field: string, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    if (error instanceof Error) {
      const message = `${method}: ${field}: ${error.message}`
      // The stack repeats the message, and consoles print the stack.
      error.stack = error.stack?.replace(error.message, () => message) ?? message
      error.message = message
    }
    throw error
  }
}

/** Shows an argument in an error: a short value, otherwise its type. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return value.length > 40 ? 'a string' : JSON.stringify(value)
  return value === null || typeof value === 'number' ? String(value) : typeof value
}
