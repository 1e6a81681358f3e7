/** Writes an upload to the storage while it arrives, so that memory does not grow with the file. */

import { pipeline } from 'node:stream/promises'
import type { BusboyFileStream, BusboyInstance } from '@fastify/busboy'
import { ApiError } from '../../api/contract/errors.js'
import { sentences } from '../../api/contract/sentences.js'
import { Inspection, nameOf, notOneFile, tooLarge } from '../../api/files/upload.js'
import { largeBody } from '../../api/rules/body.js'
import type { IncomingRequest, ReceivedFile } from '../../api/rules/types.js'
import { StoreError } from '../../api/store/store.js'
import type { ContentStorage } from './storage.js'

/** Maximum number of bytes of the form besides the file. */
const FORM_BYTES_MAX = 65_536
/** Maximum number of parts of the form. */
const PARTS_MAX = 100
/** Maximum number of bytes of a part's headers. */
const HEADERS_BYTES_MAX = 16_384

/**
 * Reads an upload into a temporary file. Throws if the form, the size or the type is not valid. @fastify/multipart is not
 * used: it reads Node's request itself, so neither the pauses nor the bytes of a whole form could be limited.
 */
export async function receiveUpload(
  storage: ContentStorage,
  { headers, body }: IncomingRequest,
  organization: string,
  sizeMax: number,
): Promise<ReceivedFile> {
  // An upload that declares too many bytes is rejected before they are sent.
  if (Number(headers.get('content-length')) > sizeMax + FORM_BYTES_MAX) throw tooLarge(sizeMax)
  if (body === null) throw notOneFile()
  const form = await openForm(headers.get('content-type') ?? '')
  const uploads: { readonly file: BusboyFileStream; readonly stored: Promise<ReceivedFile> }[] = []
  form.on('file', (field, file, filename: string | undefined) => {
    // The error is ignored here, because the form reports it too when the body breaks off.
    file.on('error', () => undefined)
    if (field !== 'data') return void file.resume()
    if (uploads.length > 0) return void form.destroy(notOneFile())
    const stored = receiveFile(storage, organization, file, filename ?? '', sizeMax)
    stored.catch((error: Error) => form.destroy(error))
    uploads.push({ file, stored })
  })
  form.on('field', (field) => void (field === 'data' && form.destroy(notOneFile())))
  form.on('partsLimit', () => void form.destroy(new ApiError('invalid_request', sentences.brokenForm)))
  const tooLong = (size: number): ApiError => {
    const formBytes = size - (uploads[0]?.file.bytesRead ?? 0)
    return formBytes > FORM_BYTES_MAX ? largeBody(sizeMax + FORM_BYTES_MAX) : tooLarge(sizeMax)
  }
  try {
    await pipeline(limitBytes(body, sizeMax + FORM_BYTES_MAX, tooLong), form)
    if (uploads[0] === undefined) throw notOneFile()
    return await uploads[0].stored
  } catch (error) {
    uploads[0]?.file.destroy(new Error('the form is not valid'))
    const failure = await uploads[0]?.stored.then(
      (file) => file.discard(),
      (cause: unknown) => cause,
    )
    if (error === failure || error instanceof ApiError || error instanceof StoreError) throw error
    throw new ApiError('invalid_request', sentences.brokenForm, { cause: error })
  }
}

/** Receives a file, and finds its type and name. Nothing remains if its type is not accepted. */
async function receiveFile(
  storage: ContentStorage,
  organization: string,
  file: BusboyFileStream,
  filename: string,
  sizeMax: number,
): Promise<ReceivedFile> {
  const inspection = new Inspection(sizeMax)
  const receivedData = await storage.receive(organization, inspection.pass(partsOf(file)))
  try {
    const { mediaType, head } = await inspection.end(detect)
    // Browsers and the client write quotes and line endings as `%22`, `%0D` and `%0A`.
    const name = nameOf(filename.replace(/%(?:22|0D|0A)/gi, decodeURIComponent))
    const size = (await imageSize(head, mediaType)) ?? { width: null, height: null }
    return { ...receivedData, mediaType, name, ...size }
  } catch (error) {
    await receivedData.discard()
    throw error
  }
}

/** Yields the bytes of a file in parts. Throws `invalid_request` if the form breaks off. */
async function* partsOf(file: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* file
  } catch (cause) {
    throw new ApiError('invalid_request', sentences.brokenForm, { cause })
  }
}

/** Limits the bytes of a whole form. The parser only limits each part. `tooLong` is called with the number of bytes yielded so far. */
async function* limitBytes(
  body: AsyncIterable<Uint8Array>,
  bytesMax: number,
  tooLong: (size: number) => ApiError,
): AsyncGenerator<Uint8Array> {
  let size = 0
  for await (const chunk of body) {
    if (size + chunk.byteLength > bytesMax) throw tooLong(size)
    size += chunk.byteLength
    yield chunk
  }
}

async function openForm(type: string): Promise<BusboyInstance> {
  // The library is imported on first use: many servers receive no files.
  const { Busboy } = await import('@fastify/busboy')
  try {
    const limits = { parts: PARTS_MAX, headerSize: HEADERS_BYTES_MAX, fieldSize: FORM_BYTES_MAX }
    return new Busboy({ headers: { 'content-type': type }, preservePath: true, limits })
  } catch (cause) {
    throw new ApiError('invalid_request', sentences.brokenForm, { cause })
  }
}

/** Finds the type of data that is not text, with a library. `blockmark/testing` has none: see `api/files/memory.ts`. */
async function detect(head: Uint8Array): Promise<string | undefined> {
  // The library is imported on first use: loading it takes longer than most uploads, and many servers receive no files.
  const { fileTypeFromBuffer } = await import('file-type')
  return (await fileTypeFromBuffer(head))?.mime
}

/** Maximum side of an image in pixels. A larger size is ignored. */
const SIDE_MAX = 100_000

/**
 * Reads an image's size in pixels from the first bytes, before the rotation that a photograph's metadata may request; null
 * if it cannot be read.
 */
export async function imageSize(
  head: Uint8Array,
  mediaType: string,
): Promise<{ readonly width: number; readonly height: number } | null> {
  if (!mediaType.startsWith('image/')) return null
  const { imageDimensionsFromData } = await import('image-dimensions')
  const { width = 0, height = 0 } = imageDimensionsFromData(head) ?? {}
  if (!(width > 0 && height > 0 && width <= SIDE_MAX && height <= SIDE_MAX)) return null
  return { width, height }
}
