/** The responses of the service, API keys, and repeated requests. */

import { expect, test } from 'vitest'
import { listKeys, revokeKey, rotateKey } from '../../src/server/operator/keys.js'
import {
  type Bot,
  type DatabaseWorld,
  onEveryBackend,
  onEveryDatabase,
  type Reply,
  SITE,
  type World,
} from './support/world.js'

const code = (reply: Reply): string | undefined => reply.body.error?.code

onEveryBackend((world) => {
  const open = async (options = {}): Promise<{ here: World; bot: Bot; other: Bot }> => {
    const here = await world(options)
    return { here, bot: await here.bot('First'), other: await here.bot('Second') }
  }
  const posted = async (bot: Bot): Promise<{ channelID: string; threadID: string }> => {
    const { channelID } = (await bot.call('createChannel', { name: `c${Math.random()}` })).body.result
    const { threadID } = (await bot.call('postThread', { channelID, blocks: ['x'] })).body.result
    return { channelID, threadID }
  }

  test('success has exactly the fields of the description', async () => {
    const { here, bot } = await open()
    const channel = (await bot.call('createChannel', { name: 'a' })).body
    const { channelID } = channel.result
    const { headers } = await bot.get('ping')
    expect(['content-type', 'cache-control', 'x-content-type-options'].map((name) => headers.get(name))).toEqual([
      ...['application/json', 'no-store', 'nosniff'],
    ])
    expect(channel).toEqual({ ok: true, result: { channelID, channelURL: `${SITE}/${channelID}` } })
    const thread = (await bot.call('postThread', { channelID, blocks: ['x'] })).body
    const { threadID, threadURL } = thread.result
    expect(thread).toEqual({ ok: true, result: { threadID, threadURL } })
    expect(threadURL).toMatch(new RegExp(`^${SITE}/${threadID}\\?s=[\\w-]{44}$`))
    const { commentID, commentURL, ...rest } = (await bot.call('postComment', { threadID, blocks: ['x'] })).body.result
    expect(rest).toEqual({})
    expect(commentURL).toBe(threadURL.replace(threadID, commentID))
    const { chatID, chatURL } = (await bot.call('createChat', { name: 'a' })).body.result
    expect(chatURL).toBe(`${SITE}/${chatID}`)
    const message = (await bot.call('postChatMessage', { chatID, body: 'x' })).body.result
    expect(message.chatMessageURL).toBe(`${SITE}/${chatID}/${message.chatMessageID}`)
    expect((await bot.get('ping')).body).toEqual({ ok: true, result: { name: 'First', organization: here.name } })
    expect((await bot.call('deleteChat', { chatID })).body).toEqual({ ok: true })
    expect((await bot.get('channels')).body).toEqual({
      ok: true,
      result: [{ channelID, name: 'a', description: '', privacy: 'public', memberIDs: [bot.userID] }],
    })
  })

  test('ids are numeric strings below 2^53; those of chats and messages are UUIDv7 in the order of their creation', async () => {
    const { bot } = await open()
    const { channelID, threadID } = await posted(bot)
    expect(Number(channelID)).toBeLessThan(Number(threadID))
    const chats = []
    for (let index = 0; index < 5; index += 1)
      chats.push((await bot.call('createChat', { name: 'c' })).body.result.chatID)
    expect(chats).toEqual(chats.toSorted())
    expect(chats[0]).toMatch(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
  })

  test("absent, invisible and another organization's are the same 404 except for the request id", async () => {
    const { bot, other } = await open()
    const stranger = await (await world()).bot('First')
    const { threadID } = await posted(bot)
    const { channelID } = (await bot.call('createChannel', { name: 'private', privacy: 'private' })).body.result
    const hidden = (await bot.call('postThread', { channelID, blocks: ['x'] })).body.result.threadID
    const replies = await Promise.all([
      other.call('deleteThread', { threadID: '1' }),
      other.call('deleteThread', { threadID: 'no id' }),
      other.call('deleteThread', { threadID: hidden }),
      stranger.call('deleteThread', { threadID }),
    ])
    const errors = replies.map(({ status, body: { error } }) => ({ status, ...error, requestID: '' }))
    expect(errors[0]).toMatchObject({ status: 404, code: 'not_found' })
    for (const error of errors) expect(error).toEqual(errors[0])
    expect(new Set(replies.map((reply) => reply.body.error?.requestID)).size).toBe(4)
  })

  test('every response carries X-Request-Id, and an error names it', async () => {
    const { bot } = await open()
    const ok = await bot.get('ping')
    expect(ok.headers.get('x-request-id')).toMatch(/^[\w-]{36}$/)
    const failed = await bot.call('createChannel', {})
    expect(failed.body.error?.requestID).toBe(failed.headers.get('x-request-id'))
    expect(ok.headers.get('access-control-allow-origin')).toBeNull()
  })

  test('lists come whole by default and in pages with limit and cursor', async () => {
    const { bot } = await open()
    for (let index = 0; index < 5; index += 1) await bot.call('createChannel', { name: `c${index}` })
    const whole = (await bot.get('channels')).body
    expect([whole.result.length, whole.nextCursor]).toEqual([5, undefined])
    const pages: unknown[][] = []
    let cursor: string | undefined = ''
    while (cursor !== undefined) {
      const page: Reply['body'] = (await bot.get(`channels?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`)).body
      pages.push(page.result)
      cursor = page.nextCursor
    }
    expect(pages.map((page) => page.length)).toEqual([2, 2, 1])
    expect(pages.flat()).toEqual(whole.result)
    expect((await bot.get('useres?limit=1')).body.result).toHaveLength(1)
    const posted = (await bot.call('channels?limit=2')).body
    expect([posted.result.length, (await bot.get('channels?limit=5')).body.nextCursor]).toEqual([2, undefined])
    expect((await bot.get(`channels?cursor=${posted.nextCursor}`)).body.result).toHaveLength(3)
    for (const query of ['limit=0', 'limit=1001', 'limit=x', 'limit=', 'cursor=x']) {
      expect([query, code(await bot.get(`channels?${query}`))]).toEqual([query, 'invalid_request'])
    }
  })

  test('the same bytes with the same Idempotency-Key get the first response; other bytes are a mismatch', async () => {
    const { bot, other } = await open()
    const { channelID } = await posted(bot)
    const body = { channelID, blocks: ['once'] }
    const key = { 'idempotency-key': 'k1' }
    const first = await bot.call('postThread', body, key)
    const again = await bot.call('postThread', body, key)
    expect(again.body).toEqual(first.body)
    expect([first, again].map((reply) => reply.headers.get('idempotent-replayed'))).toEqual([null, 'true'])
    expect(code(await bot.call('postThread', { ...body, blocks: ['other'] }, key))).toBe('idempotency_mismatch')
    expect((await bot.call('postComment', { threadID: first.body.result.threadID, blocks: ['x'] }, key)).status).toBe(
      200,
    )
    expect((await other.call('postThread', body, key)).body).not.toEqual(first.body)
    expect(code(await bot.call('postThread', body, { 'idempotency-key': '' }))).toBe('invalid_request')
    expect(code(await bot.call('postThread', body, { 'idempotency-key': 'x'.repeat(256) }))).toBe('invalid_request')
  })

  test('an error leaves the idempotency key free, and it is forgotten after 24 hours', async () => {
    let now = new Date()
    const { here, bot } = await open({ now: () => now })
    // In a database, the age of a kept response follows the database's clock.
    const pass = async (milliseconds: number): Promise<void> => {
      now = new Date(now.getTime() + milliseconds)
      if (!('database' in here)) return
      const sql = `UPDATE idempotency SET expires_at = expires_at - $1 * interval '1 ms' WHERE organization = $2`
      await (here as DatabaseWorld).database.run('', sql, [milliseconds, here.organization])
    }
    const key = { 'idempotency-key': 'k' }
    expect((await bot.call('createChannel', { name: '' }, key)).status).toBe(422)
    const body = { name: 'now' }
    expect((await bot.call('createChannel', body, key)).status).toBe(200)
    await pass(24 * 60 * 60 * 1000 - 60_000)
    expect((await bot.call('createChannel', body, key)).status).toBe(200)
    await pass(60_000)
    expect(code(await bot.call('createChannel', body, key))).toBe('name_taken')
  })

  test('while the first request with an idempotency key is running, another one gets 409, and one write is made', async () => {
    const { bot } = await open()
    const key = { 'idempotency-key': 'race' }
    const replies = await Promise.all(Array.from({ length: 6 }, () => bot.call('createChannel', { name: 'one' }, key)))
    const answers = replies.map((reply) => code(reply) ?? JSON.stringify(reply.body.result))
    const done = new Set(answers.filter((answer) => answer !== 'idempotency_in_progress'))
    expect(done.size).toBe(1)
    expect([...done][0]).toContain('channelID')
    expect((await bot.get('channels')).body.result).toHaveLength(1)
  })

  test('an upload is the same with the same content and name', async () => {
    const { bot } = await open()
    const key = { 'idempotency-key': 'u' }
    const first = await bot.upload('text', 'a.txt', key)
    const again = await bot.upload('text', 'a.txt', key)
    expect([again.body, again.headers.get('idempotent-replayed')]).toEqual([first.body, 'true'])
    expect(code(await bot.upload('text', 'b.txt', key))).toBe('idempotency_mismatch')
    expect(code(await bot.upload('other', 'a.txt', key))).toBe('idempotency_mismatch')
  })

  test('a bot can send 100 requests a second with a burst of 200, and responses contain the rest', async () => {
    let now = new Date()
    const { bot, other } = await open({ rateLimit: 100, now: () => now })
    const first = await bot.get('ping')
    expect(first.headers.get('ratelimit-policy')).toBe('"requests";q=200;w=2')
    expect(first.headers.get('ratelimit')).toBe('"requests";r=199;t=1')
    const burst = await Promise.all(Array.from({ length: 200 }, () => bot.get('ping')))
    const refused = burst.filter((reply) => reply.status === 429)
    expect(refused).toHaveLength(1)
    expect([code(refused[0] ?? first), refused[0]?.headers.get('retry-after')]).toEqual(['rate_limited', '1'])
    expect((await other.get('ping')).status).toBe(200)
    now = new Date(now.getTime() + 1000)
    const later = await Promise.all(Array.from({ length: 101 }, () => bot.get('ping')))
    expect(later.filter((reply) => reply.status === 429)).toHaveLength(1)
  })

  test('a bot may upload 5 files a second', async () => {
    const now = new Date()
    const { bot } = await open({ rateLimit: 100, now: () => now })
    const replies = []
    for (let index = 0; index < 6; index += 1) replies.push((await bot.upload('x')).status)
    expect(replies).toEqual([200, 200, 200, 200, 200, 429])
    expect((await bot.get('ping')).status).toBe(200)
  })
})

onEveryDatabase((world) => {
  test('a rotated API key and the old one work during the grace period; a revoked one stops at once', async () => {
    const here = await world()
    const bot = await here.bot('First')
    const { database, organization } = here
    const [old] = await listKeys(database.run, organization)
    const id = old?.id ?? ''
    const fresh = await rotateKey(database, organization, id, new Date(Date.now() + 600_000))
    const ping = async (key: string): Promise<number> =>
      (await here.fetch(new Request(`${SITE}/api/public/ping`, { headers: { authorization: `Bearer ${key}` } }))).status
    expect([await ping(bot.key), await ping(fresh)]).toEqual([200, 200])
    await expect(rotateKey(database, organization, id, new Date(Date.now() + 60_000))).rejects.toThrow(
      'at most 2 are allowed',
    )
    const ended = `UPDATE api_keys SET expires_at = now() - interval '1 s' WHERE organization = $1 AND expires_at IS NOT NULL`
    await database.run('', ended, [organization])
    expect([await ping(bot.key), await ping(fresh)]).toEqual([401, 200])
    const [next] = await listKeys(database.run, organization)
    await revokeKey(database, organization, next?.id ?? '')
    expect(await ping(fresh)).toBe(401)
  })

  test('only the hash of an API key is stored', async () => {
    const here = await world()
    const bot = await here.bot('First')
    for (const table of ['api_keys', 'key_directory']) {
      const { rows } = await here.database.run<{ row: string }>('', `SELECT ${table}::text AS row FROM ${table}`, [])
      expect(rows.length).toBeGreaterThan(0)
      for (const { row } of rows) expect(row).not.toContain(bot.key.slice(4, 20))
    }
  })
})
