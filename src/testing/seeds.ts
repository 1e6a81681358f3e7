/** The first objects of a service in memory: people, bots, channels and chats. */

import { checkNames, checkObject } from '../api/client/options.js'
import { endpoints } from '../api/contract/endpoints.js'
import { invalid } from '../api/contract/errors.js'
import { nameKey, type ObjectSchema, read } from '../api/contract/schema.js'
import type { BodyOf, People } from '../api/contract/types.js'
import { createKey, hashOfKey } from '../api/keys.js'
import { emailKey } from '../api/rules/operations.js'
import type { MemoryStore, Tables } from '../api/store/memory.js'
import type { Identity } from '../api/store/store.js'

/** A person of the organization. */
export interface SeedUser {
  name: string
  /** The e-mail address; by default made from the name and the service's host: `ann.lee@blockmark.test`. */
  email?: string
  /** A numeric string; by default the next id. */
  userID?: string
}

/** The organization that gets the first objects. */
export interface SeedTarget extends Pick<Identity, 'organization' | 'organizationName'> {
  readonly store: MemoryStore
  /** The service's URL, whose host is the host of default e-mail addresses. */
  readonly baseUrl: string
}

const userFields: readonly (keyof SeedUser)[] = ['name', 'email', 'userID']

/** Adds a person and returns the id. Throws TypeError if the id or the e-mail address is taken, or a field is not valid or not known. */
export function addUser(target: SeedTarget, seed: string | SeedUser): string {
  const { name, email, userID }: SeedUser = seedOf('users', userFields, seed)
  return addMember(target, { name, id: userID, emailOf: (id) => email ?? defaultEmail(target, name, id) })
}

/** Returns the default e-mail address: `ann.lee@…` for `Ann Lee`, or `user-7@…` if that is taken. */
function defaultEmail({ store, baseUrl }: SeedTarget, name: string, id: string): string {
  const localPart = name
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '.')
    .replace(/^\.|\.$/g, '')
  const host = new URL(baseUrl).hostname
  const address = `${localPart}@${host}`
  const isTaken =
    localPart === '' || [...store.tables.users.values()].some((user) => user.emailKey === emailKey(address))
  return isTaken ? `user-${id}@${host}` : address
}

interface NewMember {
  readonly name: string
  readonly id: string | undefined
  readonly emailOf: (id: string) => string
}

function addMember({ store: { tables } }: SeedTarget, { name, id: givenID, emailOf }: NewMember): string {
  if (typeof name !== 'string' || name === '') throw new TypeError('a user needs a name')
  const id = givenID ?? tables.nextID()
  if (!/^[1-9]\d{0,15}$/.test(id)) throw new TypeError(`userID: expected a numeric string, received ${id}`)
  const email = emailOf(id)
  const key = emailKey(email)
  if (tables.users.get(id) !== undefined) throw new TypeError(`userID: ${id} is another user's`)
  if ([...tables.users.values()].some((user) => user.emailKey === key)) {
    throw new TypeError(`email: ${email} is another user's`)
  }
  tables.users.set(id, { id, name, email, emailKey: key })
  return id
}

export function addBot(target: SeedTarget, name: string): { botID: string; apiKey: string } {
  const host = new URL(target.baseUrl).hostname
  const botID = addMember(target, { name, id: undefined, emailOf: (id) => `bot-${id}@${host}` })
  const apiKey = createKey()
  const { store, organization, organizationName } = target
  // A new API key always has a hash, so the cast holds.
  store.addKey(hashOfKey(apiKey) as Uint8Array, { organization, organizationName, botID, botName: name })
  return { botID, apiKey }
}

/** Adds a channel of a bot. Throws TypeError if `createChannel` would reject it. */
export function addChannel(
  { store: { tables } }: SeedTarget,
  botID: string,
  seed: string | BodyOf<'createChannel'>,
): void {
  const body = readSeed<BodyOf<'createChannel'>>('channels', endpoints.createChannel.body, seed)
  const { name, description = '', privacy = 'public' } = body
  const key = nameKey(name)
  if ([...tables.channels.values()].some((channel) => channel.nameKey === key)) {
    throw new TypeError(`channels: ${name} is listed twice`)
  }
  const id = tables.nextID()
  const memberIDs = membersOf('channels', tables, botID, body)
  tables.channels.set(id, {
    ...{ id, name, nameKey: key, description, memberIDs },
    ...{ isPrivate: privacy === 'private', creatorID: botID },
  })
}

/** Adds a chat of a bot. Throws TypeError if `createChat` would reject it. */
export function addChat(
  { store: { tables } }: SeedTarget,
  botID: string,
  seed: string | BodyOf<'createChat'>,
  now: Date,
): void {
  const body = readSeed<BodyOf<'createChat'>>('chats', endpoints.createChat.body, seed)
  const id = tables.nextUUID(now)
  const memberIDs = membersOf('chats', tables, botID, body)
  tables.chats.set(id, { id, name: body.name, nameKey: nameKey(body.name), creatorID: botID, memberIDs })
}

/** Returns a seed as an object. Throws TypeError if one of its fields is not known. */
function seedOf<Seed extends object>(
  option: string,
  fields: readonly string[],
  seed: string | Seed,
): Seed | { name: string } {
  const object = typeof seed === 'string' ? { name: seed } : seed
  checkObject(`createTestService: ${option}`, object)
  checkNames(`createTestService: ${option}`, object, fields)
  return object
}

/** Reads a seed as the endpoint reads its body. Throws TypeError if a field is not known, or the endpoint would reject the body. */
function readSeed<Body extends object>(option: string, schema: ObjectSchema, seed: string | Body): Body {
  const { body, problems } = read(schema, seedOf(option, Object.keys(schema.properties), seed))
  if (problems.length > 0) throw new TypeError(`${option}: ${invalid(problems).message}`)
  return body as Body
}

function membersOf(option: string, tables: Tables, botID: string, { userIDs = [], emails = [] }: People): Set<string> {
  const keys = emails.map(emailKey)
  const members = [...tables.users.values()].filter(
    ({ id, emailKey: key }) => userIDs.includes(id) || keys.includes(key),
  )
  const unknownUsers = [
    ...userIDs.filter((id) => !members.some((user) => user.id === id)),
    ...emails.filter((email) => !members.some((user) => user.emailKey === emailKey(email))),
  ]
  if (unknownUsers.length > 0) throw new TypeError(`${option}: users does not contain ${unknownUsers.join(', ')}`)
  return new Set([...members.map(({ id }) => id), botID])
}
