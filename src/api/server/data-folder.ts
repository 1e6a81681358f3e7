/** The data folder, made when it is missing. */

import { existsSync, mkdirSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/**
 * Makes a folder and those above it, one at a time: Node's own way to make several never ends where the system calls a
 * folder missing that can not be made (below `/proc`).
 *
 * @param path - the folder
 */
export function ensureFolder(path: string): void {
  const missing: string[] = []
  for (let folder = resolve(path); !existsSync(folder); folder = dirname(folder)) missing.unshift(folder)
  for (const folder of missing) {
    try {
      mkdirSync(folder, { mode: 0o700 })
    } catch (error) {
      // Where it is there by now, another process was faster.
      if (!existsSync(folder)) throw error
    }
  }
}
