/**
 * The embedded PostgreSQL: a real server on a Unix socket that only its user can open. It is found again after a crash,
 * restarted when it dies, and stopped with the last process that uses it. It is started directly and not by `pg_ctl`,
 * which would leave it to process 1. In a container, process 1 is this program, which does not collect such processes.
 */

import { execFile, spawn } from 'node:child_process'
import * as fs from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { ensureFolder, removeStale, syncFolder } from '../disk.js'
import { type Account, findBinaries, packageFolder } from './binaries.js'

export interface Embedded {
  /** The options of a client's connection. There is no password, because only the owner of the cluster can reach its socket. */
  readonly address: { readonly host: string; readonly port: number; readonly user: string; readonly database: string }
  readonly restarts: number
  /** Releases the server, and stops it if no other process uses it. */
  stop(): Promise<void>
}

/** On Linux, programs find the cluster by this link, even if their account may not pass a folder above it. */
const HERE: string | null = process.platform === 'linux' ? '/proc/self/cwd' : null
/** Maximum time of a start. After a crash, the old server or its zombie can hold the folder for seconds. */
const START_MILLISECONDS = 10_000
const POLL_MILLISECONDS = 10
/** The interval at which a running server is checked, and the pause after a failed start. */
const WATCH_MILLISECONDS = 100
const LOG_BYTES_MAX = 10_000_000
/** The age at which the folder of an unfinished initdb is removed. A younger initdb may still be running. */
const STALE_MILLISECONDS = 600_000
/** The maximum bytes of the path of a folder with a socket: its own name and a zero are added to it. */
const SOCKET_FOLDER_BYTES_MAX = (process.platform === 'linux' ? 107 : 103) - '/.s.PGSQL.5432'.length

/**
 * Starts PostgreSQL on a data folder, with a new cluster if the folder has none, or uses the server that runs there.
 *
 * @param connections - the connections that this process needs; a server that it starts allows more
 * @throws {Error} if PostgreSQL cannot run, with the remedy
 */
export async function startEmbedded(data: string, connections = 0): Promise<Embedded> {
  const cluster = join(resolve(data), 'postgres')
  ensureFolder(resolve(data))
  await removeStale(resolve(data), 'postgres.new-', STALE_MILLISECONDS)
  const account = accountFor(cluster)
  const bin = await findBinaries(account, resolve(data))
  if (!fs.existsSync(join(cluster, 'PG_VERSION'))) await createCluster(cluster, bin, account)
  requireVersion(cluster)
  const isShort = Buffer.byteLength(cluster) <= SOCKET_FOLDER_BYTES_MAX
  if (!isShort && HERE === null) throw new Error(`the path of ${cluster} is too long for a socket: shorten DATA`)
  const directory = HERE === null ? null : fs.openSync(cluster, 'r')
  // Registered first, so that no other process stops the server from now on.
  const leave = register(`${cluster}.users`)
  const stopping = new AbortController()
  const ensure = (): Promise<boolean> => ensureRunning({ cluster, bin, account, connections }, stopping.signal)
  await ensure().catch((error: unknown) => {
    leave()
    throw error
  })
  let restarts = 0
  const watching = (async () => {
    while (!stopping.signal.aborted) {
      await sleep(WATCH_MILLISECONDS, undefined, { ref: false, signal: stopping.signal }).catch(() => undefined)
      // A failed start is tried again, because its reason may pass, like a full disk. Requests get 503 meanwhile.
      if (!stopping.signal.aborted && (await ensure().catch(() => false))) restarts += 1
    }
  })()
  return {
    // The path through the link of the open folder is always short.
    address: {
      host: isShort ? cluster : `/proc/self/fd/${directory}`,
      ...{ port: 5432, user: 'blockmark', database: 'postgres' },
    },
    get restarts() {
      return restarts
    },
    async stop() {
      if (stopping.signal.aborted) return watching
      stopping.abort()
      // A restart in progress ends first, so that its server is stopped, too.
      await watching
      const pid = leave() ? postmasterOf(cluster)?.pid : undefined
      // `SIGINT` ends the sessions and writes the data to disk. A server that hangs is not killed, to protect its files.
      if (pid !== undefined) process.kill(pid, 'SIGINT')
      const deadline = Date.now() + START_MILLISECONDS
      while (pid !== undefined && isAlive(pid) && Date.now() < deadline) await sleep(POLL_MILLISECONDS)
      if (directory !== null) fs.closeSync(directory)
    },
  }
}

