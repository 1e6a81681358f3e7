/**
 * The embedded PostgreSQL: a real server on a Unix socket that only its user can open. This program starts the server directly
 * and not by `pg_ctl`, which would leave the server to process 1. In a container, process 1 is this program, which does not
 * collect such processes.
 *
 * Each process that uses the server keeps one connection with a shared lock. If the server dies, the connection ends and
 * the process starts it again. If the process dies, the system ends its connection. The process that gets the lock alone
 * at its end is the last one, and stops the server.
 */

import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import * as fs from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Client } from 'pg'
import { ensureFolder, removeStale, syncFolder } from '../disk.js'
import { codeOf } from '../error-code.js'
import { loadDriver } from '../store/database.js'
import { type Account, findBinaries, packagedVersion } from './binaries.js'

export interface Embedded {
  /** The options of a client's connection. There is no password, because only the owner of the cluster can reach its socket. */
  readonly address: { readonly host: string; readonly port: number; readonly user: string; readonly database: string }
  /** Releases the server, and stops it if no other process uses it. */
  stop(): Promise<void>
}

/** On Linux, programs find the cluster by this link, even if their account may not traverse a folder above it. */
const CWD: string | null = process.platform === 'linux' ? '/proc/self/cwd' : null
/** Maximum time until a server starts or stops. After a crash, the old server's processes can hold the folder for seconds. */
const WAIT_MILLISECONDS = 10_000
const POLL_MILLISECONDS = 20
/** The first pause after a failed start. After each further one, the pause grows by this time. */
const PAUSE_MILLISECONDS = 100
/** The age from which the folder of a new cluster is removed: the process that created the cluster has died. */
const ABANDONED_MILLISECONDS = 3_600_000
/** The advisory lock that every process holds while it uses the server. Any number works. */
const LOCK = 7_260_148_210_338
/** `TZ` is set, because initdb would otherwise compare the machine's time zone with all known ones. */
const ENVIRONMENT: Readonly<Record<string, string>> = { LC_ALL: 'C', TZ: 'UTC', PATH: '/usr/bin:/bin' }

/** The server of a cluster. */
interface Server {
  readonly cluster: string
  readonly bin: string
  readonly account: Account
  readonly connectionsMax: number
  readonly address: Embedded['address']
  /** The server's process, if this process started it and it has not ended; otherwise null. */
  child: ChildProcess | null
}

/**
 * Starts PostgreSQL on a data folder, with a new cluster if the folder has none, or uses the server that runs there.
 *
 * @param connections - the connections that this process needs; a newly started server allows more than that
 * @throws {Error} if PostgreSQL cannot run, with the remedy
 */
export async function startEmbedded(data: string, connections = 0): Promise<Embedded> {
  const folder = resolve(data)
  const cluster = join(folder, 'postgres')
  ensureFolder(folder)
  await removeStale(folder, 'postgres.new-', ABANDONED_MILLISECONDS)
  const account = accountFor(cluster)
  const bin = await findBinaries(account, folder)
  if (!fs.existsSync(join(cluster, 'PG_VERSION'))) await createCluster(cluster, bin, account)
  requireVersion(cluster)
  // The path of a socket has at most 107 bytes, so Linux gets the short path of the open folder's link.
  const directoryDescriptor = CWD === null ? null : fs.openSync(cluster, 'r')
  const host = directoryDescriptor === null ? cluster : `/proc/self/fd/${directoryDescriptor}`
  const address = { host, port: 5432, user: 'blockmark', database: 'postgres' }
  // The server allows more connections than this process needs, because other processes and commands may use it too.
  const server: Server = { cluster, bin, account, connectionsMax: Math.max(60, connections + 30), address, child: null }
  const stopping = new AbortController()
  const { signal } = stopping
  // If this process ends before its server has started, the server stops too: it has no users.
  const abandon = (): void => void server.child?.kill('SIGINT')
  process.once('exit', abandon)
  let client: Client | null = await connect(server, signal).finally(() => process.off('exit', abandon))
  const watching = (async () => {
    while (!signal.aborted) {
      if (client !== null) await once(client, 'end', { signal }).catch(() => undefined)
      // A failed start is tried again after a pause, because its reason may pass, like a full disk. Requests get 503 meanwhile.
      if (!signal.aborted) client = await connect(server, signal).catch(() => sleep(PAUSE_MILLISECONDS, null))
    }
  })()
  return {
    address,
    async stop() {
      if (signal.aborted) return
      stopping.abort()
      await watching
      // A server that accepts no connections yet has no users.
      if (client === null ? server.child !== null : await isLast(client)) await stopServer(server)
      await client?.end()
      if (directoryDescriptor !== null) fs.closeSync(directoryDescriptor)
    },
  }
}

/**
 * Connects to the server and takes the shared lock. Starts the server if none runs. There are never two servers, because
 * PostgreSQL locks the folder. A starting server may take as long as it needs: after a crash it reads its log, which may be long.
 */
async function connect(server: Server, signal: AbortSignal): Promise<Client> {
  const { Client } = await loadDriver()
  const deadline = Date.now() + WAIT_MILLISECONDS
  let pause = 0
  for (;;) {
    const client = new Client({ ...server.address, connectionTimeoutMillis: WAIT_MILLISECONDS })
    client.on('error', () => undefined)
    try {
      await client.connect()
      // If another process is just stopping the server, this waits until the connection ends.
      await client.query('SELECT pg_advisory_lock_shared($1)', [LOCK])
      return client
    } catch (cause) {
      await client.end()
      const code = codeOf(cause)
      const isAbsent = ['ENOENT', 'ECONNREFUSED'].includes(code)
      // The SQLSTATE 57P03 means that a server is starting.
      const isStarting = code === '57P03' || (isAbsent && server.child !== null)
      if (signal.aborted || (!isStarting && Date.now() > deadline)) {
        throw new Error(`PostgreSQL does not start on ${server.cluster}: see ${server.cluster}.log`, { cause })
      }
      if (isAbsent && !isStarting) {
        await sleep(pause, undefined, { signal })
        startServer(server)
        pause += PAUSE_MILLISECONDS
      }
      await sleep(POLL_MILLISECONDS)
    }
  }
}

