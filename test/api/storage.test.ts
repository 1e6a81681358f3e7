/** The promises of the storage: whole transactions, keys by organization, the visibility of files. */

import { expect, test } from 'vitest'
import { StoreError } from '../../src/api/store/store.js'
import type { Database, Run } from '../../src/server/store/database.js'
import { createPostgresStore } from '../../src/server/store/index.js'
import { migrate } from '../../src/server/store/migrate.js'
import { type Bot, type DatabaseWorld, onEveryDatabase, type Reply } from './support/world.js'

test('with more API keys in use than are cached, each is queried again, once', async () => {
  const asked: string[] = []
  const run = async (name: string) => {
    asked.push(name)
    return { rows: name === 'organizationOfKey' ? [{ organization: 'one' }] : [], count: 0 }
  }
  const database: Pick<Database, 'run' | 'together' | 'connections'> = {
    run: run as Run,
    together: (work) => work(run as Run),
    connections: () => ({ open: 0, idle: 0, waiting: 0 }),
  }
  const store = createPostgresStore(database as Database)
  const searches = async (keys: number): Promise<number> => {
    asked.length = 0
    for (let key = 0; key < keys; key += 1) await store.identify(Buffer.from(String(key)), new Date())
    return asked.filter((name) => name === 'organizationOfKey').length
  }
  expect([await searches(10_000), await searches(10_000)]).toEqual([10_000, 0])
  expect([await searches(10_001), await searches(10)]).toEqual([1, 10])
})

