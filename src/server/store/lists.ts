/** The statements that read parts of lists, and the newest row of each list. */

/** A list that is read in parts. */
interface List {
  readonly table: string
  /** The column with the id of the list. */
  readonly column: string
  /** The columns of a row `r`, without its content. */
  readonly columns: string
  /** The blocks of a row, as an array. */
  readonly blocks: string
  /** The length of all blocks in bytes. */
  readonly bytes: string
  /** SQL that restricts the rows and starts with `AND`. */
  readonly restriction?: string
}

/** The content of threads and comments. */
const content = { blocks: 'blocks', bytes: "octet_length(array_to_string(blocks, ''))" }

const threads: List = {
  ...{ ...content, table: 'threads', column: 'channel_id' },
  columns: `r.id, r.channel_id AS "channelID", r.author_id AS "authorID", r.share_token AS "shareToken",
      r.created_at AS "createdAt"`,
  restriction: 'AND NOT is_removed',
}

const comments: List = {
  ...{ ...content, table: 'comments', column: 'thread_id' },
  columns: `r.id, r.thread_id AS "threadID", r.parent_id AS "parentID", r.author_id AS "authorID",
      r.created_at AS "createdAt", (
        SELECT p.author_id FROM comments p WHERE p.organization = $1 AND p.id = r.parent_id) AS "parentAuthorID"`,
  // A deleted comment is shown while any reply below it is shown.
  restriction: `AND (blocks IS NOT NULL OR EXISTS (
        WITH RECURSIVE below (id, is_shown) AS (
          SELECT a.id, a.blocks IS NOT NULL FROM comments a WHERE a.organization = $1 AND a.parent_id = comments.id
          UNION ALL
          SELECT a.id, a.blocks IS NOT NULL FROM below b JOIN comments a ON a.organization = $1 AND a.parent_id = b.id
          WHERE NOT b.is_shown
        ) SELECT FROM below WHERE is_shown))`,
}

const messages: List = {
  ...{ table: 'messages', column: 'chat_id', blocks: 'ARRAY[body]', bytes: 'octet_length(body)' },
  columns: 'r.id, r.chat_id AS "chatID", r.author_id AS "authorID", r.created_at AS "createdAt"',
}

/**
 * Returns the statement that reads a part of a list, beginning at $3. Blocks are read until they have $5 bytes together, as
 * JSON, because the driver parses arrays a hundred times slower. The condition is `BETWEEN $2 AND $2`: with `=`, the
 * planner may walk the primary key of all lists if it expects one list to be most of the table.
 */
function part({ table, column, columns, blocks, bytes, restriction = '' }: List, towards: 'older' | 'newer'): string {
  const [direction, comparison] = towards === 'older' ? ['DESC', '<='] : ['ASC', '>=']
  return `
    SELECT ${columns}, CASE WHEN r.before <= $5 THEN to_json(${blocks}) END AS blocks, r.before <= $5 AS "isRead"
    FROM (
      SELECT *, coalesce(sum(${bytes}) OVER (
        ORDER BY id ${direction} ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS before
      FROM (
        SELECT * FROM ${table} WHERE organization = $1 AND ${column} BETWEEN $2 AND $2 AND id ${comparison} $3 ${restriction}
        ORDER BY ${column} ${direction}, id ${direction} LIMIT $4
      ) AS nearest
    ) AS r ORDER BY r.id ${direction}`
}

/** Returns the statement that reads the newest row of each list in $2, with the beginning of its content. */
function latest({ table, column, blocks, restriction = '' }: List, ids: 'bigint' | 'uuid'): string {
  return `
    SELECT p.id AS "groupID", l.id, l.author_id AS "authorID", l.created_at AS "createdAt",
      json_build_array(left((${blocks})[1], 400)) AS blocks
    FROM unnest($2::${ids}[]) AS p(id) CROSS JOIN LATERAL (
      SELECT t.* FROM ${table} t WHERE t.organization = $1 AND t.${column} BETWEEN p.id AND p.id ${restriction}
      ORDER BY t.${column} DESC, t.id DESC LIMIT 1) AS l`
}

export type ListName = `${'threads' | 'comments' | 'messages'}${'' | 'Newer'}` | `latest${'Threads' | 'Messages'}`

export const lists: Readonly<Record<ListName, string>> = {
  ...{ threads: part(threads, 'older'), threadsNewer: part(threads, 'newer') },
  ...{ comments: part(comments, 'older'), commentsNewer: part(comments, 'newer') },
  ...{ messages: part(messages, 'older'), messagesNewer: part(messages, 'newer') },
  ...{ latestThreads: latest(threads, 'bigint'), latestMessages: latest(messages, 'uuid') },
}
