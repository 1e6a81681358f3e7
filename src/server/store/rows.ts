/** The rows of one organization, as statements: see `api/store/store.ts` and `server/site-store.ts`. */

import { timingSafeEqual } from 'node:crypto'
import type { QueryResultRow } from 'pg'
import { createUUIDs } from '../../api/rules/uuid.js'
import type { Page } from '../../api/store/store.js'
import type { From, Kind, SessionUser, SiteRows } from '../site-store.js'
import { PassingConflict, type Run } from './database.js'
import { type StatementName, sql } from './sql.js'

/** The statements of each call. The organization is always their first value. */
type Calls = {
  readonly [Name in keyof SiteRows]: SiteRows[Name] extends (...values: infer Values) => infer Result
    ? (rows: Statements, ...values: Values) => Result
    : never
}

/** The statements of one organization. */
class Statements {
  readonly #run: Run
  readonly #organization: string
  readonly #onRemoved: (() => void) | undefined
  /** Kept responses that are older have expired, by the clock of the database. */
  forgotten: Date | null = null

  constructor(run: Run, organization: string, onRemoved: (() => void) | undefined) {
    this.#run = run
    this.#organization = organization
    this.#onRemoved = onRemoved
  }

  /** The columns of the statement are the fields of the row: `sql.ts` names them with `AS`. */
  async many<Row extends QueryResultRow>(name: StatementName, ...values: unknown[]): Promise<Row[]> {
    return (await this.#run<Row>(name, sql[name], [this.#organization, ...values])).rows
  }

  async one<Row extends QueryResultRow>(name: StatementName, ...values: unknown[]): Promise<Row | null> {
    return (await this.many<Row>(name, ...values))[0] ?? null
  }

  async count(name: StatementName, ...values: unknown[]): Promise<number> {
    return (await this.#run(name, sql[name], [this.#organization, ...values])).count
  }

  async do(name: StatementName, ...values: unknown[]): Promise<void> {
    await this.count(name, ...values)
  }

  async ids(name: StatementName, ...values: unknown[]): Promise<string[]> {
    return (await this.many<{ id: string }>(name, ...values)).map((row) => row.id)
  }

  /** Adds a row and returns its new id. */
  async added(name: StatementName, ...values: unknown[]): Promise<string> {
    const [id] = await this.ids(name, ...values)
    if (id === undefined) throw new Error('an INSERT returned no row')
    return id
  }

  /** Writes a row for each id, with `VALUES`, which a cluster sends to one shard. */
  async each(name: StatementName, values: readonly unknown[], ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return
    const first = values.length + 2
    const text = sql[name].replace(/\(([^()]*)\$each\)/, (_, others: string) =>
      ids.map((_, index) => `(${others}$${first + index})`).join(', '),
    )
    // Sorted, so that two requests do not wait for each other.
    await this.#run('', text, [this.#organization, ...values, ...ids.map(number).toSorted()])
  }

  /** Creates a UUIDv7 after the newest one, by the clock of the database: the clocks of processes may differ. */
  async nextUUID(name: 'newestChat' | 'newestMessage', ...values: unknown[]): Promise<string> {
    const row = await this.one<{ now: Date; newest: string | null }>(name, ...values)
    const ids = createUUIDs()
    ids.continueAfter(row?.newest ?? '')
    return ids.at(row?.now ?? new Date())
  }

  /** Marks a row as removed and returns whether it existed. */
  async removed(name: StatementName, id: string): Promise<boolean> {
    const isFound = (await this.count(name, id)) > 0
    if (isFound) this.#onRemoved?.()
    return isFound
  }
}

const calls: Calls = {
  async claimKey(rows, { botID, endpoint, key }) {
    const lock = await rows.one<{ held: boolean; forgotten: Date }>('lockKey', botID, endpoint, key)
    rows.forgotten = lock?.forgotten ?? null
    return lock?.held === true ? rows.one('keptAnswer', botID, endpoint, key) : 'busy'
  },
  async keepResponse(rows, { botID, endpoint, key }, { requestHash, answer }) {
    const kept = await rows.count('keepResponse', botID, endpoint, key, requestHash, answer, rows.forgotten)
    // In a cluster, another request may hold the lock on another node. If it was faster, this one starts again.
    if (kept === 0) throw new PassingConflict()
  },

  takeLink: async (rows, hash, now) => (await rows.one<{ userID: string }>('takeLink', hash, now))?.userID ?? null,
  linkUser: (rows, hash, now) => rows.one('linkUser', hash, now),
  addSession: (rows, { hash, userID, keyHash, expiresAt }) => rows.do('addSession', hash, userID, keyHash, expiresAt),
  async session(rows, hash, now) {
    const row = await rows.one<SessionUser & { hash: Uint8Array }>('session', hash, now)
    return row !== null && timingSafeEqual(row.hash, hash) ? row : null
  },
  removeSession: (rows, hash) => rows.do('removeSession', hash),

  users: (rows, page) => rows.many('users', after(page), page.count),
  usersBy: (rows, ids, emailKeys) => rows.many('usersBy', ids.map(number), emailKeys),

  channels: (rows, viewerID, page) => rows.many('channels', viewerID, after(page), page.count),
  channel: (rows, id, viewerID) => rows.one('channel', number(id), viewerID),
  channelNamed: (rows, nameKey, viewerID) => rows.one('channelNamed', nameKey, viewerID),
  addChannel: (rows, { name, nameKey, description, isPrivate, creatorID }) =>
    rows.added('addChannel', name, nameKey, description, isPrivate, creatorID),
  addChannelMembers: (rows, id, userIDs) => rows.each('addChannelMembers', [number(id)], userIDs),
  removeChannel: (rows, id) => rows.removed('removeChannel', number(id)),

  async kindOf(rows, id) {
    if (uuid(id) !== NO_UUID) return 'chat'
    return (await rows.one<{ kind: Kind }>('kindOf', number(id)))?.kind ?? null
  },

  thread: (rows, id) => rows.one('thread', number(id)),
  wholeThread: (rows, id) => rows.one('wholeThread', number(id)),
  threads: (rows, id, { from, count, bytes }) =>
    rows.many(isNewer(from) ? 'threadsNewer' : 'threads', number(id), numberFrom(from), count, bytes),
  latestThreads: (rows, ids, since, most) => rows.many('latestThreads', ids.map(number), since, most),
  async commentCounts(rows, ids, most) {
    const found = await rows.many<{ id: string; count: number }>('commentCounts', ids.map(number), most)
    return new Map(found.map((row) => [row.id, row.count]))
  },
  addThread: (rows, { channelID, authorID, blocks, shareToken, createdAt }) =>
    rows.added('addThread', channelID, authorID, blocks, shareToken, createdAt),
  removeThread: (rows, id) => rows.removed('removeThread', number(id)),

  comment: (rows, id, lock) => rows.one(lock === 'share' ? 'commentToAnswer' : 'commentToRemove', number(id)),
  threadOf: async (rows, id) => (await rows.ids('threadOfComment', number(id)))[0] ?? null,
  comments: (rows, id, { from, count, bytes }) =>
    rows.many(isNewer(from) ? 'commentsNewer' : 'comments', number(id), numberFrom(from), count, bytes),
  hasReplies: async (rows, id) => (await rows.one<{ found: boolean }>('hasReplies', number(id)))?.found === true,
  addComment: (rows, { threadID, parentID, authorID, blocks, createdAt }) =>
    rows.added('addComment', threadID, parentID, authorID, blocks, createdAt),
  async emptyComment(rows, id) {
    await rows.do('removeShownInComment', number(id))
    await rows.do('emptyComment', number(id))
  },
  async removeComment(rows, id) {
    let count = 0
    for (let next: string | null = number(id), isFirst = true; next !== null; isFirst = false) {
      const chain: { id: string; isAlone: boolean }[] = await rows.many('chainOf', next, isFirst)
      count += await rows.count(
        'removeComments',
        chain.filter(({ isAlone }) => isAlone).map((comment) => comment.id),
      )
      // Another request may be emptying the first comment that stays, or removing its other reply: this one waits for it.
      const top: string | null = chain.find(({ isAlone }) => !isAlone)?.id ?? null
      const head = top === null ? null : await rows.one<{ isDeleted: boolean }>('commentToRemove', top)
      const isOver = head?.isDeleted === true && !(await rows.one<{ found: boolean }>('hasReplies', top))?.found
      next = isOver ? top : null
    }
    return count > 0
  },

  chat: (rows, id, viewerID) => rows.one('chat', uuid(id), viewerID),
  chats: (rows, viewerID, most) => rows.many('chats', viewerID, most),
  chatsNamed: (rows, nameKey, viewerID) => rows.many('chatsNamed', nameKey, viewerID),
  async addChat(rows, { name, nameKey, creatorID }) {
    const id = await rows.nextUUID('newestChat')
    await rows.do('addChat', id, name, nameKey, creatorID)
    return id
  },
  addChatMembers: (rows, id, userIDs) => rows.each('addChatMembers', [uuid(id)], userIDs),
  removeChat: (rows, id) => rows.removed('removeChat', uuid(id)),

  message: (rows, id) => rows.one('message', uuid(id)),
  messages: (rows, id, { from, count, bytes }) =>
    rows.many(isNewer(from) ? 'messagesNewer' : 'messages', uuid(id), uuidFrom(from), count, bytes),
  latestMessages: (rows, ids, since, most) => rows.many('latestMessages', ids.map(uuid), since, most),
  async addMessage(rows, { chatID, authorID, body, createdAt }) {
    const id = await rows.nextUUID('newestMessage', chatID)
    await rows.do('addMessage', id, chatID, authorID, body, createdAt)
    return id
  },
  removeMessage: async (rows, id) => (await rows.count('removeMessage', uuid(id))) > 0,

  files: (rows, ids) => rows.many('files', ids.map(number)),
  holdContent: (rows, hash) => rows.do('holdContent', hash),
  addFile: (rows, { hash, size, mediaType, name, uploaderID, createdAt, width, height }) =>
    rows.added('addFile', hash, size, mediaType, name, uploaderID, createdAt, width, height),
  filesSeen: (rows, ids, viewerID) => rows.ids('filesSeen', ids.map(number), viewerID),
  filesShared: (rows, ids, secret) => rows.ids('filesShared', ids.map(number), secret),
  showFiles(rows, place, fileIDs) {
    const thread = 'threadID' in place ? place.threadID : null
    const comment = 'commentID' in place ? place.commentID : null
    const message = 'messageID' in place ? place.messageID : null
    return rows.each('showFiles', [thread ?? comment ?? message, thread, comment, message], fileIDs)
  },
  filesOfThreads: (rows, ids, commentIDs) => rows.many('filesOfThreads', ids.map(number), commentIDs.map(number)),
  filesOfMessages: (rows, ids) => rows.many('filesOfMessages', ids.map(uuid)),
}

// The calls are defined once, on the prototype. To create them for each request would cost more than a small request.
for (const [name, call] of Object.entries(calls) as [string, (...values: unknown[]) => unknown][]) {
  Object.defineProperty(Statements.prototype, name, {
    value(this: Statements, ...values: unknown[]) {
      return call(this, ...values)
    },
  })
}

/** Binds the statements to an organization. `onRemoved` is called after a row was marked as removed. */
export function rowsOf(run: Run, organization: string, onRemoved?: () => void): SiteRows {
  // The prototype has every call of `SiteRows`.
  return new Statements(run, organization, onRemoved) as Statements & SiteRows
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

/** Replaces a string that is not a valid numeric id by 0, which no row has. */
function number(id: string): string {
  return /^[1-9]\d{0,15}$/.test(id) ? id : '0'
}

/** Replaces a string that is not a UUID by the nil UUID, which no row has. */
function uuid(id: string): string {
  const isUuid = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i.test(id)
  return isUuid ? id.toLowerCase() : NO_UUID
}

const NO_UUID = '00000000-0000-0000-0000-000000000000'

function after(page: Page): string {
  return number(page.after ?? '0')
}
