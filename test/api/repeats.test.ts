/** Idempotency-Key: when two requests are the same, and which checks come before. */

import { expect, test } from 'vitest'
import { listKeys, rotateKey } from '../../src/server/operator/keys.js'
import type { Database } from '../../src/server/store/database.js'
import { createPostgresStore } from '../../src/server/store/index.js'
import { OrganizationRows } from '../../src/server/store/rows.js'
import { onEveryBackend, onEveryDatabase, type Reply, SITE } from './support/world.js'

const codeOf = ({ body }: Reply): string | undefined => body.error?.code
const isReplayed = ({ headers }: Reply): boolean => headers.get('idempotent-replayed') === 'true'

onEveryBackend((world) => {
  test('the bytes decide: another order of fields or wrong fields are a mismatch, and the first response stays', async () => {
    const bot = await (await world()).bot('First')
    const key = { 'idempotency-key': 'k' }
    const first = await bot.call('createChannel', '{"name":"c","description":"d"}', key)
    expect(codeOf(await bot.call('createChannel', '{"description":"d","name":"c"}', key))).toBe('idempotency_mismatch')
    expect(codeOf(await bot.call('createChannel', '{"name":""}', key))).toBe('idempotency_mismatch')
    expect(codeOf(await bot.call('createChannel', '{"name":7}', key))).toBe('idempotency_mismatch')
    const again = await bot.call('createChannel', '{"name":"c","description":"d"}', key)
    expect([again.body, isReplayed(again)]).toEqual([first.body, true])
    expect((await bot.get('channels')).body.result).toHaveLength(1)
  })

  test('both spellings are one endpoint', async () => {
    const bot = await (await world()).bot('First')
    const key = { 'idempotency-key': 'k' }
    const first = await bot.upload('text', 'a.txt', key)
    const again = await bot.upload('text', 'a.txt', key, 'uploadFile')
    expect([again.body, isReplayed(again)]).toEqual([first.body, true])
  })

  test('a request that is repeated after its object was deleted does not create it again', async () => {
    const bot = await (await world()).bot('First')
    const key = { 'idempotency-key': 'k' }
    const body = { name: 'c' }
    const { channelID } = (await bot.call('createChannel', body, key)).body.result
    await bot.call('deleteChannel', { channelID })
    expect((await bot.call('createChannel', body, key)).body.result.channelID).toBe(channelID)
    expect((await bot.get('channels')).body.result).toEqual([])
    expect([(await bot.call('deleteChannel', { channelID })).status]).toEqual([404])
  })

  test('an endpoint that only reads ignores the key', async () => {
    const bot = await (await world()).bot('First')
    const key = { 'idempotency-key': 'k' }
    const list = async (headers: Record<string, string>): Promise<unknown> => {
      const reply = await bot.call('channels', {}, headers)
      return [reply.status, reply.body.result.length, isReplayed(reply)]
    }
    expect(await list(key)).toEqual([200, 0, false])
    await bot.call('createChannel', { name: 'a' })
    expect(await list(key)).toEqual([200, 1, false])
    expect(await list({ 'idempotency-key': 'x'.repeat(300) })).toEqual([200, 1, false])
  })

  test('a GET ignores an idempotency key, and an invalid API key is rejected before it is read', async () => {
    const here = await world()
    const bot = await here.bot('First')
    await bot.call('createChannel', { name: 'c' }, { 'idempotency-key': 'k' })
    const send = (path: string, init: RequestInit): Promise<Response> =>
      here.fetch(new Request(`${SITE}/api/public/${path}`, init))
    const ping = { headers: { authorization: `Bearer ${bot.key}`, 'idempotency-key': 'x'.repeat(300) } }
    expect((await send('ping', ping)).status).toBe(200)
    const headers = { authorization: 'Bearer x', 'content-type': 'application/json', 'idempotency-key': 'k' }
    expect((await send('createChannel', { method: 'POST', headers, body: '{"name":"c"}' })).status).toBe(401)
  })
})

onEveryDatabase((world) => {
  test('a rotated API key of the same bot gets the first response', async () => {
    const here = await world()
    const bot = await here.bot('First')
    const body = JSON.stringify({ name: 'c' })
    const first = await bot.call('createChannel', body, { 'idempotency-key': 'k' })
    const [{ id } = { id: '' }] = await listKeys(here.database.run, here.organization)
    const fresh = await rotateKey(here.database, here.organization, id, new Date(Date.now() + 60_000))
    const headers = { authorization: `Bearer ${fresh}`, 'content-type': 'application/json', 'idempotency-key': 'k' }
    const answer = await here.fetch(new Request(`${SITE}/api/public/createChannel`, { method: 'POST', headers, body }))
    expect([await answer.json(), answer.headers.get('idempotent-replayed')]).toEqual([first.body, 'true'])
  })

  test('if locks are not shared, two requests at once with one key are done once, and both get the response', async () => {
    const { database } = await world()
    let [arrived, both] = [0, (): void => undefined]
    const meeting = new Promise<void>((resolve) => {
      both = resolve
    })
    const unlocked: Database = {
      ...database,
      transact: (work) =>
        database.transact((run) =>
          work(async (name, text, values) => {
            const found = await run<never>(name, text, values)
            if (name === 'lockKey')
              return { rows: found.rows.map((row: object) => ({ ...row, held: true }) as never), count: 1 }
            if (name !== 'keptResponse') return found
            arrived += 1
            if (arrived === 2) both()
            await meeting
            return found
          }),
        ),
    }
    const here = await world({ store: createPostgresStore(unlocked) })
    const bot = await here.bot('First')
    const send = (): Promise<Reply> => bot.call('createChat', { name: 'c' }, { 'idempotency-key': 'k' })
    const [one, other] = await Promise.all([send(), send()])
    expect(one.body).toEqual(other.body)
    expect([isReplayed(one), isReplayed(other)].toSorted()).toEqual([false, true])
    const { rows } = await database.run('', 'SELECT FROM chats WHERE organization = $1', [here.organization])
    expect(rows).toHaveLength(1)
  })

  test('while the first request is running, the second gets 409 at once, and can be repeated', async () => {
    const here = await world()
    const bot = await here.bot('First')
    const send = (): Promise<Reply> => bot.call('createChannel', { name: 'c' }, { 'idempotency-key': 'k' })
    await here.database.transact(async (run) => {
      const rows = new OrganizationRows(run, here.organization)
      expect(await rows.claimKey({ botID: bot.userID, endpoint: 'createChannel', key: 'k' })).toBeNull()
      const reply = await send()
      expect([reply.status, codeOf(reply)]).toEqual([409, 'idempotency_in_progress'])
      expect(reply.headers.get('retry-after')).toMatch(/^\d+$/)
    })
    expect([(await send()).status, isReplayed(await send())]).toEqual([200, true])
  })
})
