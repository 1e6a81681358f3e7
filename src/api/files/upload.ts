/** Inspects uploads: checks the size, detects the type from the data and not from the name, and cleans the name. */

import { ApiError, invalid } from '../contract/errors.js'
import { detail, HIDDEN } from '../contract/schema.js'
import { fieldSentences as say } from '../contract/sentences.js'

/** A function that returns the media type of file data by its first bytes; undefined if the type is not known. */
export type Detect = (head: Uint8Array) => Promise<string | undefined>

/** Number of bytes that are kept from the start: in a photograph, the width comes after the camera's metadata. */
const HEAD_BYTES = 65_536

/** Number of bytes from which the type of a file that is not text is detected: `file-type` reads no more. */
const DETECT_BYTES = 4100

/** Control characters except white space (U+0009 to U+000D, and U+0085). */
const CONTROL = /[\0-\x08\x0E-\x1F\x7F-\x84\x86-\x9F]/

/** Inspects file data while it is streamed. */
export class Inspection {
  readonly #sizeMax: number
  readonly #head: Uint8Array[] = []
  #size = 0
  #decoder: InstanceType<typeof TextDecoder> | null = null
  #isText = true

  /** @param sizeMax - the maximum number of bytes of a file */
  constructor(sizeMax: number) {
    this.#sizeMax = sizeMax
  }

  /** Yields the data unchanged. Throws ApiError if the file is empty or too large. */
  async *pass(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of source) {
      if (this.#size + chunk.byteLength > this.#sizeMax) throw tooLarge(this.#sizeMax)
      this.#readText(chunk)
      if (this.#size < HEAD_BYTES) this.#head.push(chunk.slice(0, HEAD_BYTES - this.#size))
      this.#size += chunk.byteLength
      yield chunk
    }
    if (this.#size === 0) throw invalid([detail(['data'], 'empty', say.emptyFile)])
  }

  /**
   * Returns the media type and the first bytes, once all of the data has passed. Text is checked before images and videos,
   * because a text may begin like one: `BM` starts bitmaps, but also `BMW`. No image or video is a valid text as a whole.
   * A PDF may be a valid text, so PDF is checked before text. Throws `unsupported_media_type`.
   */
  async end(detect: Detect): Promise<{ readonly mediaType: string; readonly head: Uint8Array }> {
    const head = Buffer.concat(this.#head)
    this.#readText(new Uint8Array(), true)
    if (head.toString('latin1', 0, 5) === '%PDF-') return { mediaType: 'application/pdf', head }
    if (this.#isText) return { mediaType: `text/plain; charset=${this.#decoder?.encoding}`, head }
    const mediaType = (await detect(head.subarray(0, DETECT_BYTES))) ?? ''
    if (/^(image|video)\//.test(mediaType)) return { mediaType, head }
    const problem = detail(['data'], 'media_type', say.unknownFile)
    throw new ApiError('unsupported_media_type', problem.message, { details: [problem] })
  }

  /** Reads the data as text, chunk by chunk, until it is certain that it is not text. */
  #readText(chunk: Uint8Array, isLast = false): void {
    if (!this.#isText) return
    let bytes = chunk
    if (this.#decoder === null) {
      // A chunk may have only one of the two bytes of a byte order mark. The bytes before it are in the head.
      bytes = Buffer.concat([...this.#head, chunk])
      if (bytes.byteLength < 2 && !isLast) return
      this.#decoder = new TextDecoder(encodingOf(bytes), { fatal: true })
    }
    try {
      this.#isText = !CONTROL.test(this.#decoder.decode(bytes, { stream: !isLast }))
    } catch {
      this.#isText = false
    }
  }
}

function encodingOf(head: Uint8Array): string {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le'
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be'
  return 'utf-8'
}

export function tooLarge(limit: number): ApiError {
  const problem = detail(['data'], 'too_large', (name) => say.largeFile(name, limit), { limit })
  return new ApiError('too_large', problem.message, { details: [problem] })
}

/** Maximum bytes of a name in UTF-8, which is the limit of most file systems. */
const NAME_BYTES_MAX = 255

const UNWANTED: RegExp = new RegExp(`${HIDDEN.source}|\\p{Surrogate}`, 'gu')

/** Returns the last part of a path, without characters that no name may have; `file` if no name is left. */
export function nameOf(filename: string): string {
  const lastPart = filename.split(/[/\\]/).at(-1) ?? ''
  const cleanName = lastPart.replace(UNWANTED, '').trim()
  return /^\.{0,2}$/.test(cleanName) ? 'file' : shortenName(cleanName)
}

/** Shortens a name that is too long, but keeps its extension. */
function shortenName(name: string): string {
  if (Buffer.byteLength(name) <= NAME_BYTES_MAX) return name
  const extension = /\.\w{1,16}$/.exec(name)?.[0] ?? ''
  // `encodeInto` never writes half a character.
  const bytes = new Uint8Array(NAME_BYTES_MAX - extension.length)
  return name.slice(0, new TextEncoder().encodeInto(name, bytes).read) + extension
}

/** Returns the error for a form whose part `data` is not exactly one file. */
export function notOneFile(): ApiError {
  return invalid([detail(['data'], 'required', say.notOneFile)])
}
