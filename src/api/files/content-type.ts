/** Which type a content is of, found by what it holds and not by what it is called. */

import { ApiError } from '../contract/errors.js'
import { type ImageSize, imageSize, SIZE_HEAD_BYTES } from './image-size.js'

/** What is decided about a content while it passes by. */
export interface Inspection {
  /** The content, unchanged. */
  readonly content: AsyncIterable<Uint8Array>
  /** What the content is, once it has passed. */
  kind(): Promise<ContentKind>
}

export interface ContentKind {
  readonly mediaType: string
  /** Of an image, where its first bytes say so. */
  readonly imageSize: ImageSize | null
}

/** The type of a content by its first bytes, where one is known. */
export type Detect = (head: Uint8Array) => Promise<string | undefined>

/** What the libraries for binary types look at. */
const HEAD_BYTES = 4100

/**
 * Looks at a content as it passes.
 *
 * @param source - the content
 * @param sizeMax - the most bytes that it may have
 * @param detect - finds the type of what is no text by its first bytes
 * @returns the same content, and its type
 */
export function inspect(
  source: AsyncIterable<Uint8Array>,
  sizeMax: number,
  detect: Detect = detectByLibrary,
): Inspection {
  const head: Uint8Array[] = []
  let size = 0
  const text = createTextCheck()
  async function* content(): AsyncGenerator<Uint8Array> {
    for await (const chunk of source) {
      if (size < SIZE_HEAD_BYTES) head.push(chunk.slice(0, SIZE_HEAD_BYTES - size))
      size += chunk.byteLength
      if (size > sizeMax) throw tooLarge(sizeMax)
      text.add(chunk)
      yield chunk
    }
    if (size === 0) {
      throw new ApiError('validation_failed', 'The file is empty.', {
        details: [{ path: ['data'], code: 'empty', message: 'data is empty.' }],
      })
    }
  }
  return { content: content(), kind: () => kindOf(Buffer.concat(head), text.end(), detect) }
}

async function kindOf(head: Uint8Array, text: string | null, detect: Detect): Promise<ContentKind> {
  const mediaType = await decide(head.subarray(0, HEAD_BYTES), text, detect)
  return { mediaType, imageSize: imageSize(head, mediaType) }
}

function tooLarge(limit: number): ApiError {
  return new ApiError('too_large', `A file has at most ${limit} bytes.`, {
    details: [{ path: ['data'], code: 'too_large', message: 'data is too large.', limit }],
  })
}

/**
 * A text may begin like some binary type (`BM` is a bitmap's beginning, and a car's), but no image or video is a valid
 * text as a whole; of the types that are taken only a pdf may be one.
 */
async function decide(head: Uint8Array, text: string | null, detect: Detect): Promise<string> {
  const isPdf = Buffer.from(head.subarray(0, 5)).toString('latin1') === '%PDF-'
  if (isPdf) return 'application/pdf'
  if (text !== null) return text
  const found = (await detect(head)) ?? ''
  if (/^(image|video)\//.test(found)) return found
  throw new ApiError('unsupported_media_type', 'Only images, videos, pdf and text files (UTF-8 or UTF-16) are taken.', {
    details: [
      { path: ['data'], code: 'media_type', message: 'data is none of image/*, video/*, application/pdf, text/*.' },
    ],
  })
}

async function detectByLibrary(head: Uint8Array): Promise<string | undefined> {
  const { fileTypeFromBuffer } = await loadDetector()
  return (await fileTypeFromBuffer(head))?.mime
}

async function loadDetector(): Promise<typeof import('file-type')> {
  try {
    return await import('file-type')
  } catch (cause) {
    throw new Error('uploads need the package file-type: npm install file-type@21', { cause })
  }
}

interface TextCheck {
  add(chunk: Uint8Array): void
  /** The text's media type, or null where it is none. */
  end(): string | null
}

/** Control characters but white space (tab, line endings, form feed, next line). */
const CONTROL = /[\0-\x08\x0E-\x1F\x7F-\x84\x86-\x9F]/

/** Reads the content as text, piece by piece, until it proves to be none. */
function createTextCheck(): TextCheck {
  let decoder: InstanceType<typeof TextDecoder> | null = null
  let pending: Uint8Array = new Uint8Array()
  let encoding = ''
  let isText = true
  function decode(chunk: Uint8Array | null): void {
    try {
      const text = chunk === null ? decoder?.decode() : decoder?.decode(chunk, { stream: true })
      if (text !== undefined && CONTROL.test(text)) isText = false
    } catch {
      isText = false
    }
  }
  function begin(): void {
    encoding = encodingOf(pending)
    decoder = new TextDecoder(encoding, { fatal: true })
    decode(pending)
  }
  return {
    add(chunk) {
      if (!isText) return
      if (decoder !== null) return decode(chunk)
      // A byte order mark has two bytes; chunks may have one.
      pending = Buffer.concat([pending, chunk])
      if (pending.byteLength >= 2) begin()
    },
    end() {
      if (decoder === null) begin()
      decode(null)
      return isText ? `text/plain; charset=${encoding}` : null
    },
  }
}

function encodingOf(head: Uint8Array): string {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le'
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be'
  return 'utf-8'
}
