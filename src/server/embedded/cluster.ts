/** The cluster: the folder with PostgreSQL's data. */

import { type ExecFileException, execFile } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { syncFolder } from '../disk.js'
import type { Account } from './account.js'
import type { Binaries } from './binaries.js'

/** The superuser's name. There is no password, because only the owner of the cluster can reach its socket. */
export const SUPERUSER = 'blockmark'

/**
 * On Linux, programs start inside the cluster and find it through this link. It works even if their account may not pass
 * a folder above the cluster, for example `/root`.
 */
export const HERE: string | null = process.platform === 'linux' ? '/proc/self/cwd' : null

/** The age at which the folder of an unfinished initdb is removed. A younger initdb may still be running. */
const STALE_MILLISECONDS = 600_000

/**
 * Creates the cluster if it does not exist. It is created in a folder next to it and renamed, so it is complete as soon as
 * it exists. Throws if initdb fails, or if another version of PostgreSQL wrote the cluster.
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
  // Synchronous, so that initdb starts first.
  const parent = dirname(folder)
  const unfinished = mkdtempSync(`${folder}.new-`)
  try {
    if (account.switches) {
      chownSync(unfinished, account.uid, account.gid)
      // The account must pass the data folder on its way to the cluster. It can read nothing else there.
      chmodSync(parent, (statSync(parent).mode | 0o011) & 0o7777)
    }
    await runInitdb(binaries, unfinished, account, [
      ...['--username', SUPERUSER, '--auth', 'trust', '--encoding', 'UTF8'],
      ...['--locale-provider', 'builtin', '--locale', 'C.UTF-8', '--no-instructions', ...SYNC_AT_ONCE],
    ])
    renameSync(unfinished, folder)
    await syncFolder(parent)
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true })
    // Another process may have been faster; its cluster is as good.
    if (existsSync(join(folder, 'PG_VERSION'))) return
    throw error
  }
}

function removeStale(parent: string, prefix: string): void {
  for (const name of readdirSync(parent)) {
    if (!name.startsWith(prefix)) continue
    const path = join(parent, name)
    // Another process may rename the folder at this moment: then it has no age.
    const age = Date.now() - Number(statSync(path, { throwIfNoEntry: false })?.mtimeMs)
    if (age > STALE_MILLISECONDS) rmSync(path, { recursive: true, force: true })
  }
}

/** One system call for all of the thousand files takes 50 ms; one call for each file takes a second. */
const SYNC_AT_ONCE: readonly string[] = process.platform === 'linux' ? ['--sync-method', 'syncfs'] : []

async function runInitdb(binaries: Binaries, folder: string, account: Account, options: string[]): Promise<void> {
  const running = promisify(execFile)(binaries.initdb, ['--pgdata', HERE ?? folder, ...options], {
    cwd: folder,
    // Without this setting, initdb compares the machine's time zone with all known ones. The server has its own setting.
    env: { LC_ALL: 'C', TZ: 'UTC', PATH: '/usr/bin:/bin' },
    ...account.identity,
  })
  await running.catch((error: ExecFileException) => {
    const { code, stderr } = error
    // It could not be started.
    if (typeof code === 'string') throw error
    const lines = (stderr ?? '').trim().split('\n')
    // The last line usually says that it cleans up.
    const reason = lines.find((line) => /error|fatal|could not|no space/i.test(line)) ?? lines.at(-1)
    throw new Error(`initdb failed: ${reason || `exit code ${code}`}`)
  })
}
