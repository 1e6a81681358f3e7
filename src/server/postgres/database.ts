/** The connection to PostgreSQL: a pool, transactions, and what its errors mean. Nothing depends on a session. */

import type { Pool, PoolClient, PoolConfig, QueryResultRow } from 'pg'
import { StoreError, type StoreFailure } from '../../api/store/store.js'
import { codeOf } from '../error-code.js'

/** Where the database is. */
export interface DatabaseOptions {
  /** What `pg` connects with: a socket's address or a connection string. */
  readonly connection: PoolConfig
  /**
   * Whether statements are prepared by name, once for each connection: only where nothing but this program stands
   * between them and the server.
   */
  readonly areStatementsNamed: boolean
  readonly connections?: number
  /** Whether statements may take as long as they need: migrations, tidying and the operator's commands. */
  readonly isPatient?: boolean
}

/** Runs statements, inside a transaction or each on its own. */
export type Run = <Row extends QueryResultRow = QueryResultRow>(
  name: string,
  text: string,
  values: readonly unknown[],
) => Promise<{ rows: Row[]; count: number }>

export interface Database {
  readonly run: Run
  /** Runs work whose statements have one connection, and each its own transaction. */
  together<Result>(work: (run: Run) => Promise<Result>): Promise<Result>
  /** Runs work in one transaction; where it met another one in a deadlock, again. */
  transact<Result>(work: (run: Run) => Promise<Result>): Promise<Result>
  /** Runs work that reads everything as it is at one moment. */
  snapshot<Result>(work: (run: Run) => Promise<Result>): Promise<Result>
  /** How many connections there are, how many of them wait for work, and how much work waits for one. */
  connections(): { readonly open: number; readonly idle: number; readonly waiting: number }
  close(): Promise<void>
}

/** Somebody else was faster; the same work, done again, finds what they did. */
export class PassingConflict extends Error {
  /** A serialization failure, as the server itself reports one. */
  readonly code = '40001'
}

/** The connections of a pool by default. */
export const CONNECTIONS = 20

/** Two of our transactions rarely meet in a deadlock; many times in a row they do not. */
const ATTEMPTS_MAX = 5

/** How long a request waits for a connection, and for each statement. */
const CONNECT_MILLISECONDS = 2000
const STATEMENT_MILLISECONDS = 5000
const PATIENT_CONNECT_MILLISECONDS = 10_000

/** Opens a pool of connections; each is made when it is first needed. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const PoolOf = await loadDriver()
  const pool = new PoolOf({
    ...options.connection,
    max: options.connections ?? CONNECTIONS,
    ...(options.isPatient === true
      ? { connectionTimeoutMillis: PATIENT_CONNECT_MILLISECONDS }
      : { connectionTimeoutMillis: CONNECT_MILLISECONDS, query_timeout: STATEMENT_MILLISECONDS }),
    // Our own server ends a statement that nobody waits for any more; a proxy may refuse the setting.
    ...(options.areStatementsNamed && options.isPatient !== true
      ? { statement_timeout: STATEMENT_MILLISECONDS + 1000 }
      : {}),
    // A machine that is lost without a word is noticed.
    keepAlive: true,
    // A statement may be sent before the one before it is answered.
    pipeline: true,
    application_name: `blockmark ${process.pid}`,
  })
  // A connection that breaks while it is idle is replaced by the pool; whoever needs one next is told if it can not be.
  pool.on('error', ignore)
  // One that breaks between two statements is noticed by the next one.
  pool.on('connect', (client) => client.on('error', ignore))
  const runOn = runsOf(options.areStatementsNamed)
  const runOnPool = runOn(pool)
  return {
    run: (statement, text, values) => translated(runOnPool(statement, text, values)),
    together: (work) => translated(connected(pool, (client) => work(runOn(client)))),
    transact: (work) => translated(transact(pool, 'BEGIN', (client) => work(runOn(client)))),
    snapshot: (work) =>
      translated(transact(pool, 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', (client) => work(runOn(client)))),
    connections: () => ({ open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    close: () => pool.end(),
  }
}

function runsOf(areStatementsNamed: boolean): (queryable: Pool | PoolClient) => Run {
  return (queryable) => async (name, text, values) => {
    const statement = { text, values: [...values], ...(areStatementsNamed ? { name } : {}) }
    const { rows, rowCount } = await queryable.query(statement)
    return { rows, count: rowCount ?? 0 }
  }
}

/** Loads the driver, which takes longer than a connection; later calls find it there. */
export async function loadDriver(): Promise<typeof Pool> {
  const { default: pg } = await import('pg')
  return pg.Pool
}

async function connected<Result>(pool: Pool, work: (client: PoolClient) => Promise<Result>): Promise<Result> {
  const client = await pool.connect()
  let isBroken = false
  try {
    return await work(client)
  } catch (error) {
    isBroken = isLost(error)
    throw error
  } finally {
    client.release(isBroken)
  }
}

async function transact<Result>(
  pool: Pool,
  begin: string,
  work: (client: PoolClient) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    const client = await pool.connect()
    let isBroken = false
    try {
      // Sent together with the first statement. If it fails, so does each statement after it.
      const beginning = client.query(begin)
      beginning.catch(ignore)
      const result = await work(client)
      await beginning
      await client.query('COMMIT')
      return result
    } catch (error) {
      const undone = isLost(error) ? Promise.reject(error) : client.query('ROLLBACK')
      isBroken = await undone.then(
        () => false,
        () => true,
      )
      if (!isPassing(error) || attempt === ATTEMPTS_MAX) throw error
    } finally {
      client.release(isBroken)
    }
  }
}

function ignore(): void {}

/** A deadlock or a serialization failure: the same work succeeds when it is done again. */
function isPassing(error: unknown): boolean {
  return ['40001', '40P01'].includes(codeOf(error))
}

/** Whether the other end is gone, or takes no writes: whoever is at the same address next may be the primary. */
function isLost(error: unknown): boolean {
  return reasonOf(error) === 'unavailable' && !isPassing(error)
}

async function translated<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } catch (error) {
    const reason = reasonOf(error)
    throw reason === null ? error : new StoreError(reason, error)
  }
}

/** SQLSTATEs by their beginning, longest first; what is not here is a mistake of ours. */
const reasons: readonly (readonly [string, StoreFailure])[] = [
  ['23505', 'taken'],
  ['23503', 'gone'],
  ['53100', 'full'],
  ['25006', 'unavailable'], // a standby
  ['08', 'unavailable'], // the connection
  ['53', 'unavailable'], // resources: memory, connections
  ['57P', 'unavailable'], // shutting down, crashed, starting
  ['58', 'unavailable'], // its files
  ['40', 'unavailable'], // a deadlock, again and again
  ['E', 'unavailable'], // ECONNREFUSED, ENOENT of a socket, EPIPE
]

function reasonOf(error: unknown): StoreFailure | null {
  if (!(error instanceof Error) || error instanceof StoreError) return null
  const code = codeOf(error)
  const found = reasons.find(([start]) => code.startsWith(start))
  if (found !== undefined) return found[1]
  // The driver's own errors carry no code, and those of a cluster (Citus) about a node that is lost only this one.
  return ['', 'XX000'].includes(code) && /connection|timeout|timed out/i.test(error.message) ? 'unavailable' : null
}
