/** Implements the rows of one organization (`api/store/store.ts`, `server/site-store.ts`) with SQL statements. */

import { timingSafeEqual } from 'node:crypto'
import type { QueryResultRow } from 'pg'
import type { KeptResponse } from '../../api/store/store.js'
import type { Kind, SessionUser, SiteRows } from '../site-store.js'
import { conflict, type Run } from './database.js'
import { type StatementName, sql } from './sql.js'

/**
 * Returns the queries for the rows of one organization.
 *
 * @param run - runs each statement, for example in a transaction
 * @param organization - the organization's id, which every statement takes as its first value
 */
export function rowsOf(run: Run, organization: string): SiteRows {
  const statements = statementsOf(run, organization)
  // `Object.assign` takes V8 4 microseconds for an object of this size; spread syntax takes 40.
  return Object.assign(people(statements), channels(statements), chats(statements), files(statements))
}

/** Returns the queries for users and their sessions, and for the responses that are kept for idempotency keys. */
function people(run: Statements) {
  // The start of the transaction by the clock of the database, once an idempotency key was claimed.
  let now: Date | null = null
  return {
    async claimKey(hash) {
      // Both statements are sent together, but run in order: the second one sees the row of the last holder of the lock.
      const [lock, kept] = await Promise.all([
        run.one<{ held: boolean; now: Date }>('lockKey', hash),
        run.one<KeptResponse>('keptResponse', hash),
      ])
      now = lock?.now ?? null
      return lock?.held === true ? kept : 'busy'
    },
    async keepResponse(hash, { requestHash, answer }) {
      const isKept = await run.isChanged('keepResponse', hash, requestHash, answer, now)
      // In a cluster, another request may hold the lock on another node. If it was faster, this request is repeated.
      if (!isKept) throw conflict('another request has kept its response')
    },
    takeLink: async (hash, now) => (await run.one<{ userID: string }>('takeLink', hash, now))?.userID ?? null,
    addSession: ({ hash, userID, keyHash, expiresAt }) => run.change('addSession', hash, userID, keyHash, expiresAt),
    async session(hash, now) {
      const row = await run.one<SessionUser & { hash: Uint8Array }>('session', hash, now)
      return row !== null && timingSafeEqual(row.hash, hash) ? row : null
    },
    removeSession: (hash) => run.change('removeSession', hash),
    users: ({ after, count }) => run.many('users', number(after), count),
    usersBy: (ids, emailKeys) => run.many('usersBy', ids.map(number), emailKeys),
    async namesOf(ids) {
      const rows = await run.many<{ id: string; name: string }>('namesOf', ids.map(number))
      return new Map(rows.map(({ id, name }) => [id, name]))
    },
  } satisfies Partial<SiteRows>
}

/** Returns the queries for channels with their threads and comments. */
function channels(run: Statements) {
  return {
    kindOf: async (id) => (await run.one<{ kind: Kind }>('kindOf', number(id), uuid(id)))?.kind ?? null,
    channels: (viewerID, { after, count }) => run.many('channels', number(after), viewerID, count),
    channel: (id, viewerID) => run.one('channel', number(id), viewerID),
    channelNamed: (nameKey, viewerID) => run.one('channelNamed', nameKey, viewerID),
    async addChannel({ name, nameKey, description, isPrivate, creatorID, memberIDs }) {
      const id = await run.insert('addChannel', name, nameKey, description, isPrivate, creatorID)
      await run.each('addChannelMembers', [number(id)], memberIDs)
      return id
    },
    addChannelMembers: (channelID, userIDs) => run.each('addChannelMembers', [number(channelID)], userIDs),
    removeChannel: (id) => run.isChanged('removeChannel', number(id)),
    thread: (id, viewerID) => run.one('thread', number(id), viewerID),
    wholeThread: (id) => run.one('wholeThread', number(id)),
    async commentCounts(threadIDs, countMax) {
      const rows = await run.many<{ id: string; count: number }>('commentCounts', threadIDs.map(number), countMax)
      return new Map(rows.map(({ id, count }) => [id, count]))
    },
    addThread: ({ channelID, authorID, blocks, shareToken, createdAt }) =>
      run.insert('addThread', channelID, authorID, blocks, shareToken, createdAt),
    removeThread: (id) => run.isChanged('removeThread', number(id)),
    comment: (id, lock) => run.one(lock === 'share' ? 'commentToReplyTo' : 'commentToRemove', number(id)),
    threadOf: async (commentID) => (await run.ids('threadOfComment', number(commentID)))[0] ?? null,
    addComment: ({ threadID, parentID, authorID, blocks, createdAt }) =>
      run.insert('addComment', threadID, parentID, authorID, blocks, createdAt),
    async removeComment(id) {
      await run.change('removeShownInComment', number(id))
      if (await run.isChanged('emptyComment', number(id))) return true
      return run.isChanged('removeComment', number(id))
    },
  } satisfies Partial<SiteRows>
}

