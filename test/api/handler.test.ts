/** The service in a test, and the rules that it shares with the server: what they read, and their calls of the store. */

import { describe, expect, test } from 'vitest'
import { ApiError } from '../../src/api/contract/errors.js'
import { listParts } from '../../src/api/rules/dispatch.js'
import { fileReference } from '../../src/api/rules/message.js'
import { errorWithoutRequest } from '../../src/api/rules/response.js'
import { TimeSlices } from '../../src/api/rules/scheduler.js'
import { createMemoryStore, type MemoryStore } from '../../src/api/store/memory/index.js'
import { type Page, type Rows, type Store, StoreError } from '../../src/api/store/store.js'
import { parse } from '../../src/index.js'
import type { HandlerOptions } from '../../src/testing/handler.js'
import { type Bot, createMemoryWorld, type Reply, SITE, type World } from './support/world.js'

interface Open {
  readonly here: World
  readonly bot: Bot
  readonly other: Bot
  /** The calls of the store's rows, by name. */
  readonly calls: string[]
  readonly memory: MemoryStore
  /** Sends a request to an endpoint with the first bot's key; a null header is left out. */
  send(path: string, init?: Sending): Promise<Reply>
}

interface Sending {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string | null>>
  readonly body?: BodyInit
}

async function open(options: Partial<HandlerOptions> = {}): Promise<Open> {
  const calls: string[] = []
  const memory = createMemoryStore()
  const store: Store = {
    ...memory,
    write: (organization, work) => memory.write(organization, (rows) => work(noting(rows, calls))),
  }
  const here = await createMemoryWorld(memory, { store, ...options })
  const bot = await here.bot('First')
  const send: Open['send'] = async (path, { method = 'POST', headers = {}, ...init } = {}) => {
    const given = { authorization: `Bearer ${bot.key}`, 'content-type': 'application/json', ...headers }
    const sent = Object.entries(given).filter((entry): entry is [string, string] => entry[1] !== null)
    // A stream is sent before its response arrives.
    const request = new Request(`${SITE}/api/public/${path}`, { method, headers: sent, duplex: 'half', ...init })
    const response = await here.fetch(request)
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) }
  }
  return { here, bot, other: await here.bot('Second'), calls, memory, send }
}

