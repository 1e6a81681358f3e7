/** The statements of requests. `$1` is the organization in all of them, except `state` and `organizationOfKey`. */

import { type ListName, lists } from './lists.js'

const selectUser = 'SELECT id, name, email, email_key AS "emailKey" FROM users WHERE organization = $1'

const channelColumns = 'c.id, c.name, c.description, c.is_private AS "isPrivate", c.creator_id AS "creatorID"'

/** SQL condition: the viewer, `$3`, can see the channel `c`. */
const channelIsVisible = `NOT c.is_removed AND (NOT c.is_private OR EXISTS (
      SELECT FROM channel_members m WHERE m.organization = $1 AND m.channel_id = c.id AND m.user_id = $3))`

const threadColumns = 't.id, t.channel_id AS "channelID", t.author_id AS "authorID", t.share_token AS "shareToken"'

const selectComment = `
    SELECT id, thread_id AS "threadID", parent_id AS "parentID", author_id AS "authorID"
    FROM comments WHERE organization = $1 AND id = $2 AND blocks IS NOT NULL`

const selectChat = `
    SELECT c.id, c.name, c.creator_id AS "creatorID" FROM chats c
    JOIN chat_members m ON m.organization = c.organization AND m.chat_id = c.id AND m.user_id = $3
    WHERE c.organization = $1 AND NOT c.is_removed`

const fileColumns = `f.id, encode(f.hash, 'hex') AS hash, f.size::float8 AS size, f.media_type AS "mediaType", f.name,
      f.uploader_id AS "uploaderID", f.created_at AS "createdAt", f.width, f.height`

