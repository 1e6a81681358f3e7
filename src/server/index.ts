/** `blockmark-server`: the service as a server, as one function in your server, or in your Fastify application. */

import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { errorOf, errorResponse } from '../api/rules/response.js'
import { StoreError } from '../api/store/store.js'
import { type Config, ConfigError, configOf, siteUrlOf } from './config.js'
import { createApp } from './http/app.js'
import { createFetchHandler } from './http/fetch.js'
import { listen, stopListening } from './http/listen.js'
import { openLog } from './http/log.js'
import { clientAddresses } from './http/request.js'
import { createFirstKey, type FirstKey } from './operator/keys.js'
import { organizations } from './operator/organizations.js'
import { postWelcome, type Welcome } from './operator/welcome.js'
import { addService } from './service.js'

export { type Config, ConfigError, type Environment, readConfig } from './config.js'
export type { S3Options } from './files/s3.js'
export type { FirstKey } from './operator/keys.js'
export type { Welcome } from './operator/welcome.js'

/** Settings of a server. `blockmark-server --help` lists the defaults. */
export interface ServerOptions extends Partial<Config> {
  /** Whether a start with an empty database creates an organization, a bot, an API key, and a thread that shows the features. */
  readonly welcome?: boolean
}

/** A running server. */
export interface RunningServer {
  /** The beginning of the URLs of pages and of the API. */
  readonly siteUrl: string
  readonly port: number
  /** The bot and API key that this start created; null if it created none. */
  readonly first: FirstKey | null
  /** The URLs of the channel and the thread that this start created; null if it created none. */
  readonly welcome: Welcome | null
  /** The names of all organizations. */
  readonly organizations: readonly string[]
  /** Stops the server: accepts no new connections, finishes the requests in progress, and closes everything. */
  close(): Promise<void>
}

/**
 * Starts a server on a port.
 *
 * @param options - the settings: `readConfig(process.env)`, or only the settings that differ from the defaults
 * @returns the server, once it accepts requests
 * @throws {ConfigError} if a setting is wrong; the message is one line, which names the setting
 * @throws {Error} if the server cannot start for another reason; the message is one line
 * @example
 * import { mkdtemp, rm } from 'node:fs/promises'
 * import { tmpdir } from 'node:os'
 * import { join } from 'node:path'
 *
 * const data = await mkdtemp(join(tmpdir(), 'messages-'))
 * const server = await serve({ port: 0, data, logLevel: 'silent', welcome: true })
 * const { status } = await fetch(`${server.siteUrl}/api/public/ping`, {
 *   headers: { authorization: `Bearer ${server.first?.key}` },
 * })
 * await server.close()
 * await rm(data, { recursive: true })
 * status // => 200
 */
export async function serve({ welcome: isWelcome = false, ...settings }: ServerOptions = {}): Promise<RunningServer> {
  const config = configOf(settings)
  const log = openLog(config.logLevel)
  const app = createApp()
  let isStopping = false
  app.addHook('onSend', async (_request, reply) => {
    if (isStopping) reply.header('connection', 'close')
  })
  // Listening comes first, so that a port in use is reported at once. Requests wait until everything is open.
  let opening: Promise<unknown>
  const server = await listen(config, async (incoming, outgoing) => {
    await opening
    app.routing(incoming, outgoing)
  })
  // The cast is safe: a server that listens on a port has such an address.
  const { port } = server.address() as AddressInfo
  const siteUrl = siteUrlOf(config, port)
  const open = async (): Promise<Pick<RunningServer, 'first' | 'welcome' | 'organizations'>> => {
    const addressOf = clientAddresses(config.trustedProxies, log)
    const database = await addService(app, { ...config, siteUrl }, log, ({ raw }) => addressOf(raw))
    await app.ready()
    const first = isWelcome ? await createFirstKey(database, siteUrl) : null
    const welcome = first === null ? null : await postWelcome(createFetchHandler(app), first.key, siteUrl)
    return { first, welcome, organizations: (await organizations(database.run)).map(({ name }) => name) }
  }
  try {
    const opened = open()
    opening = opened
    const facts = await opened
    log.info({ site: siteUrl, port }, 'started')
    // The log is flushed before the API key is printed, so that the key appears below all entries of the log on a terminal.
    await new Promise<void>((resolve) => log.flush(() => resolve()))
    const close = async (): Promise<void> => {
      log.info('stopping')
      isStopping = true
      await stopListening(server)
      await app.close()
      log.info('stopped')
    }
    return { siteUrl, port, ...facts, close }
  } catch (error) {
    server.close()
    server.closeAllConnections()
    await app.close()
    throw error
  }
}

