/** Uploads for tests of bots: the file data is never read again, so it is not kept. */

import { createHash } from 'node:crypto'
import { ApiError } from '../contract/errors.js'
import { sentences } from '../contract/sentences.js'
import type { ReceivedFile } from '../rules/types.js'
import { Inspection, nameOf, notOneFile } from './upload.js'

/** Reads the form of an upload. A file may have at most the given number of bytes. */
export async function receiveInMemory({ headers, body }: Request, sizeMax: number): Promise<ReceivedFile> {
  const form = await new Response(body, { headers }).formData().catch((cause: unknown) => {
    throw new ApiError('invalid_request', sentences.brokenForm, { cause })
  })
  const [file, another] = form.getAll('data')
  if (!(file instanceof Blob) || another !== undefined) throw notOneFile()
  const inspection = new Inspection(sizeMax)
  const hash = createHash('sha256')
  for await (const chunk of inspection.pass(file.stream())) hash.update(chunk)
  const { mediaType } = await inspection.end(async (head) => mediaTypeOfHead(head))
  const doNothing = async (): Promise<void> => undefined
  return {
    ...{ hash: hash.digest('hex'), size: file.size, mediaType, name: nameOf(file.name), width: null, height: null },
    ...{ keep: doNothing, discard: doNothing },
  }
}

/**
 * The first bytes of media types, in the order in which they are tried: `blockmark/testing` has no library that detects
 * images and videos. In the patterns, a character is a byte (Latin-1), and `.` is any byte.
 */
const signatures: readonly (readonly [mediaType: string, pattern: RegExp])[] = [
  ['image/png', /^\x89PNG\r\n\x1a\n.{4}IHDR/s],
  ['image/jpeg', /^\xff\xd8\xff/],
  ['image/gif', /^GIF8[79]a/],
  ['image/webp', /^RIFF.{4}WEBP/s],
  ['image/bmp', /^BM/],
  ['image/tiff', /^(?:II\*\0|MM\0\*)/],
  ['image/x-icon', /^\0\0\x01\0/],
  ['image/jxl', /^(?:\xff\x0a|\0\0\0\x0cJXL \r\n\x87\n)/],
  ['image/avif', /^.{4}ftypavi[fs]/s],
  ['image/heic', /^.{4}ftyphei[cx]/s],
  ['image/heif', /^.{4}ftypmif1/s],
  ['video/quicktime', /^.{4}ftypqt {2}/s],
  ['video/x-m4v', /^.{4}ftypM4V/s],
  ['video/3gpp', /^.{4}ftyp3g/s],
  // This row is before `video/mp4`, because audio in the same container is not accepted.
  ['audio/mp4', /^.{4}ftyp(?:M4A|M4B|M4P|F4A|F4B)/s],
  ['video/mp4', /^.{4}ftyp/s],
  ['video/webm', /^\x1a\x45\xdf\xa3.{0,64}webm/s],
  ['video/matroska', /^\x1a\x45\xdf\xa3.{0,64}matroska/s],
  ['video/vnd.avi', /^RIFF.{4}AVI/s],
  ['video/x-flv', /^FLV\x01/],
]

/** Returns the media type of data that is not text, by its first bytes; undefined if the type is unknown. */
export function mediaTypeOfHead(head: Uint8Array): string | undefined {
  const text = Buffer.from(head.subarray(0, 128)).toString('latin1')
  return signatures.find(([, pattern]) => pattern.test(text))?.[0]
}
