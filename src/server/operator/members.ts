/** The bots and people of an organization, for the operator's commands. */

import { createHash, randomBytes } from 'node:crypto'
import { emailKey } from '../../api/rules/operations.js'
import type { Run } from '../store/database.js'
import { number } from '../store/rows.js'
import { checkedName } from './organizations.js'

export interface Member extends Record<string, unknown> {
  readonly id: string
  readonly name: string
  readonly email: string
}

/** Lists the bots or the people of an organization, oldest first. */
export async function members(run: Run, organization: string, areBots: boolean): Promise<Member[]> {
  const listStatement = `
    SELECT id, name, email FROM users WHERE organization = $1 AND is_bot = $2 AND NOT is_removed ORDER BY id`
  return (await run<Member>(listStatement, [organization, areBots])).rows
}

export async function addBot(run: Run, organization: string, name: string, siteUrl: string): Promise<string> {
  const id = await nextID(run)
  const email = `bot-${id}@${new URL(siteUrl).hostname}`
  const addStatement = `
    INSERT INTO users (organization, id, name, email, email_key, is_bot) VALUES ($1, $2, $3, $4, $5, true)`
  await run(addStatement, [organization, id, name, email, emailKey(email)])
  return id
}

async function nextID(run: Run): Promise<string> {
  const { rows } = await run<{ id: string }>(`SELECT nextval('ids') AS id`)
  return rows[0]?.id ?? ''
}

/**
 * Removes a bot: its API keys stop working, and it leaves its channels and chats. Its messages and its name on them stay.
 * Returns the name. Throws if there is no such bot.
 */
export async function removeBot(run: Run, organization: string, id: string): Promise<string> {
  const values = [organization, number(id)]
  // The row stays, because the bot is the author of its messages.
  const markStatement = `
    UPDATE users SET is_removed = true WHERE organization = $1 AND id = $2 AND is_bot AND NOT is_removed RETURNING name`
  const { rows } = await run<{ name: string }>(markStatement, values)
  if (rows[0] === undefined) throw new Error(`no bot has the id ${id}: see blockmark-server bots list`)
  await run(`UPDATE api_keys SET expires_at = '-infinity' WHERE organization = $1 AND bot_id = $2`, values)
  await run('DELETE FROM channel_members WHERE organization = $1 AND user_id = $2', values)
  await run('DELETE FROM chat_members WHERE organization = $1 AND user_id = $2', values)
  return rows[0].name
}

/** A person to add. */
export type Person = Pick<Member, 'name' | 'email'>

/** Reads people from CSV whose first line is `name,email`, in either order. */
export async function readPeople(text: string): Promise<Person[]> {
  const { CsvError, parse } = await import('csv-parse/sync')
  try {
    return parse(text, {
      ...{ bom: true, skip_empty_lines: true, record_delimiter: ['\r\n', '\n', '\r'] },
      columns: (header: string[]) => {
        const names = header.map((field) => field.trim().toLowerCase())
        if (names.includes('name') && names.includes('email')) return names
        throw new Error(`the first line is ${header}: write name,email`)
      },
    })
  } catch (error) {
    if (error instanceof CsvError) throw new Error(error.message)
    throw error
  }
}

/** Adds people, and renames people whose e-mail address is known. Returns the number of new people. */
export async function addPeople(run: Run, organization: string, people: readonly Person[]): Promise<number> {
  const addStatement = `
    INSERT INTO users (organization, id, name, email, email_key, is_bot) VALUES ($1, $2, $3, $4, $5, false)
    ON CONFLICT (organization, email_key) DO UPDATE SET name = excluded.name WHERE NOT users.is_bot
    RETURNING id = $2 AS "isNew"`
  let addedCount = 0
  for (const person of people) {
    const name = checkedName('person', person.name)
    const email = person.email.trim()
    if (!/^[^\s@]+@[^\s@]+$/.test(email)) {
      throw new Error(`the e-mail address of ${name} is "${email}": write it as ann@example.com`)
    }
    const values = [organization, await nextID(run), name, email, emailKey(email)]
    const { rows } = await run<{ isNew: boolean }>(addStatement, values)
    if (rows[0]?.isNew === true) addedCount += 1
  }
  return addedCount
}

/** Finds the id of a person. Throws if no person has the e-mail address. */
async function findPerson(run: Run, organization: string, email: string): Promise<string> {
  const findStatement = 'SELECT id FROM users WHERE organization = $1 AND email_key = $2 AND NOT is_bot'
  const { rows } = await run<{ id: string }>(findStatement, [organization, emailKey(email)])
  if (rows[0] !== undefined) return rows[0].id
  throw new Error(`no person has the e-mail address ${email}: see blockmark-server people list`)
}

/** Removes a person from the organization and from all its channels and chats. */
export async function removePerson(run: Run, organization: string, email: string): Promise<void> {
  const id = await findPerson(run, organization, email)
  await run('DELETE FROM users WHERE organization = $1 AND id = $2', [organization, id])
}

/** Milliseconds for which a sign-in link can be used. */
const LINK_MILLISECONDS = 15 * 60 * 1000

/**
 * Creates a link that signs a person in, once and within 15 minutes. Only the hash of the link's secret is stored. The link
 * contains the organization's id, by which the hash is found.
 */
export async function createSignInLink(
  run: Run,
  organization: string,
  email: string,
  siteUrl: string,
  now: Date,
): Promise<string> {
  const userID = await findPerson(run, organization, email)
  const secret = randomBytes(32)
  const hash = createHash('sha256').update(secret).digest()
  const addStatement = 'INSERT INTO sign_in_links (organization, hash, user_id, expires_at) VALUES ($1, $2, $3, $4)'
  await run(addStatement, [organization, hash, userID, new Date(now.getTime() + LINK_MILLISECONDS)])
  return `${siteUrl}/sign-in?link=${organization}.${secret.toString('base64url')}`
}
