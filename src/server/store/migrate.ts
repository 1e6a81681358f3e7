/** Brings a database to the schema of this version: numbered SQL files, each in its own transaction. */

import { setTimeout as sleep } from 'node:timers/promises'
import { codeOf } from '../error-code.js'
import type { Database, Run } from './database.js'
import tables from './migrations/0001-tables.sql'
import sessions from './migrations/0002-sessions.sql'
import imageSizes from './migrations/0003-image-sizes.sql'
import removals from './migrations/0004-removals.sql'
import firstKey from './migrations/0005-first-key.sql'
import idDirectory from './migrations/0006-id-directory.sql'
import addresses from './migrations/0007-addresses.sql'
import { isSpread, missingSpread } from './tables.js'

/** The migrations in order. The version of a database is the number of its applied migrations. A released file never changes. */
export const migrations: readonly string[] = [tables, sessions, imageSizes, removals, firstKey, idDirectory, addresses]

/** The number of a lock, chosen freely, but the same in every version. */
const LOCK = 7_260_148_210_335

/** A migration waits a second for a table. Then it lets the requests that wait after it pass, and tries again. */
const LOCK_TIMEOUT = `SET LOCAL lock_timeout = '1s'`
const RETRY_MILLISECONDS = 500

/**
 * Applies the missing migrations. Several processes may call this at once: one of them works, the others wait.
 *
 * @param database - a database without time limits that has at least two connections
 * @returns the schema version before
 * @throws {Error} if the database has a newer schema than this version knows
 */
export async function migrate(database: Database): Promise<number> {
  const before = await versionOf(database.run)
  let version = before
  while (version < migrations.length) {
    if (!(await migrateOnce(database))) await sleep(RETRY_MILLISECONDS)
    version = await versionOf(database.run)
  }
  if (version > migrations.length) {
    throw new Error(`the database has schema ${version}, this version knows ${migrations.length}: install a newer one`)
  }
  return before
}

/** Applies one migration, or all of them to an empty database; false if another process is at work, or a reader holds a table. */
async function migrateOnce(database: Database): Promise<boolean> {
  try {
    return await database.transact(async (run) => {
      // Never waited for inside a statement: an index that is built concurrently waits for every running statement.
      const { rows } = await run<{ held: boolean }>('', 'SELECT pg_try_advisory_xact_lock($1) AS held', [LOCK])
      if (rows[0]?.held !== true) return false
      const current = await versionOf(run)
      if (current >= migrations.length) return true
      const isEmpty = current === 0
      const next = isEmpty ? migrations.length : current + 1
      const isCluster = await isSpread(run)
      const statements = migrations.slice(current, next).flatMap((each) => statementsOf(each, isCluster))
      // An empty database has no requests that would wait for an index.
      const before = isEmpty ? [] : statements.filter(isConcurrent)
      for (const statement of before) await buildIndex(database.run, statement)
      const rest = statements.filter((each) => !before.includes(each))
      await apply(run, next, rest)
      // A new table must be distributed like the others; its migration does not do that.
      const isLast = next === migrations.length
      for (const statement of isLast ? await missingSpread(run) : []) await run('', statement, [])
      return true
    })
  } catch (error) {
    if (codeOf(error) === LOCK_NOT_AVAILABLE) return false
    throw error
  }
}

const LOCK_NOT_AVAILABLE = '55P03'

/** Runs statements one at a time: a cluster passes a text on as it is, and its servers take one statement of it. */
async function apply(run: Run, version: number, statements: readonly string[]): Promise<void> {
  const all = [LOCK_TIMEOUT, declaration(version), ...statements.map((each) => each.replace(' CONCURRENTLY', ''))]
  await Promise.all(all.map((statement) => run('', statement, [])))
}

/** The statements of a migration; on a cluster without those for one server. */
export function statementsOf(migration: string, isCluster: boolean): string[] {
  const parts = migration.split(/;\n/).filter((part) => part.trim() !== '')
  return parts.filter((part) => !(isCluster && part.includes('-- On one server only')))
}

function isConcurrent(statement: string): boolean {
  return /^CREATE INDEX CONCURRENTLY/m.test(statement)
}

/** Builds an index without holding writers up, outside of a transaction; one that an interrupted run left is dropped. */
async function buildIndex(run: Run, statement: string): Promise<void> {
  const name = /^CREATE INDEX CONCURRENTLY (\w+)/m.exec(statement)?.[1] ?? ''
  const { rows } = await run<{ valid: boolean }>(
    '',
    'SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = to_regclass($1)',
    [name],
  )
  if (rows[0]?.valid === true) return
  if (rows[0] !== undefined) await run('', `DROP INDEX CONCURRENTLY ${name}`, [])
  await run('', statement, [])
}

/**
 * The version is a function of the schema, so that every table holds data of organizations, or is the directory of API
 * keys. It comes first: a cluster accepts no function after a change of distributed tables.
 */
export function declaration(version: number): string {
  return `CREATE OR REPLACE FUNCTION schema_version() RETURNS integer LANGUAGE sql IMMUTABLE AS 'SELECT ${version}'`
}

/**
 * The schema version of a database, 0 if it is empty. It is read from the catalog's rows: a connection that has called
 * the function once remembers its value, also after another process has changed it.
 */
export async function versionOf(run: Run): Promise<number> {
  const { rows } = await run<{ version: number }>(
    '',
    `SELECT substring(prosrc FROM '\\d+')::int AS version FROM pg_proc WHERE oid = to_regprocedure('schema_version()')`,
    [],
  )
  return rows[0]?.version ?? 0
}
