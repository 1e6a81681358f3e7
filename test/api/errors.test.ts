/**
 * Errors of the service: their statuses, their order, and the details that they never contain. `../messages.test.ts` has
 * the sentence of each problem of a body.
 */

import { beforeAll, describe, expect, test } from 'vitest'
import { endpointNames, endpoints, methodsOf, pathsOf } from '../../src/api/contract/endpoints.js'
import { statuses } from '../../src/api/contract/errors.js'
import { createMemoryStore } from '../../src/api/store/memory.js'
import { StoreError } from '../../src/api/store/store.js'
import type { Database } from '../../src/server/store/database.js'
import { createPostgresStore } from '../../src/server/store/index.js'
import { type Bot, createMemoryWorld, furnish, onEveryBackend, onEveryDatabase, type Reply } from './support/world.js'

const outcome = ({ status, body }: Reply): unknown[] => [status, body.error?.code, body.error?.message]

/** A rejected request, with its code and sentence. */
type Rejected = readonly [endpoint: string, code: keyof typeof statuses, sentence: string, body: unknown]

const noObject = 'The body must be a JSON object: { … }.'
const noJson = 'The body must be JSON in UTF-8.'
const noLimit = '`limit` must be a number from 1 to 1,000.'
const noCursor = '`cursor` must be the `nextCursor` of the previous page.'
const strangers = 'Some of these people are not in the organization: see details.'
const tooLong = '`name` is too long: 81 characters, at most 80 are allowed.'
const blank = { channel: 'c', blocks: ['x', ' \n'] }
const ambiguous = 'Several chats have this name: send `chatID` instead.'
const limits = ['0', '1001', '10000', '1x', '', '0x10', '1e2', '%2B5', '-1', '5.0', '%D9%A5']
const cursors = ['1x', 'x1', '12345678901234567', '-1'].map((id) => Buffer.from(id).toString('base64url'))

const rejected: readonly Rejected[] = [
  ...['null', '"x"', '7', 'true', '[]'].map((body) => ['createChat', 'invalid_request', noObject, body] as const),
  ...['', '{', '{"a":1,}', '{"a":"\\'].map((body) => ['createChat', 'invalid_json', noJson, body] as const),
  ['createChat', 'invalid_json', noJson, ']'.repeat(100_000)],
  ...limits.map((limit) => [`channels?limit=${limit}`, 'invalid_request', noLimit, {}] as const),
  ...cursors.map((cursor) => [`users?cursor=${cursor}`, 'invalid_request', noCursor, {}] as const),
  ['createChannel', 'name_taken', '`name` is taken: choose another one.', { name: 'C' }],
  ['createChannel', 'user_not_found', strangers, { name: 'd', userIDs: ['1'] }],
  ['postChatMessage', 'ambiguous_name', ambiguous, { chat: 'twice', body: 'x' }],
  ['postThread', 'validation_failed', '`channelID` is missing: send it, or `channel`.', { blocks: ['x'] }],
  ['postThread', 'validation_failed', '`blocks[1]` is blank: leave it out or write something.', blank],
  ['createChat', 'validation_failed', tooLong, { name: 'x'.repeat(81) }],
  ['upload', 'unsupported_media_type', 'Send the file as multipart/form-data, in a part named `data`.', {}],
  ['nothing', 'not_found', 'This endpoint does not exist: /openapi.json lists all endpoints.', {}],
]

