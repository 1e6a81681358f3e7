/** The rows of one organization, as statements: see `api/store/store.ts` and `server/site-store.ts`. */

import { createHash, timingSafeEqual } from 'node:crypto'
import type { QueryResultRow } from 'pg'
import { createUUIDs } from '../../api/rules/uuid.js'
import type * as api from '../../api/store/store.js'
import type * as site from '../site-store.js'
import { PassingConflict, type Run } from './database.js'
import { type StatementName, sql } from './sql.js'

/** The rows of one organization, which is the first value of every statement. */
export class OrganizationRows implements site.SiteRows {
  readonly #run: Run
  readonly #organization: string
  readonly #onRemoved: (() => void) | undefined
  /** The start of the transaction by the clock of the database, once an idempotency key was claimed. */
  #now: Date | null = null

  /** @param onRemoved - called after something was deleted whose rows are removed later */
  constructor(run: Run, organization: string, onRemoved?: () => void) {
    this.#run = run
    this.#organization = organization
    this.#onRemoved = onRemoved
  }

  async claimKey(scope: api.KeyScope): Promise<'busy' | api.KeptResponse | null> {
    const hash = hashOf(scope)
    const lock = await this.#one<{ held: boolean; now: Date }>('lockKey', hash)
    this.#now = lock?.now ?? null
    return lock?.held === true ? this.#one('keptResponse', hash) : 'busy'
  }

  async keepResponse(scope: api.KeyScope, { requestHash, answer }: api.KeptResponse): Promise<void> {
    const kept = await this.#count('keepResponse', hashOf(scope), requestHash, answer, this.#now)
    // In a cluster, another request may hold the lock on another node. If it was faster, this one starts again.
    if (kept === 0) throw new PassingConflict()
  }