function startServer(server: Server): void {
  const { cluster, bin, account, connectionsMax } = server
  const settings = [
    `--unix_socket_directories=${CWD === null ? cluster : '.'}`,
    ...['--listen_addresses=', '--unix_socket_permissions=0700', `--max_connections=${connectionsMax}`],
    ...['--log_min_messages=warning', '--timezone=UTC', '--log_timezone=UTC', '--cluster_name=blockmark'],
    // Statements are not logged, because they contain messages.
    ...['--log_min_error_statement=panic', '--log_parameter_max_length_on_error=0'],
  ]
  const output = fs.openSync(`${cluster}.log`, 'a', 0o600)
  const child = spawn(join(bin, 'postgres'), ['-D', CWD ?? cluster, ...settings], {
    ...{ cwd: cluster, env: ENVIRONMENT, stdio: ['ignore', output, output], ...account },
    // The server has its own process group, so that Ctrl-C reaches only this process, which stops the server at its end.
    detached: true,
  })
  fs.closeSync(output)
  child.unref()
  server.child = child
  for (const event of ['error', 'exit']) child.once(event, () => (server.child = null))
}

/** Whether no other process uses the server. If so, no other process can start to use it before it stops. */
async function isLast(client: Client): Promise<boolean> {
  const query = 'SELECT pg_advisory_unlock_shared($1), pg_try_advisory_lock($1) AS "isLast"'
  const result = await client.query<{ isLast: boolean }>(query, [LOCK]).catch(() => null)
  return result?.rows[0]?.isLast === true
}

/** Stops the server: ends its sessions and writes the data to disk. A server that hangs is not killed, to protect its files. */
async function stopServer(server: Server): Promise<void> {
  const { child } = server
  // The lock file begins with the id of the server's process. If the next server has started, it contains another id.
  const readPid = async (): Promise<number> =>
    Number.parseInt(await fs.promises.readFile(join(server.cluster, 'postmaster.pid'), 'utf8'), 10)
  const pid = child?.pid ?? (await readPid())
  process.kill(pid, 'SIGINT')
  const isRunning = async (): Promise<boolean> =>
    child === null ? (await readPid().catch(() => null)) === pid : server.child !== null
  const deadline = Date.now() + WAIT_MILLISECONDS
  while ((await isRunning()) && Date.now() < deadline) await sleep(POLL_MILLISECONDS)
}

/** Creates the cluster in another folder and renames that folder, so that the cluster is complete as soon as it exists. */
async function createCluster(cluster: string, bin: string, account: Account): Promise<void> {
  const parent = dirname(cluster)
  const folder = fs.mkdtempSync(`${cluster}.new-`)
  const { uid, gid } = account
  if (uid !== undefined && gid !== undefined) {
    fs.chownSync(folder, uid, gid)
    // The account must traverse the data folder to reach the cluster. It gets the right to enter the folder, but not to list it.
    fs.chmodSync(parent, (fs.statSync(parent).mode | 0o011) & 0o7777)
  }
  const words =
    '--username blockmark --auth trust --encoding UTF8 --locale-provider builtin --locale C.UTF-8 --no-instructions'
  // One system call for all of the thousand files takes 50 ms; one call for each file takes a second.
  const sync = process.platform === 'linux' ? ['--sync-method', 'syncfs'] : []
  try {
    const options = { cwd: folder, env: ENVIRONMENT, ...account }
    await promisify(execFile)(join(bin, 'initdb'), ['-D', CWD ?? folder, ...words.split(' '), ...sync], options)
    fs.renameSync(folder, cluster)
    await syncFolder(parent)
  } catch (cause) {
    fs.rmSync(folder, { recursive: true, force: true })
    // If another process was faster, its cluster is used.
    if (fs.existsSync(join(cluster, 'PG_VERSION'))) return
    // The message contains the output of initdb, whose last line is usually about cleanup.
    const [, reason = String(cause)] = /\n(.*(?:error|fatal|could not|no space).*)/i.exec(String(cause)) ?? []
    throw new Error(`initdb failed: ${reason}`, { cause })
  }
}

function requireVersion(cluster: string): void {
  const version = fs.readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim()
  const major = packagedVersion().replace(/\..*/, '')
  if (version === major) return
  throw new Error(
    `${cluster} was written by PostgreSQL ${version}, this is ${major}: nothing was changed. Run \`blockmark-server export ` +
      'FOLDER` with the version that wrote it, then `blockmark-server import FOLDER` with this one and a new DATA',
  )
}

/** PostgreSQL does not run as root. For root, returns the owner of the cluster or of the data folder, or the user `nobody`. */
function accountFor(cluster: string): Account {
  if (process.geteuid?.() !== 0) return {}
  const users = fs
    .readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
  // initdb looks up the name of its user, so a user without a name cannot create a cluster.
  const ownerOf = (folder: string): string[] | undefined => {
    const owner = fs.statSync(folder, { throwIfNoEntry: false })?.uid || undefined
    return users.find(([, , uid]) => uid === String(owner))
  }
  const nobody = users.find(([name]) => name === 'nobody') ?? []
  const [, , uid = 65_534, gid = 65_534] = ownerOf(cluster) ?? ownerOf(dirname(cluster)) ?? nobody
  return { uid: Number(uid), gid: Number(gid) }
}
