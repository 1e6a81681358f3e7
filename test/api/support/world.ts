/** Creates an organization for each test, with bots that call the service. */

import { rm } from 'node:fs/promises'
import { afterAll, beforeAll, describe } from 'vitest'
import type { Detail } from '../../../src/api/contract/errors.js'
import { createMemoryStore, type MemoryStore } from '../../../src/api/store/memory.js'
import { readConfig } from '../../../src/server/config.js'
import { createFolderStorage } from '../../../src/server/files/folder.js'
import type { ContentStorage } from '../../../src/server/files/storage.js'
import { addSite, createApp } from '../../../src/server/http/app.js'
import { createFetchHandler } from '../../../src/server/http/fetch.js'
import { createBotKey } from '../../../src/server/operator/keys.js'
import { addPeople, members } from '../../../src/server/operator/members.js'
import { organizationNamed } from '../../../src/server/operator/organizations.js'
import type { SiteOptions } from '../../../src/server/request-context.js'
import type { Database } from '../../../src/server/store/database.js'
import { createPostgresStore } from '../../../src/server/store/index.js'
import { createHandler, type HandlerOptions } from '../../../src/testing/handler.js'
import { addBot, addUser } from '../../../src/testing/seeds.js'
import { backends, type OpenBackend, temporaryFolder } from './backends.js'
import { checkResponses } from './check-responses.js'

export const SITE = 'http://site.test'

/** A response, with the fields that tests read. */
export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly body: {
    ok: boolean
    // biome-ignore lint/suspicious/noExplicitAny: a test states what the fields are
    result?: any
    nextCursor?: string
    error?: { code: string; message: string; requestID: string; details?: Detail[] }
  }
}

/** A request to an endpoint, by default a POST of JSON with the bot's API key. A null header is left out. */
export interface Sending {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string | null>>
  readonly body?: BodyInit | null
}

export interface Bot {
  readonly key: string
  readonly userID: string
  send(path: string, sending?: Sending): Promise<Reply>
  call(path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>
  /** Calls an endpoint that must succeed, and returns its result. */
  // biome-ignore lint/suspicious/noExplicitAny: a test states what the fields are
  make(path: string, body?: unknown): Promise<any>
  get(path: string): Promise<Reply>
  /** Uploads a file and returns its id. */
  file(content: string | Uint8Array, name?: string): Promise<string>
  upload(content: string | Uint8Array, name?: string, headers?: Record<string, string>, path?: string): Promise<Reply>
}

export interface World {
  readonly organization: string
  readonly name: string
  readonly fetch: (request: Request) => Promise<Response>
  /** Requests a page, a file or another path of the site, as a bot or as a guest. */
  get(url: string, bot?: Bot | null, headers?: Record<string, string>): Promise<Response>
  bot(name: string): Promise<Bot>
  person(name: string): Promise<{ userID: string; email: string }>
}

/** A world whose rows can be queried with SQL. */
export interface DatabaseWorld extends World {
  readonly database: Database
  readonly contents: ContentStorage
}

const UPLOAD_BYTES_MAX = 1_000_000

type Service = (request: Request) => Promise<Response>

let count = 0

function nextName(): string {
  count += 1
  return `Organization ${process.pid} ${count}`
}

/** Creates the service on Fastify. The header `x-address` of a request sets the IP address of its client. */
export async function serviceOf(
  options: Partial<SiteOptions> & Pick<SiteOptions, 'store' | 'contents'>,
): Promise<Service> {
  const app = createApp()
  const addressOf: SiteOptions['addressOf'] = ({ headers }) => headers['x-address']?.toString()
  addSite(app, { ...readConfig({}), addressOf, siteUrl: SITE, ...options })
  await app.ready()
  return createFetchHandler(app)
}

/** Creates an organization in a database. */
export async function createWorld(
  { database }: OpenBackend,
  folder: string,
  options: Partial<SiteOptions> = {},
): Promise<DatabaseWorld> {
  const name = nextName()
  const contents = await createFolderStorage(folder)
  const parts = { store: createPostgresStore(database), contents, uploadBytesMax: UPLOAD_BYTES_MAX, rateLimit: 0 }
  const service = checkResponses(await serviceOf({ ...parts, ...options }))
  const { key } = await createBotKey(database.run, { organization: name, bot: 'First', siteUrl: SITE })
  const { organization } = await organizationNamed(database.run, name)
  const people = async (): Promise<{ id: string; name: string; email: string }[]> => [
    ...(await members(database.run, organization, true)),
    ...(await members(database.run, organization, false)),
  ]
  return {
    ...{ organization, name, database, contents, fetch: service, get: getting(service) },
    async bot(botName) {
      const own =
        botName === 'First'
          ? key
          : (await createBotKey(database.run, { organization: name, bot: botName, siteUrl: SITE })).key
      const userID = (await people()).find((each) => each.name === botName)?.id ?? ''
      return createBot(service, own, userID)
    },
    async person(personName) {
      const email = `${personName}@people.test`
      await addPeople(database.run, organization, [{ name: personName, email }])
      return { userID: (await people()).find((each) => each.email === email)?.id ?? '', email }
    },
  }
}

/** Makes the files of an organization a day older, so that tidying removes those that no message shows. */
export async function ageFiles({ database, organization }: DatabaseWorld): Promise<void> {
  const older = `UPDATE files SET created_at = created_at - interval '1 day' WHERE organization = $1`
  await database.run(older, [organization])
}

function createBot(service: Service, key: string, userID: string): Bot {
  const send: Bot['send'] = async (path, { method = 'POST', headers = {}, body = null } = {}) => {
    const type = body instanceof FormData ? null : 'application/json'
    const all = Object.entries({ authorization: `Bearer ${key}`, 'content-type': type, ...headers })
    const given = all.filter((entry): entry is [string, string] => entry[1] !== null)
    // fetch requires `duplex` for a body that is a stream.
    const init = { method, headers: given, body, duplex: 'half' } as const
    const response = await service(new Request(`${SITE}/api/public/${path}`, init))
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) }
  }
  const call: Bot['call'] = (path, body = {}, headers = {}) =>
    send(path, { headers, body: typeof body === 'string' ? body : JSON.stringify(body) })
  const upload: Bot['upload'] = (content, name = 'file.txt', headers = {}, path = 'upload') => {
    const form = new FormData()
    form.append('data', new Blob([content]), name)
    return send(path, { headers, body: form })
  }
  return {
    ...{ key, userID, send, call, upload },
    async make(path, body) {
      const reply = await call(path, body)
      if (reply.status !== 200) throw new Error(`${path}: ${JSON.stringify(reply.body)}`)
      return reply.body.result
    },
    get: (path) => send(path, { method: 'GET', headers: { 'content-type': null } }),
    file: async (content, name) => (await upload(content, name)).body.result.fileID,
  }
}

