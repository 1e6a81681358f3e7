/** The service in a test: the real handler with a store in memory; no port, no file, no process. */

import type { ApiErrorCode } from '../api/contract/errors.js'
import type { Channel, CreateChannelBody, CreateChatBody, User } from '../api/contract/types.js'
import { createMemoryFiles } from '../api/files/memory.js'
import { createApi } from '../api/service/index.js'
import { addOrganization, createMemoryStore } from '../api/store/memory/index.js'
import { createClock, type TestClock } from './clock.js'
import { type FailureOptions, Faults, failing, type LossOptions } from './faults.js'
import * as view from './posted.js'
import { addBot, addChannel, addChat, addUser, type Seedbed, type SeedUser } from './seeds.js'
import { createFetch, type TestRequest } from './test-fetch.js'

/** What is there before the first request, and how the service is set up. */
export interface TestServiceOptions {
  /** People of the organization, by their names or with e-mail addresses and ids. */
  users?: readonly (string | SeedUser)[]
  /** Channels of the bot: names, or what `createChannel` takes. */
  channels?: readonly (string | CreateChannelBody)[]
  /** Chats of the bot: names, or what `createChat` takes. */
  chats?: readonly (string | CreateChatBody)[]
  /** The bot's name (default `Bot`). */
  bot?: string
  /** The organization's name (default `Workspace`). */
  organization?: string
  /** What the service's addresses begin with (default `https://blockmark.test`). */
  baseUrl?: string
  /** Requests a second for each bot; by default there is no limit in a test. */
  rateLimit?: number
}

export interface TestService {
  /** The bot's key. */
  readonly apiKey: string
  readonly baseUrl: string
  /** Takes the place of `fetch`, for requests to this service only. */
  readonly fetch: typeof globalThis.fetch
  /** Its time, by which a client with this `fetch` also waits before it tries again. */
  readonly clock: TestClock

  /** Loses the answers of the next requests, or the requests themselves: the connection breaks. */
  lose(times?: number, options?: LossOptions): void
  /** Refuses the next requests with a status or a code; they are not carried out. */
  fail(failure: number | ApiErrorCode, times?: number, options?: FailureOptions): void
  /** From now on, lets every answer come so many milliseconds later than its work is done. */
  delay(milliseconds: number): void
  /** Forgets the faults that have not happened, and the delay. */
  recover(): void

  /** The threads that are there, oldest first, with their comments. */
  readonly threads: view.PostedThread[]
  /** The comments of all threads, oldest first. */
  readonly comments: view.PostedComment[]
  /** The messages of all chats, oldest first. */
  readonly messages: view.PostedMessage[]
  readonly channels: Channel[]
  readonly chats: view.TestChat[]
  readonly users: User[]
  readonly files: view.UploadedFile[]
  /** Every request that was made, and what became of it. */
  readonly requests: readonly TestRequest[]

  /** Adds another bot to the organization, and gives its key. */
  addBot(name: string): string
}

/** No test uploads more than the service takes by default. */
const UPLOAD_BYTES_MAX = 512 * 1024 * 1024

/**
 * Makes a service for a test of a bot. It is ready at once, keeps everything in memory, and ends with the test.
 *
 * @param options - who and what is there
 * @returns the service
 * @throws {TypeError} where a seed is none that the service would take
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
  const { users = [], channels = [], chats = [], bot = 'Bot', organization = 'Workspace', rateLimit = 0 } = options
  const baseUrl = new URL(options.baseUrl ?? 'https://blockmark.test').href.replace(/\/+$/, '')
  const time = createClock()
  const { clock } = time
  const store = createMemoryStore()
  const tables = addOrganization(store.directory, crypto.randomUUID(), organization)
  const bed: Seedbed = { directory: store.directory, tables, baseUrl }
  const { botID, apiKey } = addBot(bed, bot)
  for (const user of users) addUser(bed, user)
  for (const channel of channels) addChannel(bed, botID, channel)
  for (const chat of chats) addChat(bed, botID, chat, clock.now)
  const handle = createApi({
    ...{ store, files: createMemoryFiles(UPLOAD_BYTES_MAX), siteUrl: baseUrl, rateLimit },
    now: () => clock.now,
  })
  const faults = new Faults()
  const line = { faults, time, handle, origin: new URL(baseUrl).origin, delay: 0, requests: [] as TestRequest[] }
  return {
    ...{ apiKey, baseUrl, clock, fetch: createFetch(line) },
    lose: (times = 1, { after = 0, of = 'answer' } = {}) => faults.add(times, after, { kind: 'lost', of }),
    fail: (failure, times = 1, failure_ = {}) =>
      faults.add(times, failure_.after ?? 0, { kind: 'failed', answer: failing(failure, failure_) }),
    delay: (milliseconds) => setDelay(line, milliseconds),
    recover() {
      faults.clear()
      line.delay = 0
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
    get channels() {
      return view.channelsOf(tables)
    },
    get chats() {
      return view.chatsOf(tables)
    },
    get users() {
      return view.usersOf(tables)
    },
    get files() {
      return view.filesOf(tables)
    },
    get requests() {
      return [...line.requests]
    },
    addBot: (name) => addBot(bed, name).apiKey,
  }
}

function setDelay(line: { delay: number }, milliseconds: number): void {
  if (!(milliseconds >= 0)) throw new TypeError(`delay: expected milliseconds, received ${milliseconds}`)
  line.delay = milliseconds
}
