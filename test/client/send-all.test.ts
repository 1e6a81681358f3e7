/** Long messages are delivered in order and once, however often the connection breaks. */

import { describe, expect, test } from 'vitest'
import { createClient, SendError } from '../../src/api/client/index.js'
import { createTestService, type TestService } from '../../src/testing/index.js'
import { createPair, listenDropping, thrownBy } from './support.js'

/** Five messages: no two of these fit into one. */
const long: readonly string[] = ['a', 'b', 'c', 'd', 'e'].map((letter) => letter.repeat(30_000))
const chat = { chat: 'talk', source: long }
const key = { idempotencyKey: 'deploy 7 ✓' }

function expectAll({ messages }: TestService): void {
  expect(messages.map(({ body }) => body)).toEqual(long)
}

test('a long message is posted in order, and the call returns all results', async () => {
  const { bot, service } = createPair()
  const delivered = await bot.sendAll(chat, key)
  expectAll(service)
  expect(delivered.map(({ chatMessageID }) => chatMessageID)).toEqual(
    service.messages.map((each) => each.chatMessageID),
  )
  expect(new Set(service.requests.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(5)
})

test('a long reply is posted as several comments', async () => {
  const { bot, service } = createPair()
  const { threadID } = await bot.postThread({ channel: 'c', blocks: ['thread'] })
  const { commentID } = await bot.postComment({ threadID, blocks: ['a comment'] })
  const source = Array.from({ length: 250 }, (_, index) => `block ${index}`)
  const delivered = await bot.sendAll({ threadID, parentID: commentID, source }, { idempotencyKey: 'x' })
  const comments = service.comments.slice(1)
  expect(comments.map(({ blocks, parentID }) => [blocks.length, parentID])).toEqual([
    [100, commentID],
    [100, commentID],
    [50, commentID],
  ])
  expect(comments.flatMap(({ blocks }) => blocks)).toEqual(source)
  expect(delivered.map((each) => each.commentID)).toEqual(comments.map((each) => each.commentID))
})

test('a short message is posted as one comment', async () => {
  const { bot, service } = createPair()
  const chatID = service.chats[0]?.chatID ?? ''
  expect(await bot.sendAll({ chatID, source: 'short' }, { idempotencyKey: '1' })).toHaveLength(1)
  expect(service.messages.map(({ text }) => text)).toEqual(['short'])
  const { threadID } = await bot.postThread({ channel: 'c', blocks: ['thread'] })
  const blocks = ['# one', '* of *two*']
  expect(await bot.sendAll({ threadID, source: blocks }, { idempotencyKey: '2' })).toHaveLength(1)
  expect(service.comments.map((comment) => comment.blocks)).toEqual([blocks])
})

for (const of of ['response', 'request'] as const) {
  test.each([1, 2, 3, 4, 5])(
    `if the ${of} of part %i is lost, the next call delivers the rest and nothing twice`,
    async (n) => {
      const { bot, service } = createPair({ retryFor: 0 })
      service.lose(1, { after: n - 1, of })
      const error = await thrownBy(bot.sendAll(chat, key))
      expect(error).toBeInstanceOf(SendError)
      expect(error).toMatchObject({
        idempotencyKey: key.idempotencyKey,
        cause: { code: 'connection_failed', isUnknown: true },
      })
      const { delivered, message } = error as SendError<{ chatMessageID: string }>
      expect(delivered.map((each) => each.chatMessageID)).toEqual(
        service.messages.slice(0, n - 1).map((each) => each.chatMessageID),
      )
      expect(message).toContain('posted for certain; then: POST postChatMessage: connection_failed')
      expect(await bot.sendAll(chat, key)).toHaveLength(5)
      expectAll(service)
    },
  )
}

test.each([1, 2, 3, 4, 5])('if part %i is rejected, the error says so', async (n) => {
  const { bot, service } = createPair()
  service.fail('not_owner', 1, { after: n - 1 })
  expect(await thrownBy(bot.sendAll(chat, key))).toMatchObject({ cause: { code: 'not_owner', isUnknown: false } })
  // This is like another process, which knows only the idempotency key.
  const { apiKey, baseUrl, fetch } = service
  expect(await createClient({ apiKey, baseUrl, fetch }).sendAll(chat, key)).toHaveLength(5)
  expectAll(service)
})

test('an AbortSignal ends it between two parts, and the error says what was delivered', async () => {
  const { bot, service } = createPair()
  const controller = new AbortController()
  const reason = new Error('enough')
  service.delay(20)
  const posting = thrownBy(bot.sendAll(chat, { ...key, signal: controller.signal }))
  while (service.messages.length < 2) await new Promise((resolve) => setImmediate(resolve))
  controller.abort(reason)
  expect(await posting).toMatchObject({ cause: reason })
  service.recover()
  expect(await bot.sendAll(chat, key)).toHaveLength(5)
  expectAll(service)
})

test('an AbortSignal ends it for any reason', async () => {
  const { bot, service } = createPair()
  service.delay(10_000)
  const controller = new AbortController()
  const sending = thrownBy(bot.sendAll(chat, { ...key, signal: controller.signal }))
  while (service.requests.length === 0) await new Promise((resolve) => setImmediate(resolve))
  controller.abort('enough')
  expect(await sending).toMatchObject({
    message: expect.stringContaining('0 messages were posted for certain; then: enough'),
    cause: 'enough',
  })
})

test('two calls at once with one idempotency key deliver one message', async () => {
  const { bot, service } = createPair()
  const [one, other] = await Promise.all([bot.sendAll(chat, key), bot.sendAll(chat, key)])
  expect(one).toEqual(other)
  expectAll(service)
})

test('another message with the same idempotency key is rejected', async () => {
  const { bot, service } = createPair()
  await bot.sendAll(chat, key)
  const error = await thrownBy(bot.sendAll({ ...chat, source: [...long].reverse() }, key))
  expect(error).toMatchObject({
    ...{ delivered: [], cause: { code: 'idempotency_mismatch', isUnknown: false } },
    message: expect.stringMatching(
      /^sendAll: 0 messages were posted for certain; then: .*This Idempotency-Key was used for another request: choose a new one/,
    ),
  })
  expectAll(service)
})

describe('after the 24 hours for which the service stores idempotency keys', () => {
  const hour = 60 * 60 * 1000

  test('the same idempotency key throws, and before that it does not', async () => {
    const { bot, service } = createPair()
    service.lose(1, { after: 2 })
    await bot.sendAll(chat, key)
    service.clock.advance(23 * hour)
    expect(await bot.sendAll(chat, key)).toHaveLength(5)
    service.clock.advance(hour)
    expect(String(await thrownBy(bot.sendAll(chat, key)))).toMatch(
      /first try with this idempotencyKey was 24 hours ago/,
    )
    expectAll(service)
  })
})

test('an invalid target or idempotencyKey throws before anything is sent', async () => {
  const { bot, service } = createPair()
  for (const [message, options, expected] of [
    [chat, { idempotencyKey: '' }, 'sendAll: idempotencyKey: expected a string of 1 to 255 characters, received ""'],
    [chat, { idempotencyKey: 'x'.repeat(256) }, /^sendAll: idempotencyKey: expected a string of 1 to 255 characters/],
    [chat, { idempotencyKey: 7 }, 'sendAll: idempotencyKey: expected a string of 1 to 255 characters, received 7'],
    [chat, undefined, 'sendAll: idempotencyKey is missing: pass { idempotencyKey } as the second argument'],
    [chat, {}, 'sendAll: idempotencyKey is missing: pass { idempotencyKey } as the second argument'],
    [{ ...chat, idempotencyKey: 'x' }, key, 'sendAll: idempotencyKey goes into the second argument'],
    [
      { channel: 'c', source: 'x' },
      key,
      'sendAll: "channel" is not known: expected chat, chatID, threadID, parentID, source',
    ],
    [{ source: 'x' }, key, 'sendAll: chat: expected chat, chatID or threadID, received none of them'],
    [{ chat: 'talk' }, key, /^sendAll: source: expected .*, received undefined/],
    [chat, { ...key, startedAt: '2026' }, 'sendAll: "startedAt" is not known: expected idempotencyKey, signal'],
  ] as const) {
    const error = await thrownBy(bot.sendAll(message as never, options as never))
    expect(error).toMatchObject({
      name: 'TypeError',
      message: typeof expected === 'string' ? expected : expect.stringMatching(expected),
    })
  }
  expect(service.requests).toEqual([])
})

describe('over a socket that breaks after every n-th commit', () => {
  test.each([1, 2, 3, 4, 5, 6])('n = %i', async (n) => {
    const service = createTestService({ chats: ['talk'] })
    const { baseUrl, close } = await listenDropping(service, n)
    let tries = 0
    let delivered: unknown[] | null = null
    while (delivered === null && tries < 9) {
      tries += 1
      // Each call is like one of a new process, which knows only the idempotency key.
      const bot = createClient({ baseUrl, apiKey: service.apiKey, retryFor: 0 })
      delivered = await bot.sendAll(chat, key).catch((error) => {
        expect(error).toBeInstanceOf(SendError)
        return null
      })
    }
    expect([n, delivered?.length, tries]).toEqual([n, 5, Math.floor(5 / n) + 1])
    expectAll(service)
    const patient = createClient({ baseUrl, apiKey: service.apiKey })
    expect(await patient.sendAll(chat, { idempotencyKey: 'with retries' })).toHaveLength(5)
    expect(service.messages).toHaveLength(10)
    await close()
  })
})