/** Returns the queries for chats with their messages, and for the lists of all kinds of posts. */
function chats(run: Statements) {
  return {
    chat: (id, viewerID) => run.one('chat', uuid(id), viewerID),
    chats: (viewerID, count) => run.many('chats', viewerID, count),
    chatsNamed: (nameKey, viewerID) => run.many('chatsNamed', nameKey, viewerID),
    async addChat({ name, nameKey, creatorID, memberIDs }) {
      const id = await run.insert('addChat', name, nameKey, creatorID)
      await run.each('addChatMembers', [id], memberIDs)
      return id
    },
    removeChat: (id) => run.isChanged('removeChat', uuid(id)),
    message: (id) => run.one('message', uuid(id)),
    addMessage: ({ chatID, authorID, body, createdAt }) => run.insert('addMessage', chatID, authorID, body, createdAt),
    removeMessage: (id) => run.isChanged('removeMessage', uuid(id)),
    posts(list, id, { from, towards, count, bytes }) {
      const [idOf, last] = list === 'messages' ? [uuid, LAST_UUID] : [number, LAST_NUMBER]
      const name = towards === 'newer' ? (`${list}Newer` as const) : list
      return run.many(name, idOf(id), from === null ? last : idOf(from), count, bytes)
    },
    latestPosts: (list, ids) =>
      list === 'threads' ? run.many('latestThreads', ids.map(number)) : run.many('latestMessages', ids.map(uuid)),
  } satisfies Partial<SiteRows>
}

function files(run: Statements) {
  return {
    files: (fileIDs) => run.many('files', fileIDs.map(number)),
    async addFile({ hash, size, mediaType, name, uploaderID, createdAt, width, height }) {
      await run.change('holdContent', hash)
      return run.insert('addFile', hash, size, mediaType, name, uploaderID, createdAt, width, height)
    },
    filesSeen: (fileIDs, viewerID) => run.ids('filesSeen', fileIDs.map(number), viewerID),
    filesShared: (fileIDs, secret) => run.ids('filesShared', fileIDs.map(number), secret),
    showFiles(message, fileIDs) {
      if ('chatID' in message) {
        const { chatID, messageID } = message
        return run.each('showFiles', [chatID, messageID, null, null, messageID], fileIDs)
      }
      const { channelID, threadID, commentID = null } = message
      return run.each('showFiles', [channelID, commentID ?? threadID, threadID, commentID, null], fileIDs)
    },
    shownFiles: (messageIDs) => run.many('shownFiles', messageIDs),
  } satisfies Partial<SiteRows>
}

/** Returns the functions that run the statements of one organization, whose id is the first value of each statement. */
function statementsOf(run: Run, organization: string) {
  /** Returns the rows of a statement. Its columns are the fields of a row: `sql.ts` names them with `AS`. */
  const many = async <Row extends QueryResultRow>(name: StatementName, ...values: unknown[]): Promise<Row[]> =>
    (await run<Row>(sql[name], [organization, ...values])).rows
  const one = async <Row extends QueryResultRow>(name: StatementName, ...values: unknown[]): Promise<Row | null> =>
    (await many<Row>(name, ...values))[0] ?? null
  const ids = async (name: StatementName, ...values: unknown[]): Promise<string[]> =>
    (await many<{ id: string }>(name, ...values)).map(({ id }) => id)
  /** Adds a row and returns its new id. */
  const insert = async (name: StatementName, ...values: unknown[]): Promise<string> =>
    (await ids(name, ...values))[0] ?? ''
  /** Returns whether a statement changes a row. */
  const isChanged = async (name: StatementName, ...values: unknown[]): Promise<boolean> =>
    (await run(sql[name], [organization, ...values])).count > 0
  const change = async (name: StatementName, ...values: unknown[]): Promise<void> =>
    void (await isChanged(name, ...values))
  /** Writes a row for each id in one statement with `VALUES`, which a cluster sends to one shard. */
  const each = async (name: StatementName, values: readonly unknown[], rowIDs: readonly string[]): Promise<void> => {
    if (rowIDs.length === 0) return
    const first = values.length + 2
    const text = sql[name].replace(/\(([^()]*)\$each\)/, (_, others: string) =>
      rowIDs.map((_, index) => `(${others}$${first + index})`).join(', '),
    )
    // The ids are sorted, so that two requests lock rows in the same order and cannot block each other.
    await run(text, [organization, ...values, ...rowIDs.map(number).toSorted()])
  }
  return { many, one, ids, insert, isChanged, change, each }
}

type Statements = ReturnType<typeof statementsOf>

const LAST_NUMBER = '9223372036854775807'
const LAST_UUID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** Replaces a string that is not a valid numeric id with 0, which no row has as its id. */
export function number(id: string): string {
  return /^[1-9]\d{0,15}$/.test(id) ? id : '0'
}

/** Replaces a string that is not a UUID with the nil UUID, which no row has as its id. */
function uuid(id: string): string {
  const isUuid = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i.test(id)
  return isUuid ? id.toLowerCase() : '00000000-0000-0000-0000-000000000000'
}
