/** The cluster: the folder that PostgreSQL keeps its data in. */

import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { chmod, chown, mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Account } from './account.js'
import type { Binaries } from './binaries.js'
import { EmbeddedError } from './error.js'

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
 * or not at all.
 *
 * @param folder - the cluster's path
 * @param binaries - the programs that make it
 * @param account - who will own it
 * @throws {EmbeddedError} where initdb fails, or what is there belongs to another version of PostgreSQL
 */
export async function ensureCluster(folder: string, binaries: Binaries, account: Account): Promise<void> {
  if (!existsSync(join(folder, 'PG_VERSION'))) await makeCluster(folder, binaries, account)
  const found = readFileSync(join(folder, 'PG_VERSION'), 'utf8').trim()
  if (found !== binaries.major) {
    throw new EmbeddedError(
      `${folder} was written by PostgreSQL ${found}, this is ${binaries.major}: nothing was changed. ` +
        'Run `blockmark export FOLDER` with the version of blockmark that wrote it, then `blockmark import FOLDER` with this one and a new DATA',
    )
  }
}

async function makeCluster(folder: string, binaries: Binaries, account: Account): Promise<void> {
  const parent = dirname(folder)
  await mkdir(parent, { recursive: true, mode: 0o700 })
  await removeStale(parent, `${basename(folder)}.new-`)
  const unfinished = await mkdtemp(`${folder}.new-`)
  try {
    if (account.switches) {
      await chown(unfinished, account.uid, account.gid)
      // The data folder itself is searched by the account on its way to the cluster; nothing in it is open to others.
      await chmod(parent, ((await stat(parent)).mode | 0o011) & 0o7777)
    }
    await runInitdb(binaries, unfinished, account, [
      ...['--username', SUPERUSER, '--auth', 'trust', '--encoding', 'UTF8'],
      ...['--locale-provider', 'builtin', '--locale', 'C.UTF-8', '--no-instructions', '--no-sync'],
    ])
    // One sync at the end costs a fraction of what initdb's own do, and nothing was promised before.
    await runInitdb(binaries, unfinished, account, ['--sync-only'])
    await rename(unfinished, folder)
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true })
    // Another process was faster; its cluster is as good.
    if (existsSync(join(folder, 'PG_VERSION'))) return
    throw error
  }
}

async function removeStale(parent: string, prefix: string): Promise<void> {
  for (const name of await readdir(parent)) {
    if (!name.startsWith(prefix)) continue
    const path = join(parent, name)
    const { mtimeMs } = await stat(path)
    if (Date.now() - mtimeMs > STALE_MILLISECONDS) await rm(path, { recursive: true, force: true })
  }
}

async function runInitdb(binaries: Binaries, folder: string, account: Account, options: string[]): Promise<void> {
  const child = spawn(binaries.initdb, ['--pgdata', HERE ?? folder, ...options], {
    cwd: folder,
    env: { LC_ALL: 'C', PATH: '/usr/bin:/bin' },
    stdio: ['ignore', 'ignore', 'pipe'],
    ...(account.switches ? { uid: account.uid, gid: account.gid } : {}),
  })
  let complaint = ''
  child.stderr.on('data', (chunk) => {
    complaint += String(chunk)
  })
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  if (code !== 0)
    throw new EmbeddedError(`initdb failed: ${complaint.trim().split('\n').at(-1) ?? `exit code ${code}`}`)
}
