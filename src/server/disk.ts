/** The disk with the data: its folders, and its free space. */

import { existsSync, fsync, mkdirSync } from 'node:fs'
import { type FileHandle, open, readdir, rm, stat, statfs } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { StoreError } from '../api/store/store.js'

/** The minimum of free bytes. PostgreSQL allocates 16 MB at a time for its log alone, and stops if it cannot. */
const FREE_BYTES_MIN = 64_000_000

/** Checks that the disk of a folder has enough free space. Throws StoreError `full`. */
export async function requireSpace(folder: string): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  if (bavail * bsize < FREE_BYTES_MIN) throw new StoreError('full')
}

/**
 * Creates a folder and its parents, one at a time: Node's recursive `mkdir` never ends if the system reports a folder as
 * missing that cannot be created (below `/proc`).
 */
export function ensureFolder(path: string): void {
  const missingFolders: string[] = []
  for (let folder = resolve(path); !existsSync(folder); folder = dirname(folder)) missingFolders.unshift(folder)
  for (const folder of missingFolders) {
    try {
      mkdirSync(folder, { mode: 0o700 })
    } catch (error) {
      // If the folder exists now, another process was faster.
      if (!existsSync(folder)) throw error
    }
  }
}

/**
 * Removes files and folders of at least the given age, which processes that died have left in a folder. Only names with
 * the prefix are removed, because the folder may be shared.
 */
export async function removeStale(folder: string, prefix: string, milliseconds: number): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith(prefix)) continue
    const path = join(folder, name)
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }))
    if (Date.now() - mtimeMs > milliseconds) await rm(path, { recursive: true, force: true }).catch(() => undefined)
  }
}

/** Flushes an open file to the disk by its descriptor: the handles that Yarn puts in place of Node's have no `sync`. */
export function flush(file: FileHandle): Promise<void> {
  return promisify(fsync)(file.fd)
}

/** Flushes a folder to the disk, so that new files in it are durable: the folder contains their names. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await flush(handle)
  } finally {
    await handle.close()
  }
}