/** Settings of the service without a server: all settings of a server, except for listening and proxies. */
export interface ServiceOptions extends Partial<Omit<Config, 'host' | 'port' | 'metricsPort' | 'trustedProxies'>> {
  /** The beginning of the URLs of pages, for example `https://messages.example.com`. */
  readonly siteUrl: string
}

/** The service as one function, which never rejects: if the database cannot be opened, the log says why, and responses are 503. */
export interface Service {
  (request: Request): Promise<Response>
  /** Closes the service. Wait for the requests in progress before you call it. */
  close(): Promise<void>
}

/**
 * Creates the service for your own server. Its database is opened at once, and requests wait for it. Create API keys on
 * the command line: `blockmark-server keys create`, with the same settings in the environment.
 *
 * @param options - the settings of the service
 * @returns the service
 * @throws {ConfigError} if `siteUrl` is not the URL of a site, or the name of a setting is not known; the message is one line
 * @example
 * import { mkdtemp, rm } from 'node:fs/promises'
 * import { tmpdir } from 'node:os'
 * import { join } from 'node:path'
 *
 * const data = await mkdtemp(join(tmpdir(), 'messages-'))
 * const service = createService({ siteUrl: 'https://messages.example.com', data, logLevel: 'silent' })
 * const response = await service(new Request('https://messages.example.com/readyz'))
 * await service.close()
 * await rm(data, { recursive: true })
 * response.status // => 200
 */
export function createService(options: ServiceOptions): Service {
  const config = siteConfigOf(options)
  const app = createApp()
  const log = openLog(config.logLevel)
  const ready = addService(app, config, log).then(() => app.ready())
  ready.catch((error: Error) => log.error(error.message))
  const respond = createFetchHandler(app)
  const handle = async (request: Request): Promise<Response> => {
    if (await ready.catch(() => null)) return respond(request)
    const unavailableResponse = errorResponse(errorOf(new StoreError('unavailable')))
    return new Response(unavailableResponse.body, unavailableResponse)
  }
  return Object.assign(handle, {
    async close() {
      await ready.catch(() => undefined)
      await app.close()
    },
  })
}

/**
 * Adds the service to your own Fastify application, at the root of its URLs. Your application listens, and its option
 * `trustProxy` determines the IP addresses of clients. Closing the application closes the service's database. Unlike
 * `serve`, this function does not limit a connection to one request at a time.
 *
 * @param app - the application, or a part of it
 * @param options - the settings of the service
 * @returns a promise that resolves when the database is open
 * @throws {Error} if the database cannot be opened, with the reason in one line
 * @example
 * import fastify from 'fastify'
 * import { mkdtemp, rm } from 'node:fs/promises'
 * import { tmpdir } from 'node:os'
 * import { join } from 'node:path'
 *
 * const data = await mkdtemp(join(tmpdir(), 'messages-'))
 * const app = fastify({ pluginTimeout: 0 }) // PostgreSQL may take longer to start than Fastify waits (10 s)
 * app.register(blockmarkService, { siteUrl: 'https://messages.example.com', data, logLevel: 'silent' })
 * const { statusCode } = await app.inject('/readyz')
 * await app.close()
 * await rm(data, { recursive: true })
 * statusCode // => 200
 */
export async function blockmarkService(app: FastifyInstance, options: ServiceOptions): Promise<void> {
  const config = siteConfigOf(options)
  await addService(app, config, openLog(config.logLevel), ({ ip }) => ip)
}

function siteConfigOf(options: ServiceOptions): Config & { readonly siteUrl: string } {
  const { siteUrl, ...config } = configOf(options)
  if (siteUrl !== null) return { ...config, siteUrl }
  throw new ConfigError('siteUrl: expected the start of all URLs, for example https://example.com')
}
