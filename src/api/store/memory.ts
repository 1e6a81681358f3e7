/**
 * The store in memory, for tests of bots. The store has one organization, and returns the same results as PostgreSQL.
 *
 * Nothing is undone after an error, because the operations check everything before they change the first row.
 */

import { randomUUID } from 'node:crypto'
import { RESPONSE_LIFETIME_MILLISECONDS } from '../contract/types.js'
import {
  type ChannelRow,
  type ChatRow,
  type CommentRow,
  type FileRow,
  type Identity,
  type KeptResponse,
  type MessageReference,
  type MessageRow,
  type Page,
  type Rows,
  type Store,
  StoreError,
  type ThreadRow,
  type UserRow,
} from './store.js'

/** A channel or a chat, with the key of its name and with its members. */
type WithMembers<Row> = Row & { readonly nameKey: string; readonly memberIDs: Set<string> }

/** The rows of the organization by their ids, and the next ids. */
export class Tables {
  readonly users: Map<string, UserRow> = new Map()
  readonly channels: Map<string, WithMembers<ChannelRow>> = new Map()
  readonly threads: Map<string, ThreadRow> = new Map()
  readonly comments: Map<string, CommentRow> = new Map()
  readonly chats: Map<string, WithMembers<ChatRow>> = new Map()
  readonly messages: Map<string, MessageRow> = new Map()
  readonly files: Map<string, FileRow> = new Map()
  /** The files that each message showed when it was posted. The message may have been deleted since. */
  readonly shownFiles: { readonly message: MessageReference; readonly fileIDs: readonly string[] }[] = []
  /** The kept responses by the hash of the idempotency key; `busy` while the first request is running. */
  readonly responses: Map<string, KeptResponse | 'busy'> = new Map()
  // The first id is the same as in a new database.
  #nextID = 100_001
  #milliseconds = 0

