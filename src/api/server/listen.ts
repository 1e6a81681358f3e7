/** Node's http server: what it waits for, and how long. */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { type Config, ConfigError } from './config.js'
import { refuse } from './http.js'

const HEADERS_MILLISECONDS = 10_000
const IDLE_MILLISECONDS = 30_000

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

function complaintOf({ code = '', message }: NodeJS.ErrnoException, host: string, port: number): string {
  if (code === 'EADDRINUSE') return `port ${port} of ${host} is in use: set PORT to another one`
  if (code === 'EACCES') return `PORT: port ${port} is not for everybody; set one above 1023`
  return `HOST: expected an address of this machine, received ${host} (${code || message})`
}
