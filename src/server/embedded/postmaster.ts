/** The running server of a cluster: found by its lock file, started, stopped. */

import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync, readlinkSync, realpathSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { codeOf } from '../error-code.js'
import type { Account } from './account.js'
import type { Binaries } from './binaries.js'
import { HERE } from './cluster.js'

/** A server that runs on the cluster, whoever started it. */
export interface Postmaster {
  readonly pid: number
  /** The folder of its socket, as it was told; relative to the cluster. */
  readonly socketFolder: string
  readonly isReady: boolean
}

/** How often a starting or stopping server is looked at. */
const POLL_MILLISECONDS = 5

/** The server's own messages start afresh at this size. */
const LOG_BYTES_MAX = 10_000_000

/** The server that runs on a cluster; null where the lock file is missing, or was left behind by one that is gone. */
export function findPostmaster(folder: string): Postmaster | null {
  const lines = readLock(folder)
  const pid = Number(lines[0])
  if (!Number.isSafeInteger(pid) || pid <= 1 || !isServing(pid, folder)) return null
  return { pid, socketFolder: lines[4] ?? '', isReady: lines[7]?.trim() === 'ready' }
}

function readLock(folder: string): string[] {
  try {
    return readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n')
  } catch {
    return []
  }
}

/** Whether a process is this cluster's server: after a crash its number may belong to a stranger, who is left alone. */
function isServing(pid: number, folder: string): boolean {
  if (!isAlive(pid)) return false
  if (HERE === null) return true
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(folder)
  } catch {
    return false
  }
}

/** Whether there is such a process; a zombie, which nobody has collected yet, does not count. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return HERE === null || !/^\d+ \(.*\) [ZX]/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}

/** The settings of a server that is started. */
export interface PostmasterSetup {
  readonly cluster: string
  readonly binaries: Binaries
  readonly account: Account
  readonly socketFolder: string
  readonly connections: number
}

/** Several processes may use one server, and commands run next to it. */
const CONNECTIONS_MIN = 60
const CONNECTIONS_OF_OTHERS = 30

/** Starts a server on the cluster and waits until it takes connections; null where it ended before it was ready. */
export async function startPostmaster(
  { cluster: folder, binaries, account, socketFolder, connections }: PostmasterSetup,
  log: string,
): Promise<ChildProcess | null> {
  if ((statSync(log, { throwIfNoEntry: false })?.size ?? 0) > LOG_BYTES_MAX) truncateSync(log)
  const output = openSync(log, 'a', 0o600)
  const child = spawn(binaries.postgres, ['-D', HERE ?? folder, '-k', socketFolder, ...settings(connections)], {
    cwd: folder,
    env: { LC_ALL: 'C', PATH: '/usr/bin:/bin' },
    // A group of its own: the terminal's Ctrl-C goes to us, and we stop it when the requests under way are done.
    detached: true,
    stdio: ['ignore', output, output],
    ...account.identity,
  })
  closeSync(output)
  let hasEnded = false
  const end = (): void => {
    hasEnded = true
  }
  child.once('error', end).once('exit', end)
  while (!hasEnded) {
    const found = findPostmaster(folder)
    if (found?.pid === child.pid && found?.isReady === true) return child
    await sleep(POLL_MILLISECONDS)
  }
  return null
}

function settings(connections: number): string[] {
  const values = {
    listen_addresses: '',
    unix_socket_permissions: '0700',
    max_connections: String(Math.max(CONNECTIONS_MIN, connections + CONNECTIONS_OF_OTHERS)),
    log_min_messages: 'warning',
    log_min_error_statement: 'panic', // a statement holds what people wrote
    log_parameter_max_length_on_error: '0',
    timezone: 'UTC',
    log_timezone: 'UTC',
    cluster_name: 'blockmark',
  }
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

/**
 * Stops a server: `SIGINT` ends its sessions and writes everything out. One that does not end is not killed, because
 * its files are safer so; the next start waits for it. Says whether it is gone.
 */
export async function stopPostmaster(pid: number, milliseconds: number): Promise<boolean> {
  const deadline = Date.now() + milliseconds
  if (isAlive(pid)) process.kill(pid, 'SIGINT')
  while (isAlive(pid)) {
    if (Date.now() > deadline) return false
    await sleep(POLL_MILLISECONDS)
  }
  return true
}
