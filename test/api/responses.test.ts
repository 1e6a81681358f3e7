/** The responses of the service: fields, ids, URLs, lists and limits; and the API keys. */

import { hash } from 'node:crypto'
import { expect, test } from 'vitest'
import { listKeys, revokeKey, rotateKey } from '../../src/server/operator/keys.js'
import type { SiteStore } from '../../src/server/site-store.js'
import { conflict } from '../../src/server/store/database.js'
import { createPostgresStore } from '../../src/server/store/index.js'
import { type Bot, furnish, onEveryBackend, onEveryDatabase, type Reply, SITE, type World } from './support/world.js'

onEveryBackend((world) => {
  const open = async (options = {}): Promise<{ here: World; bot: Bot }> => {
    const here = await world(options)
    return { here, bot: await here.bot('First') }
  }

  test('a success has exactly the fields of the description, and the URLs of the site', async () => {
    const { here, bot } = await open()
    const result = async (path: string, body: object): Promise<Record<string, string>> => {
      const { body: all } = await bot.call(path, body)
      expect(all).toEqual({ ok: true, result: all.result })
      return all.result
    }
    const { channelID = '', ...channel } = await result('createChannel', { name: 'a' })
    expect(channel).toEqual({ channelURL: `${SITE}/${channelID}` })
    const { threadID = '', ...thread } = await result('postThread', { channelID, blocks: ['x'] })
    expect(thread).toEqual({ threadURL: expect.stringMatching(`^${SITE}/${threadID}\\?s=[\\w-]{44}$`) })
    const { commentID = '', ...comment } = await result('postComment', { threadID, blocks: ['x'] })
    expect(comment).toEqual({ commentURL: thread['threadURL']?.replace(threadID, commentID) })
    const { chatID = '', ...chat } = await result('createChat', { name: 'a' })
    expect(chat).toEqual({ chatURL: `${SITE}/${chatID}` })
    const { chatMessageID = '', ...message } = await result('postChatMessage', { chatID, body: 'x' })
    expect(message).toEqual({ chatMessageURL: `${SITE}/${chatID}/${chatMessageID}` })
    expect((await bot.upload('x')).body).toEqual({ ok: true, result: { fileID: expect.stringMatching(/^\d+$/) } })
    expect((await bot.get('ping')).body).toEqual({ ok: true, result: { name: 'First', organization: here.name } })
    expect((await bot.get('channels')).body).toEqual({
      ok: true,
      result: [{ channelID, name: 'a', description: '', privacy: 'public', memberIDs: [bot.userID] }],
    })
    expect((await bot.call('deleteChat', { chatID })).body).toEqual({ ok: true })
  })

  test('a response has a request id, is not kept by caches, and names no other site', async () => {
    const { headers } = await (await open()).bot.get('ping')
    expect(headers.get('x-request-id')).toMatch(/^[\w-]{36}$/)
    const names = ['content-type', 'cache-control', 'x-content-type-options', 'access-control-allow-origin']
    expect(names.map((name) => headers.get(name))).toEqual(['application/json', 'no-store', 'nosniff', null])
  })

  test('ids are numeric strings below 2^53; those of chats and messages are UUIDv7; both in the order of creation', async () => {
    const { bot } = await open()
    const { fileID, channelID, threadID, commentID } = await furnish(bot)
    const numbers = [fileID, channelID, threadID, commentID].map(Number)
    expect(numbers).toEqual(numbers.toSorted((one, other) => one - other))
    expect(numbers.every(Number.isSafeInteger)).toBe(true)
    const chats: string[] = []
    for (let index = 0; index < 5; index += 1) chats.push((await bot.make('createChat', { name: 'c' })).chatID)
    expect(chats).toEqual(chats.toSorted())
    expect(chats[0]).toMatch(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
  })

  test('lists are complete by default, and come in pages with limit and cursor', async () => {
    const { bot } = await open()
    for (let index = 0; index < 5; index += 1) await bot.make('createChannel', { name: `c${index}` })
    const whole = (await bot.get('channels')).body
    expect([whole.result.length, whole.nextCursor]).toEqual([5, undefined])
    const pages: unknown[][] = []
    let cursor: string | undefined = ''
    while (cursor !== undefined) {
      const page: Reply['body'] = (await bot.get(`channels?limit=2&cursor=${cursor}`)).body
      pages.push(page.result)
      cursor = page.nextCursor
    }
    expect(pages).toEqual([whole.result.slice(0, 2), whole.result.slice(2, 4), whole.result.slice(4)])
    expect((await bot.get('useres?limit=1')).body.result).toHaveLength(1)
    for (const limit of [5, 1000]) expect((await bot.get(`channels?limit=${limit}`)).body).toEqual(whole)
    const posted = (await bot.call('channels?limit=2')).body
    expect((await bot.get(`channels?cursor=${posted.nextCursor}`)).body.result).toEqual(whole.result.slice(2))
    expect((await bot.get('ping?limit=x')).status).toBe(200)
  })

  test('a bot can send its requests a second with a burst of twice as many, and responses contain the rest', async () => {
    let now = new Date()
    const { here, bot } = await open({ rateLimit: 20, now: () => now })
    const first = await bot.get('ping')
    expect(first.headers.get('ratelimit-policy')).toBe('"requests";q=40;w=2')
    expect(first.headers.get('ratelimit')).toBe('"requests";r=39;t=1')
    const refusedOf = async (count: number): Promise<Reply[]> =>
      (await Promise.all(Array.from({ length: count }, () => bot.get('ping')))).filter(({ status }) => status !== 200)
    const [refused, ...others] = await refusedOf(40)
    expect([refused?.status, refused?.headers.get('retry-after'), others]).toEqual([429, '1', []])
    const message = 'Too many requests, at most 20 a second: try again in 1 s, as Retry-After says.'
    expect(refused?.body.error).toMatchObject({ code: 'rate_limited', message })
    expect((await (await here.bot('Second')).get('ping')).status).toBe(200)
    now = new Date(now.getTime() + 1000)
    expect(await refusedOf(21)).toHaveLength(1)
  })

  test('a bot can upload five files a second, which both limits announce', async () => {
    const now = new Date()
    const { bot } = await open({ rateLimit: 100, now: () => now })
    const first = await bot.upload('x')
    expect(first.headers.get('ratelimit')).toBe('"requests";r=199;t=1, "uploads";r=4;t=1')
    const statuses = []
    for (let index = 0; index < 5; index += 1) statuses.push((await bot.upload('x')).status)
    expect([...statuses, (await bot.get('ping')).status]).toEqual([200, 200, 200, 200, 429, 200])
  })
})

onEveryDatabase((world) => {
  test('a list whose rest is deleted while it is read ends after the rows that were read', async () => {
    const { database, bot: botOf } = await world()
    const bot = await botOf('First')
    const ids: string[] = []
    for (let index = 0; index < 201; index += 1) {
      ids.push((await bot.make('createChannel', { name: `c${index}` })).channelID)
    }
    const store = createPostgresStore(database)
    let reads = 0
    const rows: SiteStore['rows'] = (organization, around) => {
      const found = store.rows(organization, around)
      return {
        ...found,
        async channels(...of) {
          reads += 1
          if (reads === 2) await bot.make('deleteChannel', { channelID: ids[200] })
          return found.channels(...of)
        },
      }
    }
    const caller = await (await world({ store: { ...store, rows } })).bot('First')
    const reply = await caller.send('channels', { method: 'GET', headers: { authorization: `Bearer ${bot.key}` } })
    expect(reply.body.result.map(({ channelID }: { channelID: string }) => channelID)).toEqual(ids.slice(0, 200))
    expect(reads).toBe(2)
  })

  test('a post that the database rejects because of a deadlock is repeated, and is there once', async () => {
    const { database } = await world()
    const store = createPostgresStore(database)
    let attempts = 0
    const write: SiteStore['write'] = (name, work) => {
      return store.write(name, (rows) => {
        const addThread: typeof rows.addThread = async (thread) => {
          const id = await rows.addThread(thread)
          attempts += 1
          // Only the end of the transaction makes the first row disappear.
          if (attempts === 1) throw conflict('a deadlock')
          return id
        }
        return work({ ...rows, addThread })
      })
    }
    const here = await world({ store: { ...store, write } })
    const bot = await here.bot('First')
    const { channelID } = await bot.make('createChannel', { name: 'deadlock' })
    await bot.make('postThread', { channelID, blocks: ['once'] })
    const { rows } = await database.run('SELECT blocks FROM threads WHERE organization = $1', [here.organization])
    expect([attempts, rows]).toEqual([2, [{ blocks: ['once'] }]])
  })

  test('a request that is overtaken by later ones adds no tokens for the time between them a second time', async () => {
    const { database } = await world()
    const store = createPostgresStore(database)
    let now = new Date()
    let isFirst = true
    let overtake = (): void => undefined
    const overtaken = new Promise<void>((resolve) => {
      overtake = resolve
    })
    const identify: SiteStore['identify'] = async (...query) => {
      const bot = await store.identify(...query)
      if (!isFirst) return bot
      isFirst = false
      await overtaken
      return bot
    }
    const here = await world({ store: { ...store, identify }, rateLimit: 20, now: () => now })
    const bot = await here.bot('First')
    const first = bot.get('ping')
    await expect.poll(() => isFirst).toBe(false)
    now = new Date(now.getTime() + 1000)
    const burst = await Promise.all(Array.from({ length: 40 }, () => bot.get('ping')))
    expect(new Set(burst.map(({ status }) => status))).toEqual(new Set([200]))
    overtake()
    expect([(await first).status, (await bot.get('ping')).status]).toEqual([429, 429])
  })

  test('an API key that is revoked while the body arrives slowly posts nothing', async () => {
    const clock = { now: new Date() }
    const { database, organization, bot: botOf } = await world({ now: () => clock.now })
    const bot = await botOf('First')
    const [{ id } = { id: '' }] = await listKeys(database.run, organization)
    const pull = async (controller: ReadableStreamDefaultController): Promise<void> => {
      await revokeKey(database.run, organization, id)
      clock.now = new Date(clock.now.getTime() + 2000)
      controller.enqueue(new TextEncoder().encode('{"name":"late"}'))
      controller.close()
    }
    const { status, body } = await bot.send('createChat', { body: new ReadableStream({ pull }, { highWaterMark: 0 }) })
    expect([status, body.error?.code]).toEqual([401, 'unauthorized'])
    const { rows } = await database.run('SELECT name FROM chats WHERE organization = $1', [organization])
    expect(rows).toEqual([])
  })

  test('two API keys of a bot work during the grace period, a revoked one stops at once, and only hashes are stored', async () => {
    const here = await world()
    const { database, organization } = here
    const bot = await here.bot('First')
    const [{ id } = { id: '' }] = await listKeys(database.run, organization)
    const fresh = await rotateKey(database.run, organization, id, new Date(Date.now() + 600_000))
    const ping = async (key: string): Promise<number> =>
      (await bot.send('ping', { method: 'GET', headers: { authorization: `Bearer ${key}` } })).status
    expect([await ping(bot.key), await ping(fresh)]).toEqual([200, 200])
    const third = rotateKey(database.run, organization, id, new Date(Date.now() + 60_000))
    await expect(third).rejects.toThrow('at most 2 are allowed')
    for (const table of ['api_keys', 'key_directory']) {
      const { rows } = await database.run<{ row: string }>(`SELECT ${table}::text AS row FROM ${table}`)
      expect(rows.length).toBeGreaterThan(0)
      for (const { row } of rows) expect(row).not.toContain(bot.key.slice(4, 20))
    }
    const ended = `UPDATE api_keys SET expires_at = now() - interval '1 s' WHERE organization = $1 AND expires_at IS NOT NULL`
    await database.run(ended, [organization])
    expect([await ping(bot.key), await ping(fresh)]).toEqual([401, 200])
    const [next] = await listKeys(database.run, organization)
    // The clock of another server may be behind.
    const past = async (): Promise<unknown> =>
      createPostgresStore(database).identify(hash('sha256', fresh, 'buffer'), new Date(0))
    expect(await past()).toMatchObject({ botName: 'First' })
    await revokeKey(database.run, organization, next?.id ?? '')
    expect([await ping(fresh), await past()]).toEqual([401, null])
  })
})
