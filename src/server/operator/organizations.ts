/** Organizations, for the operator's commands. */

import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { isNameVisible, nameKey, readName } from '../../api/contract/schema.js'
import { limits } from '../../api/contract/types.js'
import { StoreError } from '../../api/store/store.js'
import type { ContentStorage } from '../files/storage.js'
import { isDistributed } from '../store/breakers.js'
import type { Database, Run } from '../store/database.js'
import { tidy } from '../store/tidy.js'

export interface Organization {
  readonly organization: string
  readonly name: string
  readonly nameKey: string
  readonly isSuspended: boolean
}

/** SQL that takes the lock of the operator's changes: no other process can make a change before the transaction ends. */
export const lockStatement = 'SELECT pg_advisory_xact_lock(7260148210336)'

/** Makes a change in a transaction, under the lock of the operator's changes. */
export function change<Result>(database: Database, work: (run: Run) => Promise<Result>): Promise<Result> {
  return database.transact(async (run) => {
    await run(lockStatement)
    return work(run)
  })
}

/**
 * Lists the organizations in the order of their names. If a server of a cluster does not respond, only the
 * organizations of the other servers are listed.
 */
export async function organizations(run: Run): Promise<Organization[]> {
  const fields = `'organization', organization, 'name', name, 'nameKey', name_key, 'isSuspended', is_suspended`
  const listStatement = `SELECT coalesce(json_agg(json_build_object(${fields})), '[]') AS found FROM`
  const select = async (text: string): Promise<Organization[]> => {
    const { rows } = await run<{ found: Organization[] }>(text)
    return rows.flatMap(({ found }) => found).sort((one, other) => (one.name < other.name ? -1 : 1))
  }
  try {
    return await select(`${listStatement} organizations WHERE NOT is_removed`)
  } catch (error) {
    if (!(error instanceof StoreError) || !(await isDistributed(run))) throw error
    return select(`
      SELECT result::json AS found
      FROM run_command_on_shards('organizations', $$${listStatement} %s WHERE NOT is_removed$$) WHERE success`)
  }
}

/** Finds the organization with a name, without regard to case. */
export async function findByName(run: Run, name: string): Promise<Organization | undefined> {
  const key = keyOf(name)
  return (await organizations(run)).find(({ nameKey }) => nameKey === key)
}

/** Finds the organization of a command. The name is optional if there is only one organization. Throws if none is found. */
export async function organizationNamed(run: Run, name: string | undefined): Promise<Organization> {
  const all = await organizations(run)
  const matches = name === undefined ? all : all.filter(({ nameKey }) => nameKey === keyOf(name))
  if (matches[0] !== undefined && matches.length === 1) return matches[0]
  const names = all.map((each) => each.name).join(', ')
  throw new Error(
    all.length === 0
      ? 'there is no organization: add one with blockmark-server organizations add NAME'
      : name === undefined
        ? `there are several organizations: choose one with --organization (${names})`
        : `no organization is named ${name}: choose one of ${names}`,
  )
}

/** Adds an organization. Throws if the name is taken or not valid. */
export async function addOrganization(run: Run, nameText: string): Promise<string> {
  const organization = randomUUID()
  const name = await freeName(run, nameText, organization)
  const addStatement = 'INSERT INTO organizations (organization, name, name_key) VALUES ($1, $2, $3)'
  await run(addStatement, [organization, name, keyOf(name)])
  return organization
}

/** Renames an organization. Throws if the new name is taken or not valid. */
export async function renameOrganization(run: Run, name: string, nameText: string): Promise<void> {
  const { organization } = await organizationNamed(run, name)
  const newName = await freeName(run, nameText, organization)
  const renameStatement = 'UPDATE organizations SET name = $2, name_key = $3 WHERE organization = $1'
  await run(renameStatement, [organization, newName, keyOf(newName)])
}

/** Normalizes a name. Throws if another organization has the name, or if it is not valid. */
async function freeName(run: Run, nameText: string, ownID: string): Promise<string> {
  const name = checkedName('organization', nameText)
  const namesake = await findByName(run, name)
  if (namesake === undefined || namesake.organization === ownID) return name
  throw new Error(`the organization ${namesake.name} exists: choose another name`)
}

/** Suspends an organization, so that its API keys and sessions stop working, or resumes it. */
export async function suspendOrganization(run: Run, name: string, isSuspended: boolean): Promise<void> {
  const { organization } = await organizationNamed(run, name)
  await run('UPDATE organizations SET is_suspended = $2 WHERE organization = $1', [organization, isSuspended])
}

const TIDY_MILLISECONDS = 100

/**
 * Removes an organization: its API keys stop working at once, and then all of its rows and files are removed. If the
 * removal is interrupted, the server's cleanup finishes it.
 */
export async function removeOrganization(
  database: Database,
  contents: Pick<ContentStorage, 'remove'>,
  organization: string,
): Promise<void> {
  await change(database, async (run) => {
    // The new name key frees the name. No other name has this key, because names do not begin with a control character.
    const markStatement = `
      UPDATE organizations SET is_removed = true, name_key = chr(31) || organization WHERE organization = $1`
    await run(markStatement, [organization])
  })
  // The call is repeated, because `tidy` does nothing while another process runs it.
  while (!(await tidy(database, contents))) await sleep(TIDY_MILLISECONDS)
}

/** Normalizes a name. Throws if it is not valid. */
export function checkedName(what: string, nameText: string): string {
  const name = readName(nameText, false)
  const length = [...name].length
  if (length < 1 || length > limits.name) {
    throw new Error(`the name of the ${what} has ${length} characters: 1 to ${limits.name} are allowed`)
  }
  if (isNameVisible(name)) return name
  throw new Error(`the name of the ${what} contains an invisible or control character: remove it`)
}

/** Returns the key by which names are compared. */
export function keyOf(name: string): string {
  return nameKey(readName(name, false))
}
