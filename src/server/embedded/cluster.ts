/** The cluster: the folder that PostgreSQL keeps its data in. */

import { spawn } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Account } from './account.js'
import type { Binaries } from './binaries.js'

/** The superuser's name, which is all it takes: only the cluster's owner reaches its socket. */
export const SUPERUSER = 'blockmark'

/**
 * On Linux programs are started inside the cluster and find it through this link, which leads there even where a folder
 * above it (`/root`) is closed to the account they run as.
 */
export const HERE: string | null = process.platform === 'linux' ? '/proc/self/cwd' : null

/** What is left of an initdb that was killed is removed once it is this old; a younger one may still be at work. */
const STALE_MILLISECONDS = 600_000

/**
 * Makes the cluster where there is none. It is made in a folder beside it and renamed, so that a cluster is there whole
 * or not at all. Throws where initdb fails, or what is there belongs to another version of PostgreSQL.
 */
export async function ensureCluster(folder: string, binaries: Binaries, account: Account): Promise<void> {
  mkdirSync(dirname(folder), { recursive: true, mode: 0o700 })
  removeStale(dirname(folder), `${basename(folder)}.new-`)
  if (!existsSync(join(folder, 'PG_VERSION'))) await makeCluster(folder, binaries, account)
  const found = readFileSync(join(folder, 'PG_VERSION'), 'utf8').trim()
  if (found !== binaries.major) {
    throw new Error(
      `${folder} was written by PostgreSQL ${found}, this is ${binaries.major}: nothing was changed. ` +
        'Run `blockmark-server export FOLDER` with the version that wrote it, then `blockmark-server import FOLDER` with this one and a new DATA',
    )
  }
}

async function makeCluster(folder: string, binaries: Binaries, account: Account): Promise<void> {
  // All of this is done at once, so that initdb is at work before anything else is.
  const parent = dirname(folder)
  const unfinished = mkdtempSync(`${folder}.new-`)
  try {
    if (account.switches) {
      chownSync(unfinished, account.uid, account.gid)
      // The data folder itself is searched by the account on its way to the cluster; nothing in it is open to others.
      chmodSync(parent, (statSync(parent).mode | 0o011) & 0o7777)
    }
    await runInitdb(binaries, unfinished, account, [
      ...['--username', SUPERUSER, '--auth', 'trust', '--encoding', 'UTF8'],
      ...['--locale-provider', 'builtin', '--locale', 'C.UTF-8', '--no-instructions', ...SYNC_AT_ONCE],
    ])
    renameSync(unfinished, folder)
    syncFolder(parent)
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true })
    // Another process was faster; its cluster is as good.
    if (existsSync(join(folder, 'PG_VERSION'))) return
    throw error
  }
}

function removeStale(parent: string, prefix: string): void {
  for (const name of readdirSync(parent)) {
    if (!name.startsWith(prefix)) continue
    const path = join(parent, name)
    // Another process may be done with it at this moment: then it has no age.
    const age = Date.now() - Number(statSync(path, { throwIfNoEntry: false })?.mtimeMs)
    if (age > STALE_MILLISECONDS) rmSync(path, { recursive: true, force: true })
  }
}

/** The new name is durable only when its folder is. */
function syncFolder(path: string): void {
  const folder = openSync(path, 'r')
  fsyncSync(folder)
  closeSync(folder)
}

/** One call of the system for all of the thousand files takes fifty milliseconds, one for each a second. */
const SYNC_AT_ONCE: readonly string[] = process.platform === 'linux' ? ['--sync-method', 'syncfs'] : []

async function runInitdb(binaries: Binaries, folder: string, account: Account, options: string[]): Promise<void> {
  const child = spawn(binaries.initdb, ['--pgdata', HERE ?? folder, ...options], {
    cwd: folder,
    // Without a time zone it compares the machine's with all that it knows; the server is told its own.
    env: { LC_ALL: 'C', TZ: 'UTC', PATH: '/usr/bin:/bin' },
    stdio: ['ignore', 'ignore', 'pipe'],
    ...account.identity,
  })
  let complaint = ''
  child.stderr.on('data', (chunk) => {
    complaint += String(chunk)
  })
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  if (code === 0) return
  const lines = complaint.trim().split('\n')
  // The last thing that it says is mostly that it tidies up.
  const reason = lines.find((line) => /error|fatal|could not|no space/i.test(line)) ?? lines.at(-1)
  throw new Error(`initdb failed: ${reason || `exit code ${code}`}`)
}
