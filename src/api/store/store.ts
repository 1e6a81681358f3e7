/**
 * What the endpoints ask of their storage. Rules live in the operations; a store only keeps rows, whole transactions at
 * a time, so that every kind of store behaves alike. `organization` is part of every call but one.
 */

/** Who a key belongs to. */
export interface Identity {
  readonly organization: string
  readonly organizationName: string
  readonly botID: string
  readonly botName: string
}

export interface Store {
  /** Finds whose key this is; null where nobody's, or no longer. */
  identify(keyHash: Uint8Array, now: Date): Promise<Identity | null>
  /** Runs work that changes rows: all of it is kept, durably, or nothing. */
  write<Result>(organization: string, work: (rows: Rows) => Promise<Result>): Promise<Result>
  /** Runs work that only reads. */
  read<Result>(organization: string, work: (rows: Rows) => Promise<Result>): Promise<Result>
}

/** Why a store could not do what it was asked. */
export class StoreError extends Error {
  readonly reason: StoreFailure

  constructor(reason: StoreFailure, cause?: unknown) {
    super(`storage: ${reason}`, cause === undefined ? {} : { cause })
    this.name = 'StoreError'
    this.reason = reason
  }
}

/** `taken`: a unique name is another's; `gone`: what a row belongs to was deleted meanwhile. */
export type StoreFailure = 'unavailable' | 'full' | 'taken' | 'gone'

/** A part of a list: behind `after`, at most `count`; all of it without. */
export interface Page {
  readonly after: string | null
  readonly count: number | null
}

export interface UserRow {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly emailKey: string
}

export interface ChannelRow {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly isPrivate: boolean
  readonly creatorID: string
  /** Whether the one who asks is a member. */
  readonly isMember: boolean
}

export interface ListedChannel extends ChannelRow {
  readonly memberIDs: readonly string[]
}

export interface ThreadRow {
  readonly id: string
  readonly channelID: string
  readonly authorID: string
  readonly blocks: readonly string[]
  /** The secret part of the share token: see `service/share-token.ts`. */
  readonly shareToken: string
  readonly createdAt: Date
}

export interface CommentRow {
  readonly id: string
  readonly threadID: string
  readonly parentID: string | null
  readonly authorID: string
  /** Null where it was deleted and stays for its replies. */
  readonly blocks: readonly string[] | null
  readonly createdAt: Date
}

/** What is asked of a message by whoever answers or deletes it: not what it says, which may be long. */
export type Head<Row> = Omit<Row, 'blocks' | 'body' | 'createdAt'>

export interface ChatRow {
  readonly id: string
  readonly name: string
  readonly creatorID: string
}

export interface MessageRow {
  readonly id: string
  readonly chatID: string
  readonly authorID: string
  readonly body: string
  readonly createdAt: Date
}

export interface FileRow {
  readonly id: string
  /** SHA-256 of the content, in hexadecimal. */
  readonly hash: string
  readonly size: number
  readonly mediaType: string
  readonly name: string
  readonly uploaderID: string
  readonly createdAt: Date
  /** Of an image, in pixels; null where it is not known. */
  readonly width: number | null
  readonly height: number | null
}

/** A message that shows a file. */
export type Place = { threadID: string } | { commentID: string } | { messageID: string }

/** An Idempotency-Key in its scope. */
export interface KeyScope {
  readonly botID: string
  readonly endpoint: string
  readonly key: string
}

/** Answers are kept this long. */
export const KEPT_MILLISECONDS: number = 24 * 60 * 60 * 1000

export interface KeptAnswer {
  readonly requestHash: string
  readonly answer: string
  readonly createdAt: Date
}

/** The rows of one organization, inside one transaction. Ids that are no ids are found nowhere. */
export interface Rows {
  /**
   * Holds an idempotency key until the transaction ends: `busy` if another one holds it, or the response that is kept.
   * A store with its own clock goes by that one, not by `now`.
   */
  claimKey(scope: KeyScope, now: Date): Promise<'busy' | KeptAnswer | null>
  keepAnswer(scope: KeyScope, kept: KeptAnswer): Promise<void>

  users(page: Page): Promise<readonly UserRow[]>
  usersBy(ids: readonly string[], emailKeys: readonly string[]): Promise<readonly UserRow[]>

  channels(viewerID: string, page: Page): Promise<readonly ListedChannel[]>
  channel(id: string, viewerID: string): Promise<ChannelRow | null>
  channelNamed(nameKey: string, viewerID: string): Promise<ChannelRow | null>
  addChannel(channel: Omit<ChannelRow, 'id' | 'isMember'> & { nameKey: string }): Promise<string>
  addChannelMembers(channelID: string, userIDs: readonly string[]): Promise<void>
  removeChannel(id: string): Promise<boolean>

  thread(id: string): Promise<Head<ThreadRow> | null>
  addThread(thread: Omit<ThreadRow, 'id'>): Promise<string>
  removeThread(id: string): Promise<boolean>

  /** Nobody removes it, with `remove` nobody replies to it either, before the transaction ends. */
  comment(id: string, lock: 'share' | 'remove'): Promise<(Head<CommentRow> & { isDeleted: boolean }) | null>
  hasReplies(commentID: string): Promise<boolean>
  addComment(comment: Omit<CommentRow, 'id' | 'blocks'> & { blocks: readonly string[] }): Promise<string>
  emptyComment(id: string): Promise<void>
  /** Removes a comment, and the emptied comments above it that had no other reply. */
  removeComment(id: string): Promise<boolean>

  /** A chat that the viewer is a member of. */
  chat(id: string, viewerID: string): Promise<ChatRow | null>
  chatsNamed(nameKey: string, viewerID: string): Promise<readonly ChatRow[]>
  /** Returns the new id, a UUIDv7 after those of all other chats. */
  addChat(chat: Omit<ChatRow, 'id'> & { nameKey: string; createdAt: Date }): Promise<string>
  addChatMembers(chatID: string, userIDs: readonly string[]): Promise<void>
  removeChat(id: string): Promise<boolean>

  message(id: string): Promise<Head<MessageRow> | null>
  /** Returns the new id, a UUIDv7 after those of all messages in the chat. */
  addMessage(message: Omit<MessageRow, 'id'>): Promise<string>
  removeMessage(id: string): Promise<boolean>

  files(ids: readonly string[]): Promise<readonly FileRow[]>
  /** Holds the content until the transaction ends, against its removal as something that nobody shows. */
  holdContent(hash: string): Promise<void>
  addFile(file: Omit<FileRow, 'id'>): Promise<string>
  /** Which of these files stand in a message that the viewer can see. */
  filesSeen(ids: readonly string[], viewerID: string): Promise<readonly string[]>
  showFiles(place: Place, fileIDs: readonly string[]): Promise<void>
}
