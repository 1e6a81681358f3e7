/** The calls of the storage that only the pages use. */

import type { CommentRow, FileRow, MessageRow, Rows, Store, ThreadRow } from '../api/store/store.js'

/** The kinds of objects that have a page. */
export type Kind = 'channel' | 'thread' | 'comment' | 'chat'

/** A storage with the calls that pages need. */
export interface SiteStore extends Store {
  write<Result>(organization: string, work: (rows: SiteRows) => Promise<Result>): Promise<Result>
  /** Each statement runs inside a call of `around`. */
  rows(organization: string, around?: <Result>(work: () => Promise<Result>) => Promise<Result>): SiteRows
  /**
   * Resolves if the storage accepts writes, with the milliseconds that the clock of this process is ahead of the
   * storage's.
   */
  ready(): Promise<{ readonly clockAhead: number }>
}

/** A file that a message shows. */
export interface ShownFile extends FileRow {
  /** The id of the thread, comment or chat message that shows the file. */
  readonly place: string
}

/** The start of a part of a list: a row, which may have been deleted, and the direction, to older or newer rows. */
export interface From {
  readonly id: string
  readonly towards: 'older' | 'newer'
}

/**
 * A row of a part of a list. Its content is not read if the rows before it in the part already fill a page.
 */
type Listed<Row extends object, Content extends keyof Row> = Omit<Row, Content> & {
  readonly [Name in Content]: Row[Name] | null
} & { readonly isRead: boolean }

export type ListedThread = Listed<ThreadRow, 'blocks'>
export type ListedMessage = Listed<MessageRow, 'body'>

/** A comment, with the author of the comment that it replies to. */
export type ListedComment = Listed<CommentRow, 'blocks'> & {
  /** The author of the comment that this one replies to; null if it replies to the thread. */
  readonly parentAuthorID: string | null
}

/** The part of a list to read: its first row, its number of rows, and the bytes that are read of them. */
export interface Part {
  readonly from: From | null
  readonly count: number
  readonly bytes: number
}

/** The newest thread of a channel or the newest message of a chat, with the beginning of its text. */
export interface LatestRow {
  /** The id of the channel or chat. */
  readonly place: string
  readonly id: string
  readonly authorID: string
  readonly createdAt: Date
  readonly blocks: readonly string[]
}

/** A chat that a user is a member of. */
export interface ListedChat {
  readonly id: string
  readonly name: string
}

/** The session of a user who has signed in to the pages. The hash is that of the secret in the cookie. */
export interface SessionRow {
  readonly hash: Uint8Array
  readonly userID: string
  /** The API key on which the session depends; null if a person signed in by a link. */
  readonly keyHash: Uint8Array | null
  readonly expiresAt: Date
}

/** The user of a session. */
export interface SessionUser {
  readonly userID: string
  readonly userName: string
  readonly organizationName: string
}

/** The rows of one organization. A part of a list begins at `from`, or else at the newest row. */
export interface SiteRows extends Rows {
  /** Uses up a one-time link, and returns the person that it signs in; null if it was used, has expired, or does not exist. */
  takeLink(hash: Uint8Array, now: Date): Promise<string | null>
  addSession(session: SessionRow): Promise<void>
  /** Finds the user of a session; null if the session has ended, or if its API key was revoked or has expired. */
  session(hash: Uint8Array, now: Date): Promise<SessionUser | null>
  removeSession(hash: Uint8Array): Promise<void>

  /** Finds the names of users by their ids, also of bots that were removed. */
  namesOf(ids: readonly string[]): Promise<ReadonlyMap<string, string>>

  /** Returns the kind of the object with the id; null if the id is not known. Does not check who may see the object. */
  kindOf(id: string): Promise<Kind | null>

  /** Returns a thread with its content. */
  wholeThread(id: string): Promise<ThreadRow | null>
  threads(channelID: string, part: Part): Promise<readonly ListedThread[]>
  /** Returns the newest thread of each of the channels that has one. */
  latestThreads(channelIDs: readonly string[]): Promise<readonly LatestRow[]>
  /** Counts the comments of threads, by their ids, up to `most`. */
  commentCounts(threadIDs: readonly string[], most: number): Promise<ReadonlyMap<string, number>>
  /** Finds the thread of a comment. */
  threadOf(commentID: string): Promise<string | null>
  comments(threadID: string, part: Part): Promise<readonly ListedComment[]>
  /** Lists the chats of which the viewer is a member, newest first. */
  chats(viewerID: string, count: number): Promise<readonly ListedChat[]>
  messages(chatID: string, part: Part): Promise<readonly ListedMessage[]>
  /** Returns the newest message of each of the chats that has one. */
  latestMessages(chatIDs: readonly string[]): Promise<readonly LatestRow[]>

  /** Returns the ids of those files that the thread with the given share token shows. */
  filesShared(ids: readonly string[], secret: string): Promise<readonly string[]>
  /** Returns the files that the given threads, comments and chat messages show. */
  shownFiles(messageIDs: readonly string[]): Promise<readonly ShownFile[]>
}
