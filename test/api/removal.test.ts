/** Deleted objects are gone at once, and their rows are removed in small parts. */

import { expect, onTestFinished, test } from 'vitest'
import { createFolderStorage } from '../../src/server/files/folder.js'
import { removeBot } from '../../src/server/operator/members.js'
import type { Database, Run } from '../../src/server/store/database.js'
import { createPostgresStore } from '../../src/server/store/index.js'
import { distributedTables } from '../../src/server/store/tables.js'
import { keepTidy, tidy } from '../../src/server/store/tidy.js'
import { testFolder, untilLocked } from './support/backends.js'
import { type Bot, type DatabaseWorld, onEveryDatabase, SITE } from './support/world.js'

/** Rows in one statement, so that a million rows need more time but no longer statements. */
const BATCH = 1000

onEveryDatabase((world) => {
  /** Creates comments that reply to each other, in one statement, because only their removal is measured. */
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

  /** Returns a function that posts a comment on the thread, or a reply to one, and returns its id. */
  function posting(bot: Bot, { threadID }: Record<string, string>): (parentID?: string) => Promise<string> {
    return async (parentID) =>
      (await bot.call('postComment', { threadID, parentID, blocks: ['x'] })).body.result.commentID
  }

  test('a thread of thousands of comments is deleted in one short request, and its rows are removed a thousand at a time', async () => {
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
    await tidy(noting(here.database, inParts))
    expect(Math.max(...inParts)).toBe(BATCH)
    expect([await rowsIn(here, 'comments'), await rowsIn(here, 'threads')]).toEqual([1, 1])
    expect(await rowsIn(here, 'shown_files')).toBe(1)
  })

  test('deleted objects are not found, listed or served, even before their rows have gone', async () => {
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
    await tidy(here.database)
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

  test('a channel of many threads and a chat of many messages are removed in parts, too', async () => {
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
    await tidy(noting(here.database, counts))
    expect(Math.max(...counts)).toBe(BATCH)
    const left = ['channels', 'threads', 'comments', 'chats', 'messages', 'shown_files']
    expect(await Promise.all(left.map((table) => rowsIn(here, table)))).toEqual([0, 0, 0, 0, 0, 0])
  })

  /** A database that counts its statements. */
  function counting(database: Database): [Database, () => number] {
    let count = 0
    const counted = (run: Run): Run =>
      (async (name, text, values) => {
        count += 1
        return run(name, text, values)
      }) as Run
    const own = {
      ...database,
      run: counted(database.run),
      transact: <Result>(work: (run: Run) => Promise<Result>) =>
        database.transact((run) => {
          count += 2
          return work(counted(run))
        }),
    }
    return [own, () => count]
  }

  async function organizations(here: DatabaseWorld, count: number): Promise<void> {
    const insert = `INSERT INTO organizations (organization, name, name_key) SELECT gen_random_uuid(), $1 || n, gen_random_uuid() FROM generate_series(1, $2::int) AS n`
    await here.database.run('', insert, [`idle ${here.organization} `, count])
  }

  test('a round with nothing to do runs as many statements for 2,000 organizations as for one', async () => {
    const here = await world()
    await tidy(here.database)
    const rounds: number[] = []
    for (const more of [0, 2000]) {
      await organizations(here, more)
      const [database, count] = counting(here.database)
      expect(await tidy(database)).toBe(true)
      rounds.push(count())
    }
    expect(rounds[1]).toBe(rounds[0])
    expect(rounds[1]).toBeLessThan(20)
  })

  test('ended sessions of 1,500 organizations are removed in a few statements', async () => {
    const here = await world()
    await organizations(here, 1500)
    const sessions = `
      INSERT INTO users (organization, id, name, email, email_key, is_bot)
      SELECT organization, 1, 'x', 'x', 'x', false FROM organizations WHERE name LIKE 'idle ' || $1 || '%'`
    await here.database.run('', sessions, [here.organization])
    const insert = `
      INSERT INTO sessions (organization, hash, user_id, expires_at)
      SELECT organization, 'x', 1, now() - interval '1 second' FROM organizations WHERE name LIKE 'idle ' || $1 || '%'`
    await here.database.run('', insert, [here.organization])
    const [database, count] = counting(here.database)
    await tidy(database)
    expect(count()).toBeLessThan(30)
    const left = `SELECT FROM sessions WHERE expires_at <= now()`
    expect((await here.database.run('', left, [])).rows).toHaveLength(0)
  })

  test('the removal of an organization that was interrupted is finished by tidying', async () => {
    const here = await world()
    await furnished(here)
    await here.database.run('', 'UPDATE organizations SET is_removed = true WHERE organization = $1', [
      here.organization,
    ])
    await tidy(here.database)
    expect(await rowsIn(here, 'threads')).toBe(1)
    await tidy(here.database, await createFolderStorage(await testFolder()))
    for (const table of distributedTables) expect([table, await rowsIn(here, table)]).toEqual([table, 0])
  })

  test('one process at a time removes rows', async () => {
    const here = await world()
    const { bot, made } = await furnished(here)
    await bot.call('deleteThread', { threadID: made['threadID'] })
    await here.database.transact(async (run) => {
      await run('', 'SELECT pg_advisory_xact_lock(7260148210337)', [])
      expect(await tidy(here.database)).toBe(false)
      expect(await rowsIn(here, 'threads')).toBe(1)
    })
  })

  test('a server tidies when it starts', async () => {
    const here = await world()
    const { bot, made } = await furnished(here)
    await bot.call('deleteThread', { threadID: made['threadID'] })
    const contents = await createFolderStorage(await testFolder())
    const error = await new Promise((resolve) => onTestFinished(keepTidy(here.database, contents, resolve)))
    expect([error, await rowsIn(here, 'threads')]).toEqual([undefined, 0])
  })

  test('kept responses are removed after a day, a thousand at a time, and their idempotency keys are free again', async () => {
    const here = await world()
    const bot = await here.bot('First')
    const isReplayed = async (key: string): Promise<boolean> =>
      (await bot.call('createChat', { name: 'c' }, { 'idempotency-key': key })).headers.has('idempotent-replayed')
    const age = async (hours: number): Promise<void> => {
      const older = `UPDATE idempotency SET expires_at = now() + make_interval(hours => 24 - $2::int) WHERE organization = $1`
      await here.database.run('', older, [here.organization, hours])
    }
    expect(await isReplayed('old')).toBe(false)
    await age(23)
    await tidy(here.database)
    expect(await isReplayed('old')).toBe(true)
    await age(25)
    // Also before its row is removed.
    expect(await isReplayed('old')).toBe(false)
    expect(await isReplayed('old')).toBe(true)
    await age(25)
    expect(await isReplayed('new')).toBe(false)
    const more = `
      INSERT INTO idempotency (organization, hash, request_hash, answer, expires_at)
      SELECT $1::uuid, sha256(n::text::bytea), '', '', now() FROM generate_series(1, 2500) AS n`
    await here.database.run('', more, [here.organization])
    const counts: number[] = []
    await tidy(noting(here.database, counts))
    expect(Math.max(...counts)).toBe(BATCH)
    expect(await rowsIn(here, 'idempotency')).toBe(1)
    expect(await isReplayed('new')).toBe(true)
  })

  test('a comment that is deleted during a reply to it stays as a placeholder', async () => {
    const here = await world()
    const { bot, made } = await furnished(here)
    const { threadID = '' } = made
    const { commentID } = (await bot.call('postComment', { threadID, blocks: ['x'] })).body.result
    let deleting: Promise<unknown> = Promise.resolve()
    await createPostgresStore(here.database).write(here.organization, async (rows) => {
      await rows.comment(commentID, 'share')
      deleting = bot.call('deleteComment', { commentID })
      await untilLocked(here.database)
      const reply = { threadID, parentID: commentID, authorID: bot.userID, blocks: ['y'], createdAt: new Date() }
      await rows.addComment(reply)
    })
    expect(await deleting).toMatchObject({ status: 200 })
    expect(await rowsIn(here, 'comments')).toBe(2)
  })

  test('a placeholder is on no page once its last reply is deleted, and is removed later', async () => {
    const here = await world()
    const { bot, made } = await furnished(here)
    const reply = posting(bot, made)
    const page = async (): Promise<string> => (await here.fetch(new Request(made['threadURL'] ?? ''))).text()
    const top = await reply()
    const middle = await reply(top)
    const last = [await reply(middle), await reply(middle)]
    for (const commentID of [middle, top]) await bot.call('deleteComment', { commentID })
    expect(await rowsIn(here, 'comments')).toBe(4)
    expect((await page()).split('This comment was deleted.')).toHaveLength(3)
    const replies = await Promise.all(last.map((commentID) => bot.call('deleteComment', { commentID })))
    expect(replies.map(({ status }) => status)).toEqual([200, 200])
    expect(await page()).not.toContain(`id="m${middle}"`)
    await tidy(here.database)
    expect(await rowsIn(here, 'comments')).toBe(0)
  })

  test('a comment and its only reply are removed if both are deleted at once', async () => {
    const here = await world()
    const { bot, made } = await furnished(here)
    const post = posting(bot, made)
    for (let round = 0; round < 10; round += 1) {
      const parent = await post()
      const both = [parent, await post(parent)]
      const replies = await Promise.all(both.map((commentID) => bot.call('deleteComment', { commentID })))
      expect(replies.map(({ status }) => status)).toEqual([200, 200])
    }
    await tidy(here.database)
    expect(await rowsIn(here, 'comments')).toBe(0)
  })

  test('a removed bot keeps its name on its messages, and nothing else finds it', async () => {
    const here = await world()
    const { made } = await furnished(here)
    const other = await here.bot('Other')
    const { threadID, threadURL } = (
      await other.call('postThread', { channelID: made['channelID'], blocks: [`by <@${other.userID}>`] })
    ).body.result
    await other.call('createChannel', { name: 'own', privacy: 'private' })
    await removeBot(here.database, here.organization, other.userID)
    expect((await other.get('ping')).status).toBe(401)
    const html = await (await here.fetch(new Request(threadURL))).text()
    expect(html).toMatch(/<b class="author" dir="auto">Other<\/b>/)
    expect(html).toContain('@Other</span>')
    const bot = await here.bot('First')
    expect(JSON.stringify((await bot.get('users')).body.result)).not.toContain('Other')
    const invited = await bot.call('createChannel', { name: 'new', userIDs: [other.userID] })
    expect([invited.status, invited.body.error?.code]).toEqual([422, 'user_not_found'])
    expect((await bot.call('deleteThread', { threadID })).status).toBe(403)
    expect(await rowsIn(here, 'api_keys')).toBe(1)
    // The name is free again, for another bot.
    expect((await here.bot('Other')).userID).not.toBe(other.userID)
    await expect(removeBot(here.database, here.organization, other.userID)).rejects.toThrow('no bot has the id')
  })
})
