/** The service on Node's http: it listens, answers, and stops when what is under way is done. */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { FirstKey } from '../operator/first-key.js'
import { ensureFirstKey, purge } from '../operator/organizations.js'
import { createHandler } from '../service/index.js'
import { createPostgresStore } from '../store/postgres/index.js'
import { type Backend, openBackend } from './backend.js'
import type { Config } from './config.js'
import { requestOf, send } from './http.js'
import { openLog } from './log.js'
import { createMetrics } from './metrics.js'

/** A server that takes requests. */
export interface RunningServer {
  readonly siteUrl: string
  readonly port: number
  /** What the first start made; null on every later one. */
  readonly first: FirstKey | null
  /** Takes no new connections, finishes the requests under way, and lets go of everything. */
  close(): Promise<void>
}

const HEADERS_MILLISECONDS = 10_000
const IDLE_MILLISECONDS = 30_000
const STOP_MILLISECONDS = 10_000
const PURGE_MILLISECONDS = 60 * 60 * 1000

type Handler = (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>

/**
 * Starts a server.
 *
 * @param config - its settings
 * @returns the server, when it takes requests
 * @throws {Error} where it can not start, in one line that says why
 */
export async function serve(config: Config): Promise<RunningServer> {
  // What comes before everything is open waits for it; a port that is taken is known before anything is.
  let open: (handler: Handler) => void = () => undefined
  const opened = new Promise<Handler>((resolve) => {
    open = resolve
  })
  const server = await listen(config, async (incoming, outgoing) => (await opened)(incoming, outgoing))
  try {
    const port = portOf(server)
    const siteUrl = config.siteUrl ?? `http://${hostOf(config.host)}:${port}`
    const log = await openLog(config.logLevel)
    const metrics = await createMetrics()
    const backend = await openBackend(config)
    const first = await ensureFirstKey(backend.database, siteUrl)
    const service = createHandler({
      ...{ store: createPostgresStore(backend.database), files: backend.files, siteUrl },
      ...{ rateLimit: config.rateLimit, uploadRateLimit: config.uploadRateLimit, metrics: metrics.page },
      onAnswer: (answered) => {
        log.answered(answered)
        metrics.count(answered)
      },
    })
    const purging = setInterval(
      () => void purge(backend.database, new Date()).catch(() => undefined),
      PURGE_MILLISECONDS,
    )
    open(async (incoming, outgoing) => {
      if (!server.listening) outgoing.setHeader('connection', 'close')
      const request = requestOf(incoming, siteUrl, config.trustsProxy)
      if (request === null) outgoing.writeHead(400).end()
      else await send(await service(request), incoming, outgoing)
    })
    return { siteUrl, port, first, close: () => stop(server, backend, purging) }
  } catch (error) {
    server.close()
    server.closeAllConnections()
    throw error
  }
}

async function listen({ host, port }: Config, handler: Handler): Promise<Server> {
  // An upload has no total time limit, only its pauses have.
  const server = createServer({
    headersTimeout: HEADERS_MILLISECONDS,
    requestTimeout: 0,
    connectionsCheckingInterval: 1000,
  })
  const exchanges = new WeakMap<Socket, { incoming: IncomingMessage; outgoing: ServerResponse }>()
  server.on('request', (incoming: IncomingMessage, outgoing: ServerResponse) => {
    exchanges.set(incoming.socket, { incoming, outgoing })
    handler(incoming, outgoing).catch(() => outgoing.destroy())
  })
  server.setTimeout(IDLE_MILLISECONDS, (socket) => {
    const exchange = exchanges.get(socket)
    // What waits for us (a large file on its way to the disk) is not idle.
    const isOurs = exchange?.incoming.complete === true && !exchange.outgoing.headersSent
    if (!isOurs) socket.destroy()
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const isTaken = error.code === 'EADDRINUSE'
      reject(
        isTaken ? new Error(`port ${port} of ${host} is in use: set PORT to another one`, { cause: error }) : error,
      )
    })
    server.listen(port, host, resolve)
  })
  return server
}

function portOf(server: Server): number {
  // A server that listens on a port has an address of this kind.
  return (server.address() as AddressInfo).port
}

function hostOf(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}

async function stop(server: Server, backend: Backend, purging: NodeJS.Timeout): Promise<void> {
  clearInterval(purging)
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  const impatience = setTimeout(() => server.closeAllConnections(), STOP_MILLISECONDS)
  await closed
  clearTimeout(impatience)
  await backend.close()
}
