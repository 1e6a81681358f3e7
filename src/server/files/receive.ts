/** A multipart upload, read as it comes: memory does not grow with the file. */

import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ApiError } from '../../api/contract/errors.js'
import { sentences } from '../../api/contract/sentences.js'
import { inspect, tooLarge } from '../../api/files/content-type.js'
import { nameOf, notOneFile } from '../../api/files/received.js'
import type { IncomingRequest, ReceivedFile } from '../../api/service/options.js'
import { StoreError } from '../../api/store/store.js'
import { imageSize } from './image-size.js'
import type { Arrived, ContentStorage } from './storage.js'

const FORM_BYTES_MAX = 65_536

/** Reads an upload, and does not keep it yet. Throws what is wrong with the form, its size and its type. */
export async function receiveUpload(
  storage: ContentStorage,
  request: IncomingRequest,
  organization: string,
  sizeMax: number,
): Promise<ReceivedFile> {
  // What says that it is larger need not be sent; the form around a file takes less.
  if (Number(request.headers.get('content-length')) > sizeMax + FORM_BYTES_MAX) throw tooLarge(sizeMax)
  const parts: Promise<ReceivedFile | Error>[] = []
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
  const files = received.flatMap((part) => (part instanceof Error ? [] : [part]))
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
  const { default: busboy } = await import('busboy')
  try {
    return busboy({ headers: { 'content-type': type }, defParamCharset: 'utf8', limits: { parts: 100, fields: 100 } })
  } catch (cause) {
    throw new ApiError('invalid_request', sentences.noBoundary, { cause })
  }
}

/** Feeds the parser with the body; what is wrong with it is returned, for the parts say more. */
async function read(request: IncomingRequest, parser: Parser): Promise<Error | undefined> {
  if (request.body === null) return notOneFile()
  try {
    await pipeline(Readable.from(request.body), parser)
    return undefined
  } catch (error) {
    if (error instanceof ApiError || error instanceof StoreError) return error
    return new ApiError('invalid_request', sentences.brokenForm, { cause: error })
  }
}

async function receivePart(
  storage: ContentStorage,
  stream: Readable,
  organization: string,
  sizeMax: number,
  filename: string | undefined,
): Promise<ReceivedFile> {
  // Whoever reads the stream is told; an error between two reads must not find nobody.
  stream.on('error', () => undefined)
  const { content, kind } = inspect(stream, sizeMax, detect)
  const found: Arrived = await storage.receive(organization, content)
  try {
    const { mediaType, head } = await kind()
    return { ...found, mediaType, imageSize: await imageSize(head, mediaType), name: nameOf(filename) }
  } catch (error) {
    await found.discard()
    throw error
  }
}

/** The type of what is no text, as a library knows it, which a test has no need of: see `api/files/signatures.ts`. */
export async function detect(head: Uint8Array): Promise<string | undefined> {
  // It takes longer to load than most uploads take to arrive, and a server that takes none does without.
  const { fileTypeFromBuffer } = await import('file-type')
  return (await fileTypeFromBuffer(head))?.mime
}
