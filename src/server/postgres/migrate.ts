/** Brings a database to the schema of this version: numbered SQL files, each in a transaction of its own. */

import type { Database, Run } from './database.js'
import tables from './migrations/0001-tables.sql'
import sessions from './migrations/0002-sessions.sql'
import imageSizes from './migrations/0003-image-sizes.sql'
import removals from './migrations/0004-removals.sql'
import firstKey from './migrations/0005-first-key.sql'
import idDirectory from './migrations/0006-id-directory.sql'
import { missingSpread } from './tables.js'

/** In order; the version of a database is how many of them it has seen. A file never changes once released. */
export const migrations: readonly string[] = [tables, sessions, imageSizes, removals, firstKey, idDirectory]

/** Any number will do, so long as every version takes the same. */
const LOCK = 7_260_148_210_335

/**
 * Applies what is missing. Any number of processes may do this at once: one does, the others wait and find it done.
 * Throws where a newer version of this program has been at work.
 */
export async function migrate(database: Database): Promise<void> {
  let version = await versionOf(database.run)
  while (version < migrations.length) {
    version = await database.transact(async (run) => {
      await run('', 'SELECT pg_advisory_xact_lock($1)', [LOCK])
      // Whoever held the lock before may have done it.
      const current = await versionOf(run)
      const migration = migrations[current]
      if (migration === undefined) return current
      // One at a time: a cluster hands a text on as it comes, and its servers take one statement of it.
      const statements = [declaration(current + 1), ...migration.split(/;\n/).filter((part) => part.trim() !== '')]
      await Promise.all(statements.map((statement) => run('', statement, [])))
      // A table that is new has to be where the others are, which its migration knows nothing of.
      const isLast = current + 1 === migrations.length
      for (const statement of isLast ? await missingSpread(run) : []) await run('', statement, [])
      return current + 1
    })
  }
  if (version > migrations.length) {
    throw new Error(`the database has schema ${version}, this version knows ${migrations.length}: install a newer one`)
  }
}

/**
 * The version is a function of the schema, so that every table of it is data of an organization or a directory. It comes
 * first: a cluster takes no function behind a change of tables that are spread.
 */
export function declaration(version: number): string {
  return `CREATE OR REPLACE FUNCTION schema_version() RETURNS integer LANGUAGE sql IMMUTABLE AS 'SELECT ${version}'`
}

/**
 * The schema version of a database, 0 where it is empty. It is read from the catalogue's rows and not by a call: a connection
 * that has called the function once remembers it as it was, also when it has waited for somebody who changed it.
 */
export async function versionOf(run: Run): Promise<number> {
  const { rows } = await run<{ version: number }>(
    '',
    `SELECT substring(prosrc FROM '\\d+')::int AS version FROM pg_proc WHERE oid = to_regprocedure('schema_version()')`,
    [],
  )
  return rows[0]?.version ?? 0
}
