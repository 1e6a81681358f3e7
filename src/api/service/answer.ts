/** Answers of the API: what is ok, what is not, and which error of ours a failure is. */

import { ApiError, type ErrorAnswer, statuses } from '../contract/errors.js'
import { StoreError, type StoreFailure } from '../store/store.js'
import type { Answer } from './options.js'

/** Answers are for one bot, and never a page. */
const headers: Readonly<Record<string, string>> = {
  'content-type': 'application/json',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
}

/**
 * A successful answer.
 *
 * @param text - the body, as JSON
 * @param more - further headers
 * @returns the answer
 */
export function okAnswer(text: string, more: Readonly<Record<string, string>> = {}): Answer {
  return { status: 200, headers: { ...headers, ...more }, body: text }
}

/**
 * The answer to a request that failed.
 *
 * @param error - why
 * @param requestID - what the log calls the request
 * @param more - further headers
 * @returns the answer
 */
export function errorAnswer(error: ApiError, requestID: string, more: Readonly<Record<string, string>> = {}): Answer {
  const { code, message, details } = error
  const body: ErrorAnswer = {
    ok: false,
    error: { code, message, requestID, ...(details.length > 0 ? { details } : {}) },
  }
  return {
    status: statuses[code],
    headers: { ...headers, ...more, ...error.headers },
    body: JSON.stringify(body),
  }
}

/** Seconds after which a storage that was away, or full, is worth another try. */
const RETRY_AFTER = { 'retry-after': '1' }
const RETRY_AFTER_FULL = { 'retry-after': '60' }

const storeErrors: Readonly<Record<StoreFailure, (cause: StoreError) => ApiError>> = {
  unavailable: (cause) =>
    new ApiError('storage_unavailable', 'The storage does not answer; try again with the same Idempotency-Key.', {
      headers: RETRY_AFTER,
      cause,
    }),
  full: (cause) =>
    new ApiError('storage_full', 'The storage is full; nothing was kept. Try again later.', {
      headers: RETRY_AFTER_FULL,
      cause,
    }),
  taken: (cause) => new ApiError('name_taken', 'The name is taken; choose another one.', { cause }),
  gone: (cause) =>
    new ApiError('not_found', 'What this belongs to was deleted meanwhile; check the id or name.', { cause }),
}

/**
 * The error that answers a failure.
 *
 * @param thrown - what an operation threw
 * @returns one of the contract's errors; `internal` for what nobody expected
 */
export function errorOf(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown
  if (thrown instanceof StoreError) return storeErrors[thrown.reason](thrown)
  return new ApiError('internal', 'Something is wrong on our side; name the request id when you report it.', {
    cause: thrown,
  })
}
