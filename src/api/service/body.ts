/** Reading a JSON body: its type, its size, its bytes. */

import { ApiError } from '../contract/errors.js'
import type { IncomingRequest } from './options.js'

/** Room for a hundred blocks of four thousand characters in any spelling of JSON, and more. */
const BODY_BYTES_MAX = 8 * 1024 * 1024

/**
 * Reads a body that has to be JSON, as it comes.
 *
 * @param request - the request
 * @returns its bytes
 * @throws {ApiError} `unsupported_media_type`, `too_large`
 */
export async function readJsonBytes(request: IncomingRequest): Promise<Uint8Array> {
  if (mediaTypeOf(request) !== 'application/json') {
    throw new ApiError('unsupported_media_type', 'Send the body as application/json.')
  }
  return readBytes(request)
}

/**
 * The media type of a request's body, without its parameters.
 *
 * @param request - the request
 * @returns the type in lower case, empty where none is declared
 */
export function mediaTypeOf(request: IncomingRequest): string {
  return (request.headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
}

/**
 * Reads a body of any type to its end.
 *
 * @param request - the request
 * @returns its bytes
 * @throws {ApiError} `too_large`, `invalid_request` where it breaks off
 */
export async function readBytes(request: IncomingRequest): Promise<Uint8Array> {
  if (Number(request.headers.get('content-length') ?? 0) > BODY_BYTES_MAX) throw tooLarge()
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of request.body ?? []) {
      size += chunk.byteLength
      if (size > BODY_BYTES_MAX) throw tooLarge()
      chunks.push(chunk)
    }
  } catch (cause) {
    if (cause instanceof ApiError) throw cause
    throw new ApiError('invalid_request', 'The body breaks off; send it again.', { cause })
  }
  return chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks)
}

function tooLarge(): ApiError {
  return new ApiError('too_large', 'The body has to be 8 MiB at most; post in several parts.', {
    details: [{ path: [], code: 'too_large', message: 'The body is too large.', limit: BODY_BYTES_MAX }],
  })
}

const utf8: InstanceType<typeof TextDecoder> = new TextDecoder('utf-8', { fatal: true })

/**
 * The JSON object that a body is.
 *
 * @param bytes - the body
 * @returns the object
 * @throws {ApiError} `invalid_json`, `invalid_request`
 */
export function parseJson(bytes: Uint8Array): object {
  const value = parse(bytes)
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  throw new ApiError('invalid_request', 'The body has to be a JSON object.')
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(utf8.decode(bytes))
  } catch (cause) {
    // The parser's own message quotes what was sent.
    throw new ApiError('invalid_json', 'The body has to be JSON in UTF-8.', { cause })
  }
}
