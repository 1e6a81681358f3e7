/** The rows of a store in memory, and the undoing of what a transaction changed. */

import type {
  ChannelRow,
  ChatRow,
  CommentRow,
  FileRow,
  Identity,
  KeptAnswer,
  Location,
  MessageRow,
  SessionRow,
  ThreadRow,
  UserRow,
} from '../store.js'

/** What undoes the changes of one transaction, the latest last. */
export type Journal = (() => void)[]

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
    journal.push(() => {
      if (before === undefined) this.#rows.delete(key)
      else this.#rows.set(key, before)
    })
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
  readonly kind: 'thread' | 'comment' | 'message'
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
  /** By their hash, in hexadecimal. */
  readonly sessions: Table<SessionRow>
  /** The Idempotency-Keys that requests hold which are under way. */
  readonly heldKeys: Set<string>
  readonly turns: Turns
}

/** What is kept of all organizations together. */
export interface Directory {
  readonly organizations: Map<string, Tables>
  /** By the SHA-256 of the key, in hexadecimal. */
  readonly keys: Map<string, Pick<Identity, 'organization' | 'botID'>>
  readonly locations: Table<Location>
  nextNumber: number
}

/**
 * Makes the empty tables of an organization.
 *
 * @param organization - its id
 * @param name - its name
 * @returns the tables
 */
export function createTables(organization: string, name: string): Tables {
  return {
    ...{ organization, name, heldKeys: new Set(), turns: new Turns() },
    ...{ users: new Table(), channels: new Table(), threads: new Table(), comments: new Table() },
    ...{ chats: new Table(), messages: new Table(), files: new Table(), showings: new Table(), answers: new Table() },
    sessions: new Table(),
  }
}

/** What a key is found by: its SHA-256, in hexadecimal. */
export function keyOfHash(hash: Uint8Array): string {
  return Buffer.from(hash).toString('hex')
}

/** Lets one transaction of an organization at a time see and change its rows, in the order in which they came. */
export class Turns {
  #last: Promise<void> = Promise.resolve()

  /** Resolves when it is one's turn, with what ends it. */
  take(): Promise<() => void> {
    const before = this.#last
    let end: () => void = () => undefined
    this.#last = new Promise((resolve) => {
      end = resolve
    })
    return before.then(() => end)
  }
}
