/** Node's http server: what it waits for, and how long. */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { type Config, ConfigError } from './config.js'
import { refuse } from './http.js'

const HEADERS_MILLISECONDS = 10_000
const IDLE_MILLISECONDS = 30_000
/** Requests under way have so long to finish when the server stops. */
const STOP_MILLISECONDS = 10_000
/** Whoever connected before is taken in first, until nobody comes for so long, or for so long in all. */
const QUIET_MILLISECONDS = 50
const ARRIVAL_MILLISECONDS = 1000

interface Connections {
  readonly open: Set<Socket>
  /** How many there were so far. */
  count: number
}

const connections = new WeakMap<Server, Connections>()

export type Handler = (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>

/**
 * Starts to listen.
 *
 * @param config - where
 * @param handler - answers each request
 * @returns the server, when it takes connections
 * @throws {ConfigError} where the address or the port can not be had
 */
export async function listen({ host, port }: Pick<Config, 'host' | 'port'>, handler: Handler): Promise<Server> {
  // An upload has no total time limit, only its pauses have.
  const server = createServer({
    headersTimeout: HEADERS_MILLISECONDS,
    requestTimeout: 0,
    connectionsCheckingInterval: 1000,
    // Without a host it is answered as every other wrong request.
    requireHostHeader: false,
  })
  const taken: Connections = { open: new Set(), count: 0 }
  connections.set(server, taken)
  server.on('connection', (socket) => {
    taken.count += 1
    taken.open.add(socket)
    socket.once('close', () => taken.open.delete(socket))
  })
  const exchanges = new WeakMap<Socket, { incoming: IncomingMessage; outgoing: ServerResponse }>()
  const answer = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    exchanges.set(incoming.socket, { incoming, outgoing })
    handler(incoming, outgoing).catch(() => outgoing.destroy())
  }
  server.on('request', answer)
  // What else a client expects beside `100-continue` is its own affair.
  server.on('checkExpectation', answer)
  server.on('clientError', refuse)
  server.setTimeout(IDLE_MILLISECONDS, (socket) => {
    const exchange = exchanges.get(socket)
    // What waits for us (a large file on its way to the disk) is not idle.
    const isOurs = exchange?.incoming.complete === true && !exchange.outgoing.headersSent
    if (!isOurs) socket.destroy()
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(new ConfigError(complaintOf(error, host, port), { cause: error }))
    })
    server.listen(port, host, resolve)
  })
  return server
}

/**
 * Takes no new connections, and waits for the requests under way.
 *
 * @param server - a server that listens
 */
export async function stopListening(server: Server): Promise<void> {
  const taken = connections.get(server) ?? { open: new Set(), count: 0 }
  // The system resets what it holds for a server that leaves, and Node takes in one connection a turn.
  const started = performance.now()
  for (let count = -1; count !== taken.count && performance.now() - started < ARRIVAL_MILLISECONDS; ) {
    count = taken.count
    await sleep(QUIET_MILLISECONDS)
    // However late that was, there has been one more turn then.
    await nextTurn()
  }
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  // Browsers open connections ahead; Node waits for those on which nothing was ever asked.
  for (const socket of taken.open) if (socket.bytesRead === 0) socket.destroy()
  const impatience = setTimeout(() => server.closeAllConnections(), STOP_MILLISECONDS)
  await closed
  clearTimeout(impatience)
}

function complaintOf({ code = '', message }: NodeJS.ErrnoException, host: string, port: number): string {
  if (code === 'EADDRINUSE') return `port ${port} of ${host} is in use: set PORT to another one`
  if (code === 'EACCES') return `PORT: port ${port} is not for everybody; set one above 1023`
  return `HOST: expected an address of this machine, received ${host} (${code || message})`
}
