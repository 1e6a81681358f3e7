/** What the storage promises: whole transactions, every key by organization, tombstones, what a file may be shown by. */

import { expect, test } from 'vitest'
import { operatorSql } from '../../src/api/operator/sql.js'
import type { Database, Run } from '../../src/api/store/postgres/database.js'
import { createPostgresStore } from '../../src/api/store/postgres/index.js'
import { migrate } from '../../src/api/store/postgres/migrate.js'
import { sql } from '../../src/api/store/postgres/sql.js'
import { StoreError } from '../../src/api/store/store.js'
import { type Bot, type DatabaseWorld, onEveryDatabase } from './support/world.js'

/** The two tables that say which organization a key or an id is of, and have no other way to. */
const DIRECTORIES = ['key_directory', 'id_directory']

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

  test('whichever statement of whichever endpoint fails, the database is as it was', async () => {
    const here = await world()
    const { bot, requests } = await setup(here)
    const fault = { at: 0 }
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
        const response = await send(name, body)
        if (response.status === 200) break
        expect([name, statement, response.status]).toEqual([name, statement, 503])
        expect([name, statement, await dump(here)]).toEqual([name, statement, before])
      }
      expect(statement, name).toBeGreaterThan(4)
      expect(await dump(here), name).not.toEqual(before)
    }
  })

  test('every table but the two directories can be distributed: all its keys begin with the organization', async () => {
    const { database } = await world()
    const constraints = await ask<{ table: string; kind: string; first: string; target: string | null }>(
      database,
      `SELECT c.conrelid::regclass::text AS table, c.contype AS kind, c.confrelid::regclass::text AS target,
        (SELECT a.attname FROM pg_attribute a WHERE a.attrelid = c.conrelid AND a.attnum = c.conkey[1]) AS first
      FROM pg_constraint c JOIN pg_namespace n ON n.oid = c.connamespace
      WHERE n.nspname = current_schema() AND c.contype IN ('p', 'u', 'f')`,
    )
    const tables = await ask<{ table: string }>(
      database,
      `SELECT c.oid::regclass::text AS table FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname = current_schema() AND c.relkind = 'r'`,
    )
    expect(tables.length).toBeGreaterThan(10)
    for (const { table } of tables) {
      if (DIRECTORIES.includes(table)) continue
      const own = constraints.filter((constraint) => constraint.table === table)
      expect([table, own.some((constraint) => constraint.kind === 'p')]).toEqual([table, true])
      for (const { first, target } of own) {
        expect([table, first]).toEqual([table, 'organization'])
        expect(DIRECTORIES).not.toContain(target)
      }
    }
    const indexes = await ask<{ table: string; first: string }>(
      database,
      `SELECT i.indrelid::regclass::text AS table, pg_get_indexdef(i.indexrelid, 1, false) AS first
      FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname = current_schema() AND c.relkind = 'r' AND i.indisunique`,
    )
    for (const { table, first } of indexes) {
      if (!DIRECTORIES.includes(table)) expect([table, first]).toEqual([table, 'organization'])
    }
  })

  test('every statement names the organization, but the lookups of the directories and the list of organizations', () => {
    const exceptions = ['organizationOfKey', 'locate', 'organizations', 'nextID']
    for (const [name, statement] of Object.entries({ ...sql, ...operatorSql })) {
      const isNamed =
        /organization = \$1|\(organization, [^)]*\)\s+(VALUES \(|SELECT )\$1|concat_ws\(chr\(31\), \$1|\(organization, name\) VALUES \(\$1/
      expect([name, isNamed.test(statement) || exceptions.includes(name)]).toEqual([name, true])
      expect([name, /\b(LISTEN|SET\s+(?!blocks|name|expires_at|request_hash)|PREPARE)\b/.test(statement)]).toEqual([
        name,
        false,
      ])
    }
  })

  test('migrations may be started by any number of processes at once, and a newer schema is refused', async () => {
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

  test('a deleted comment with replies stays as an empty place until its last reply goes', async () => {
    const here = await world()
    const bot = await here.bot('First')
    const { channelID } = (await bot.call('createChannel', { name: 'c' })).body.result
    const { threadID, threadURL } = (await bot.call('postThread', { channelID, blocks: ['thread'] })).body.result
    const comment = async (parentID: string, text: string): Promise<string> =>
      (await bot.call('postComment', { threadID, parentID, blocks: [text] })).body.result.commentID
    const first = await comment(threadID, 'first')
    const [second, third] = [await comment(first, 'second'), await comment(first, 'third')]
    const page = async (): Promise<string> => (await here.fetch(new Request(threadURL))).text()
    const remove = async (commentID: string): Promise<number> => (await bot.call('deleteComment', { commentID })).status
    expect(await remove(first)).toBe(200)
    expect(await remove(first)).toBe(404)
    expect(await page()).toContain('This comment was deleted.')
    expect(await page()).not.toContain('first')
    expect(await Promise.all([remove(second), remove(third)])).toEqual([200, 200])
    expect(await page()).not.toContain('This comment was deleted.')
    expect(await dumpOf(here, 'comments')).toEqual([])
  })

  test('a file shows only where the bot uploaded it or already sees a message that shows it', async () => {
    const here = await world()
    const [bot, other] = [await here.bot('First'), await here.bot('Second')]
    const fileID = await bot.file('content')
    await bot.call('createChannel', { name: 'open' })
    const post = (who: Bot, block: string): Promise<{ status: number }> =>
      who.call('postThread', { channel: 'open', blocks: [block] })
    expect((await post(other, `<!${fileID}|>`)).status).toBe(422)
    expect((await post(bot, '<!999|>')).status).toBe(422)
    expect((await post(other, `<@${fileID}|>`)).status).toBe(200)
    expect(await dumpOf(here, 'shown_files')).toEqual([])
    expect((await post(bot, `<@${fileID}|>`)).status).toBe(200)
    expect(await dumpOf(here, 'shown_files')).toHaveLength(1)
    expect((await post(other, `<!${fileID}|again>`)).status).toBe(200)
    expect(await dumpOf(here, 'shown_files')).toHaveLength(2)
  })

  test('a message in a chat shows its files to the members of the chat only', async () => {
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
function failingAt(database: Database, fault: { at: number }): Database {
  const counted = (run: Run, count: { statements: number }): Run =>
    (async (name, text, values) => {
      count.statements += 1
      if (count.statements === fault.at) throw new StoreError('unavailable')
      return run(name, text, values)
    }) as Run
  // The lookups of the key come first, and count too; each request begins anew.
  const count = { statements: 0 }
  return {
    ...database,
    together(work) {
      count.statements = 0
      return database.together((run) => work(counted(run, count)))
    },
    transact: (work) =>
      database.transact(async (run) => {
        const result = await work(counted(run, count))
        // The last moment before it is kept.
        count.statements += 1
        if (count.statements === fault.at) throw new StoreError('unavailable')
        return result
      }),
  }
}

async function ask<Row extends object>(database: Database, question: string): Promise<Row[]> {
  return (await database.run<Row & Record<string, unknown>>('', question, [])).rows
}

const TABLES = [
  'channels',
  'channel_members',
  'threads',
  'comments',
  'chats',
  'chat_members',
  'messages',
  'files',
  'shown_files',
  'idempotency',
  'id_directory',
]

async function dump(here: DatabaseWorld): Promise<string[]> {
  return (await Promise.all(TABLES.map((table) => dumpOf(here, table)))).flat()
}

async function dumpOf({ database, organization }: DatabaseWorld, table: string): Promise<string[]> {
  const question = `SELECT ${table}::text AS row FROM ${table} WHERE organization = $1 ORDER BY 1`
  return (await database.run<{ row: string }>('', question, [organization])).rows.map(({ row }) => `${table} ${row}`)
}
