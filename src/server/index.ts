/** `blockmark-server`: the service as a server, or as one function in your server. */

import type { FastifyInstance } from 'fastify'
import { errorOf, errorResponse } from '../api/rules/response.js'
import { StoreError } from '../api/store/store.js'
import { type Config, ConfigError, configOf } from './config.js'
import { createApp } from './http/app.js'
import { createFetchHandler } from './http/fetch.js'
import { openLog } from './http/log.js'
import { addService } from './service.js'

export { type Config, ConfigError, type Environment, readConfig } from './config.js'
export type { S3Options } from './files/s3.js'
export type { FirstKey } from './operator/keys.js'
export type { Welcome } from './operator/welcome.js'
export { type RunningServer, type ServerOptions, serve } from './serve.js'

/** Settings of the service without a server: all settings of a server except those for listening and for proxies. */
export interface ServiceOptions extends Partial<Omit<Config, 'host' | 'port' | 'metricsPort' | 'trustedProxies'>> {
  /** The beginning of the URLs of pages, for example `https://messages.example.com`. */
  readonly siteUrl: string
}

/** The service as one function. It never rejects: if the database cannot be opened, the log says why, and responses are 503. */
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
    const unavailable = errorResponse(errorOf(new StoreError('unavailable')))
    return new Response(unavailable.body, unavailable)
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
 * `serve`, it does not limit a connection to one request at a time.
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
