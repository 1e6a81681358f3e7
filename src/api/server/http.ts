/** Node's http on one side, the service's requests and answers on the other. */

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Answer, IncomingRequest } from '../service/options.js'

/** After an early answer the rest of the body is read and dropped for so long, so that the client sees the answer. */
const LINGER_MILLISECONDS = 5_000

/**
 * Makes a request of what Node received.
 *
 * @param incoming - what Node received
 * @param siteUrl - what paths are below
 * @param trustsProxy - whether a proxy in front says where requests come from
 * @returns the request, or null where it is none that can be answered
 */
export function requestOf(incoming: IncomingMessage, siteUrl: string, trustsProxy: boolean): IncomingRequest | null {
  const { method = 'GET', url: target = '/', headers } = incoming
  const url = target.startsWith('/') ? siteUrl + target : target
  if (!URL.canParse(url)) return null
  return {
    method,
    url,
    address: addressOf(incoming, trustsProxy),
    headers: { get: (name) => headerOf(headers[name.toLowerCase()]), has: (name) => name.toLowerCase() in headers },
    // Whoever stops reading it leaves the connection open for the answer.
    body: hasBody(incoming) ? { [Symbol.asyncIterator]: () => incoming.iterator({ destroyOnReturn: false }) } : null,
  }
}

/** The last address is the one that our own proxy has seen; those before it are what it was told. */
function addressOf({ socket, headers }: IncomingMessage, trustsProxy: boolean): string {
  const forwarded = trustsProxy ? headerOf(headers['x-forwarded-for'])?.split(',').at(-1)?.trim() : undefined
  return forwarded || (socket.remoteAddress ?? '')
}

function headerOf(value: string | readonly string[] | undefined): string | null {
  return typeof value === 'object' ? value.join(', ') : (value ?? null)
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/**
 * Sends an answer.
 *
 * @param answer - what to send
 * @param incoming - the request, whose body may not have been read to its end
 * @param outgoing - where to
 */
export async function send(answer: Answer, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const { status, headers, body } = answer
  // Node lets go of the socket when it is done with the answer.
  const { socket } = incoming
  outgoing.once('finish', () => linger(incoming, socket))
  if (body instanceof ReadableStream) {
    outgoing.writeHead(status, headers)
    // A client that goes away, or a file that breaks off, ends the connection: the length that was promised is not met.
    await pipeline(Readable.from(body), outgoing).catch(() => outgoing.destroy())
  } else if (body === null) {
    outgoing.writeHead(status, headers).end()
  } else {
    outgoing.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) })
    outgoing.end(incoming.method === 'HEAD' ? undefined : body)
  }
}

function linger(incoming: IncomingMessage, socket: Socket): void {
  // A client that went away waits for nothing, and has no socket any more.
  if (incoming.complete || incoming.destroyed) return
  const timer = setTimeout(() => {
    if (!incoming.complete) socket.destroy()
  }, LINGER_MILLISECONDS)
  incoming.once('close', () => clearTimeout(timer))
  incoming.resume()
}
