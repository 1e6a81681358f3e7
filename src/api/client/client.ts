/** The service's client: one method for each endpoint, typed by the contract. */

import type { BodyOf, EndpointName, ResultOf } from '../contract/types.js'
import { type Content, type Line, perform } from './call.js'
import { clockOf } from './clock.js'
import type { Delivered, Sender } from './delivery.js'
import { createGate } from './limits.js'
import { blocksFor, bodyFor } from './message.js'
import type { Client } from './methods.js'
import type { CallOptions, ClientOptions, PostOptions } from './options.js'
import { type ChatDelivery, sendAll, type ThreadDelivery } from './send-all.js'
import { type ChatStream, sendStream, type ThreadStream } from './send-stream.js'
import { contentOf, type UploadSource } from './upload.js'

/**
 * Makes a client. It runs wherever `fetch` does, and posts nothing twice.
 *
 * @param options - where the service is, and whose key to send
 * @returns the client
 * @throws {TypeError} where an option is not what it has to be
 * @example
 * import { createTestService } from 'blockmark/testing'
 * const service = createTestService({ channels: ['deploys'] })
 * const bot = createClient({ baseUrl: service.baseUrl, apiKey: service.apiKey, fetch: service.fetch })
 * service.lose(1)
 * await bot.postThread({ channel: 'deploys', blocks: ['**v7** is out'] })
 * service.threads.map((thread) => thread.text) // => ['v7 is out']
 */
export function createClient(options: ClientOptions): Client {
  const line = lineOf(options)
  const call = async <Name extends EndpointName>(
    endpoint: Name,
    content: Content | null,
    given: PostOptions = {},
  ): Promise<ResultOf<Name>> => {
    const result = await perform(line, { ...checkedOptions(given), endpoint, content })
    // The service answers by the contract that declares the type.
    return result as ResultOf<Name>
  }
  const list =
    <Name extends 'channels' | 'users' | 'ping'>(endpoint: Name) =>
    (given?: CallOptions) =>
      call(endpoint, null, given)
  const post =
    <Name extends EndpointName, Body extends object = BodyOf<Name>>(endpoint: Name) =>
    async (body: Body, given?: PostOptions) =>
      call(endpoint, json(endpoint, body), given)
  const sender: Sender = {
    started: new Map(),
    clockAhead: () => line.clockAhead,
    post: (body, endpoint, idempotencyKey, signal) =>
      call(endpoint, json(endpoint, body), { idempotencyKey, ...(signal === undefined ? {} : { signal }) }),
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
    postThread: async (body, given) =>
      post('postThread')({ ...objectOf('postThread', body), blocks: blocksFor(body.blocks) }, given),
    deleteThread: post('deleteThread'),
    postComment: async (body, given) =>
      post('postComment')({ ...objectOf('postComment', body), blocks: blocksFor(body.blocks) }, given),
    deleteComment: post('deleteComment'),
    postChatMessage: async (body, given) =>
      post('postChatMessage')({ ...objectOf('postChatMessage', body), body: bodyFor(body.body) }, given),
    deleteChatMessage: post('deleteChatMessage'),
    createChat: post('createChat'),
    deleteChat: post('deleteChat'),
    users: list('users'),
    ping: list('ping'),
    upload: async (file, given = {}) =>
      call('upload', await contentOf(sourceOf(file), given.name, given.onProgress), given),
    // The parts of a message are all of one kind, which the overload names.
    sendAll: async (message: ChatDelivery | ThreadDelivery): Promise<Delivered[] & never[]> =>
      (await sendAll(sender, objectOf('sendAll', message))) as Delivered[] & never[],
    sendStream: async (message: ChatStream | ThreadStream): Promise<Delivered[] & never[]> =>
      (await sendStream(sender, objectOf('sendStream', message))) as Delivered[] & never[],
  }
}

const RETRIES = 4
const TIMEOUT_MILLISECONDS = 30_000

function lineOf(options: ClientOptions): Line {
  const {
    baseUrl,
    apiKey,
    retries = RETRIES,
    timeout = TIMEOUT_MILLISECONDS,
    onLimit,
  } = objectOf('createClient', options)
  const address = String(baseUrl)
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) {
    throw new TypeError('createClient: baseUrl: expected an address as https://messages.example.com')
  }
  // Said without the key: an error of `fetch` about a header repeats it.
  if (typeof apiKey !== 'string' || !/^[!-~]+$/.test(apiKey)) {
    throw new TypeError('createClient: apiKey: expected a key, without white space')
  }
  if (!Number.isInteger(retries) || retries < 0)
    throw new TypeError('createClient: retries: expected a number of attempts')
  checkTimeout('createClient', timeout)
  const clock = clockOf(options.fetch)
  return {
    ...{ baseUrl: address.replace(/[?#].*$/, '').replace(/\/+$/, ''), apiKey, retries, timeout, clock, clockAhead: 0 },
    // Called as a method of anything else, the platform's own fetch throws in browsers.
    fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
    gates: { upload: createGate(onLimit, clock), other: createGate(onLimit, clock) },
  }
}

function checkTimeout(name: string, timeout: number): void {
  if (typeof timeout !== 'number' || !(timeout > 0)) throw new TypeError(`${name}: timeout: expected milliseconds`)
}

function checkedOptions({ signal, timeout, idempotencyKey }: PostOptions): PostOptions {
  if (timeout !== undefined) checkTimeout('a call', timeout)
  if (idempotencyKey !== undefined && !/^[ -~]{1,255}$/.test(idempotencyKey)) {
    throw new TypeError('idempotencyKey: expected 1 to 255 characters of ASCII')
  }
  return {
    ...(signal === undefined ? {} : { signal }),
    ...(timeout === undefined ? {} : { timeout }),
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
  }
}

function objectOf<Given extends object>(name: string, given: Given): Given {
  if (typeof given !== 'object' || given === null)
    throw new TypeError(`${name}: expected an object, received ${typeof given}`)
  return given
}

/** Written once: the service knows a repeated request by its bytes. */
function json(name: string, body: object): Content {
  const text = JSON.stringify(objectOf(name, body))
  return { type: 'application/json', open: () => text }
}

function sourceOf(file: UploadSource | { data: UploadSource }): UploadSource {
  return typeof file === 'object' && file !== null && 'data' in file && !(file instanceof Blob) ? file.data : file
}
