/** A clock that jumps: messages stay in their order, and no request waits for a future time. */

import { afterAll, expect, onTestFinished, test, vi } from 'vitest'

// A process remembers the latest time: these tests have their own modules, which no other test uses.
vi.resetModules()
afterAll(() => {
  vi.resetModules()
})
const { readConfig } = await import('../../src/server/config.js')
const { startEmbedded } = await import('../../src/server/embedded/index.js')
const { createSignInLimit } = await import('../../src/server/admission/rates.js')
const { openDatabase } = await import('../../src/server/store/database.js')
const { serve } = await import('../../src/server/serve.js')
const { openEmbedded, testFolder } = await import('./support/backends.js')
const { createWorld } = await import('./support/world.js')

test('a server whose clock is earlier than the newest message or chat creates later ids', async () => {
  const folder = await testFolder()
  const config = readConfig({ PORT: '0', DATA: folder, LOG_LEVEL: 'silent' })
  const posted = async (key: string, site: string, name: string, body: object): Promise<Record<string, string>> => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const answer = await fetch(`${site}/api/public/${name}`, { method: 'POST', headers, body: JSON.stringify(body) })
    const { result }: { result: Record<string, string> } = JSON.parse(await answer.text())
    return result
  }
  const first = await serve(config, { welcome: true })
  const key = first.first?.key ?? ''
  const { chatID = '' } = await posted(key, first.siteUrl, 'createChat', { name: 'c' })
  const embedded = await startEmbedded(folder)
  const database = await openDatabase({ connection: { ...embedded.address }, areStatementsNamed: true })
  // An id of a clock that was a year ahead, and an id of another kind.
  const ahead = (Date.now() + 365 * 24 * 3_600_000).toString(16).padStart(12, '0').replace(/^.{8}/, '$&-')
  const ids = [`${ahead}-7fff-8000-000000000000`, 'ffffffff-ffff-4fff-8fff-ffffffffffff']
  await database.run(
    '',
    `INSERT INTO messages (organization, id, chat_id, author_id, body, created_at)
    SELECT organization, unnest($1::uuid[]), id, 1, 'x', now() FROM chats`,
    [ids],
  )
  await database.close()
  await first.close()
  await embedded.stop()
  const second = await serve(config, { welcome: true })
  onTestFinished(() => second.close())
  const { chatMessageID = '' } = await posted(key, second.siteUrl, 'postChatMessage', { chatID, body: 'later' })
  expect(chatMessageID > (ids[0] ?? '')).toBe(true)
  expect(chatMessageID.slice(0, 8)).toBe(ahead.slice(0, 8))
})

test('after failed sign-ins with a clock a year ahead, signing in is possible when the clock is right', () => {
  const limit = createSignInLimit()
  const at = (time: string): unknown => limit.take('203.0.113.7', new Date(time))
  for (let count = 0; count < 10; count += 1) at('2027-01-01T00:00:00Z')
  expect(() => at('2027-01-01T00:00:01.500Z')).toThrow('try again in 5 s')
  expect(() => at('2026-01-01T00:00:00Z')).toThrow('try again in 5 s')
  expect(() => at('2026-01-01T00:00:06Z')).not.toThrow()
})

test('a clock that jumps a year ahead and back changes no order, idempotency key or permission', async () => {
  const folder = await testFolder()
  const backend = await openEmbedded()
  onTestFinished(() => backend.close())
  let ahead = 0
  const now = (): Date => new Date(Date.now() + ahead)
  const world = await createWorld(backend, folder, { now, rateLimit: 100 })
  const bot = await world.bot('First')
  const { chatID } = (await bot.call('createChat', { name: 'c' })).body.result
  const said: string[] = []
  const say = async (body: string): Promise<Headers> => {
    const {
      status,
      headers,
      body: answer,
    } = await bot.call('postChatMessage', { chatID, body }, { 'idempotency-key': body })
    expect([body, status]).toEqual([body, 200])
    if (headers.get('idempotent-replayed') === null) said.push(answer.result.chatMessageID)
    else expect(said).toContain(answer.result.chatMessageID)
    return headers
  }
  const year = 365 * 24 * 3_600_000
  for (const [index, jump] of [0, year, 0, -year, 60_000, 0].entries()) {
    ahead = jump
    for (let count = 0; count < 30; count += 1) await say(`${index}-${count}`)
  }
  expect(said).toEqual(said.toSorted())
  // The responses of a day are kept by the current clock, also responses with a future date.
  for (const index of [0, 1, 2, 5]) expect((await say(`${index}-0`)).get('idempotent-replayed')).toBe('true')
  expect(said).toHaveLength(180)
})
