/** The rows of one organization in memory: see `store.ts`. Removing a row also removes the rows that refer to it. */

import { KEPT_MILLISECONDS } from '../../contract/types.js'
import { uuids } from '../../rules/uuid.js'
import {
  type ChannelRow,
  type ChatRow,
  type CommentRow,
  type FileRow,
  type KeptResponse,
  type KeyScope,
  type ListedChannel,
  type MessageRow,
  type Page,
  type Rows,
  StoreError,
  type ThreadRow,
  type UserRow,
} from '../store.js'
import { keyOf, nextID, type Showing, type StoredChannel, type Tables, type Transaction } from './tables.js'

/** The rows of a transaction. Each method waits until the transaction may start; `claimKey` holds its key before. */
export class MemoryRows implements Rows {
  readonly #transaction: Transaction

  constructor(transaction: Transaction) {
    this.#transaction = transaction
  }

  /** Waits for the end of the transaction before this one. */
  async #enter(): Promise<Transaction['tables']> {
    await this.#transaction.enter()
    return this.#transaction.tables
  }

  #nextID(): string {
    return nextID(this.#transaction.directory)
  }

  async claimKey(scope: KeyScope, now: Date): Promise<'busy' | KeptResponse | null> {
    const key = this.#transaction.hold(scope)
    if (key === null) return 'busy'
    const kept = (await this.#enter()).answers.get(key)
    return kept !== undefined && now.getTime() - kept.createdAt.getTime() < KEPT_MILLISECONDS ? kept : null
  }

  async keepResponse(scope: KeyScope, kept: KeptResponse): Promise<void> {
    ;(await this.#enter()).answers.put(keyOf(scope), kept)
  }

  async users(page: Page): Promise<UserRow[]> {
    return listed((await this.#enter()).users.all(), page)
  }

  async usersBy(ids: readonly string[], emailKeys: readonly string[]): Promise<UserRow[]> {
    const { users } = await this.#enter()
    return users.all().filter(({ id, emailKey }) => ids.includes(id) || emailKeys.includes(emailKey))
  }

  async channels(viewerID: string, page: Page): Promise<ListedChannel[]> {
    const { channels } = await this.#enter()
    const visible = channels.all().flatMap((channel) => {
      const isMember = channel.memberIDs.has(viewerID)
      const memberIDs = [...channel.memberIDs].sort((one, other) => Number(one) - Number(other))
      return channel.isPrivate && !isMember ? [] : [{ ...channel, isMember, memberIDs }]
    })
    return listed(visible, page)
  }

  async channel(id: string, viewerID: string): Promise<ChannelRow | null> {
    return seenBy((await this.#enter()).channels.get(id), viewerID)
  }

  async channelNamed(nameKey: string, viewerID: string): Promise<ChannelRow | null> {
    const { channels } = await this.#enter()
    return seenBy(
      channels.all().find((channel) => channel.nameKey === nameKey),
      viewerID,
    )
  }

  async addChannel(channel: Parameters<Rows['addChannel']>[0]): Promise<string> {
    const { channels } = await this.#enter()
    if (channels.all().some(({ nameKey }) => nameKey === channel.nameKey)) throw new StoreError('taken')
    const id = this.#nextID()
    return channels.put(id, { ...channel, id, memberIDs: new Set() })
  }

  async addChannelMembers(id: string, userIDs: readonly string[]): Promise<void> {
    const { channels } = await this.#enter()
    const channel = channels.get(id)
    if (channel === undefined) throw new StoreError('gone')
    channels.put(id, { ...channel, memberIDs: new Set([...channel.memberIDs, ...userIDs]) })
  }

  async removeChannel(id: string): Promise<boolean> {
    const { channels, threads } = await this.#enter()
    for (const thread of threads.all()) if (thread.channelID === id) await this.removeThread(thread.id)
    return channels.remove(id)
  }

  async thread(id: string): Promise<ThreadRow | null> {
    return (await this.#enter()).threads.get(id) ?? null
  }

  async addThread(thread: Omit<ThreadRow, 'id'>): Promise<string> {
    const { channels, threads } = await this.#enter()
    if (channels.get(thread.channelID) === undefined) throw new StoreError('gone')
    const id = this.#nextID()
    return threads.put(id, { ...thread, id })
  }

  async removeThread(id: string): Promise<boolean> {
    const { comments, threads, showings } = await this.#enter()
    for (const comment of comments.all()) {
      if (comment.threadID !== id) continue
      removeShowings(showings, comment.id)
      comments.remove(comment.id)
    }
    removeShowings(showings, id)
    return threads.remove(id)
  }

  // Only one transaction runs at a time, so no lock is needed.
  async comment(id: string): Promise<(CommentRow & { isDeleted: boolean }) | null> {
    const comment = (await this.#enter()).comments.get(id)
    return comment === undefined ? null : { ...comment, isDeleted: comment.blocks === null }
  }

  async addComment(comment: Parameters<Rows['addComment']>[0]): Promise<string> {
    const { threads, comments } = await this.#enter()
    if (threads.get(comment.threadID) === undefined) throw new StoreError('gone')
    const id = this.#nextID()
    return comments.put(id, { ...comment, id })
  }

  async removeComment(id: string): Promise<boolean> {
    const { comments, showings } = await this.#enter()
    const comment = comments.get(id)
    removeShowings(showings, id)
    const hasReplies = comments.all().some(({ parentID }) => parentID === id)
    if (comment === undefined || !hasReplies) return comments.remove(id)
    comments.put(id, { ...comment, blocks: null })
    return true
  }

  async chat(id: string, viewerID: string): Promise<ChatRow | null> {
    const chat = (await this.#enter()).chats.get(id.toLowerCase())
    return chat?.memberIDs.has(viewerID) === true ? chat : null
  }

  async chatsNamed(nameKey: string, viewerID: string): Promise<ChatRow[]> {
    const { chats } = await this.#enter()
    return chats.all().filter((chat) => chat.nameKey === nameKey && chat.memberIDs.has(viewerID))
  }

  async addChat({ createdAt, ...chat }: Parameters<Rows['addChat']>[0]): Promise<string> {
    const id = uuids.at(createdAt)
    return (await this.#enter()).chats.put(id, { ...chat, id, memberIDs: new Set() })
  }

  async addChatMembers(id: string, userIDs: readonly string[]): Promise<void> {
    const { chats } = await this.#enter()
    const chat = chats.get(id)
    if (chat === undefined) throw new StoreError('gone')
    chats.put(id, { ...chat, memberIDs: new Set([...chat.memberIDs, ...userIDs]) })
  }

  async removeChat(given: string): Promise<boolean> {
    const id = given.toLowerCase()
    const { messages, chats } = await this.#enter()
    for (const message of messages.all()) if (message.chatID === id) await this.removeMessage(message.id)
    return chats.remove(id)
  }

  async message(id: string): Promise<MessageRow | null> {
    return (await this.#enter()).messages.get(id.toLowerCase()) ?? null
  }

  async addMessage(message: Omit<MessageRow, 'id'>): Promise<string> {
    const { chats, messages } = await this.#enter()
    if (chats.get(message.chatID) === undefined) throw new StoreError('gone')
    const id = uuids.at(message.createdAt)
    return messages.put(id, { ...message, id })
  }

  async removeMessage(given: string): Promise<boolean> {
    const id = given.toLowerCase()
    const { messages, showings } = await this.#enter()
    removeShowings(showings, id)
    return messages.remove(id)
  }

  async files(ids: readonly string[]): Promise<FileRow[]> {
    return (await this.#enter()).files.all().filter(({ id }) => ids.includes(id))
  }

  // File data in memory is never removed.
  async holdContent(): Promise<void> {
    await this.#enter()
  }

  async addFile(file: Omit<FileRow, 'id'>): Promise<string> {
    const { files } = await this.#enter()
    const id = this.#nextID()
    return files.put(id, { ...file, id })
  }

  async filesSeen(ids: readonly string[], viewerID: string): Promise<string[]> {
    const tables = await this.#enter()
    const shown = tables.showings.all().filter(({ fileID }) => ids.includes(fileID))
    return [...new Set(shown.filter((showing) => isSeen(tables, showing, viewerID)).map(({ fileID }) => fileID))]
  }

  async showFiles(given: Parameters<Rows['showFiles']>[0], fileIDs: readonly string[]): Promise<void> {
    const { showings } = await this.#enter()
    const place = 'messageID' in given ? given.messageID : (given.commentID ?? given.threadID)
    const room = 'chatID' in given ? given.chatID : given.channelID
    for (const fileID of fileIDs) showings.put(`${place} ${fileID}`, { fileID, place, room })
  }
}

/** Sorts rows by their numeric ids and returns the given part. */
function listed<Row extends { readonly id: string }>(rows: readonly Row[], { after, count }: Page): Row[] {
  const first = Number(after ?? 0)
  const found = rows.filter(({ id }) => Number(id) > first).sort((one, other) => Number(one.id) - Number(other.id))
  return count === null ? found : found.slice(0, count)
}

function seenBy(channel: StoredChannel | undefined, viewerID: string): ChannelRow | null {
  return channel === undefined ? null : { ...channel, isMember: channel.memberIDs.has(viewerID) }
}

function removeShowings(showings: Tables['showings'], place: string): void {
  for (const showing of showings.all()) {
    if (showing.place === place) showings.remove(`${place} ${showing.fileID}`)
  }
}

function isSeen({ chats, channels }: Tables, { room }: Showing, viewerID: string): boolean {
  const channel = channels.get(room)
  if (channel === undefined) return chats.get(room)?.memberIDs.has(viewerID) === true
  return !channel.isPrivate || channel.memberIDs.has(viewerID)
}
