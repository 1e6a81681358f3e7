/** What was deleted is gone at once, and its rows go in small parts. */

import { expect, test } from 'vitest'
import type { Database, Run } from '../../src/server/postgres/database.js'
import { createPostgresStore } from '../../src/server/postgres/index.js'
import { sweep } from '../../src/server/postgres/sweep.js'
import { type Bot, type DatabaseWorld, onEveryDatabase, SITE } from './support/world.js'

/** So that a million is only a longer time, and never a longer statement. */
const BATCH = 1000

onEveryDatabase((world) => {
  /** Comments that answer each other, in one statement: what is measured is their removal. */
  async function comments(here: DatabaseWorld, threadID: string, count: number): Promise<void> {
    const insert = `
      INSERT INTO comments (organization, id, thread_id, parent_id, author_id, blocks, created_at)
      SELECT $1::uuid, $2::bigint * 10000 + n, $2::bigint, CASE WHEN n > 1 THEN $2::bigint * 10000 + n - 1 END, 1, ARRAY['x'], now()
      FROM generate_series(1, $3::int) AS n`
    await here.database.run('', insert, [here.organization, threadID, count])
  }

  const rowsIn = async ({ database, organization }: DatabaseWorld, table: string): Promise<number> => {
    const count = `SELECT count(*)::int AS count FROM ${table} WHERE organization = $1`
    return (await database.run<{ count: number }>('', count, [organization])).rows[0]?.count ?? 0
  }

  /** A database that notes how many rows each statement changed. */
  function noting(database: Database, counts: number[]): Database {
    const noted = (run: Run): Run =>
      (async (name, text, values) => {
        const result = await run(name, text, values)
        if (/^\s*(?:DELETE|UPDATE)/.test(text)) counts.push(result.count)
        return result
      }) as Run
    return { ...database, transact: (work) => database.transact((run) => work(noted(run))) }
  }

  async function furnished(here: DatabaseWorld): Promise<{ bot: Bot; made: Record<string, string>; fileID: string }> {
    const bot = await here.bot('First')
    const fileID = await bot.file('a file')
    const blocks = [`<!${fileID}|>`]
    const { channelID } = (await bot.call('createChannel', { name: 'c' })).body.result
    const { threadID, threadURL } = (await bot.call('postThread', { channelID, blocks })).body.result
    const { chatID } = (await bot.call('createChat', { name: 'c' })).body.result
    await bot.call('postChatMessage', { chatID, body: `<!${fileID}|>` })
    return { bot, made: { channelID, threadID, threadURL, chatID }, fileID }
  }

  test('a thread of thousands of comments goes in one short request, and its rows a thousand at a time', async () => {
    const here = await world()
    const { bot, made } = await furnished(here)
    const { threadID = '', channelID } = made
    const other = (await bot.call('postThread', { channelID, blocks: ['stays'] })).body.result.threadID
    await bot.call('postComment', { threadID: other, blocks: ['stays'] })
    await comments(here, threadID, 2 * BATCH + 500)
    const inRequest: number[] = []
    const noted = await world({ store: createPostgresStore(noting(here.database, inRequest)) })
    const headers = { authorization: `Bearer ${bot.key}`, 'content-type': 'application/json' }
    const init = { method: 'POST', headers, body: JSON.stringify({ threadID }) }
    expect((await noted.fetch(new Request(`${SITE}/api/public/deleteThread`, init))).status).toBe(200)
    expect(inRequest).toEqual([1])
    const inParts: number[] = []
    await sweep(noting(here.database, inParts), here.organization)
    expect(Math.max(...inParts)).toBe(BATCH)
    expect([await rowsIn(here, 'comments'), await rowsIn(here, 'threads')]).toEqual([1, 1])
    expect(await rowsIn(here, 'shown_files')).toBe(1)
  })

  test('nothing of what was deleted is found, listed, answered or served before its rows have gone', async () => {
    const here = await world()
    const { bot, made, fileID } = await furnished(here)
    const { channelID, threadID = '', threadURL = '', chatID } = made
    const { commentID } = (await bot.call('postComment', { threadID, blocks: ['x'] })).body.result
    const { chatMessageID } = (await bot.call('postChatMessage', { chatID, body: 'x' })).body.result
    expect((await bot.call('deleteChannel', { channelID })).status).toBe(200)
    expect((await bot.call('deleteChat', { chatID })).status).toBe(200)
    const gone: readonly (readonly [string, object])[] = [
      ['deleteChannel', { channelID }],
      ['addChannelMembers', { channelID, userIDs: [] }],
      ['postThread', { channelID, blocks: ['x'] }],
      ['postThread', { channel: 'c', blocks: ['x'] }],
      ['deleteThread', { threadID }],
      ['postComment', { threadID, blocks: ['x'] }],
      ['deleteComment', { commentID }],
      ['deleteChat', { chatID }],
      ['postChatMessage', { chatID, body: 'x' }],
      ['postChatMessage', { chat: 'c', body: 'x' }],
      ['deleteChatMessage', { messageID: chatMessageID }],
    ]
    for (const [name, body] of gone) expect([name, (await bot.call(name, body)).status]).toEqual([name, 404])
    expect((await bot.get('channels')).body.result).toEqual([])
    const statusOf = async (address: string): Promise<number> =>
      (await here.fetch(new Request(address, { headers: { authorization: `Bearer ${bot.key}` } }))).status
    const token = new URL(threadURL).search
    for (const path of [`/${channelID}`, `/${threadID}${token}`, `/${commentID}${token}`, `/${chatID}`]) {
      expect([path, await statusOf(SITE + path)]).toEqual([path, 404])
    }
    expect([await statusOf(`${SITE}/files/${fileID}`), await statusOf(`${SITE}/files/${fileID}${token}`)]).toEqual([
      404, 404,
    ])
    expect(await (await here.fetch(new Request(SITE))).text()).not.toContain(`href="/${chatID}"`)
    // The name is free again.
    expect((await bot.call('createChannel', { name: 'C' })).status).toBe(200)
    await sweep(here.database, here.organization)
    const left = [
      'channels',
      'threads',
      'comments',
      'chats',
      'messages',
      'channel_members',
      'chat_members',
      'shown_files',
    ]
    expect(await Promise.all(left.map((table) => rowsIn(here, table)))).toEqual([1, 0, 0, 0, 0, 1, 0, 0])
  })

  test('a channel of many threads and a chat of many messages go in parts, too', async () => {
    const here = await world()
    const { bot, made } = await furnished(here)
    const { channelID, chatID, threadID } = made
    await comments(here, threadID ?? '', 10)
    const threads = `
      INSERT INTO threads (organization, id, channel_id, author_id, blocks, share_token, created_at)
      SELECT $1::uuid, 500000000 + n, $2::bigint, 1, ARRAY['x'], 'x', now() FROM generate_series(1, 1500) AS n`
    await here.database.run('', threads, [here.organization, channelID])
    const messages = `
      INSERT INTO messages (organization, id, chat_id, author_id, body, created_at)
      SELECT $1::uuid, gen_random_uuid(), $2::uuid, 1, 'x', now() FROM generate_series(1, 2500) AS n`
    await here.database.run('', messages, [here.organization, chatID])
    await bot.call('deleteChannel', { channelID })
    await bot.call('deleteChat', { chatID })
    const counts: number[] = []
    await sweep(noting(here.database, counts), here.organization)
    expect(Math.max(...counts)).toBe(BATCH)
    const left = ['channels', 'threads', 'comments', 'chats', 'messages', 'shown_files']
    expect(await Promise.all(left.map((table) => rowsIn(here, table)))).toEqual([0, 0, 0, 0, 0, 0])
  })

  test('whoever is told of a removal is told after it was kept, and only then', async () => {
    const told: string[] = []
    const here = await world()
    const store = createPostgresStore(here.database, (organization) => told.push(organization))
    const there = await world({ store })
    const { bot, made } = await furnished(here)
    const { threadID, channelID, chatID } = made
    const post = (name: string, body: object): Promise<Response> => {
      const headers = { authorization: `Bearer ${bot.key}`, 'content-type': 'application/json' }
      const init = { method: 'POST', headers, body: JSON.stringify(body) }
      return there.fetch(new Request(`${SITE}/api/public/${name}`, init))
    }
    await post('createChat', { name: 'another' })
    await post('deleteThread', { threadID: '1' })
    expect(told).toEqual([])
    await post('deleteThread', { threadID })
    await post('deleteChannel', { channelID })
    await post('deleteChat', { chatID })
    expect(told).toEqual(Array(3).fill(here.organization))
  })
})
