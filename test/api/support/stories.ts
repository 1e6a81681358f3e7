/** Random stories of requests, and a service's responses. */

import fc from 'fast-check'
import type { EndpointName } from '../../../src/api/contract/types.js'
import type { Bot, World } from './world.js'

/** One request. It refers to earlier objects by their index. */
export interface Step {
  readonly endpoint: Kind
  readonly bot: number
  readonly thing: number
  readonly other: number
  readonly text: string
  readonly key: number
}

type Read = 'channels' | 'channels?limit=2' | 'users' | 'users?limit=2' | 'ping'
type Kind = EndpointName | Read
type Posted = Exclude<Kind, Read | 'upload'>

const reads: readonly string[] = ['channels', 'channels?limit=2', 'users', 'users?limit=2', 'ping'] satisfies Read[]
const isRead = (kind: Kind): kind is Read => reads.includes(kind)

/** The relative frequency of each kind of request in a story. The compiler reports a missing endpoint. */
const frequencies: Readonly<Record<Kind, number>> = {
  ...{ createChannel: 2, addChannelMembers: 1, deleteChannel: 1, channels: 1, 'channels?limit=2': 1 },
  ...{ postThread: 2, deleteThread: 1, postComment: 3, deleteComment: 2 },
  ...{ createChat: 1, postChatMessage: 2, deleteChatMessage: 1, deleteChat: 1 },
  ...{ upload: 2, users: 1, 'users?limit=2': 1, ping: 1 },
}

export const kinds: readonly Kind[] = Object.keys(frequencies) as Kind[]

const step: fc.Arbitrary<Step> = fc.record({
  endpoint: fc.oneof(...kinds.map((kind) => ({ arbitrary: fc.constant(kind), weight: frequencies[kind] }))),
  bot: fc.nat(2),
  thing: fc.nat(9),
  other: fc.nat(9),
  text: fc.constantFrom('a', 'b', 'Straße', '#c', ' ', '<!FILE|>', '<@FILE>', 'text <@FILE>', '<!999999|>'),
  key: fc.nat(9),
})

/** The objects created so far, by the fields that name them. */
type Made = Map<string, string[]>

function pick(made: Made, field: string, index: number): string {
  const all = made.get(field) ?? []
  return all[index % Math.max(1, all.length)] ?? '100000'
}

function bodyOf(endpoint: Posted, { thing, other, text }: Step, made: Made, users: readonly string[]): object {
  const source = text.replace('FILE', pick(made, 'fileID', other))
  const people = { userIDs: [users[other % users.length]] }
  const thread = { threadID: pick(made, 'threadID', thing) }
  const bodies: Readonly<Record<Posted, object>> = {
    createChannel: { name: `${text}${other % 3}`, privacy: other % 2 === 0 ? 'public' : 'private', ...people },
    addChannelMembers: {
      channelID: pick(made, 'channelID', thing),
      ...(other % 3 === 0 ? { emails: [' ANN@people.test', `${text}@people.test`].slice(0, 1 + (thing % 2)) } : people),
    },
    deleteChannel: { channelID: pick(made, 'channelID', thing) },
    postThread: {
      ...(other % 3 === 0 ? { channel: `${text}${thing % 3}` } : { channelID: pick(made, 'channelID', thing) }),
      blocks: ['x', source],
    },
    deleteThread: thread,
    postComment: {
      ...thread,
      ...(other % 2 === 0 ? {} : { parentID: pick(made, 'commentID', other) }),
      blocks: [source],
    },
    deleteComment: { commentID: pick(made, 'commentID', thing) },
    createChat: { name: text, ...people },
    postChatMessage:
      thing % 3 === 0 ? { chat: text, body: source } : { chatID: pick(made, 'chatID', thing), body: source },
    deleteChatMessage: { messageID: pick(made, 'chatMessageID', thing) },
    deleteChat: { chatID: pick(made, 'chatID', thing) },
  }
  return bodies[endpoint]
}

/** Sends a story, and returns every response, with ids numbered in the order of creation. */
export async function tell(world: World, story: readonly Step[]): Promise<string[]> {
  const bots: Bot[] = [await world.bot('First'), await world.bot('Second'), await world.bot('Third')]
  const users = [...bots.map(({ userID }) => userID), (await world.person('ann')).userID]
  const made: Made = new Map()
  const names = new Map(users.map((id, index) => [id, `user ${index}`]))
  const answers: string[] = []
  for (const each of story) {
    const bot = bots[each.bot] ?? bots[0]
    if (bot === undefined) throw new Error('a story without bots')
    const { status, text } = await ask(bot, each, made, users)
    for (const [, field = '', id = ''] of text.matchAll(/"(\w+ID)":"([\da-f-]+)"/g)) {
      if (names.has(id) || field === 'requestID') continue
      names.set(id, `${field} ${names.size}`)
      made.set(field, [...(made.get(field) ?? []), id])
    }
    const known = text
      .replaceAll(world.name, 'organization')
      .replace(/"nextCursor":"([^"]*)"/, (_, cursor) => Buffer.from(cursor, 'base64url').toString())
      .replace(/\?s=[\w-]+/g, '?s=token')
      .replace(/[\da-f]{8}-[\da-f-]{27}|\d{6,}/g, (id) => names.get(id) ?? (id.includes('-') ? 'request' : id))
    answers.push(`${each.endpoint} ${status} ${known}`)
  }
  return answers
}

async function ask(
  bot: Bot,
  each: Step,
  made: Made,
  users: readonly string[],
): Promise<{ status: number; text: string }> {
  const { endpoint, text } = each
  // Some requests share one of three idempotency keys: these are repeats, with the same body or another one.
  const headers = each.key < 3 ? { 'idempotency-key': String(each.key) } : {}
  const reply = isRead(endpoint)
    ? await bot.get(endpoint)
    : endpoint === 'upload'
      ? await bot.upload(text, 'a.txt', headers)
      : await bot.call(endpoint, bodyOf(endpoint, each, made, users), headers)
  const replayed = reply.headers.get('idempotent-replayed') ?? ''
  return { status: reply.status, text: `${JSON.stringify(reply.body)} ${replayed}` }
}

/** All endpoints in an order in which each succeeds. */
const order: readonly EndpointName[] = [
  ...(['createChannel', 'createChat', 'upload', 'postThread', 'postComment', 'postChatMessage'] as const),
  ...(['addChannelMembers', 'channels', 'users', 'ping'] as const),
  ...(['deleteComment', 'deleteThread', 'deleteChannel', 'deleteChatMessage', 'deleteChat'] as const),
]

/** One request of each kind. */
export const everything: readonly Step[] = order
  .flatMap((name): Kind[] => (name === 'channels' || name === 'users' ? [name, `${name}?limit=2`] : [name]))
  .map((endpoint) => ({ endpoint, bot: 0, thing: 0, other: 0, text: '<!FILE|>', key: 9 }))

/** Stories that start with objects to reply to, show and delete. */
export const stories: fc.Arbitrary<Step[]> = fc
  .array(step, { minLength: 20, maxLength: 60, size: 'max' })
  .map((story) => [...everything.slice(0, 7), ...story])
