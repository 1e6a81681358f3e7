/** The service in a test of a bot: its seeds, its faults, its clock, and what was posted. */

import { build } from 'esbuild'
import { fileTypeFromBuffer } from 'file-type'
import { describe, expect, test } from 'vitest'
import { type Channel, type Client, createClient } from '../../src/api/client/index.js'
import { mediaTypeOfHead } from '../../src/api/files/memory.js'
import { parse } from '../../src/index.js'
import { createTestService, type TestService } from '../../src/testing/index.js'

interface Reply {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: a test states what the fields are
  body: any
}

/** Calls an endpoint without the client, so that tests see the service's own responses. */
async function call(service: TestService, name: string, body?: object, init: RequestInit = {}): Promise<Reply> {
  const { apiKey, baseUrl } = service
  const response = await service.fetch(`${baseUrl}/api/public/${name}`, {
    method: body === undefined ? 'GET' : 'POST',
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...init,
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', ...init.headers },
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: text.startsWith('{') ? JSON.parse(text) : text }
}

test('seeds exist at once, and the endpoints list them', async () => {
  const service = createTestService({
    bot: 'Deployer',
    organization: 'Acme',
    users: ['Ann Lee', { name: 'Bob', email: 'bob@acme.test', userID: '7' }],
    channels: ['#deploys', { name: 'secret', privacy: 'private', emails: ['BOB@acme.test'] }],
    chats: [{ name: 'ops', userIDs: ['7'] }, 'notes'],
  })
  expect((await call(service, 'ping')).body.result).toEqual({ name: 'Deployer', organization: 'Acme' })
  const users = (await call(service, 'users')).body.result
  expect(users.map((user: { email: string }) => user.email)).toEqual([
    'bob@acme.test',
    'bot-100001@blockmark.test',
    'ann.lee@blockmark.test',
  ])
  const channels: Channel[] = (await call(service, 'channels')).body.result
  expect(channels.map(({ name, privacy, memberIDs }) => [name, privacy, memberIDs.length])).toEqual([
    ['deploys', 'public', 1],
    ['secret', 'private', 2],
  ])
  expect((await call(service, 'postChatMessage', { chat: 'OPS', body: 'x' })).status).toBe(200)
})

test.each([
  [{ users: ['Ann', 'Ann', { name: 'x', userID: 'abc' }] }, /numeric/],
  [
    {
      users: [
        { name: 'a', email: 'a@b.test' },
        { name: 'b', email: 'A@b.test' },
      ],
    },
    /another user's/,
  ],
  [{ users: [{ name: '' }] }, /needs a name/],
  [
    {
      users: [
        { name: 'a', userID: '7' },
        { name: 'b', userID: '7' },
      ],
    },
    /7 is another user's/,
  ],
  [{ channels: ['a', '#A'] }, /twice/],
  [{ channels: ['x'.repeat(81)] }, /at most 80/],
  [{ channels: [7 as never] }, 'createTestService: channels: expected an object, received 7'],
  [{ channels: [{} as never] }, /`name` is missing/],
  [{ chats: [{ name: 'a', emails: ['no@where.test'] }] }, /users does not contain/],
  [{ channels: 'ab' } as never, 'createTestService: channels: expected an array, received "ab"'],
  [{ chanels: ['a'] } as never, /^createTestService: "chanels" is not known: expected users, channels, /],
  [
    { channels: [{ name: 'a', private: true } as never] },
    'createTestService: channels: "private" is not known: expected name, description, privacy, userIDs, emails',
  ],
  [
    { chats: [{ name: 'a', description: 'b' } as never] },
    'createTestService: chats: "description" is not known: expected name, userIDs, emails',
  ],
  [
    { users: [{ name: 'Ann', mail: 'ann@a.test' } as never] },
    'createTestService: users: "mail" is not known: expected name, email, userID',
  ],
  [null as never, 'createTestService: expected an object, received null'],
])('a seed that the service would reject throws: %j', (options, message) => {
  expect(() => createTestService(options)).toThrow(message)
})

test('posts are listed as trees and as text, with their comments, until they are deleted', async () => {
  const service = createTestService({ channels: ['c'], chats: ['talk'] })
  const { threadID } = (await call(service, 'postThread', { channel: 'c', blocks: ['# Hi', '*all* of <@9|Ann>'] })).body
    .result
  const { commentID } = (await call(service, 'postComment', { threadID, blocks: ['first'] })).body.result
  const reply = { threadID, parentID: commentID, blocks: ['second'] }
  await call(service, 'postComment', reply)
  await call(service, 'postChatMessage', { chat: 'talk', body: '-no-' })
  const [thread] = service.threads
  expect(thread).toMatchObject({ threadID, channel: 'c', author: 'Bot', blocks: ['# Hi', '*all* of <@9|Ann>'] })
  expect(thread?.text).toBe('Hi\n\nall of @Ann')
  expect(thread?.tree).toEqual(parse('# Hi\n*all* of <@9|Ann>', { position: false }))
  expect(service.comments.map(({ text, parentID }) => [text, parentID])).toEqual([
    ['first', threadID],
    ['second', commentID],
  ])
  expect(thread?.comments).toEqual(service.comments)
  await call(service, 'postChatMessage', { chat: 'talk', body: 'yes' })
  expect(service.messages).toMatchObject([
    { chat: 'talk', body: '-no-', text: 'no' },
    { chat: 'talk', body: 'yes', text: 'yes' },
  ])
  await call(service, 'deleteComment', { commentID })
  expect(service.comments.map(({ text }) => text)).toEqual(['second'])
  await call(service, 'deleteThread', { threadID })
  expect([service.threads, service.comments]).toEqual([[], []])
})

test('a file exists after its upload and can be posted; pages need a server', async () => {
  const service = createTestService({ channels: ['c'] })
  const form = new FormData()
  form.append('data', new Blob(['a log']), 'build "7".log')
  const uploaded = await service.fetch(`${service.baseUrl}/api/public/upload`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.apiKey}` },
    body: form,
  })
  const { fileID } = JSON.parse(await uploaded.text()).result
  expect(service.files).toMatchObject([{ fileID, mediaType: 'text/plain; charset=utf-8', size: 5 }])
  const { threadURL } = (await call(service, 'postThread', { channel: 'c', blocks: [`<!${fileID}|>`] })).body.result
  expect(service.threads.map(({ blocks }) => blocks)).toEqual([[`<!${fileID}|>`]])
  const headers = { authorization: `Bearer ${service.apiKey}`, 'content-type': 'multipart/form-data; boundary=b' }
  const empty = await service.fetch(`${service.baseUrl}/api/public/upload`, { method: 'POST', headers })
  expect([empty.status, service.files.length]).toEqual([400, 1])
  const page = await service.fetch(threadURL)
  expect([page.status, JSON.parse(await page.text()).error]).toMatchObject([
    404,
    { code: 'not_found', message: 'This service has endpoints only: pages and files need a server.' },
  ])
})

test('a request whose response is lost was carried out; a lost request was not', async () => {
  const service = createTestService({ channels: ['c'] })
  const post = (): Promise<Reply> => call(service, 'postThread', { channel: 'c', blocks: ['x'] })
  service.lose(1)
  await expect(post()).rejects.toThrow('fetch failed')
  expect(service.threads).toHaveLength(1)
  service.lose(1, { of: 'request', after: 1 })
  expect((await post()).status).toBe(200)
  await expect(post()).rejects.toMatchObject({ cause: { code: 'ECONNRESET' } })
  expect(service.threads).toHaveLength(2)
  expect(service.requests.map(({ endpoint, status }) => [endpoint, status])).toEqual([
    ['postThread', 'lost'],
    ['postThread', 200],
    ['postThread', 'lost'],
  ])
})

test('a failure looks like one of the service or of a proxy; faults come in the order of the calls', async () => {
  const service = createTestService()
  service.fail(429)
  service.fail('not_owner')
  service.fail(502, 1, { retryAfter: 7 })
  service.lose()
  service.fail(503, 5)
  const limited = await call(service, 'ping')
  expect([limited.status, limited.body.error.code, limited.headers.get('retry-after')]).toEqual([
    429,
    'rate_limited',
    '1',
  ])
  expect(limited.headers.get('x-request-id')).toBe(limited.body.error.requestID)
  expect((await call(service, 'ping')).body.error.code).toBe('not_owner')
  const gateway = await call(service, 'ping')
  expect([gateway.status, gateway.headers.get('content-type'), gateway.headers.get('retry-after')]).toEqual([
    502,
    'text/html',
    '7',
  ])
  await expect(call(service, 'ping')).rejects.toThrow('fetch failed')
  expect((await call(service, 'ping')).status).toBe(503)
  service.recover()
  expect((await call(service, 'ping')).status).toBe(200)
  expect(() => service.fail(200)).toThrow(TypeError)
  expect(() => service.lose(-1)).toThrow(TypeError)
})

test('a fault can be for one endpoint, and leaves the others alone', async () => {
  const service = createTestService({ channels: ['c'] })
  service.lose(1, { endpoint: 'postThread', after: 1 })
  service.fail(429, { endpoint: 'users', times: 2 })
  service.fail(503, 1, { retryAfter: 7 })
  const post = (): Promise<Reply> => call(service, 'postThread', { channel: 'c', blocks: ['x'] })
  // A fault for any request applies to the first request whose endpoint has no fault of its own.
  expect((await call(service, 'users')).status).toBe(429)
  expect((await call(service, 'ping')).headers.get('retry-after')).toBe('7')
  expect((await call(service, 'ping')).status).toBe(200)
  expect((await post()).status).toBe(200)
  await expect(post()).rejects.toThrow('fetch failed')
  expect((await post()).status).toBe(200)
  expect((await call(service, 'users')).status).toBe(429)
  expect((await call(service, 'users')).status).toBe(200)
})

test.each<[string, (service: TestService) => void, string | RegExp]>([
  [
    'another field',
    ({ lose }) => lose(1, { method: 'postThread' } as never),
    'lose: "method" is not known: expected endpoint, after, of',
  ],
  [
    'a field with a typing error',
    ({ lose }) => lose(1, { off: 'request' } as never),
    'lose: "off" is not known: expected endpoint, after, of',
  ],
  [
    'a field of `lose`',
    ({ fail }) => fail(503, { of: 'request' } as never),
    'fail: "of" is not known: expected endpoint, after, times, retryAfter',
  ],
  ['`time`', ({ fail }) => fail(503, { time: 2 } as never), /^fail: "time" is not known/],
  ['`time` after a number', ({ fail }) => fail(503, 2, { time: 2 } as never), /^fail: "time" is not known/],
  [
    'an endpoint',
    ({ delay }) => Reflect.apply(delay, null, [10, { endpoint: 'ping' }]),
    'delay: takes only milliseconds: it delays the responses of all endpoints',
  ],
  ['a name', ({ lose }) => lose(1, 'postThread' as never), 'lose: options: expected an object, received "postThread"'],
  ['null', ({ fail }) => fail(503, null as never), 'fail: options: expected an object, received null'],
  [
    'another part',
    ({ lose }) => lose(1, { of: 'requests' as never }),
    `lose: of: expected 'response' or 'request', received "requests"`,
  ],
  [
    'a number as a string',
    ({ lose }) => lose('1' as never),
    'lose: times: expected a number of requests, received "1"',
  ],
  [
    'a number as a string',
    ({ fail }) => fail(503, '2' as never),
    'fail: times: expected a number of requests, received "2"',
  ],
  [
    'a part of a request',
    ({ fail }) => fail(503, { after: 0.5 }),
    'fail: after: expected a number of requests, received 0.5',
  ],
  [
    'another time',
    ({ fail }) => fail(503, { retryAfter: 0.5 }),
    'fail: retryAfter: expected a whole number of seconds, received 0.5',
  ],
  ['another code', ({ fail }) => fail('not_there' as never), /^fail: expected a status .*, received "not_there"$/],
  [
    'another endpoint',
    ({ lose }) => lose(1, { endpoint: 'postThreads' as never }),
    /^lose: endpoint: expected one of channels, .*, postThread, .*, received "postThreads"$/,
  ],
  [
    'an empty endpoint',
    ({ fail }) => fail(503, { endpoint: '' as never }),
    /^fail: endpoint: expected one of .*, received ""$/,
  ],
])('a fault with %s throws, and is not planned', async (_, plan, message) => {
  const service = createTestService({ channels: ['c'] })
  expect(() => plan(service)).toThrow(message)
  expect((await call(service, 'ping')).status).toBe(200)
})

test('a delayed response is of finished work; a call that is given up ends at once', async () => {
  const service = createTestService({ channels: ['c'] })
  service.delay(10_000)
  const giveUp = new AbortController()
  const waiting = call(service, 'postThread', { channel: 'c', blocks: ['x'] }, { signal: giveUp.signal })
  await expect.poll(() => service.threads).toHaveLength(1)
  giveUp.abort(new Error('enough'))
  await expect(waiting).rejects.toThrow('enough')
  service.delay(30)
  const started = performance.now()
  await call(service, 'ping')
  expect(performance.now() - started).toBeGreaterThan(25)
  for (const wrong of [-1, Number.NaN]) expect(() => service.delay(wrong)).toThrow(TypeError)
})

test('the clock decides the time of posts, and the end of limits and idempotency keys', async () => {
  const service = createTestService({ channels: ['c'], rateLimit: 1 })
  service.clock.set('2026-01-01T00:00:00Z')
  const key = { headers: { 'idempotency-key': 'k' } }
  const post = (): Promise<Reply> => call(service, 'postThread', { channel: 'c', blocks: ['x'] }, key)
  const first = await post()
  expect(first.headers.get('date')).toBe('Thu, 01 Jan 2026 00:00:00 GMT')
  expect(service.threads[0]?.createdAt).toEqual(new Date('2026-01-01T00:00:00Z'))
  expect((await post()).body).toEqual(first.body)
  expect((await post()).status).toBe(429)
  service.clock.advance(24 * 60 * 60 * 1000)
  expect((await post()).body.result.threadID).not.toBe(first.body.result.threadID)
})

test('the clock rejects an invalid time', () => {
  const { clock } = createTestService()
  clock.set('2026-01-01T00:00:00Z')
  for (const wrong of [-1, Number.NaN, Number.POSITIVE_INFINITY]) expect(() => clock.advance(wrong)).toThrow(TypeError)
  expect(() => clock.set('tomorrow')).toThrow('set: expected a time, received tomorrow')
  expect(clock.now).toEqual(new Date('2026-01-01T00:00:00Z'))
})

describe('a client with its fetch waits by its clock', () => {
  const clientOf = ({ baseUrl, apiKey, fetch }: TestService): Client => createClient({ baseUrl, apiKey, fetch })

  test('at once, until the test takes it', async () => {
    const service = createTestService({ channels: ['c'], rateLimit: 10 })
    const bot = clientOf(service)
    const started = performance.now()
    const before = service.clock.now.getTime()
    service.fail(429, 1, { retryAfter: 20 })
    service.lose(4)
    await Promise.all(Array.from({ length: 30 }, (_, index) => bot.postThread({ channel: 'c', blocks: [`${index}`] })))
    expect(service.threads).toHaveLength(30)
    // By the service's clock, the waits took more than the 20 s of Retry-After.
    expect(service.clock.now.getTime() - before).toBeGreaterThan(20_000)
    expect(performance.now() - started).toBeLessThan(15_000)
    service.fail(503, 1, { retryAfter: 31 })
    await expect(bot.ping()).rejects.toMatchObject({ code: 'storage_unavailable' })
  })

  test('before it tries again', async () => {
    {
      const service = createTestService({ channels: ['c'] })
      service.clock.set('2026-01-01T00:00:00Z')
      service.fail(429, 1, { retryAfter: 20 })
      const posting = clientOf(service).postThread({ channel: 'c', blocks: ['x'] })
      // After 20 iterations of the event loop, the client has done all that it can do without its clock.
      const turns = async (): Promise<void> => {
        for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve))
      }
      await expect.poll(() => service.requests).toHaveLength(1)
      await turns()
      service.clock.advance(19_000)
      await turns()
      expect(service.requests.map(({ status }) => status)).toEqual([429])
      service.clock.advance(2_000)
      await posting
      expect(service.requests.map(({ status }) => status)).toEqual([429, 200])
    }
  })

  test('for a limit to end', async () => {
    const service = createTestService({ channels: ['c'], rateLimit: 1 })
    service.clock.set('2026-01-01T00:00:00Z')
    const bot = clientOf(service)
    const posting = Promise.all(['a', 'b', 'c'].map((block) => bot.postThread({ channel: 'c', blocks: [block] })))
    let isDone = false
    void posting.then(() => {
      isDone = true
    })
    while (!isDone) {
      service.clock.advance(1_000)
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
    expect(service.threads).toHaveLength(3)
  })

  test('until the call is given up', async () => {
    const service = createTestService({ channels: ['c'] })
    service.clock.set('2026-01-01T00:00:00Z')
    service.fail(503, 1, { retryAfter: 20 })
    const giveUp = new AbortController()
    const posting = clientOf(service).postThread({ channel: 'c', blocks: ['x'] }, { signal: giveUp.signal })
    await expect.poll(() => service.requests).toHaveLength(1)
    giveUp.abort(new Error('enough'))
    await expect(posting).rejects.toThrow('enough')
    service.clock.advance(200_000)
    expect(service.requests).toHaveLength(1)
  })

  test('unless it was given up before', async () => {
    const { baseUrl, apiKey, fetch, fail } = createTestService()
    fail(429)
    const giveUp = new AbortController()
    const bot = createClient({ baseUrl, apiKey, fetch, onLimit: () => giveUp.abort(new Error('enough')) })
    await expect(bot.ping({ signal: giveUp.signal })).rejects.toThrow('enough')
  })
})

test('a service responds to its own URL only, and shares nothing with another one', async () => {
  const [one, other] = [createTestService({ channels: ['c'] }), createTestService({ channels: ['c'] })]
  await expect(one.fetch('https://elsewhere.test/')).rejects.toMatchObject({
    cause: { message: /responds to no other URL/ },
  })
  await call(one, 'postThread', { channel: 'c', blocks: ['x'] })
  expect(other.threads).toEqual([])
  const headers = { authorization: `Bearer ${one.apiKey}` }
  expect((await other.fetch(`${other.baseUrl}/api/public/ping`, { headers })).status).toBe(401)
  const second = one.addBot('Second')
  expect(
    (await one.fetch(`${one.baseUrl}/api/public/ping`, { headers: { authorization: `Bearer ${second}` } })).status,
  ).toBe(200)
})

test('a hundred requests at once make a hundred threads, and one key makes one', async () => {
  const service = createTestService({ channels: ['c'] })
  const post = (key: string): Promise<Reply> =>
    call(service, 'postThread', { channel: 'c', blocks: ['x'] }, { headers: { 'idempotency-key': key } })
  await Promise.all(Array.from({ length: 100 }, (_, index) => post(String(index))))
  expect(new Set(service.threads.map(({ threadID }) => threadID)).size).toBe(100)
  const codes = (await Promise.all(Array.from({ length: 9 }, () => post('same')))).map(
    (reply) => reply.body.error?.code,
  )
  expect(service.threads).toHaveLength(101)
  expect(new Set(codes)).toEqual(new Set([undefined, 'idempotency_in_progress']))
})

test('the beginnings of images and videos are known as the library of the server knows them', async () => {
  const box = (brand: string): Buffer =>
    Buffer.from(`\0\0\0\x18ftyp${brand}\0\0\0\0${brand}isom${'\0'.repeat(40)}`, 'latin1')
  const heads = [
    Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    ),
    Buffer.from('\xff\xd8\xff\xe0\0\x10JFIF', 'latin1'),
    Buffer.from('GIF89a\x01\0\x01\0', 'latin1'),
    Buffer.from('RIFF\x24\0\0\0WEBPVP8 ', 'latin1'),
    Buffer.from('RIFF\x24\0\0\0AVI LIST', 'latin1'),
    Buffer.from('BM\x46\0\0\0\0\0', 'latin1'),
    Buffer.from('\0\0\x01\0\x01\0\x10\x10', 'latin1'),
    Buffer.from('\x1a\x45\xdf\xa3\x93\x42\x82\x84webm\x42\x87\x81\x02', 'latin1'),
    Buffer.from('FLV\x01\x05\0\0\0\x09', 'latin1'),
    ...['mp42', 'isom', 'qt  ', 'M4V ', 'avif', 'heic', 'mif1', '3gp5', 'M4A '].map(box),
    Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.alloc(60)]),
    Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 3, 0]),
  ]
  const taken = (type: string | undefined): string | undefined =>
    /^(image|video)\//.test(type ?? '') ? type : undefined
  for (const head of heads) {
    expect([head.toString('latin1'), taken(mediaTypeOfHead(head))]).toEqual([
      head.toString('latin1'),
      taken((await fileTypeFromBuffer(head))?.mime),
    ])
  }
})

test('nothing but Node and the core is loaded', async () => {
  const { metafile } = await build({
    ...{ entryPoints: ['src/testing/index.ts'], bundle: true, format: 'esm', platform: 'node', packages: 'external' },
    ...{ write: false, outdir: 'out', splitting: true, metafile: true, logLevel: 'error' },
  })
  const outputs = Object.values(metafile.outputs).flatMap((output) => output.imports)
  const loaded = outputs.filter(({ kind, path }) => kind === 'import-statement' && !/^(node:|out\/)/.test(path))
  expect(loaded).toEqual([])
})
