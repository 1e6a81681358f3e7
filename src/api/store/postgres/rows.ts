/** The rows of one organization, as statements: see `store.ts` for what each means. */

import type { QueryResultRow } from 'pg'
import type {
  ChannelRow,
  ChatRow,
  CommentRow,
  FileCalls,
  FileRow,
  From,
  KeptAnswer,
  ListedChannel,
  ListedComment,
  Location,
  MessageRow,
  Page,
  Place,
  Rows,
  ShownFile,
  ThreadRow,
  UserRow,
} from '../store.js'
import { PassingConflict, type Run } from './database.js'
import { sessionRows } from './session-rows.js'
import { type StatementName, sql } from './sql.js'

type One = <Row extends QueryResultRow>(name: StatementName, ...values: unknown[]) => Promise<Row | null>
type Many = <Row extends QueryResultRow>(name: StatementName, ...values: unknown[]) => Promise<Row[]>
type Count = (name: StatementName, ...values: unknown[]) => Promise<number>

/** How the statements of one transaction are run, the organization always first. */
export interface Scope {
  readonly one: One
  readonly many: Many
  readonly count: Count
}

/**
 * Binds the statements to an organization.
 *
 * @param run - a transaction's, or one that runs each statement on its own
 * @param organization - whose rows
 * @returns the rows
 */
export function rowsOf(run: Run, organization: string): Rows {
  const many: Many = async (name, ...values) => {
    // The statement's columns are the row's fields, which `sql.ts` names by `AS`.
    const { rows } = await run(name, sql[name], [organization, ...values])
    return rows as never[]
  }
  const scope: Scope = {
    many,
    one: async (name, ...values) => (await many<never>(name, ...values))[0] ?? null,
    count: async (name, ...values) => (await run(name, sql[name], [organization, ...values])).count,
  }
  return {
    ...keyRows(scope),
    ...sessionRows(scope),
    ...userRows(scope),
    ...channelRows(scope),
    ...threadRows(scope),
    ...commentRows(scope),
    ...chatRows(scope),
    ...messageRows(scope),
    ...fileRows(scope),
  }
}

function keyRows({ one, count }: Scope): Pick<Rows, 'claimKey' | 'keepAnswer'> {
  return {
    async claimKey({ botID, endpoint, key }) {
      const lock = await one<{ held: boolean }>('lockKey', botID, endpoint, key)
      if (lock?.held !== true) return 'busy'
      return one<KeptAnswer>('keptAnswer', botID, endpoint, key)
    },
    async keepAnswer({ botID, endpoint, key }, { requestHash, answer, createdAt }) {
      const kept = await count('keepAnswer', botID, endpoint, key, requestHash, answer, createdAt)
      // Where the lock is not everybody's (a cluster of servers) another request was faster: ours is undone and asks again.
      if (kept === 0) throw new PassingConflict()
    },
  }
}

function userRows({ many }: Scope): Pick<Rows, 'users' | 'usersBy'> {
  return {
    users: (page) => many<UserRow>('users', after(page), page.count),
    usersBy: (ids, emailKeys) => many<UserRow>('usersBy', ids.map(number), emailKeys),
  }
}

type ChannelCalls = 'channels' | 'channel' | 'channelNamed' | 'addChannel' | 'addChannelMembers' | 'removeChannel'

function channelRows({ one, many, count }: Scope): Pick<Rows, ChannelCalls> {
  return {
    channels: (viewerID, page) => many<ListedChannel>('channels', viewerID, after(page), page.count),
    channel: (id, viewerID) => one<ChannelRow>('channel', number(id), viewerID),
    channelNamed: (nameKey, viewerID) => one<ChannelRow>('channelNamed', nameKey, viewerID),
    async addChannel({ name, nameKey, description, isPrivate, creatorID }) {
      const id = await added(one('addChannel', name, nameKey, description, isPrivate, creatorID))
      await count('addLocation', id, 'channel' satisfies Location['kind'])
      return id
    },
    async addChannelMembers(channelID, userIDs) {
      await count('addChannelMembers', number(channelID), userIDs.map(number))
    },
    async removeChannel(id) {
      if ((await one('lockChannel', number(id))) === null) return false
      const threads = (await many<{ id: string }>('threadsToRemove', number(id))).map((row) => row.id)
      await removeLocations({ many, count }, [id, ...threads], threads)
      return (await count('removeChannel', number(id))) > 0
    },
  }
}

/** Removes from the directory what is about to go, and the comments of the threads among it. */
async function removeLocations(
  { many, count }: Pick<Scope, 'many' | 'count'>,
  ids: readonly string[],
  threads: readonly string[],
): Promise<void> {
  const comments = await many<{ id: string }>('commentIDs', threads)
  await count('removeLocations', [...ids, ...comments.map((row) => row.id)])
}

type ThreadCalls = 'thread' | 'threads' | 'commentCounts' | 'addThread' | 'removeThread'

function threadRows({ one, many, count }: Scope): Pick<Rows, ThreadCalls> {
  return {
    thread: (id) => one<ThreadRow>('thread', number(id)),
    threads: (channelID, from, most) =>
      many<ThreadRow>(isNewer(from) ? 'threadsNewer' : 'threads', number(channelID), numberFrom(from), most),
    async commentCounts(ids, most) {
      const rows = await many<{ id: string; count: number }>('commentCounts', ids.map(number), most)
      return new Map(rows.map((row) => [row.id, row.count]))
    },
    async addThread({ channelID, authorID, blocks, shareToken, createdAt }) {
      const id = await added(one('addThread', channelID, authorID, blocks, shareToken, createdAt))
      await count('addLocation', id, 'thread' satisfies Location['kind'])
      return id
    },
    async removeThread(id) {
      if ((await one('threadToRemove', number(id))) === null) return false
      await removeLocations({ many, count }, [id], [id])
      return (await count('removeThread', number(id))) > 0
    },
  }
}

