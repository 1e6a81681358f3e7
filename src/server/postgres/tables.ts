/** How the tables are spread where a database is a cluster of servers (Citus). */

import type { Run } from './database.js'

/** On every server: from a key to its organization, which has to be known before anything else. */
export const referenceTables: readonly string[] = ['key_directory']

/** Each row on the server of its organization. */
export const distributedTables: readonly string[] = [
  ...['organizations', 'id_directory', 'users', 'api_keys', 'sign_in_links', 'sessions'],
  ...['channels', 'channel_members', 'threads', 'comments', 'chats', 'chat_members', 'messages'],
  ...['files', 'shown_files', 'idempotency'],
]

/**
 * What is missing where the tables are spread: one that is not has its rows on one server, and nothing that refers to
 * it from another is checked or removed along with it. Gives the statements that spread the rest; none on a single
 * server.
 */
export async function missingSpread(run: Run): Promise<string[]> {
  const isCluster = `SELECT to_regclass('pg_dist_partition') IS NOT NULL AS found`
  if ((await run<{ found: boolean }>('', isCluster, [])).rows[0]?.found !== true) return []
  const list = 'SELECT logicalrelid::text AS name, partmethod AS method FROM pg_dist_partition'
  const { rows } = await run<{ name: string; method: string }>('', list, [])
  const methods = new Map(rows.map(({ name, method }) => [name, method]))
  if (methods.get('organizations') !== 'h') return []
  return [
    ...referenceTables.filter((name) => !methods.has(name)).map((name) => `SELECT create_reference_table('${name}')`),
    ...distributedTables.filter((name) => methods.get(name) !== 'h').flatMap((name) => spread(name, methods.has(name))),
  ]
}

function spread(table: string, isEverywhere: boolean): string[] {
  const statement = `SELECT create_distributed_table('${table}', 'organization', colocate_with => 'organizations')`
  return isEverywhere ? [`SELECT undistribute_table('${table}')`, statement] : [statement]
}
