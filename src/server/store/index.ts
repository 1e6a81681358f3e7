/** The store on PostgreSQL. */

import { timingSafeEqual } from 'node:crypto'
import { type Identity, StoreError } from '../../api/store/store.js'
import type { SiteStore } from '../site-store.js'
import { cached, createBreakers } from './breakers.js'
import type { Database, Run } from './database.js'
import { rowsOf } from './rows.js'
import { sql } from './sql.js'

/**
 * Creates a store on a database that has the schema of this version.
 *
 * @param probe - the separate connection for the check whether the database is ready
 */
export function createPostgresStore(database: Database, probe: Database = database): SiteStore {
  const organizations = new Map<string, string>()
  const guard = createBreakers(database)
  return {
    async identify(keyHash, now) {
      // The organization of an API key never changes. Whether the key still works is checked each time.
      const organization = await cached(organizations, Buffer.from(keyHash).toString('latin1'), async () => {
        const { rows } = await database.run<{ organization: string }>(sql.organizationOfKey, [keyHash])
        return rows[0]?.organization
      })
      if (organization === undefined) return null
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
