/** The rows of a store in memory, and the undoing of what a transaction changed. */

import type {
  ChannelRow,
  ChatRow,
  CommentRow,
  FileRow,
  Identity,
  KeptAnswer,
  KeyScope,
  MessageRow,
  ThreadRow,
  UserRow,
} from '../store.js'

/** What undoes the changes of one transaction, the latest last. */
export type Journal = (() => unknown)[]

/** Rows by their key. What is changed is written to the transaction's journal. */
export class Table<Row> {
  readonly #rows: Map<string, Row> = new Map()

  get(key: string): Row | undefined {
    return this.#rows.get(key)
  }

  all(): Row[] {
    return [...this.#rows.values()]
  }

  put(journal: Journal, key: string, row: Row): void {
    this.#remember(journal, key)
    this.#rows.set(key, row)
  }

  remove(journal: Journal, key: string): boolean {
    this.#remember(journal, key)
    return this.#rows.delete(key)
  }

  #remember(journal: Journal, key: string): void {
    const before = this.#rows.get(key)
    journal.push(() => (before === undefined ? this.#rows.delete(key) : this.#rows.set(key, before)))
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

/** A file in a message; `place` is the message's id. */
export interface Showing {
  readonly fileID: string
  readonly place: string
  /** Which of the three a place is, by the name of its id. */
  readonly kind: string
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
  readonly answers: Table<KeptAnswer>
  /** The Idempotency-Keys that requests hold which are under way. */
  readonly heldKeys: Set<string>
  /** Ends with the transaction that came last; the next one waits for it. */
  latest: Promise<void>
}

/** What is kept of all organizations together. */
export interface Directory {
  readonly organizations: Map<string, Tables>
  /** Whose each key is, by the SHA-256 of the key in hexadecimal. */
  readonly keys: Map<string, Identity>
  nextNumber: number
}

/** What a key is found by: its SHA-256, in hexadecimal. */
export function keyOfHash(hash: Uint8Array): string {
  return Buffer.from(hash).toString('hex')
}

/** The next id of the one sequence that numbers everything. */
export function nextID(directory: Directory): string {
  const id = String(directory.nextNumber)
  directory.nextNumber += 1
  return id
}

/** What the calls of one transaction share. */
export interface Transaction {
  readonly directory: Directory
  readonly tables: Tables
  readonly journal: Journal
  /** Waits until nobody else is at work; every call does. */
  enter(): Promise<void>
  /** Holds a key until the transaction ends; null where another one holds it. */
  hold(scope: KeyScope): string | null
}

/** A scope as one string; none of its parts but the last holds a line ending. */
export function keyOf({ botID, endpoint, key }: KeyScope): string {
  return `${botID}\n${endpoint}\n${key}`
}
