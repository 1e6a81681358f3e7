/** Responses: read up to a limit, and checked against the contract. */

import { chunksOf } from '../../chunks.js'
import type { Detail } from '../contract/errors.js'
import { results } from '../contract/results.js'
import type { FieldSchema, ListSchema, ObjectSchema } from '../contract/schema.js'
import type { EndpointName } from '../contract/types.js'
import type { BlockmarkApiError, ClientErrorCode } from './errors.js'
import type { FetchResponse } from './options.js'

/** Maximum size of a response: about ten times a list of 100,000 users. */
const BYTES_MAX = 64 * 1024 * 1024

/** An attempt that failed. */
export interface Failure extends Pick<BlockmarkApiError, 'status' | 'code' | 'requestID' | 'details' | 'cause'> {
  /** The service's message, or the client's. */
  readonly reason: string
  /** Whether another attempt can help. */
  readonly isTemporary: boolean
  /** The milliseconds of Retry-After. */
  readonly retryAfter?: number | undefined
}

/** The outcome of an attempt. */
export type Outcome = { readonly result: unknown } | Failure

/** Returns the failure of an attempt that did not receive a complete response. */
export function noResponse(code: ClientErrorCode, reason: string, cause?: unknown): Outcome {
  return { status: 0, code, reason, requestID: null, details: [], cause, isTemporary: code !== 'invalid_response' }
}

/** Reads a response; `clean` removes the API key from the texts of a failure. */
export async function outcomeOf(
  endpoint: EndpointName,
  response: FetchResponse,
  clean: (text: string) => string,
): Promise<Outcome> {
  const text = await textOf(response)
  if (text === null) return noResponse('invalid_response', `the response has more than ${BYTES_MAX} bytes`)
  const { status, headers } = response
  const isSuccess = status >= 200 && status < 300
  const body = objectIn(text)
  const isOk = isSuccess && body?.['ok'] === true
  if (isOk && isAllowed(results[endpoint], body['result'])) {
    return { result: results[endpoint] === null ? undefined : body['result'] }
  }
  const id = headers.get('x-request-id')
  const facts = { status, requestID: id === null ? null : clean(id), details: [], retryAfter: retryAfterOf(headers) }
  const isTemporary = status === 429 || status >= 500
  const error = body?.['ok'] === false ? objectOf(objectIn(clean(text))?.['error']) : null
  if (typeof error?.['code'] === 'string' && /^\w{1,64}$/.test(error['code'])) {
    // The cast may not hold: a newer version of the service may have codes that this version does not know.
    const code = error['code'] as ClientErrorCode
    const requestID = facts.requestID ?? (typeof error['requestID'] === 'string' ? error['requestID'] : null)
    const details = Array.isArray(error['details']) ? error['details'].filter(isDetail) : []
    // The first request with this idempotency key may still be running.
    const canHelp = isTemporary || code === 'idempotency_in_progress'
    return { ...facts, code, reason: String(error['message']), requestID, details, isTemporary: canHelp }
  }
  // Browsers report a redirect with status 0.
  const isRedirect = status === 0 || (status >= 300 && status < 400)
  const reason = isOk
    ? 'the result does not have the fields of this endpoint'
    : isRedirect
      ? 'the service redirects elsewhere: correct baseUrl'
      : 'the response is not the service’s'
  // A successful response without JSON was cut off, so another attempt can help.
  return { ...facts, code: 'invalid_response', reason, isTemporary: isTemporary || (isSuccess && body === null) }
}

/** Reads a response's body; null if it is too large. */
async function textOf({ body }: FetchResponse): Promise<string | null> {
  if (body === null) return ''
  const decoder = new TextDecoder()
  let text = ''
  let length = 0
  for await (const chunk of chunksOf(body, undefined)) {
    length += chunk.byteLength
    if (length > BYTES_MAX) return null
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

/** Reads the milliseconds of Retry-After; undefined if a response has none. */
function retryAfterOf(headers: FetchResponse['headers']): number | undefined {
  const value = headers.get('retry-after')?.trim() ?? ''
  if (/^\d+$/.test(value)) return Number(value) * 1000
  const time = Date.parse(value)
  // The date is by the server's clock, so the server's current date is subtracted.
  const now = Date.parse(headers.get('date') ?? '')
  return Number.isNaN(time) ? undefined : Math.max(0, time - (Number.isNaN(now) ? Date.now() : now))
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

function isDetail(value: unknown): value is Detail {
  const { path, code, message } = objectOf(value) ?? {}
  return Array.isArray(path) && typeof code === 'string' && typeof message === 'string'
}

/** Whether a schema allows a value; null allows any. Unknown fields are ignored. */
function isAllowed(schema: FieldSchema | ListSchema | ObjectSchema | null, value: unknown): boolean {
  if (schema === null) return true
  if (schema.type === 'array') return Array.isArray(value) && value.every((item) => isAllowed(schema.items, item))
  if (schema.type !== 'object') return typeof value === 'string' && (schema.enum?.includes(value) ?? true)
  const fields = objectOf(value)
  // All fields of a result are required.
  return fields !== null && Object.entries(schema.properties).every(([name, part]) => isAllowed(part, fields[name]))
}
