/** Costs that do not grow with the amount of stored data, measured in blocks that PostgreSQL reads. */

import { describe, expect, test } from 'vitest'
import { readShareToken } from '../../src/api/rules/share-token.js'
import { sql } from '../../src/server/store/sql.js'
import { sharedBackend } from './support/backends.js'
import { createWorld } from './support/world.js'

const { backend, folder } = await sharedBackend()
const here = await createWorld(backend, folder)
const bot = await here.bot('First')

/** Returns the blocks that a statement reads when it runs the second time. */
async function blocksOf(text: string, values: readonly unknown[]): Promise<number> {
  const explain = `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`
  interface Plan {
    Plan: { 'Shared Hit Blocks': number; 'Shared Read Blocks': number }
  }
  let blocks = 0
  for (let count = 0; count < 2; count += 1) {
    const { rows } = await backend.database.run<{ 'QUERY PLAN': Plan[] }>(explain, [here.organization, ...values])
    const plan = rows[0]?.['QUERY PLAN'][0]?.Plan
    blocks = (plan?.['Shared Hit Blocks'] ?? 0) + (plan?.['Shared Read Blocks'] ?? 0)
  }
  return blocks
}

let channels = 0

/** Shows a file in the given number of threads of a channel. The secret is that of the last thread's share token. */
async function shown(count: number, privacy = 'public'): Promise<{ fileID: string; secret: string }> {
  const fileID = await bot.file(`shown ${count} times`)
  channels += 1
  const { channelID } = await bot.make('createChannel', { name: `channel ${channels}`, privacy })
  const threads = `
    INSERT INTO threads (organization, id, channel_id, author_id, blocks, share_token, created_at)
    SELECT $1::uuid, $2::bigint * 100000 + n, $2::bigint, 1, ARRAY['x'], $2 || 't' || n, now() FROM generate_series(1, $3::int) AS n`
  await backend.database.run(threads, [here.organization, channelID, count])
  const places = `
    INSERT INTO shown_files (organization, file_id, room, place, thread_id)
    SELECT organization, $3, channel_id, id::text, id FROM threads WHERE organization = $1 AND channel_id = $2`
  await backend.database.run(places, [here.organization, channelID, fileID])
  return { fileID, secret: `${channelID}t${count}` }
}

describe('a file that is shown 20,000 times costs about as much as one that is shown ten times', () => {
  type Shown = Awaited<ReturnType<typeof shown>>

  /** Checks that the file that is shown often costs at most ten blocks more than the other one. */
  async function compare(privacy: 'public' | 'private', cost: (file: Shown) => Promise<number>): Promise<void> {
    const [few, many] = [await shown(10, privacy), await shown(20_000, privacy)]
    await backend.database.run('ANALYZE')
    expect(await cost(many)).toBeLessThan((await cost(few)) + 10)
  }

  test('for a bot that sees it, or shows it again, and for a guest', async () => {
    await compare('public', ({ fileID }) => blocksOf(sql.filesSeen, [[fileID], bot.userID]))
    await compare('public', ({ fileID }) => blocksOf(sql.files, [[fileID]]))
    await compare('public', ({ fileID, secret }) => blocksOf(sql.filesShared, [[fileID], secret]))
  })

  test('for a bot that may not see it, and for a guest of another thread with 20,000 comments', async () => {
    const stranger = await here.bot('Stranger')
    await compare('private', async ({ fileID }) => {
      const { rows } = await backend.database.run(sql.filesSeen, [here.organization, [fileID], stranger.userID])
      expect(rows).toEqual([])
      return blocksOf(sql.filesSeen, [[fileID], stranger.userID])
    })
    const { channelID } = await bot.make('createChannel', { name: 'long' })
    const { threadID, threadURL } = await bot.make('postThread', { channelID, blocks: ['x'] })
    const secret = readShareToken(new URL(threadURL).searchParams.get('s'))?.secret
    const comments = `
      INSERT INTO comments (organization, id, thread_id, author_id, blocks, created_at)
      SELECT $1::uuid, $2::bigint * 100000 + n, $2::bigint, 1, ARRAY['x'], now() FROM generate_series(1, 20000) AS n`
    await backend.database.run(comments, [here.organization, threadID])
    await compare('public', ({ fileID }) => blocksOf(sql.filesShared, [[fileID], secret]))
  })
})

test('a post writes only its own rows', async () => {
  const tables = `
    SELECT relname AS name, n_tup_ins::int AS count FROM pg_stat_user_tables WHERE n_tup_ins > 0 ORDER BY 1`
  const counts = async (): Promise<Map<string, number>> => {
    await backend.database.run('SELECT pg_stat_force_next_flush()')
    const { rows } = await backend.database.run<{ name: string; count: number }>(tables)
    return new Map(rows.map(({ name, count }) => [name, count]))
  }
  await bot.call('createChannel', { name: 'rows' })
  const posting = async (): Promise<Record<string, number>> => {
    const before = await counts()
    for (let count = 0; count < 5; count += 1) await bot.call('postThread', { channel: 'rows', blocks: ['x'] })
    let changed: Record<string, number> = {}
    // Each connection reports its own writes, at most once a second.
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
