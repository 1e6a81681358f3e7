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
  /** The response is not the service's, or not valid: it is from a proxy or another program, a redirect, or too large. */
  | 'invalid_response'

/**
 * Thrown if the service rejects a call, cannot be reached, or does not send a valid response.
 *
 * @example
 * import { createClient } from 'blockmark/client'
 * const bot = createClient({ baseUrl: 'http://127.0.0.1:9', apiKey: 'wsk_example', retryFor: 0 })
 * const error = await bot.ping().catch((thrown) => thrown)
 * error instanceof BlockmarkApiError // => true
 * error.code // => 'connection_failed'
 */
export class BlockmarkApiError extends Error {
  /** The name is a literal, because bundlers rename classes. */
  static override readonly name = 'BlockmarkApiError'
  override readonly name = 'BlockmarkApiError'
  /** The HTTP method. */
  declare readonly method: 'GET' | 'POST'
  declare readonly endpoint: EndpointName
  /** The HTTP status; 0 if there was no response. */
  declare readonly status: number
  declare readonly code: ClientErrorCode
  /** The request's id in the service's log; null if there was no response. */
  declare readonly requestID: string | null
  /** All problems of the request, if the service reported any. */
  declare readonly details: readonly Detail[]
  /** The idempotency key that the call used, yours or the client's; undefined if the call only reads. */
  declare readonly idempotencyKey: string | undefined
  /** Whether the service may have done the call, for example because no response came. Repeat it with the same idempotency key. */
  declare readonly isUnknown: boolean

  /**
   * Creates the error.
   *
   * @param failure - the method, endpoint, status, code, reason and details, without the API key
   * @param hasAdvice - whether the message says how to repeat a call that may have been done
   */
  constructor(failure: CallFailure, hasAdvice = true) {
    const { reason, cause, ...facts } = failure
    super(messageOf(failure) + (hasAdvice ? repetitionOf(failure) : ''), { cause })
    Object.assign(this, facts)
  }
}

/** The facts about a call that failed. The reason is the service's message, or the client's. */
type CallFailure = Omit<BlockmarkApiError, 'name' | 'message' | 'stack'> & { readonly reason: string }

/** Maximum number of details in `error.message`; `details` has all of them. */
const DETAILS_MAX = 20
/** Maximum characters of each reason in `error.message`. The limit cuts only texts of other servers, such as proxies. */
const TEXT_LENGTH_MAX = 500

function messageOf({ method, endpoint, status, code, reason, requestID, details }: CallFailure): string {
  const kind = status === 0 ? code : `${status} ${code}`
  const request = requestID === null ? '' : ` (request ${oneLine(requestID)})`
  const lines = details
    .slice(0, DETAILS_MAX)
    .map(({ message }) => (message === reason ? '' : `\n  ${oneLine(message)}`))
  const rest = details.length > DETAILS_MAX ? `\n  and ${details.length - DETAILS_MAX} more` : ''
  return `${method} ${endpoint}: ${kind}: ${oneLine(reason)}${request}${lines.join('')}${rest}`
}

function repetitionOf({ idempotencyKey, isUnknown }: CallFailure): string {
  if (!isUnknown || idempotencyKey === undefined) return ''
  const key = oneLine(JSON.stringify(idempotencyKey))
  return `\nThe service may have done it: repeat the call with idempotencyKey ${key}.`
}

/** Makes a text of any server safe for terminals and logs: one short line without control characters. */
function oneLine(text: string): string {
  return withPictures(shorten(text, TEXT_LENGTH_MAX)).replace(/\s+/g, ' ')
}

/**
 * Thrown by `sendAll` and `sendStream` if a part was not posted, or if the client cannot know whether it was. `cause` is the
 * error that stopped the message. Another call with the same idempotency key and the same text posts the rest.
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
 * const { delivered } = error // and again: bot.sendAll(message, options)
 * delivered.length // => 0
 */
export class SendError<Result = unknown> extends Error {
  /** The name is a literal, because bundlers rename classes. */
  static override readonly name = 'SendError'
  override readonly name = 'SendError'
  declare readonly method: 'sendAll' | 'sendStream'
  declare readonly idempotencyKey: string
  /** The results of the parts that were posted for certain, in order. The next part may have been posted too. */
  declare readonly delivered: readonly Result[]

  /**
   * Creates the error.
   *
   * @param facts - the parts that were posted, and the error that stopped the message
   */
  constructor({ cause, ...facts }: Omit<SendError<Result>, 'name' | 'message' | 'stack'>) {
    const count = facts.delivered.length
    const posted = `${count} ${count === 1 ? 'message was' : 'messages were'} posted for certain`
    super(`${facts.method}: ${posted}; then: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
    Object.assign(this, facts)
  }
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
