/** Reads the body of a request: checks its type and size, and parses JSON. */

import { endpoints } from '../contract/endpoints.js'
import { ApiError } from '../contract/errors.js'
import { sentences } from '../contract/sentences.js'
import { BODY_BYTES_MAX, type EndpointName } from '../contract/types.js'
import { StoreError } from '../store/store.js'
import type { TimeSlices } from './scheduler.js'
import type { IncomingRequest } from './types.js'

/** Throws `unsupported_media_type` if a body does not have the endpoint's type, or has a content coding such as gzip. */
export function checkType(request: IncomingRequest, endpoint: EndpointName): void {
  const { bodyType } = endpoints[endpoint]
  if (mediaTypeOf(request) !== bodyType) {
    const isJson = bodyType === 'application/json'
    throw new ApiError('unsupported_media_type', isJson ? sentences.notJsonType : sentences.notAForm)
  }
  const coding = request.headers.get('content-encoding')?.trim().toLowerCase() ?? 'identity'
  if (coding === 'identity' || coding === '') return
  throw new ApiError('unsupported_media_type', sentences.encoded)
}

/** Returns the media type of a request's body, without parameters, in lower case; empty if none is declared. */
export function mediaTypeOf({ headers }: Pick<IncomingRequest, 'headers'>): string {
  return (headers.get('content-type') ?? '').replace(/;.*/s, '').trim().toLowerCase()
}

/** Reads a body of any type to its end. Throws `too_large`, or `invalid_request` if the body breaks off. */
export async function readBytes(request: IncomingRequest, sizeMax: number = BODY_BYTES_MAX): Promise<Uint8Array> {
  if (Number(request.headers.get('content-length') ?? 0) > sizeMax) throw largeBody(sizeMax)
  // Chunks are copied into one array: a body may have millions of chunks, and each chunk takes more memory than its bytes.
  let bytes = new Uint8Array(0)
  let size = 0
  try {
    for await (const chunk of request.body ?? []) {
      const start = size
      size += chunk.byteLength
      if (size > sizeMax) throw largeBody(sizeMax)
      if (size > bytes.length) {
        const largerBytes = new Uint8Array(Math.max(size, Math.min(2 * start, sizeMax)))
        largerBytes.set(bytes.subarray(0, start))
        bytes = largerBytes
      }
      bytes.set(chunk, start)
    }
  } catch (cause) {
    if (cause instanceof ApiError || cause instanceof StoreError) throw cause
    throw new ApiError('invalid_request', sentences.brokenBody, { cause })
  }
  return bytes.subarray(0, size)
}

/** Returns the error for a body that has too many bytes. */
export function largeBody(sizeMax: number): ApiError {
  return tooLarge('too_large', sizeMax, sentences.largeBody)
}

/** Returns the error for a body that exceeds a limit. */
function tooLarge(code: string, limit: number, sentence: (limit: number) => string): ApiError {
  const message = sentence(limit)
  return new ApiError('too_large', message, { details: [{ path: [], code, message, limit }] })
}

/** Limits of the depth of a body, of the fields of one object, and of all values: at least twice what a valid request has. */
const DEPTH_MAX = 64
const FIELDS_MAX = 1000
const VALUES_MAX = 20_000

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a]
const [BRACKET, BRACKET_END, BRACE, BRACE_END] = [0x5b, 0x5d, 0x7b, 0x7d]

/** Throws `too_large` if a body exceeds these limits. Counts its brackets, colons and commas, because parsing may cost 100 times as much. */
function checkShape(bytes: Uint8Array): void {
  const fields = new Uint32Array(DEPTH_MAX + 1)
  let [depth, values] = [0, 1]
  for (let at = 0; at < bytes.length; at += 1) {
    switch (bytes[at]) {
      case QUOTE:
        at = endOfString(bytes, at)
        break
      case BRACKET:
      case BRACE:
        depth += 1
        if (depth > DEPTH_MAX) throw tooLarge('too_deep', DEPTH_MAX, sentences.deepBody)
        fields[depth] = 0
        values += 1
        break
      case COMMA:
        values += 1
        break
      case COLON:
        fields[depth] = (fields[depth] ?? 0) + 1
        if ((fields[depth] ?? 0) > FIELDS_MAX) throw tooLarge('too_many_fields', FIELDS_MAX, sentences.wideBody)
        break
      case BRACKET_END:
      case BRACE_END:
        depth = Math.max(0, depth - 1)
    }
    if (values > VALUES_MAX) throw tooLarge('too_many_values', VALUES_MAX, sentences.fullBody)
  }
}

function endOfString(bytes: Uint8Array, start: number): number {
  let at = start + 1
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1
  return at
}

/** Parses a body, which must be a JSON object. Throws `too_large`, `invalid_json`, `invalid_request`. */
export async function parseJson(bytes: Uint8Array, slices: TimeSlices): Promise<object> {
  const size = bytes.byteLength
  // A large body waits for a later iteration of the event loop, because other requests may have arrived in this one.
  if (size > LARGE_BYTES) await slices.yield()
  await slices.run(size, () => checkShape(bytes))
  try {
    const text = await decode(bytes, slices)
    const value: unknown = await slices.run(size, () => JSON.parse(text))
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  } catch (cause) {
    if (cause instanceof StoreError) throw cause
    // The message of `JSON.parse` is not used, because it would quote the body.
    throw new ApiError('invalid_json', sentences.invalidJson, { cause })
  }
  throw new ApiError('invalid_request', sentences.notAnObject)
}

const LARGE_BYTES = 1_000_000

/** Decodes UTF-8. A large body is decoded in parts, because text that is not ASCII takes five times as long to decode as to parse. */
async function decode(bytes: Uint8Array, slices: TimeSlices): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  if (bytes.byteLength <= LARGE_BYTES) return decoder.decode(bytes)
  let text = ''
  for (let at = 0; at < bytes.byteLength; at += LARGE_BYTES) {
    const part = bytes.subarray(at, at + LARGE_BYTES)
    text += await slices.run(part.byteLength, () => decoder.decode(part, { stream: true }))
  }
  return text + decoder.decode()
}
