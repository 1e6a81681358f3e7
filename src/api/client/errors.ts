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
  const lines = details.map((detail) => `\n  ${detail.path.join('/')}: ${detail.message}`)
  return `${method} ${endpoint}: ${answered}: ${reason}${request}${lines.join('')}`
}

/** What `sendAll` knows when it stops half way. */
export interface Interruption<Result> {
  readonly id: string
  readonly delivered: readonly Result[]
  readonly total: number
  readonly isNextUnknown: boolean
  readonly startedAt: Date
  readonly cause: unknown
}

/** A long message of which only the beginning was delivered. */
export class SendAllError<Result = unknown> extends Error {
  override readonly name = 'SendAllError'
  readonly id: string
  /** What was delivered for certain, in order. */
  readonly delivered: readonly Result[]
  /** How many parts there are. */
  readonly total: number
  /** Whether the next part may have been delivered too: its answer did not come. */
  readonly isNextUnknown: boolean
  /** When the message was first tried; give it back to `sendAll` in another process. */
  readonly startedAt: Date

  /** @param interruption - what is known */
  constructor({ id, delivered, total, isNextUnknown, startedAt, cause }: Interruption<Result>) {
    const next = isNextUnknown ? `, part ${delivered.length + 1} perhaps` : ''
    const reason = cause instanceof Error ? cause.message : String(cause)
    const advice = 'Call sendAll again with the same id to deliver the rest.'
    super(`sendAll: ${delivered.length} of ${total} parts were delivered${next}; then: ${reason}\n${advice}`, { cause })
    this.id = id
    this.delivered = delivered
    this.total = total
    this.isNextUnknown = isNextUnknown
    this.startedAt = startedAt
  }
}
