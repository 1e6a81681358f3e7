/** Connects to PostgreSQL: a pool, transactions, and StoreErrors for errors of the driver. Nothing depends on a session. */

import type { Client, Pool, PoolClient, PoolConfig, QueryResultRow } from 'pg'
import { StoreError, type StoreFailure } from '../../api/store/store.js'
import { codeOf } from '../error-code.js'
import { sql } from './sql.js'

/** The options of a connection pool. */
export interface DatabaseOptions {
  /** The options of `pg`: the path of a socket, or a connection string. */
  readonly connection: PoolConfig
  /**
   * Whether the statements of `sql.ts` are prepared by name, once for each connection. True only for the embedded server,
   * because a proxy such as PgBouncer may not allow this.
   */
  readonly areStatementsNamed: boolean
  /** Maximum number of connections. */
  readonly connectionsMax: number
  /** Whether statements have no time limit. True for migrations, the cleanup and the operator's commands. */
  readonly isPatient?: boolean
}

/** Runs a statement, inside a transaction or alone. */
export type Run = <Row extends QueryResultRow = QueryResultRow>(
  text: string,
  values?: readonly unknown[],
) => Promise<{ rows: Row[]; count: number }>

export interface Database {
  readonly run: Run
  /** Runs work in one transaction. After a deadlock with another transaction, runs the work again. */
  transact<Result>(work: (run: Run) => Promise<Result>): Promise<Result>
  /** Runs work in one transaction on its own connection, which can stream rows. */
  onOwnConnection<Result>(work: (client: Client) => Promise<Result>): Promise<Result>
  /** Maximum number of connections. */
  readonly connectionsMax: number
  /** Returns the number of open connections. */
  connections(): number
  close(): Promise<void>
}

/** Maximum attempts of a transaction: deadlocks are rare, and do not happen many times in a row. */
const ATTEMPTS_MAX = 5

/** Milliseconds that a request waits for a connection. */
const CONNECT_MILLISECONDS = 2000
/** Milliseconds that a request waits for each statement. */
export const STATEMENT_MILLISECONDS = 5000
const PATIENT_CONNECT_MILLISECONDS = 10_000

/** Opens a pool of connections. The pool opens each connection when it is first needed. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { connection, areStatementsNamed, connectionsMax, isPatient = false } = options
  const { Pool } = await loadDriver()
  const pool = new Pool({
    ...{ ...connection, max: connectionsMax },
    connectionTimeoutMillis: isPatient ? PATIENT_CONNECT_MILLISECONDS : CONNECT_MILLISECONDS,
    query_timeout: isPatient ? undefined : STATEMENT_MILLISECONDS,
    // PostgreSQL ends a statement whose request has given up. Only the embedded server gets this setting: a proxy may reject it.
    statement_timeout: areStatementsNamed && !isPatient && STATEMENT_MILLISECONDS + 1000,
    // Keep-alive packets detect a server that disappeared without closing its connections.
    keepAlive: true,
    // The driver sends a statement before the result of the previous one has arrived.
    pipeline: true,
    application_name: `blockmark ${process.pid}`,
  })
  // The pool replaces a connection that breaks while it is idle. If it cannot, the next request gets the error.
  pool.on('error', ignore)
  const open = new Set<PoolClient>()
  pool.on('connect', (client) => {
    open.add(client)
    // If a connection breaks between two statements, the next statement throws, so this event is ignored.
    client.on('error', ignore)
  })
  // Connections are kept in a set, because the pool reports a connection twice if it breaks while the pool closes it.
  pool.on('remove', (client) => open.delete(client))
  return {
    run: runOn(pool, areStatementsNamed),
    transact: (work) => transact(pool, (client) => work(runOn(client, areStatementsNamed))),
    onOwnConnection: (work) => onOwnConnection(connection, work),
    connectionsMax,
    connections: () => open.size,
    close: () => pool.end(),
  }
}

/** The names of prepared statements by their SQL text. Only statements of requests have names, because their texts never change. */
const names: ReadonlyMap<string, string> = new Map(Object.entries(sql).map(([name, text]) => [text, name]))

function runOn(queryable: Pool | PoolClient, areStatementsNamed: boolean): Run {
  return async (text, values = []) => {
    const statement = { text, values: [...values], name: areStatementsNamed ? names.get(text) : undefined }
    const { rows, rowCount } = await awaitDriver(queryable.query(statement))
    return { rows, count: rowCount ?? 0 }
  }
}