  async takeLink(hash: Uint8Array, now: Date): Promise<string | null> {
    return (await this.#one<{ userID: string }>('takeLink', hash, now))?.userID ?? null
  }

  async addSession({ hash, userID, keyHash, expiresAt }: site.SessionRow): Promise<void> {
    await this.#count('addSession', hash, userID, keyHash, expiresAt)
  }

  async session(hash: Uint8Array, now: Date): Promise<site.SessionUser | null> {
    const row = await this.#one<site.SessionUser & { hash: Uint8Array }>('session', hash, now)
    return row !== null && timingSafeEqual(row.hash, hash) ? row : null
  }

  async removeSession(hash: Uint8Array): Promise<void> {
    await this.#count('removeSession', hash)
  }

  users({ after, count }: api.Page): Promise<api.UserRow[]> {
    return this.#many('users', number(after ?? '0'), count)
  }

  usersBy(ids: readonly string[], emailKeys: readonly string[]): Promise<api.UserRow[]> {
    return this.#many('usersBy', ids.map(number), emailKeys)
  }

  async namesOf(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const found = await this.#many<{ id: string; name: string }>('namesOf', ids.map(number))
    return new Map(found.map(({ id, name }) => [id, name]))
  }

  channels(viewerID: string, { after, count }: api.Page): Promise<api.ListedChannel[]> {
    return this.#many('channels', viewerID, number(after ?? '0'), count)
  }

  channel(id: string, viewerID: string): Promise<api.ChannelRow | null> {
    return this.#one('channel', number(id), viewerID)
  }

  channelNamed(nameKey: string, viewerID: string): Promise<api.ChannelRow | null> {
    return this.#one('channelNamed', nameKey, viewerID)
  }

  addChannel(channel: Parameters<api.Rows['addChannel']>[0]): Promise<string> {
    const { name, nameKey, description, isPrivate, creatorID } = channel
    return this.#added('addChannel', name, nameKey, description, isPrivate, creatorID)
  }

  addChannelMembers(channelID: string, userIDs: readonly string[]): Promise<void> {
    return this.#each('addChannelMembers', [number(channelID)], userIDs)
  }

  removeChannel(id: string): Promise<boolean> {
    return this.#removed('removeChannel', number(id))
  }

  async kindOf(id: string): Promise<site.Kind | null> {
    if (uuid(id) !== NO_UUID) return 'chat'
    return (await this.#one<{ kind: site.Kind }>('kindOf', number(id)))?.kind ?? null
  }

  thread(id: string): Promise<api.Head<api.ThreadRow> | null> {
    return this.#one('thread', number(id))
  }

  wholeThread(id: string): Promise<api.ThreadRow | null> {
    return this.#one('wholeThread', number(id))
  }

  threads(channelID: string, part: site.Part): Promise<site.ListedThread[]> {
    return this.#part('threads', number(channelID), part, LAST_NUMBER)
  }

  latestThreads(channelIDs: readonly string[]): Promise<site.LatestRow[]> {
    return this.#many('latestThreads', channelIDs.map(number))
  }

  async commentCounts(threadIDs: readonly string[], most: number): Promise<ReadonlyMap<string, number>> {
    const found = await this.#many<{ id: string; count: number }>('commentCounts', threadIDs.map(number), most)
    return new Map(found.map(({ id, count }) => [id, count]))
  }

  addThread({ channelID, authorID, blocks, shareToken, createdAt }: Omit<api.ThreadRow, 'id'>): Promise<string> {
    return this.#added('addThread', channelID, authorID, blocks, shareToken, createdAt)
  }

  removeThread(id: string): Promise<boolean> {
    return this.#removed('removeThread', number(id))
  }

  comment(id: string, lock: 'share' | 'remove'): ReturnType<api.Rows['comment']> {
    return this.#one(lock === 'share' ? 'commentToAnswer' : 'commentToRemove', number(id))
  }

  async threadOf(commentID: string): Promise<string | null> {
    return (await this.#ids('threadOfComment', number(commentID)))[0] ?? null
  }

  comments(threadID: string, part: site.Part): Promise<site.ListedComment[]> {
    return this.#part('comments', number(threadID), part, LAST_NUMBER)
  }

  addComment(comment: Parameters<api.Rows['addComment']>[0]): Promise<string> {
    const { threadID, parentID, authorID, blocks, createdAt } = comment
    return this.#added('addComment', threadID, parentID, authorID, blocks, createdAt)
  }

  async removeComment(id: string): Promise<boolean> {
    await this.#count('removeShownInComment', number(id))
    if ((await this.#count('emptyComment', number(id))) > 0) return true
    const removed = await this.#one<{ parentID: string | null }>('removeComment', number(id))
    // The comment that it replied to may have been emptied, and have no other reply.
    if (removed !== null && removed.parentID !== null) this.#onRemoved?.()
    return removed !== null
  }

  chat(id: string, viewerID: string): Promise<api.ChatRow | null> {
    return this.#one('chat', uuid(id), viewerID)
  }

  /** Whether there is a chat, for the operator. */
  async hasChat(id: string): Promise<boolean> {
    return (await this.#count('hasChat', uuid(id))) > 0
  }

  chats(viewerID: string, count: number): Promise<site.ListedChat[]> {
    return this.#many('chats', viewerID, count)
  }

  chatsNamed(nameKey: string, viewerID: string): Promise<api.ChatRow[]> {
    return this.#many('chatsNamed', nameKey, viewerID)
  }

  async addChat({ name, nameKey, creatorID }: Parameters<api.Rows['addChat']>[0]): Promise<string> {
    const id = await this.#nextUUID('newestChat')
    await this.#count('addChat', id, name, nameKey, creatorID)
    return id
  }

  addChatMembers(chatID: string, userIDs: readonly string[]): Promise<void> {
    return this.#each('addChatMembers', [uuid(chatID)], userIDs)
  }

  removeChat(id: string): Promise<boolean> {
    return this.#removed('removeChat', uuid(id))
  }

  message(id: string): Promise<api.Head<api.MessageRow> | null> {
    return this.#one('message', uuid(id))
  }

  messages(chatID: string, part: site.Part): Promise<site.ListedMessage[]> {
    return this.#part('messages', uuid(chatID), part, LAST_UUID)
  }

  latestMessages(chatIDs: readonly string[]): Promise<site.LatestRow[]> {
    return this.#many('latestMessages', chatIDs.map(uuid))
  }

  async addMessage({ chatID, authorID, body, createdAt }: Omit<api.MessageRow, 'id'>): Promise<string> {
    const id = await this.#nextUUID('newestMessage', chatID)
    await this.#count('addMessage', id, chatID, authorID, body, createdAt)
    return id
  }

  async removeMessage(id: string): Promise<boolean> {
    return (await this.#count('removeMessage', uuid(id))) > 0
  }

  files(ids: readonly string[]): Promise<api.FileRow[]> {
    return this.#many('files', ids.map(number))
  }

  async holdContent(hash: string): Promise<void> {
    await this.#count('holdContent', hash)
  }

  addFile(file: Omit<api.FileRow, 'id'>): Promise<string> {
    const { hash, size, mediaType, name, uploaderID, createdAt, width, height } = file
    return this.#added('addFile', hash, size, mediaType, name, uploaderID, createdAt, width, height)
  }

  filesSeen(ids: readonly string[], viewerID: string): Promise<string[]> {
    return this.#ids('filesSeen', ids.map(number), viewerID)
  }

  filesShared(ids: readonly string[], secret: string): Promise<string[]> {
    return this.#ids('filesShared', ids.map(number), secret)
  }

  showFiles(place: api.Place, fileIDs: readonly string[]): Promise<void> {
    if ('chatID' in place) {
      const { chatID, messageID } = place
      return this.#each('showFiles', [chatID, messageID, null, null, messageID], fileIDs)
    }
    const { channelID, threadID, commentID = null } = place
    return this.#each('showFiles', [channelID, commentID ?? threadID, threadID, commentID, null], fileIDs)
  }

  filesOfThreads(ids: readonly string[], commentIDs: readonly string[]): Promise<site.ShownFile[]> {
    return this.#many('filesOfThreads', ids.map(number), commentIDs.map(number))
  }

  filesOfMessages(messageIDs: readonly string[]): Promise<site.ShownFile[]> {
    return this.#many('filesOfMessages', messageIDs.map(uuid))
  }

  /** The columns of the statement are the fields of the row: `sql.ts` names them with `AS`. */
  async #many<Row extends QueryResultRow>(name: StatementName, ...values: unknown[]): Promise<Row[]> {
    return (await this.#run<Row>(name, sql[name], [this.#organization, ...values])).rows
  }

  async #one<Row extends QueryResultRow>(name: StatementName, ...values: unknown[]): Promise<Row | null> {
    return (await this.#many<Row>(name, ...values))[0] ?? null
  }

  async #count(name: StatementName, ...values: unknown[]): Promise<number> {
    return (await this.#run(name, sql[name], [this.#organization, ...values])).count
  }

  async #ids(name: StatementName, ...values: unknown[]): Promise<string[]> {
    return (await this.#many<{ id: string }>(name, ...values)).map((row) => row.id)
  }

  /** Reads part of a list, by default from its newest row on. */
  #part<Row extends QueryResultRow>(
    name: 'threads' | 'comments' | 'messages',
    list: string,
    { from, count, bytes }: site.Part,
    last: string,
  ): Promise<Row[]> {
    const start = from === null ? last : last === LAST_UUID ? uuid(from.id) : number(from.id)
    return this.#many(from?.towards === 'newer' ? `${name}Newer` : name, list, start, count, bytes)
  }

  /** Adds a row and returns its new id. */
  async #added(name: StatementName, ...values: unknown[]): Promise<string> {
    const [id] = await this.#ids(name, ...values)
    if (id === undefined) throw new Error('an INSERT returned no row')
    return id
  }

  /** Writes a row for each id, with `VALUES`, which a cluster sends to one shard. */
  async #each(name: StatementName, values: readonly unknown[], ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return
    const first = values.length + 2
    const text = sql[name].replace(/\(([^()]*)\$each\)/, (_, others: string) =>
      ids.map((_, index) => `(${others}$${first + index})`).join(', '),
    )
    // Sorted, so that two requests do not wait for each other.
    await this.#run('', text, [this.#organization, ...values, ...ids.map(number).toSorted()])
  }

  /** Creates a UUIDv7 after the newest one, by the clock of the database: the clocks of processes may differ. */
  async #nextUUID(name: 'newestChat' | 'newestMessage', ...values: unknown[]): Promise<string> {
    const row = await this.#one<{ now: Date; newest: string | null }>(name, ...values)
    const ids = createUUIDs()
    ids.continueAfter(row?.newest ?? '')
    return ids.at(row?.now ?? new Date())
  }

  /** Marks a row as removed and returns whether it existed. */
  async #removed(name: StatementName, id: string): Promise<boolean> {
    const isFound = (await this.#count(name, id)) > 0
    if (isFound) this.#onRemoved?.()
    return isFound
  }
}

/** Returns the hash by which a response is kept: an idempotency key has a bot and an endpoint as its scope. */
function hashOf({ botID, endpoint, key }: api.KeyScope): Uint8Array {
  // Only the last part may contain a line ending.
  return createHash('sha256').update(`${botID}\n${endpoint}\n${key}`).digest()
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
