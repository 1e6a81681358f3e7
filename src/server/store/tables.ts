/** How the tables are distributed if a database is a cluster of servers (Citus). */

import type { Run } from './database.js'

/** On every server: from an API key to its organization, which must be known before anything else. */
export const referenceTables: readonly string[] = ['key_directory']

/** Tables whose rows are stored on the server of their organization. A table comes after those that it refers to. */
export const distributedTables: readonly string[] = [
  ...['organizations', 'users', 'api_keys', 'sign_in_links', 'sessions', 'channels', 'channel_members', 'threads'],
  ...['comments', 'chats', 'chat_members', 'messages', 'files', 'shown_files', 'idempotency'],
]

/** Whether the tables are distributed over the servers of a cluster. */
export async function isSpread(run: Run): Promise<boolean> {
  const isCluster = `SELECT to_regclass('pg_dist_partition') IS NOT NULL AS found`
  if ((await run<{ found: boolean }>('', isCluster, [])).rows[0]?.found !== true) return false
  const spread = `SELECT FROM pg_dist_partition WHERE logicalrelid = to_regclass('organizations') AND partmethod = 'h'`
  return (await run('', spread, [])).count > 0
}
