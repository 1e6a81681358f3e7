/** Deleted objects are gone at once, and their rows are removed in small parts. */

import { expect, onTestFinished, test } from 'vitest'
import { createFolderStorage } from '../../src/server/files/folder.js'
import { removeBot } from '../../src/server/operator/members.js'
import type { Database, Run } from '../../src/server/store/database.js'
import { createPostgresStore } from '../../src/server/store/index.js'
import { keepTidy, tidy } from '../../src/server/store/tidy.js'
import { testFolder, untilLocked } from './support/backends.js'
import { declaredTables } from './support/citus.js'
import { type Bot, type DatabaseWorld, furnish, onEveryDatabase } from './support/world.js'

/** The number of rows per statement. With a fixed number, a million rows need more statements, not longer ones. */
const BATCH = 1000

/** A database that reports each statement, inside and outside transactions, with the number of changed rows. */
function observed(database: Database, report: (text: string, count: number) => void): Database {
  const noted = (run: Run): Run =>
    (async (text, values) => {
      const result = await run(text, values)
      report(text, result.count)
      return result
    }) as Run
  return { ...database, run: noted(database.run), transact: (work) => database.transact((run) => work(noted(run))) }
}

/** A database that notes how many rows each statement changed. */
function noting(database: Database, counts: number[]): Database {
  return observed(database, (text, count) => /^\s*(?:DELETE|UPDATE|WITH)/.test(text) && counts.push(count))
}

