/** The errors of the service: one code each, its status, and what the answer looks like. */

/** Every code of an error; a code never changes once released. */
export type ApiErrorCode =
  | 'invalid_json'
  | 'invalid_request'
  | 'unauthorized'
  | 'not_owner'
  | 'not_member'
  | 'not_found'
  | 'method_not_allowed'
  | 'name_taken'
  | 'ambiguous_name'
  | 'idempotency_in_progress'
  | 'too_large'
  | 'unsupported_media_type'
  | 'validation_failed'
  | 'target_mismatch'
  | 'user_not_found'
  | 'idempotency_mismatch'
  | 'rate_limited'
  | 'internal'
  | 'storage_unavailable'
  | 'storage_full'

/** The HTTP status of every code. */
export const statuses: Readonly<Record<ApiErrorCode, number>> = {
  invalid_json: 400,
  invalid_request: 400,
  unauthorized: 401,
  not_owner: 403,
  not_member: 403,
  not_found: 404,
  method_not_allowed: 405,
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
}

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
export function notFound(): ApiError {
  return new ApiError(
    'not_found',
    'There is no such thing here, or it is not visible to this bot; check the id or name.',
  )
}

/** A request whose fields can be read but not be taken. */
export function invalid(details: readonly Detail[]): ApiError {
  const message = details.length === 1 ? (details[0]?.message ?? '') : `Change ${details.length} things; see details.`
  return new ApiError('validation_failed', message, { details })
}
