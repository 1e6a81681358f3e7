/** Uploads: the multipart body of a file from any source, opened again for each attempt if the source allows it. */

import { iteratorOf } from '../../chunks.js'
import { describe } from '../../describe.js'
import type { Content } from './call.js'
import { check } from './errors.js'

/** A file to upload: a Blob or File, bytes, a stream, or (on Node.js) a path. */
export type UploadSource =
  | Blob
  | ArrayBuffer
  | ArrayBufferView
  | ReadableStream<Uint8Array>
  | AsyncIterable<Uint8Array>
  | URL
  | string

/**
 * Makes the body of an upload.
 *
 * @param name - the file's name, if the caller gives one
 * @throws {TypeError} if an argument is not valid
 */
export async function contentOf(file: UploadSource | { data: UploadSource }, name?: string): Promise<Content> {
  check(name === undefined || typeof name === 'string', 'upload: name', 'a string', name)
  const source =
    typeof file === 'object' && file !== null && 'data' in file && !(file instanceof Blob) ? file.data : file
  const boundary = `blockmark-${Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(36)).join('')}`
  const type = `multipart/form-data; boundary=${boundary}`
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="data"; filename="${quoted(name ?? nameOf(source))}"\r\nContent-Type: application/octet-stream\r\n\r\n`
  const tail = `\r\n--${boundary}--\r\n`
  const opened = await open(source)
  if (opened instanceof Blob) {
    const body = new Blob([head, opened, tail])
    return { type, open: () => body }
  }
  async function* body(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    const encoder = new TextEncoder()
    yield encoder.encode(head)
    yield* chunks
    yield encoder.encode(tail)
  }
  return { type, isOneShot: true, open: () => streamOf(body(opened)) }
}

/** Quotes a name as browsers do in a form. */
function quoted(name: string): string {
  return name.replace(
    /["\r\n]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  )
}

function nameOf(source: UploadSource): string {
  if (source instanceof URL) return decodeURIComponent(source.pathname.split('/').at(-1) ?? '') || 'file'
  if (typeof source === 'string') return source.split(/[/\\]/).at(-1) || 'file'
  return source instanceof Blob && 'name' in source && typeof source.name === 'string' ? source.name : 'file'
}

/** Opens a file. A Blob can be sent again; the chunks of a long stream can be sent only once. */
async function open(source: UploadSource): Promise<Blob | AsyncIterable<Uint8Array>> {
  if (source instanceof Blob) return source
  if (source instanceof ArrayBuffer) return new Blob([source])
  if (ArrayBuffer.isView(source)) {
    // The cast: a Blob accepts shared memory too, although its declaration does not.
    return new Blob([new Uint8Array(source.buffer as ArrayBuffer, source.byteOffset, source.byteLength)])
  }
  if (typeof source === 'string' || source instanceof URL) return openPath(source)
  if (typeof source !== 'object' || source === null) throw invalidSource(source)
  if (source instanceof ReadableStream) return openChunks(iteratorOf<Uint8Array>(source))
  if (Symbol.asyncIterator in source) return openChunks(source[Symbol.asyncIterator]())
  throw invalidSource(source)
}

function invalidSource(source: unknown): TypeError {
  return new TypeError(`upload: data: expected a Blob, bytes, a stream or a path, received ${describe(source)}`)
}

/** Maximum size of a stream that is kept in memory, so that it can be sent again. */
const KEPT_BYTES_MAX = 8 * 1024 * 1024

async function openChunks(chunks: AsyncIterator<Uint8Array>): Promise<Blob | AsyncIterable<Uint8Array>> {
  const kept: Uint8Array<ArrayBuffer>[] = []
  for (let size = 0; size <= KEPT_BYTES_MAX; ) {
    const { done, value } = await chunks.next()
    if (done === true) return new Blob(kept)
    if (!ArrayBuffer.isView(value))
      throw new TypeError(`upload: data: expected a stream of bytes, received a chunk of ${typeof value}`)
    kept.push(value as Uint8Array<ArrayBuffer>)
    size += value.byteLength
  }
  const rest: AsyncIterable<Uint8Array> = { [Symbol.asyncIterator]: () => chunks }
  async function* all(): AsyncGenerator<Uint8Array> {
    yield* kept
    yield* rest
  }
  return all()
}

/** The part of Node's `fs` that uploads need. It is loaded only for a path, because other platforms lack it. */
interface FileSystem {
  readonly promises: { stat(path: string | URL): Promise<{ isFile(): boolean }> }
  openAsBlob(path: string | URL): Promise<Blob>
}

/** Opens a file as a Blob, which is read only when it is sent. */
async function openPath(path: string | URL): Promise<Blob> {
  const { process }: { process?: { getBuiltinModule?(name: string): FileSystem | undefined } } = globalThis
  const fs = process?.getBuiltinModule?.('node:fs')
  if (fs === undefined) throw new TypeError('upload: a path needs Node.js: pass a Blob instead')
  const stats = await fs.promises.stat(path).catch((cause) => {
    const { code, message }: { code: unknown; message: string } = cause
    const reason = code === 'ENOENT' ? 'no such file' : message
    throw Object.assign(new Error(`upload: ${String(path)}: ${reason}`, { cause }), { code })
  })
  if (!stats.isFile()) throw new TypeError(`upload: ${String(path)}: is not a file`)
  return fs.openAsBlob(path)
}

function streamOf(chunks: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next()
      if (done === true) controller.close()
      else controller.enqueue(value)
    },
    async cancel() {
      await chunks.return(undefined)
    },
  })
}
