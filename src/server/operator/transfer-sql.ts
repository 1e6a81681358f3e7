/** The statements of export and import; `$1` is the organization. */

import { distributedTables } from '../postgres/tables.js'

/** What is not taken along: where things are is known anew, and whoever comes back signs in again. */
const left: readonly string[] = ['id_directory', 'api_keys', 'sign_in_links', 'sessions', 'idempotency']

/** What belongs to an organization, in an order in which what is referred to comes first. */
export const exportTables: readonly string[] = distributedTables.filter((table) => !left.includes(table))

/** The columns that, behind the organization, give a table its order. */
const orders: Readonly<Record<string, string>> = {
  organizations: 'organization',
  channel_members: 'channel_id, user_id',
  chat_members: 'chat_id, user_id',
  shown_files: 'file_id, place',
}

/** The table's name is one of the list above, never something that was typed. */
export const transferSql = {
  openCursor: (table: string): string =>
    `DECLARE exported NO SCROLL CURSOR FOR SELECT to_jsonb(t) - 'organization' AS row FROM ${table} t
    WHERE organization = $1 ORDER BY ${orders[table] ?? 'id'}`,
  fetch: (count: number): string => `FETCH ${count} FROM exported`,
  closeCursor: 'CLOSE exported',
  exists: 'SELECT FROM organizations WHERE organization = $1 OR name = $2',
  insert: (table: string): string =>
    `INSERT INTO ${table} SELECT r.* FROM jsonb_array_elements($2::jsonb) AS e (row),
      jsonb_populate_record(NULL::${table}, e.row || jsonb_build_object('organization', $1::text)) AS r`,
  locate: `
    INSERT INTO id_directory (organization, id, kind)
    SELECT $1::uuid, id::text, 'channel' FROM channels WHERE organization = $1
    UNION ALL SELECT $1::uuid, id::text, 'thread' FROM threads WHERE organization = $1
    UNION ALL SELECT $1::uuid, id::text, 'comment' FROM comments WHERE organization = $1
    UNION ALL SELECT $1::uuid, id::text, 'chat' FROM chats WHERE organization = $1
    UNION ALL SELECT $1::uuid, id::text, 'file' FROM files WHERE organization = $1`,
  taken: 'SELECT id FROM id_directory WHERE id = ANY ($1::text[])',
  advance: `SELECT setval('ids', $1::bigint + $2::bigint) FROM ids WHERE last_value < $1::bigint + $2::bigint`,
  reserve: `SELECT setval('ids', last_value + $1::bigint + $2::bigint) AS last FROM ids`,
} as const
