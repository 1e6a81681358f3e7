/** The statements of export and import; `$1` is the organization. */

/** What belongs to an organization, in an order in which what is referred to comes first. Keys and sessions stay out. */
export const exportTables: readonly string[] = [
  'organizations',
  'users',
  'channels',
  'channel_members',
  'threads',
  'comments',
  'chats',
  'chat_members',
  'messages',
  'files',
  'shown_files',
]

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
    SELECT organization, id::text, 'channel' FROM channels WHERE organization = $1
    UNION ALL SELECT organization, id::text, 'thread' FROM threads WHERE organization = $1
    UNION ALL SELECT organization, id::text, 'comment' FROM comments WHERE organization = $1
    UNION ALL SELECT organization, id::text, 'chat' FROM chats WHERE organization = $1
    UNION ALL SELECT organization, id::text, 'file' FROM files WHERE organization = $1`,
  advance: `
    SELECT setval('ids', greatest((SELECT last_value FROM ids), (
      SELECT max(id) FROM (
        SELECT id FROM users WHERE organization = $1
        UNION ALL SELECT id FROM channels WHERE organization = $1
        UNION ALL SELECT id FROM threads WHERE organization = $1
        UNION ALL SELECT id FROM comments WHERE organization = $1
        UNION ALL SELECT id FROM files WHERE organization = $1
      ) AS numbered)))`,
} as const