onEveryBackend((world) => {
  let bot: Bot
  let other: Bot

  beforeAll(async () => {
    const here = await world()
    bot = await here.bot('First')
    other = await here.bot('Second')
    await bot.make('createChannel', { name: 'c' })
    for (const name of ['c', 'twice', 'twice']) await bot.make('createChat', { name })
  })

  test.each(rejected)('%s is %s: %s', async (endpoint, code, sentence, body) => {
    const reply = await bot.call(endpoint, body)
    expect(outcome(reply)).toEqual([statuses[code], code, sentence])
    const { requestID, details = [], ...error } = reply.body.error ?? {}
    expect([Object.keys(reply.body), Object.keys(error)]).toEqual([
      ['ok', 'error'],
      ['code', 'message'],
    ])
    expect(requestID).toBe(reply.headers.get('x-request-id'))
    for (const { path, code: kind, message, ...limits } of details) {
      expect([kind, message]).toEqual([expect.any(String), expect.stringMatching(`^\`${path[0]}[^\\n]*\\.$`)])
      expect(['', 'limit,actual']).toContain(Object.keys(limits).join())
    }
  })

  test('all problems of a body are reported at once', async () => {
    const wrong = { name: '', description: '\ud800', privacy: 'secret', userIDs: 'x', emails: [true] }
    const { status, body } = await bot.call('createChannel', wrong)
    expect([status, body.error?.message]).toEqual([422, 'The request has 5 problems: see details.'])
    expect(body.error?.details?.map(({ path }) => path.join('/'))).toEqual([
      ...['name', 'description', 'privacy', 'userIDs', 'emails/0'],
    ])
  })

  const noKey = 'An Idempotency-Key has 1 to 255 characters.'
  test.each([
    ['content-type', 'text/json', 'unsupported_media_type', 'Send the body as application/json.'],
    ['content-encoding', 'gzip', 'unsupported_media_type', 'Send the body as it is, without a Content-Encoding.'],
    ['idempotency-key', '', 'invalid_request', noKey],
    ['idempotency-key', 'k'.repeat(256), 'invalid_request', noKey],
  ] as const)('a header %s: %s is %s', async (name, value, code, sentence) => {
    const reply = await bot.call('createChat', { name: 'd' }, { [name]: value })
    expect(outcome(reply)).toEqual([statuses[code], code, sentence])
  })

  test('a body that breaks off is not an error of the service', async () => {
    const broken = new ReadableStream({ pull: (controller) => controller.error(new Error('the connection is gone')) })
    const reply = await bot.send('createChat', { body: broken })
    expect(outcome(reply)).toEqual([400, 'invalid_request', 'The body is incomplete: send it again.'])
  })

  test('two targets that do not match are rejected', async () => {
    const { channelID } = await bot.make('createChannel', { name: 'deploys' })
    const { chatID } = await bot.make('createChat', { name: 'deploys' })
    expect([
      outcome(await bot.call('postThread', { channelID, channel: 'c', blocks: ['x'] })),
      outcome(await bot.call('postChatMessage', { chatID, chat: 'c', body: 'x' })),
    ]).toEqual([
      [422, 'target_mismatch', '`channel` and `channelID` name different things: send one of them.'],
      [422, 'target_mismatch', '`chat` and `chatID` name different things: send one of them.'],
    ])
  })

  test('an object that is absent, invisible or of another organization is reported by its field, with one sentence', async () => {
    const stranger = await (await world()).bot('First')
    const { channelID } = await bot.make('createChannel', { name: 'private', privacy: 'private' })
    const { threadID } = await bot.make('postThread', { channelID, blocks: ['x'] })
    const { commentID } = await bot.make('postComment', { threadID, blocks: ['x'] })
    const { chatID } = await bot.make('createChat', { name: 'talk' })
    const { chatMessageID } = await bot.make('postChatMessage', { chatID, body: 'x' })
    for (const [endpoint, field, id, more] of [
      ['deleteChannel', 'channelID', channelID, {}],
      ['postThread', 'channel', 'private', { blocks: ['x'] }],
      ['deleteThread', 'threadID', threadID, {}],
      ['postComment', 'threadID', threadID, { blocks: ['x'] }],
      ['deleteComment', 'commentID', commentID, {}],
      ['deleteChat', 'chatID', chatID, {}],
      ['postChatMessage', 'chat', 'talk', { body: 'x' }],
      ['deleteChatMessage', 'messageID', chatMessageID, {}],
    ] as const) {
      const replies = [
        ...[
          await other.call(endpoint, { ...more, [field]: id }),
          await stranger.call(endpoint, { ...more, [field]: id }),
        ],
        ...[
          await bot.call(endpoint, { ...more, [field]: '1' }),
          await bot.call(endpoint, { ...more, [field]: 'no id' }),
        ],
      ]
      const sentence = `\`${field}\` is not known: it does not exist, or this bot cannot see it.`
      for (const reply of replies) expect(outcome(reply)).toEqual([404, 'not_found', sentence])
      expect(new Set(replies.map(({ body }) => body.error?.message)).size).toBe(1)
    }
  })

  test('of several deletions at once, one succeeds and the others find nothing', async () => {
    const own = await (await world()).bot('First')
    const { commentID, threadID, channelID, chatMessageID: messageID, chatID } = await furnish(own)
    for (const [endpoint, body] of [
      ['deleteComment', { commentID }],
      ['deleteThread', { threadID }],
      ['deleteChannel', { channelID }],
      ['deleteChatMessage', { messageID }],
      ['deleteChat', { chatID }],
    ] as const) {
      const replies = await Promise.all([1, 2, 3].map(() => own.call(endpoint, body)))
      expect([endpoint, ...replies.map(({ status }) => status).toSorted()]).toEqual([endpoint, 200, 404, 404])
    }
  })

  test('every endpoint, in every spelling, accepts only its methods, and names them', async () => {
    for (const name of endpointNames) {
      for (const path of pathsOf(name)) {
        for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS']) {
          const allowed: readonly string[] = methodsOf(name)
          if (allowed.includes(method)) continue
          const { status, headers } = await bot.send(path.replace('/api/public/', ''), { method })
          expect([path, method, status, headers.get('allow')]).toEqual([path, method, 405, allowed.join(', ')])
        }
      }
    }
    const reply = await bot.send('ping', { method: 'PUT' })
    expect(outcome(reply)).toEqual([405, 'method_not_allowed', 'This endpoint accepts GET, HEAD.'])
  })

  test('HEAD has the headers of GET', async () => {
    for (const [path, status] of [
      ['ping', 200],
      ['nothing', 404],
    ] as const) {
      const { headers, ...reply } = await bot.send(path, { method: 'HEAD' })
      expect([reply, headers.get('content-type')]).toEqual([{ status, body: null }, 'application/json'])
    }
  })

  test('the API key is checked before the body', async () => {
    for (const name of endpointNames) {
      const [method = ''] = endpoints[name].methods
      const headers = { authorization: 'Bearer wsk_wrong', 'content-type': 'text/css', 'idempotency-key': '' }
      const { status } = await bot.send(name, { method, headers, body: method === 'POST' ? 'no json' : null })
      expect([name, status]).toEqual([name, 401])
    }
  })

  const challenge = 'Bearer realm="blockmark"'
  test.each([
    ['no header', null, challenge],
    ['another scheme', 'Basic YTpi', challenge],
    ['a scheme that ends as ours', 'xBearer KEY', challenge],
    ['an API key with text after it', 'Bearer KEY x', challenge],
    ['an API key that is not valid', 'Bearer undefined', `${challenge}, error="invalid_token"`],
    ['an unknown API key', 'Bearer KEYx', `${challenge}, error="invalid_token"`],
    ['an API key', 'Bearer KEY', null],
    ['a scheme in lower case', 'bearer KEY', null],
    ['a scheme in capitals, with spaces', 'BEARER   KEY', null],
  ])('%s gets the challenge %j', async (_, given, expected) => {
    const authorization = given?.replace('KEY', bot.key) ?? null
    const reply = await bot.send('ping', { method: 'GET', headers: { authorization } })
    expect(reply.headers.get('www-authenticate')).toBe(expected)
    const message = 'Send a valid API key: Authorization: Bearer <key>.'
    if (expected === null) expect(reply.body.result).toMatchObject({ name: 'First' })
    else expect(outcome(reply)).toEqual([401, 'unauthorized', message])
  })
})

