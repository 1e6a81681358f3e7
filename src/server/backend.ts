/** Opens the database and the storage of files, for a server and for the operator's commands. */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { StoreError } from '../api/store/store.js'
import { type Config, ConfigError } from './config.js'
import { ensureFolder, requireSpace } from './disk.js'
import { startEmbedded } from './embedded/index.js'
import { codeOf } from './error-code.js'
import type { ContentStorage } from './files/storage.js'
import { connectionOf } from './store/connection.js'
import { type Database, loadDriver, openDatabase, type Run } from './store/database.js'
import { migrate, migrations, versionOf } from './store/migrate.js'

export interface Backend {
  /** The connections of the operator, migrations and cleanup: their statements may take as long as they need. */
  readonly database: Database
  /** The connections of requests: at most DATABASE_CONNECTIONS, with time limits for statements. */
  readonly requests: Database
  /** A separate connection for the check whether the database is ready, so that waiting requests do not delay it. */
  readonly probe: Database
  readonly contents: ContentStorage
  /** The version of the schema before this process opened the database; 0 if the database was empty. */
  readonly schemaBefore: number
  /** Closes all connections. The embedded PostgreSQL keeps running if another process uses it. */
  close(): Promise<void>
}

/** The settings of a backend. */
export type BackendConfig = Pick<Config, 'data' | 'databaseUrl' | 'connections' | 'files'>

/**
 * How a database is opened. `create` creates or upgrades it if necessary, `open` requires a database of this version,
 * and `inspect` accepts any existing database and changes nothing.
 */
export type Access = 'create' | 'open' | 'inspect'

/** Opens the database and the storage of files. Throws ConfigError, with the name of the setting, if one cannot be used. */
export async function openBackend(config: BackendConfig, access: Access = 'create'): Promise<Backend> {
  const { data, databaseUrl, connections } = config
  const variable = databaseUrl === null ? 'DATA' : 'DATABASE_URL'
  if (access !== 'create') requireCluster(config)
  const storage = await withSettingName(config.files === null ? 'DATA' : 'FILES', () => openContents(config, access))
  // The driver is loaded at the same time as the programs of PostgreSQL are found and a new data folder gets its cluster.
  const [embedded] = await withSettingName(variable, () =>
    Promise.all([databaseUrl === null ? startEmbedded(data, connections + RESERVED_CONNECTIONS) : null, loadDriver()]),
  )
  // Each pool opens its connections when they are first needed.
  const open = (count: number, isPatient: boolean): Promise<Database> =>
    openDatabase({
      connection: embedded === null ? connectionOf(databaseUrl ?? '') : { ...embedded.address },
      areStatementsNamed: embedded !== null,
      ...{ connectionsMax: count, isPatient },
    })
  const database = await open(RESERVED_CONNECTIONS - 1, true)
  const [requests, probe] = [await open(connections, false), await open(1, false)]
  const close = async (): Promise<void> => {
    await Promise.all([database.close(), requests.close(), probe.close()])
    await embedded?.stop()
  }
  // The embedded database needs free space even if the files are stored elsewhere.
  const ready = (): Promise<unknown> => Promise.all([storage.ready(), embedded === null ? null : requireSpace(data)])
  try {
    const schemaBefore = await withSettingName(variable, () =>
      access === 'create' ? migrate(database) : requireSchema(config, database, access),
    )
    if (access === 'create') await requireConnections(database.run, connections, embedded !== null)
    return {
      ...{ database, requests, probe, schemaBefore, close },
      contents: { ...storage, ready },
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** Number of connections that requests do not use. They are for migrations, cleanup, and the check of readiness. */
const RESERVED_CONNECTIONS = 4

/** Throws ConfigError if the server allows fewer connections than are configured. */
async function requireConnections(run: Run, connections: number, isEmbedded: boolean): Promise<void> {
  const { rows } = await run<{ most: number }>(mostConnections)
  const max = (rows[0]?.most ?? connections) - RESERVED_CONNECTIONS
  if (connections <= max) return
  const remedy = isEmbedded ? 'stop the other processes that use DATA, then start again' : 'raise its max_connections'
  throw new ConfigError(`DATABASE_CONNECTIONS=${connections}: the PostgreSQL server allows at most ${max}; ${remedy}`)
}

const mostConnections = `
  SELECT current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int AS most`

/** Returns the setting that names the database, without its password. */
export function databaseSettingOf({ data, databaseUrl }: Pick<Config, 'data' | 'databaseUrl'>): string {
  if (databaseUrl === null) return `DATA=${data}`
  const [, protocol, server] = /^(\w+:\/\/)(?:[^@/?]*@)?([^?]*)/.exec(databaseUrl) ?? []
  return `DATABASE_URL=${protocol}${server}`
}

const NO_DATABASE_ADVICE = 'set DATA or DATABASE_URL as for the server, or start the server to create a database'

function requireCluster(config: BackendConfig): void {
  if (config.databaseUrl !== null || existsSync(join(config.data, 'postgres', 'PG_VERSION'))) return
  throw new ConfigError(`there is no database in ${databaseSettingOf(config)}: ${NO_DATABASE_ADVICE}`)
}

async function requireSchema(config: BackendConfig, { run }: Database, access: Access): Promise<number> {
  const version = await versionOf(run)
  const where = `the database of ${databaseSettingOf(config)}`
  if (version === 0) throw new ConfigError(`${where} is empty: ${NO_DATABASE_ADVICE}`)
  if (access === 'inspect' || version === migrations.length) return version
  const advice = version < migrations.length ? 'start the server to upgrade it' : 'install a newer one'
  throw new ConfigError(`${where} has schema ${version}, this version knows ${migrations.length}: ${advice}`)
}

/** Adds the name of the setting to errors of the system and of the database driver. */
async function withSettingName<Result>(variable: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    const cause = error instanceof StoreError ? error.cause : error
    const code = codeOf(cause)
    if (!(cause instanceof Error) || (cause === error && code === '')) throw error
    // The message is empty if a host name has several addresses and none of them responds, so the code is shown.
    throw new ConfigError(`${variable}: ${cause.message || code}`, { cause })
  }
}

async function openContents({ files, data }: BackendConfig, access: Access): Promise<ContentStorage> {
  // Each kind of storage is loaded only if it is used: S3 needs a package.
  if (files !== null) return (await import('./files/s3.js')).createS3Storage(files)
  if (access === 'create') ensureFolder(data)
  const { createFolderStorage } = await import('./files/folder.js')
  return createFolderStorage(join(data, 'files'), access === 'create' ? 'write' : 'read')
}
