/** The service in a test: the real handler with a store in memory, without a port, a file or a process. */

import { check } from '../api/client/errors.js'
import { checkNames, checkObject } from '../api/client/options.js'
import type { ApiErrorCode } from '../api/contract/errors.js'
import type { BodyOf } from '../api/contract/types.js'
import { createMemoryStore } from '../api/store/memory.js'
import { isList } from '../source.js'
import { createClock, type TestClock } from './clock.js'
import { type FailureOptions, Faults, type LossOptions } from './faults.js'
import { createHandler } from './handler.js'
import type { PostedComment, PostedMessage, PostedThread, TestChat, UploadedFile } from './posted.js'
import * as view from './posted.js'
import { addBot, addChannel, addChat, addUser, type SeedUser } from './seeds.js'
import { createFetch, type TestRequest } from './test-fetch.js'

/** The objects that exist before the first request, and the settings of the service. */
export interface TestServiceOptions {
  /** The people of the organization: names, or names with e-mail addresses and ids. */
  users?: readonly (string | SeedUser)[]
  /** The bot's channels: names, or bodies of `createChannel`. */
  channels?: readonly (string | BodyOf<'createChannel'>)[]
  /** The bot's chats: names, or bodies of `createChat`. */
  chats?: readonly (string | BodyOf<'createChat'>)[]
  /** The bot's name (default `Bot`). */
  bot?: string
  /** The organization's name (default `Workspace`). */
  organization?: string
  /** The start of the service's URLs (default `https://blockmark.test`). */
  baseUrl?: string
  /** The requests a second for each bot; by default there is no limit. */
  rateLimit?: number
}

const optionNames: readonly string[] = ['users', 'channels', 'chats', 'bot', 'organization', 'baseUrl', 'rateLimit']

export interface TestService {
  /** The bot's API key. */
  readonly apiKey: string
  readonly baseUrl: string
  /** A replacement for `fetch`, for requests to this service only. */
  readonly fetch: typeof globalThis.fetch
  /** The service's clock. Waits of a client with this `fetch` end at once until the test calls `clock.set`. */
  readonly clock: TestClock

  /** Breaks the connection of the next requests (default 1), after or before their work. */
  lose(times?: number, options?: LossOptions): void
  /** Rejects the next request, or the given number of `times`, with a status or a code of the service. */
  fail(failure: number | ApiErrorCode, options?: FailureOptions): void
  fail(failure: number | ApiErrorCode, times: number, options?: FailureOptions): void
  /** From now on, delays each response by the given milliseconds after the work. */
  delay(milliseconds: number): void
  /** Removes all planned faults, and the delay. */
  recover(): void

  /** The threads with their comments, oldest first. */
  readonly threads: PostedThread[]
  /** The comments of all threads, oldest first. */
  readonly comments: PostedComment[]
  /** The messages of all chats, oldest first. */
  readonly messages: PostedMessage[]
  readonly chats: TestChat[]
  readonly files: UploadedFile[]
  /** All requests and their outcomes. */
  readonly requests: readonly TestRequest[]

  /** Adds another bot to the organization, and returns its API key. */
  addBot(name: string): string
}

/**
 * Creates a service for a test of a bot. The service is ready at once, keeps everything in memory, and needs no clean-up.
 *
 * @param options - the users, channels and chats, and the settings of the service
 * @returns the service
 * @throws {TypeError} if an option or a field is not known, or the service would reject a user, channel or chat
 * @example
 * const service = createTestService({ channels: ['deploys'] })
 * await service.fetch(`${service.baseUrl}/api/public/postThread`, {
 *   method: 'POST',
 *   headers: { authorization: `Bearer ${service.apiKey}`, 'content-type': 'application/json' },
 *   body: JSON.stringify({ channel: 'deploys', blocks: ['**v7** is out'] }),
 * })
 * service.threads.map((thread) => [thread.channel, thread.text]) // => [['deploys', 'v7 is out']]
 */
export function createTestService(options: TestServiceOptions = {}): TestService {
  checkObject('createTestService', options)
  checkNames('createTestService', options, optionNames)
  for (const name of ['users', 'channels', 'chats'] as const) {
    const seeds = options[name] ?? []
    check(isList(seeds), `createTestService: ${name}`, 'an array', seeds)
  }
  const { users = [], channels = [], chats = [], bot = 'Bot', organization = 'Workspace', rateLimit = 0 } = options
  const baseUrl = new URL(options.baseUrl ?? 'https://blockmark.test').href.replace(/\/+$/, '')
  const time = createClock()
  const { clock } = time
  const store = createMemoryStore()
  const { tables } = store
  const target = { store, organization: crypto.randomUUID(), organizationName: organization, baseUrl }
  const { botID, apiKey } = addBot(target, bot)
  for (const user of users) addUser(target, user)
  for (const channel of channels) addChannel(target, botID, channel)
  for (const chat of chats) addChat(target, botID, chat, clock.now)
  const handle = createHandler({ store, siteUrl: baseUrl, rateLimit, now: () => clock.now })
  const faults = new Faults()
  const connection = { faults, time, handle, origin: new URL(baseUrl).origin, delay: 0, requests: [] as TestRequest[] }
  return {
    ...{ apiKey, baseUrl, clock, fetch: createFetch(connection) },
    lose: (times = 1, options = {}) => faults.lose(times, options),
    fail(
      failure: number | ApiErrorCode,
      timesOrOptions: number | FailureOptions = 1,
      moreOptions: FailureOptions = {},
    ) {
      const isOptions = typeof timesOrOptions === 'object'
      faults.fail(failure, isOptions ? timesOrOptions : { ...moreOptions, times: timesOrOptions })
    },
    delay: (...args) => setDelay(connection, args),
    recover() {
      faults.clear()
      connection.delay = 0
    },
    get threads() {
      return view.threadsOf(tables)
    },
    get comments() {
      return view.commentsOf(tables)
    },
    get messages() {
      return view.messagesOf(tables)
    },
    get chats() {
      return view.chatsOf(tables)
    },
    get files() {
      return view.filesOf(tables)
    },
    get requests() {
      return [...connection.requests]
    },
    addBot: (name) => addBot(target, name).apiKey,
  }
}

function setDelay(connection: { delay: number }, [milliseconds, ...others]: [number, ...unknown[]]): void {
  check(typeof milliseconds === 'number' && milliseconds >= 0, 'delay', 'milliseconds', milliseconds)
  if (others.length > 0) throw new TypeError('delay: takes only milliseconds: it delays the responses of all endpoints')
  connection.delay = milliseconds
}
