/** The service on Node's http: it listens, responds, and finishes all requests before it stops. */

import type { AddressInfo } from 'node:net'
import { type Config, configOf, siteUrlOf } from './config.js'
import { createApp } from './http/app.js'
import { createFetchHandler } from './http/fetch.js'
import { listen, stopListening } from './http/listen.js'
import { openLog } from './http/log.js'
import { clientAddresses } from './http/request.js'
import { createFirstKey, type FirstKey } from './operator/keys.js'
import { organizations } from './operator/organizations.js'
import { postWelcome, type Welcome } from './operator/welcome.js'
import { addService } from './service.js'

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
  /** The posts that this start created; null if it created none. */
  readonly welcome: Welcome | null
  /** The names of all organizations. */
  readonly organizations: readonly string[]
  /** Stops the server: accepts no new connections, finishes the requests in progress, and closes everything. */
  close(): Promise<void>
}

/**
 * Starts a server on a port.
 *
 * @param options - the settings: `readConfig(process.env)`, or only those that differ from the defaults
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
    const created = await opened
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
    return { siteUrl, port, ...created, close }
  } catch (error) {
    server.close()
    server.closeAllConnections()
    await app.close()
    throw error
  }
}
