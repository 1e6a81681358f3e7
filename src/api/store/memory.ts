/**
 * The store in memory, for tests of bots. It returns the same results as PostgreSQL.
 *
 * Nothing is undone after an error, because the operations check everything before they change the first row.
 */

import { KEPT_MILLISECONDS } from '../contract/types.js'
import { nextUUID } from '../rules/uuid.js'
import {
  type ChannelRow,
  type ChatRow,
  type CommentRow,
  type FileRow,
  type Identity,
  type KeptResponse,
  type KeyScope,
  type ListedChannel,
  type MessageRow,
  type Page,
  type Place,
  type Rows,
  type Store,
  StoreError,
  type ThreadRow,
  type UserRow,
} from './store.js'

/** A channel or a chat with its members. */
type WithMembers<Row> = Row & { readonly nameKey: string; readonly memberIDs: Set<string> }

/** The tables of one organization: rows by their id. */
export interface Tables {
  readonly organization: string
  readonly name: string
  readonly users: Map<string, UserRow>
  readonly channels: Map<string, WithMembers<Omit<ChannelRow, 'isMember'>>>
  readonly threads: Map<string, ThreadRow>
  readonly comments: Map<string, CommentRow>
  readonly chats: Map<string, WithMembers<ChatRow>>
  readonly messages: Map<string, MessageRow>
  readonly files: Map<string, FileRow>
  /** The files that messages show, with the channel or chat, by the id of the message. */
  readonly shownFiles: Map<string, { readonly containerID: string; readonly fileIDs: readonly string[] }>
  /** The kept responses by the scope of the idempotency key; `busy` while the first request is running. */
  readonly responses: Map<string, KeptResponse | 'busy'>
}

/** A store whose rows can be read and added without a request. */
export interface MemoryStore extends Store {
  /** Adds an organization without users. */
  addOrganization(organization: string, name: string): Tables
  /** Adds the API key of a bot, by its hash. */
  addKey(keyHash: Uint8Array, bot: Identity): void
  readonly ids: IDs
}

/** The ids of new objects. */
class IDs {
  // The first one is that of a new database.
  #number = 100_001
  #uuid = ''

  /** Returns the next id of an object that is neither a chat nor a chat message. */
  next(): string {
    return String(this.#number++)
  }

  /** Returns the next id of a chat or a chat message. */
  nextUUID(time: Date): string {
    this.#uuid = nextUUID(this.#uuid, time)
    return this.#uuid
  }
}

export function createMemoryStore(): MemoryStore {
  const organizations = new Map<string, Tables>()
  const keys = new Map<string, Identity>()
  const ids = new IDs()
  const run = async <Result>(organization: string, work: (rows: Rows) => Promise<Result>): Promise<Result> => {
    const tables = organizations.get(organization)
    if (tables === undefined) throw new StoreError('gone')
    const rows = new MemoryRows(tables, ids)
    return work(rows).finally(() => rows.releaseKeys())
  }
  return {
    write: run,
    read: run,
    identify: async (keyHash) => keys.get(hexOf(keyHash)) ?? null,
    addOrganization(organization, name) {
      const tables = {
        ...{ organization, name, users: new Map(), channels: new Map(), threads: new Map(), comments: new Map() },
        ...{ chats: new Map(), messages: new Map(), files: new Map(), shownFiles: new Map(), responses: new Map() },
      }
      organizations.set(organization, tables)
      return tables
    },
    addKey: (keyHash, bot) => keys.set(hexOf(keyHash), bot),
    ids,
  }
}

function hexOf(hash: Uint8Array): string {
  return Buffer.from(hash).toString('hex')
}

/** The rows of one organization. Each method reads and changes them at once, so no request sees half of a change. */
class MemoryRows implements Rows {
  readonly #tables: Tables
  readonly #ids: IDs
  readonly #claimedKeys: string[] = []

  constructor(tables: Tables, ids: IDs) {
    this.#tables = tables
    this.#ids = ids
  }

  async claimKey(scope: KeyScope, now: Date): Promise<'busy' | KeptResponse | null> {
    const { responses } = this.#tables
    const key = keyOf(scope)
    const kept = responses.get(key)
    if (kept === 'busy') return kept
    if (kept !== undefined && now.getTime() - kept.createdAt.getTime() < KEPT_MILLISECONDS) return kept
    responses.set(key, 'busy')
    this.#claimedKeys.push(key)
    return null
  }

