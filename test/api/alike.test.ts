/** The store in memory answers as PostgreSQL does: the same stories, made by chance, are told to both. */

import { rm } from 'node:fs/promises'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMemoryStore } from '../../src/api/store/memory/index.js'
import type { Rows, Store } from '../../src/api/store/store.js'
import { createPostgresStore } from '../../src/server/postgres/index.js'
import { seeded } from '../properties/property.js'
import { type OpenBackend, openEmbedded, temporaryFolder } from './support/backends.js'
import { type Bot, createMemoryWorld, createWorld, type World } from './support/world.js'

/** One request; what it refers to is named by its place among the things that were made before. */
interface Step {
  readonly endpoint: string
  readonly bot: number
  readonly thing: number
  readonly other: number
  readonly text: string
  readonly key: number
}

/** As often as each is to come in a story. */
const kinds: readonly string[] = [
  ...['createChannel', 'createChannel', 'addChannelMembers', 'deleteChannel', 'postThread', 'postThread'],
  ...['deleteThread', 'postComment', 'postComment', 'postComment', 'deleteComment', 'deleteComment', 'createChat'],
  ...['postChatMessage', 'postChatMessage', 'deleteChatMessage', 'deleteChat', 'upload', 'channels', 'users'],
  ...['channels?limit=2', 'upload'],
]

const step: fc.Arbitrary<Step> = fc.record({
  endpoint: fc.constantFrom(...kinds),
  bot: fc.nat(2),
  thing: fc.nat(9),
  other: fc.nat(9),
  text: fc.constantFrom('a', 'b', 'Straße', '#c', ' ', '<!FILE|>', '<@FILE>', 'text <@FILE>', '<!999999|>'),
  key: fc.nat(9),
})

/** What was made so far, by the fields that name it. */
type Made = Map<string, string[]>

function pick(made: Made, field: string, index: number): string {
  const all = made.get(field) ?? []
  return all[index % Math.max(1, all.length)] ?? '100000'
}

