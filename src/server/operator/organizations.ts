/** Organizations, their bots, people and API keys, for the operator's commands. */

import { randomUUID } from 'node:crypto'
import { isShownWhole, nameKey, readName } from '../../api/contract/schema.js'
import { limits } from '../../api/contract/schemas.js'
import { createKey, hashOfKey } from '../../api/keys.js'
import { emailKey } from '../../api/service/operations/people.js'
import { StoreError } from '../../api/store/store.js'
import type { ContentStorage } from '../files/storage.js'
import type { Database, Run } from '../postgres/database.js'
import { isSpread } from '../postgres/tables.js'
import { removalSql, operatorSql as sql } from './sql.js'

/** A request of the operator that cannot be done, in one line. */
export class OperatorError extends Error {}

export interface Organization {
  readonly organization: string
  readonly name: string
}

/** An organization in the list. */
export interface ListedOrganization extends Organization {
  readonly isSuspended: boolean
}

export interface Member {
  readonly id: string
  readonly name: string
  readonly email: string
}

export interface KeyEntry {
  readonly id: string
  readonly bot: string
  readonly createdAt: Date
  readonly expiresAt: Date | null
}

/** The API key of the first start, which is stored nowhere. */
export interface FirstKey {
  readonly key: string
  readonly organization: string
  readonly bot: string
  /** Whether the key replaces one that may never have been shown. */
  readonly isAnother: boolean
}

/** Any number will do; it lets one process at a time create or rename organizations. */
const LOCK = 7_260_148_210_336

/** A bot may have its old API key and its new one. */
const LIVE_KEYS_MAX = 2

/**
 * Creates an organization, a bot and an API key if there is no organization; another key if nobody confirmed that the
 * first one was shown.
 */
export async function ensureFirstKey(database: Database, siteUrl: string): Promise<FirstKey | null> {
  const [only, ...others] = await organizations(database.run)
  if (others.length > 0) return null
  const names = { organization: 'Workspace', bot: 'Bot' }
  return database.transact(async (run) => {
    await lock(run)
    if (only === undefined) {
      // Another process may have been faster. The directory of API keys is there, also if a server of a cluster is away.
      const { rows } = await run<{ found: boolean }>('', sql.hasKeys, [])
      if (rows[0]?.found === true || (await organizations(run)).length > 0) return null
      return { key: await makeKey(run, { ...names, siteUrl, isShown: false }), ...names, isAnother: false }
    }
    const { organization } = only
    const { rows } = await run<{ hash: Uint8Array; botID: string }>('', sql.removeUnshownKey, [organization])
    if (rows[0] === undefined) return null
    await run('', sql.removeKeyLocation, [organization, rows[0].hash])
    return { key: await addKey(run, organization, rows[0].botID, false), ...names, isAnother: true }
  })
}

/** Confirms that the first API key was shown. */
export async function confirmFirstKey(run: Run): Promise<void> {
  for (const { organization } of await organizations(run)) await run('', sql.confirmKey, [organization])
}

/** The bot for a new API key; a missing organization or bot is created. */
export interface KeyRequest {
  readonly organization: string
  readonly bot: string
  readonly siteUrl: string
  /** Whether the key is certainly shown (default true). */
  readonly isShown?: boolean
  /** Called with each thing that is created besides the key. */
  readonly onCreate?: (what: string) => void
}

/** Creates an API key for a bot, and a missing organization or bot. The key is stored nowhere. */
export function createBotKey(database: Database, request: KeyRequest): Promise<string> {
  return database.transact(async (run) => {
    await lock(run)
    return makeKey(run, request)
  })
}

/** Lets no other process create or rename an organization before the transaction ends. */
export async function lock(run: Run): Promise<void> {
  await run('', 'SELECT pg_advisory_xact_lock($1)', [LOCK])
}

async function makeKey(run: Run, request: KeyRequest): Promise<string> {
  const { siteUrl, isShown, onCreate } = request
  const known = named(await organizations(run), request.organization)
  const organization = known?.organization ?? (await insertOrganization(run, request.organization))
  if (known === undefined) onCreate?.(`the organization ${readName(request.organization, false)}`)
  const bot = checkedName('bot', request.bot)
  const found = named(await members(run, organization, true), bot)
  if (found === undefined) onCreate?.(`the bot ${bot}`)
  return addKey(run, organization, found?.id ?? (await addBot(run, organization, bot, siteUrl)), isShown)
}

/** Finds the entry with a name; case does not count. */
function named<Entry extends { readonly name: string }>(entries: readonly Entry[], name: string): Entry | undefined {
  const key = nameKey(readName(name, false))
  return entries.find((entry) => nameKey(entry.name) === key)
}

/** Adds an organization. Throws OperatorError if the name is taken or not valid. */
export function addOrganization(database: Database, name: string): Promise<string> {
  return database.transact(async (run) => {
    await lock(run)
    return insertOrganization(run, name)
  })
}

