/** The data folder, made when it is missing. */

import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'

/**
 * Makes a folder and those above it, one at a time: Node's own way to make several never ends where the system calls a
 * folder missing that can not be made (below `/proc`).
 *
 * @param path - the folder
 */
export async function ensureFolder(path: string): Promise<void> {
  const missing: string[] = []
  for (let folder = resolve(path); !existsSync(folder); folder = dirname(folder)) missing.unshift(folder)
  for (const folder of missing) {
    await mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
      // Another process was faster.
      if (error.code !== 'EEXIST') throw error
    })
  }
}
