/** The store on PostgreSQL. */

import { timingSafeEqual } from 'node:crypto'
import { type Identity, StoreError } from '../../api/store/store.js'
import type { SiteStore } from '../site-store.js'
import { createBreakers } from './breakers.js'
import { CONNECTIONS_DEFAULT, type Database, type Run } from './database.js'
import { rowsOf } from './rows.js'
import { sql } from './sql.js'

export interface StoreOptions {
  /** The number of connections to the database. Requests for one shard do not take all of them. */
  readonly connections?: number
  /** The separate connection for the check whether the database is ready. */
  readonly probe?: Database
}

/** Creates a store on a database that has the schema of this version. */
export function createPostgresStore(database: Database, options: StoreOptions = {}): SiteStore {
  const { connections = CONNECTIONS_DEFAULT, probe = database } = options
  const organizations = new Map<string, string>()
  const guard = createBreakers(database.run, connections)
  return {
    async identify(keyHash, now) {
      const organization = await organizationOf(database.run, keyHash, organizations)
      if (organization === null) return null
      return guard(organization, () => identify(database.run, organization, keyHash, now))
    },
    write: (organization, work) =>
      guard(organization, () => database.transact((run) => work(rowsOf(run, organization)))),
    rows: (organization, around = (work) => work()) =>
      rowsOf((text, values) => around(() => guard(organization, () => database.run(text, values))), organization),
    async ready() {
      const state = await stateOf(probe.run)
      if (state.isReadOnly) throw new StoreError('unavailable', new Error('the database takes no writes'))
      return state
    },
  }
}

/**
 * Reads whether a database takes writes, and the milliseconds that the clock of this process is ahead of the database's.
 * The statement takes some time, so the smallest difference that is possible is returned.
 */
export async function stateOf(run: Run): Promise<{ readonly isReadOnly: boolean; readonly clockAhead: number }> {
  const before = Date.now()
  const { rows } = await run<{ isReadOnly: boolean; now: Date }>(sql.state)
  const after = Date.now()
  const now = rows[0]?.now.getTime() ?? before
  return {
    isReadOnly: rows[0]?.isReadOnly === true,
    clockAhead: now < before ? before - now : Math.min(0, after - now),
  }
}

async function identify(
  run: Run,
  organization: string,
  keyHash: Uint8Array,
  now: Date,
): ReturnType<SiteStore['identify']> {
  type Row = Identity & { readonly hash: Uint8Array; readonly isSuspended: boolean }
  const { rows } = await run<Row>(sql.identify, [organization, keyHash, now])
  const row = rows[0]
  if (row === undefined || !timingSafeEqual(row.hash, keyHash)) return null
  return row.isSuspended ? 'suspended' : row
}

/** Maximum number of API keys whose organizations are remembered. If there are more, all are forgotten. */
const ORGANIZATIONS_MAX = 10_000

/** Finds the organization of an API key. The organization is cached, because it never changes; the key is always checked. */
async function organizationOf(
  run: Run,
  keyHash: Uint8Array,
  organizations: Map<string, string>,
): Promise<string | null> {
  const name = Buffer.from(keyHash).toString('latin1')
  const knownOrganization = organizations.get(name)
  if (knownOrganization !== undefined) return knownOrganization
  const { rows } = await run<{ organization: string }>(sql.organizationOfKey, [keyHash])
  const organization = rows[0]?.organization
  if (organization === undefined) return null
  if (organizations.size >= ORGANIZATIONS_MAX) organizations.clear()
  organizations.set(name, organization)
  return organization
}