async function insertOrganization(run: Run, given: string): Promise<string> {
  const name = checkedName('organization', given)
  await requireFree(run, name)
  const organization = randomUUID()
  await run('', sql.addOrganization, [organization, name])
  return organization
}

async function requireFree(run: Run, name: string, except?: string): Promise<void> {
  const taken = named(await allOrganizations(run), name)
  if (taken === undefined || taken.organization === except) return
  const advice = taken.isRemoved
    ? `finish its removal: blockmark-server organizations remove ${taken.name}`
    : 'choose another name'
  throw new OperatorError(`the organization ${taken.name} exists: ${advice}`)
}

/** Renames an organization. Throws OperatorError if the new name is taken or not valid. */
export function renameOrganization(database: Database, name: string, given: string): Promise<void> {
  return database.transact(async (run) => {
    await lock(run)
    const { organization } = await organizationNamed(run, name)
    const next = checkedName('organization', given)
    await requireFree(run, next, organization)
    await run('', sql.renameOrganization, [organization, next])
  })
}

/** Lets an organization's API keys and sessions stop working, or work again. */
export async function suspendOrganization({ run }: Database, name: string, isSuspended: boolean): Promise<void> {
  const { organization } = await organizationNamed(run, name)
  await run('', sql.suspendOrganization, [organization, isSuspended])
}

/**
 * Removes an organization with all rows and files. Its API keys stop working first. An interrupted removal is finished by
 * the next call.
 *
 * @returns the number of removed rows
 */
export async function removeOrganization(
  database: Database,
  contents: Pick<ContentStorage, 'remove'>,
  { organization }: Organization,
): Promise<number> {
  await database.transact(async (run) => {
    await run('', sql.markRemoved, [organization])
    await removeKeyLocations(run, organization, sql.keyHashes, [])
  })
  let removed = 0
  for (const [table, statement] of removalSql) {
    for (let count = 1; count > 0; removed += count) {
      if (table === 'files') await removeFileData(database.run, contents, organization)
      ;({ count } = await database.run('', statement, [organization]))
    }
  }
  return removed
}

/** Removes the data of the files whose rows go next: an interrupted removal finds them again by their rows. */
async function removeFileData(run: Run, contents: Pick<ContentStorage, 'remove'>, organization: string): Promise<void> {
  const { rows } = await run<{ hash: string }>('', sql.someFiles, [organization])
  for (const { hash } of rows) await contents.remove(organization, hash)
}

async function removeKeyLocations(
  run: Run,
  organization: string,
  hashes: string,
  values: readonly string[],
): Promise<void> {
  const { rows } = await run<{ hash: Uint8Array }>('', hashes, [organization, ...values])
  await run('', sql.removeKeyLocations, [organization, rows.map(({ hash }) => hash)])
}

/** Removes a bot; its API keys stop working, and its messages stay. Throws OperatorError if there is no such bot. */
export function removeBot(database: Database, organization: string, id: string): Promise<void> {
  return database.transact(async (run) => {
    await removeKeyLocations(run, organization, sql.keysOfBot, [numberOf(id)])
    const { count } = await run('', sql.removeBot, [organization, numberOf(id)])
    if (count === 0) throw new OperatorError(`no bot has the id ${id}: see blockmark-server bots list`)
  })
}

async function addBot(run: Run, organization: string, name: string, siteUrl: string): Promise<string> {
  const { rows } = await run<{ id: string }>('', sql.nextID, [])
  const id = rows[0]?.id ?? ''
  const email = `bot-${id}@${new URL(siteUrl).hostname}`
  await run('', sql.addUser, [organization, id, name, email, emailKey(email), true])
  return id
}

async function addKey(run: Run, organization: string, botID: string, isShown = true): Promise<string> {
  const { rows } = await run<{ count: number }>('', sql.countLiveKeys, [organization, botID])
  if ((rows[0]?.count ?? 0) >= LIVE_KEYS_MAX) {
    throw new OperatorError(
      `the bot has ${LIVE_KEYS_MAX} API keys, at most ${LIVE_KEYS_MAX} are allowed: revoke one of them (blockmark-server keys list)`,
    )
  }
  const key = createKey()
  const hash = hashOfKey(key)
  await run('', sql.addKey, [organization, botID, hash, isShown])
  await run('', sql.addKeyLocation, [organization, hash])
  return key
}

/** Lists the organizations in the order of their names. */
export async function organizations(run: Run): Promise<ListedOrganization[]> {
  return (await allOrganizations(run)).filter(({ isRemoved }) => !isRemoved)
}

interface AnyOrganization extends ListedOrganization {
  /** Whether the removal has begun. */
  readonly isRemoved: boolean
}

/** If a server of a cluster is away, only the organizations of the other servers are listed. */
async function allOrganizations(run: Run): Promise<AnyOrganization[]> {
  try {
    return (await run<AnyOrganization & Record<string, unknown>>('', sql.organizations, [])).rows
  } catch (error) {
    if (!(error instanceof StoreError) || !(await isSpread(run))) throw error
    const { rows } = await run<{ found: AnyOrganization[] }>('', sql.reachableOrganizations, [])
    return rows.flatMap(({ found }) => found).sort((one, other) => (one.name < other.name ? -1 : 1))
  }
}

