/** The cost of pages: bytes that they read, pauses of the event loop, and their number per second. */

import { expect, test } from 'vitest'
import { parseJson } from '../../src/api/rules/body.js'
import { Limit } from '../../src/api/rules/rate.js'
import { TimeSlices } from '../../src/api/rules/scheduler.js'
import { PAGE_POLICY } from '../../src/server/http/app.js'
import type { Database, Run } from '../../src/server/store/database.js'
import { createPostgresStore } from '../../src/server/store/index.js'
import { sharedBackend } from '../api/support/backends.js'
import { createWorld, type DatabaseWorld, SITE, serviceOf } from '../api/support/world.js'

const { backend, folder } = await sharedBackend()

/** A database that counts the bytes of the rows that it returns. */
function counting(database: Database, count: { bytes: number }): Database {
  const counted = (run: Run): Run =>
    (async (text, values) => {
      const result = await run(text, values)
      count.bytes += Buffer.byteLength(JSON.stringify(result.rows))
      return result
    }) as Run
  return {
    ...{ ...database, run: counted(database.run) },
    transact: (work) => database.transact((run) => work(counted(run))),
  }
}

/** Follows a list's links, and returns the numbers of the posts on each page, newest first, as in a channel. */
async function walk(here: DatabaseWorld, start: string, rel: 'next' | 'prev', key?: string): Promise<string[][]> {
  const headers = key === undefined ? {} : { authorization: `Bearer ${key}` }
  const pages: string[][] = []
  for (let path: string | undefined = start; path !== undefined && pages.length < 50; ) {
    const text: string = await (await here.fetch(new Request(SITE + path, { headers }))).text()
    const marks = [...text.matchAll(/mark(\d+)/g)].map(([, mark = '']) => mark)
    pages.push(text.includes('class="threads"') ? marks : marks.toReversed())
    path = new RegExp(`href="([^"]+)" rel="${rel}"`).exec(text)?.[1]?.replaceAll('&amp;', '&')
  }
  return pages
}

const LARGE = 'x'.repeat(3990)

test('a page reads little more than it shows, and each message is on one page, whatever their sizes', async () => {
  const count = { bytes: 0 }
  const here = await createWorld(backend, folder, { store: createPostgresStore(counting(backend.database, count)) })
  const bot = await here.bot('First')
  const { channelID } = (await bot.call('createChannel', { name: 'c' })).body.result
  const blocks = (mark: number): string[] => [`mark${mark}`, ...Array(99).fill(LARGE)]
  const { threadID, threadURL } = (await bot.call('postThread', { channelID, blocks: ['short'] })).body.result
  const { chatID } = (await bot.call('createChat', { name: 'c' })).body.result
  for (let mark = 0; mark < 6; mark += 1) {
    await bot.call('postComment', { threadID, blocks: blocks(mark) })
    await bot.call('postComment', { threadID, blocks: [`mark${mark + 100}`] })
    await bot.call('postThread', { channelID, blocks: blocks(mark) })
    await bot.call('postChatMessage', { chatID, body: `mark${mark} ${'😀'.repeat(39_980)}` })
  }
  const { pathname, search } = new URL(threadURL)
  const lists: readonly (readonly [string, string | undefined, string[]])[] = [
    [pathname + search, undefined, ['105', '5', '104', '4', '103', '3', '102', '2', '101', '1', '100', '0']],
    [`/${channelID}`, bot.key, ['5', '4', '3', '2', '1', '0']],
    [`/${chatID}`, bot.key, ['5', '4', '3', '2', '1', '0']],
  ]
  for (const [path, key, marks] of lists) {
    count.bytes = 0
    const older = await walk(here, path, 'next', key)
    expect(older.flat()).toEqual(marks)
    // Each page reads its messages, and the first one that does not fit.
    expect(count.bytes / older.length).toBeLessThan(150_000 + 400_000 + 20_000)
  }
  const first = (
    await backend.database.run<{ id: string }>('SELECT min(id)::text AS id FROM comments WHERE organization = $1', [
      here.organization,
    ])
  ).rows[0]?.id
  const newer = await walk(here, `${pathname}${search}&to=${first}`, 'prev')
  expect(newer.toReversed().flat()).toEqual(lists[0]?.[2])
})

test('a body of megabytes is parsed in pieces, even inside a character, and must be UTF-8 to its end', async () => {
  for (const start of ['', 'x', 'xx']) {
    const body = { text: start + 'é€😀'.repeat(300_000) }
    // The iterations of the event loop during the work.
    let [iterations, isOver] = [0, false]
    setImmediate(function iterate() {
      iterations += 1
      if (!isOver) setImmediate(iterate)
    })
    expect(await parseJson(Buffer.from(JSON.stringify(body)), new TimeSlices())).toEqual(body)
    isOver = true
    expect(iterations).toBeGreaterThanOrEqual(5)
  }
  const cut = Buffer.concat([Buffer.from(`{"text":"${'é'.repeat(1_000_000)}`), Buffer.from([0xc3])])
  await expect(parseJson(cut, new TimeSlices())).rejects.toMatchObject({ code: 'invalid_json' })
})

test('an IP address or a viewer may load 20 pages a second, fewer if they take longer', () => {
  const limit = new Limit(PAGE_POLICY)
  const start = Date.parse('2026-01-01T00:00:00Z')
  const taken = (who: string, at: number): number => {
    for (let count = 0; ; count += 1) {
      try {
        limit.take(who, new Date(start + at))
      } catch {
        return count
      }
    }
  }
  for (const who of ['three', 'four']) limit.take(who, new Date(start))
  for (const [who, at, cost, count] of [
    ['one', 0, 0, 40],
    ['one', 1000, 0, 20],
    ['two', 1000, 0, 40],
    // A page that takes 50 ms counts as one of twenty a second, and a page that takes 500 ms as ten.
    ['three', 0, 50, 39],
    ['four', 0, 500, 30],
    ['four', 1900, 2000, 0],
    ['four', 3000, 0, 21],
    // After three seconds, the client is served again, however long a page took.
    ['four', 6000, 60_000, 0],
    ['four', 6050, 0, 1],
  ] as const) {
    if (cost > 0) limit.chargeTime(who, new Date(start + at), cost)
    expect([who, at, taken(who, at)]).toEqual([who, at, count])
  }
})

test('too many pages are 429 with Retry-After and a page; viewers who share an IP address are counted separately', async () => {
  const here = await createWorld(backend, folder)
  const bot = await here.bot('First')
  const { channelID } = (await bot.call('createChannel', { name: 'c' })).body.result
  const now = new Date()
  const store = createPostgresStore(backend.database)
  const handle = await serviceOf({ store, contents: here.contents, now: () => now })
  const look = (address: string, key?: string): Promise<Response> => {
    const own: Record<string, string> = key === undefined ? {} : { authorization: `Bearer ${key}` }
    return handle(new Request(`${SITE}/${channelID}`, { headers: { ...own, 'x-address': address } }))
  }
  for (let count = 0; count < 40; count += 1) expect((await look('2001:db8::1')).status).toBe(303)
  const refused = await look('2001:db8::2')
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1'])
  expect(refused.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(await refused.text()).toContain('Too many pages, at most 20 a second')
  expect([(await look('2001:db8::1', bot.key)).status, (await look('192.0.2.1')).status]).toEqual([200, 303])
})
