/** The parts of a multipart/form-data body (RFC 7578), one after the other, as the bytes arrive. */

import { ApiError } from '../contract/errors.js'
import { sentences } from '../contract/sentences.js'

export interface Part {
  readonly name: string
  /** The name of the file; null for a field: a part without a file name and without the type of arbitrary bytes. */
  readonly filename: string | null
  /** The bytes of the part. Bytes that are not read are skipped. */
  readonly content: AsyncIterable<Uint8Array>
}

/** Maximum length of a boundary (RFC 2046, 5.1.1). The bytes of a longer one would be compared again for each chunk. */
const BOUNDARY_LENGTH_MAX = 70
/** Maximum number of parts; a form with one file has only a few. */
const PARTS_MAX = 100
/** Maximum number of bytes of the headers of one part. */
const HEADERS_BYTES_MAX = 16_384
/** Maximum number of bytes of a form outside of the part that is read. */
const SKIPPED_BYTES_MAX = 65_536

/** Reads the parts of a form. Throws `invalid_request` if it is malformed, `too_large` if too much of it is skipped. */
export async function* partsOf(body: AsyncIterable<Uint8Array>, contentType: string): AsyncGenerator<Part> {
  const boundary = parametersOf(contentType)?.get('boundary') ?? ''
  if (boundary === '' || boundary.length > BOUNDARY_LENGTH_MAX)
    throw new ApiError('invalid_request', sentences.noBoundary)
  const form = new Form(body, boundary)
  try {
    await form.skip()
    for (let count = 0; await form.isFollowed(); count += 1) {
      if (count === PARTS_MAX) throw broken()
      yield { ...describe(await form.headers()), content: form.content() }
      await form.skip()
    }
  } finally {
    await form.end()
  }
}

class Form {
  readonly #chunks: AsyncIterator<Uint8Array>
  readonly #delimiter: Buffer
  /** The bytes that are not read yet. The first boundary has no line ending before it. */
  #bytes: Buffer = Buffer.from('\r\n')
  /** Whether the next bytes belong to a part. */
  #isInPart = true
  #skipped = 0

  constructor(body: AsyncIterable<Uint8Array>, boundary: string) {
    this.#chunks = body[Symbol.asyncIterator]()
    this.#delimiter = Buffer.from(`\r\n--${boundary}`)
  }

  /** Yields the bytes up to the next delimiter. */
  async *content(): AsyncGenerator<Uint8Array> {
    while (this.#isInPart) {
      const at = this.#bytes.indexOf(this.#delimiter)
      this.#isInPart = at === -1
      // A delimiter may have begun at the end.
      const end = at === -1 ? Math.max(0, this.#bytes.length - this.#delimiter.length + 1) : at
      const part = this.#bytes.subarray(0, end)
      this.#bytes = this.#bytes.subarray(at === -1 ? end : at + this.#delimiter.length)
      if (part.length > 0) yield part
      if (this.#isInPart) await this.#more()
    }
  }

  /** Skips the rest of a part. */
  async skip(): Promise<void> {
    for await (const { length } of this.content()) this.#count(length)
  }

  /** Whether another part follows the delimiter. After the last one, the body is read to its end. */
  async isFollowed(): Promise<boolean> {
    while (this.#bytes.length < 2) await this.#more()
    if (this.#bytes.toString('latin1', 0, 2) !== '--') return true
    for (let chunk = await this.#chunks.next(); chunk.done !== true; chunk = await this.#chunks.next()) {
      this.#count(chunk.value.length)
    }
    return false
  }

  #count(skipped: number): void {
    this.#skipped += skipped
    if (this.#skipped > SKIPPED_BYTES_MAX) throw new ApiError('too_large', sentences.largeBody(SKIPPED_BYTES_MAX))
  }

  /** Reads the headers of a part, the end of the delimiter's line included. */
  async headers(): Promise<string> {
    for (let at = this.#bytes.indexOf('\r\n\r\n'); ; at = this.#bytes.indexOf('\r\n\r\n')) {
      if (at > HEADERS_BYTES_MAX || (at === -1 && this.#bytes.length > HEADERS_BYTES_MAX)) throw broken()
      if (at === -1) {
        await this.#more()
        continue
      }
      const text = this.#bytes.toString('utf8', 0, at)
      this.#bytes = this.#bytes.subarray(at + 4)
      this.#isInPart = true
      return text
    }
  }

  /** Stops reading; the rest of the body is dropped. */
  async end(): Promise<void> {
    await this.#chunks.return?.()
  }

  async #more(): Promise<void> {
    const { value, done } = await this.#chunks.next()
    if (done === true) throw broken()
    this.#bytes = this.#bytes.length === 0 ? Buffer.from(value) : Buffer.concat([this.#bytes, value])
  }
}

function broken(): ApiError {
  return new ApiError('invalid_request', sentences.brokenForm)
}

function describe(headers: string): Pick<Part, 'name' | 'filename'> {
  const lines = headers.replace(/\r\n[ \t]+/g, ' ').split('\r\n')
  const fieldOf = (name: string): string => {
    const line = lines.find((each) => each.toLowerCase().startsWith(`${name}:`)) ?? ''
    return line.slice(name.length + 1).trim()
  }
  const disposition = fieldOf('content-disposition')
  const parameters = /^form-data\b/i.test(disposition) ? parametersOf(disposition) : undefined
  const named = extended(parameters?.get('filename*')) || unquoted(parameters?.get('filename')) || null
  const isBytes = /^application\/octet-stream\b/i.test(fieldOf('content-type'))
  return { name: parameters?.get('name') ?? '', filename: named ?? (isBytes ? '' : null) }
}

/** The parameters of a header's value (RFC 9110, 5.6.6), by their names in lower case; undefined if it is malformed. */
function parametersOf(value: string): ReadonlyMap<string, string> | undefined {
  const found = new Map<string, string>()
  const pattern = /\s*;\s*(?:([\w!#$%&'*+.^`|~-]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s;"]*)))?/y
  const start = value.indexOf(';')
  pattern.lastIndex = start < 0 ? value.length : start
  while (pattern.lastIndex < value.length) {
    const parameter = pattern.exec(value)
    if (parameter === null) return undefined
    const [, name, quoted, token = ''] = parameter
    // A backslash in a path does not escape anything.
    if (name !== undefined) found.set(name.toLowerCase(), quoted?.replace(/\\(["\\])/g, '$1') ?? token)
  }
  return found
}

/** The text of a file name in a form: browsers and the client write quotes and line endings as `%22`, `%0D` and `%0A`. */
function unquoted(value = ''): string {
  return value.replace(/%(?:22|0D|0A)/gi, decodeURIComponent)
}

/** The text of an extended parameter in UTF-8 (RFC 8187); empty if it is malformed. */
function extended(value = ''): string {
  try {
    return decodeURIComponent(/^utf-8'[^']*'(.*)$/i.exec(value)?.[1] ?? '')
  } catch {
    return ''
  }
}
