/**
 * What the service asks of its storage. Rules live in the service; a store only keeps rows, whole transactions at a
 * time, so that every kind of store behaves alike. `organization` is part of every call but two.
 */

/** Who a key belongs to. */
export interface Identity {
  readonly organization: string
  readonly organizationName: string
  readonly botID: string
  readonly botName: string
}

/** What an id of a page belongs to. */
export interface Location {
  readonly organization: string
  readonly kind: 'channel' | 'thread' | 'comment' | 'chat' | 'file'
}

export interface Store {
  /** Finds whose key this is; null where nobody's, or no longer. */
  identify(keyHash: Uint8Array, now: Date): Promise<Identity | null>
  /** Finds which organization's page an id is. */
  locate(id: string): Promise<Location | null>
  /** Runs work that changes rows: all of it is kept, durably, or nothing. */
  write<Result>(organization: string, work: (rows: Rows) => Promise<Result>): Promise<Result>
  /** Runs work that only reads. */
  read<Result>(organization: string, work: (rows: Rows) => Promise<Result>): Promise<Result>
  /** Resolves where the storage takes requests. */
  ready(): Promise<void>
  close(): Promise<void>
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

/** A file that a message shows. */
export interface ShownFile extends FileRow {
  /** The id of the thread, comment or chat message. */
  readonly place: string
}

/** A message that shows a file. */
export type Place = { threadID: string } | { commentID: string } | { messageID: string }

/** An Idempotency-Key in its scope. */
export interface KeyScope {
  readonly botID: string
  readonly endpoint: string
  readonly key: string
}

export interface KeptAnswer {
  readonly requestHash: string
  readonly answer: string
  readonly createdAt: Date
}

/** Where a part of a list begins: with this row, which may be gone by now, towards older or newer ones. */
export interface From {
  readonly id: string
  readonly towards: 'older' | 'newer'
}

/** A comment with who wrote what it answers. */
export interface ListedComment extends CommentRow {
  /** Null where it answers the thread. */
  readonly parentAuthorID: string | null
}

/** Somebody who has signed in to the pages; the cookie holds what this is a hash of. */
export interface SessionRow {
  readonly hash: Uint8Array
  readonly userID: string
  /** The key that the session ends with; null where a person signed in by a link. */
  readonly keyHash: Uint8Array | null
  readonly expiresAt: Date
}

/** Whose session it is. */
export interface SessionUser {
  readonly userID: string
  readonly userName: string
  readonly organizationName: string
}

/** Those of {@link Rows} that are about files. */
export type FileCalls =
  | 'files'
  | 'holdContent'
  | 'addFile'
  | 'filesSeen'
  | 'filesShared'
  | 'showFiles'
  | 'filesOfThread'
  | 'filesOfMessages'

/** The rows of one organization, inside one transaction. Ids that are no ids are found nowhere. */
export interface Rows {
  /** Holds the key until the transaction ends; `busy` where another one holds it. */
  claimKey(scope: KeyScope): Promise<'busy' | KeptAnswer | null>
  keepAnswer(scope: KeyScope, kept: KeptAnswer): Promise<void>

  /** Takes a one-time link: the person that it signs in, null where it was taken, has ended, or never was. */
  takeLink(hash: Uint8Array, now: Date): Promise<string | null>
  addSession(session: SessionRow): Promise<void>
  /** Whose session this is; null where it has ended, or its key has. */
  session(hash: Uint8Array, now: Date): Promise<SessionUser | null>
  removeSession(hash: Uint8Array): Promise<void>

  users(page: Page): Promise<readonly UserRow[]>
  usersBy(ids: readonly string[], emailKeys: readonly string[]): Promise<readonly UserRow[]>

  channels(viewerID: string, page: Page): Promise<readonly ListedChannel[]>
  channel(id: string, viewerID: string): Promise<ChannelRow | null>
  channelNamed(nameKey: string, viewerID: string): Promise<ChannelRow | null>
  addChannel(channel: Omit<ChannelRow, 'id' | 'isMember'> & { nameKey: string }): Promise<string>
  addChannelMembers(channelID: string, userIDs: readonly string[]): Promise<void>
  removeChannel(id: string): Promise<boolean>

  thread(id: string): Promise<ThreadRow | null>
  /** Nearest first; from the newest on without `from`. */
  threads(channelID: string, from: From | null, count: number): Promise<readonly ThreadRow[]>
  /** How many comments threads have, by their ids; counted up to `most`. */
  commentCounts(threadIDs: readonly string[], most: number): Promise<ReadonlyMap<string, number>>
  addThread(thread: Omit<ThreadRow, 'id'>): Promise<string>
  removeThread(id: string): Promise<boolean>

  /** With `lock` nobody replies to it, or removes it, before the transaction ends. */
  comment(id: string, lock: 'share' | 'remove' | null): Promise<CommentRow | null>
  /** Nearest first; from the newest on without `from`. */
  comments(threadID: string, from: From | null, count: number): Promise<readonly ListedComment[]>
  hasReplies(commentID: string): Promise<boolean>
  addComment(comment: Omit<CommentRow, 'id' | 'blocks'> & { blocks: readonly string[] }): Promise<string>
  emptyComment(id: string): Promise<void>
  removeComment(id: string): Promise<boolean>

  /** A chat that the viewer is a member of. */
  chat(id: string, viewerID: string): Promise<ChatRow | null>
  /** Those that the viewer is a member of, newest first. */
  chats(viewerID: string, count: number): Promise<readonly ChatRow[]>
  chatsNamed(nameKey: string, viewerID: string): Promise<readonly ChatRow[]>
  addChat(chat: ChatRow & { nameKey: string }): Promise<void>
  addChatMembers(chatID: string, userIDs: readonly string[]): Promise<void>
  removeChat(id: string): Promise<boolean>

  message(id: string): Promise<MessageRow | null>
  /** Nearest first; from the newest on without `from`. */
  messages(chatID: string, from: From | null, count: number): Promise<readonly MessageRow[]>
  addMessage(message: MessageRow): Promise<void>
  removeMessage(id: string): Promise<boolean>

  files(ids: readonly string[]): Promise<readonly FileRow[]>
  /** Holds the content until the transaction ends, against its removal as something that nobody shows. */
  holdContent(hash: string): Promise<void>
  addFile(file: Omit<FileRow, 'id'>): Promise<string>
  /** Which of these files stand in a message that the viewer can see. */
  filesSeen(ids: readonly string[], viewerID: string): Promise<readonly string[]>
  showFiles(place: Place, fileIDs: readonly string[]): Promise<void>
  /** Which of these files stand in the thread with this share token. */
  filesShared(ids: readonly string[], shareToken: string): Promise<readonly string[]>
  /** The files of a thread's message and of these comments. */
  filesOfThread(threadID: string, commentIDs: readonly string[]): Promise<readonly ShownFile[]>
  filesOfMessages(messageIDs: readonly string[]): Promise<readonly ShownFile[]>
}
