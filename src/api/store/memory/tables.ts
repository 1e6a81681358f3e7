/** The tables of a store in memory, and the journal that undoes the changes of a transaction. */

import type {
  ChannelRow,
  ChatRow,
  CommentRow,
  FileRow,
  Identity,
  KeptResponse,
  KeyScope,
  MessageRow,
  ThreadRow,
  UserRow,
} from '../store.js'

/** Functions that undo the changes of the running transaction, in the order of the changes. */
export type Journal = (() => unknown)[]

/** Rows by their key. Every change adds its undo function to the journal. */
export class Table<Row> {
  readonly #rows: Map<string, Row> = new Map()
  readonly #journal: Journal

  constructor(journal: Journal) {
    this.#journal = journal
  }

  get(key: string): Row | undefined {
    return this.#rows.get(key)
  }

  all(): Row[] {
    return [...this.#rows.values()]
  }

  /** Returns the key. */
  put(key: string, row: Row): string {
    this.#remember(key)
    this.#rows.set(key, row)
    return key
  }

  remove(key: string): boolean {
    this.#remember(key)
    return this.#rows.delete(key)
  }

  #remember(key: string): void {
    const before = this.#rows.get(key)
    this.#journal.push(() => (before === undefined ? this.#rows.delete(key) : this.#rows.set(key, before)))
  }
}

export interface StoredUser extends UserRow {
  readonly isBot: boolean
}

export interface StoredChannel extends Omit<ChannelRow, 'isMember'> {
  readonly nameKey: string
  readonly memberIDs: ReadonlySet<string>
}

export interface StoredChat extends ChatRow {
  readonly nameKey: string
  readonly memberIDs: ReadonlySet<string>
}

/** A file that a message shows. */
export interface Showing {
  readonly fileID: string
  /** The id of the message. */
  readonly place: string
  /** The id of the channel or chat of the message. */
  readonly room: string
}

/** The tables of one organization. */
export interface Tables {
  readonly organization: string
  readonly name: string
  readonly users: Table<StoredUser>
  readonly channels: Table<StoredChannel>
  readonly threads: Table<ThreadRow>
  readonly comments: Table<CommentRow>
  readonly chats: Table<StoredChat>
  readonly messages: Table<MessageRow>
  readonly files: Table<FileRow>
  readonly showings: Table<Showing>
  readonly answers: Table<KeptResponse>
  /** The changes of the running transaction; there is one at a time. */
  readonly journal: Journal
  /** The idempotency keys of the requests in progress. */
  readonly heldKeys: Set<string>
  /** Resolves at the end of the latest transaction; the next one waits for it. */
  latest: Promise<void>
}

/** The data of all organizations. */
export interface Directory {
  readonly organizations: Map<string, Tables>
  /** The bots of the API keys, by the SHA-256 of the key in hexadecimal. */
  readonly keys: Map<string, Identity>
  nextNumber: number
}

/** Converts the SHA-256 of an API key to hexadecimal. */
export function keyOfHash(hash: Uint8Array): string {
  return Buffer.from(hash).toString('hex')
}

/** Returns the next id of the sequence that numbers all objects. */
export function nextID(directory: Directory): string {
  const id = String(directory.nextNumber)
  directory.nextNumber += 1
  return id
}

/** The state that the calls of one transaction share. */
export interface Transaction {
  readonly directory: Directory
  readonly tables: Tables
  /** Waits for the end of the transaction before this one. Every method of `Rows` calls this. */
  enter(): Promise<void>
  /** Holds an idempotency key until the transaction ends; null if another transaction holds it. */
  hold(scope: KeyScope): string | null
}

/** Joins a scope into one string. Only the last part may contain a line ending. */
export function keyOf({ botID, endpoint, key }: KeyScope): string {
  return `${botID}\n${endpoint}\n${key}`
}
