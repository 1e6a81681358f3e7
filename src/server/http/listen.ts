/** Node's http server and its time limits. */

import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { errorResponse } from '../../api/rules/response.js'
import { Connection, createArrivalCheck, type PendingRequest } from '../admission/connection.js'
import { type Config, ConfigError } from '../config.js'
import { unreadable } from './request.js'

const HEADERS_MILLISECONDS = 10_000
const IDLE_MILLISECONDS = 30_000
/** Proxies close idle connections earlier (mostly after 60 s), so that no proxy sends a request on a connection that was just closed. */
const KEEP_ALIVE_MILLISECONDS = 75_000
/** Maximum number of connections that wait to be accepted, if the system allows as many. Others are reset. */
const BACKLOG = 4096
/** Milliseconds that running requests may take to finish when the server stops. */
const STOP_MILLISECONDS = 10_000
/** Maximum milliseconds for which a server that stops waits for a quiet iteration of the event loop. */
const QUIET_WAIT_MILLISECONDS = 5_000
/** An iteration of the event loop that takes fewer milliseconds has processed hardly anything. */
const QUIET_MILLISECONDS = 0.1
/** Milliseconds that a request on an open connection may take to arrive while the server stops. */
const IDLE_GRACE_MILLISECONDS = 500

/** The open connections of each server. */
const connections = new WeakMap<Server, Map<Socket, Connection>>()

/** Milliseconds for which the rest of a body is read and dropped after an early response, so that the client gets the response. */
const LINGER_MILLISECONDS = 5_000

type Handler = (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>

/** Starts to listen. Throws ConfigError, which names the variable, if the IP address or the port is not available. */
export async function listen(
  { host, port, variable = 'PORT' }: Pick<Config, 'host' | 'port'> & { readonly variable?: string },
  handler: Handler,
): Promise<Server> {
  // An upload has no total time limit; only its pauses are limited.
  const server = createServer({
    headersTimeout: HEADERS_MILLISECONDS,
    requestTimeout: 0,
    connectionsCheckingInterval: 1000,
    // `problemOf` checks the Host header, so that the response has the same form as for any other invalid request.
    requireHostHeader: false,
    keepAliveTimeout: KEEP_ALIVE_MILLISECONDS,
  })
  const open = new Map<Socket, Connection>()
  connections.set(server, open)
  const begin = ({ incoming, outgoing }: PendingRequest): void => {
    // The socket is kept for `linger`, because Node detaches it when the response is done.
    const { socket } = incoming
    outgoing.once('finish', () => linger(incoming, socket))
    handler(incoming, outgoing).catch(() => outgoing.destroy())
  }
  server.on('connection', (socket) => {
    open.set(socket, new Connection(socket, begin))
    socket.once('close', () => open.delete(socket))
  })
  const addRequest = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    open.get(incoming.socket)?.add({ incoming, outgoing })
  }
  server.on('request', addRequest)
  // A request that waits for 100 Continue is handled like any other: `bodyOf` sends the 100 Continue.
  server.on('checkContinue', addRequest)
  // A request with any other `Expect` header is handled as if it had none.
  server.on('checkExpectation', addRequest)
  server.on('clientError', rejectBytes)
  server.setTimeout(IDLE_MILLISECONDS, (socket) => {
    const request = open.get(socket)?.current ?? null
    // A connection that waits for the server (for example, to store a large file) is not idle; a body has its own time limit.
    const isServerBusy = request !== null && !request.outgoing.headersSent
    if (!isServerBusy) socket.destroy()
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(new ConfigError(listenFailure(error, host, port, variable), { cause: error }))
    })
    server.listen({ port, host, backlog: BACKLOG }, resolve)
  })
  return server
}

/** Drops the rest of a body after its response. */
function linger(incoming: IncomingMessage, socket: Socket): void {
  // Nothing is left to read if the body is complete, or if the client is gone and its socket is closed.
  if (incoming.complete || incoming.destroyed) return
  const timer = setTimeout(() => socket.destroy(), LINGER_MILLISECONDS)
  incoming.once('close', () => clearTimeout(timer))
  incoming.resume()
}

/** Statuses for errors of Node's parser; 400 for all others. */
const parserStatuses: Readonly<Record<string, number>> = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 }

/** Rejects bytes that are not HTTP, and headers that are too long or too slow, and ends the connection. */
function rejectBytes({ code = '' }: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || code === 'ECONNRESET') return void socket.destroy()
  const { headers, body } = errorResponse(unreadable())
  const status = parserStatuses[code] ?? 400
  const lines = Object.entries({ ...headers, connection: 'close', 'content-length': String(body).length })
  const head = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines.map(([name, value]) => `${name}: ${value}`)]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}

/** Stops the server: accepts no more clients, and waits for the requests in progress. */
export async function stopListening(server: Server): Promise<void> {
  const deadline = setTimeout(() => server.closeAllConnections(), STOP_MILLISECONDS)
  const closed = new Promise<false>((resolve) => void server.once('close', () => resolve(false)))
  await quietIteration()
  // Node's own `close` would end connections that it considers idle, although a request may be arriving on each of them.
  NetServer.prototype.close.call(server)
  while (await Promise.race([closed, sleep(IDLE_GRACE_MILLISECONDS, true, { ref: false })])) {
    await quietIteration()
    endIdle(server)
  }
  clearTimeout(deadline)
}

/**
 * Resolves right after an iteration of the event loop that was short and accepted no connection, or after five seconds.
 * The system resets a connection that waits to be accepted when the port closes, and a connection that is closed before its
 * bytes are read. A proxy has mostly sent a request on such a connection, and must not send it to another process.
 */
function quietIteration(): Promise<void> {
  const isArriving = createArrivalCheck()
  const end = performance.now() + QUIET_WAIT_MILLISECONDS
  let start = 0
  return new Promise((resolve) => {
    const resolveIfQuiet = (): void => {
      const now = performance.now()
      const isQuiet = !isArriving() && now - start < QUIET_MILLISECONDS
      start = now
      if (isQuiet || now >= end) resolve()
      else setImmediate(resolveIfQuiet)
    }
    // The first call only starts the measurement: the signal to stop may have come in the middle of an iteration.
    setImmediate(resolveIfQuiet)
  })
}

/** Ends the connections without a request, also those that browsers open ahead and on which no request ever arrives. */
function endIdle(server: Server): void {
  for (const [socket, { isIdle }] of connections.get(server) ?? []) if (isIdle) socket.destroy()
}

function listenFailure({ code }: NodeJS.ErrnoException, host: string, port: number, variable: string): string {
  if (code === 'EADDRINUSE') return `port ${port} of ${host} is in use: set ${variable} to another one`
  if (code === 'EACCES') return `${variable}: port ${port} needs privileges; set one above 1023`
  return `HOST: expected an address of this machine, received ${host} (${code})`
}
