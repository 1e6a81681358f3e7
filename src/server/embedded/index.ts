/**
 * The embedded PostgreSQL: a real server that this program starts by itself, on a Unix socket that only its own user can
 * open. It is found again after a crash, started again when it dies, and stopped with us.
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

/** What a client needs to connect. */
export interface SocketAddress {
  readonly host: string
  readonly port: number
  readonly user: string
  readonly database: string
}

/** A running PostgreSQL. */
export interface Embedded {
  readonly address: SocketAddress
  /** The server's process now; another one after a restart. */
  readonly pid: number
  /** How often it was started again. */
  readonly restarts: number
  /** Whether the server was already running: an orphan of a crash, or another command's. */
  readonly wasRunning: boolean
  /** Lets go of the server, and stops it where nobody else uses it. */
  stop(): Promise<void>
}

/** After a crash the old server, or its zombie, can hold the folder for seconds. */
const START_MILLISECONDS = 10_000

/** How often a server that is not our child is looked at, and how long a failed restart waits. */
const WATCH_MILLISECONDS = 100

/** The bytes that a socket's path has room for (`sun_path`, less the zero at its end): 103 on macOS and the BSDs. */
const SOCKET_PATH_BYTES_MAX = process.platform === 'linux' ? 107 : 103
const SOCKET_NAME = '/.s.PGSQL.5432'

interface Setup extends PostmasterSetup {
  readonly folder: string
}

/**
 * Starts PostgreSQL on a data folder, makes its cluster where there is none, or takes over the one that runs. Throws
 * EmbeddedError where it can not run, with what to do.
 */
export async function startEmbedded(dataFolder: string, connections = 0): Promise<Embedded> {
  const setup = { ...(await prepare(resolve(dataFolder))), connections }
  // Before the server is looked for: whoever stops it from now on knows that it is needed.
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
      // A server that is just being started again is there first, and is then stopped as every other.
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

/** The cluster itself, which only its owner can enter; where its path is too long, a private folder with a short one. */
async function socketFolderFor(cluster: string, account: Account): Promise<string> {
  if (HERE !== null) return '.'
  if (hasRoomForSocket(cluster)) return cluster
  const short = mkdtempSync(join('/tmp', 'blockmark-'))
  if (account.switches) await chown(short, account.uid, account.gid)
  return short
}

function addressOf(setup: Setup, server: Running, directory: number | null): string {
  if (directory === null) return server.socketFolder
  // Through the open folder's link the path is short, however long the folder's own is.
  return hasRoomForSocket(setup.cluster) ? setup.cluster : `/proc/self/fd/${directory}`
}

/** Whether a socket's path in a folder is no longer than the system takes. */
export function hasRoomForSocket(folder: string, bytesMax: number = SOCKET_PATH_BYTES_MAX): boolean {
  return Buffer.byteLength(folder + SOCKET_NAME) <= bytesMax
}

interface Running {
  readonly pid: number
  readonly socketFolder: string
  /** Null where another process started it. */
  readonly child: ChildProcess | null
}

/** Adopts the running server or starts one; never two, because a second one finds the first one's lock file. */
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

/** Starts the server again whenever it has died, until it is to stop. */
async function supervise(state: Supervision): Promise<void> {
  const { signal } = state.stopping
  while (!signal.aborted) {
    await ended(state)
    if (signal.aborted) return
    try {
      state.server = await ensureRunning(state.setup, signal)
      state.restarts += 1
    } catch {
      // Requests meanwhile answer 503; what keeps it from starting may pass (a full disk).
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

/** Waits without keeping the process alive, and not at all once it is to stop. */
async function pause(signal: AbortSignal): Promise<void> {
  await sleep(WATCH_MILLISECONDS, undefined, { ref: false, signal }).catch(() => undefined)
}
