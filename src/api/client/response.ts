/** Responses: read up to a limit, and checked against the contract. */

import { iteratorOf } from '../../chunks.js'
import type { Detail } from '../contract/errors.js'
import { results } from '../contract/results.js'
import type { FieldSchema, ListSchema, ObjectSchema } from '../contract/schema.js'
import type { ClientErrorCode, Failure } from './errors.js'
import type { FetchResponse, ResponseHeaders } from './options.js'

/** A response that was read to its end. */
export interface TextResponse {
  readonly status: number
  readonly headers: ResponseHeaders
  readonly text: string
}

/** Maximum size of a response: ten times the longest list of an organization with 100,000 users. */
const BYTES_MAX = 64 * 1024 * 1024

/** The error of an attempt that did not receive a complete response. */
export class NoResponse extends Error {
  readonly code: ClientErrorCode

  constructor(code: ClientErrorCode, message: string, cause?: unknown) {
    super(message, { cause })
    this.code = code
  }
}

/** Reads a response's body. Throws NoResponse if it is too large. */
export async function textOf({ body }: FetchResponse): Promise<string> {
  if (body === null) return ''
  const decoder = new TextDecoder()
  const chunks = iteratorOf(body)
  let text = ''
  for (let length = 0; ; ) {
    const { done, value } = await chunks.next()
    if (done === true) return text + decoder.decode()
    length += value.byteLength
    if (length > BYTES_MAX) {
      // Not awaited, because the rest may never come.
      void chunks.return?.()
      throw new NoResponse('invalid_response', `the response has more than ${BYTES_MAX} bytes`)
    }
    text += decoder.decode(value, { stream: true })
  }
}

/** The outcome of a call: its result, or a failure and whether another attempt can help. */
type Outcome =
  | { readonly failure: null; readonly result: unknown }
  | { readonly failure: Failure; readonly canHelp: boolean }

/** Reads a response; `clean` removes the API key from the texts of a failure. */
export function outcomeOf(
  { status, headers, text }: TextResponse,
  call: Failure,
  clean: (text: string) => string,
): Outcome {
  const isSuccess = status >= 200 && status < 300
  const body = objectIn(text)
  const id = headers.get('x-request-id')
  const failure = { ...call, status, requestID: id === null ? null : clean(id) }
  if (isSuccess && body?.['ok'] === true) {
    const { result } = body
    const schema = results[call.endpoint]
    if (schema === null) return { failure: null, result: undefined }
    if (isAllowed(schema, result)) return { failure: null, result }
    const reason = 'the result does not have the fields of this endpoint'
    return { failure: { ...failure, code: 'invalid_response', reason }, canHelp: false }
  }
  const rejection = body?.['ok'] === false ? objectOf(objectIn(clean(text))?.['error']) : null
  if (typeof rejection?.['code'] === 'string' && /^\w{1,64}$/.test(rejection['code'])) {
    const { requestID } = rejection
    const named = failure.requestID ?? (typeof requestID === 'string' ? requestID : null)
    // The cast: another version of the service may have codes that are unknown here.
    const code = rejection['code'] as ClientErrorCode
    const texts = { code, reason: String(rejection['message']), details: detailsOf(rejection['details']) }
    const canHelp = isTemporary(status) || code === 'idempotency_in_progress'
    return { failure: { ...failure, ...texts, requestID: named }, canHelp }
  }
  // Browsers report a redirect with status 0.
  const isRedirect = status === 0 || (status >= 300 && status < 400)
  const reason = isRedirect ? 'the service redirects elsewhere: correct baseUrl' : 'the response is not the service’s'
  // A successful response without JSON was cut off, so another attempt can help.
  const canHelp = isTemporary(status) || (isSuccess && body === null)
  return { failure: { ...failure, code: 'invalid_response', reason }, canHelp }
}

/** Whether the next attempt may get another status. */
function isTemporary(status: number): boolean {
  return status === 429 || status >= 500
}

type Fields = Readonly<Record<string, unknown>>

function objectIn(text: string): Fields | null {
  try {
    return objectOf(JSON.parse(text))
  } catch {
    return null
  }
}

function objectOf(value: unknown): Fields | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null
}

function detailsOf(value: unknown): Detail[] {
  return Array.isArray(value) ? value.filter(isDetail) : []
}

function isDetail(value: unknown): value is Detail {
  const { path, code, message } = objectOf(value) ?? {}
  return Array.isArray(path) && typeof code === 'string' && typeof message === 'string'
}

/** Whether a schema allows a value. Unknown fields are ignored. */
function isAllowed(schema: FieldSchema | ListSchema | ObjectSchema, value: unknown): boolean {
  if (schema.type === 'array') return Array.isArray(value) && value.every((item) => isAllowed(schema.items, item))
  if (schema.type !== 'object') return typeof value === 'string' && (schema.enum?.includes(value) ?? true)
  const fields = objectOf(value)
  if (fields === null) return false
  return Object.entries(schema.properties).every(([name, part]) =>
    name in fields ? isAllowed(part, fields[name]) : schema.required?.includes(name) !== true,
  )
}
