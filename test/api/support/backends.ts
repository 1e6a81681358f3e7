/** The databases of the tests: the embedded one, one by a connection string, one through PgBouncer, and Citus. */

import { execFile, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg, { type PoolConfig } from 'pg'
import { afterAll, inject, onTestFinished } from 'vitest'
import { isDistributed } from '../../../src/server/store/breakers.js'
import { type Database, openDatabase } from '../../../src/server/store/database.js'
import { migrate } from '../../../src/server/store/migrate.js'
import { isThorough } from '../../amount.js'
import { recipe, startCitus } from './citus.js'
import { isDebianInstalled, startDebian, unprivilegedAccount } from './debian.js'
import { citusPrograms, programOf, retrying } from './programs.js'

export interface OpenBackend {
  readonly database: Database
  readonly connection: PoolConfig
  close(): Promise<void>
}

export interface TestBackend {
  readonly name: string
  /** The reason why the database cannot be tested on this machine; null if it can. */
  readonly missing: string | null
  open(): Promise<OpenBackend>
}

const environment: { DATABASE_URL?: string } = process.env
const PGBOUNCER = programOf('pgbouncer', 'PGBOUNCER')

/** The reason why the other databases are skipped by default: most people use the embedded one, and all must behave alike. */
const unlessThorough = isThorough ? null : 'where CI is set'

export const backends: readonly TestBackend[] = [
  { name: 'embedded PostgreSQL', missing: null, open: openEmbedded },
  {
    name: 'PgBouncer',
    missing: PGBOUNCER === null ? 'no pgbouncer on PATH, no PGBOUNCER' : unlessThorough,
    open: openBouncer,
  },
  { name: 'DATABASE_URL', missing: missingUrl(), open: openUrl },
  { name: 'Citus', missing: citusPrograms() === null ? 'no Citus, no CITUS_PROGRAMS' : null, open: openCitus },
]

function missingUrl(): string | null {
  if (environment.DATABASE_URL !== undefined) return null
  return isDebianInstalled ? unlessThorough : 'no DATABASE_URL, no PostgreSQL, no POSTGRES_PROGRAMS'
}

/** Opens a database and creates the tables if they do not exist. `stop` ends its server. */
async function connect(connection: PoolConfig, stop: () => Promise<unknown>): Promise<OpenBackend> {
  const database = await openDatabase({ connection, areStatementsNamed: false, connectionsMax: 8, isPatient: true })
  await migrate(database)
  return {
    ...{ database, connection },
    async close() {
      await database.close()
      await stop()
    },
  }
}

/** Creates a folder, which the caller removes. */
export async function temporaryFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'blockmark-test-'))
}

/** Creates a folder that is removed after the running test. */
export async function testFolder(): Promise<string> {
  const folder = await temporaryFolder()
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** Creates a folder for all tests of a file, or of a group. */
export function sharedFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'blockmark-test-'))
  afterAll(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** Opens a database, and creates a folder, for all tests of the file. */
export async function sharedBackend(): Promise<{ readonly backend: OpenBackend; readonly folder: string }> {
  const folder = sharedFolder()
  const backend = await openEmbedded()
  afterAll(() => backend.close())
  return { backend, folder }
}

/** Creates a data folder with a cluster, which the caller removes. */
export async function dataFolder(path?: string): Promise<string> {
  const folder = path ?? (await temporaryFolder())
  await mkdir(folder, { recursive: true })
  // The folder is copied by `cp`, because Node's own copy does not keep the owners.
  await promisify(execFile)('cp', ['-a', `${inject('cluster')}/.`, folder])
  return folder
}

/** Opens a new database of the server that all tests share. */
export async function openEmbedded(): Promise<OpenBackend> {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const all = new pg.Client({ ...inject('server') })
  await all.connect()
  await all.query(`CREATE DATABASE ${name} TEMPLATE migrated STRATEGY file_copy`)
  const connection = { ...inject('server'), database: name }
  const database = await openDatabase({ connection, areStatementsNamed: true, connectionsMax: 8, isPatient: true })
  return {
    database,
    connection,
    async close() {
      await database.close()
      await all.query(`DROP DATABASE ${name} WITH (FORCE)`)
      await all.end()
    },
  }
}

async function openBouncer(): Promise<OpenBackend> {
  const embedded = await openEmbedded()
  const { host, port: serverPort, user, database: name } = embedded.connection
  const folder = await temporaryFolder()
  await chmod(folder, 0o711)
  const port = await freePort()
  await writeFile(
    join(folder, 'pgbouncer.ini'),
    `[databases]
postgres = host=${host} port=${serverPort} user=${user} dbname=${name}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 4
max_client_conn = 100
`,
    { mode: 0o644 },
  )
  const bouncer = spawn(PGBOUNCER ?? '', ['-q', join(folder, 'pgbouncer.ini')], {
    stdio: 'ignore',
    ...unprivilegedAccount(),
  })
  const connection = { host: '127.0.0.1', port, user, database: 'postgres' }
  return retrying(() =>
    connect(connection, async () => {
      bouncer.kill('SIGKILL')
      await embedded.close()
      await rm(folder, { recursive: true, force: true })
    }),
  )
}

async function openUrl(): Promise<OpenBackend> {
  const url = environment.DATABASE_URL
  if (url === undefined) return openDebian()
  return connect({ connectionString: url }, async () => undefined)
}

/** Opens a coordinator with two workers, with the tables distributed as the server's README says. */
async function openCitus(): Promise<OpenBackend> {
  const folder = await temporaryFolder()
  const cluster = await startCitus(folder, [await freePort(), await freePort(), await freePort()])
  const backend = await connect({ connectionString: cluster.url }, async () => {
    await cluster.stop()
    await rm(folder, { recursive: true, force: true })
  })
  await distributeTables(backend.database)
  return backend
}

/** Runs the commands with which the server's README distributes the tables. */
export async function distributeTables(database: Database): Promise<void> {
  for (const statement of (await recipe('sql', 'create_distributed_table')).split(';')) {
    if (statement.trim() !== '') await database.run(statement)
  }
}

/** Opens Debian's own server by a connection string. */
async function openDebian(): Promise<OpenBackend> {
  const folder = await temporaryFolder()
  const server = await startDebian(folder, await freePort())
  return connect({ connectionString: server.url }, async () => {
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  })
}

/** Finds a free port. Outgoing connections get only higher ports, so it stays free until it is used. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 10_000 + Math.floor(Math.random() * 20_000)
    const server = createServer().listen(port, '127.0.0.1')
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    )
    server.close()
    if (isFree) return port
  }
}

/** Waits until some statement is blocked by the lock of another transaction. */
export async function untilLocked(database: Database): Promise<void> {
  const waiting = (await isDistributed(database.run))
    ? 'SELECT FROM citus_lock_waits'
    : `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`
  while ((await database.run(waiting)).count === 0) await sleep(5)
}
