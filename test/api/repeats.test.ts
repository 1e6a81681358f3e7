/** Idempotency-Key: when two requests are the same, which checks come before, and how long a response is kept. */

import { hash } from 'node:crypto'
import { expect, test } from 'vitest'
import { listKeys, rotateKey } from '../../src/server/operator/keys.js'
import { rowsOf } from '../../src/server/store/rows.js'
import { type DatabaseWorld, onEveryBackend, onEveryDatabase, type Reply } from './support/world.js'

const codeOf = ({ body }: Reply): string | undefined => body.error?.code
const isReplayed = ({ headers }: Reply): boolean => headers.get('idempotent-replayed') === 'true'
const key = { 'idempotency-key': 'k' }

onEveryBackend((world) => {
  test('the same bytes get the first response, and other bytes are a mismatch', async () => {
    const bot = await (await world()).bot('First')
    const body = '{"name":"c","description":"d"}'
    const first = await bot.call('createChannel', body, key)
    for (const other of ['{"description":"d","name":"c"}', '{"name":""}', '{"name":7}']) {
      const reply = await bot.call('createChannel', other, key)
      expect([reply.status, reply.body.error]).toMatchObject([
        422,
        {
          code: 'idempotency_mismatch',
          message: 'This Idempotency-Key was used for another request: choose a new one.',
        },
      ])
    }
    const again = await bot.call('createChannel', body, key)
    expect([again.body, isReplayed(first), isReplayed(again)]).toEqual([first.body, false, true])
    expect((await bot.get('channels')).body.result).toHaveLength(1)
  })

  test('each bot and each endpoint has its own keys, and both spellings are one endpoint', async () => {
    const here = await world()
    const [bot, other] = [await here.bot('First'), await here.bot('Second')]
    for (const [from, name] of [
      [bot, 'createChat'],
      [other, 'createChat'],
      [bot, 'createChannel'],
    ] as const) {
      const reply = await from.call(name, { name: 'c' }, key)
      expect([name, reply.status, isReplayed(reply)]).toEqual([name, 200, false])
    }
    const first = await bot.upload('text', 'a.txt', key)
    const again = await bot.upload('text', 'a.txt', key, 'uploadFile')
    expect([again.body, isReplayed(again)]).toEqual([first.body, true])
  })

  test('an upload is the same with the same content and name', async () => {
    const bot = await (await world()).bot('First')
    const first = await bot.upload('text', 'a.txt', key)
    const again = await bot.upload('text', 'a.txt', key)
    expect([again.body, isReplayed(again)]).toEqual([first.body, true])
    expect(codeOf(await bot.upload('text', 'b.txt', key))).toBe('idempotency_mismatch')
    expect(codeOf(await bot.upload('other', 'a.txt', key))).toBe('idempotency_mismatch')
  })

  test('a request that is repeated after its object was deleted does not create it again', async () => {
    const bot = await (await world()).bot('First')
    const { channelID } = (await bot.call('createChannel', { name: 'c' }, key)).body.result
    await bot.make('deleteChannel', { channelID })
    expect((await bot.call('createChannel', { name: 'c' }, key)).body.result.channelID).toBe(channelID)
    expect((await bot.get('channels')).body.result).toEqual([])
  })

  test('an endpoint that only reads ignores the key, valid or not', async () => {
    const bot = await (await world()).bot('First')
    for (const count of [0, 1]) {
      for (const value of ['k', 'x'.repeat(300)]) {
        const reply = await bot.call('channels', {}, { 'idempotency-key': value })
        expect([reply.status, reply.body.result.length, isReplayed(reply)]).toEqual([200, count, false])
      }
      await bot.make('createChannel', { name: `c${count}` })
    }
    const ping = await bot.send('ping', { method: 'GET', headers: { 'idempotency-key': 'x'.repeat(300) } })
    expect(ping.status).toBe(200)
  })

  test('an error leaves the idempotency key free, and it is forgotten after 24 hours', async () => {
    let now = new Date()
    const here = await world({ now: () => now })
    const bot = await here.bot('First')
    // PostgreSQL's clock cannot be moved, so the stored responses are made older.
    const pass = async (milliseconds: number): Promise<void> => {
      now = new Date(now.getTime() + milliseconds)
      if (!('database' in here)) return
      // Citus allows only immutable functions of a column in an update.
      const sql = `UPDATE idempotency SET expires_at = (expires_at AT TIME ZONE 'UTC' - $1 * interval '1 ms') AT TIME ZONE 'UTC' WHERE organization = $2`
      await (here as DatabaseWorld).database.run(sql, [milliseconds, here.organization])
    }
    const create = async (name: string): Promise<unknown[]> => {
      const reply = await bot.call('createChannel', { name }, key)
      return [reply.status, isReplayed(reply)]
    }
    expect([await create(''), await create('now')]).toEqual([
      [422, false],
      [200, false],
    ])
    await pass(24 * 60 * 60 * 1000 - 60_000)
    expect(await create('now')).toEqual([200, true])
    await pass(60_000)
    expect(await create('now')).toEqual([409, false])
  })

  test('of several requests at once one is carried out, and the others get its response or 409', async () => {
    const bot = await (await world()).bot('First')
    const replies = await Promise.all(Array.from({ length: 6 }, () => bot.call('createChannel', { name: 'c' }, key)))
    const done = replies.filter(({ status }) => status === 200).map(({ body }) => body.result.channelID)
    expect(new Set(done).size).toBe(1)
    const message = 'The first request with this Idempotency-Key is still running: try again in a second.'
    for (const { status, headers, body } of replies) {
      if (status === 200) continue
      expect(body.error).toMatchObject({ code: 'idempotency_in_progress', message })
      expect(headers.get('retry-after')).toBe('1')
    }
    expect((await bot.get('channels')).body.result).toHaveLength(1)
  })
})

