/** Organizations, their bots, people and keys, as the operator keeps them. */

import { randomUUID } from 'node:crypto'
import { isShownWhole, readName } from '../../api/contract/schema.js'
import { limits } from '../../api/contract/schemas.js'
import { createKey, hashOfKey } from '../../api/keys.js'
import { emailKey } from '../../api/service/operations/people.js'
import { StoreError } from '../../api/store/store.js'
import type { Database, Run } from '../postgres/database.js'
import { isSpread } from '../postgres/tables.js'
import { operatorSql as sql } from './sql.js'

/** What the operator asked for can not be done, in one line. */
export class OperatorError extends Error {}

export interface Organization {
  readonly organization: string
  readonly name: string
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

/** What the first start made: the key is known here and nowhere else. */
export interface FirstKey {
  readonly key: string
  readonly organization: string
  readonly bot: string
  /** Whether it takes the place of one that may never have been shown. */
  readonly isAnother: boolean
}

/** Any number will do; whoever makes organizations takes turns by it. */
const LOCK = 7_260_148_210_336

/** A bot may have its old key and its new one. */
const LIVE_KEYS_MAX = 2

/**
 * Makes an organization, a bot and a key, where there is no organization at all; another key where the first one was
 * never confirmed to have been shown.
 */
export async function ensureFirstKey(database: Database, siteUrl: string): Promise<FirstKey | null> {
  const [only, ...others] = await organizations(database.run)
  if (others.length > 0) return null
  const names = { organization: 'Workspace', bot: 'Bot' }
  return database.transact(async (run) => {
    await run('', 'SELECT pg_advisory_xact_lock($1)', [LOCK])
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

/** Notes that whoever started the server has seen the first key. */
export async function confirmFirstKey(run: Run): Promise<void> {
  for (const { organization } of await organizations(run)) await run('', sql.confirmKey, [organization])
}

/** Who a key is for; what is not there is made. */
export interface KeyRequest {
  readonly organization: string
  readonly bot: string
  readonly siteUrl: string
  /** Whether somebody is sure to see it. */
  readonly isShown?: boolean
}

/** Makes a key for a bot; the organization and the bot too, where they are not there. The key is stored nowhere. */
export function createBotKey(database: Database, request: KeyRequest): Promise<string> {
  return database.transact(async (run) => {
    await run('', 'SELECT pg_advisory_xact_lock($1)', [LOCK])
    return makeKey(run, request)
  })
}

async function makeKey(run: Run, request: KeyRequest): Promise<string> {
  const name = checkedName('organization', request.organization)
  const known = (await organizations(run)).find((found) => found.name === name)
  const organization = known?.organization ?? randomUUID()
  if (known === undefined) await run('', sql.addOrganization, [organization, name])
  const bot = checkedName('bot', request.bot)
  const bots = await members(run, organization, true)
  const botID = bots.find((found) => found.name === bot)?.id ?? (await addBot(run, organization, bot, request.siteUrl))
  return addKey(run, organization, botID, request.isShown)
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
      `the bot has ${LIVE_KEYS_MAX} keys already: revoke one of them first (blockmark-server keys list)`,
    )
  }
  const key = createKey()
  const hash = hashOfKey(key)
  await run('', sql.addKey, [organization, botID, hash, isShown])
  await run('', sql.addKeyLocation, [organization, hash])
  return key
}

/**
 * All organizations, in the order of their names. If a server of a cluster is away, those of the other servers.
 */
export async function organizations(run: Run): Promise<Organization[]> {
  try {
    return (await run<{ organization: string; name: string }>('', sql.organizations, [])).rows
  } catch (error) {
    if (!(error instanceof StoreError) || !(await isSpread(run))) throw error
    const { rows } = await run<{ found: Organization[] }>('', sql.reachableOrganizations, [])
    return rows.flatMap(({ found }) => found).sort((one, other) => (one.name < other.name ? -1 : 1))
  }
}

/** Finds the organization that a command is about; its name may be left out where there is only one. */
export async function organizationNamed(run: Run, name: string | undefined): Promise<Organization> {
  const all = await organizations(run)
  const wanted = name === undefined ? null : readName(name, false)
  const [found, another] = all.filter((each) => wanted === null || each.name === wanted)
  if (found !== undefined && another === undefined) return found
  if (all.length === 0) {
    throw new OperatorError(
      'there is no organization yet: blockmark-server keys create --organization NAME --bot NAME makes one, as the first start of the server does',
    )
  }
  const names = all.map((each) => each.name).join(', ')
  throw new OperatorError(
    found === undefined
      ? `there is no organization ${wanted}; there are: ${names}`
      : `say which --organization: ${names}`,
  )
}

/** The bots or the people of an organization, oldest first. */
export async function members(run: Run, organization: string, areBots: boolean): Promise<Member[]> {
  return (await run<{ id: string; name: string; email: string }>('', sql.members, [organization, areBots])).rows
}

/** The keys of an organization that still work. */
export async function listKeys(run: Run, organization: string): Promise<KeyEntry[]> {
  const { rows } = await run<{ id: string; bot: string; createdAt: Date; expiresAt: Date | null }>('', sql.keys, [
    organization,
  ])
  return rows
}

/** Makes a new key for the bot of an old one, which goes on working for a while. */
export function rotateKey(database: Database, organization: string, keyID: string, expiresAt: Date): Promise<string> {
  return database.transact(async (run) => {
    const { rows } = await run<{ botID: string }>('', sql.expireKey, [organization, numberOf(keyID), expiresAt])
    const botID = rows[0]?.botID
    if (botID === undefined) throw new OperatorError(`there is no key ${keyID} that works`)
    return addKey(run, organization, botID)
  })
}

/** Ends a key at once, by its id or by the key itself. */
export async function revokeKey(database: Database, organization: string, key: string): Promise<void> {
  const hash = hashOfKey(key)
  await database.transact(async (run) => {
    const values = [organization, hash === null ? numberOf(key) : null, hash]
    const { rows } = await run<{ hash: Uint8Array }>('', sql.revokeKey, values)
    // The key itself is not repeated.
    if (rows[0] === undefined) throw new OperatorError('there is no such key')
    await run('', sql.removeKeyLocation, [organization, rows[0].hash])
  })
}

/** Finds the organization of a key: keys are numbered across organizations, so that an id is enough. */
export async function organizationOfKey(run: Run, key: string): Promise<string> {
  const hash = hashOfKey(key)
  const text = hash === null ? sql.organizationOfKeyID : sql.organizationOfKey
  const { rows } = await run<{ organization: string }>('', text, [hash ?? numberOf(key)])
  if (rows[0] !== undefined) return rows[0].organization
  throw new OperatorError('there is no such key')
}

function numberOf(id: string): string {
  if (/^[1-9]\d{0,15}$/.test(id)) return id
  throw new OperatorError('an id is a number, as the list shows it')
}

/** Adds people; those who are there by their address already get the name. Gives how many are new. */
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
      if (!/^[^\s@]+@[^\s@]+$/.test(email)) throw new OperatorError(`${email} is no e-mail address`)
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
  if (count === 0) throw new OperatorError(`${email} is nobody in this organization, or a bot`)
}

function checkedName(what: string, given: string): string {
  const name = readName(given, false)
  if (name !== '' && [...name].length <= limits.name && isShownWhole(name)) return name
  throw new OperatorError(`the name of the ${what} needs 1 to 80 characters, none of them invisible or a control`)
}
