/** Uploads for tests of bots: the file data is never read again, so it is not kept. */

import { createHash } from 'node:crypto'
import { ApiError } from '../contract/errors.js'
import { sentences } from '../contract/sentences.js'
import type { ReceivedFile } from '../rules/types.js'
import { Inspection, nameOf, notOneFile } from './upload.js'

/** Reads the form of an upload. A file may have at most the given number of bytes. */
export async function receiveInMemory({ headers, body }: Request, sizeMax: number): Promise<ReceivedFile> {
  if (!/;\s*boundary=/i.test(headers.get('content-type') ?? '')) {
    throw new ApiError('invalid_request', sentences.missingBoundary)
  }
  const form = await new Response(body, { headers }).formData().catch((cause: unknown) => {
    throw new ApiError('invalid_request', sentences.brokenForm, { cause })
  })
  const [file, another] = form.getAll('data')
  if (!(file instanceof Blob) || another !== undefined) throw notOneFile()
  const inspection = new Inspection(sizeMax)
  const hash = createHash('sha256')
  for await (const chunk of inspection.pass(file.stream())) hash.update(chunk)
  const { mediaType } = await inspection.end(async (head) => mediaTypeOfHead(head))
  const nothing = async (): Promise<void> => undefined
  const { name, size } = file
  return {
    hash: hash.digest('hex'),
    size,
    mediaType,
    imageSize: null,
    name: nameOf(name),
    keep: nothing,
    discard: nothing,
  }
}

/** The first bytes of a media type: `blockmark/testing` has no library that detects images and videos. */
interface Signature {
  readonly mediaType: string
  /** The first bytes; `.` is any byte. Characters are bytes (Latin-1). */
  readonly pattern: RegExp
}

/** Signatures in the order in which they are tried; the first one that matches decides. */
const signatures: readonly Signature[] = [
  { mediaType: 'image/png', pattern: /^\x89PNG\r\n\x1a\n.{4}IHDR/s },
  { mediaType: 'image/jpeg', pattern: /^\xff\xd8\xff/ },
  { mediaType: 'image/gif', pattern: /^GIF8[79]a/ },
  { mediaType: 'image/webp', pattern: /^RIFF.{4}WEBP/s },
  { mediaType: 'image/bmp', pattern: /^BM/ },
  { mediaType: 'image/tiff', pattern: /^(?:II\*\0|MM\0\*)/ },
  { mediaType: 'image/x-icon', pattern: /^\0\0\x01\0/ },
  { mediaType: 'image/jxl', pattern: /^(?:\xff\x0a|\0\0\0\x0cJXL \r\n\x87\n)/ },
  { mediaType: 'image/avif', pattern: /^.{4}ftypavi[fs]/s },
  { mediaType: 'image/heic', pattern: /^.{4}ftyphei[cx]/s },
  { mediaType: 'image/heif', pattern: /^.{4}ftypmif1/s },
  { mediaType: 'video/quicktime', pattern: /^.{4}ftypqt {2}/s },
  { mediaType: 'video/x-m4v', pattern: /^.{4}ftypM4V/s },
  { mediaType: 'video/3gpp', pattern: /^.{4}ftyp3g/s },
  // Before `video/mp4`: audio in the same container is not accepted.
  { mediaType: 'audio/mp4', pattern: /^.{4}ftyp(?:M4A|M4B|M4P|F4A|F4B)/s },
  { mediaType: 'video/mp4', pattern: /^.{4}ftyp/s },
  { mediaType: 'video/webm', pattern: /^\x1a\x45\xdf\xa3.{0,64}webm/s },
  { mediaType: 'video/matroska', pattern: /^\x1a\x45\xdf\xa3.{0,64}matroska/s },
  { mediaType: 'video/vnd.avi', pattern: /^RIFF.{4}AVI/s },
  { mediaType: 'video/x-flv', pattern: /^FLV\x01/ },
]

/** The media type of data that is not text, by its first bytes; undefined if it is unknown. */
export function mediaTypeOfHead(head: Uint8Array): string | undefined {
  const text = Buffer.from(head.subarray(0, 128)).toString('latin1')
  return signatures.find(({ pattern }) => pattern.test(text))?.mediaType
}