onEveryDatabase((world) => {
  async function setup(here: DatabaseWorld): Promise<{ bot: Bot; requests: [string, object][]; fileID: string }> {
    const bot = await here.bot('First')
    const fileID = await bot.file('shown')
    const { channelID } = (await bot.call('createChannel', { name: 'c' })).body.result
    const { threadID } = (await bot.call('postThread', { channelID, blocks: [`<!${fileID}|>`] })).body.result
    const comment = { threadID, blocks: ['x', `<!${fileID}|>`] }
    const { commentID } = (await bot.call('postComment', comment)).body.result
    await bot.call('postComment', { ...comment, parentID: commentID })
    const { chatID } = (await bot.call('createChat', { name: 'c' })).body.result
    const { chatMessageID } = (await bot.call('postChatMessage', { chatID, body: `<!${fileID}|>` })).body.result
    const form = new FormData()
    form.append('data', new Blob(['another file']), 'a.txt')
    const requests: [string, object][] = [
      ['upload', form],
      ['createChannel', { name: 'new', userIDs: [bot.userID] }],
      ['addChannelMembers', { channelID, emails: [`bot-${(await here.bot('Second')).userID}@site.test`] }],
      ['postThread', { channel: 'c', blocks: ['x', `<!${fileID}|>`] }],
      ['postComment', { ...comment, parentID: commentID }],
      ['createChat', { name: 'new' }],
      ['postChatMessage', { chatID, body: `<!${fileID}|>` }],
      ['deleteComment', { commentID }],
      ['deleteChatMessage', { messageID: chatMessageID }],
      ['deleteThread', { threadID }],
      ['deleteChannel', { channelID }],
      ['deleteChat', { chatID }],
    ]
    return { bot, requests, fileID }
  }

  test('if any statement of any endpoint fails, the database is unchanged', async () => {
    const here = await world()
    const { bot, requests } = await setup(here)
    const fault = { at: 0, count: 0 }
    const failing = await world({ store: createPostgresStore(failingAt(here.database, fault)) })
    const send = (name: string, body: object): Promise<Response> => {
      const headers = new Headers({ authorization: `Bearer ${bot.key}`, 'idempotency-key': 'k' })
      if (!(body instanceof FormData)) headers.set('content-type', 'application/json')
      const content = body instanceof FormData ? body : JSON.stringify(body)
      return failing.fetch(
        new Request(`http://site.test/api/public/${name}`, { method: 'POST', headers, body: content }),
      )
    }
    for (const [name, body] of requests) {
      const before = await dump(here)
      let statement = 1
      for (; ; statement += 1) {
        fault.at = statement
        fault.count = 0
        const response = await send(name, body)
        if (response.status === 200) break
        expect([name, statement, response.status]).toEqual([name, statement, 503])
        expect([name, statement, await dump(here)]).toEqual([name, statement, before])
      }
      expect(statement, name).toBeGreaterThan(4)
      expect(await dump(here), name).not.toEqual(before)
    }
  })

  test('if 500 requests wait for the database, a new one gets 503 at once, and all waiting ones succeed', async () => {
    const here = await world()
    const bot = await here.bot('First')
    // Waiting ends after ten seconds, so each request is a single query.
    const ping = (): Promise<Reply> => bot.get('ping')
    expect((await ping()).status).toBe(200)
    let early: Promise<Reply>[] = []
    await here.database.transact(async (run) => {
      await run('', 'LOCK TABLE users IN ACCESS EXCLUSIVE MODE', [])
      early = Array.from({ length: 530 }, ping)
      // No request that waits can go on, so the first response is a rejection.
      const { status, headers, body } = await Promise.race(early)
      expect([status, body.error?.code, headers.get('retry-after')]).toEqual([503, 'storage_unavailable', '1'])
      expect((await ping()).status).toBe(503)
    })
    const statuses = (await Promise.all(early)).map(({ status }) => status)
    const done = statuses.filter((status) => status === 200).length
    expect(done).toBeGreaterThanOrEqual(500)
    expect(statuses.filter((status) => status === 503)).toHaveLength(530 - done)
    expect((await bot.call('createChannel', { name: 'c' })).status).toBe(200)
  })

  test('any number of processes may start migrations at once, and a newer schema is an error', async () => {
    const { database } = await world()
    await Promise.all(Array.from({ length: 4 }, () => migrate(database)))
    const newer: Database = {
      ...database,
      run: (async (name: string, text: string, values: readonly unknown[]) => {
        const result = await database.run(name, text, values)
        return text.includes('AS version') ? { rows: [{ version: 99 }], count: 1 } : result
      }) as Run,
    }
    await expect(migrate(newer)).rejects.toThrow('schema 99')
  })

  test('the files of a chat message are visible only to the members of the chat', async () => {
    const here = await world()
    const [bot, other] = [await here.bot('First'), await here.bot('Second')]
    const fileID = await bot.file('content')
    await bot.call('createChat', { name: 'two' })
    await bot.call('postChatMessage', { chat: 'two', body: `<!${fileID}|>` })
    await other.call('createChat', { name: 'own' })
    const say = async (): Promise<number> =>
      (await other.call('postChatMessage', { chat: 'own', body: `<!${fileID}|>` })).status
    expect(await say()).toBe(422)
    await bot.call('createChat', { name: 'both', userIDs: [other.userID] })
    await bot.call('postChatMessage', { chat: 'both', body: `<!${fileID}|>` })
    expect(await say()).toBe(200)
  })
})

/** A database whose n-th statement of each transaction or lookup fails as a lost connection does. */
function failingAt(database: Database, fault: { at: number; count: number }): Database {
  const count = (): void => {
    fault.count += 1
    if (fault.count === fault.at) throw new StoreError('unavailable')
  }
  const counted = (run: Run): Run =>
    (async (name, text, values) => {
      count()
      return run(name, text, values)
    }) as Run
  return {
    ...database,
    run: counted(database.run),
    together: (work) => database.together((run) => work(counted(run))),
    transact: (work) =>
      database.transact(async (run) => {
        const result = await work(counted(run))
        // The last moment before the commit.
        count()
        return result
      }),
  }
}

const TABLES = [
  ...['channels', 'channel_members', 'threads', 'comments', 'chats', 'chat_members', 'messages', 'files'],
  ...['shown_files', 'idempotency'],
]

async function dump(here: DatabaseWorld): Promise<string[]> {
  return (await Promise.all(TABLES.map((table) => dumpOf(here, table)))).flat()
}

async function dumpOf({ database, organization }: DatabaseWorld, table: string): Promise<string[]> {
  const question = `SELECT ${table}::text AS row FROM ${table} WHERE organization = $1 ORDER BY 1`
  return (await database.run<{ row: string }>('', question, [organization])).rows.map(({ row }) => `${table} ${row}`)
}
