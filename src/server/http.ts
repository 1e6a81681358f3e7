/** Converts Node's requests and responses to those of the service. */

import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { type Duplex, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ApiError } from '../api/contract/errors.js'
import { sentences } from '../api/contract/sentences.js'
import { errorWithoutRequest } from '../api/rules/response.js'
import type { IncomingRequest, ServiceResponse } from '../api/rules/types.js'
import { bodyOf, isExpecting } from './body.js'

/** Milliseconds for which the rest of a body is read and dropped after an early response, so that the client gets the response. */
const LINGER_MILLISECONDS = 5_000
/** The bytes that are dropped in a millisecond, on average: a fast sender would otherwise block the event loop. */
const DROPPED_BYTES = 13_000

/** Makes a request of the service from a request of Node that `refusalOf` accepts. */
export function requestOf(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  siteUrl: string,
  address: string | undefined,
): IncomingRequest {
  const { method = 'GET', headers } = incoming
  return {
    method,
    url: urlOf(incoming, siteUrl),
    address,
    headers: { get: (name) => headerOf(headers[name.toLowerCase()]), has: (name) => name.toLowerCase() in headers },
    body: hasBody(incoming) ? bodyOf(incoming, outgoing) : null,
    onSent: (work) => void outgoing.once('close', work),
  }
}

/** Headers that may occur only once: a proxy might read the other one of two. */
const SINGLE = ['host', 'authorization', 'content-type', 'idempotency-key'] as const

/** Returns the response to a request whose headers are contradictory or not valid; null if they are valid. */
export function refusalOf(incoming: IncomingMessage, siteUrl: string): ServiceResponse | null {
  const { headers, headersDistinct, httpVersion } = incoming
  const repeated = SINGLE.find((name) => (headersDistinct[name]?.length ?? 0) > 1)
  if (repeated !== undefined) return unreadable(`Send the header ${repeated} only once.`)
  // HTTP/1.1 requires a Host header (RFC 9112, 3.2).
  const isHostMissing = headers.host === undefined && httpVersion === '1.1'
  if (isHostMissing || !URL.canParse(urlOf(incoming, siteUrl))) return unreadable()
  if (!isNormal(incoming, siteUrl)) return unreadable('Send the path in its normal form, without `.`, `..` and `\\`.')
  const coding = headers['transfer-encoding']?.toLowerCase()
  if (coding === undefined || (coding === 'chunked' && httpVersion === '1.1')) return null
  // A proxy may see another end of this body, and so another next request on the connection (RFC 9112, 6.1).
  const refusal =
    httpVersion === '1.1'
      ? errorWithoutRequest(new ApiError('unsupported_media_type', sentences.encoded))
      : unreadable()
  return { ...refusal, headers: { ...refusal.headers, connection: 'close' } }
}

/** Whether the path is written as it is understood. Otherwise, a rule of a proxy for `/metrics` would not see `/x/../metrics`. */
function isNormal(incoming: IncomingMessage, siteUrl: string): boolean {
  const path = (incoming.url ?? '/').replace(/^\w+:\/\/[^/?#]*/, '').replace(/\?.*$/s, '')
  return (path || '/') === new URL(urlOf(incoming, siteUrl)).pathname
}

function urlOf({ url = '/' }: IncomingMessage, siteUrl: string): string {
  return url.startsWith('/') ? siteUrl + url : url
}

function headerOf(value: string | readonly string[] | undefined): string | null {
  return value === undefined ? null : String(value)
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/** Sends a response. The body of the request may not have been read to its end. */
export async function send(
  answer: ServiceResponse,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const { status, headers, body } = answer
  // Node detaches the socket when the response is done.
  const { socket } = incoming
  outgoing.once('finish', () => linger(incoming, socket))
  // The client may send the body although the server did not ask for it.
  if (isExpecting(incoming) && !incoming.readableDidRead) outgoing.setHeader('connection', 'close')
  if (body instanceof ReadableStream) {
    outgoing.writeHead(status, headers)
    // If the client goes away or the file breaks off, the connection ends, because the declared length was not sent.
    await pipeline(Readable.from(body), outgoing).catch(() => outgoing.destroy())
  } else if (body === null) {
    outgoing.writeHead(status, headers).end()
  } else {
    outgoing.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) })
    outgoing.end(incoming.method === 'HEAD' ? undefined : body)
  }
}

function linger(incoming: IncomingMessage, socket: Socket): void {
  // A client that went away does not wait for a response, and its socket is closed.
  if (incoming.complete || incoming.destroyed) return
  const timer = setTimeout(() => socket.destroy(), LINGER_MILLISECONDS)
  incoming.once('close', () => clearTimeout(timer))
  const started = performance.now()
  let dropped = 0
  incoming.on('data', (part: Uint8Array) => {
    dropped += part.length
    // A slow machine is late already, and the body must end within the time above.
    const early = dropped / DROPPED_BYTES - (performance.now() - started)
    if (early <= 0) return
    incoming.pause()
    setTimeout(() => incoming.resume(), early)
  })
  incoming.resume()
}

/** The response to a request that is not valid HTTP. */
function unreadable(message = 'Send a request of HTTP/1.1, with a Host and a target that is a URL.'): ServiceResponse {
  return errorWithoutRequest(new ApiError('invalid_request', message))
}

/** The errors of Node's parser that have a specific status. */
const parserStatuses: Readonly<Record<string, number>> = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 }

/** Rejects bytes that are not HTTP, and headers that are too long or too slow, and ends the connection. */
export function refuse({ code = '' }: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || code === 'ECONNRESET') return void socket.destroy()
  const { headers, body } = unreadable()
  const status = parserStatuses[code] ?? 400
  const lines = Object.entries({ ...headers, connection: 'close', 'content-length': String(body).length })
  const head = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines.map(([name, value]) => `${name}: ${value}`)]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}
