/** File data in a folder: `<organization>/<first two digits of the hash>/<hash>`, and `incoming` for uploads in progress. */

import { createHash, randomUUID } from 'node:crypto'
import { mkdir, open, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { StoreError } from '../../api/store/store.js'
import { flush, removeStale, requireSpace, syncFolder } from '../disk.js'
import { codeOf } from '../error-code.js'
import type { ByteRange, ContentStorage } from './storage.js'

/** The age from which a temporary file is removed, because its process died. */
export const STALE_MILLISECONDS: number = 24 * 60 * 60 * 1000

/** Opens a storage in a folder. Reading creates no folders. */
export async function createFolderStorage(folder: string, use: 'write' | 'read' = 'write'): Promise<ContentStorage> {
  const incoming = join(folder, 'incoming')
  if (use === 'write') {
    await mkdir(incoming, { recursive: true, mode: 0o700 })
    await removeStale(incoming, '', STALE_MILLISECONDS)
  }
  const pathOf = (organization: string, hash: string): string => join(folder, organization, hash.slice(0, 2), hash)
  return {
    async receive(organization, source) {
      const path = join(incoming, randomUUID())
      const { hash, size } = await spool(path, source)
      const keep = (): Promise<void> => moveDurably(path, pathOf(organization, hash))
      return { hash, size, keep, discard: () => rm(path, { force: true }) }
    },
    open: async (organization, hash, range) => openFile(pathOf(organization, hash), range),
    remove: (organization, hash) => rm(pathOf(organization, hash), { force: true }),
    async ready() {
      await requireSpace(folder)
      const path = join(incoming, randomUUID())
      await writeFile(path, 'ready', { flag: 'wx' }).catch(throwStoreError)
      await rm(path, { force: true })
    },
  }
}

/** Writes data to a new file, chunk by chunk, and flushes it to the disk. Returns the SHA-256 in hexadecimal, and the size. */
export async function spool(
  path: string,
  source: AsyncIterable<Uint8Array>,
): Promise<{ readonly hash: string; readonly size: number }> {
  const file = await open(path, 'wx', 0o600).catch(throwStoreError)
  const hash = createHash('sha256')
  let size = 0
  try {
    for await (const chunk of source) {
      hash.update(chunk)
      size += chunk.byteLength
      // `writeFile` of a handle writes at the current position, so each call appends its chunk.
      await file.writeFile(chunk).catch(throwStoreError)
    }
    await flush(file).catch(throwStoreError)
    await file.close()
    return { hash: hash.digest('hex'), size }
  } catch (error) {
    await file.close().catch(() => undefined)
    await rm(path, { force: true })
    throw error
  }
}

/** Moves a file and makes its name durable: also flushes its folder, and the parents of all new folders. */
async function moveDurably(from: string, to: string): Promise<void> {
  try {
    const top = await mkdir(dirname(to), { recursive: true, mode: 0o700 })
    await rename(from, to)
    await syncFolder(dirname(to))
    if (top === undefined) return
    for (let folder = dirname(to); folder !== dirname(top); folder = dirname(folder)) await syncFolder(dirname(folder))
  } catch (error) {
    // An earlier call may have moved the file already.
    if (codeOf(error) === 'ENOENT' && (await stat(to).catch(() => null)) !== null) return
    throwStoreError(error)
  }
}

async function openFile(path: string, range: ByteRange | null): Promise<ReadableStream<Uint8Array>> {
  // The file is opened before the response begins, so that a missing file is an error and not a broken response.
  const handle = await open(path, 'r').catch(throwStoreError)
  // The cast is safe: Node's two declarations of the stream differ in a detail that is not used here.
  return Readable.toWeb(handle.createReadStream(range ?? {})) as ReadableStream<Uint8Array>
}

function throwStoreError(error: unknown): never {
  const isFull = ['ENOSPC', 'EDQUOT'].includes(codeOf(error))
  throw new StoreError(isFull ? 'full' : 'unavailable', error)
}
