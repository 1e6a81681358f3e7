/** The errors of the service: their codes, statuses and responses. */

import { sentences } from './sentences.js'

/** Every error code with its HTTP status; a released code never changes. */
export const statuses = {
  invalid_json: 400,
  invalid_request: 400,
  unauthorized: 401,
  not_owner: 403,
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

/** One problem of a request: its path and code, and the limit and the actual size if a limit is exceeded. */
export interface Detail {
  path: readonly (string | number)[]
  code: string
  message: string
  limit?: number
  actual?: number
}

interface ApiErrorOptions {
  readonly details?: readonly Detail[]
  readonly headers?: Readonly<Record<string, string>>
  readonly cause?: unknown
}

/** An error that the service returns to the client. */
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

/** Returns the error for a body with the given problems. */
export function invalid(details: readonly Detail[]): ApiError {
  const message = details.length === 1 ? (details[0]?.message ?? '') : sentences.several(details.length)
  return new ApiError('validation_failed', message, { details })
}
