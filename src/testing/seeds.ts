/** The first objects of a service in memory: people, bots, channels and chats. */

import { invalid } from '../api/contract/errors.js'
import { nameKey, type ObjectSchema, read } from '../api/contract/schema.js'
import * as schemas from '../api/contract/schemas.js'
import type { CreateChannelBody, CreateChatBody, People } from '../api/contract/types.js'
import { createKey, hashOfKey } from '../api/keys.js'
import { emailKey } from '../api/rules/operations/people.js'
import { uuids } from '../api/rules/uuid.js'
import { type Directory, keyOfHash, nextID, type Tables } from '../api/store/memory/tables.js'

/** A person of the organization. */
export interface SeedUser {
  name: string
  /** By default from the name and the service's host: `ann.lee@blockmark.test`. */
  email?: string
  /** A numeric string; by default the next id. */
  userID?: string
}

/** The tables for seeds. */
export interface Seedbed {
  readonly directory: Directory
  readonly tables: Tables
  /** The service's URL; its host is that of default e-mail addresses. */
  readonly baseUrl: string
}

/** Adds a person and returns the id. Throws TypeError if the id or the e-mail address is taken, or the id is not valid. */
export function addUser(bed: Seedbed, seed: string | SeedUser): string {
  const { name, email, userID } = typeof seed === 'string' ? { name: seed } : seed
  return addMember(bed, { name, isBot: false, id: userID, email: (id) => email ?? addressOf(bed, name, id) })
}

/** The default e-mail address: `ann.lee@…` for `Ann Lee`, unless it is taken. */
function addressOf({ tables, baseUrl }: Seedbed, name: string, id: string): string {
  const local = name
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '.')
    .replace(/^\.|\.$/g, '')
  const host = new URL(baseUrl).hostname
  const address = `${local}@${host}`
  const isTaken = local === '' || tables.users.all().some((user) => user.emailKey === emailKey(address))
  return isTaken ? `user-${id}@${host}` : address
}

interface NewMember {
  readonly name: string
  readonly isBot: boolean
  readonly id: string | undefined
  readonly email: (id: string) => string
}

function addMember({ directory, tables }: Seedbed, { name, isBot, id: given, email: emailOf }: NewMember): string {
  if (typeof name !== 'string' || name === '') throw new TypeError('a user needs a name')
  const id = given ?? nextID(directory)
  if (!/^[1-9]\d{0,15}$/.test(id)) throw new TypeError(`userID: expected a numeric string, received ${id}`)
  const email = emailOf(id)
  const key = emailKey(email)
  if (tables.users.get(id) !== undefined) throw new TypeError(`userID: ${id} is another user's`)
  if (tables.users.all().some((user) => user.emailKey === key)) {
    throw new TypeError(`email: ${email} is another user's`)
  }
  tables.users.put(id, { id, name, email, emailKey: key, isBot })
  return id
}

export function addBot(bed: Seedbed, name: string): { botID: string; apiKey: string } {
  const host = new URL(bed.baseUrl).hostname
  const botID = addMember(bed, { name, isBot: true, id: undefined, email: (id) => `bot-${id}@${host}` })
  const apiKey = createKey()
  // A new API key always has a hash.
  bed.directory.keys.set(keyOfHash(hashOfKey(apiKey) as Uint8Array), {
    ...{ organization: bed.tables.organization, organizationName: bed.tables.name },
    ...{ botID, botName: name },
  })
  return { botID, apiKey }
}

/** Adds a channel of a bot. Throws TypeError if `createChannel` would reject it. */
export function addChannel({ directory, tables }: Seedbed, botID: string, seed: string | CreateChannelBody): void {
  const body = checked<CreateChannelBody>('channels', schemas.createChannel, seed)
  const { name, description = '', privacy = 'public' } = body
  const key = nameKey(name)
  if (tables.channels.all().some((channel) => channel.nameKey === key)) {
    throw new TypeError(`channels: ${name} is listed twice`)
  }
  const id = nextID(directory)
  const memberIDs = membersOf('channels', tables, botID, body)
  tables.channels.put(id, {
    ...{ id, name, nameKey: key, description, memberIDs },
    ...{ isPrivate: privacy === 'private', creatorID: botID },
  })
}

/** Adds a chat of a bot. Throws TypeError if `createChat` would reject it. */
export function addChat({ tables }: Seedbed, botID: string, seed: string | CreateChatBody, now: Date): void {
  const body = checked<CreateChatBody>('chats', schemas.createChat, seed)
  const id = uuids.at(now)
  const memberIDs = membersOf('chats', tables, botID, body)
  tables.chats.put(id, { id, name: body.name, nameKey: nameKey(body.name), creatorID: botID, memberIDs })
}

/** Reads a seed as the endpoint reads its body. */
function checked<Body>(what: string, schema: ObjectSchema, seed: string | object): Body {
  const { value, problems } = read(schema, typeof seed === 'string' ? { name: seed } : seed)
  if (problems.length > 0) throw new TypeError(`${what}: ${invalid(problems).message}`)
  return value as Body
}

function membersOf(what: string, tables: Tables, botID: string, { userIDs = [], emails = [] }: People): Set<string> {
  const keys = emails.map(emailKey)
  const found = tables.users.all().filter(({ id, emailKey: key }) => userIDs.includes(id) || keys.includes(key))
  const unknown = [
    ...userIDs.filter((id) => !found.some((user) => user.id === id)),
    ...emails.filter((email) => !found.some((user) => user.emailKey === emailKey(email))),
  ]
  if (unknown.length > 0) throw new TypeError(`${what}: users does not contain ${unknown.join(', ')}`)
  return new Set([...found.map(({ id }) => id), botID])
}
