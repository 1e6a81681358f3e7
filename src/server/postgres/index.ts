/** The store on PostgreSQL. */

import { timingSafeEqual } from 'node:crypto'
import { type Identity, StoreError } from '../../api/store/store.js'
import type { SiteStore } from '../rows.js'
import type { Database, Run } from './database.js'
import { rowsOf } from './rows.js'
import { sql } from './sql.js'

/**
 * Makes a store of a database that has the schema of this version. `onRemoved` is called after something was
 * deleted: its rows are then removed by `tidy`.
 */
export function createPostgresStore(database: Database, onRemoved: () => void = () => undefined): SiteStore {
  const organizations = new Map<string, string>()
  return {
    identify: (keyHash, now) => database.together((run) => identify(run, keyHash, now, organizations)),
    async organizationOfToken(secret) {
      const { rows } = await database.run<{ organization: string }>('organizationOfToken', sql.organizationOfToken, [
        secret,
      ])
      return rows[0]?.organization ?? null
    },
    async write(organization, work) {
      let isRemoved = false
      const note = (): void => {
        isRemoved = true
      }
      const result = await database.transact((run) => work(rowsOf(run, organization, note)))
      if (isRemoved) onRemoved()
      return result
    },
    read: (organization, work) => database.together((run) => work(rowsOf(run, organization))),
    async ready() {
      const { rows } = await database.run<{ reads: boolean }>('ready', sql.onlyReads, [])
      if (rows[0]?.reads === true) throw new StoreError('unavailable', new Error('the database takes no writes'))
    },
  }
}

interface IdentityRow {
  hash: Uint8Array
  botID: string
  botName: string
  organizationName: string
}

async function identify(
  run: Run,
  keyHash: Uint8Array,
  now: Date,
  organizations: Map<string, string>,
): Promise<Identity | null> {
  const organization = await organizationOf(run, keyHash, organizations)
  if (organization === null) return null
  const { rows } = await run<IdentityRow>('identify', sql.identify, [organization, keyHash, now])
  const row = rows[0]
  if (row === undefined || !timingSafeEqual(row.hash, keyHash)) return null
  const { botID, botName, organizationName } = row
  return { organization, organizationName, botID, botName }
}

/** Keys in use whose organizations are remembered; with more of them all are asked for again. */
const ORGANIZATIONS_MAX = 10_000

/** A key never moves to another organization, so this part is asked once; whether it still counts is asked every time. */
async function organizationOf(
  run: Run,
  keyHash: Uint8Array,
  organizations: Map<string, string>,
): Promise<string | null> {
  const name = Buffer.from(keyHash).toString('latin1')
  const known = organizations.get(name)
  if (known !== undefined) return known
  const { rows } = await run<{ organization: string }>('organizationOfKey', sql.organizationOfKey, [keyHash])
  const organization = rows[0]?.organization
  if (organization === undefined) return null
  if (organizations.size >= ORGANIZATIONS_MAX) organizations.clear()
  organizations.set(name, organization)
  return organization
}
