/** The calls of the storage that only the pages use. */

import type { FileRow, Rows, Store, ThreadRow } from '../api/store/store.js'

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
  readonly messageID: string
}

/** A thread, comment or chat message. */
export interface Post {
  readonly id: string
  readonly authorID: string
  readonly createdAt: Date
  /** The blocks, of which a chat message has one; null if the message was deleted. */
  readonly blocks: readonly string[] | null
  /** The chat of a chat message. */
  readonly chatID?: string
  /** The comment that a comment replies to, and its author; null if the comment replies to the thread. */
  readonly parentID?: string | null
  readonly parentAuthorID?: string | null
}

/** A row of a part of a list. */
export interface ListedPost extends Post {
  /** Whether the content was read; false if the rows before this one in the part already fill a page. */
  readonly isRead: boolean
}

/** The part of a list to read. */
export interface Part {
  /** The id of the first row, which may have been deleted; null for the newest row. */
  readonly from: string | null
  /** The direction from the first row, to older or newer rows. */
  readonly towards: 'older' | 'newer'
  readonly count: number
  /** The bytes of content after which the rest of the rows is read without content. */
  readonly bytes: number
}

/** The newest thread of a channel or the newest message of a chat, with the beginning of its text. */
export interface LatestPost extends Post {
  /** The id of the channel or chat. */
  readonly groupID: string
}

/** A chat that a user is a member of. */
export interface ListedChat {
  readonly id: string
  readonly name: string
}

/** The session of a user who has signed in to the pages. `hash` is the hash of the secret in the cookie. */
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

/** The queries for the rows of one organization. */
export interface SiteRows extends Rows {
  /** Uses up a one-time link, and returns the person that it signs in; null if it was used, has expired, or does not exist. */
  takeLink(hash: Uint8Array, now: Date): Promise<string | null>
  addSession(session: SessionRow): Promise<void>
  /** Finds the user of a session; null if the session or its API key has ended, or if the organization is suspended. */
  session(hash: Uint8Array, now: Date): Promise<SessionUser | null>
  removeSession(hash: Uint8Array): Promise<void>

  /** Finds the names of users by their ids, also of bots that were removed. */
  namesOf(ids: readonly string[]): Promise<ReadonlyMap<string, string>>

  /** Returns the kind of the object with the id; null if the id is not known. Does not check who may see the object. */
  kindOf(id: string): Promise<Kind | null>

  /** Returns a part of a list: the threads of a channel, the comments of a thread, or the messages of a chat. */
  posts(list: 'threads' | 'comments' | 'messages', id: string, part: Part): Promise<readonly ListedPost[]>
  /** Returns the newest thread of each channel, or the newest message of each chat, that has one. */
  latestPosts(list: 'threads' | 'messages', ids: readonly string[]): Promise<readonly LatestPost[]>

  /** Returns a thread with its content. */
  wholeThread(id: string): Promise<ThreadRow | null>
  /** Counts the comments of threads, by their ids, up to `countMax`. */
  commentCounts(threadIDs: readonly string[], countMax: number): Promise<ReadonlyMap<string, number>>
  /** Finds the thread of a comment. */
  threadOf(commentID: string): Promise<string | null>
  /** Lists the chats of which the viewer is a member, newest first. */
  chats(viewerID: string, count: number): Promise<readonly ListedChat[]>

  /** Returns the ids of those files that the thread with the given share token shows. */
  filesShared(ids: readonly string[], secret: string): Promise<readonly string[]>
  /** Returns the files that the given threads, comments and chat messages show. */
  shownFiles(messageIDs: readonly string[]): Promise<readonly ShownFile[]>
}