/** Finds the organization of a command; its name is optional if there is only one. */
export async function organizationNamed(
  run: Run,
  name: string | undefined,
  { isRemovedToo = false }: { readonly isRemovedToo?: boolean } = {},
): Promise<Organization> {
  const all = isRemovedToo ? await allOrganizations(run) : await organizations(run)
  const [only, ...others] = all
  const found = name === undefined && others.length === 0 ? only : name === undefined ? undefined : named(all, name)
  if (found !== undefined) return found
  if (only === undefined) {
    throw new OperatorError('there is no organization: add one with blockmark-server organizations add NAME')
  }
  const names = all.map((each) => each.name).join(', ')
  throw new OperatorError(
    name === undefined
      ? `there are several organizations: choose one with --organization (${names})`
      : `no organization is named ${name}: choose one of ${names}`,
  )
}

/** Lists the bots or the people of an organization, oldest first. */
export async function members(run: Run, organization: string, areBots: boolean): Promise<Member[]> {
  return (await run<{ id: string; name: string; email: string }>('', sql.members, [organization, areBots])).rows
}

/** Lists the live API keys of an organization. */
export async function listKeys(run: Run, organization: string): Promise<KeyEntry[]> {
  const { rows } = await run<{ id: string; bot: string; createdAt: Date; expiresAt: Date | null }>('', sql.keys, [
    organization,
  ])
  return rows
}

/** Creates a new API key for the bot of an old one, which works until it expires. */
export function rotateKey(database: Database, organization: string, keyID: string, expiresAt: Date): Promise<string> {
  return database.transact(async (run) => {
    const { rows } = await run<{ botID: string }>('', sql.expireKey, [organization, numberOf(keyID), expiresAt])
    const botID = rows[0]?.botID
    if (botID === undefined)
      throw new OperatorError(`no live API key has the id ${keyID}: see blockmark-server keys list`)
    return addKey(run, organization, botID)
  })
}

/** Revokes an API key at once, by its id or by the key itself. */
export async function revokeKey(database: Database, organization: string, key: string): Promise<void> {
  const hash = hashOfKey(key)
  await database.transact(async (run) => {
    const values = [organization, hash === null ? numberOf(key) : null, hash]
    const { rows } = await run<{ hash: Uint8Array }>('', sql.revokeKey, values)
    // An error must not repeat an API key.
    if (rows[0] === undefined) throw new OperatorError('this API key does not exist: see blockmark-server keys list')
    await run('', sql.removeKeyLocation, [organization, rows[0].hash])
  })
}

/** Finds the organization of an API key. Ids are unique in all organizations. */
export async function organizationOfKey(run: Run, key: string): Promise<string> {
  const hash = hashOfKey(key)
  const text = hash === null ? sql.organizationOfKeyID : sql.organizationOfKey
  const { rows } = await run<{ organization: string }>('', text, [hash ?? numberOf(key)])
  if (rows[0] !== undefined) return rows[0].organization
  throw new OperatorError('this API key does not exist: see blockmark-server keys list')
}

function numberOf(id: string): string {
  if (/^[1-9]\d{0,15}$/.test(id)) return id
  throw new OperatorError(`${id} is not an id: choose a number from the list`)
}

/** Adds people, and renames those with a known e-mail address. Returns the number of new people. */
export function addPeople(
  database: Database,
  organization: string,
  people: readonly { name: string; email: string }[],
): Promise<number> {
  return database.transact(async (run) => {
    let added = 0
    for (const person of people) {
      const name = checkedName('person', person.name)
      const email = person.email.trim()
      if (!/^[^\s@]+@[^\s@]+$/.test(email)) throw new OperatorError(`${email} is not a valid e-mail address`)
      const { rows } = await run<{ id: string }>('', sql.nextID, [])
      const values = [organization, rows[0]?.id, name, email, emailKey(email)]
      const result = await run<{ isNew: boolean }>('', sql.addPerson, values)
      if (result.rows[0]?.isNew === true) added += 1
    }
    return added
  })
}

/** Removes a person from the organization and from all its channels and chats. */
export async function removePerson(run: Run, organization: string, email: string): Promise<void> {
  const { count } = await run('', sql.removePerson, [organization, emailKey(email)])
  if (count === 0)
    throw new OperatorError(`no person has the e-mail address ${email}: see blockmark-server people list`)
}

function checkedName(what: string, given: string): string {
  const name = readName(given, false)
  const length = [...name].length
  if (length < 1 || length > limits.name) {
    throw new OperatorError(`the name of the ${what} has ${length} characters, 1 to ${limits.name} are allowed`)
  }
  if (isShownWhole(name)) return name
  throw new OperatorError(`the name of the ${what} contains an invisible or control character: remove it`)
}