  /** Returns the next id of an object that is neither a chat nor a chat message. */
  readonly nextID = (): string => String(this.#nextID++)

  /**
   * Returns a new id of a chat or a chat message, a UUIDv7 (RFC 9562): the time in milliseconds, then random bits. No two ids
   * have the same millisecond, so ids sort in the order of creation.
   */
  readonly nextUUID = (time: Date): string => {
    this.#milliseconds = Math.max(this.#milliseconds + 1, time.getTime())
    const hexTime = this.#milliseconds.toString(16).padStart(12, '0').slice(-12)
    return `${hexTime.slice(0, 8)}-${hexTime.slice(8)}-7${randomUUID().slice(15)}`
  }
}

/** A store whose rows can be read and added without a request. */
export interface MemoryStore extends Store {
  readonly tables: Tables
  /** Adds the API key of a bot, by its hash. */
  addKey(keyHash: Uint8Array, bot: Identity): void
}

export function createMemoryStore(): MemoryStore {
  const tables = new Tables()
  const botsByKeyHash = new Map<string, Identity>()
  return {
    tables,
    addKey: (keyHash, bot) => botsByKeyHash.set(keyHash.join(), bot),
    identify: async (keyHash) => botsByKeyHash.get(keyHash.join()) ?? null,
    rows: () => rowsOf(tables, []),
    async write(_organization, work) {
      const claimedIdempotencyKeys: string[] = []
      return work(rowsOf(tables, claimedIdempotencyKeys)).finally(() => {
        // The idempotency keys of a request that failed are free again.
        for (const key of claimedIdempotencyKeys) if (tables.responses.get(key) === 'busy') tables.responses.delete(key)
      })
    },
  }
}

/** Returns the queries of a request. Each one runs synchronously, so no request sees half of a change. */
function rowsOf(tables: Tables, claimedIdempotencyKeys: string[]): Rows {
  const [ofUsers, ofFiles] = [usersAndResponses(tables, claimedIdempotencyKeys), files(tables)]
  return { ...ofUsers, ...channels(tables), ...threads(tables), ...chats(tables), ...ofFiles }
}

function usersAndResponses({ users, responses }: Tables, claimedIdempotencyKeys: string[]) {
  return {
    async claimKey(key, now) {
      const kept = responses.get(key)
      if (kept === 'busy') return kept
      if (kept !== undefined && now.getTime() - kept.createdAt.getTime() < RESPONSE_LIFETIME_MILLISECONDS) return kept
      responses.set(key, 'busy')
      claimedIdempotencyKeys.push(key)
      return null
    },
    keepResponse: async (key, kept) => void responses.set(key, kept),
    users: async (page) => partOf(users.values(), page),
    usersBy: async (ids, emailKeys) =>
      [...users.values()].filter(({ id, emailKey }) => ids.includes(id) || emailKeys.includes(emailKey)),
  } satisfies Partial<Rows>
}

function channels({ channels, threads, comments, nextID }: Tables) {
  return {
    channels: async (viewerID, page) => {
      const visibleChannels = [...channels.values()].filter((channel) => isVisible(channel, viewerID))
      return partOf(visibleChannels, page).map((channel) => ({
        ...channel,
        memberIDs: [...channel.memberIDs].sort((one, other) => Number(one) - Number(other)),
      }))
    },
    channel: async (id, viewerID) => {
      const channel = channels.get(id)
      return isVisible(channel, viewerID) ? channel : null
    },
    channelNamed: async (nameKey, viewerID) =>
      [...channels.values()].find((each) => each.nameKey === nameKey && isVisible(each, viewerID)) ?? null,
    addChannel: async (channel) => {
      for (const { nameKey } of channels.values()) if (nameKey === channel.nameKey) throw new StoreError('taken')
      return addRow(channels, nextID(), { ...channel, memberIDs: new Set(channel.memberIDs) })
    },
    addChannelMembers: async (id, userIDs) => {
      const { memberIDs } = requireRow(channels, id)
      for (const userID of userIDs) memberIDs.add(userID)
    },
    removeChannel: async (id) => {
      removeAll(comments, ({ threadID }) => threads.get(threadID)?.channelID === id)
      removeAll(threads, ({ channelID }) => channelID === id)
      return channels.delete(id)
    },
  } satisfies Partial<Rows>
}

/** Whether a channel exists and the viewer can see it. */
function isVisible(channel: WithMembers<ChannelRow> | undefined, viewerID: string): channel is WithMembers<ChannelRow> {
  return channel !== undefined && (!channel.isPrivate || channel.memberIDs.has(viewerID))
}

/** Returns the queries for threads and their comments. */
function threads({ channels, threads, comments, nextID }: Tables) {
  return {
    thread: async (id, viewerID) => {
      const thread = threads.get(id)
      return thread !== undefined && isVisible(channels.get(thread.channelID), viewerID) ? thread : null
    },
    addThread: async (thread) => {
      requireRow(channels, thread.channelID)
      return addRow(threads, nextID(), thread)
    },
    removeThread: async (id) => {
      removeAll(comments, ({ threadID }) => threadID === id)
      return threads.delete(id)
    },
    // No lock is needed: `addComment` throws if its parent was deleted meanwhile.
    comment: async (id) => {
      const comment = comments.get(id)
      return comment === undefined || comment.blocks === null ? null : comment
    },
    addComment: async (comment) => {
      requireRow(threads, comment.threadID)
      if (comment.parentID !== null) requireRow(comments, comment.parentID)
      return addRow(comments, nextID(), comment)
    },
    removeComment: async (id) => {
      const comment = comments.get(id)
      const hasReplies = [...comments.values()].some(({ parentID }) => parentID === id)
      if (comment === undefined || !hasReplies) return comments.delete(id)
      comments.set(id, { ...comment, blocks: null })
      return true
    },
  } satisfies Partial<Rows>
}

/** Returns the queries for chats with their messages. The letters of an id may have any case. */
function chats({ chats, messages, nextUUID }: Tables) {
  return {
    chat: async (id, viewerID) => {
      const chat = chats.get(id.toLowerCase())
      return chat?.memberIDs.has(viewerID) === true ? chat : null
    },
    chatsNamed: async (nameKey, viewerID) =>
      [...chats.values()].filter((chat) => chat.nameKey === nameKey && chat.memberIDs.has(viewerID)),
    addChat: async ({ createdAt, ...chat }) =>
      addRow(chats, nextUUID(createdAt), { ...chat, memberIDs: new Set(chat.memberIDs) }),
    removeChat: async (id) => {
      removeAll(messages, ({ chatID }) => chatID === id.toLowerCase())
      return chats.delete(id.toLowerCase())
    },
    message: async (id) => messages.get(id.toLowerCase()) ?? null,
    addMessage: async (message) => {
      requireRow(chats, message.chatID)
      return addRow(messages, nextUUID(message.createdAt), message)
    },
    removeMessage: async (id) => messages.delete(id.toLowerCase()),
  } satisfies Partial<Rows>
}

function files({ files, shownFiles, channels, threads, comments, chats, messages, nextID }: Tables) {
  /** Whether the message still exists and the viewer can see it. */
  const isSeen = (message: MessageReference, viewerID: string): boolean => {
    if ('chatID' in message) {
      return messages.has(message.messageID) && chats.get(message.chatID)?.memberIDs.has(viewerID) === true
    }
    const { channelID, threadID, commentID } = message
    const exists = commentID === undefined ? threads.has(threadID) : (comments.get(commentID)?.blocks ?? null) !== null
    return exists && isVisible(channels.get(channelID), viewerID)
  }
  return {
    files: async (fileIDs) => [...files.values()].filter(({ id }) => fileIDs.includes(id)),
    addFile: async (file) => addRow(files, nextID(), file),
    filesSeen: async (ids, viewerID) =>
      ids.filter((id) => shownFiles.some(({ message, fileIDs }) => fileIDs.includes(id) && isSeen(message, viewerID))),
    showFiles: async (message, fileIDs) => void shownFiles.push({ message, fileIDs }),
  } satisfies Partial<Rows>
}

/** Adds a row and returns its id. */
function addRow<Row>(table: Map<string, Row>, id: string, row: Omit<Row, 'id'>): string {
  // The cast is safe: the id is the only field that was missing.
  table.set(id, { ...row, id } as Row)
  return id
}

/** Returns the row that a new row refers to. Throws StoreError if it was deleted. */
function requireRow<Row>(table: Map<string, Row>, id: string): Row {
  const row = table.get(id)
  if (row === undefined) throw new StoreError('gone')
  return row
}

function removeAll<Row>(table: Map<string, Row>, isRemoved: (row: Row) => boolean): void {
  for (const [id, row] of table) if (isRemoved(row)) table.delete(id)
}

/** Returns a part of a list, in the order of the numeric ids. */
function partOf<Row extends { readonly id: string }>(all: Iterable<Row>, { after, count }: Page): Row[] {
  const rows = [...all].filter(({ id }) => Number(id) > Number(after))
  return rows.sort((one, other) => Number(one.id) - Number(other.id)).slice(0, count)
}