function getting(service: Service): World['get'] {
  return (url, bot = null, headers = {}) => {
    const own = bot === null ? {} : { authorization: `Bearer ${bot.key}` }
    return service(new Request(new URL(url, SITE), { headers: { ...own, ...headers } }))
  }
}

type Made = 'file' | 'channel' | 'thread' | 'comment' | 'chat' | 'chatMessage'

/** Creates one object of each kind, with messages that show the file, and returns their ids and URLs. */
export async function furnish(
  bot: Bot,
  userIDs: readonly string[] = [],
): Promise<Record<`${Made}${'ID' | 'URL'}`, string>> {
  const fileID = await bot.file('a file')
  const shown = `<!${fileID}|>`
  const channel = await bot.make('createChannel', { name: 'c', userIDs })
  const thread = await bot.make('postThread', { channelID: channel.channelID, blocks: ['x', shown] })
  const comment = await bot.make('postComment', { threadID: thread.threadID, blocks: ['x', shown] })
  const chat = await bot.make('createChat', { name: 'c', userIDs })
  const message = await bot.make('postChatMessage', { chatID: chat.chatID, body: shown })
  const fileURL = `/files/${fileID}${new URL(thread.threadURL).search}`
  return { fileID, fileURL, ...channel, ...thread, ...comment, ...chat, ...message }
}

/** Creates an organization in memory. */
export async function createMemoryWorld(
  store: MemoryStore,
  options: Partial<HandlerOptions> = {},
  around: (service: Service) => Service = (service) => service,
): Promise<World> {
  const name = nextName()
  const organization = crypto.randomUUID()
  const target = { store, organization, organizationName: name, baseUrl: SITE }
  const common = { store, siteUrl: SITE, rateLimit: 0, uploadBytesMax: UPLOAD_BYTES_MAX }
  const service = around(createHandler({ ...common, ...options }))
  const first = addBot(target, 'First')
  return {
    ...{ organization, name, fetch: service, get: getting(service) },
    async bot(botName) {
      const { apiKey, botID } = botName === 'First' ? first : addBot(target, botName)
      return createBot(service, apiKey, botID)
    },
    async person(personName) {
      const email = `${personName}@people.test`
      return { userID: addUser(target, { name: personName, email }), email }
    },
  }
}

type WorldOf<Kind, Options> = (options?: Partial<Options>) => Promise<Kind>

/** Runs the same tests in memory and on every database of this machine. */
export function onEveryBackend(
  tests: (world: WorldOf<World, Pick<HandlerOptions, 'rateLimit' | 'now'>>) => void,
): void {
  describe('in memory', () => {
    tests((options) => createMemoryWorld(createMemoryStore(), options, checkResponses))
  })
  onEveryDatabase(tests)
}

/** Runs the same tests on every database of this machine. The tests of missing databases are listed as skipped. */
export function onEveryDatabase(tests: (world: WorldOf<DatabaseWorld, SiteOptions>) => void): void {
  for (const { name, missing, open } of backends) {
    describe.skipIf(missing !== null)(`on ${name}${missing === null ? '' : ` (${missing})`}`, () => {
      let backend: OpenBackend | null = null
      let folder = ''
      beforeAll(async () => {
        folder = await temporaryFolder()
        backend = await open()
      })
      afterAll(async () => {
        await backend?.close()
        await rm(folder, { recursive: true, force: true })
      })
      tests((options) => {
        if (backend === null) throw new Error('the backend is not open')
        return createWorld(backend, folder, options)
      })
    })
  }
}