type CommentCalls = 'comment' | 'comments' | 'hasReplies' | 'addComment' | 'emptyComment' | 'removeComment'

const commentStatements: Readonly<Record<'share' | 'remove', StatementName>> = {
  share: 'commentToAnswer',
  remove: 'commentToRemove',
}

function commentRows({ one, many, count }: Scope): Pick<Rows, CommentCalls> {
  return {
    comment: (id, lock) => one<CommentRow>(lock === null ? 'comment' : commentStatements[lock], number(id)),
    comments: (threadID, from, most) =>
      many<ListedComment>(isNewer(from) ? 'commentsNewer' : 'comments', number(threadID), numberFrom(from), most),
    hasReplies: async (id) => (await one<{ found: boolean }>('hasReplies', number(id)))?.found === true,
    async addComment({ threadID, parentID, authorID, blocks, createdAt }) {
      const id = await added(one('addComment', threadID, parentID, authorID, blocks, createdAt))
      await count('addLocation', id, 'comment' satisfies Location['kind'])
      return id
    },
    async emptyComment(id) {
      await count('removeShownInComment', number(id))
      await count('emptyComment', number(id))
    },
    async removeComment(id) {
      await count('removeLocations', [id])
      return (await count('removeComment', number(id))) > 0
    },
  }
}

type ChatCalls = 'chat' | 'chats' | 'chatsNamed' | 'addChat' | 'addChatMembers' | 'removeChat'

function chatRows({ one, many, count }: Scope): Pick<Rows, ChatCalls> {
  return {
    chat: (id, viewerID) => one<ChatRow>('chat', uuid(id), viewerID),
    chats: (viewerID, most) => many<ChatRow>('chats', viewerID, most),
    chatsNamed: (nameKey, viewerID) => many<ChatRow>('chatsNamed', nameKey, viewerID),
    async addChat({ id, name, nameKey, creatorID }) {
      await count('addChat', id, name, nameKey, creatorID)
      await count('addLocation', id, 'chat' satisfies Location['kind'])
    },
    async addChatMembers(chatID, userIDs) {
      await count('addChatMembers', uuid(chatID), userIDs.map(number))
    },
    async removeChat(id) {
      await count('removeLocations', [uuid(id)])
      return (await count('removeChat', uuid(id))) > 0
    },
  }
}

function messageRows({ one, many, count }: Scope): Pick<Rows, 'message' | 'messages' | 'addMessage' | 'removeMessage'> {
  return {
    message: (id) => one<MessageRow>('message', uuid(id)),
    messages: (chatID, from, most) =>
      many<MessageRow>(isNewer(from) ? 'messagesNewer' : 'messages', uuid(chatID), uuidFrom(from), most),
    async addMessage({ id, chatID, authorID, body, createdAt }) {
      await count('addMessage', id, chatID, authorID, body, createdAt)
    },
    removeMessage: async (id) => (await count('removeMessage', uuid(id))) > 0,
  }
}

function fileRows({ one, many, count }: Scope): Pick<Rows, FileCalls> {
  return {
    files: (ids) => many<FileRow>('files', ids.map(number)),
    async holdContent(hash) {
      await count('holdContent', hash)
    },
    async addFile({ hash, size, mediaType, name, uploaderID, createdAt, width, height }) {
      const id = await added(one('addFile', hash, size, mediaType, name, uploaderID, createdAt, width, height))
      await count('addLocation', id, 'file' satisfies Location['kind'])
      return id
    },
    filesSeen: async (ids, viewerID) =>
      (await many<{ id: string }>('filesSeen', ids.map(number), viewerID)).map((row) => row.id),
    filesShared: async (ids, shareToken) =>
      (await many<{ id: string }>('filesShared', ids.map(number), shareToken)).map((row) => row.id),
    async showFiles(place: Place, fileIDs) {
      const thread = 'threadID' in place ? place.threadID : null
      const comment = 'commentID' in place ? place.commentID : null
      const message = 'messageID' in place ? place.messageID : null
      await count('showFiles', fileIDs.map(number), thread ?? comment ?? message, thread, comment, message)
    },
    filesOfThread: (threadID, ids) => many<ShownFile>('filesOfThread', number(threadID), ids.map(number)),
    filesOfMessages: (ids) => many<ShownFile>('filesOfMessages', ids.map(uuid)),
  }
}

function isNewer(from: From | null): boolean {
  return from?.towards === 'newer'
}

function numberFrom(from: From | null): string {
  return from === null ? LAST_NUMBER : number(from.id)
}

function uuidFrom(from: From | null): string {
  return from === null ? LAST_UUID : uuid(from.id)
}

const LAST_NUMBER = '9223372036854775807'
const LAST_UUID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** What is no number is nobody's id, as 0 is. */
function number(id: string): string {
  return /^[1-9]\d{0,15}$/.test(id) ? id : '0'
}

/** What is no UUID is nobody's id, as the nil UUID is. */
function uuid(id: string): string {
  const isUuid = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i.test(id)
  return isUuid ? id.toLowerCase() : '00000000-0000-0000-0000-000000000000'
}

function after(page: Page): string {
  return number(page.after ?? '0')
}

async function added(inserting: Promise<{ id: string } | null>): Promise<string> {
  const row = await inserting
  if (row === null) throw new Error('an INSERT gave no row back')
  return row.id
}
