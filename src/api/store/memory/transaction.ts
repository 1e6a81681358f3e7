/** What every call on the rows of a store in memory needs. */

import type { KeyScope, Location, Page } from '../store.js'
import type { Directory, Journal, Tables } from './tables.js'

/** What the calls of one transaction share. */
export interface Transaction {
  readonly directory: Directory
  readonly tables: Tables
  readonly journal: Journal
  /** Waits until nobody else is at work; every call but the first of a key does. */
  enter(): Promise<void>
  /** Holds a key until the transaction ends; null where another one holds it. */
  hold(scope: KeyScope): string | null
}

/** The next id of the one sequence that numbers everything. */
export function nextID(directory: Directory): string {
  const id = String(directory.nextNumber)
  directory.nextNumber += 1
  return id
}

/** A new id, which the directory of addresses knows. */
export function numbered({ directory, tables, journal }: Transaction, kind: Location['kind']): string {
  const id = nextID(directory)
  directory.locations.put(journal, id, { organization: tables.organization, kind })
  return id
}

/** Rows with numeric ids in their order, and of those the part that is asked for. */
export function listed<Row extends { readonly id: string }>(rows: readonly Row[], { after, count }: Page): Row[] {
  const first = Number(after ?? 0)
  const found = rows.filter(({ id }) => Number(id) > first).sort((one, other) => Number(one.id) - Number(other.id))
  return count === null ? found : found.slice(0, count)
}

/** A scope as one string; none of its parts but the last holds a line ending. */
export function keyOf({ botID, endpoint, key }: KeyScope): string {
  return `${botID}\n${endpoint}\n${key}`
}