onEveryDatabase((world) => {
  const rowsIn = async ({ database, organization }: DatabaseWorld, table: string): Promise<number> => {
    const count = `SELECT count(*)::int AS count FROM ${table} WHERE organization = $1`
    return (await database.run<{ count: number }>(count, [organization])).rows[0]?.count ?? 0
  }

  /** An organization with an object of each kind, whose thread has no comment. */
  async function furnished(): Promise<{ here: DatabaseWorld; bot: Bot; made: Awaited<ReturnType<typeof furnish>> }> {
    const here = await world()
    const bot = await here.bot('First')
    const made = await furnish(bot)
    await bot.make('deleteComment', { commentID: made.commentID })
    await tidy(here.database)
    return { here, bot, made }
  }

  /** Creates numbered rows in one statement, because only their removal is measured. */
  async function fill(
    { database, organization }: DatabaseWorld,
    into: string,
    values: string,
    count: number,
    parent = '',
  ): Promise<void> {
    const insert = `INSERT INTO ${into} SELECT $1::uuid, ${values} FROM generate_series(1, $2::int) AS n`
    await database.run(insert, parent === '' ? [organization, count] : [organization, count, parent])
  }

  async function addComments(here: DatabaseWorld, threadID: string, count: number): Promise<void> {
    const into = 'comments (organization, id, thread_id, parent_id, author_id, blocks, created_at)'
    const values =
      "$3::bigint * 10000 + n, $3::bigint, CASE WHEN n > 1 THEN $3::bigint * 10000 + n - 1 END, 1, ARRAY['x'], now()"
    await fill(here, into, values, count, threadID)
  }

  test('a thread of thousands of comments is deleted in one short request, and its rows are removed a thousand at a time', async () => {
    const { here, bot, made } = await furnished()
    const { threadID, channelID } = made
    const { threadID: other } = await bot.make('postThread', { channelID, blocks: ['stays'] })
    await bot.make('postComment', { threadID: other, blocks: ['stays'] })
    await addComments(here, threadID, 2 * BATCH + 500)
    const inRequest: number[] = []
    const noted = await (await world({ store: createPostgresStore(noting(here.database, inRequest)) })).bot('First')
    const headers = { authorization: `Bearer ${bot.key}` }
    expect((await noted.call('deleteThread', { threadID }, headers)).status).toBe(200)
    expect(inRequest).toEqual([1])
    const inParts: number[] = []
    await tidy(noting(here.database, inParts))
    expect(Math.max(...inParts)).toBe(BATCH)
    expect([await rowsIn(here, 'comments'), await rowsIn(here, 'threads')]).toEqual([1, 1])
    expect(await rowsIn(here, 'shown_files')).toBe(1)
  })

  test('a channel of many threads and a chat of many messages are removed in parts, too', async () => {
    const { here, bot, made } = await furnished()
    const { channelID, chatID, threadID } = made
    await addComments(here, threadID, 10)
    const threads = 'threads (organization, id, channel_id, author_id, blocks, share_token, created_at)'
    await fill(here, threads, "500000000 + n, $3::bigint, 1, ARRAY['x'], 'x', now()", 1500, channelID)
    const messages = 'messages (organization, id, chat_id, author_id, body, created_at)'
    await fill(here, messages, "gen_random_uuid(), $3::uuid, 1, 'x', now()", 2500, chatID)
    await bot.make('deleteChannel', { channelID })
    await bot.make('deleteChat', { chatID })
    const counts: number[] = []
    await tidy(noting(here.database, counts))
    expect(Math.max(...counts)).toBe(BATCH)
    for (const table of [
      'channels',
      'threads',
      'comments',
      'chats',
      'messages',
      'channel_members',
      'chat_members',
      'shown_files',
    ]) {
      expect([table, await rowsIn(here, table)]).toEqual([table, 0])
    }
  })

  test('deleted objects are not shown or served, even before their rows have gone', async () => {
    const { here, bot, made } = await furnished()
    const { channelID, channelURL, threadURL, chatID, chatURL, fileID, fileURL } = made
    for (const url of [channelURL, threadURL, chatURL, fileURL]) expect((await here.get(url, bot)).status).toBe(200)
    await bot.make('deleteChannel', { channelID })
    await bot.make('deleteChat', { chatID })
    for (const url of [channelURL, threadURL, chatURL, fileURL, `/files/${fileID}`]) {
      expect([url, (await here.get(url, bot)).status]).toEqual([url, 404])
    }
    expect(await (await here.get('/', bot)).text()).not.toContain(`href="/${chatID}"`)
    expect(await rowsIn(here, 'threads')).toBe(1)
  })

  test('a round runs as many statements for 2,000 organizations as for one, also if all have ended sessions', async () => {
    const here = await world()
    await tidy(here.database)
    const round = async (): Promise<number> => {
      let count = 0
      expect(await tidy(observed(here.database, () => (count += 1)))).toBe(true)
      return count
    }
    const before = await round()
    expect(before).toBe(12)
    const mark = `idle ${here.organization} `
    const insert = `INSERT INTO organizations (organization, name, name_key) SELECT gen_random_uuid(), $1 || n, gen_random_uuid() FROM generate_series(1, 2000) AS n`
    await here.database.run(insert, [mark])
    expect(await round()).toBe(before)
    const all = `FROM organizations WHERE name LIKE $1 || '%'`
    const users = `INSERT INTO users (organization, id, name, email, email_key, is_bot) SELECT organization, 1, 'x', 'x', 'x', false ${all}`
    await here.database.run(users, [mark])
    const sessions = `INSERT INTO sessions (organization, hash, user_id, expires_at) SELECT organization, 'x', 1, now() - interval '1 second' ${all}`
    await here.database.run(sessions, [mark])
    expect(await round()).toBeLessThan(30)
    expect((await here.database.run('SELECT FROM sessions WHERE expires_at <= now()')).rows).toHaveLength(0)
  })

  test('the removal of an organization that was interrupted is finished by tidying', async () => {
    const { here } = await furnished()
    const removed = 'UPDATE organizations SET is_removed = true WHERE organization = $1'
    await here.database.run(removed, [here.organization])
    await tidy(here.database)
    expect(await rowsIn(here, 'threads')).toBe(1)
    await tidy(here.database, await createFolderStorage(await testFolder()))
    for (const table of (await declaredTables()).distributed)
      expect([table, await rowsIn(here, table)]).toEqual([table, 0])
  })

  test('one process at a time removes rows', async () => {
    const { here, bot, made } = await furnished()
    await bot.make('deleteThread', { threadID: made.threadID })
    await here.database.transact(async (run) => {
      await run('SELECT pg_advisory_xact_lock(7260148210337)')
      expect(await tidy(here.database)).toBe(false)
      expect(await rowsIn(here, 'threads')).toBe(1)
    })
  })

  test('a server tidies when it starts', async () => {
    const { here, bot, made } = await furnished()
    await bot.make('deleteThread', { threadID: made.threadID })
    const contents = await createFolderStorage(await testFolder())
    const error = await new Promise((resolve) => onTestFinished(keepTidy(here.database, contents, resolve)))
    expect([error, await rowsIn(here, 'threads')]).toEqual([undefined, 0])
  })

  test('sessions, sign-in links, API keys and kept responses are removed after their end, a thousand at a time', async () => {
    const here = await world()
    const bot = await here.bot('First')
    await bot.call('createChat', { name: 'c' }, { 'idempotency-key': 'k' })
    const hash = "sha256(convert_to($1::text || n, 'UTF8'))"
    const ended = `${hash}, now()`
    await fill(here, 'sessions (organization, user_id, hash, expires_at)', `${bot.userID}, ${ended}`, 1)
    await fill(here, 'sign_in_links (organization, user_id, hash, expires_at)', `${bot.userID}, ${ended}`, 1)
    await fill(here, 'api_keys (organization, id, bot_id, hash, expires_at)', `n, ${bot.userID}, ${ended}`, 1)
    await fill(here, 'key_directory (organization, hash)', hash, 1)
    const kept = 'idempotency (organization, hash, request_hash, answer, expires_at)'
    await fill(here, kept, `${hash}, '', '', now()`, 2 * BATCH + 500)
    const counts: number[] = []
    await tidy(noting(here.database, counts))
    expect(Math.max(...counts)).toBe(BATCH)
    const tables = ['sessions', 'sign_in_links', 'api_keys', 'key_directory', 'idempotency']
    // The key of the bot and the response to its request have not ended.
    expect(await Promise.all(tables.map((table) => rowsIn(here, table)))).toEqual([0, 0, 1, 1, 1])
  })

  test('a comment that is deleted during a reply to it stays as a placeholder', async () => {
    const { here, bot, made } = await furnished()
    const { threadID } = made
    const { commentID } = await bot.make('postComment', { threadID, blocks: ['x'] })
    let deleting: Promise<unknown> = Promise.resolve()
    await createPostgresStore(here.database).write(here.organization, async (rows) => {
      await rows.comment(commentID, 'share')
      deleting = bot.make('deleteComment', { commentID })
      await untilLocked(here.database)
      const reply = { threadID, parentID: commentID, authorID: bot.userID, blocks: ['y'], createdAt: new Date() }
      await rows.addComment(reply)
    })
    await deleting
    expect(await rowsIn(here, 'comments')).toBe(2)
  })

  test('a placeholder is on no page once its last reply is deleted, at once with others, and is removed later', async () => {
    const { here, bot, made } = await furnished()
    const reply = async (parentID?: string): Promise<string> =>
      (await bot.make('postComment', { threadID: made.threadID, parentID, blocks: ['x'] })).commentID
    const page = async (): Promise<string> => (await here.get(made.threadURL)).text()
    const top = await reply()
    const middle = await reply(top)
    const last = [await reply(middle), await reply(middle)]
    for (const commentID of [middle, top]) await bot.make('deleteComment', { commentID })
    expect(await rowsIn(here, 'comments')).toBe(4)
    expect((await page()).split('This comment was deleted.')).toHaveLength(3)
    await Promise.all(last.map((commentID) => bot.make('deleteComment', { commentID })))
    expect(await page()).not.toContain(`id="m${middle}"`)
    for (let round = 0; round < 10; round += 1) {
      const parent = await reply()
      const both = [parent, await reply(parent)]
      await Promise.all(both.map((commentID) => bot.make('deleteComment', { commentID })))
    }
    await tidy(here.database)
    expect(await rowsIn(here, 'comments')).toBe(0)
  })

  test('a removed bot keeps its name on its messages, and nothing else finds it', async () => {
    const { here, bot, made } = await furnished()
    const other = await here.bot('Other')
    const blocks = [`by <@${other.userID}>`]
    const { threadID, threadURL } = await other.make('postThread', { channelID: made.channelID, blocks })
    await other.make('createChannel', { name: 'own', privacy: 'private' })
    await removeBot(here.database.run, here.organization, other.userID)
    expect((await other.get('ping')).status).toBe(401)
    const html = await (await here.get(threadURL)).text()
    expect(html).toMatch(/<b class="author" dir="auto">Other<\/b>/)
    expect(html).toContain('@Other</span>')
    expect(JSON.stringify((await bot.get('users')).body.result)).not.toContain('Other')
    const invited = await bot.call('createChannel', { name: 'new', userIDs: [other.userID] })
    expect(invited.body.error?.code).toBe('user_not_found')
    expect((await bot.call('deleteThread', { threadID })).status).toBe(403)
    await tidy(here.database)
    expect([await rowsIn(here, 'api_keys'), await rowsIn(here, 'key_directory')]).toEqual([1, 1])
    // Another bot may use the name.
    expect((await here.bot('Other')).userID).not.toBe(other.userID)
    await expect(removeBot(here.database.run, here.organization, other.userID)).rejects.toThrow('no bot has the id')
  })
})
