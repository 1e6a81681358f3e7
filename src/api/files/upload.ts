/** The type of an upload, found from its data and not from its name, and checks of its name and form. */

import { ApiError, invalid } from '../contract/errors.js'
import { detail, HIDDEN } from '../contract/schema.js'
import { fieldSentences as say } from '../contract/sentences.js'

/** The inspection of file data while it is streamed. */
export interface Inspection {
  /** The content, unchanged. */
  readonly content: AsyncIterable<Uint8Array>
  /** Returns the media type and the first bytes, once all of the data has passed. */
  kind(): Promise<{ readonly mediaType: string; readonly head: Uint8Array }>
}

/** Returns the type of file data by its first bytes; undefined if it is not known. */
export type Detect = (head: Uint8Array) => Promise<string | undefined>

/** Number of bytes that are kept from the start: in a photograph, the camera's metadata comes before the size. */
const HEAD_BYTES = 65_536

/** Number of bytes that the libraries for binary types read. */
const DETECT_BYTES = 4100

/** Inspects file data as it passes, and finds its type; a type other than text is found by the first bytes. */
export function inspect(source: AsyncIterable<Uint8Array>, sizeMax: number, detect: Detect): Inspection {
  const head: Uint8Array[] = []
  let size = 0
  const text = createTextCheck()
  async function* content(): AsyncGenerator<Uint8Array> {
    for await (const chunk of source) {
      if (size < HEAD_BYTES) head.push(chunk.slice(0, HEAD_BYTES - size))
      size += chunk.byteLength
      if (size > sizeMax) throw tooLarge(sizeMax)
      text.add(chunk)
      yield chunk
    }
    if (size === 0) throw invalid([detail(['data'], 'empty', say.emptyFile)])
  }
  return {
    content: content(),
    async kind() {
      const first = Buffer.concat(head)
      return { mediaType: await decide(first.subarray(0, DETECT_BYTES), text.end(), detect), head: first }
    },
  }
}

export function tooLarge(limit: number): ApiError {
  const found = detail(['data'], 'too_large', (name) => say.largeFile(name, limit), { limit })
  return new ApiError('too_large', found.message, { details: [found] })
}

/**
 * Decides the media type. Text is checked before the binary types, because a text may begin like one (`BM` starts a
 * bitmap, and `BMW`), but no image or video is a valid text as a whole. A PDF may be, so it is checked first.
 */
async function decide(head: Uint8Array, text: string | null, detect: Detect): Promise<string> {
  const isPdf = Buffer.from(head.subarray(0, 5)).toString('latin1') === '%PDF-'
  if (isPdf) return 'application/pdf'
  if (text !== null) return text
  const found = (await detect(head)) ?? ''
  if (/^(image|video)\//.test(found)) return found
  const unknown = detail(['data'], 'media_type', say.unknownFile)
  throw new ApiError('unsupported_media_type', unknown.message, { details: [unknown] })
}

interface TextCheck {
  add(chunk: Uint8Array): void
  /** The media type of the text; null if the data is not text. */
  end(): string | null
}

/** Control characters except white space (tab, line endings, form feed, next line). */
const CONTROL = /[\0-\x08\x0E-\x1F\x7F-\x84\x86-\x9F]/

/** Reads the data as text, chunk by chunk, until it is certain that it is not text. */
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
      // A chunk may have only one of the two bytes of a byte order mark.
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

/** Maximum bytes of a name in UTF-8, which is the limit of most file systems. */
const NAME_BYTES_MAX = 255

const UNWANTED: RegExp = new RegExp(`${HIDDEN.source}|\\p{Surrogate}`, 'gu')

/** Returns the last part of a path, without characters that no name may have; `file` if no name is left. */
export function nameOf(filename: string): string {
  const last = filename.split(/[/\\]/).at(-1) ?? ''
  const clean = last.replace(UNWANTED, '').trim()
  return /^\.{0,2}$/.test(clean) ? 'file' : shortened(clean)
}

/** Cuts a name that is too long before its extension. */
function shortened(name: string): string {
  if (Buffer.byteLength(name) <= NAME_BYTES_MAX) return name
  const extension = /\.\w{1,16}$/.exec(name)?.[0] ?? ''
  // `encodeInto` never writes half a character.
  const bytes = new Uint8Array(NAME_BYTES_MAX - extension.length)
  return name.slice(0, new TextEncoder().encodeInto(name, bytes).read) + extension
}

/** The error for a form whose part `data` is not exactly one file. */
export function notOneFile(): ApiError {
  return invalid([detail(['data'], 'required', say.notOneFile)])
}
