/** The types of the client and of the service in a test. */

import { EnvHttpProxyAgent, fetch as undiciFetch } from 'undici'
import { expectTypeOf } from 'vitest'
import {
  BlockmarkApiError,
  type BodyOf,
  type Channel,
  type Client,
  type ClientErrorCode,
  createClient,
  type EndpointName,
  type ResultOf,
  SendError,
  type Streamed,
  type User,
} from '../../src/api/client/index.js'
import { createMarkdownStream } from '../../src/convert/index.js'
import { root, type Source } from '../../src/index.js'
import { createTestService } from '../../src/testing/index.js'

const service = createTestService({ users: ['Ann', { name: 'Bob', userID: '7' }], channels: ['a', { name: 'b' }] })
const bot = createClient({ baseUrl: service.baseUrl, apiKey: service.apiKey, fetch: service.fetch })

// Every endpoint of the contract is a method, whose result is the contract's.
expectTypeOf<keyof Client>().toEqualTypeOf<EndpointName | 'sendAll' | 'sendStream'>()
expectTypeOf<{ [Name in EndpointName]: Awaited<ReturnType<Client[Name]>> }>().toEqualTypeOf<{
  [Name in EndpointName]: ResultOf<Name>
}>()

expectTypeOf(bot.channels()).resolves.toEqualTypeOf<Channel[]>()
expectTypeOf(bot.users({ idempotencyKey: '7' })).resolves.toEqualTypeOf<User[]>()
expectTypeOf(bot.deleteChat({ chatID: '1' })).resolves.toEqualTypeOf<undefined>()

// The options of every call are the same.
const { signal } = new AbortController()
for (const read of [bot.channels, bot.users, bot.ping]) void read({ idempotencyKey: 'k', signal })

const source: Source = root()
void bot.postThread({ channel: 'a', blocks: source })
void bot.postComment({ threadID: '1', blocks: ['a', root()] }, { signal: AbortSignal.timeout(7), idempotencyKey: 'k' })
void bot.postChatMessage({ chatID: '1', body: 'text' })
void bot.upload('a/path', { name: 'x' })
void bot.upload({ data: new Blob([]) })

// Any implementation of fetch fits: the platform's, undici's, one with a proxy, one with a log.
const dispatcher = new EnvHttpProxyAgent()
for (const fetch of [globalThis.fetch, undiciFetch]) createClient({ baseUrl: 'https://a.b', apiKey: 'k', fetch })
createClient({ baseUrl: 'https://a.b', apiKey: 'k', fetch: (url, init) => undiciFetch(url, { ...init, dispatcher }) })
createClient({
  baseUrl: 'https://a.b',
  apiKey: 'k',
  fetch: async (url, init) => {
    const response = await fetch(url, init)
    expectTypeOf(init.method).toEqualTypeOf<'GET' | 'POST'>()
    return response
  },
})

const model = new ReadableStream<string>()
const key = { idempotencyKey: '1' }
const onMessage = (posted: ResultOf<'postComment'>): string => posted.commentURL
expectTypeOf(
  bot.sendStream({ threadID: '1', source: model, reader: () => createMarkdownStream(), onMessage }, key),
).resolves.toEqualTypeOf<Streamed<ResultOf<'postComment'>>>()
expectTypeOf(bot.sendStream({ chat: 'c', source: model }, key)).resolves.toEqualTypeOf<
  Streamed<ResultOf<'postChatMessage'>>
>()
expectTypeOf(bot.sendAll({ chat: 'c', source }, key)).resolves.toEqualTypeOf<ResultOf<'postChatMessage'>[]>()
expectTypeOf(bot.sendAll({ threadID: '1', source }, { ...key, signal: AbortSignal.timeout(7) })).resolves.toEqualTypeOf<
  ResultOf<'postComment'>[]
>()

// @ts-expect-error a message goes to a chat or to a thread
void bot.sendAll({ chat: 'c', threadID: '1', source }, key)
// @ts-expect-error sendAll needs an idempotencyKey
void bot.sendAll({ chat: 'c', source })
// A result is a body of the method that deletes it.
const posted: ResultOf<'postChatMessage'> = await bot.postChatMessage({ chat: 'c', body: 'text' })
void bot.deleteChatMessage(posted)
void bot.deleteThread(await bot.postThread({ channelID: '1', blocks: 'text' }))
expectTypeOf<BodyOf<'postComment'>>().toHaveProperty('blocks').toEqualTypeOf<Source>()

// @ts-expect-error a thread has a channel
void bot.postThread({ blocks: 'text' })
// @ts-expect-error a message has a chat
void bot.postChatMessage({ body: 'text' })
// @ts-expect-error a thread has blocks
void bot.postThread({ channel: 'a' })
// @ts-expect-error a number is not a source
void bot.postThread({ channel: 'a', blocks: 7 })
// @ts-expect-error the field does not exist
void bot.createChannel({ name: 'a', color: 'red' })
// @ts-expect-error an address is needed
createClient({ apiKey: 'k' })

declare const error: unknown
if (error instanceof BlockmarkApiError) expectTypeOf(error.code).toEqualTypeOf<ClientErrorCode>()
if (error instanceof SendError) expectTypeOf(error.idempotencyKey).toEqualTypeOf<string>()

service.lose(1, { of: 'request', after: 2 })
service.lose(1, { endpoint: 'postThread' })
service.fail('name_taken')
service.fail(429, { endpoint: 'upload', times: 2 })
service.fail(503, 2, { retryAfter: 7 })
// @ts-expect-error no code of the service
service.fail('no_such_code')
