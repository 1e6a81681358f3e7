/** The service's client: one method for each endpoint, typed by the contract. */

import type { Source } from '../../index.js'
import type {
  AddChannelMembersBody,
  BodyOf,
  Channel,
  ChannelTarget,
  ChatTarget,
  CreateChannelBody,
  CreateChatBody,
  EndpointName,
  ResultOf,
  User,
} from '../contract/types.js'
import { type Content, type Line, perform } from './call.js'
import { createGate, type Limit } from './limits.js'
import { blocksFor, bodyFor } from './message.js'
import { type ChatDelivery, type Delivered, type Sender, sendAll, type ThreadDelivery } from './send-all.js'
import { contentOf, type OnProgress, type UploadSource } from './upload.js'

export interface ClientOptions {
  /** Where the service is, as `https://messages.example.com`. */
  baseUrl: string | URL
  apiKey: string
  /** Takes the place of the platform's `fetch`. */
  fetch?: typeof globalThis.fetch
  /** How often a call is tried again (default 4) where that can not do anything twice. */
  retries?: number
  /** The milliseconds that each attempt may take (default 30,000); uploads take what they need. */
  timeout?: number
  /** Told when a rate limit is reached, and how long calls wait. */
  onLimit?: (limit: Limit) => void
}

/** What any call takes beside its body. */
export interface CallOptions {
  /** Ends the call at any moment. */
  signal?: AbortSignal
  /** The milliseconds that each attempt may take. */
  timeout?: number
}

/** What a call that changes something takes. */
export interface PostOptions extends CallOptions {
  /** One of your own makes the call safe to repeat in another process, for 24 hours; by default each call has a new one. */
  idempotencyKey?: string
}

export interface UploadOptions extends PostOptions {
  /** What the file is called; by default what its source calls it. */
  name?: string
  /** Told how far it is, where the file comes from a path or a stream. */
  onProgress?: OnProgress
}

export interface PostThread extends ChannelTarget {
  blocks: Source
}

export interface PostComment {
  threadID: string
  /** The comment that is replied to. */
  parentID?: string
  blocks: Source
}

export interface PostChatMessage extends ChatTarget {
  body: Source
}

export interface Client {
  channels(options?: CallOptions): Promise<Channel[]>
  createChannel(body: CreateChannelBody, options?: PostOptions): Promise<ResultOf<'createChannel'>>
  addChannelMembers(body: AddChannelMembersBody, options?: PostOptions): Promise<undefined>
  deleteChannel(body: BodyOf<'deleteChannel'>, options?: PostOptions): Promise<undefined>
  postThread(body: PostThread, options?: PostOptions): Promise<ResultOf<'postThread'>>
  deleteThread(body: BodyOf<'deleteThread'>, options?: PostOptions): Promise<undefined>
  postComment(body: PostComment, options?: PostOptions): Promise<ResultOf<'postComment'>>
  deleteComment(body: BodyOf<'deleteComment'>, options?: PostOptions): Promise<undefined>
  postChatMessage(body: PostChatMessage, options?: PostOptions): Promise<ResultOf<'postChatMessage'>>
  deleteChatMessage(body: BodyOf<'deleteChatMessage'>, options?: PostOptions): Promise<undefined>
  createChat(body: CreateChatBody, options?: PostOptions): Promise<ResultOf<'createChat'>>
  deleteChat(body: BodyOf<'deleteChat'>, options?: PostOptions): Promise<undefined>
  users(options?: CallOptions): Promise<User[]>
  ping(options?: CallOptions): Promise<ResultOf<'ping'>>
  /** Takes the file itself, or `{ data }` as the endpoint does. */
  upload(file: UploadSource | { data: UploadSource }, options?: UploadOptions): Promise<ResultOf<'upload'>>

  /** Delivers a message that may need several chat messages; see `SendAllError` for what happens half way. */
  sendAll(message: ChatDelivery): Promise<ResultOf<'postChatMessage'>[]>
  /** Delivers a message that may need several comments. */
  sendAll(message: ThreadDelivery): Promise<ResultOf<'postComment'>[]>
}

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
  return {
    ...{ baseUrl: address.replace(/[?#].*$/, '').replace(/\/+$/, ''), apiKey, retries, timeout, clockAhead: 0 },
    // Called as a method of anything else, the platform's own fetch throws in browsers.
    fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
    gates: { upload: createGate(onLimit), other: createGate(onLimit) },
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