  async keepResponse(scope: KeyScope, kept: KeptResponse): Promise<void> {
    this.#tables.responses.set(keyOf(scope), kept)
  }

  /** Frees the idempotency keys of a request that failed. */
  releaseKeys(): void {
    const { responses } = this.#tables
    for (const key of this.#claimedKeys) if (responses.get(key) === 'busy') responses.delete(key)
  }

  async users(page: Page): Promise<UserRow[]> {
    return partOf(this.#tables.users, page)
  }

  async usersBy(ids: readonly string[], emailKeys: readonly string[]): Promise<UserRow[]> {
    const users = [...this.#tables.users.values()]
    return users.filter(({ id, emailKey }) => ids.includes(id) || emailKeys.includes(emailKey))
  }

  async channels(viewerID: string, page: Page): Promise<ListedChannel[]> {
    const visible = [...this.#tables.channels].filter(([, channel]) => isVisible(channel, viewerID))
    return partOf(new Map(visible), page).map((channel) => ({
      ...channel,
      isMember: channel.memberIDs.has(viewerID),
      memberIDs: [...channel.memberIDs].sort((one, other) => Number(one) - Number(other)),
    }))
  }

  async channel(id: string, viewerID: string): Promise<ChannelRow | null> {
    const channel = this.#tables.channels.get(id)
    return channel === undefined ? null : { ...channel, isMember: channel.memberIDs.has(viewerID) }
  }

  async channelNamed(nameKey: string, viewerID: string): Promise<ChannelRow | null> {
    const found = [...this.#tables.channels.values()].find((channel) => channel.nameKey === nameKey)
    return found === undefined ? null : this.channel(found.id, viewerID)
  }

  async addChannel(channel: Parameters<Rows['addChannel']>[0]): Promise<string> {
    const { channels } = this.#tables
    for (const { nameKey } of channels.values()) if (nameKey === channel.nameKey) throw new StoreError('taken')
    return added(channels, this.#ids.next(), { ...channel, memberIDs: new Set(channel.memberIDs) })
  }

  async addChannelMembers(id: string, userIDs: readonly string[]): Promise<void> {
    const { memberIDs } = required(this.#tables.channels, id)
    for (const userID of userIDs) memberIDs.add(userID)
  }

  async removeChannel(id: string): Promise<boolean> {
    const { channels, threads } = this.#tables
    // The channel is removed first, so that it gets no threads meanwhile.
    const isRemoved = channels.delete(id)
    for (const thread of threads.values()) if (thread.channelID === id) await this.removeThread(thread.id)
    return isRemoved
  }

  async thread(id: string): Promise<ThreadRow | null> {
    return this.#tables.threads.get(id) ?? null
  }

  async addThread(thread: Omit<ThreadRow, 'id'>): Promise<string> {
    required(this.#tables.channels, thread.channelID)
    return added(this.#tables.threads, this.#ids.next(), thread)
  }

  async removeThread(id: string): Promise<boolean> {
    const { comments, threads, shownFiles } = this.#tables
    shownFiles.delete(id)
    for (const comment of comments.values()) {
      if (comment.threadID !== id) continue
      shownFiles.delete(comment.id)
      comments.delete(comment.id)
    }
    return threads.delete(id)
  }

  // No lock is needed: `addComment` finds a parent that was deleted meanwhile.
  async comment(id: string): Promise<(CommentRow & { isDeleted: boolean }) | null> {
    const comment = this.#tables.comments.get(id)
    return comment === undefined ? null : { ...comment, isDeleted: comment.blocks === null }
  }

  async addComment(comment: Parameters<Rows['addComment']>[0]): Promise<string> {
    const { threads, comments } = this.#tables
    required(threads, comment.threadID)
    if (comment.parentID !== null) required(comments, comment.parentID)
    return added(comments, this.#ids.next(), comment)
  }

  async removeComment(id: string): Promise<boolean> {
    const { comments, shownFiles } = this.#tables
    const comment = comments.get(id)
    shownFiles.delete(id)
    const hasReplies = [...comments.values()].some(({ parentID }) => parentID === id)
    if (comment === undefined || !hasReplies) return comments.delete(id)
    comments.set(id, { ...comment, blocks: null })
    return true
  }

  async chat(id: string, viewerID: string): Promise<ChatRow | null> {
    const chat = this.#tables.chats.get(id.toLowerCase())
    return chat?.memberIDs.has(viewerID) === true ? chat : null
  }

  async chatsNamed(nameKey: string, viewerID: string): Promise<ChatRow[]> {
    const chats = [...this.#tables.chats.values()]
    return chats.filter((chat) => chat.nameKey === nameKey && chat.memberIDs.has(viewerID))
  }

  async addChat({ createdAt, ...chat }: Parameters<Rows['addChat']>[0]): Promise<string> {
    return added(this.#tables.chats, this.#ids.nextUUID(createdAt), { ...chat, memberIDs: new Set(chat.memberIDs) })
  }

  async removeChat(id: string): Promise<boolean> {
    const { messages, chats } = this.#tables
    const chatID = id.toLowerCase()
    const isRemoved = chats.delete(chatID)
    for (const message of messages.values()) if (message.chatID === chatID) await this.removeMessage(message.id)
    return isRemoved
  }

  async message(id: string): Promise<MessageRow | null> {
    return this.#tables.messages.get(id.toLowerCase()) ?? null
  }

  async addMessage(message: Omit<MessageRow, 'id'>): Promise<string> {
    required(this.#tables.chats, message.chatID)
    return added(this.#tables.messages, this.#ids.nextUUID(message.createdAt), message)
  }

  async removeMessage(id: string): Promise<boolean> {
    this.#tables.shownFiles.delete(id.toLowerCase())
    return this.#tables.messages.delete(id.toLowerCase())
  }

  async files(ids: readonly string[]): Promise<FileRow[]> {
    return [...this.#tables.files.values()].filter(({ id }) => ids.includes(id))
  }

  // File data in memory is never removed.
  async holdContent(): Promise<void> {}

  async addFile(file: Omit<FileRow, 'id'>): Promise<string> {
    return added(this.#tables.files, this.#ids.next(), file)
  }

  async filesSeen(ids: readonly string[], viewerID: string): Promise<string[]> {
    const { channels, chats, shownFiles } = this.#tables
    const seen = [...shownFiles.values()].filter(({ containerID }) => {
      const channel = channels.get(containerID)
      return channel === undefined ? chats.get(containerID)?.memberIDs.has(viewerID) : isVisible(channel, viewerID)
    })
    const fileIDs = new Set(seen.flatMap((shown) => shown.fileIDs))
    return ids.filter((id) => fileIDs.has(id))
  }

  async showFiles(place: Place, fileIDs: readonly string[]): Promise<void> {
    const containerID = 'chatID' in place ? place.chatID : place.channelID
    const messageID = 'messageID' in place ? place.messageID : (place.commentID ?? place.threadID)
    this.#tables.shownFiles.set(messageID, { containerID, fileIDs })
  }
}

/** Joins a scope into one string. Only the last part may contain a line ending. */
function keyOf({ botID, endpoint, key }: KeyScope): string {
  return `${botID}\n${endpoint}\n${key}`
}

/** Adds a row and returns its id. */
function added<Row>(table: Map<string, Row>, id: string, row: Omit<Row, 'id'>): string {
  // The cast is safe: the id is the only field that was missing.
  table.set(id, { ...row, id } as Row)
  return id
}

/** Returns the row that a new row refers to. Throws StoreError if it was deleted. */
function required<Row>(table: Map<string, Row>, id: string): Row {
  const row = table.get(id)
  if (row === undefined) throw new StoreError('gone')
  return row
}

/** Returns a part of a list, in the order of the numeric ids. */
function partOf<Row extends { readonly id: string }>(table: Map<string, Row>, { after, count }: Page): Row[] {
  const rows = [...table.values()].filter(({ id }) => Number(id) > Number(after ?? 0))
  return rows.sort((one, other) => Number(one.id) - Number(other.id)).slice(0, count ?? undefined)
}

function isVisible(channel: { isPrivate: boolean; memberIDs: ReadonlySet<string> }, viewerID: string): boolean {
  return !channel.isPrivate || channel.memberIDs.has(viewerID)
}
