/** A multipart upload, read as it comes: memory does not grow with the file. */

import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type Busboy from 'busboy'
import { ApiError, invalid } from '../contract/errors.js'
import type { IncomingRequest, ReceivedFile } from '../service/options.js'
import { StoreError } from '../store/store.js'
import { inspect } from './content-type.js'
import { nameOf, notOneFile } from './received.js'
import type { Arrived, ContentStorage } from './storage.js'

interface Part {
  readonly file: ReceivedFile
}

/**
 * Reads an upload.
 *
 * @param storage - where its content goes
 * @param request - a multipart request
 * @param organization - whose file it will be
 * @param sizeMax - the most bytes that it may have
 * @returns the file, which is not yet kept
 * @throws {ApiError} `validation_failed`, `too_large`, `unsupported_media_type`, `invalid_request`
 */
export async function receiveUpload(
  storage: ContentStorage,
  request: IncomingRequest,
  organization: string,
  sizeMax: number,
): Promise<ReceivedFile> {
  const parts: Promise<Part | Error>[] = []
  let strayField = false
  const parser = await createParser(request)
  parser.on('file', (name: string, stream: Readable, { filename }: { filename?: string }) => {
    if (name !== 'data' || parts.length > 1) return void stream.resume()
    const part = receivePart(storage, stream, organization, sizeMax, filename)
    // A part that is refused ends the reading at once.
    part.catch((error: Error) => parser.destroy(error))
    parts.push(part.catch((error: Error) => error))
  })
  parser.on('field', (name: string) => {
    if (name === 'data') strayField = true
  })
  const failure = await read(request, parser)
  const received = await Promise.all(parts)
  const files = received.flatMap((part) => (part instanceof Error ? [] : [part.file]))
  const errors = received.filter((part) => part instanceof Error)
  // A part knows best why it was refused; of a body that breaks off it only sees the end.
  const error = errors.find((found) => found instanceof ApiError || found instanceof StoreError) ?? failure ?? errors[0]
  const [file, another] = files
  if (error === undefined && file !== undefined && another === undefined && !strayField) return file
  for (const { discard } of files) await discard()
  if (error !== undefined) throw error
  throw notOneFile()
}

/** What is needed of the parser; it is a stream that is written to. */
type Parser = NodeJS.WritableStream & { destroy(error?: Error): unknown }

async function createParser(request: IncomingRequest): Promise<Parser> {
  const type = request.headers.get('content-type') ?? ''
  const busboy = await loadParser()
  try {
    return busboy({ headers: { 'content-type': type }, defParamCharset: 'utf8', limits: { parts: 100, fields: 100 } })
  } catch (cause) {
    throw new ApiError('invalid_request', 'The multipart body has no boundary in its content type.', { cause })
  }
}

async function loadParser(): Promise<typeof Busboy> {
  try {
    return (await import('busboy')).default
  } catch (cause) {
    throw new Error('uploads need the package busboy: npm install busboy', { cause })
  }
}

/** Feeds the parser with the body; what is wrong with it is returned, for the parts say more. */
async function read(request: IncomingRequest, parser: Parser): Promise<Error | undefined> {
  if (request.body === null) return invalid([{ path: ['data'], code: 'required', message: 'data is required.' }])
  try {
    await pipeline(Readable.from(request.body), parser)
    return undefined
  } catch (error) {
    if (error instanceof ApiError || error instanceof StoreError) return error
    return new ApiError('invalid_request', 'The multipart body is cut off or malformed.', { cause: error })
  }
}

async function receivePart(
  storage: ContentStorage,
  stream: Readable,
  organization: string,
  sizeMax: number,
  filename: string | undefined,
): Promise<Part> {
  // Whoever reads the stream is told; an error between two reads must not find nobody.
  stream.on('error', () => undefined)
  const { content, kind } = inspect(stream, sizeMax)
  const found: Arrived = await storage.receive(organization, content)
  try {
    const file = { ...found, ...(await kind()), name: nameOf(filename) }
    return { file }
  } catch (error) {
    await found.discard()
    throw error
  }
}