/** Loads the driver. Loading takes longer than connecting, so callers may start it early. */
export async function loadDriver(): Promise<typeof import('pg').default> {
  // Node 20 has no `navigator`. Without it, pg uses `Response` to detect Cloudflare, which makes Node load `fetch` (9 MB).
  const isNavigatorMissing = !('navigator' in globalThis)
  if (isNavigatorMissing)
    Object.defineProperty(globalThis, 'navigator', { value: { userAgent: 'Node.js' }, configurable: true })
  const { default: driver } = await import('pg')
  if (isNavigatorMissing) Reflect.deleteProperty(globalThis, 'navigator')
  return driver
}

/** Waits for the driver. Throws StoreError if the database fails; any other error is a bug of the service. */
function awaitDriver<Result>(result: Promise<Result>): Promise<Result> {
  return result.catch((error: unknown) => {
    throw failureOf(error)
  })
}

async function transact<Result>(pool: Pool, work: (client: PoolClient) => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    const client = await awaitDriver(pool.connect())
    let isBroken = false
    try {
      // BEGIN and the first statement are sent in one write, because a write takes most of the time of a statement in this
      // process. If BEGIN fails, so does each statement after it.
      const { stream } = client.connection
      stream.cork()
      process.nextTick(() => stream.uncork())
      const begin = awaitDriver(client.query('BEGIN'))
      begin.catch(ignore)
      const result = await work(client)
      await begin
      await awaitDriver(client.query('COMMIT'))
      return result
    } catch (error) {
      isBroken = isConnectionLost(error) || !(await client.query('ROLLBACK').catch(ignore))
      if (!isTransient(error) || attempt === ATTEMPTS_MAX) throw error
    } finally {
      client.release(isBroken)
    }
  }
}

/** Runs work on its own connection, without `pipeline`: a stream of rows cannot be mixed with other results. */
async function onOwnConnection<Result>(
  connection: PoolConfig,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const { Client } = await loadDriver()
  const client = new Client(connection)
  client.on('error', ignore)
  await client.connect()
  try {
    await client.query('BEGIN')
    const result = await work(client)
    await client.query('COMMIT')
    return result
  } finally {
    // Without a COMMIT, the end of the connection undoes everything.
    await client.end()
  }
}

function ignore(): undefined {}

/** Whether an error is a deadlock or a serialization failure: the work may succeed if it is repeated. */
function isTransient(error: unknown): boolean {
  return error instanceof StoreError && ['40001', '40P01'].includes(codeOf(error.cause))
}

/**
 * Whether the server is gone or accepts no writes. The next connection to the same address may reach the primary. An error
 * of the work itself has no code of the database, and says nothing about the connection.
 */
function isConnectionLost(error: unknown): boolean {
  const isDatabaseFailure = error instanceof StoreError && error.reason === 'unavailable' && codeOf(error.cause) !== ''
  return isDatabaseFailure && !isTransient(error)
}

/** Returns the error for a transaction that another one has overtaken. `transact` then repeats the work. */
export function conflict(message: string): StoreError {
  return new StoreError('unavailable', Object.assign(new Error(message), { code: '40001' }))
}

/** Reasons by the beginning of the error's code. The first one that fits counts. */
const reasons: readonly (readonly [start: string, reason: StoreFailure])[] = [
  ['23505', 'taken'],
  ['23503', 'gone'],
  ['53100', 'full'],
  ['25006', 'unavailable'], // a standby
  ['08', 'unavailable'], // the connection
  ['53', 'unavailable'], // resources: memory, connections
  ['57P', 'unavailable'], // shutting down, crashed, starting
  ['58', 'unavailable'], // the server's files
  ['40', 'unavailable'], // deadlocks
  ['E', 'unavailable'], // ECONNREFUSED, ENOENT of a socket, EPIPE
]

/** Returns the StoreError for an error of the driver, or the given error if the database did not fail. */
function failureOf(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  // An error without a code does not come from the server: the connection was lost, or there was no response in time.
  const code = codeOf(error) || '08006'
  // Citus reports a lost node as an internal error.
  const isNodeLost = code === 'XX000' && /connection|timeout/i.test(error.message)
  const reason = isNodeLost ? 'unavailable' : reasons.find(([start]) => code.startsWith(start))?.[1]
  return reason === undefined ? error : new StoreError(reason, Object.assign(error, { code }))
}