interface Setup {
  readonly cluster: string
  readonly bin: string
  readonly account: Account
  readonly connections: number
}

/** Waits for a server that accepts connections; returns whether this call started it. There are never two: PostgreSQL locks the folder. */
async function ensureRunning(setup: Setup, signal: AbortSignal): Promise<boolean> {
  const deadline = Date.now() + START_MILLISECONDS
  let own: { readonly hasEnded: boolean } | null = null
  while (Date.now() < deadline && !(signal.aborted && own === null)) {
    const found = postmasterOf(setup.cluster)
    if (found?.isReady === true) return own !== null
    if (own?.hasEnded === true) {
      own = null
      await sleep(WATCH_MILLISECONDS)
    } else if (found === null && own === null) own = startPostmaster(setup)
    await sleep(POLL_MILLISECONDS)
  }
  throw new Error(`PostgreSQL does not start on ${setup.cluster}: see ${setup.cluster}.log`)
}

function startPostmaster({ cluster, bin, account, connections }: Setup): { readonly hasEnded: boolean } {
  const settings = {
    listen_addresses: '',
    unix_socket_directories: HERE === null ? cluster : '.',
    unix_socket_permissions: '0700',
    // Several processes may use one server, and commands run next to it.
    max_connections: Math.max(60, connections + 30),
    ...{ log_min_messages: 'warning', timezone: 'UTC', log_timezone: 'UTC', cluster_name: 'blockmark' },
    // Statements are not logged, because they contain messages.
    ...{ log_min_error_statement: 'panic', log_parameter_max_length_on_error: 0 },
  }
  const log = `${cluster}.log`
  if ((fs.statSync(log, { throwIfNoEntry: false })?.size ?? 0) > LOG_BYTES_MAX) fs.truncateSync(log)
  const output = fs.openSync(log, 'a', 0o600)
  const words = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const child = spawn(join(bin, 'postgres'), ['-D', HERE ?? cluster, ...words], {
    ...{ cwd: cluster, env: ENVIRONMENT, stdio: ['ignore', output, output], ...account },
    // In another process group, so that Ctrl-C reaches only this process, which stops the server at its end.
    detached: true,
  })
  fs.closeSync(output)
  child.unref()
  const state = { hasEnded: false }
  for (const event of ['error', 'exit']) child.once(event, () => Object.assign(state, { hasEnded: true }))
  return state
}

/** With `TZ`, because initdb would otherwise compare the machine's time zone with all known ones. */
const ENVIRONMENT: Readonly<Record<string, string>> = { LC_ALL: 'C', TZ: 'UTC', PATH: '/usr/bin:/bin' }

/** Creates the cluster in a folder next to it and renames that, so that it is complete as soon as it exists. */
async function createCluster(cluster: string, bin: string, account: Account): Promise<void> {
  const parent = resolve(cluster, '..')
  const unfinished = fs.mkdtempSync(`${cluster}.new-`)
  const { uid, gid } = account
  if (uid !== undefined && gid !== undefined) {
    fs.chownSync(unfinished, uid, gid)
    // The account must pass the data folder on its way to the cluster. It can read nothing else there.
    fs.chmodSync(parent, (fs.statSync(parent).mode | 0o011) & 0o7777)
  }
  const words =
    '--username blockmark --auth trust --encoding UTF8 --locale-provider builtin --locale C.UTF-8 --no-instructions'
  // One system call for all of the thousand files takes 50 ms; one call for each file takes a second.
  const sync = process.platform === 'linux' ? ['--sync-method', 'syncfs'] : []
  try {
    const options = { cwd: unfinished, env: ENVIRONMENT, ...account }
    await promisify(execFile)(join(bin, 'initdb'), ['-D', HERE ?? unfinished, ...words.split(' '), ...sync], options)
    fs.renameSync(unfinished, cluster)
    await syncFolder(parent)
  } catch (error) {
    fs.rmSync(unfinished, { recursive: true, force: true })
    // If another process was faster, its cluster is used.
    if (fs.existsSync(join(cluster, 'PG_VERSION'))) return
    const lines = error instanceof Error && 'stderr' in error ? String(error.stderr).trim().split('\n') : []
    // The last line is usually about cleanup, so the first line about an error is preferred.
    const reason = lines.find((line) => /error|fatal|could not|no space/i.test(line)) ?? lines.at(-1)
    throw new Error(`initdb failed: ${reason || String(error)}`, { cause: error })
  }
}

