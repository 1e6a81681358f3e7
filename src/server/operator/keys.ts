/** API keys of bots, for the operator's commands. */

import { readName } from '../../api/contract/schema.js'
import { createKey, hashOfKey } from '../../api/keys.js'
import type { Database, Run } from '../store/database.js'
import { number } from '../store/rows.js'
import { addBot, members } from './members.js'
import { addOrganization, change, checkedName, findByName, keyOf, organizations } from './organizations.js'

/** The API key that the first start created, with the names of its organization and bot. The API key is stored nowhere. */
export interface FirstKey {
  readonly key: string
  readonly organization: string
  readonly bot: string
}

/**
 * Creates an organization, a bot and an API key in a database that has no organization.
 *
 * @returns the names and the API key; null if there is an organization
 */
export function createFirstKey(database: Database, siteUrl: string): Promise<FirstKey | null> {
  return change(database, async (run) => {
    // The directory of API keys is read first: each server of a cluster has it, so it can be read if one is down.
    const { count } = await run('SELECT FROM key_directory LIMIT 1')
    if (count > 0 || (await organizations(run)).length > 0) return null
    const names = { organization: 'Workspace', bot: 'Bot' }
    return { ...names, key: (await createBotKey(run, { ...names, siteUrl })).key }
  })
}

/**
 * Creates an API key for a bot. Adds the organization and the bot if they do not exist.
 *
 * @returns the API key, which is stored nowhere, and what was added for it, for example `the bot Deploys`
 */
export async function createBotKey(
  run: Run,
  options: { readonly organization: string; readonly bot: string; readonly siteUrl: string },
): Promise<{ readonly key: string; readonly added: readonly string[] }> {
  const added: string[] = []
  let organization = (await findByName(run, options.organization))?.organization
  if (organization === undefined) {
    organization = await addOrganization(run, options.organization)
    added.push(`the organization ${readName(options.organization, false)}`)
  }
  const bot = checkedName('bot', options.bot)
  let botID = (await members(run, organization, true)).find(({ name }) => keyOf(name) === keyOf(bot))?.id
  if (botID === undefined) {
    botID = await addBot(run, organization, bot, options.siteUrl)
    added.push(`the bot ${bot}`)
  }
  return { key: await addKey(run, organization, botID), added }
}

/** Maximum number of API keys of a bot: during a rotation, the old one and the new one. */
const LIVE_KEYS_MAX = 2

async function addKey(run: Run, organization: string, botID: string): Promise<string> {
  const liveStatement = `
    SELECT FROM api_keys WHERE organization = $1 AND bot_id = $2 AND (expires_at IS NULL OR expires_at > now())`
  if ((await run(liveStatement, [organization, botID])).count >= LIVE_KEYS_MAX) {
    throw new Error(
      `the bot has ${LIVE_KEYS_MAX} API keys, at most ${LIVE_KEYS_MAX} are allowed: revoke one of them (blockmark-server keys list)`,
    )
  }
  const key = createKey()
  const hash = hashOfKey(key)
  const addStatement = `INSERT INTO api_keys (organization, id, bot_id, hash) VALUES ($1, nextval('ids'), $2, $3)`
  await run(addStatement, [organization, botID, hash])
  await run('INSERT INTO key_directory (organization, hash) VALUES ($1, $2)', [organization, hash])
  return key
}

export interface KeyEntry extends Record<string, unknown> {
  readonly id: string
  readonly bot: string
  readonly createdAt: Date
  readonly expiresAt: Date | null
}

export async function listKeys(run: Run, organization: string): Promise<KeyEntry[]> {
  const listStatement = `
    SELECT k.id, b.name AS bot, k.created_at AS "createdAt", k.expires_at AS "expiresAt"
    FROM api_keys k JOIN users b ON b.organization = k.organization AND b.id = k.bot_id
    WHERE k.organization = $1 AND (k.expires_at IS NULL OR k.expires_at > now()) ORDER BY k.id`
  return (await run<KeyEntry>(listStatement, [organization])).rows
}

/** Creates another API key for the bot of an API key. The old API key works until `expiresAt`, or until its earlier end. */
export async function rotateKey(run: Run, organization: string, keyID: string, expiresAt: Date): Promise<string> {
  return addKey(run, organization, await endKey(run, organization, keyID, expiresAt))
}

/** Revokes an API key by an end in the past, so that the key stops working at once, also on a server whose clock is behind. */
export async function revokeKey(run: Run, organization: string, keyID: string): Promise<void> {
  await endKey(run, organization, keyID, '-infinity')
}

/** Ends an API key, unless it ends earlier, and returns the id of its bot. Throws if no live API key has the id. */
async function endKey(run: Run, organization: string, keyID: string, end: Date | '-infinity'): Promise<string> {
  const endStatement = `
    UPDATE api_keys SET expires_at = least(expires_at, $3)
    WHERE organization = $1 AND id = $2 AND (expires_at IS NULL OR expires_at > now())
    RETURNING bot_id AS "botID"`
  const { rows } = await run<{ botID: string }>(endStatement, [organization, number(keyID), end])
  if (rows[0] !== undefined) return rows[0].botID
  throw new Error(`no live API key has the id ${keyID}: see blockmark-server keys list`)
}
