/** Errors of the service: their order, their sentences, and the details that they never contain. */

import { expect, test } from 'vitest'
import { endpointNames, endpoints, pathsOf } from '../../src/api/contract/endpoints.js'
import { statuses } from '../../src/api/contract/errors.js'
import { createMemoryStore } from '../../src/api/store/memory/index.js'
import { type Store, StoreError } from '../../src/api/store/store.js'
import type { Database } from '../../src/server/store/database.js'
import { createPostgresStore } from '../../src/server/store/index.js'
import { createMemoryWorld, onEveryBackend, onEveryDatabase, type Reply, SITE } from './support/world.js'

const codeOf = ({ body }: Reply): string | undefined => body.error?.code

onEveryBackend((world) => {
  test('every endpoint, in every spelling, accepts only its methods, and names them', async () => {
    const here = await world()
    const { key } = await here.bot('First')
    for (const name of endpointNames) {
      for (const path of pathsOf(name)) {
        for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS']) {
          const allowed = endpoints[name].methods.flatMap((each) => (each === 'GET' ? ['GET', 'HEAD'] : [each]))
          if (allowed.includes(method)) continue
          const headers = { authorization: `Bearer ${key}` }
          const { status, headers: answered } = await here.fetch(new Request(SITE + path, { method, headers }))
          expect([path, method, status, answered.get('allow')]).toEqual([...[path, method, 405, allowed.join(', ')]])
        }
      }
    }
  })

  test('authentication is checked before the body', async () => {
    const here = await world()
    for (const name of endpointNames) {
      const [method = 'GET'] = endpoints[name].methods
      const body = method === 'POST' ? 'no json' : null
      const headers = { authorization: 'Bearer wsk_wrong', 'content-type': 'text/css', 'idempotency-key': '' }
      const answer = await here.fetch(new Request(`${SITE}/api/public/${name}`, { method, headers, body }))
      expect([name, answer.status]).toEqual([name, 401])
    }
  })

  test('an error has its code, one sentence, the request id, the problems, and the status of its code', async () => {
    const bot = await (await world()).bot('First')
    const { channelID } = (await bot.call('createChannel', { name: 'c' })).body.result
    const replies = [
      await bot.call('createChannel', '{'),
      await bot.call('createChannel', '[]'),
      await bot.call('createChannel', {}),
      await bot.call('createChannel', { name: '', privacy: 'x' }),
      await bot.call('createChannel', { name: 'C' }),
      await bot.call('createChannel', { name: 'd', userIDs: ['1', '2'] }),
      await bot.call('postThread', { channelID, channel: 'other', blocks: ['x'] }),
      await bot.call('postThread', { channelID: 'no id', blocks: ['x'] }),
      await bot.call('createChannel', '{}', { 'content-type': 'text/plain' }),
      await bot.get('channels?limit=x'),
    ]
    for (const { status, body } of replies) {
      expect(Object.keys(body)).toEqual(['ok', 'error'])
      const { code = '', message = '', requestID, details, ...rest } = body.error ?? {}
      expect([rest, requestID]).toEqual([{}, expect.stringMatching(/^[\w-]{36}$/)])
      expect([code, status]).toEqual([code, statuses[code as keyof typeof statuses]])
      expect(message).toMatch(/^[^\n]+\.$/)
      for (const { path, code: kind, message: sentence, ...limits } of details ?? []) {
        expect([path.length > 0, kind.length > 0]).toEqual([true, true])
        expect(sentence).toMatch(new RegExp(`^\`${path[0]}[^\\n]*\\.$`))
        expect(Object.keys(limits).filter((name) => name !== 'limit' && name !== 'actual')).toEqual([])
      }
    }
  })
})

test('an object that another bot deletes at the same moment is not found', async () => {
  const store = createMemoryStore()
  const gone = async (): Promise<boolean> => false
  const late: Store = {
    ...store,
    write: (organization, work) =>
      store.write(organization, (rows) =>
        work(Object.assign(rows, { removeChannel: gone, removeThread: gone, removeChat: gone, removeMessage: gone })),
      ),
  }
  const bot = await (await createMemoryWorld(store, { store: late })).bot('First')
  const { channelID } = (await bot.call('createChannel', { name: 'c' })).body.result
  const { threadID } = (await bot.call('postThread', { channelID, blocks: ['x'] })).body.result
  const { chatID } = (await bot.call('createChat', { name: 'c' })).body.result
  const { chatMessageID: messageID } = (await bot.call('postChatMessage', { chatID, body: 'x' })).body.result
  for (const [name, body] of [
    ['deleteThread', { threadID }],
    ['deleteChannel', { channelID }],
    ['deleteChatMessage', { messageID }],
    ['deleteChat', { chatID }],
  ] as const) {
    const reply = await bot.call(name, body)
    const message = expect.stringMatching(new RegExp(`^\`${Object.keys(body)[0]}\`: this [a-z]+ does not exist`))
    expect([name, reply.status, codeOf(reply), reply.body.error?.message]).toEqual([name, 404, 'not_found', message])
  }
})

onEveryDatabase((world) => {
  test('a service without its storage is healthy, but not ready', async () => {
    const { database } = await world()
    const ready = (): Promise<never> => Promise.reject(new StoreError('unavailable'))
    const { fetch } = await world({ store: { ...createPostgresStore(database), ready } })
    const statusOf = async (path: string): Promise<number> => (await fetch(new Request(SITE + path))).status
    expect([await statusOf('/readyz'), await statusOf('/healthz')]).toEqual([503, 200])
  })

  test('a database that only reads is not ready', async () => {
    const { database } = await world()
    // A query finds the setting of another database, and the same query finds a standby.
    const reading: Database = {
      ...database,
      run: (name, text, values) =>
        database.transact(async (run) => {
          await run('', 'SET TRANSACTION READ ONLY', [])
          return run(name, text, values)
        }),
    }
    await expect(createPostgresStore(database).ready()).resolves.toMatchObject({ isReadOnly: false })
    await expect(createPostgresStore(reading).ready()).rejects.toThrow('unavailable')
  })

  test('a database with a full disk is storage_full, and nothing of the request is stored', async () => {
    const here = await world()
    const bot = await here.bot('First')
    await bot.call('createChannel', { name: 'c' })
    const { database, organization } = here
    const full: Database = {
      ...database,
      transact: (work) =>
        database.transact((run) =>
          work((name, text, values) =>
            name === 'addThread'
              ? run('', `DO $$BEGIN RAISE EXCEPTION 'No space left on device' USING ERRCODE = 'disk_full'; END$$`, [])
              : run(name, text, values),
          ),
        ),
    }
    const there = await world({ store: createPostgresStore(full) })
    const headers = { authorization: `Bearer ${bot.key}`, 'content-type': 'application/json', 'idempotency-key': 'k' }
    const init = { method: 'POST', headers, body: '{"channel":"c","blocks":["x"]}' }
    const answer = await there.fetch(new Request(`${SITE}/api/public/postThread`, init))
    expect([answer.status, await answer.json()]).toMatchObject([503, { error: { code: 'storage_full' } }])
    const { rows } = await database.run('', 'SELECT FROM threads WHERE organization = $1', [organization])
    expect(rows).toHaveLength(0)
    const again = await bot.call('postThread', { channel: 'c', blocks: ['x'] }, { 'idempotency-key': 'k' })
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, null])
  })
})
