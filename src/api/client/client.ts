/** The service's client: one method for each endpoint, typed by the contract. */

import type { EndpointName, ResultOf } from '../contract/types.js'
import { type Content, type Line, perform } from './call.js'
import type { Delivered, Sender } from './delivery.js'
import { inField, shown } from './errors.js'
import { createGate } from './limits.js'
import { blocksFor, bodyFor } from './message.js'
import type { Client } from './methods.js'
import type { CallOptions, ClientOptions, PostOptions, SendOptions } from './options.js'
import { type ChatDelivery, sendAll, type ThreadDelivery } from './send-all.js'
import { type ChatStream, sendStream, type ThreadStream } from './send-stream.js'
import { contentOf, type UploadSource } from './upload.js'
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
    given: PostOptions,
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
    async (body: Body, given?: PostOptions) =>
      call(endpoint, json(written(objectOf(endpoint, body))), checkedOptions(endpoint, given))
  const sender: Sender = {
    started: new Map(),
    clockAhead: () => line.clockAhead,
    post: (body, endpoint, { startedAt: _, ...given }) => call(endpoint, json(body), given),
    async time(signal) {
      await call('ping', null, signal === undefined ? {} : { signal })
      return new Date(Date.now() + line.clockAhead)
    },
  }
  return {
    channels: list('channels'),
    createChannel: post('createChannel'),
    addChannelMembers: post('addChannelMembers'),
    deleteChannel: post('deleteChannel'),
    postThread: post('postThread', ({ blocks, ...body }) => ({
      ...body,
      blocks: inField('postThread', 'blocks', () => blocksFor(blocks)),
    })),
    deleteThread: post('deleteThread'),
    postComment: post('postComment', ({ blocks, ...body }) => ({
      ...body,
      blocks: inField('postComment', 'blocks', () => blocksFor(blocks)),
    })),
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
      const { name, onProgress, ...others } = objectOf('upload: options', given)
      return call('upload', await contentOf(sourceOf(file), name, onProgress), checkedOptions('upload', others))
    },
    // The parts of a message are all of one kind, which the overload names.
    sendAll: async (message: ChatDelivery | ThreadDelivery, given: SendOptions): Promise<Delivered[] & never[]> =>
      (await sendAll(sender, objectOf('sendAll', message), sendOptions('sendAll', given))) as Delivered[] & never[],
    sendStream: async (message: ChatStream | ThreadStream, given: SendOptions): Promise<Delivered[] & never[]> =>
      (await sendStream(sender, objectOf('sendStream', message), sendOptions('sendStream', given))) as Delivered[] &
        never[],
  }
}

const MILLISECONDS = 30_000

function lineOf(options: ClientOptions): Line {
  const {
    baseUrl,
    apiKey,
    retryFor = MILLISECONDS,
    timeout = MILLISECONDS,
    onLimit,
  } = objectOf('createClient', options)
  const url = String(baseUrl)
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) {
    throw new TypeError(
      `createClient: baseUrl: expected a URL such as https://messages.example.com, received ${shown(baseUrl)}`,
    )
  }
  // An error of `fetch` about a header would repeat the API key.
  if (typeof apiKey !== 'string' || !/^[!-~]+$/.test(apiKey)) {
    const received = typeof apiKey === 'string' ? 'another string' : shown(apiKey)
    throw new TypeError(`createClient: apiKey: expected a key without white space, received ${received}`)
  }
  if (typeof retryFor !== 'number' || !(retryFor >= 0)) throw noMilliseconds('createClient', 'retryFor', retryFor)
  checkTimeout('createClient', timeout)
  const clock = clockOf(options.fetch)
  return {
    ...{ baseUrl: url.replace(/[?#].*$/, '').replace(/\/+$/, ''), apiKey, retryFor, timeout, clock, clockAhead: 0 },
    // Browsers throw if their fetch is called as a method of another object.
    fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
    gates: { upload: createGate(onLimit, clock), other: createGate(onLimit, clock) },
  }
}

function noMilliseconds(method: string, field: string, received: unknown): TypeError {
  return new TypeError(`${method}: ${field}: expected milliseconds, received ${shown(received)}`)
}

function checkTimeout(method: string, timeout: unknown): void {
  if (typeof timeout !== 'number' || !(timeout > 0)) throw noMilliseconds(method, 'timeout', timeout)
}

function checkedOptions(method: string, given: PostOptions = {}): PostOptions {
  const { idempotencyKey } = sharedOptions(method, given)
  if (idempotencyKey === undefined || (typeof idempotencyKey === 'string' && /^[ -~]{1,255}$/.test(idempotencyKey))) {
    return given
  }
  throw new TypeError(
    `${method}: idempotencyKey: expected 1 to 255 characters of ASCII, received ${shown(idempotencyKey)}`,
  )
}

function sendOptions(method: string, given: SendOptions): SendOptions {
  const { startedAt } = sharedOptions(method, given)
  if (startedAt === undefined || Number.isFinite(startedAt?.getTime?.())) return given
  throw new TypeError(`${method}: startedAt: expected a date, received ${shown(startedAt)}`)
}

function sharedOptions<Options extends CallOptions>(method: string, given: Options): Options {
  const { signal, timeout } = objectOf(`${method}: options`, given)
  if (timeout !== undefined) checkTimeout(method, timeout)
  if (signal !== undefined && typeof signal?.throwIfAborted !== 'function') {
    throw new TypeError(`${method}: signal: expected an AbortSignal, received ${shown(signal)}`)
  }
  return given
}

function objectOf<Given extends object>(name: string, given: Given): Given {
  if (typeof given === 'object' && given !== null) return given
  throw new TypeError(`${name}: expected an object, received ${shown(given)}`)
}

/** Writes the body once: the service recognizes a repeated request by its bytes. */
function json(body: object): Content {
  const text = JSON.stringify(body)
  return { type: 'application/json', open: () => text }
}

function sourceOf(file: UploadSource | { data: UploadSource }): UploadSource {
  return typeof file === 'object' && file !== null && 'data' in file && !(file instanceof Blob) ? file.data : file
}