const statements = {
  state: `
    SELECT pg_is_in_recovery() OR current_setting('transaction_read_only')::boolean AS "isReadOnly",
      clock_timestamp() AS now`,

  // The directory of API keys is read, because the organization is not known yet.
  organizationOfKey: 'SELECT organization FROM key_directory WHERE hash = $1',

  identify: `
    SELECT k.hash, k.organization, b.id AS "botID", b.name AS "botName", o.name AS "organizationName",
      o.is_suspended AS "isSuspended"
    FROM api_keys k
    JOIN users b ON b.organization = k.organization AND b.id = k.bot_id
    JOIN organizations o ON o.organization = k.organization
    WHERE k.organization = $1 AND k.hash = $2 AND (k.expires_at IS NULL OR k.expires_at > $3)
      AND NOT o.is_removed`,

  // A transaction writes its row before it releases this lock, so the next transaction with the lock sees the row.
  lockKey: `
    SELECT pg_try_advisory_xact_lock(hashtextextended(concat_ws(chr(31), $1::text, $2::text), 1)) AS held, now()`,
  keptResponse: `
    SELECT encode(request_hash, 'hex') AS "requestHash", answer, expires_at - interval '24 hours' AS "createdAt"
    FROM idempotency WHERE organization = $1 AND hash = decode($2, 'hex') AND expires_at > now()`,
  keepResponse: `
    INSERT INTO idempotency (organization, hash, request_hash, answer, expires_at)
    VALUES ($1, decode($2, 'hex'), decode($3, 'hex'), $4, now() + interval '24 hours')
    ON CONFLICT (organization, hash) DO UPDATE
    SET request_hash = excluded.request_hash, answer = excluded.answer, expires_at = excluded.expires_at
    WHERE idempotency.expires_at <= $5`,

  takeLink: `
    DELETE FROM sign_in_links WHERE organization = $1 AND hash = $2 AND expires_at > $3 RETURNING user_id AS "userID"`,
  addSession: `
    INSERT INTO sessions (organization, hash, user_id, key_hash, expires_at) VALUES ($1, $2, $3, $4, $5)`,
  session: `
    SELECT s.hash, u.id AS "userID", u.name AS "userName", o.name AS "organizationName"
    FROM sessions s
    JOIN users u ON u.organization = s.organization AND u.id = s.user_id
    JOIN organizations o ON o.organization = s.organization
    LEFT JOIN api_keys k ON k.organization = s.organization AND k.hash = s.key_hash
    WHERE s.organization = $1 AND s.hash = $2 AND s.expires_at > $3 AND (k.expires_at IS NULL OR k.expires_at > $3)
      AND NOT o.is_suspended AND NOT o.is_removed`,
  removeSession: 'DELETE FROM sessions WHERE organization = $1 AND hash = $2',

  users: `${selectUser} AND NOT is_removed AND id > $2 ORDER BY id LIMIT $3`,
  usersBy: `${selectUser} AND NOT is_removed AND (id = ANY ($2::bigint[]) OR email_key = ANY ($3::text[]))`,

  namesOf: 'SELECT id, name FROM users WHERE organization = $1 AND id = ANY ($2::bigint[])',

  channels: `
    SELECT ${channelColumns}, (
        SELECT coalesce(json_agg(a.user_id::text ORDER BY a.user_id), '[]') FROM channel_members a
        WHERE a.organization = $1 AND a.channel_id = c.id
      ) AS "memberIDs"
    FROM channels c WHERE c.organization = $1 AND c.id > $2 AND ${channelIsVisible} ORDER BY c.id LIMIT $4`,
  channel: `SELECT ${channelColumns} FROM channels c WHERE c.organization = $1 AND c.id = $2 AND ${channelIsVisible}`,
  channelNamed: `SELECT ${channelColumns} FROM channels c WHERE c.organization = $1 AND c.name_key = $2 AND ${channelIsVisible}`,
  addChannel: `
    INSERT INTO channels (organization, id, name, name_key, description, is_private, creator_id)
    VALUES ($1, nextval('ids'), $2, $3, $4, $5, $6) RETURNING id`,
  addChannelMembers: `
    INSERT INTO channel_members (organization, channel_id, user_id) VALUES ($1, $2, $each) ON CONFLICT DO NOTHING`,
  // The new name key frees the name. No other name has this key, because names do not begin with a control character.
  removeChannel: `
    UPDATE channels SET is_removed = true, name_key = chr(31) || id
    WHERE organization = $1 AND id = $2 AND NOT is_removed`,

  kindOf: `
    SELECT 'thread' AS kind FROM threads WHERE organization = $1 AND id = $2
    UNION ALL SELECT 'comment' FROM comments WHERE organization = $1 AND id = $2
    UNION ALL SELECT 'channel' FROM channels WHERE organization = $1 AND id = $2
    UNION ALL SELECT 'chat' FROM chats WHERE organization = $1 AND id = $3 AND NOT is_removed`,
  thread: `
    SELECT ${threadColumns} FROM threads t JOIN channels c ON c.organization = $1 AND c.id = t.channel_id
    WHERE t.organization = $1 AND t.id = $2 AND NOT t.is_removed AND ${channelIsVisible}`,
  wholeThread: `
    SELECT ${threadColumns}, to_json(t.blocks) AS blocks, t.created_at AS "createdAt"
    FROM threads t JOIN channels c ON c.organization = $1 AND c.id = t.channel_id
    WHERE t.organization = $1 AND t.id = $2 AND NOT t.is_removed AND NOT c.is_removed`,
  commentCounts: `
    SELECT t.id::text, (SELECT count(*)::int FROM (
      SELECT FROM comments c WHERE c.organization = $1 AND c.thread_id BETWEEN t.id AND t.id LIMIT $3) AS counted) AS count
    FROM threads t WHERE t.organization = $1 AND t.id = ANY ($2::bigint[])`,
  addThread: `
    INSERT INTO threads (organization, id, channel_id, author_id, blocks, share_token, created_at)
    VALUES ($1, nextval('ids'), $2, $3, $4, $5, $6) RETURNING id`,
  removeThread: 'UPDATE threads SET is_removed = true WHERE organization = $1 AND id = $2 AND NOT is_removed',

  threadOfComment: 'SELECT thread_id AS id FROM comments WHERE organization = $1 AND id = $2',
  commentToReplyTo: `${selectComment} FOR SHARE`,
  commentToRemove: `${selectComment} FOR UPDATE`,
  addComment: `
    INSERT INTO comments (organization, id, thread_id, parent_id, author_id, blocks, created_at)
    VALUES ($1, nextval('ids'), $2, $3, $4, $5, $6) RETURNING id`,
  emptyComment: `
    UPDATE comments SET blocks = NULL WHERE organization = $1 AND id = $2
      AND EXISTS (SELECT FROM comments r WHERE r.organization = $1 AND r.parent_id = $2)`,
  removeComment: 'DELETE FROM comments WHERE organization = $1 AND id = $2',
  removeShownInComment: 'DELETE FROM shown_files WHERE organization = $1 AND comment_id = $2',

  chat: `${selectChat} AND c.id = $2`,
  chats: `
    SELECT c.id, c.name FROM chat_members m
    JOIN chats c ON c.organization = m.organization AND c.id = m.chat_id
    WHERE m.organization = $1 AND m.user_id = $2 AND NOT c.is_removed ORDER BY c.id DESC LIMIT $3`,
  chatsNamed: `${selectChat} AND c.name_key = $2 LIMIT 2`,
  addChat: `
    INSERT INTO chats (organization, id, name, name_key, creator_id) VALUES ($1, new_uuid(), $2, $3, $4) RETURNING id`,
  addChatMembers: `
    INSERT INTO chat_members (organization, chat_id, user_id) VALUES ($1, $2, $each) ON CONFLICT DO NOTHING`,
  removeChat: 'UPDATE chats SET is_removed = true WHERE organization = $1 AND id = $2 AND NOT is_removed',

  message: `
    SELECT id, chat_id AS "chatID", author_id AS "authorID" FROM messages WHERE organization = $1 AND id = $2`,
  addMessage: `
    INSERT INTO messages (organization, id, chat_id, author_id, body, created_at)
    VALUES ($1, new_uuid(), $2, $3, $4, $5) RETURNING id`,
  removeMessage: 'DELETE FROM messages WHERE organization = $1 AND id = $2',

  files: `SELECT ${fileColumns} FROM files f WHERE f.organization = $1 AND f.id = ANY ($2::bigint[])`,
  holdContent: 'SELECT pg_advisory_xact_lock(hashtextextended(concat_ws(chr(31), $1::text, $2::text), 2))',
  addFile: `
    INSERT INTO files (organization, id, hash, size, media_type, name, uploader_id, created_at, width, height)
    VALUES ($1, nextval('ids'), decode($2, 'hex'), $3, $4, $5, $6, $7, $8, $9) RETURNING id`,
  // The channels and chats of a file are checked one after the other, until the viewer can see one of them.
  filesSeen: `
    WITH RECURSIVE checked (file_id, room, is_seen) AS (
      SELECT f.id, '', false FROM files f WHERE f.organization = $1 AND f.id = ANY ($2::bigint[])
      UNION ALL
      SELECT p.file_id, n.room, CASE
        WHEN n.message_id IS NOT NULL THEN EXISTS (
          SELECT FROM chats h JOIN chat_members m ON m.organization = $1 AND m.chat_id = h.id AND m.user_id = $3
          WHERE h.organization = $1 AND h.id = n.room::uuid AND NOT h.is_removed)
        ELSE EXISTS (
          SELECT FROM channels c WHERE c.organization = $1 AND c.id = n.room::bigint AND ${channelIsVisible}
        ) AND EXISTS (
          SELECT FROM shown_files o JOIN threads t ON t.organization = $1 AND t.id = o.thread_id AND NOT t.is_removed
          WHERE o.organization = $1 AND o.file_id = p.file_id AND o.room = n.room)
        END
      FROM checked p CROSS JOIN LATERAL (
        SELECT s.room, s.message_id FROM shown_files s
        WHERE s.organization = $1 AND s.file_id = p.file_id AND s.room > p.room ORDER BY s.room LIMIT 1
      ) AS n WHERE NOT p.is_seen
    )
    SELECT file_id AS id FROM checked WHERE is_seen`,
  showFiles: `
    INSERT INTO shown_files (organization, room, place, thread_id, comment_id, message_id, file_id)
    VALUES ($1, $2, $3, $4, $5, $6, $each) ON CONFLICT DO NOTHING`,
  filesShared: `
    SELECT f.id FROM threads t JOIN channels c ON c.organization = $1 AND c.id = t.channel_id
    JOIN files f ON f.organization = $1 AND f.id = ANY ($2::bigint[])
    WHERE t.organization = $1 AND t.share_token = $3 AND NOT t.is_removed AND NOT c.is_removed
      AND EXISTS (SELECT FROM shown_files s WHERE s.organization = $1 AND s.thread_id = t.id AND s.file_id = f.id)`,
  shownFiles: `
    SELECT s.place AS "messageID", ${fileColumns}
    FROM shown_files s JOIN files f ON f.organization = s.organization AND f.id = s.file_id
    WHERE s.organization = $1 AND s.place = ANY ($2::text[])`,
}

export type StatementName = keyof typeof statements | ListName

export const sql: Readonly<Record<StatementName, string>> = { ...statements, ...lists }
