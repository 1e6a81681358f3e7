/** The errors of the service: one code each, its status, and what the answer looks like. */

import { absent, sentences } from './sentences.js'

/** Every code of an error, with its HTTP status; a code never changes once released. */
export const statuses = {
  invalid_json: 400,
  invalid_request: 400,
  unauthorized: 401,
  not_owner: 403,
  not_member: 403,
  not_found: 404,
  method_not_allowed: 405,
  timeout: 408,
  name_taken: 409,
  ambiguous_name: 409,
  idempotency_in_progress: 409,
  too_large: 413,
  unsupported_media_type: 415,
  validation_failed: 422,
  target_mismatch: 422,
  user_not_found: 422,
  idempotency_mismatch: 422,
  rate_limited: 429,
  internal: 500,
  storage_unavailable: 503,
  storage_full: 503,
} as const

export type ApiErrorCode = keyof typeof statuses

/** One problem of a request: where, what, and the limit that it passed. */
export interface Detail {
  path: readonly (string | number)[]
  code: string
  message: string
  limit?: number
  actual?: number
}

/** The body of every answer that is not ok. */
export interface ErrorAnswer {
  ok: false
  error: { code: ApiErrorCode; message: string; requestID: string; details?: readonly Detail[] }
}

interface ApiErrorOptions {
  readonly details?: readonly Detail[]
  readonly headers?: Readonly<Record<string, string>>
  readonly cause?: unknown
}

/** What an operation throws to answer with an error. */
export class ApiError extends Error {
  readonly code: ApiErrorCode
  readonly details: readonly Detail[]
  readonly headers: Readonly<Record<string, string>>

  constructor(code: ApiErrorCode, message: string, options: ApiErrorOptions = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause })
    this.name = 'ApiError'
    this.code = code
    this.details = options.details ?? []
    this.headers = options.headers ?? {}
  }
}

/** The same answer for what is absent, invisible and another organization's. */
export function notFound(what: keyof typeof absent): ApiError {
  return new ApiError('not_found', absent[what])
}

/** A request whose fields can be read but not be taken. */
export function invalid(details: readonly Detail[]): ApiError {
  const message = details.length === 1 ? (details[0]?.message ?? '') : sentences.several(details.length)
  return new ApiError('validation_failed', message, { details })
}
