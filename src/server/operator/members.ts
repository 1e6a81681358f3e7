/** The bots and people of an organization, for the operator's commands. */

import { createHash, randomBytes } from 'node:crypto'
import { emailKey } from '../../api/rules/operations.js'
import type { Run } from '../store/database.js'
import { number } from '../store/rows.js'
import { checkedName, OperatorError, removeKeys } from './organizations.js'
import { operatorSql as sql } from './sql.js'

export interface Member {
  readonly id: string
  readonly name: string
  readonly email: string
}

/**
 * Removes a bot: its API keys stop working, and it leaves its channels and chats. Its messages and its name on them stay.
 * Returns the name. Throws OperatorError if there is no such bot.
 */
export async function removeBot(run: Run, organization: string, id: string): Promise<string> {
  const values = [organization, number(id)]
  const { rows } = await run<{ name: string }>('', sql.removeBot, values)
  if (rows[0] === undefined) throw new OperatorError(`no bot has the id ${id}: see blockmark-server bots list`)
  await removeKeys(run, sql.removeKeysOfBot, values)
  for (const text of [sql.leaveChannels, sql.leaveChats]) await run('', text, values)
  return rows[0].name
}

export async function addBot(run: Run, organization: string, name: string, siteUrl: string): Promise<string> {
  const { rows } = await run<{ id: string }>('', sql.nextID, [])
  const id = rows[0]?.id ?? ''
  const email = `bot-${id}@${new URL(siteUrl).hostname}`
  await run('', sql.addUser, [organization, id, name, email, emailKey(email), true])
  return id
}

/** Lists the bots or the people of an organization, oldest first. */
export async function members(run: Run, organization: string, areBots: boolean): Promise<Member[]> {
  return (await run<Member & Record<string, unknown>>('', sql.members, [organization, areBots])).rows
}

/** A person to add. */
export interface Person {
  readonly name: string
  readonly email: string
  /** The line of a file. */
  readonly line?: number
}

/** Reads people from CSV whose first line is `name,email`, in either order. Throws OperatorError, with the line. */
export async function readPeople(text: string): Promise<Person[]> {
  const { CsvError, parse } = await import('csv-parse/sync')
  try {
    return parse(text, {
      ...{ bom: true, skip_empty_lines: true, record_delimiter: ['\r\n', '\n', '\r'] },
      columns: (header: string[]) => {
        const names = header.map((field) => field.trim().toLowerCase())
        if (names.includes('name') && names.includes('email')) return names
        throw new OperatorError(`the first line is ${header}: write name,email`)
      },
      on_record: ({ name = '', email = '' }: Record<string, string>, { lines }): Person => ({
        name,
        email,
        line: lines,
      }),
    })
  } catch (error) {
    if (error instanceof CsvError) throw new OperatorError(error.message)
    throw error
  }
}

/** Adds people, and renames those with a known e-mail address. Returns the number of new people. */
export async function addPeople(run: Run, organization: string, people: readonly Person[]): Promise<number> {
  let added = 0
  for (const person of people) {
    const name = checkedName('person', person.name)
    const email = person.email.trim()
    if (!/^[^\s@]+@[^\s@]+$/.test(email)) {
      const place = person.line === undefined ? '' : `line ${person.line}: `
      throw new OperatorError(`${place}${email} is not an e-mail address: write it as ann@example.com`)
    }
    const { rows } = await run<{ id: string }>('', sql.nextID, [])
    const values = [organization, rows[0]?.id, name, email, emailKey(email)]
    const result = await run<{ isNew: boolean }>('', sql.addPerson, values)
    if (result.rows[0]?.isNew === true) added += 1
  }
  return added
}

/** Finds the id of a person. Throws OperatorError if no person has the e-mail address. */
export async function findPerson(run: Run, organization: string, email: string): Promise<string> {
  const { rows } = await run<{ id: string }>('', sql.personByEmail, [organization, emailKey(email)])
  if (rows[0] !== undefined) return rows[0].id
  throw new OperatorError(`no person has the e-mail address ${email}: see blockmark-server people list`)
}

/** Removes a person from the organization and from all its channels and chats. */
export async function removePerson(run: Run, organization: string, email: string): Promise<void> {
  await run('', sql.removePerson, [organization, await findPerson(run, organization, email)])
}

/** The time for which a sign-in link can be used. */
const LINK_MILLISECONDS = 15 * 60 * 1000

/**
 * Creates a link that signs a person in, once and within 15 minutes. Only the hash of its secret is stored. The link
 * names the organization, so that the hash can be found.
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
  await run('', sql.addLink, [organization, hash, userID, new Date(now.getTime() + LINK_MILLISECONDS)])
  return `${siteUrl}/sign-in?link=${organization}.${secret.toString('base64url')}`
}
