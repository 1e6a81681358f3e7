/** Brings a database to the schema of this version: applies the missing migrations in one transaction. */

import type { Database, Run } from './database.js'
import tables from './migrations/0001-tables.sql'

/** The migrations in order. The version of a database is the number of its applied migrations. A released file never changes. */
export const migrations: readonly string[] = [tables]

/** The number of a lock, chosen freely, but the same in every version. */
const LOCK = 7_260_148_210_335

/**
 * Applies the missing migrations. Several processes may do so at the same time: one applies the migrations, the others wait.
 *
 * @param database - a database without time limits
 * @returns the schema version before this call
 * @throws {Error} if the database has a newer schema than this version knows
 */
export async function migrate(database: Database): Promise<number> {
  const before = await versionOf(database.run)
  if (before > migrations.length) {
    throw new Error(`the database has schema ${before}, this version knows ${migrations.length}: install a newer one`)
  }
  if (before < migrations.length) await database.transact(migrateIn)
  return before
}

async function migrateIn(run: Run): Promise<void> {
  await run('SELECT pg_advisory_xact_lock($1)', [LOCK])
  // The version is read again, because another process may have held the lock until now.
  const pending = migrations.slice(await versionOf(run))
  if (pending.length === 0) return
  // Each query has one statement: Citus forwards the text unchanged, and its servers accept only one.
  const statements = pending.flatMap((migration) => migration.split(/;\n/).filter((part) => part.trim() !== ''))
  await Promise.all([versionStatement(migrations.length), ...statements].map((statement) => run(statement)))
}

/**
 * Returns the statement that stores the version, as the result of an SQL function. No table fits: each holds data of
 * organizations, or is the directory of API keys. The statement runs first, because a cluster accepts no function after a
 * change of distributed tables.
 */
export function versionStatement(version: number): string {
  return `CREATE OR REPLACE FUNCTION schema_version() RETURNS integer LANGUAGE sql IMMUTABLE AS 'SELECT ${version}'`
}

/**
 * Returns the schema version of a database; 0 if it is empty. The version is read from the catalog, because a connection
 * that has called the function keeps its old value after another process has changed it.
 */
export async function versionOf(run: Run): Promise<number> {
  const { rows } = await run<{ version: number }>(
    `SELECT substring(prosrc FROM '\\d+')::int AS version FROM pg_proc WHERE oid = to_regprocedure('schema_version()')`,
  )
  return rows[0]?.version ?? 0
}
