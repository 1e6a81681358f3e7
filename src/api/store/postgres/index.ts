/** The store on PostgreSQL. */

import { timingSafeEqual } from 'node:crypto'
import type { Identity, Location, Rows, Store } from '../store.js'
import type { Database, Run } from './database.js'
import { rowsOf } from './rows.js'
import { sql } from './sql.js'

/**
 * Makes a store of a database that has the schema of this version.
 *
 * @param database - the database; closing the store closes it
 * @returns the store
 */
export function createPostgresStore(database: Database): Store {
  const rowsOn = createRowsCache()
  const organizations = new Map<string, string>()
  return {
    identify: (keyHash, now) => database.together((run) => identify(run, keyHash, now, organizations)),
    locate: (id) => locate(database.run, id),
    write: (organization, work) => database.transact((run) => work(rowsOn(run, organization))),
    read: (organization, work) => database.together((run) => work(rowsOn(run, organization))),
    async ready() {
      await database.run('ready', 'SELECT 1', [])
    },
    close: () => database.close(),
  }
}

/** Binding every call is a good part of a small request, and a connection mostly goes on with the same organization. */
function createRowsCache(): (run: Run, organization: string) => Rows {
  const latest = new WeakMap<Run, { organization: string; rows: Rows }>()
  return (run, organization) => {
    const known = latest.get(run)
    if (known?.organization === organization) return known.rows
    const rows = rowsOf(run, organization)
    latest.set(run, { organization, rows })
    return rows
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

async function locate(run: Run, id: string): Promise<Location | null> {
  const { rows } = await run<{ organization: string; kind: Location['kind'] }>('locate', sql.locate, [id])
  return rows[0] ?? null
}
