/**
 * The storage that the endpoints use. A store keeps rows, in transactions, and finds only rows that a viewer can see. The
 * operations have all other rules, so that every store behaves the same.
 */

/** The bot and organization of an API key. */
export interface Identity {
  readonly organization: string
  readonly organizationName: string
  readonly botID: string
  readonly botName: string
}

export interface Store {
  /** Finds the bot of an API key; null if the key does not exist or has expired, `suspended` if its organization is suspended. */
  identify(keyHash: Uint8Array, now: Date): Promise<Identity | 'suspended' | null>
  /** Runs work, which may change rows, in one durable transaction. */
  write<Result>(organization: string, work: (rows: Rows) => Promise<Result>): Promise<Result>
  /** Returns the queries for the rows of an organization, without a transaction, for reads. */
  rows(organization: string): Rows
}

/** Thrown if a store fails, with the reason. */
export class StoreError extends Error {
  readonly reason: StoreFailure

  constructor(reason: StoreFailure, cause?: unknown) {
    super(`storage: ${reason}`, cause === undefined ? {} : { cause })
    this.name = 'StoreError'
    this.reason = reason
  }
}

/** `taken`: a unique name exists already; `gone`: the row that a new row refers to was deleted meanwhile. */
export type StoreFailure = 'unavailable' | 'full' | 'taken' | 'gone'

/** A part of a list: at most `count` rows with an id after `after`, which is 0 for the start of the list. */
export interface Page {
  readonly after: string
  readonly count: number
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
}

export interface ThreadRow {
  readonly id: string
  readonly channelID: string
  readonly authorID: string
  readonly blocks: readonly string[]
  /** The secret part of the share token: see `rules/share-token.ts`. */
  readonly shareToken: string
  readonly createdAt: Date
}

export interface CommentRow {
  readonly id: string
  readonly threadID: string
  readonly parentID: string | null
  readonly authorID: string
  /** Null if the comment was deleted and stays as a placeholder for its replies. */
  readonly blocks: readonly string[] | null
  readonly createdAt: Date
}

/** The fields that are needed to reply to a message or delete it. The content is omitted, because it may be long. */
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
  /** SHA-256 of the file data, in hexadecimal. */
  readonly hash: string
  readonly size: number
  readonly mediaType: string
  readonly name: string
  readonly uploaderID: string
  readonly createdAt: Date
  /** The width and the height of an image in pixels; null for other files, or if the size is not known. */
  readonly width: number | null
  readonly height: number | null
}

/** The ids of a message that shows a file: a thread, a comment or a chat message, with its channel or chat. */
export type MessageReference =
  | { readonly channelID: string; readonly threadID: string; readonly commentID?: string }
  | { readonly chatID: string; readonly messageID: string }

export interface KeptResponse {
  readonly requestHash: string
  readonly answer: string
  readonly createdAt: Date
}

/** The fields of a new channel or chat that its row does not have. */
export interface NewGroup {
  readonly nameKey: string
  readonly memberIDs: readonly string[]
}

/** Queries for the rows of one organization, in a transaction or without one. A string that is not a valid id finds nothing. */
export interface Rows {
  /**
   * Holds an idempotency key, by its hash, until the transaction ends. Returns `busy` if another transaction holds the
   * key, or the response that is stored for it, or null. A store with its own clock uses that clock instead of `now`.
   */
  claimKey(keyHash: string, now: Date): Promise<'busy' | KeptResponse | null>
  keepResponse(keyHash: string, kept: KeptResponse): Promise<void>

  users(page: Page): Promise<readonly UserRow[]>
  usersBy(ids: readonly string[], emailKeys: readonly string[]): Promise<readonly UserRow[]>

  // A private channel and its threads, and a chat, are found only if the viewer is a member.
  channels(viewerID: string, page: Page): Promise<readonly (ChannelRow & { readonly memberIDs: readonly string[] })[]>
  channel(id: string, viewerID: string): Promise<ChannelRow | null>
  channelNamed(nameKey: string, viewerID: string): Promise<ChannelRow | null>
  addChannel(channel: Omit<ChannelRow, 'id'> & NewGroup): Promise<string>
  addChannelMembers(channelID: string, userIDs: readonly string[]): Promise<void>
  removeChannel(id: string): Promise<boolean>

  thread(id: string, viewerID: string): Promise<Head<ThreadRow> | null>
  addThread(thread: Omit<ThreadRow, 'id'>): Promise<string>
  removeThread(id: string): Promise<boolean>

  /**
   * Finds a comment that was not deleted, and locks it until the transaction ends: `share` against its deletion, `remove`
   * also against replies.
   */
  comment(id: string, lock: 'share' | 'remove'): Promise<Head<CommentRow> | null>
  addComment(comment: Omit<CommentRow, 'id' | 'blocks'> & { blocks: readonly string[] }): Promise<string>
  /** Removes a comment, or only its blocks if it has replies. */
  removeComment(id: string): Promise<boolean>

  chat(id: string, viewerID: string): Promise<ChatRow | null>
  chatsNamed(nameKey: string, viewerID: string): Promise<readonly ChatRow[]>
  /** Returns the new id, a UUIDv7 by the clock of the store. */
  addChat(chat: Omit<ChatRow, 'id'> & NewGroup & { createdAt: Date }): Promise<string>
  removeChat(id: string): Promise<boolean>

  message(id: string): Promise<Head<MessageRow> | null>
  /** Returns the new id, a UUIDv7 by the clock of the store. */
  addMessage(message: Omit<MessageRow, 'id'>): Promise<string>
  removeMessage(id: string): Promise<boolean>

  files(ids: readonly string[]): Promise<readonly FileRow[]>
  /** Adds a file, and protects its data, which no message shows yet, from cleanup until the transaction ends. */
  addFile(file: Omit<FileRow, 'id'>): Promise<string>
  /** Returns the ids of the files that are shown in a message that the viewer can see. */
  filesSeen(ids: readonly string[], viewerID: string): Promise<readonly string[]>
  showFiles(message: MessageReference, fileIDs: readonly string[]): Promise<void>
}
