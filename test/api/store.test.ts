/** The rows and errors of every store, in memory and on PostgreSQL, without the service. */

import { describe, expect, test } from 'vitest'
import { createMemoryStore } from '../../src/api/store/memory/index.js'
import type { Rows, Store } from '../../src/api/store/store.js'
import { createPostgresStore } from '../../src/server/store/index.js'
import { createMemoryWorld, onEveryDatabase } from './support/world.js'

/** A store with an organization and a bot in it. */
interface Open {
  readonly store: Store
  readonly organization: string
  readonly botID: string
}

async function openMemory(): Promise<Open> {
  const store = createMemoryStore()
  const world = await createMemoryWorld(store)
  return { store, organization: world.organization, botID: (await world.bot('First')).userID }
}

describe('in memory', () => holdsRows(openMemory))

describe('in memory, without rows that are removed later,', () => {
  test('a removed row takes along the rows that refer to it', async () => {
    const { store, organization, botID } = await openMemory()
    const { channel, thread, comment, chat, message } = await store.write(organization, (rows) => fill(rows, botID))
    await store.write(organization, (rows) => rows.removeChannel(channel))
    await store.write(organization, (rows) => rows.removeChat(chat))
    const left = (rows: Rows): Promise<unknown[]> =>
      Promise.all([rows.thread(thread), rows.comment(comment, 'share'), rows.message(message)])
    expect(await store.read(organization, left)).toEqual([null, null, null])
  })

  test('work on a missing organization is rejected as gone', async () => {
    const { store } = await openMemory()
    await expect(store.read('no organization', async () => 1)).rejects.toMatchObject({ reason: 'gone' })
    await expect(store.write('no organization', async () => 1)).rejects.toMatchObject({ reason: 'gone' })
  })
})

onEveryDatabase((world) =>
  holdsRows(async () => {
    const here = await world()
    const botID = (await here.bot('First')).userID
    return { store: createPostgresStore(here.database), organization: here.organization, botID }
  }),
)

const [createdAt, uuid] = [new Date('2026-01-01T00:00:00Z'), '01890000-0000-7000-8000-000000000000']

/** Creates one row of each kind, and returns their ids. */
async function fill(
  rows: Rows,
  botID: string,
): Promise<Record<'channel' | 'thread' | 'comment' | 'file' | 'chat' | 'message', string>> {
  const channel = await rows.addChannel({
    ...{ name: 'c', nameKey: 'c', description: '', isPrivate: false, creatorID: botID },
  })
  await rows.addChannelMembers(channel, [botID])
  const thread = await rows.addThread({
    ...{ channelID: channel, authorID: botID, blocks: ['x'], shareToken: 'x', createdAt },
  })
  const comment = await rows.addComment({
    ...{ threadID: thread, parentID: null, authorID: botID, blocks: ['x'], createdAt },
  })
  const chat = await rows.addChat({ name: 't', nameKey: 't', creatorID: botID, createdAt })
  await rows.addChatMembers(chat, [botID])
  const message = await rows.addMessage({ chatID: chat, authorID: botID, body: 'x', createdAt })
  const file = await rows.addFile({
    ...{ hash: '0'.repeat(64), size: 1, mediaType: 'text/plain', name: 'a', uploaderID: botID, createdAt },
    ...{ width: null, height: null },
  })
  await rows.showFiles({ channelID: channel, threadID: thread }, [file])
  await rows.showFiles({ channelID: channel, threadID: thread, commentID: comment }, [file])
  await rows.showFiles({ chatID: chat, messageID: message }, [file])
  return { channel, thread, comment, file, chat, message }
}