function bodyOf({ endpoint, thing, other, text }: Step, made: Made, users: readonly string[]): object {
  const source = text.replace('FILE', pick(made, 'fileID', other))
  const people = { userIDs: [users[other % users.length]] }
  const thread = { threadID: pick(made, 'threadID', thing) }
  const bodies: Record<string, object> = {
    createChannel: { name: `${text}${other % 3}`, privacy: other % 2 === 0 ? 'public' : 'private', ...people },
    addChannelMembers: { channelID: pick(made, 'channelID', thing), ...people },
    deleteChannel: { channelID: pick(made, 'channelID', thing) },
    postThread: { channelID: pick(made, 'channelID', thing), blocks: ['x', source] },
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
  return bodies[endpoint] ?? {}
}

/** Tells a story, and gives every answer with ids by the order of their making. */
async function tell(world: World, story: readonly Step[]): Promise<string[]> {
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
  // Some requests are repeated ones, some of them with another body.
  const headers = each.key < 3 ? { 'idempotency-key': String(each.key) } : {}
  const reply =
    endpoint.includes('?') || endpoint === 'users' || endpoint === 'channels'
      ? await bot.get(endpoint)
      : endpoint === 'upload'
        ? await bot.upload(text, 'a.txt', headers)
        : await bot.call(endpoint, bodyOf(each, made, users), headers)
  const replayed = reply.headers.get('idempotent-replayed') ?? ''
  return { status: reply.status, text: `${JSON.stringify(reply.body)} ${replayed}` }
}

let backend: OpenBackend
let folder = ''

beforeAll(async () => {
  backend = await openEmbedded()
  folder = await temporaryFolder()
})

afterAll(async () => {
  await backend.close()
  await rm(folder, { recursive: true, force: true })
})

/** Tells a story to both, and gives the answers, which are the same. */
async function tellBoth(story: readonly Step[]): Promise<string[]> {
  const now = new Date('2026-01-01T00:00:00Z')
  const inMemory = await tell(await createMemoryWorld(createMemoryStore(), { now: () => now }), story)
  const onDisk = await tell(await createWorld(backend, folder, { now: () => now }), story)
  expect(inMemory).toEqual(onDisk)
  return inMemory
}

/** Both stores, each with an organization and a bot in it. */
async function openBoth(): Promise<{ store: Store; organization: string; botID: string }[]> {
  const memory = createMemoryStore()
  const pairs: [Store, World][] = [
    [memory, await createMemoryWorld(memory)],
    [createPostgresStore(backend.database), await createWorld(backend, folder)],
  ]
  return Promise.all(
    pairs.map(async ([store, world]) => {
      const { organization } = world
      return { store, organization, botID: (await world.bot('First')).userID }
    }),
  )
}

test('what hangs on a row that is not there is refused as gone, in memory and on PostgreSQL', async () => {
  const [createdAt, uuid] = [new Date(), '01890000-0000-7000-8000-000000000000']
  const works: ((rows: Rows, botID: string) => Promise<unknown>)[] = [
    (rows, botID) => rows.addChannelMembers('1', [botID]),
    (rows, authorID) => rows.addThread({ channelID: '1', authorID, blocks: ['x'], shareToken: 'x', createdAt }),
    (rows, authorID) => rows.addComment({ threadID: '1', parentID: null, authorID, blocks: ['x'], createdAt }),
    (rows, botID) => rows.addChatMembers(uuid, [botID]),
    (rows, authorID) => rows.addMessage({ id: uuid, chatID: uuid, authorID, body: 'x', createdAt }),
  ]
  for (const { store, organization, botID } of await openBoth()) {
    for (const work of works)
      await expect(store.write(organization, (rows) => work(rows, botID))).rejects.toMatchObject({ reason: 'gone' })
    await expect(store.write(organization, (rows) => rows.emptyComment('1'))).resolves.toBeUndefined()
    await expect(store.write(organization, (rows) => rows.removeThread('1'))).resolves.toBe(false)
  }
  await expect(createMemoryStore().read('no organization', async () => 1)).rejects.toMatchObject({ reason: 'gone' })
})

test('what fails leaves nothing behind, in memory and on PostgreSQL', async () => {
  for (const { store, organization, botID } of await openBoth()) {
    const failing = store.write(organization, async (rows) => {
      const channel = { name: 'c', nameKey: 'c', description: '', isPrivate: false, creatorID: botID }
      await rows.addChannelMembers(await rows.addChannel(channel), [botID])
      throw new Error('not this time')
    })
    await expect(failing).rejects.toThrow('not this time')
    const all = { after: null, count: null }
    expect(await store.read(organization, (rows) => rows.channels(botID, all))).toEqual([])
  }
})

/** One request of each kind, each where it succeeds. */
const everything: readonly Step[] = [
  ...['createChannel', 'createChat', 'upload', 'postThread', 'postComment', 'postChatMessage', 'addChannelMembers'],
  ...['channels', 'channels?limit=2', 'users', 'deleteComment', 'deleteThread', 'deleteChannel'],
  ...['deleteChatMessage', 'deleteChat'],
].map((endpoint) => ({ endpoint, bot: 0, thing: 0, other: 0, text: '<!FILE|>', key: 9 }))

// Chance does not decide whether each kind of request is seen to succeed.
test('a story of every kind of request succeeds in memory and on PostgreSQL, with the same answers', async () => {
  expect(new Set(everything.map(({ endpoint }) => endpoint))).toEqual(new Set(kinds))
  const answers = await tellBoth(everything)
  expect(answers.filter((answer) => answer.split(' ', 2)[1] !== '200')).toEqual([])
})

test('any story has the same answers in memory and on PostgreSQL', { timeout: 240_000 }, async () => {
  const stories = fc.array(step, { minLength: 20, maxLength: 60, size: 'max' })
  await fc.assert(
    fc.asyncProperty(stories, async (story) => {
      // What is made first is there to be answered, shown and deleted.
      await tellBoth([...everything.slice(0, 7), ...story])
    }),
    { numRuns: 20, endOnFailure: true, ...seeded },
  )
})