/** Wraps rows and records their calls. */
function noting(rows: Rows, calls: string[]): Rows {
  return new Proxy(rows, {
    get(target, name) {
      if (typeof name === 'string') calls.push(name)
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

/** An error's body without its request's id. */
function errorOf({ status, body }: Reply): unknown {
  const { requestID, ...error } = body.error ?? { requestID: null }
  return [status, error]
}

/** Counts the turns of the event loop during some work. */
async function turnsOf(work: () => Promise<unknown>): Promise<number> {
  let turns = 0
  let immediate = setImmediate(function next() {
    turns += 1
    immediate = setImmediate(next)
  })
  await work()
  clearImmediate(immediate)
  return turns
}

describe('authentication', () => {
  test.each([
    ['no header', null, 'Bearer realm="blockmark"'],
    ['another scheme', 'Basic YTpi', 'Bearer realm="blockmark"'],
    ['a scheme that ends as ours', 'xBearer KEY', 'Bearer realm="blockmark"'],
    ['an API key with text after it', 'Bearer KEY x', 'Bearer realm="blockmark"'],
    ['an API key that is not valid', 'Bearer undefined', 'Bearer realm="blockmark", error="invalid_token"'],
    ['an unknown API key', 'Bearer KEYx', 'Bearer realm="blockmark", error="invalid_token"'],
  ])('%s is 401 with a challenge', async (_, authorization, challenge) => {
    const { bot, send } = await open()
    const given = authorization === null ? null : authorization.replace('KEY', bot.key)
    const reply = await send('ping', { method: 'GET', headers: { authorization: given } })
    const message = 'Send a valid API key: Authorization: Bearer <key>.'
    expect(errorOf(reply)).toEqual([401, { code: 'unauthorized', message }])
    expect(reply.headers.get('www-authenticate')).toBe(challenge)
  })

  test.each(['Bearer KEY', 'bearer KEY', 'BEARER   KEY'])('%s finds the bot of the API key', async (authorization) => {
    const { bot, send, here } = await open()
    const reply = await send('ping', {
      method: 'GET',
      headers: { authorization: authorization.replace('KEY', bot.key) },
    })
    expect([reply.status, reply.body.result]).toEqual([200, { name: 'First', organization: here.name }])
  })
})

describe('a request to no endpoint', () => {
  test('is 404 for an unknown path, and 405 for another method', async () => {
    const { here, bot, send } = await open()
    const message = 'This endpoint does not exist: /openapi.json lists all endpoints.'
    expect(errorOf(await send('nothing'))).toEqual([404, { code: 'not_found', message }])
    const page = await here.fetch(new Request(`${SITE}/api/publicity`, { headers: { authorization: bot.key } }))
    const error = {
      code: 'not_found',
      message: 'This service has endpoints only: pages and files need a server.',
      requestID: page.headers.get('x-request-id'),
    }
    expect([page.status, await page.json()]).toEqual([404, { ok: false, error }])
    const put = await send('ping', { method: 'PUT' })
    expect(errorOf(put)).toEqual([405, { code: 'method_not_allowed', message: 'This endpoint accepts GET, HEAD.' }])
    expect(put.headers.get('allow')).toBe('GET, HEAD')
    const ping = await here.fetch(
      new Request(`${SITE}/api/public/ping`, { method: 'HEAD', headers: { authorization: `Bearer ${bot.key}` } }),
    )
    expect([ping.status, ping.headers.get('content-type'), await ping.text()]).toEqual([200, 'application/json', ''])
    const head = await here.fetch(new Request(`${SITE}/api/public/nothing`, { method: 'HEAD' }))
    expect([head.status, head.headers.get('content-type'), await head.text()]).toEqual([404, 'application/json', ''])
  })

  test('a response to an invalid HTTP request has an id, too', () => {
    const { status, headers, body } = errorWithoutRequest(new ApiError('timeout', 'Too late.'))
    const requestID = headers['x-request-id']
    expect(requestID).toMatch(/^[\da-f-]{36}$/)
    expect([status, JSON.parse(String(body))]).toEqual([
      408,
      { ok: false, error: { code: 'timeout', message: 'Too late.', requestID } },
    ])
  })
})

describe('a body', () => {
  const noObject = [400, { code: 'invalid_request', message: 'The body must be a JSON object: { … }.' }]
  const noJson = [400, { code: 'invalid_json', message: 'The body must be JSON in UTF-8.' }]

  test.each(['null', '"x"', '7', 'true', '[]'])('%s is JSON, but not an object', async (body) => {
    expect(errorOf(await (await open()).send('createChat', { body }))).toEqual(noObject)
  })

  test.each([
    ['postChatMessage', { body: ['x'] }, '`body` must be a string, not a list.'],
    ['postChatMessage', { body: null }, '`body` must be a string, not null.'],
    ['postThread', { blocks: [7] }, '`blocks[0]` must be a string, not 7.'],
    ['postThread', { blocks: {} }, '`blocks` must be a list of strings, one for each block of the message.'],
  ])('of %s with %j is not a message', async (name, message, sentence) => {
    const reply = await (await open()).send(name, { body: JSON.stringify({ chat: 'c', channel: 'c', ...message }) })
    expect([reply.status, reply.body.error?.message]).toEqual([422, sentence])
  })

  test('must be UTF-8 to its end, at any size', async () => {
    const { bot, send } = await open()
    for (const body of ['', '{']) expect(errorOf(await send('createChat', { body }))).toEqual(noJson)
    const bytes = (inside: readonly number[], length: number): Uint8Array<ArrayBuffer> =>
      new Uint8Array(
        Buffer.concat([Buffer.from('{"a":"'), Buffer.from(inside), Buffer.from(`","b":"${'x'.repeat(length)}"}`)]),
      )
    for (const length of [0, 2_000_000]) {
      expect(errorOf(await send('createChat', { body: bytes([0xff], length) }))).toEqual(noJson)
      expect(errorOf(await send('createChat', { body: bytes([0xe2, 0x82], length) }))).toEqual(noJson)
    }
    // A large body is read in parts of a million bytes, and one of these characters is in two of them.
    const name = '€'.repeat(20)
    const body = `{"name":"${name}"}`.padStart(999_989 + 31, ' ')
    expect((await bot.call('createChannel', body)).status).toBe(200)
    expect((await bot.get('channels')).body.result).toMatchObject([{ name }])
  })

  test.each([
    ['application/json', 200],
    ['Application/JSON ; charset=utf-8', 200],
    ['application/json;\tcharset=utf-8', 200],
    ['application/jsonx', 415],
    ['text/json', 415],
    [null, 415],
  ])('of the type %j gets %i', async (type, status) => {
    const { send } = await open()
    const body = new TextEncoder().encode('{"name":"c"}')
    const reply = await send('createChat', { headers: { 'content-type': type }, body })
    expect(reply.status).toBe(status)
    if (status === 200) return
    const message = 'Send the body as application/json.'
    expect(errorOf(reply)).toEqual([415, { code: 'unsupported_media_type', message }])
  })

  test.each([
    ['identity', 200],
    [' Identity ', 200],
    ['', 200],
    ['gzip', 415],
    ['identity, gzip', 415],
  ])('with the coding %j gets %i', async (coding, status) => {
    const { send } = await open()
    const headers = { 'content-encoding': coding }
    const reply = await send('createChat', { headers, body: '{"name":"c"}' })
    expect(reply.status).toBe(status)
    const form = new FormData()
    form.append('data', new Blob(['x']), 'a.txt')
    const upload = await send('upload', { headers: { ...headers, 'content-type': null }, body: form })
    expect(upload.status).toBe(status)
    if (status === 200) return
    const message = 'Send the body as it is, without a Content-Encoding.'
    for (const refused of [reply, upload]) {
      expect(errorOf(refused)).toEqual([415, { code: 'unsupported_media_type', message }])
    }
  })

  test('of an upload is a form, and other types are rejected unread', async () => {
    const { send } = await open()
    const message = 'Send the file as multipart/form-data, in a part named `data`.'
    const refused = [415, { code: 'unsupported_media_type', message }]
    expect(errorOf(await send('upload', { body: '{}' }))).toEqual(refused)
    expect(
      errorOf(await send('upload', { headers: { 'content-type': 'multipart/mixed; boundary=b' }, body: 'x' })),
    ).toEqual(refused)
    const headers = { 'content-type': 'Multipart/Form-Data; boundary=b' }
    expect((await send('upload', { headers, body: 'x' })).body.error?.code).toBe('invalid_request')
  })

  test('of more than eight megabytes is rejected, by its announced or actual size, and is not read further', async () => {
    const { send } = await open()
    const limit = 8 * 1024 * 1024
    let pulls = 0
    const stream = (): ReadableStream<Uint8Array> =>
      new ReadableStream(
        {
          pull(controller) {
            pulls += 1
            controller.enqueue(new Uint8Array(1_000_000).fill(0x20))
          },
        },
        { highWaterMark: 0 },
      )
    const message = 'The body is too large: at most 8,388,608 bytes are allowed. Send several requests.'
    const refused = [413, { code: 'too_large', message, details: [{ path: [], code: 'too_large', message, limit }] }]
    const sized = (size: number): string => `{"name":"${'x'.repeat(size - 11)}"}`
    for (const headers of [{}, { 'content-length': String(limit) }])
      expect((await send('createChat', { headers, body: sized(limit) })).body.error?.code).toBe('validation_failed')
    expect(errorOf(await send('createChat', { body: sized(limit + 1) }))).toEqual(refused)
    const headers = { 'content-length': String(limit + 1) }
    expect(errorOf(await send('createChat', { headers, body: stream() }))).toEqual(refused)
    expect(pulls).toBe(0)
    expect(errorOf(await send('createChat', { body: stream() }))).toEqual(refused)
    expect(pulls).toBe(9)
  })

  test('that arrives in parts is joined, and an interrupted one is rejected', async () => {
    const { send } = await open()
    const parts = ['{"name":', '"c', '"}'].map((part) => new TextEncoder().encode(part))
    const cause = new Error('the connection is gone')
    const whole = new ReadableStream({
      start(controller) {
        for (const part of parts) controller.enqueue(part)
        controller.close()
      },
    })
    expect((await send('createChat', { body: whole })).status).toBe(200)
    const broken = new ReadableStream({ pull: (controller) => controller.error(cause) })
    const message = 'The body is incomplete: send it again.'
    expect(errorOf(await send('createChat', { body: broken }))).toEqual([400, { code: 'invalid_request', message }])
  })

  test('that is large yields to other work between its parts, and a small one does not', async () => {
    const { send } = await open()
    const chat = (length: number): Promise<Reply> =>
      send('createChat', { body: `{"name":"c","a":"${'x'.repeat(length)}"}` })
    await chat(10)
    const small = await turnsOf(() => chat(900))
    // Before the first of four steps, after each of them, and after each million bytes.
    expect((await turnsOf(() => chat(4_500_000))) - small).toBeGreaterThanOrEqual(9)
    expect(small).toBeLessThan(4)
  })
})

describe('a list', () => {
  test('is complete at any length, and in pages of up to 1,000 on request', async () => {
    const { bot } = await open()
    for (let index = 0; index < 101; index += 1) await bot.call('createChannel', { name: `c${index}` })
    const counts = async (query: string): Promise<unknown> => {
      const { result, nextCursor } = (await bot.get(`channels${query}`)).body
      return [result.length, result.at(-1).channelID, nextCursor && Buffer.from(nextCursor, 'base64url').toString()]
    }
    const ids: string[] = (await bot.get('channels')).body.result.map(
      ({ channelID }: { channelID: string }) => channelID,
    )
    const [cursor = '', ...rest] = ids.map((id) => Buffer.from(id).toString('base64url'))
    expect([ids.length, rest.length]).toEqual([101, 100])
    expect(await counts('')).toEqual([101, ids[100], undefined])
    expect(await counts('?limit=12')).toEqual([12, ids[11], ids[11]])
    expect(await counts('?limit=101')).toEqual([101, ids[100], undefined])
    expect(await counts('?limit=1000')).toEqual([101, ids[100], undefined])
    expect(await counts(`?cursor=${cursor}`)).toEqual([100, ids[100], undefined])
    expect(await counts('?limit=12&cursor=')).toEqual([12, ids[11], ids[11]])
    expect(await counts(`?limit=1&cursor=${cursor}`)).toEqual([1, ids[1], ids[1]])
    expect(await counts(`?limit=99&cursor=${cursor}`)).toEqual([99, ids[99], ids[99]])
  })

  const limits = [
    '0',
    '1001',
    '10000',
    '1x',
    'x1',
    '',
    '0x10',
    '1e2',
    '%2B5',
    '-1',
    '5.0',
    '00000000000000000005',
    '%D9%A5',
  ]
  test.each(limits)('rejects the limit %j', async (limit) => {
    const { bot } = await open()
    const message = '`limit` must be a number from 1 to 1,000.'
    expect(errorOf(await bot.get(`channels?limit=${limit}`))).toEqual([400, { code: 'invalid_request', message }])
    // An endpoint that returns no list ignores it.
    expect((await bot.get(`ping?limit=${limit}`)).status).toBe(200)
  })

  test.each(['1x', 'x1', '12345678901234567', '-1'])('rejects the cursor %j', async (id) => {
    const { bot } = await open()
    const cursor = Buffer.from(id).toString('base64url')
    const message = '`cursor` must be the `nextCursor` of the previous page.'
    expect(errorOf(await bot.get(`channels?cursor=${cursor}`))).toEqual([400, { code: 'invalid_request', message }])
  })

  test('is read in a transaction that only reads', async () => {
    const memory = createMemoryStore()
    const write = (): Promise<never> => Promise.reject(new StoreError('full'))
    const bot = await (await createMemoryWorld(memory, { store: { ...memory, write } })).bot('First')
    for (const path of ['channels', 'users', 'ping']) expect((await bot.get(path)).status).toBe(200)
    expect((await bot.call('channels')).status).toBe(200)
    expect((await bot.call('createChat', { name: 'c' })).status).toBe(503)
  })

  test.each([0, 1, 199, 200, 201, 400, 401])('of %i rows is read in parts', async (count) => {
    const memory = createMemoryStore()
    const asked: Page[] = []
    const row = (index: number) => ({ id: String(index + 1), name: 'é', email: 'e', emailKey: 'e' })
    const all = Array.from({ length: count }, (_, index) => row(index))
    const users = async (page: Page): Promise<typeof all> => {
      asked.push(page)
      return all.slice(Number(page.after)).slice(0, page.count ?? 0)
    }
    // A list of users needs no other call of the store.
    const read = ((_: string, work: (rows: Rows) => unknown) => work({ users } as unknown as Rows)) as Store['read']
    const here = await createMemoryWorld(memory, { store: { ...memory, read } })
    const bot = await here.bot('First')
    const expected = all.map(({ id, name, email }) => ({ userID: id, name, email }))
    expect((await bot.get('users')).body).toEqual({ ok: true, result: expected })
    const parts = Math.max(1, Math.ceil(count / 200))
    expect(asked.map(({ after }) => after)).toEqual([null, '200', '400'].slice(0, parts))
  })

  test('of long rows yields to other work', async () => {
    const rows = Array.from({ length: 150 }, (_, id) => ({ id: String(id), text: 'x'.repeat(16_000) }))
    const list = { page: { after: null, count: null }, listedBy: 'id', slices: new TimeSlices() }
    expect(await turnsOf(() => listParts({ ...list, read: async () => rows }).next())).toBeGreaterThan(3)
  })
})

describe('an Idempotency-Key', () => {
  const refused = [400, { code: 'invalid_request', message: 'An Idempotency-Key has 1 to 255 characters.' }]

  test.each([
    [0, false],
    [1, true],
    [255, true],
    [256, false],
  ])('with %i characters is valid: %j', async (length, isOne) => {
    const { bot } = await open()
    const reply = await bot.call('createChat', { name: 'c' }, { 'idempotency-key': 'k'.repeat(length) })
    if (isOne) expect(reply.status).toBe(200)
    else expect(errorOf(reply)).toEqual(refused)
  })

  test('whose first request is still running gets Retry-After', async () => {
    const { bot } = await open()
    const replies = await Promise.all(
      [1, 2].map(() => bot.call('createChat', { name: 'c' }, { 'idempotency-key': 'k' })),
    )
    const [busy] = replies.filter(({ status }) => status !== 200)
    const message = 'The first request with this Idempotency-Key is still running: try again in a second.'
    expect(busy && errorOf(busy)).toEqual([409, { code: 'idempotency_in_progress', message }])
    expect(busy?.headers.get('retry-after')).toBe('1')
  })
})

describe('a failure', () => {
  test.each([
    [
      'unavailable',
      503,
      'storage_unavailable',
      '1',
      'The storage does not respond in time: try again with the same Idempotency-Key.',
    ],
    ['full', 503, 'storage_full', '60', 'The storage is full, and nothing was kept: try again later.'],
    ['taken', 409, 'name_taken', null, '`name` is taken: choose another one.'],
    ['gone', 404, 'not_found', null, 'The parent object was deleted in the meantime.'],
    [null, 500, 'internal', null, 'The service failed: quote the requestID when you report it.'],
  ] as const)(
    'a store error %j becomes %i, and its message is not sent',
    async (reason, status, code, wait, message) => {
      const memory = createMemoryStore()
      const cause = reason === null ? new Error('a secret') : new StoreError(reason, new Error('a secret'))
      const store: Store = { ...memory, write: () => Promise.reject(cause) }
      const here = await createMemoryWorld(memory, { store })
      const reply = await (await here.bot('First')).call('createChat', { name: 'c' })
      expect([...(errorOf(reply) as unknown[]), reply.headers.get('retry-after')]).toEqual([
        status,
        { code, message },
        wait,
      ])
    },
  )
})

test('a post without files queries and stores no file', async () => {
  const { bot, other, calls } = await open()
  const { channelID } = (await bot.call('createChannel', { name: 'c' })).body.result
  await bot.call('createChat', { name: 'talk', userIDs: [other.userID] })
  const asked = async (from: Bot, blocks: readonly string[]): Promise<string[]> => {
    calls.splice(0)
    const { threadID } = (await from.call('postThread', { channelID, blocks })).body.result
    await from.call('postComment', { threadID, blocks })
    await from.call('postChatMessage', { chat: 'talk', body: blocks.join('\n') })
    return calls.filter((name) => name.toLowerCase().includes('files'))
  }
  expect(await asked(bot, ['plain', 'a > b @ c ! d <'])).toEqual([])
  expect(await asked(bot, ['<@1|Ann>', 'with <@1> in it', '`<!1|>`'])).toEqual([])
  const thrice = (...names: readonly string[]): string[] => [...names, ...names, ...names]
  // A mention alone on its line may be a file.
  expect(await asked(bot, ['<@1>'])).toEqual(thrice('files'))
  const fileID = await bot.file('x')
  expect(await asked(bot, [`<!${fileID}|>`])).toEqual(thrice('files', 'showFiles'))
  expect(await asked(other, [`<@${fileID}>`])).toEqual(thrice('files', 'filesSeen', 'showFiles'))
})

test.each([
  ['<!7|a.txt>', { id: '7', isFile: true }],
  ['<@7>', { id: '7', isFile: false }],
  ['<@7|Ann>', null],
  ['<@7> <@8>', null],
  ['# <@7>', null],
  ['* <@7>', null],
  ['seven', null],
  ['*<@7>*', null],
  ['```\n<@7>\n```', null],
])('%j refers to %j', (source, reference) => {
  expect(parse(source).children.map(fileReference)).toEqual([reference])
})

test('email addresses are compared in lower case', async () => {
  const { here, bot } = await open()
  await here.person('straße')
  const status = async (email: string): Promise<number> =>
    (await bot.call('createChat', { name: 'c', emails: [email] })).status
  expect([await status(' STRAßE@people.test'), await status('strasse@people.test')]).toEqual([200, 422])
})

test('no user is looked up if a request names none', async () => {
  const { bot, calls } = await open()
  await bot.call('createChat', { name: 'c' })
  expect(calls).not.toContain('usersBy')
  await bot.call('createChat', { name: 'c', emails: ['Second@people.test'] })
  expect(calls).toContain('usersBy')
})

test('a deleted comment with replies loses its content, and one without replies is removed', async () => {
  const { here, bot, memory } = await open()
  const { channelID } = (await bot.call('createChannel', { name: 'c' })).body.result
  const { threadID } = (await bot.call('postThread', { channelID, blocks: ['x'] })).body.result
  const answer = async (parentID: string): Promise<string> =>
    (await bot.call('postComment', { threadID, parentID, blocks: ['x'] })).body.result.commentID
  // A first comment with one reply after another, each to the one before, and another reply to the second.
  const first = await answer(threadID)
  const second = await answer(first)
  const [third, sibling] = [await answer(second), await answer(second)]
  const remove = (commentID: string): Promise<Reply> => bot.call('deleteComment', { commentID })
  const states = async (): Promise<unknown[]> => {
    const found = [first, second, third, sibling].map((id) =>
      memory.read(here.organization, (rows) => rows.comment(id, 'share')),
    )
    return (await Promise.all(found)).map((comment) =>
      comment === null ? 'gone' : comment.isDeleted ? 'empty' : 'there',
    )
  }
  await remove(second)
  expect(await states()).toEqual(['there', 'empty', 'there', 'there'])
  await remove(first)
  expect(await states()).toEqual(['empty', 'empty', 'there', 'there'])
  await remove(third)
  expect(await states()).toEqual(['empty', 'empty', 'gone', 'there'])
  expect((await remove(first)).status).toBe(404)
  await remove(sibling)
  expect(await states()).toEqual(['empty', 'empty', 'gone', 'gone'])
  // A comment that was not deleted stays when its replies are gone.
  const parent = await answer(threadID)
  await remove(await answer(parent))
  expect((await remove(parent)).status).toBe(200)
})
