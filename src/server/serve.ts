/** The service on Node's http: it listens, responds, and finishes all requests before it stops. */

import type { AddressInfo } from 'node:net'
import { type Config, siteUrlOf } from './config.js'
import { addSite, createApp } from './http/app.js'
import { clientAddresses } from './http/client-address.js'
import { fetching } from './http/fetch.js'
import { type Handler, listen, stopListening } from './http/listen.js'
import { refusalOf, targetOf } from './http/request.js'
import type { Metrics } from './metrics.js'
import { type OpenService, openService } from './open.js'
import { createFirstKey, type FirstKey } from './operator/keys.js'
import { organizations } from './operator/organizations.js'
import { postWelcome, type Welcome } from './operator/welcome.js'

/** The information that a server prints when it starts. */
export interface Announcement {
  readonly siteUrl: string
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
  // Requests wait until everything is open. Listening comes first, so that a port in use is reported at once.
  let open: (handler: Handler) => void = () => undefined
  const ready = new Promise<Handler>((resolve) => {
    open = resolve
  })
  const server = await listen(config, async (incoming, outgoing) => (await ready)(incoming, outgoing))
  // A server that listens on a port has an address of this kind.
  const { port } = server.address() as AddressInfo
  const siteUrl = siteUrlOf(config, port)
  const closing: (() => unknown)[] = []
  let opened: OpenService | null = null
  try {
    const app = createApp()
    opened = await openService(config, siteUrl, (site, log) => {
      const addressOf = clientAddresses(config.trustedProxies, log)
      addSite(app, { ...site, addressOf: ({ raw }) => addressOf(raw) })
    })
    const { database, metrics, log, close: letGo } = opened
    if (config.metricsPort !== null) closing.push(await listenForMetrics(config, config.metricsPort, metrics))
    const first = options.welcome === true ? await createFirstKey(database, siteUrl) : null
    let isStopping = false
    app.addHook('onSend', async (_request, reply) => {
      if (isStopping) reply.header('connection', 'close')
    })
    await app.ready()
    const isSecure = siteUrl.startsWith('https:')
    open(async (incoming, outgoing) => {
      if (isSecure) outgoing.setHeader('strict-transport-security', 'max-age=31536000')
      const refusal = refusalOf(incoming, siteUrl)
      if (refusal === null) {
        incoming.url = targetOf(incoming)
        app.routing(incoming, outgoing)
      } else {
        const length = { 'content-length': Buffer.byteLength(refusal.body) }
        outgoing.writeHead(refusal.status, { ...refusal.headers, ...length }).end(refusal.body)
      }
    })
    const welcome = first === null ? null : await postWelcome(fetching(app), first.key, siteUrl)
    const names = (await organizations(database.run)).map(({ name }) => name)
    const announcement: Announcement = { siteUrl, first, welcome, organizations: names }
    log.event('started', { site: siteUrl, port })
    // On a terminal, the API key is below all entries of the log.
    await log.flush()
    await options.announce?.(announcement)
    const close = async (): Promise<void> => {
      log.event('stopping')
      for (const end of closing) end()
      isStopping = true
      await stopListening(server)
      await letGo()
      log.event('stopped')
    }
    return { ...announcement, port, close }
  } catch (error) {
    for (const end of closing) end()
    server.close()
    server.closeAllConnections()
    await opened?.close()
    throw error
  }
}

/** Serves the metrics on their own port; returns the function that stops this. */
async function listenForMetrics({ host }: Config, port: number, metrics: Metrics): Promise<() => void> {
  const show: Handler = async (incoming, outgoing) => {
    if (incoming.url !== '/metrics') return void outgoing.writeHead(404).end()
    const { type, text } = await metrics.page()
    outgoing.writeHead(200, { 'content-type': type }).end(text)
  }
  const server = await listen({ host, port }, show, 'METRICS_PORT')
  return () => {
    server.close()
    server.closeAllConnections()
  }
}
