/** The processes that use a cluster: each has a file with its number, so that the last one stops the server. */

import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isAlive } from './postmaster.js'

let count = 0

/**
 * Registers this process as a user of a cluster. Connections would not show this: an idle server has none.
 *
 * @returns the function that ends this, and returns whether no other process is left
 */
export function register(folder: string): () => boolean {
  count += 1
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const own = join(folder, `${process.pid}-${startOf(process.pid)}-${count}`)
  writeFileSync(own, '')
  return () => {
    rmSync(own, { force: true })
    return readdirSync(folder).filter((name) => isInUse(join(folder, name), name)).length === 0
  }
}

/** Whether a process is still running; the file of a killed one is removed. */
function isInUse(path: string, name: string): boolean {
  const [pid, start] = name.split('-')
  const isThere = isAlive(Number(pid)) && startOf(Number(pid)) === start
  if (!isThere) rmSync(path, { force: true })
  return isThere
}

/** The start time of a process, in the units of the system: by now its process id may belong to another process. */
function startOf(pid: number): string {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    return fields[19] ?? ''
  } catch {
    return '0'
  }
}
