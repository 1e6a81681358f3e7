/** Brings a database to the schema of this version: numbered SQL files, each in a transaction of its own. */

import tables from '../migrations/0001-tables.sql'
import sessions from '../migrations/0002-sessions.sql'
import imageSizes from '../migrations/0003-image-sizes.sql'
import type { Database, Run } from './database.js'

/** In order; the version of a database is how many of them it has seen. A file never changes once released. */
const migrations: readonly string[] = [tables, sessions, imageSizes]

/** Any number will do, so long as every version takes the same. */
const LOCK = 7_260_148_210_335

/**
 * Applies what is missing. Any number of processes may do this at once: one does, the others wait and find it done.
 *
 * @param database - the database; it may be empty
 * @throws {Error} where a newer version of this program has been at work
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
      // Without values the driver sends a text as it is, and the server takes all statements of it in one round trip.
      await run('', `${migration}\n${declaration(current + 1)}`, [])
      return current + 1
    })
  }
  if (version > migrations.length) {
    throw new Error(`the database has schema ${version}, this version knows ${migrations.length}: install a newer one`)
  }
}

/** The version is a function of the schema, so that every table of it is data of an organization or a directory. */
function declaration(version: number): string {
  return `CREATE OR REPLACE FUNCTION schema_version() RETURNS integer LANGUAGE sql IMMUTABLE AS 'SELECT ${version}'`
}

/**
 * The schema version of a database.
 *
 * @param run - how to ask it
 * @returns the version, 0 where it is empty
 */
export async function versionOf(run: Run): Promise<number> {
  const { rows } = await run<{ found: boolean }>(
    '',
    `SELECT to_regprocedure('schema_version()') IS NOT NULL AS found`,
    [],
  )
  if (rows[0]?.found !== true) return 0
  const version = await run<{ version: number }>('', 'SELECT schema_version() AS version', [])
  return version.rows[0]?.version ?? 0
}
