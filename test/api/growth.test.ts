/** Costs that do not grow with success, counted in blocks that PostgreSQL reads. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readShareToken } from '../../src/api/rules/share-token.js'
import { sql } from '../../src/server/store/sql.js'
import { type OpenBackend, openEmbedded, temporaryFolder } from './support/backends.js'
import { type Bot, createWorld, type DatabaseWorld } from './support/world.js'

let backend: OpenBackend
let here: DatabaseWorld
let bot: Bot

beforeAll(async () => {
  backend = await openEmbedded()
  here = await createWorld(backend, await temporaryFolder())
  bot = await here.bot('First')
})
afterAll(() => backend.close())

/** Returns the blocks that a statement reads when it runs the second time. */
async function blocksOf(text: string, values: readonly unknown[]): Promise<number> {
  const explain = `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`
  interface Plan {
    Plan: { 'Shared Hit Blocks': number; 'Shared Read Blocks': number }
  }
  let blocks = 0
  for (let count = 0; count < 2; count += 1) {
    const { rows } = await backend.database.run<{ 'QUERY PLAN': Plan[] }>('', explain, [here.organization, ...values])
    const plan = rows[0]?.['QUERY PLAN'][0]?.Plan
    blocks = (plan?.['Shared Hit Blocks'] ?? 0) + (plan?.['Shared Read Blocks'] ?? 0)
  }
  return blocks
}

/** Shows a file in the given number of threads of a channel. The secret is that of the last thread's share token. */
async function shown(count: number, privacy = 'public'): Promise<{ fileID: string; secret: string }> {
  const fileID = await bot.file(`shown ${count} times`)
  const { channelID } = (await bot.call('createChannel', { name: `${privacy} ${count}`, privacy })).body.result
  const threads = `
    INSERT INTO threads (organization, id, channel_id, author_id, blocks, share_token, created_at)
    SELECT $1::uuid, $2::bigint * 100000 + n, $2::bigint, 1, ARRAY['x'], $2 || 't' || n, now() FROM generate_series(1, $3::int) AS n`
  await backend.database.run('', threads, [here.organization, channelID, count])
  const places = `
    INSERT INTO shown_files (organization, file_id, room, place, thread_id)
    SELECT organization, $3, channel_id, id::text, id FROM threads WHERE organization = $1 AND channel_id = $2`
  await backend.database.run('', places, [here.organization, channelID, fileID])
  return { fileID, secret: `${channelID}t${count}` }
}

describe('a file that is shown 20,000 times costs as much as one that is shown ten times', () => {
  let few: Awaited<ReturnType<typeof shown>>
  let many: typeof few

  beforeAll(async () => {
    few = await shown(10)
    many = await shown(20_000)
    await backend.database.run('', 'ANALYZE', [])
  })

  test('for a bot', async () => {
    const [one, other] = [
      await blocksOf(sql.filesSeen, [[few.fileID], bot.userID]),
      await blocksOf(sql.filesSeen, [[many.fileID], bot.userID]),
    ]
    expect(other).toBeLessThan(one + 10)
  })

  test('for a bot that may not see it', async () => {
    const stranger = await here.bot('Stranger')
    const cost = async (count: number): Promise<number> => {
      const { fileID } = await shown(count, 'private')
      await backend.database.run('', 'ANALYZE', [])
      const { rows } = await backend.database.run('', sql.filesSeen, [here.organization, [fileID], stranger.userID])
      expect(rows).toEqual([])
      return blocksOf(sql.filesSeen, [[fileID], stranger.userID])
    }
    expect(await cost(20_000)).toBeLessThan((await cost(10)) + 10)
  })

  test('for a guest whose thread has 20,000 comments that do not show it', async () => {
    const { channelID } = (await bot.call('createChannel', { name: 'long' })).body.result
    const { threadID, threadURL } = (await bot.call('postThread', { channelID, blocks: ['x'] })).body.result
    const secret = readShareToken(new URL(threadURL).searchParams.get('s'))?.secret
    const comments = `
      INSERT INTO comments (organization, id, thread_id, author_id, blocks, created_at)
      SELECT $1::uuid, $2::bigint * 100000 + n, $2::bigint, 1, ARRAY['x'], now() FROM generate_series(1, 20000) AS n`
    await backend.database.run('', comments, [here.organization, threadID])
    await backend.database.run('', 'ANALYZE', [])
    expect(await blocksOf(sql.filesShared, [[many.fileID], secret])).toBeLessThan(20)
  })

  test('for a guest with a share token', async () => {
    const cost = ({ fileID, secret }: typeof few): Promise<number> => blocksOf(sql.filesShared, [[fileID], secret])
    expect(await cost(many)).toBeLessThan((await cost(few)) + 10)
    expect(await cost({ fileID: many.fileID, secret: 'nothing' })).toBeLessThan(10)
  })

  test('for a bot that shows it again', async () => {
    const cost = ({ fileID }: typeof few): Promise<number> => blocksOf(sql.files, [[fileID]])
    expect(await cost(many)).toBeLessThan((await cost(few)) + 10)
  })
})

test('a post writes its own rows and no other', async () => {
  const tables = `
    SELECT relname AS name, n_tup_ins::int AS count FROM pg_stat_user_tables WHERE n_tup_ins > 0 ORDER BY 1`
  const counts = async (): Promise<Map<string, number>> => {
    await backend.database.run('', 'SELECT pg_stat_force_next_flush()', [])
    const { rows } = await backend.database.run<{ name: string; count: number }>('', tables, [])
    return new Map(rows.map(({ name, count }) => [name, count]))
  }
  await bot.call('createChannel', { name: 'rows' })
  const posting = async (): Promise<Record<string, number>> => {
    const before = await counts()
    for (let count = 0; count < 5; count += 1) await bot.call('postThread', { channel: 'rows', blocks: ['x'] })
    let changed: Record<string, number> = {}
    // Each connection reports for itself, at most once a second.
    await expect
      .poll(async () => {
        await bot.get('ping')
        const after = [...(await counts())].map(([name, count]) => [name, count - (before.get(name) ?? 0)] as const)
        changed = Object.fromEntries(after.filter(([, count]) => count > 0))
        return changed['threads'] ?? 0
      })
      .toBeGreaterThanOrEqual(5)
    return changed
  }
  await posting()
  expect(Object.keys(await posting())).toEqual(['threads'])
})