function holdsRows(open: () => Promise<Open>): void {
  test('a row that refers to a missing row is rejected as gone', async () => {
    const { store, organization, botID } = await open()
    const authorID = botID
    const works: ((rows: Rows) => Promise<unknown>)[] = [
      (rows) => rows.addChannelMembers('1', [botID]),
      (rows) => rows.addThread({ channelID: '1', authorID, blocks: ['x'], shareToken: 'x', createdAt }),
      (rows) => rows.addComment({ threadID: '1', parentID: null, authorID, blocks: ['x'], createdAt }),
      (rows) => rows.addChatMembers(uuid, [botID]),
      (rows) => rows.addMessage({ chatID: uuid, authorID, body: 'x', createdAt }),
    ]
    for (const work of works) {
      await expect(store.write(organization, work)).rejects.toMatchObject({ reason: 'gone' })
    }
    await expect(store.write(organization, (rows) => rows.removeComment('1'))).resolves.toBe(false)
    expect(await store.read(organization, (rows) => rows.comment('1', 'share'))).toBeNull()
    await expect(store.write(organization, (rows) => rows.removeThread('1'))).resolves.toBe(false)
  })

  test('a transaction that fails changes nothing', async () => {
    const { store, organization, botID } = await open()
    const all = { after: null, count: null }
    const failing = store.write(organization, async (rows) => {
      await fill(rows, botID)
      throw new Error('not this time')
    })
    await expect(failing).rejects.toThrow('not this time')
    expect(await store.read(organization, (rows) => rows.channels(botID, all))).toEqual([])
    const { channel, comment } = await store.write(organization, (rows) => fill(rows, botID))
    const changing = store.write(organization, async (rows) => {
      await rows.addChannelMembers(channel, [botID])
      await rows.removeComment(comment)
      await rows.removeChannel(channel)
      throw new Error('nor this time')
    })
    await expect(changing).rejects.toThrow('nor this time')
    await store.read(organization, async (rows) => {
      expect((await rows.channels(botID, all)).map(({ memberIDs }) => memberIDs)).toEqual([[botID]])
      expect(await rows.comment(comment, 'share')).toMatchObject({ isDeleted: false })
    })
  })

  test('a file that only a removed channel or chat shows is no longer seen', async () => {
    const { store, organization, botID } = await open()
    const { channel, file, chat } = await store.write(organization, (rows) => fill(rows, botID))
    const seen = (): Promise<readonly string[]> => store.read(organization, (rows) => rows.filesSeen([file], botID))
    expect(await seen()).toEqual([file])
    expect(await store.write(organization, (rows) => rows.removeChannel(channel))).toBe(true)
    expect(await store.read(organization, (rows) => rows.channel(channel, botID))).toBeNull()
    expect(await seen()).toEqual([file])
    expect(await store.write(organization, (rows) => rows.removeChat(chat))).toBe(true)
    expect(await store.read(organization, (rows) => rows.chat(uuid, botID))).toBeNull()
    expect(await seen()).toEqual([])
  })

  test('a file of a deleted comment is no longer seen, unless another message shows it', async () => {
    const { store, organization, botID } = await open()
    const { channel, thread, file } = await store.write(organization, (rows) => fill(rows, botID))
    const own = await store.write(organization, async (rows) => {
      const comment = { threadID: thread, parentID: null, authorID: botID, blocks: ['x'], createdAt }
      const upload = { hash: '1'.repeat(64), size: 1, mediaType: 'text/plain', name: 'b', uploaderID: botID, createdAt }
      const fileID = await rows.addFile({ ...upload, width: null, height: null })
      const commentID = await rows.addComment(comment)
      await rows.showFiles({ channelID: channel, threadID: thread, commentID }, [fileID, file])
      await rows.addComment({ ...comment, parentID: commentID })
      await rows.removeComment(commentID)
      expect(await rows.comment(commentID, 'share')).toMatchObject({ isDeleted: true })
      return fileID
    })
    expect(await store.read(organization, (rows) => rows.filesSeen([own, file], botID))).toEqual([file])
  })

  test('rows are found only by their ids, and lists have the requested number of rows, in the order of their ids', async () => {
    const { store, organization, botID } = await open()
    const { channel, file } = await store.write(organization, (rows) => fill(rows, botID))
    const second = await store.write(organization, (rows) =>
      rows.addChannel({ name: 'd', nameKey: 'd', description: '', isPrivate: false, creatorID: botID }),
    )
    await store.read(organization, async (rows) => {
      const idsOf = async (after: string | null, count: number | null): Promise<string[]> =>
        (await rows.channels(botID, { after, count })).map(({ id }) => id)
      expect(await idsOf(null, null)).toEqual([channel, second])
      expect(await idsOf(null, 1)).toEqual([channel])
      expect(await idsOf(channel, 1)).toEqual([second])
      expect(await idsOf(second, 1)).toEqual([])
      expect(await rows.files(['1'])).toEqual([])
      expect((await rows.files(['1', file])).map(({ id }) => id)).toEqual([file])
      expect((await rows.users({ after: null, count: 1 })).map(({ id }) => id)).toEqual([botID])
    })
  })

  test('a name that is another channel’s is taken', async () => {
    const { store, organization, botID } = await open()
    await store.write(organization, (rows) => fill(rows, botID))
    await expect(store.write(organization, (rows) => fill(rows, botID))).rejects.toMatchObject({ reason: 'taken' })
  })
}
