/** Creates the responses of the API, and the errors for failures. */

import { ApiError, statuses } from '../contract/errors.js'
import { sentences } from '../contract/sentences.js'
import { StoreError, type StoreFailure } from '../store/store.js'
import type { ServiceResponse } from './types.js'

/** The headers of every response: no cache may store a response, which is for one bot, and no browser may show it as a page. */
const headers: Readonly<Record<string, string>> = {
  'content-type': 'application/json',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
}

/** A response of the API whose body is one string: every response except a long list. */
export type TextResponse = ServiceResponse & { readonly body: string }

export function okResponse(text: string): TextResponse {
  return { status: 200, headers, body: text }
}

/** Creates the response for an error. By default, the request id is new: bytes that are not a valid request have no id. */
export function errorResponse(error: ApiError, requestID: string = crypto.randomUUID()): TextResponse {
  const { code, message, details } = error
  const body = { ok: false, error: { code, message, requestID, ...(details.length > 0 ? { details } : {}) } }
  const errorHeaders = { 'x-request-id': requestID, ...error.headers }
  return { status: statuses[code], headers: { ...headers, ...errorHeaders }, body: JSON.stringify(body) }
}

const retryAfter = (seconds: number) => ({ headers: { 'retry-after': String(seconds) } })

const storeErrors: Readonly<Record<StoreFailure, () => ApiError>> = {
  unavailable: () => new ApiError('storage_unavailable', sentences.storageAway, retryAfter(1)),
  full: () => new ApiError('storage_full', sentences.storageFull, retryAfter(60)),
  taken: () => new ApiError('name_taken', sentences.taken),
  gone: () => new ApiError('not_found', sentences.gone),
}

/** Returns the error that a client sees for a failure; `internal` for an unexpected failure, whose cause is only logged. */
export function errorOf(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown
  return thrown instanceof StoreError ? storeErrors[thrown.reason]() : new ApiError('internal', sentences.internal)
}
