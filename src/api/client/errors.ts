/** What a call of the client can fail with. No error ever shows the key. */

import type { ApiErrorCode, Detail } from '../contract/errors.js'
import type { EndpointName } from '../contract/types.js'

/** The service's codes, and those of a call that got no answer of the service. */
export type ClientErrorCode =
  | ApiErrorCode
  /** The connection could not be made, or broke. */
  | 'connection_failed'
  /** No answer came in time. */
  | 'timeout'
  /** What answered is not the service: a proxy, a redirect, another program. */
  | 'unexpected_answer'

/** What is known of a call that failed. */
export interface Failure {
  readonly method: 'GET' | 'POST'
  readonly endpoint: EndpointName
  /** 0 where there was no answer. */
  readonly status: number
  readonly code: ClientErrorCode
  /** The service's sentence, or ours. */
  readonly reason: string
  readonly requestID: string | null
  readonly details: readonly Detail[]
}

/**
 * A call that the service refused, or that did not reach it.
 *
 * @example
 * import { createClient } from 'blockmark/client'
 * const bot = createClient({ baseUrl: 'http://127.0.0.1:9', apiKey: 'wsk_example', retries: 0 })
 * const error = await bot.ping().catch((thrown) => thrown)
 * error instanceof BlockmarkApiError // => true
 * error.code // => 'connection_failed'
 */
export class BlockmarkApiError extends Error {
  /** As written here, whatever a bundler calls the class. */
  static override readonly name = 'BlockmarkApiError'
  override readonly name = 'BlockmarkApiError'
  /** The HTTP method. */
  readonly method: 'GET' | 'POST'
  readonly endpoint: EndpointName
  /** The HTTP status; 0 where no answer came. */
  readonly status: number
  readonly code: ClientErrorCode
  /** What the service's log calls the request; null where no answer came. */
  readonly requestID: string | null
  /** Every problem of the request, where the service names them. */
  readonly details: readonly Detail[]

  /** @param failure - what is known; it holds no key */
  constructor(failure: Failure) {
    super(messageOf(failure))
    this.method = failure.method
    this.endpoint = failure.endpoint
    this.status = failure.status
    this.code = failure.code
    this.requestID = failure.requestID
    this.details = failure.details
  }

  /** The error as plain data, for a log. */
  toJSON(): object {
    const { name, message, method, endpoint, status, code, requestID, details } = this
    return { name, message, method, endpoint, status, code, requestID, details }
  }
}

function messageOf({ method, endpoint, status, code, reason, requestID, details }: Failure): string {
  const answered = status === 0 ? code : `${status} ${code}`
  const request = requestID === null ? '' : ` (request ${requestID})`
  const lines = details.flatMap(({ message }) => (message === reason ? [] : `\n  ${message}`))
  return `${method} ${endpoint}: ${answered}: ${reason}${request}${lines.join('')}`
}

/** Whether nobody knows what has become of a call: its answer did not come, or says that something broke. */
export function isUnanswered(error: unknown): boolean {
  return !(error instanceof BlockmarkApiError) || error.status === 0 || error.status >= 500
}

/** What is known of a message that stops half way. */
interface Stop<Result> {
  readonly id: string
  readonly delivered: readonly Result[]
  readonly isNextUnknown: boolean
  readonly startedAt: Date
  readonly cause: unknown
}

/** A message that needs several calls, of which only the beginning was delivered. */
abstract class PartlySentError<Result> extends Error {
  readonly id: string
  /** What was delivered for certain, in order. */
  readonly delivered: readonly Result[]
  /** Whether the next part may have been delivered too: its answer did not come. */
  readonly isNextUnknown: boolean
  /** When the message was first tried; give it back to the same method in another process. */
  readonly startedAt: Date

  constructor(message: string, { id, delivered, isNextUnknown, startedAt, cause }: Stop<Result>) {
    super(message, { cause })
    this.id = id
    this.delivered = delivered
    this.isNextUnknown = isNextUnknown
    this.startedAt = startedAt
  }
}

