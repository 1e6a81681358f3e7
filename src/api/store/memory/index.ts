/** The store in memory, for tests of bots. It returns the same results as PostgreSQL. */

import { type KeyScope, type Rows, type Store, StoreError } from '../store.js'
import { MemoryRows } from './rows.js'
import { type Directory, type Journal, keyOf, keyOfHash, Table, type Tables } from './tables.js'

/** A store whose rows can be read and added without a request. */
export interface MemoryStore extends Store {
  readonly directory: Directory
}

/** The first id, as in a new database. */
const FIRST_NUMBER = 100_001

export function createMemoryStore(): MemoryStore {
  const directory: Directory = { organizations: new Map(), keys: new Map(), nextNumber: FIRST_NUMBER }
  const run = async <Result>(organization: string, work: (rows: Rows) => Promise<Result>): Promise<Result> => {
    const tables = directory.organizations.get(organization)
    if (tables === undefined) throw new StoreError('gone')
    return transact(directory, tables, work)
  }
  return {
    directory,
    identify: async (keyHash) => directory.keys.get(keyOfHash(keyHash)) ?? null,
    write: run,
    read: run,
  }
}

export function addOrganization({ organizations }: Directory, organization: string, name: string): Tables {
  const journal: Journal = []
  const table = <Row>(): Table<Row> => new Table(journal)
  const tables: Tables = {
    ...{ organization, name, journal, heldKeys: new Set(), latest: Promise.resolve() },
    ...{ users: table(), channels: table(), threads: table(), comments: table() },
    ...{ chats: table(), messages: table(), files: table(), showings: table(), answers: table() },
  }
  organizations.set(organization, tables)
  return tables
}

/**
 * Runs one transaction at a time, and undoes all changes after an error. An idempotency key is held before the
 * transaction starts, so that a second request with the same key is rejected at once.
 */
async function transact<Result>(
  directory: Directory,
  tables: Tables,
  work: (rows: Rows) => Promise<Result>,
): Promise<Result> {
  const held: string[] = []
  let before: Promise<void> | null = null
  let end: () => void = () => undefined
  const enter = (): Promise<void> => {
    if (before !== null) return before
    before = tables.latest.then(() => void tables.journal.splice(0))
    tables.latest = new Promise((resolve) => {
      end = resolve
    })
    return before
  }
  const hold = (scope: KeyScope): string | null => {
    const key = keyOf(scope)
    if (tables.heldKeys.has(key)) return null
    tables.heldKeys.add(key)
    held.push(key)
    return key
  }
  try {
    return await work(new MemoryRows({ directory, tables, enter, hold }))
  } catch (error) {
    await before
    // A transaction that never started has changed nothing.
    if (before !== null) for (const undo of tables.journal.reverse()) undo()
    throw error
  } finally {
    for (const key of held) tables.heldKeys.delete(key)
    // A transaction ends after the one before it, even if `work` did not wait for that.
    await before
    end()
  }
}
