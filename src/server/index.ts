/** `blockmark-server`: the service as a server, or as one function in your server. */

import type { FastifyInstance } from 'fastify'
import { errorOf, errorWithoutRequest } from '../api/rules/response.js'
import { StoreError } from '../api/store/store.js'
import { type Config, ConfigError, completeConfig } from './config.js'
import { createApp } from './http/app.js'
import { fetching } from './http/fetch.js'
import { openLog } from './http/log.js'
import { type RunningServer, type ServeOptions, serve as serveConfig } from './serve.js'
import { addService } from './service.js'

export { type Config, ConfigError, type Environment, readConfig } from './config.js'
export type { S3Options } from './files/s3.js'
export type { FirstKey } from './operator/keys.js'
export type { Welcome } from './operator/welcome.js'
export type { Announcement, RunningServer, ServeOptions } from './serve.js'

/** Settings of a server; `blockmark-server --help` lists their defaults. */
export interface ServerOptions extends Partial<Config>, ServeOptions {}

/**
 * Starts a server on a port.
 *
 * @param options - its settings: `readConfig(process.env)`, or some of them
 * @returns the server, when it accepts requests
 * @throws {ConfigError} if a setting is unknown or wrong, in one line that names it
 * @throws {Error} if it cannot start for another reason, in one line
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
export function serve(options: ServerOptions = {}): Promise<RunningServer> {
  const { welcome = false, announce, ...settings } = options
  return serveConfig(completeConfig(settings), announce === undefined ? { welcome } : { welcome, announce })
}

/** Settings of the service without a server: the URL of its pages, and the settings of a server except those of the port. */
export interface ServiceOptions extends Partial<Omit<Config, 'host' | 'port' | 'metricsPort' | 'trustedProxies'>> {
  /** The beginning of the URLs of pages, for example `https://messages.example.com`. */
  readonly siteUrl: string
}

/** The service as one function; it never rejects. */
export interface Service {
  (request: Request): Promise<Response>
  /** Waits until the database is open; rejects if it cannot be opened, with the reason in one line. */
  ready(): Promise<void>
  /** Closes everything; wait for running requests before. */
  close(): Promise<void>
}

/**
 * Creates the service for your own server. Its database is opened at once, and requests wait for it. Create API keys on
 * the command line: `blockmark-server keys create`, with the same settings in the environment.
 *
 * @param options - its settings
 * @returns the service
 * @throws {ConfigError} if a setting is unknown or wrong, in one line that names it
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
  const config = settingsOf(options)
  const app = createApp()
  const opening = addService(app, config, openLog(config.logLevel), { siteUrl: config.siteUrl })
  const ready = opening.then(() => app.ready())
  // `ready()` and each request report the failure; a program need not wait for either.
  ready.catch(() => undefined)
  const respond = fetching(app)
  const answer = async (request: Request): Promise<Response> => {
    if (await ready.catch(() => null)) return respond(request)
    const away = errorWithoutRequest(errorOf(new StoreError('unavailable')))
    return new Response(away.body, away)
  }
  return Object.assign(answer, {
    ready: async () => void (await ready),
    async close() {
      await ready.catch(() => undefined)
      await app.close()
    },
  })
}

/**
 * Adds the service to your own Fastify application, at the root of its URLs. Your application listens, and closes the
 * service's database when it closes; its `trustProxy` decides the addresses of clients. The connections of clients are not
 * admitted one request at a time, as `serve` does.
 *
 * @param app - the application, or a part of it
 * @param options - the settings of the service
 * @returns when the database is open
 * @throws {Error} if a setting is wrong or the database cannot be opened, with the reason in one line
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
  const config = settingsOf(options)
  await addService(app, config, openLog(config.logLevel), { siteUrl: config.siteUrl, addressOf: ({ ip }) => ip })
}

/** Completes the settings. Throws ConfigError. */
function settingsOf(options: ServiceOptions): Config & { readonly siteUrl: string } {
  const config = completeConfig(options)
  const { siteUrl } = config
  if (siteUrl !== null) return { ...config, siteUrl }
  throw new ConfigError('siteUrl: expected the start of all URLs, for example https://example.com')
}
