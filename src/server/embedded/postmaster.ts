/** Finds the running server of a cluster by its lock file, starts it and stops it. */

import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync, readlinkSync, realpathSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { codeOf } from '../error-code.js'
import type { Account } from './account.js'
import type { Binaries } from './binaries.js'
import { HERE } from './cluster.js'

/** A server that runs on the cluster. Any process may have started it. */
export interface Postmaster {
  readonly pid: number
  /** The folder of its socket, as in its settings; relative to the cluster. */
  readonly socketFolder: string
  readonly isReady: boolean
}

/** The interval at which a starting or stopping server is checked. */
const POLL_MILLISECONDS = 5

/** The log of the server is emptied at this size. */
const LOG_BYTES_MAX = 10_000_000

/** Finds the server that runs on a cluster; null if the lock file is missing or a dead server left it. */
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

/** Whether a process is the server of this cluster: after a crash, another process may have its number. */
function isServing(pid: number, folder: string): boolean {
  if (!isAlive(pid)) return false
  if (HERE === null) return true
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(folder)
  } catch {
    return false
  }
}

/** Whether a process exists. A zombie, which its parent has not collected yet, does not count. */
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

/** Starts a server on the cluster and waits until it accepts connections; null if it ended before it was ready. */
export async function startPostmaster(
  { cluster: folder, binaries, account, socketFolder, connections }: PostmasterSetup,
  log: string,
): Promise<ChildProcess | null> {
  if ((statSync(log, { throwIfNoEntry: false })?.size ?? 0) > LOG_BYTES_MAX) truncateSync(log)
  const output = openSync(log, 'a', 0o600)
  const child = spawn(binaries.postgres, ['-D', HERE ?? folder, '-k', socketFolder, ...settings(connections)], {
    cwd: folder,
    env: { LC_ALL: 'C', PATH: '/usr/bin:/bin' },
    // In another process group, so that Ctrl-C reaches only this process. It stops the server after the last request.
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
    log_min_error_statement: 'panic', // a statement contains messages
    log_parameter_max_length_on_error: '0',
    timezone: 'UTC',
    log_timezone: 'UTC',
    cluster_name: 'blockmark',
  }
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

/**
 * Stops a server: `SIGINT` ends its sessions and writes its data out. A server that does not end is not killed, because
 * its files are safer that way; the next start waits for it. Returns whether it has ended.
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
