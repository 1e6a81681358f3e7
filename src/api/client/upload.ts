/** Uploads: the multipart body of a file from any source, opened again for each attempt if the source allows it. */

import { iteratorOf, notify } from '../../chunks.js'
import { describe } from '../../describe.js'
import type { Content } from './call.js'
import { check, checkFunction } from './errors.js'

/** A file to upload: a Blob or File, bytes, a stream, or (on Node.js) a path. */
export type UploadSource =
  | Blob
  | ArrayBuffer
  | ArrayBufferView
  | ReadableStream<Uint8Array>
  | AsyncIterable<Uint8Array>
  | URL
  | string

/** Called with the bytes that were sent and the bytes of the whole file, if they are known. Errors that it throws are ignored. */
export type OnProgress = (sentBytes: number, allBytes: number | null) => void

/** A file that is read in chunks. */
interface Pieces {
  /** Null if the size is unknown before the end. */
  readonly size: number | null
  open(): AsyncIterable<Uint8Array>
  readonly isOneShot: boolean
}

/** Makes the body of an upload. Throws TypeError if an argument is not valid. */
export async function contentOf(
  file: UploadSource | { data: UploadSource },
  { name, onProgress }: { readonly name?: string; readonly onProgress?: OnProgress },
): Promise<Content> {
  check(name === undefined || typeof name === 'string', 'upload: name', 'a string', name)
  checkFunction('upload: onProgress', onProgress)
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
  const encoder = new TextEncoder()
  async function* body({ size, open }: Pieces): AsyncGenerator<Uint8Array> {
    yield encoder.encode(head)
    let sent = 0
    for await (const chunk of open()) {
      yield chunk
      sent += chunk.byteLength
      notify(() => onProgress?.(sent, size))
    }
    yield encoder.encode(tail)
  }
  return { type, isOneShot: opened.isOneShot, open: () => streamOf(body(opened)) }
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

/** A shorter stream is kept in memory, so that it can be sent again. */
const KEPT_BYTES_MAX = 8 * 1024 * 1024

async function open(source: UploadSource): Promise<Blob | Pieces> {
  if (source instanceof Blob) return source
  if (source instanceof ArrayBuffer) return new Blob([source])
  if (ArrayBuffer.isView(source)) {
    // A Blob accepts shared memory too, which its declaration leaves out.
    return new Blob([new Uint8Array(source.buffer as ArrayBuffer, source.byteOffset, source.byteLength)])
  }
  if (typeof source === 'string' || source instanceof URL) return openPath(source)
  if (typeof source !== 'object' || source === null) throw noSource(source)
  if (source instanceof ReadableStream) return openChunks(iteratorOf<Uint8Array>(source))
  if (Symbol.asyncIterator in source) return openChunks(source[Symbol.asyncIterator]())
  throw noSource(source)
}

function noSource(source: unknown): TypeError {
  return new TypeError(`upload: data: expected a Blob, bytes, a stream or a path, received ${describe(source)}`)
}

async function openChunks(chunks: AsyncIterator<Uint8Array>): Promise<Blob | Pieces> {
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
  return { size: null, isOneShot: true, open: all }
}

/** The part of Node's `fs` that uploads need; it is looked up when needed, because other platforms lack it. */
interface FileSystem {
  readonly promises: { stat(path: string | URL): Promise<{ readonly size: number; isFile(): boolean }> }
  createReadStream(path: string | URL): AsyncIterable<Uint8Array>
}

async function openPath(path: string | URL): Promise<Pieces> {
  const { process }: { process?: { getBuiltinModule?(name: string): FileSystem | undefined } } = globalThis
  const fs = process?.getBuiltinModule?.('node:fs')
  if (fs === undefined) throw new TypeError('upload: a path needs Node.js: pass a Blob instead')
  const stats = await fs.promises.stat(path).catch((cause) => {
    const { code, message }: { code: unknown; message: string } = cause
    const reason = code === 'ENOENT' ? 'no such file' : message
    throw Object.assign(new Error(`upload: ${String(path)}: ${reason}`, { cause }), { code })
  })
  if (!stats.isFile()) throw new TypeError(`upload: ${String(path)}: is not a file`)
  return { size: stats.size, isOneShot: false, open: () => fs.createReadStream(path) }
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
