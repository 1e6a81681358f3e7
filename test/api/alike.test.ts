/** The store in memory answers as PostgreSQL does: the same stories, made by chance, are told to both. */

import { rm } from 'node:fs/promises'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMemoryStore } from '../../src/api/store/memory/index.js'
import type { Rows, Store } from '../../src/api/store/store.js'
import { createPostgresStore } from '../../src/server/postgres/index.js'
import { seeded } from '../properties/property.js'
import { type OpenBackend, openEmbedded, temporaryFolder } from './support/backends.js'
import { everything, kinds, type Step, stories, tell } from './support/stories.js'
import { createMemoryWorld, createWorld, type World } from './support/world.js'

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

// Chance does not decide whether each kind of request is seen to succeed.
test('a story of every kind of request succeeds in memory and on PostgreSQL, with the same answers', async () => {
  expect(new Set(everything.map(({ endpoint }) => endpoint))).toEqual(new Set(kinds))
  const answers = await tellBoth(everything)
  expect(answers.filter((answer) => answer.split(' ', 2)[1] !== '200')).toEqual([])
})

test('any story has the same answers in memory and on PostgreSQL', { timeout: 240_000 }, async () => {
  const told = fc.asyncProperty(stories, async (story) => {
    await tellBoth(story)
  })
  await fc.assert(told, { numRuns: 20, endOnFailure: true, ...seeded })
})
