/** Uploads: the multipart body of a file from any source. */

import { chunksOf } from '../../chunks.js'
import { describe } from '../../describe.js'
import { type Content, randomKey } from './call.js'
import { check } from './errors.js'
import type { UploadOptions, UploadSource } from './options.js'

/**
 * Creates the body of an upload.
 *
 * @param options - the file's name, and the signal that ends the reading of a stream
 * @throws {TypeError} if an argument is not valid
 */
export async function contentOf(
  file: UploadSource | { data: UploadSource },
  { name, signal }: UploadOptions,
): Promise<Content> {
  check(name === undefined || typeof name === 'string', 'upload: name', 'a string', name)
  const source =
    typeof file === 'object' && file !== null && 'data' in file && !(file instanceof Blob) ? file.data : file
  const boundary = `blockmark-${randomKey()}`
  const type = `multipart/form-data; boundary=${boundary}`
  // The name is quoted as browsers quote it in a form.
  const filename = (name ?? nameOf(source)).replace(/["\r\n]/g, encodeURIComponent)
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="data"; filename="${filename}"\r\nContent-Type: application/octet-stream\r\n\r\n`
  return { type, body: new Blob([head, await blobOf(source, signal), `\r\n--${boundary}--\r\n`]) }
}

function nameOf(source: UploadSource): string {
  if (source instanceof URL) return decodeURIComponent(source.pathname.split('/').at(-1) ?? '') || 'file'
  if (typeof source === 'string') return source.split(/[/\\]/).at(-1) || 'file'
  return source instanceof Blob && 'name' in source && typeof source.name === 'string' ? source.name : 'file'
}

/** Returns the file as a Blob, which can be sent again if the first attempt fails. */
async function blobOf(source: UploadSource, signal: AbortSignal | undefined): Promise<Blob> {
  if (source instanceof Blob) return source
  // The cast is safe: a Blob accepts shared memory too, although its declaration does not.
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return new Blob([source as ArrayBuffer])
  if (typeof source === 'string' || source instanceof URL) return blobOfPath(source)
  const isStream = typeof source === 'object' && source !== null
  if (isStream && (Symbol.asyncIterator in source || 'getReader' in source)) return blobOfStream(source, signal)
  throw new TypeError(`upload: data: expected a Blob, bytes, a stream or a path, received ${describe(source)}`)
}

async function blobOfStream(
  source: ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>,
  signal: AbortSignal | undefined,
): Promise<Blob> {
  const parts: Uint8Array<ArrayBuffer>[] = []
  for await (const chunk of chunksOf(source, signal)) {
    if (!ArrayBuffer.isView(chunk)) {
      throw new TypeError(`upload: data: expected a stream of bytes, received a chunk of ${typeof chunk}`)
    }
    parts.push(chunk as Uint8Array<ArrayBuffer>)
  }
  return new Blob(parts)
}

/** Opens a file as a Blob, which is read only when it is sent. */
async function blobOfPath(path: string | URL): Promise<Blob> {
  // The module is not imported, because other platforms lack `node:fs`. They may lack `process` and its method too.
  const fs = globalThis.process?.getBuiltinModule?.('node:fs')
  if (fs === undefined) throw new TypeError('upload: a path needs Node.js: pass a Blob instead')
  const stats = await fs.promises.stat(path).catch((cause) => {
    const { code, message }: { code: unknown; message: string } = cause
    const reason = code === 'ENOENT' ? 'no such file' : message
    throw Object.assign(new Error(`upload: ${String(path)}: ${reason}`, { cause }), { code })
  })
  if (!stats.isFile()) throw new TypeError(`upload: ${String(path)}: is not a file`)
  return fs.openAsBlob(path)
}