onEveryDatabase((world) => {
  test('a rotated API key of the same bot gets the first response', async () => {
    const here = await world()
    const bot = await here.bot('First')
    const first = await bot.call('createChannel', { name: 'c' }, key)
    const [{ id } = { id: '' }] = await listKeys(here.database.run, here.organization)
    const fresh = await rotateKey(here.database.run, here.organization, id, new Date(Date.now() + 60_000))
    const again = await bot.call('createChannel', { name: 'c' }, { ...key, authorization: `Bearer ${fresh}` })
    expect([again.body, isReplayed(again)]).toEqual([first.body, true])
  })

  test('of the same requests to several processes at once, one is carried out', async () => {
    const here = await world()
    const headers = { ...key, authorization: `Bearer ${(await here.bot('First')).key}` }
    // Services that share only the database, like processes behind a proxy.
    const processes = await Promise.all(Array.from({ length: 3 }, async () => (await world()).bot('First')))
    const replies = await Promise.all(
      [...processes, ...processes, ...processes].map((bot) => bot.call('createChat', { name: 'c' }, headers)),
    )
    const made = replies.filter(({ status }) => status === 200).map(({ body }) => body.result.chatID)
    expect(new Set(made).size).toBe(1)
    expect(replies.every(({ status }) => status === 200 || status === 409)).toBe(true)
    const count = 'SELECT count(*)::int AS count FROM chats WHERE organization = $1'
    expect((await here.database.run(count, [here.organization])).rows).toEqual([{ count: 1 }])
  })

  test('while the first request is running, the second gets 409 at once, and can be repeated', async () => {
    const here = await world()
    const bot = await here.bot('First')
    const send = (): Promise<Reply> => bot.call('createChannel', { name: 'c' }, key)
    await here.database.transact(async (run) => {
      const rows = rowsOf(run, here.organization)
      expect(await rows.claimKey(hash('sha256', `${bot.userID}\ncreateChannel\nk`), new Date())).toBeNull()
      expect(codeOf(await send())).toBe('idempotency_in_progress')
    })
    expect([(await send()).status, isReplayed(await send())]).toEqual([200, true])
  })
})
