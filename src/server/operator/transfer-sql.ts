/** The statements of export and import; `$1` is the organization. */

import { distributedTables } from '../store/tables.js'

/** Tables that an export leaves out: secrets, and responses that are kept for a day. */
const left: readonly string[] = ['api_keys', 'sign_in_links', 'sessions', 'idempotency']

/** The tables of an export. A table comes after those that it refers to. */
export const exportTables: readonly string[] = distributedTables.filter((table) => !left.includes(table))

/** The columns that sort a table, after the organization. */
const orders: Readonly<Record<string, string>> = {
  organizations: 'organization',
  channel_members: 'channel_id, user_id',
  chat_members: 'chat_id, user_id',
  shown_files: 'file_id, room, place',
}

/** The name of a table is always one of the list above, never input. */
export const transferSql = {
  openCursor: (table: string): string =>
    `DECLARE exported NO SCROLL CURSOR FOR SELECT to_jsonb(t) - 'organization' AS row FROM ${table} t
    WHERE organization = $1 ORDER BY ${orders[table] ?? 'id'}`,
  fetch: (count: number): string => `FETCH ${count} FROM exported`,
  closeCursor: 'CLOSE exported',
  exists: 'SELECT FROM organizations WHERE organization = $1 OR name_key = $2',
  /** Columns that the export does not have yet get their defaults. */
  insert(table: string, columns: readonly string[]): string {
    const names = ['organization', ...columns.map((column) => `"${column.replaceAll('"', '""')}"`)]
    return `INSERT INTO ${table} (${names}) SELECT ${names.map((name) => `r.${name}`)}
      FROM jsonb_array_elements($2::jsonb) AS e (row),
      jsonb_populate_record(NULL::${table}, e.row || jsonb_build_object('organization', $1::text)) AS r`
  },
  // No index helps: each table is read once for an import.
  firstTaken: `
    SELECT min(id)::text AS id FROM (
      SELECT id FROM users WHERE id = ANY ($1::bigint[]) UNION ALL SELECT id FROM channels WHERE id = ANY ($1::bigint[])
      UNION ALL SELECT id FROM threads WHERE id = ANY ($1::bigint[])
      UNION ALL SELECT id FROM comments WHERE id = ANY ($1::bigint[])
      UNION ALL SELECT id FROM files WHERE id = ANY ($1::bigint[])
    ) AS taken`,
  advance: `SELECT setval('ids', $1::bigint + $2::bigint) FROM ids WHERE last_value < $1::bigint + $2::bigint`,
  reserve: `SELECT setval('ids', last_value + $1::bigint + $2::bigint) AS last FROM ids`,
} as const
