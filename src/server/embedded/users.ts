/** Who uses a cluster: every process keeps a file that names it, so that the last one to go stops the server. */

import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isAlive } from './postmaster.js'

let count = 0

/**
 * Says that this process uses a cluster. Connections would not tell: a server that is idle has none. What it gives
 * takes it back, and says whether nobody else is left.
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

/** Removes what a process left that was killed. */
function isInUse(path: string, name: string): boolean {
  const [pid, start] = name.split('-')
  const isThere = isAlive(Number(pid)) && startOf(Number(pid)) === start
  if (!isThere) rmSync(path, { force: true })
  return isThere
}

/** When a process began, in the system's own count: its number alone may be another's by now. */
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
