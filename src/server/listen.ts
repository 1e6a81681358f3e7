/** Node's http server and its time limits. */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Connection, type Turn } from './admission/connection.js'
import { type Config, ConfigError } from './config.js'
import { refuse } from './http.js'

const HEADERS_MILLISECONDS = 10_000
const IDLE_MILLISECONDS = 30_000
/** Longer than proxies keep theirs (mostly 60 s), so that none of them sends a request on one that we just ended. */
const KEEP_ALIVE_MILLISECONDS = 75_000
/** Connections that wait to be taken in, where the system lets as many; one that finds no place is reset. */
const BACKLOG = 4096
/** How long running requests may take to finish when the server stops. */
const STOP_MILLISECONDS = 10_000
/** Clients that have connected are accepted first: until none comes for this number of turns, or for this time. */
const QUIET_TURNS = 3
const ARRIVAL_MILLISECONDS = 1000
/** How long a request on a kept connection may take to arrive. */
const IDLE_GRACE_MILLISECONDS = 500

interface Connections {
  readonly open: Map<Socket, Connection>
  /** How many there were so far. */
  count: number
}

const connections = new WeakMap<Server, Connections>()

export type Handler = (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>

/** Starts to listen. Throws ConfigError, which names the variable, if the IP address or the port is not available. */
export async function listen(
  { host, port }: Pick<Config, 'host' | 'port'>,
  handler: Handler,
  variable = 'PORT',
): Promise<Server> {
  // An upload has no total time limit, only its pauses have.
  const server = createServer({
    headersTimeout: HEADERS_MILLISECONDS,
    requestTimeout: 0,
    connectionsCheckingInterval: 1000,
    // Without a host it is answered as every other wrong request.
    requireHostHeader: false,
    keepAliveTimeout: KEEP_ALIVE_MILLISECONDS,
  })
  const taken: Connections = { open: new Map(), count: 0 }
  connections.set(server, taken)
  const begin = ({ incoming, outgoing }: Turn): void => {
    handler(incoming, outgoing).catch(() => outgoing.destroy())
  }
  server.on('connection', (socket) => {
    taken.count += 1
    taken.open.set(socket, new Connection(socket, begin))
    socket.once('close', () => taken.open.delete(socket))
  })
  const answer = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    taken.open.get(incoming.socket)?.add({ incoming, outgoing })
  }
  server.on('request', answer)
  // The body's reader sends 100 Continue.
  server.on('checkContinue', answer)
  // Other expectations are ignored.
  server.on('checkExpectation', answer)
  server.on('clientError', refuse)
  server.setTimeout(IDLE_MILLISECONDS, (socket) => {
    const turn = taken.open.get(socket)?.turn ?? null
    // A connection that waits for the server (for example, to store a large file) is not idle; a body has its own clock.
    const isOurs = turn !== null && !turn.outgoing.headersSent
    if (!isOurs) socket.destroy()
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(new ConfigError(complaintOf(error, host, port, variable), { cause: error }))
    })
    server.listen({ port, host, backlog: BACKLOG }, resolve)
  })
  return server
}

/** A server that is on its way to its end. */
export interface Stopping {
  /**
   * No client can connect any more. No response is sent until then: a client that gets one sends again, and those that have
   * connected would never all be taken in.
   */
  readonly closed: Promise<void>
  /** Resolves when all requests have been answered. */
  readonly ended: Promise<void>
}

/** Takes no new connections but those that are there, and waits for the requests under way. */
export function stopListening(server: Server): Stopping {
  const taken = connections.get(server) ?? { open: new Map(), count: 0 }
  let end: () => void = () => undefined
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  const closed = takeIn(taken).then(() => {
    // Node's own `close` would end the connections that it believes to be idle, and a request may be on its way on each.
    NetServer.prototype.close.call(server, end)
    const idling = setInterval(() => endIdle(server, taken), IDLE_GRACE_MILLISECONDS)
    const impatience = setTimeout(() => server.closeAllConnections(), STOP_MILLISECONDS)
    void ended.then(() => [clearInterval(idling), clearTimeout(impatience)])
  })
  return { closed, ended }
}

function endIdle(server: Server, { open }: Connections): void {
  server.closeIdleConnections()
  // Browsers open connections ahead, on which nothing is ever asked.
  for (const socket of open.keys()) if (socket.bytesRead === 0) socket.destroy()
}

/** Accepts all clients that have connected: the system would reset them, and Node accepts one in each turn. */
async function takeIn(taken: Connections): Promise<void> {
  const started = performance.now()
  for (let quiet = 0; quiet < QUIET_TURNS && performance.now() - started < ARRIVAL_MILLISECONDS; quiet += 1) {
    const { count } = taken
    await nextTurn()
    if (taken.count > count) quiet = -1
  }
}

function complaintOf({ code }: NodeJS.ErrnoException, host: string, port: number, variable: string): string {
  if (code === 'EADDRINUSE') return `port ${port} of ${host} is in use: set ${variable} to another one`
  if (code === 'EACCES') return `${variable}: port ${port} needs privileges; set one above 1023`
  return `HOST: expected an address of this machine, received ${host} (${code})`
}
