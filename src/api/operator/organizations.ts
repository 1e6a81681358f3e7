/** Organizations, their bots, people and keys, as the operator keeps them. */

import { randomUUID } from 'node:crypto'
import { nameKey, readName } from '../contract/schema.js'
import { createKey, hashOfKey } from '../keys.js'
import { emailKey } from '../service/operations/people.js'
import type { Database, Run } from '../store/postgres/database.js'
import type { FirstKey } from './first-key.js'
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

/** Any number will do; whoever makes organizations takes turns by it. */
const LOCK = 7_260_148_210_336

/** A bot may have its old key and its new one. */
const LIVE_KEYS_MAX = 2

/**
 * Makes an organization, a bot and a key, where there is no organization at all.
 *
 * @param database - the database
 * @param siteUrl - whose host the bot's e-mail address has
 * @returns what was made, or null
 */
export async function ensureFirstKey(database: Database, siteUrl: string): Promise<FirstKey | null> {
  return database.transact(async (run) => {
    await run('', 'SELECT pg_advisory_xact_lock($1)', [LOCK])
    if ((await organizations(run)).length > 0) return null
    const organization = 'Workspace'
    const bot = 'Bot'
    return { key: await makeKey(run, { organization, bot, siteUrl }), organization, bot }
  })
}

/** Who a key is for; what is not there is made. */
export interface KeyRequest {
  readonly organization: string
  readonly bot: string
  readonly siteUrl: string
}

/**
 * Makes a key for a bot; the organization and the bot too, where they are not there.
 *
 * @param database - the database
 * @param request - whose key
 * @returns the key, which is stored nowhere
 */
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
  return addKey(run, organization, botID)
}

async function addBot(run: Run, organization: string, name: string, siteUrl: string): Promise<string> {
  const { rows } = await run<{ id: string }>('', sql.nextID, [])
  const id = rows[0]?.id ?? ''
  const email = `bot-${id}@${new URL(siteUrl).hostname}`
  await run('', sql.addUser, [organization, id, name, email, emailKey(email), true])
  return id
}

async function addKey(run: Run, organization: string, botID: string): Promise<string> {
  const { rows } = await run<{ count: number }>('', sql.countLiveKeys, [organization, botID])
  if ((rows[0]?.count ?? 0) >= LIVE_KEYS_MAX) {
    throw new OperatorError(`the bot has ${LIVE_KEYS_MAX} keys already: revoke one of them first (blockmark keys list)`)
  }
  const key = createKey()
  const hash = hashOfKey(key)
  await run('', sql.addKey, [organization, botID, hash])
  await run('', sql.addKeyLocation, [organization, hash])
  return key
}

/**
 * All organizations.
 *
 * @param run - the database
 * @returns them, in the order of their names
 */
export async function organizations(run: Run): Promise<Organization[]> {
  return (await run<{ organization: string; name: string }>('', sql.organizations, [])).rows
}

/**
 * Finds the organization that a command is about.
 *
 * @param run - the database
 * @param name - its name; may be left out where there is only one
 * @returns the organization
 * @throws {OperatorError} where there is none, or several
 */
export async function organizationNamed(run: Run, name: string | undefined): Promise<Organization> {
  const all = await organizations(run)
  const wanted = name === undefined ? null : readName(name, false)
  const [found, another] = all.filter((each) => wanted === null || each.name === wanted)
  if (found !== undefined && another === undefined) return found
  const names = all.map((each) => each.name).join(', ')
  throw new OperatorError(
    found === undefined ? `there is no such organization; there are: ${names}` : `say which --organization: ${names}`,
  )
}

/**
 * The bots or the people of an organization.
 *
 * @param run - the database
 * @param organization - its id
 * @param areBots - which of the two
 * @returns them, oldest first
 */
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

/**
 * Makes a new key for the bot of an old one, which goes on working for a while.
 *
 * @param database - the database
 * @param organization - its id
 * @param keyID - the old key
 * @param expiresAt - when the old key ends
 * @returns the new key
 */
export function rotateKey(database: Database, organization: string, keyID: string, expiresAt: Date): Promise<string> {
  return database.transact(async (run) => {
    const { rows } = await run<{ botID: string }>('', sql.expireKey, [organization, numberOf(keyID), expiresAt])
    const botID = rows[0]?.botID
    if (botID === undefined) throw new OperatorError(`there is no key ${keyID} that works`)
    return addKey(run, organization, botID)
  })
}

/**
 * Ends a key at once.
 *
 * @param database - the database
 * @param organization - its id
 * @param key - the key's id, or the key itself
 */
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

/**
 * Finds the organization of a key: keys are numbered across organizations, so an id is enough.
 *
 * @param run - the database
 * @param key - the key's id, or the key itself
 * @returns the organization's id
 */
export async function organizationOfKey(run: Run, key: string): Promise<string> {
  const hash = hashOfKey(key)
  for (const { organization } of await organizations(run)) {
    const { rows } = await run('', sql.findKey, [organization, hash === null ? numberOf(key) : null, hash])
    if (rows.length > 0) return organization
  }
  throw new OperatorError('there is no such key')
}

function numberOf(id: string): string {
  if (/^[1-9]\d{0,15}$/.test(id)) return id
  throw new OperatorError('an id is a number, as the list shows it')
}

/**
 * Adds people; those who are there by their address already get the name.
 *
 * @param database - the database
 * @param organization - its id
 * @param people - their names and addresses
 * @returns how many are new
 */
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
  if (nameKey(name) !== '' && [...name].length <= 80 && !/\p{Cc}/u.test(name)) return name
  throw new OperatorError(`the name of the ${what} needs 1 to 80 characters, none of them a control character`)
}

const KEPT_MILLISECONDS = 24 * 60 * 60 * 1000

/**
 * Removes what has had its time: answers kept for repeated requests, keys, links and sessions that have ended.
 *
 * @param database - the database
 * @param now - the time
 */
export async function purge(database: Database, now: Date): Promise<void> {
  for (const { organization } of await organizations(database.run)) {
    await database.run('', sql.purgeAnswers, [organization, new Date(now.getTime() - KEPT_MILLISECONDS)])
    await database.run('', sql.purgeLinks, [organization, now])
    await database.run('', sql.purgeSessions, [organization, now])
    await database.transact(async (run) => {
      const { rows } = await run<{ hash: Uint8Array }>('', sql.purgeKeys, [organization, now])
      for (const { hash } of rows) await run('', sql.removeKeyLocation, [organization, hash])
    })
  }
}
