/** Errors that the client throws. None of them contains the API key. */

import { describe, shorten, withPictures } from '../../describe.js'
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
  /** The idempotency key that the call used, yours or the client's; undefined if the call only reads. */
  readonly idempotencyKey: string | undefined
  /** Whether the service may have done the call, for example because its response did not come. Repeat it with the same key. */
  readonly isUnknown: boolean

  /**
   * @param failure - the facts, without the API key
   * @param hasAdvice - whether the message says how to repeat a call that may have been done
   */
  constructor(failure: Failure, hasAdvice = true) {
    super(messageOf(failure) + (hasAdvice ? repetitionOf(failure) : ''), { cause: failure.cause })
    this.method = failure.method
    this.endpoint = failure.endpoint
    this.status = failure.status
    this.code = failure.code
    this.requestID = failure.requestID
    this.details = failure.details
    this.idempotencyKey = failure.idempotencyKey
    this.isUnknown = failure.isUnknown
  }
}

/** The facts about a call that failed. */
export interface Failure extends Omit<BlockmarkApiError, 'name' | 'message' | 'stack'> {
  /** The service's message, or the client's. */
  readonly reason: string
}

/** Maximum number of details in a message; `details` has all of them. */
const DETAILS_MAX = 20
/** Maximum number of characters of each text in a message; the service's own texts are shorter. */
const TEXT_LENGTH_MAX = 500

function messageOf({ method, endpoint, status, code, reason, requestID, details }: Failure): string {
  const kind = status === 0 ? code : `${status} ${code}`
  const request = requestID === null ? '' : ` (request ${oneLine(requestID)})`
  const lines = details
    .slice(0, DETAILS_MAX)
    .map(({ message }) => (message === reason ? '' : `\n  ${oneLine(message)}`))
  const rest = details.length > DETAILS_MAX ? `\n  and ${details.length - DETAILS_MAX} more` : ''
  return `${method} ${endpoint}: ${kind}: ${oneLine(reason)}${request}${lines.join('')}${rest}`
}

function repetitionOf({ idempotencyKey, isUnknown }: Failure): string {
  if (!isUnknown || idempotencyKey === undefined) return ''
  return `\nThe service may have done it: repeat the call with idempotencyKey ${quoted(idempotencyKey)}.`
}

function quoted(idempotencyKey: string): string {
  return oneLine(JSON.stringify(idempotencyKey))
}

/** Makes a text of any server safe for terminals and logs: one short line without control characters. */
function oneLine(text: string): string {
  return withPictures(shorten(text, TEXT_LENGTH_MAX)).replace(/\s+/g, ' ')
}

/** `incomplete`: call the method again to post the rest. `expired`: the service may have forgotten the parts that were posted. */
export type SendErrorCode = 'incomplete' | 'expired'

/**
 * A message of `sendAll` or `sendStream` of which only the first parts were posted.
 *
 * @example
 * import { createClient } from 'blockmark/client'
 * import { createTestService } from 'blockmark/testing'
 * const { apiKey, baseUrl, fetch, fail } = createTestService({ chats: ['ops'] })
 * const bot = createClient({ apiKey, baseUrl, fetch, retryFor: 0 })
 * fail(500)
 * const message = { chat: 'ops', source: 'all green: '.repeat(4_000) }
 * const options = { idempotencyKey: 'report of today' }
 * const error: SendError = await bot.sendAll(message, options).catch((error) => error)
 * const { delivered, total } = error // and again: bot.sendAll(message, options)
 * delivered.length // => 0
 * total // => 2
 */
export class SendError<Result = unknown> extends Error {
  /** A literal, because bundlers rename classes. */
  static override readonly name = 'SendError'
  override readonly name = 'SendError'
  readonly method: 'sendAll' | 'sendStream'
  readonly code: SendErrorCode
  readonly idempotencyKey: string
  /** The results of the parts that were posted for certain, in order. */
  readonly delivered: readonly Result[]
  /** The number of all parts; null for a stream, whose end is not known. */
  readonly total: number | null
  /** Whether the next part may have been posted too, because its response did not come. */
  readonly isNextUnknown: boolean

  /** @param stop - the facts */
  constructor(stop: Stop<Result>) {
    const reason = stop.code === 'expired' ? expiryOf(stop) : progressOf(stop) + adviceOf(stop)
    super(`${stop.method}: ${reason}`, { cause: stop.cause })
    this.method = stop.method
    this.code = stop.code
    this.idempotencyKey = stop.idempotencyKey
    this.delivered = stop.delivered
    this.total = stop.total
    this.isNextUnknown = stop.isNextUnknown
  }
}

/** The facts about a message that was posted in part; `cause` is the error that stopped it. */
type Stop<Result> = Omit<SendError<Result>, 'name' | 'message' | 'stack'>

function expiryOf({ idempotencyKey }: Stop<unknown>): string {
  return (
    `the first try with ${quoted(idempotencyKey)} was 24 hours ago, and the service forgets deliveries after that time: ` +
    'see what was delivered, and send the rest with a new idempotencyKey'
  )
}

function progressOf({ delivered, total, isNextUnknown, idempotencyKey, cause }: Stop<unknown>): string {
  const count = delivered.length
  const all = total === null ? '' : ` of ${total}`
  const next = isNextUnknown ? `, message ${count + 1} perhaps` : ''
  const reason = isMismatch(cause)
    ? `message ${count + 1} differs from the one that was posted under ${quoted(idempotencyKey)}`
    : `then: ${cause instanceof Error ? cause.message : String(cause)}`
  return `${count}${all} ${(total ?? count) === 1 ? 'message was' : 'messages were'} posted${next}; ${reason}`
}

function isMismatch(cause: unknown): boolean {
  return cause instanceof BlockmarkApiError && cause.code === 'idempotency_mismatch'
}

/** Whether the service will reject the same request each time. */
function isRejection(cause: unknown): boolean {
  if (!(cause instanceof BlockmarkApiError) || cause.isUnknown) return false
  return cause.status >= 400 && cause.status < 500 && cause.status !== 429
}

function adviceOf({ method, delivered, cause }: Stop<unknown>): string {
  if (isMismatch(cause)) return ': send the same text, or choose a new idempotencyKey'
  // Nothing was posted, and the same call would be rejected again.
  if (delivered.length === 0 && isRejection(cause)) return ''
  return `\nCall ${method} again with the same idempotencyKey and the same text to post the rest.`
}

/** Runs `work`. If it throws an error, adds the method and the field at the start of the message. */
export function inField<Result>(method: string, field: string, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    if (error instanceof Error) {
      const message = `${method}: ${field}: ${error.message}`
      // The stack must change too: it contains the message, and consoles print the stack.
      error.stack = error.stack?.replace(error.message, () => message) ?? message
      error.message = message
    }
    throw error
  }
}

/** Throws a TypeError about an argument that is not valid; `where` is the method and the field. */
export function check(isValid: boolean, where: string, expected: string, received: unknown): void {
  if (!isValid) throw new TypeError(`${where}: expected ${expected}, received ${describe(received)}`)
}
