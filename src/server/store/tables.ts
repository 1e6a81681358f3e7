/** How the tables are distributed if a database is a cluster of servers (Citus). */

import type { Run } from './database.js'

/** On every server: from an API key to its organization, which must be known before anything else. */
export const referenceTables: readonly string[] = ['key_directory']

/**
 * Tables whose rows are stored on the server of their organization, with the rest of their keys. A table comes after those
 * that it refers to.
 */
export const keys: Readonly<Record<string, string>> = {
  ...{ organizations: 'organization', users: 'id', api_keys: 'id', sign_in_links: 'hash', sessions: 'hash' },
  ...{ channels: 'id', channel_members: 'channel_id, user_id', threads: 'id', comments: 'id' },
  ...{ chats: 'id', chat_members: 'chat_id, user_id', messages: 'id' },
  ...{ files: 'id', shown_files: 'file_id, room, place', idempotency: 'hash' },
}

export const distributedTables: readonly string[] = Object.keys(keys)

/** How each table is distributed, by its name; null on a single server. */
async function methodsOf(run: Run): Promise<ReadonlyMap<string, string> | null> {
  const isCluster = `SELECT to_regclass('pg_dist_partition') IS NOT NULL AS found`
  if ((await run<{ found: boolean }>('', isCluster, [])).rows[0]?.found !== true) return null
  const list = 'SELECT logicalrelid::text AS name, partmethod AS method FROM pg_dist_partition'
  const { rows } = await run<{ name: string; method: string }>('', list, [])
  const methods = new Map(rows.map(({ name, method }) => [name, method]))
  return methods.get('organizations') === 'h' ? methods : null
}

/** Whether the tables are distributed over the servers of a cluster. */
export async function isSpread(run: Run): Promise<boolean> {
  return (await methodsOf(run)) !== null
}

/**
 * Lists the statements that distribute the remaining tables of a cluster; none on a single server. The rows of a table
 * that is not distributed are on one server, and no reference to it is checked.
 */
export async function missingSpread(run: Run): Promise<string[]> {
  const methods = await methodsOf(run)
  if (methods === null) return []
  return [
    ...referenceTables.filter((name) => !methods.has(name)).map((name) => `SELECT create_reference_table('${name}')`),
    ...distributedTables.filter((name) => methods.get(name) !== 'h').flatMap((name) => spread(name, methods.has(name))),
  ]
}

function spread(table: string, isEverywhere: boolean): string[] {
  const statement = `SELECT create_distributed_table('${table}', 'organization', colocate_with => 'organizations')`
  return isEverywhere ? [`SELECT undistribute_table('${table}')`, statement] : [statement]
}
