/** Responses of another server: too large, of another form, or endless. */

import { describe, expect, test } from 'vitest'
import { type BlockmarkApiError, type Client, createClient } from '../../src/api/client/index.js'
import { createPair, thrownBy } from './support.js'

function botOf(respond: () => Response | Promise<Response>): { bot: Client; calls: () => number } {
  let count = 0
  const fetch = async (): Promise<Response> => {
    count += 1
    return respond()
  }
  return { bot: createClient({ baseUrl: 'https://x.test', apiKey: 'k', fetch, retryFor: 300 }), calls: () => count }
}

const user = { userID: '1', name: 'Ann', email: 'ann@x.test' }
const channel = { channelID: '1', name: 'a', description: '', privacy: 'public', memberIDs: ['1'] }

describe('a result', () => {
  test.each([
    ['users', null],
    ['users', {}],
    ['users', [null]],
    ['users', [{ ...user, email: 7 }]],
    ['users', [{ userID: '1', name: 'Ann' }]],
    ['channels', [{ ...channel, memberIDs: [1] }]],
    ['channels', [{ ...channel, memberIDs: 'none' }]],
    ['channels', [{ ...channel, privacy: 'secret' }]],
    ['ping', []],
    ['ping', { name: 'Bot' }],
  ] as const)('of another form is an invalid response, at once: %s %j', async (name, result) => {
    const { bot, calls } = botOf(() => Response.json({ ok: true, result }))
    expect(await thrownBy(bot[name]())).toMatchObject({
      ...{ code: 'invalid_response', status: 200 },
      message: `GET ${name}: 200 invalid_response: the result does not have the fields of this endpoint`,
    })
    expect(calls()).toBe(1)
  })

  test('may have fields that are not known yet', async () => {
    const result = [{ ...user, phone: '1' }]
    expect(await botOf(() => Response.json({ ok: true, result, more: 1 })).bot.users()).toEqual(result)
  })

  test('of an endpoint without one is ignored', async () => {
    const { bot } = botOf(() => Response.json({ ok: true, result: 7 }))
    expect(await bot.deleteThread({ threadID: '1' })).toBeUndefined()
  })
})

describe('a response over 64 MiB', () => {
  const chunk = new Uint8Array(1024 * 1024).fill(32)

  test('is read no further, and is an invalid response', async () => {
    let [pulled, isCanceled] = [0, false]
    const endless = (): ReadableStream<Uint8Array> =>
      new ReadableStream({
        pull(controller) {
          pulled += 1
          controller.enqueue(chunk)
        },
        cancel() {
          isCanceled = true
        },
      })
    const { bot, calls } = botOf(() => new Response(endless()))
    expect(await thrownBy(bot.ping())).toMatchObject({
      ...{ code: 'invalid_response', status: 0 },
      message: 'GET ping: invalid_response: the response has more than 67108864 bytes',
    })
    expect([calls(), isCanceled, pulled < 70]).toEqual([1, true, true])
  })

  test('is one byte longer than a response that is accepted', async () => {
    const body = JSON.stringify({ ok: true, result: { name: 'é', organization: 'b' } })
    const room = 64 * 1024 * 1024 - Buffer.byteLength(body)
    const padded = (length: number) => botOf(() => new Response(body + ' '.repeat(length))).bot.ping()
    expect(await padded(room)).toEqual({ name: 'é', organization: 'b' })
    expect(await thrownBy(padded(room + 1))).toMatchObject({ code: 'invalid_response' })
  })
})

test('the text of another server cannot command a terminal, add lines, or fill a log, and never repeats the API key', async () => {
  const details = Array.from({ length: 1_000 }, (_, index) => ({ path: [], code: 'x', message: `d${index}\u001B[2J` }))
  const bot = createClient({
    ...{ baseUrl: 'https://x.test', apiKey: 'wsk_secret_of_the_bot' },
    fetch: async (_, init) => {
      const key = new Headers(init?.headers).get('authorization') ?? ''
      const error = { code: 'not_found', message: `\u001B]0;x\u0007\n${'y'.repeat(1_000_000)}`, details }
      return Response.json({ ok: false, error }, { status: 404, headers: { 'x-request-id': key } })
    },
  })
  const error = (await thrownBy(bot.ping())) as BlockmarkApiError
  expect(error.message).toMatch(
    /^GET ping: 404 not_found: ␛\]0;x␇ y{490,500}… \(request Bearer \[API key\]\)\n {2}d0␛\[2J\n/,
  )
  expect(error.message).toMatch(/d19␛\[2J\n {2}and 980 more$/)
  expect(`${error.message}${error.requestID}${error.stack}`).not.toMatch(/secret|\u001B/)
  expect(error.details).toHaveLength(1_000)
})

test('an error whose code is not a word is of another server', async () => {
  for (const code of [7, '', 'x\u001B[2J', 'x'.repeat(65)]) {
    const { bot } = botOf(() => Response.json({ ok: false, error: { code, message: 'no' } }, { status: 404 }))
    expect(await thrownBy(bot.ping())).toMatchObject({ code: 'invalid_response', status: 404 })
  }
})

test('an argument error names the method and the field', async () => {
  const { bot, service } = createPair()
  const target = { channel: 'c' } as const
  for (const [work, message] of [
    [() => bot.postThread({ ...target } as never), /^postThread: blocks: expected .*, received undefined$/],
    [() => bot.postComment({ threadID: '1', blocks: 7 as never }), /^postComment: blocks: expected .*, received 7$/],
    [
      () => bot.postChatMessage({ chat: 'talk', body: null as never }),
      /^postChatMessage: body: expected .*, received null$/,
    ],
    [() => bot.postThread({ ...target, blocks: '  ' }), /^postThread: blocks: .*expected 1 to 100 blocks, received 0$/],
    [() => bot.postThread({ ...target, blocks: [] }), /^postThread: blocks: .*expected 1 to 100 blocks, received 0$/],
    [() => bot.postChatMessage({ chat: 'talk', body: 'word '.repeat(9_000) }), /^postChatMessage: body: .*sendAll/],
    [() => bot.postThread(undefined as never), 'postThread: expected an object, received undefined'],
    [
      () => bot.deleteThread({ threadID: '1' }, { idempotencyKey: 7 as never }),
      'deleteThread: idempotencyKey: expected a string of 1 to 255 characters, received 7',
    ],
    [() => bot.users({ signal: {} as never }), 'users: signal: expected an AbortSignal, received object'],
    [() => bot.upload('LICENSE', { idempotencyKey: '' }), /^upload: idempotencyKey: /],
    [() => bot.upload('LICENSE', null as never), 'upload: options: expected an object, received null'],
    [() => bot.upload('LICENSE', { name: 7 as never }), 'upload: name: expected a string, received 7'],
    [() => bot.upload(undefined as never), /^upload: data: expected .*, received undefined$/],
    [() => bot.deleteChannel({ channelID: 7n as never }), /^deleteChannel: body: .*BigInt/],
  ] as const) {
    const error = await thrownBy(work())
    const expected = typeof message === 'string' ? message : expect.stringMatching(message)
    expect(error).toMatchObject({ message: expected })
    expect(String((error as Error).stack)).toContain((error as Error).message)
  }
  expect(service.requests).toEqual([])
})