/**
 * A long message of which only the beginning was delivered.
 *
 * @example
 * import { createClient } from 'blockmark/client'
 * import { createTestService } from 'blockmark/testing'
 * const { apiKey, baseUrl, fetch, fail } = createTestService({ chats: ['ops'] })
 * const bot = createClient({ apiKey, baseUrl, fetch, retries: 0 })
 * fail(500)
 * const message = { chat: 'ops', source: 'all green: '.repeat(4_000), id: 'report of today' }
 * const error: SendAllError = await bot.sendAll(message).catch((error) => error)
 * const { delivered, total } = error // and again: bot.sendAll(message)
 * delivered.length // => 0
 * total // => 2
 */
export class SendAllError<Result = unknown> extends PartlySentError<Result> {
  /** As written here, whatever a bundler calls the class. */
  static override readonly name = 'SendAllError'
  override readonly name = 'SendAllError'
  /** How many parts there are. */
  readonly total: number

  /** @param stop - what is known */
  constructor(stop: Stop<Result> & { readonly total: number }) {
    const { delivered, total, isNextUnknown, cause } = stop
    const next = isNextUnknown ? `, part ${delivered.length + 1} perhaps` : ''
    const advice = isRefused(stop) ? '' : '\nCall sendAll again with the same id to deliver the rest.'
    super(
      `sendAll: ${delivered.length} of ${total} parts were delivered${next}; then: ${reasonOf(cause)}${advice}`,
      stop,
    )
    this.total = total
  }
}

/**
 * A message that was delivered while it was written, and stopped before its end.
 *
 * @example
 * import { createClient } from 'blockmark/client'
 * import { createTestService } from 'blockmark/testing'
 * const { apiKey, baseUrl, fetch, fail } = createTestService({ chats: ['ops'] })
 * const bot = createClient({ apiKey, baseUrl, fetch, retries: 0 })
 * async function* answer() {
 *   yield 'all is '
 *   yield 'well'
 * }
 * fail(500)
 * const message = { chat: 'ops', id: 'answer 7' }
 * const error: SendStreamError = await bot.sendStream({ ...message, source: answer() }).catch((error) => error)
 * error.delivered // => []
 * const delivered = await bot.sendStream({ ...message, source: answer() })
 * delivered.length // => 1
 */
export class SendStreamError<Result = unknown> extends PartlySentError<Result> {
  /** As written here, whatever a bundler calls the class. */
  static override readonly name = 'SendStreamError'
  override readonly name = 'SendStreamError'

  /** @param stop - what is known */
  constructor(stop: Stop<Result>) {
    const { id, delivered, isNextUnknown, cause } = stop
    const number = delivered.length + 1
    const count = delivered.length === 1 ? '1 message was' : `${delivered.length} messages were`
    const posted = `sendStream: ${count} posted${isNextUnknown ? `, message ${number} perhaps` : ''}`
    const differs = `message ${number} differs from what was delivered under ${id}; send the same text, or take a new id`
    const isOther = cause instanceof BlockmarkApiError && cause.code === 'idempotency_mismatch'
    const advice = isRefused(stop)
      ? ''
      : '\nCall sendStream again with the same id and the same text to deliver the rest.'
    super(isOther ? `${posted}; ${differs}` : `${posted}; then: ${reasonOf(cause)}${advice}`, stop)
  }
}

/** The codes of those refusals that end by themselves. */
const passing: readonly ClientErrorCode[] = ['timeout', 'idempotency_in_progress', 'rate_limited']

/** Whether nothing was delivered because of what the call says, which would be refused again. */
function isRefused({ delivered, cause }: Stop<unknown>): boolean {
  if (delivered.length > 0 || !(cause instanceof BlockmarkApiError)) return false
  return cause.status >= 400 && cause.status < 500 && !passing.includes(cause.code)
}

function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}
