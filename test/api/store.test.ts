/** The promises of the stores: rows refer to existing rows, and on PostgreSQL transactions are whole. */

import { describe, expect, test } from 'vitest'
import { createMemoryStore } from '../../src/api/store/memory.js'
import { type Rows, type Store, StoreError } from '../../src/api/store/store.js'
import type { Database, Run } from '../../src/server/store/database.js'
import { createPostgresStore } from '../../src/server/store/index.js'
import { migrate } from '../../src/server/store/migrate.js'
import { createMemoryWorld, type DatabaseWorld, furnish, onEveryDatabase, type Reply } from './support/world.js'

/** A store with an organization and a bot in it. */
interface Open {
  readonly store: Store
  readonly organization: string
  readonly botID: string
}

describe('in memory', () =>
  holdsRows(async () => {
    const store = createMemoryStore()
    const world = await createMemoryWorld(store)
    return { store, organization: world.organization, botID: (await world.bot('First')).userID }
  }))

onEveryDatabase((world) =>
  holdsRows(async () => {
    const { database, organization, bot } = await world()
    return { store: createPostgresStore(database), organization, botID: (await bot('First')).userID }
  }),
)

function holdsRows(open: () => Promise<Open>): void {
  const [createdAt, uuid] = [new Date('2026-01-01T00:00:00Z'), '01890000-0000-7000-8000-000000000000']

  test('a row that refers to a missing row is rejected as gone', async () => {
    const { store, organization, botID: authorID } = await open()
    const works: ((rows: Rows) => Promise<unknown>)[] = [
      (rows) => rows.addChannelMembers('1', [authorID]),
      (rows) => rows.addThread({ channelID: '1', authorID, blocks: ['x'], shareToken: 'x', createdAt }),
      (rows) => rows.addComment({ threadID: '1', parentID: null, authorID, blocks: ['x'], createdAt }),
      (rows) => rows.addMessage({ chatID: uuid, authorID, body: 'x', createdAt }),
    ]
    for (const work of works) {
      await expect(store.write(organization, work)).rejects.toMatchObject({ reason: 'gone' })
    }
  })
}

onEveryDatabase((world) => {
  test('if any statement of any endpoint fails, the database is unchanged', async () => {
    const here = await world()
    const bot = await here.bot('First')
    const { userID } = await here.bot('Second')
    const { fileID, channelID, threadID, commentID, chatID, chatMessageID } = await furnish(bot)
    const comment = { threadID, parentID: commentID, blocks: ['x', `<!${fileID}|>`] }
    await bot.make('postComment', comment)
    const form = new FormData()
    form.append('data', new Blob(['another file']), 'a.txt')
    const fault = { at: 0, count: 0 }
    const failing = await world({ store: createPostgresStore(failingAt(here.database, fault)) })
    const caller = await failing.bot('First')
    const headers = { authorization: `Bearer ${bot.key}`, 'idempotency-key': 'k' }
    for (const [name, body] of [
      ['upload', form],
      ['createChannel', { name: 'new', userIDs: [userID] }],
      ['addChannelMembers', { channelID, emails: [`bot-${userID}@site.test`] }],
      ['postThread', { channel: 'c', blocks: ['x', `<!${fileID}|>`] }],
      ['postComment', comment],
      ['createChat', { name: 'new' }],
      ['postChatMessage', { chatID, body: `<!${fileID}|>` }],
      ['deleteComment', { commentID }],
      ['deleteChatMessage', { messageID: chatMessageID }],
      ['deleteThread', { threadID }],
      ['deleteChannel', { channelID }],
      ['deleteChat', { chatID }],
    ] as const) {
      const before = await dump(here)
      const content = body instanceof FormData ? body : JSON.stringify(body)
      for (fault.at = 1; ; fault.at += 1) {
        fault.count = 0
        const { status } = await caller.send(name, { headers, body: content })
        if (status === 200) break
        expect([name, fault.at, status, await dump(here)]).toEqual([name, fault.at, 503, before])
      }
      expect(fault.at, name).toBeGreaterThan(4)
      expect(await dump(here), name).not.toEqual(before)
    }
  })

  test('if 500 requests wait for the database, a new one gets 503 at once, and all waiting ones succeed', async () => {
    const here = await world()
    const bot = await here.bot('First')
    const ping = (): Promise<Reply> => bot.get('ping')
    expect((await ping()).status).toBe(200)
    let early: Promise<Reply>[] = []
    await here.database.transact(async (run) => {
      await run('LOCK TABLE users IN ACCESS EXCLUSIVE MODE')
      early = Array.from({ length: 530 }, ping)
      // No waiting request can proceed, so the first response is a rejection.
      const { status, headers, body } = await Promise.race(early)
      expect([status, body.error?.code, headers.get('retry-after')]).toEqual([503, 'storage_unavailable', '1'])
    })
    const statuses = (await Promise.all(early)).map(({ status }) => status)
    const done = statuses.filter((status) => status === 200).length
    expect(done).toBeGreaterThanOrEqual(500)
    expect(statuses.filter((status) => status === 503)).toHaveLength(530 - done)
    await bot.make('createChannel', { name: 'c' })
  })

  test('any number of processes may start migrations at once, and a newer schema is an error', async () => {
    const { database } = await world()
    await Promise.all(Array.from({ length: 4 }, () => migrate(database)))
    const newer: Database = {
      ...database,
      run: (async (text: string, values?: readonly unknown[]) => {
        const result = await database.run(text, values)
        return text.includes('AS version') ? { rows: [{ version: 99 }], count: 1 } : result
      }) as Run,
    }
    await expect(migrate(newer)).rejects.toThrow('schema 99')
  })
})

/** A database whose n-th statement of each transaction or lookup fails as a lost connection does. */
function failingAt(database: Database, fault: { at: number; count: number }): Database {
  const count = (): void => {
    fault.count += 1
    if (fault.count === fault.at) throw new StoreError('unavailable')
  }
  const counted = (run: Run): Run =>
    (async (text, values) => {
      count()
      return run(text, values)
    }) as Run
  return {
    ...database,
    run: counted(database.run),
    transact: (work) =>
      database.transact(async (run) => {
        const result = await work(counted(run))
        // The last possible failure before the commit.
        count()
        return result
      }),
  }
}

const TABLES = [
  ...['channels', 'channel_members', 'threads', 'comments', 'chats', 'chat_members', 'messages', 'files'],
  ...['shown_files', 'idempotency'],
]

async function dump({ database, organization }: DatabaseWorld): Promise<string[]> {
  const rows = TABLES.map(async (table) => {
    const question = `SELECT ${table}::text AS row FROM ${table} WHERE organization = $1 ORDER BY 1`
    const found = await database.run<{ row: string }>(question, [organization])
    return found.rows.map(({ row }) => `${table} ${row}`)
  })
  return (await Promise.all(rows)).flat()
}
