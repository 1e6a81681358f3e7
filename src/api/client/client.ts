/** The service's client: one method for each endpoint, typed by the contract. */

import { describe } from '../../describe.js'
import type { Source } from '../../index.js'
import type { EndpointName, ResultOf } from '../contract/types.js'
import { type Content, type Line, perform } from './call.js'
import { check, checkFunction, inField } from './errors.js'
import { createGate } from './limits.js'
import { blocksFor, bodyFor } from './message.js'
import type { Client } from './methods.js'
import type { CallOptions, ClientOptions, SendOptions } from './options.js'
import { type Delivered, type Sender, sendAll, sendStream } from './send.js'
import { contentOf } from './upload.js'
import { clockOf } from './waiting.js'

/**
 * Creates a client. It runs wherever `fetch` does, and posts nothing twice.
 *
 * @param options - the service's URL and the bot's API key
 * @returns the client
 * @throws {TypeError} if an option is not valid
 * @example
 * import { createTestService } from 'blockmark/testing'
 * const service = createTestService({ channels: ['deploys'] })
 * const bot = createClient({ baseUrl: service.baseUrl, apiKey: service.apiKey, fetch: service.fetch })
 * service.lose(1)
 * await bot.postThread({ channel: 'deploys', blocks: '**v7** is out' })
 * service.threads.map((thread) => thread.text) // => ['v7 is out']
 */
export function createClient(options: ClientOptions): Client {
  const line = lineOf(options)
  const call = async <Name extends EndpointName>(
    endpoint: Name,
    content: Content | null,
    given: CallOptions,
  ): Promise<ResultOf<Name>> => {
    // The response was checked against the result's schema.
    return (await perform(line, { ...given, endpoint, content })) as ResultOf<Name>
  }
  const list =
    <Name extends 'channels' | 'users' | 'ping'>(endpoint: Name) =>
    async (given?: CallOptions) =>
      call(endpoint, null, checkedOptions(endpoint, given))
  /** `written` prepares the body. */
  const post =
    <Name extends EndpointName, Body extends object>(
      endpoint: Name,
      written: (body: Body) => object = (body) => body,
    ) =>
    async (body: Body, given?: CallOptions) => {
      checkObject(endpoint, body)
      return call(endpoint, json(endpoint, written(body)), checkedOptions(endpoint, given))
    }
  const sender: Sender = {
    started: new Map(),
    clockAhead: () => line.clockAhead,
    post: (body, endpoint, { startedAt: _, ...given }) => call(endpoint, json(endpoint, body), given),
    async time(signal) {
      await call('ping', null, signal === undefined ? {} : { signal })
      return new Date(Date.now() + line.clockAhead)
    },
  }
  const long =
    <Message>(method: string, send: (sender: Sender, message: Message, options: SendOptions) => Promise<Delivered[]>) =>
    async (message: Message, given: SendOptions) => {
      checkObject(method, message)
      // The parts of a message are all of one kind, which the overload names.
      return (await send(sender, message, sendOptions(method, given))) as Delivered[] & never[]
    }
  return {
    channels: list('channels'),
    createChannel: post('createChannel'),
    addChannelMembers: post('addChannelMembers'),
    deleteChannel: post('deleteChannel'),
    postThread: post('postThread', (body) => withBlocks('postThread', body)),
    deleteThread: post('deleteThread'),
    postComment: post('postComment', (body) => withBlocks('postComment', body)),
    deleteComment: post('deleteComment'),
    postChatMessage: post('postChatMessage', ({ body, ...others }) => ({
      ...others,
      body: inField('postChatMessage', 'body', () => bodyFor(body)),
    })),
    deleteChatMessage: post('deleteChatMessage', (body) => ({
      messageID: 'messageID' in body ? body.messageID : body.chatMessageID,
    })),
    createChat: post('createChat'),
    deleteChat: post('deleteChat'),
    users: list('users'),
    ping: list('ping'),
    upload: async (file, given = {}) => {
      const options = checkedOptions('upload', given)
      return call('upload', await contentOf(file, given), options)
    },
    sendAll: long('sendAll', sendAll),
    sendStream: long('sendStream', sendStream),
  }
}

function withBlocks(method: string, { blocks, ...body }: { readonly blocks: Source }): object {
  return { ...body, blocks: inField(method, 'blocks', () => blocksFor(blocks)) }
}

const MILLISECONDS = 30_000

function lineOf(options: ClientOptions): Line {
  checkObject('createClient', options)
  const { baseUrl, apiKey, retryFor = MILLISECONDS, timeout = MILLISECONDS, onLimit } = options
  const { fetch = (input, init) => globalThis.fetch(input, init) } = options // browsers throw if it is called as a method
  const url = String(baseUrl)
  const isUrl = /^https?:\/\/[^/?#@]+(?:[/?#]|$)/i.test(url) && URL.canParse(url)
  check(isUrl, 'createClient: baseUrl', 'a URL such as https://messages.example.com', baseUrl)
  // An error of `fetch` about a header would repeat the API key.
  if (typeof apiKey !== 'string' || !/^[!-~]+$/.test(apiKey)) {
    const received = typeof apiKey === 'string' ? 'another string' : describe(apiKey)
    throw new TypeError(`createClient: apiKey: expected a key without white space, received ${received}`)
  }
  check(typeof retryFor === 'number' && retryFor >= 0, 'createClient: retryFor', 'milliseconds', retryFor)
  checkTimeout('createClient', timeout)
  checkFunction('createClient: fetch', fetch)
  checkFunction('createClient: onLimit', onLimit)
  const clock = clockOf(options.fetch)
  return {
    ...{ baseUrl: url.replace(/[?#].*$/, '').replace(/\/+$/, ''), apiKey, retryFor, timeout, clock, clockAhead: 0 },
    ...{ fetch, gates: { upload: createGate(onLimit, clock), other: createGate(onLimit, clock) } },
  }
}

function checkedOptions(method: string, given: CallOptions = {}): CallOptions {
  const { idempotencyKey } = sharedOptions(method, given)
  const isKey = typeof idempotencyKey === 'string' && /^[ -~]{1,255}$/.test(idempotencyKey)
  const isValid = idempotencyKey === undefined || isKey
  check(isValid, `${method}: idempotencyKey`, '1 to 255 characters of ASCII', idempotencyKey)
  return given
}

function sendOptions(method: string, given: SendOptions): SendOptions {
  const { startedAt } = sharedOptions(method, given)
  const isValid = startedAt === undefined || Number.isFinite(startedAt?.getTime?.())
  check(isValid, `${method}: startedAt`, 'a date', startedAt)
  return given
}

function sharedOptions<Options extends CallOptions>(method: string, given: Options): Options {
  checkObject(`${method}: options`, given)
  const { signal, timeout } = given
  if (timeout !== undefined) checkTimeout(method, timeout)
  const isValid = signal === undefined || typeof signal?.throwIfAborted === 'function'
  check(isValid, `${method}: signal`, 'an AbortSignal', signal)
  return given
}

function checkTimeout(method: string, timeout: unknown): void {
  check(typeof timeout === 'number' && timeout > 0, `${method}: timeout`, 'milliseconds', timeout)
}

function checkObject(where: string, value: unknown): void {
  check(typeof value === 'object' && value !== null, where, 'an object', value)
}

/** Writes the body once: the service recognizes a repeated request by its bytes. */
function json(method: string, body: object): Content {
  const text = inField(method, 'body', () => JSON.stringify(body))
  return { type: 'application/json', open: () => text }
}