function requireVersion(cluster: string): void {
  const found = fs.readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim()
  const { version }: { version: string } = JSON.parse(fs.readFileSync(join(packageFolder(), 'package.json'), 'utf8'))
  const [major = ''] = version.split('.')
  if (found === major) return
  throw new Error(
    `${cluster} was written by PostgreSQL ${found}, this is ${major}: nothing was changed. Run \`blockmark-server export ` +
      'FOLDER` with the version that wrote it, then `blockmark-server import FOLDER` with this one and a new DATA',
  )
}

/** PostgreSQL refuses to run as root: then it runs as the owner of the cluster or of the data folder, or as `nobody`. */
function accountFor(cluster: string): Account {
  if (process.geteuid?.() !== 0) return {}
  const passwd = fs.existsSync('/etc/passwd') ? fs.readFileSync('/etc/passwd', 'utf8').split('\n') : []
  const entries = passwd.map((line) => line.split(':'))
  for (const folder of [cluster, resolve(cluster, '..')]) {
    const owner = fs.statSync(folder, { throwIfNoEntry: false })
    // initdb looks up the name of its user, so a user without a name cannot create a cluster.
    const isKnown = entries.some(([, , uid]) => uid === String(owner?.uid))
    if (owner !== undefined && owner.uid !== 0 && isKnown) return { uid: owner.uid, gid: owner.gid }
  }
  const [, , uid = 65_534, gid = 65_534] = entries.find(([name]) => name === 'nobody') ?? []
  return { uid: Number(uid), gid: Number(gid) }
}

/** Finds the server of a cluster by its lock file; null if no server runs. A dead server may have left the file. */
export function postmasterOf(cluster: string): { readonly pid: number; readonly isReady: boolean } | null {
  const lock = join(cluster, 'postmaster.pid')
  try {
    const lines = fs.readFileSync(lock, 'utf8').split('\n')
    const pid = Number(lines[0])
    // After a crash, another process may have the same number, so its folder is compared.
    const isHere = HERE === null || fs.readlinkSync(`/proc/${pid}/cwd`) === fs.realpathSync(cluster)
    return pid > 1 && isHere && isAlive(pid) ? { pid, isReady: lines[7]?.trim() === 'ready' } : null
  } catch {
    return null
  }
}

/** Whether a process exists. A zombie, which its parent has not collected yet, does not count. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return HERE === null || !/^\d+ \(.*\) [ZX]/s.test(fs.readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

let count = 0

/**
 * Registers this process as a user of the cluster by a file with its number. Connections do not show this: an idle
 * process has none.
 *
 * @returns a function that ends the registration, and returns true if no other process is left
 */
function register(folder: string): () => boolean {
  count += 1
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
  const own = join(folder, `${process.pid}-${startOf(process.pid)}-${count}`)
  fs.writeFileSync(own, '')
  return () => {
    fs.rmSync(own, { force: true })
    return fs.readdirSync(folder).filter((name) => isInUse(join(folder, name), name)).length === 0
  }
}

/** Whether a registered process is still running; the file of a killed one is removed. */
function isInUse(path: string, name: string): boolean {
  const [pid, start] = name.split('-')
  const isThere = isAlive(Number(pid)) && startOf(Number(pid)) === start
  if (!isThere) fs.rmSync(path, { force: true })
  return isThere
}

/** Returns the start time of a process: its number alone may belong to another process by now. */
function startOf(pid: number): string {
  if (HERE === null) return '0'
  const stat = fs.existsSync(`/proc/${pid}/stat`) ? fs.readFileSync(`/proc/${pid}/stat`, 'utf8') : ''
  return stat.replace(/^.*\) /s, '').split(' ')[19] ?? ''
}