describe('a failure of the storage', () => {
  const retry = 'The storage does not respond in time: try again with the same Idempotency-Key.'
  test.each([
    ['unavailable', 'storage_unavailable', '1', retry],
    ['full', 'storage_full', '60', 'The storage is full, and nothing was kept: try again later.'],
    ['taken', 'name_taken', null, '`name` is taken: choose another one.'],
    ['gone', 'not_found', null, 'The parent object was deleted in the meantime.'],
    [null, 'internal', null, 'The service failed: quote the requestID when you report it.'],
  ] as const)('%j is %s, and its cause is not sent', async (reason, code, wait, message) => {
    const memory = createMemoryStore()
    const cause = reason === null ? new Error('a secret') : new StoreError(reason, new Error('a secret'))
    const here = await createMemoryWorld(memory, { store: { ...memory, write: () => Promise.reject(cause) } })
    const reply = await (await here.bot('First')).call('createChat', { name: 'c' })
    expect([...outcome(reply), reply.headers.get('retry-after')]).toEqual([statuses[code], code, message, wait])
  })
})

onEveryDatabase((world) => {
  test('a service without its storage is healthy, but not ready', async () => {
    const { database } = await world()
    const ready = (): Promise<never> => Promise.reject(new StoreError('unavailable'))
    const { get } = await world({ store: { ...createPostgresStore(database), ready } })
    expect([(await get('/readyz')).status, (await get('/healthz')).status]).toEqual([503, 200])
  })

  test('a database that only reads is not ready', async () => {
    const { database } = await world()
    // A read-only transaction: to the query of `ready`, the database looks like a standby.
    const reading: Database = {
      ...database,
      run: (text, values) =>
        database.transact(async (run) => {
          await run('SET TRANSACTION READ ONLY')
          return run(text, values)
        }),
    }
    await expect(createPostgresStore(database).ready()).resolves.toMatchObject({ isReadOnly: false })
    await expect(createPostgresStore(reading).ready()).rejects.toThrow('unavailable')
  })
})
