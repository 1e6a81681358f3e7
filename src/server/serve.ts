/** The service on Node's http: it listens, responds, and finishes all requests before it stops. */

import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { type Config, siteUrlOf } from './config.js'
import { createApp } from './http/app.js'
import { fetching } from './http/fetch.js'
import { listen, stopListening } from './http/listen.js'
import { openLog } from './http/log.js'
import { clientAddresses } from './http/request.js'
import type { Metrics } from './metrics.js'
import { createFirstKey, type FirstKey } from './operator/keys.js'
import { organizations } from './operator/organizations.js'
import { postWelcome, type Welcome } from './operator/welcome.js'
import { addService } from './service.js'

/** The information that a server prints when it starts. */
export interface Announcement {
  readonly siteUrl: string
  /** The URL of the server itself, to which a proxy forwards. */
  readonly address: string
  /** The bot and API key that this start created; null if it created none. */
  readonly first: FirstKey | null
  /** The posts of the first start, if it was asked for them; null on every later one. */
  readonly welcome: Welcome | null
  /** The names of all organizations. */
  readonly organizations: readonly string[]
}

/** A running server. */
export interface RunningServer extends Announcement {
  readonly port: number
  /** Stops the server: accepts no new connections, finishes the requests in progress, and closes everything. */
  close(): Promise<void>
}

export interface ServeOptions {
  /** Whether a start with an empty database creates an organization, a bot, an API key, and a thread that shows the features. */
  readonly welcome?: boolean
  /** Prints the information for the operator. */
  readonly announce?: (announcement: Announcement) => Promise<void>
}

/** Starts a server; resolves when it accepts requests. If it cannot start, the error states the reason in one line. */
export async function serve(config: Config, options: ServeOptions = {}): Promise<RunningServer> {
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
  // A server that listens on a port has an address of this kind.
  const { port } = server.address() as AddressInfo
  try {
    const opened = open(app, config, port, log, options.welcome === true)
    opening = opened
    const announcement = await opened
    log.info({ site: announcement.siteUrl, port }, 'started')
    // On a terminal, the API key is below all entries of the log.
    await new Promise<void>((resolve) => log.flush(() => resolve()))
    await options.announce?.(announcement)
    const close = async (): Promise<void> => {
      log.info('stopping')
      isStopping = true
      await stopListening(server)
      await app.close()
      log.info('stopped')
    }
    return { ...announcement, port, close }
  } catch (error) {
    server.close()
    server.closeAllConnections()
    await app.close()
    throw error
  }
}

async function open(
  app: FastifyInstance,
  config: Config,
  port: number,
  log: Logger,
  isWelcome: boolean,
): Promise<Announcement> {
  const [siteUrl, address] = [siteUrlOf(config, port), siteUrlOf({ ...config, siteUrl: null }, port)]
  const addressOf = clientAddresses(config.trustedProxies, log)
  const { database, metrics } = await addService(app, config, log, { siteUrl, addressOf: ({ raw }) => addressOf(raw) })
  if (config.metricsPort !== null) await listenForMetrics(app, config, config.metricsPort, metrics)
  await app.ready()
  const first = isWelcome ? await createFirstKey(database, siteUrl) : null
  const welcome = first === null ? null : await postWelcome(fetching(app), first.key, siteUrl)
  const names = (await organizations(database.run)).map(({ name }) => name)
  return { siteUrl, address, first, welcome, organizations: names }
}

/** Serves the metrics on their own port until the application closes. */
async function listenForMetrics(app: FastifyInstance, { host }: Config, port: number, metrics: Metrics): Promise<void> {
  const show: Parameters<typeof listen>[1] = async (incoming, outgoing) => {
    if (incoming.url !== '/metrics') return void outgoing.writeHead(404).end()
    const { type, text } = await metrics.page()
    outgoing.writeHead(200, { 'content-type': type }).end(text)
  }
  const server = await listen({ host, port }, show, 'METRICS_PORT')
  app.addHook('onClose', async () => {
    server.close()
    server.closeAllConnections()
  })
}
