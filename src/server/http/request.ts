/** Node's requests as the service sees them: what is rejected before any work, and how a body is read. */

import type { IncomingMessage, ServerResponse } from 'node:http'
import { ApiError } from '../../api/contract/errors.js'
import { sentences } from '../../api/contract/sentences.js'
import { errorWithoutRequest, type TextResponse } from '../../api/rules/response.js'
import type { SiteRequest } from '../request-context.js'

/** Makes a request of the service from a request of Node that `refusalOf` accepts. */
export function requestOf(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { siteUrl, address }: { readonly siteUrl: string; readonly address: string | undefined },
): SiteRequest {
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

/** Headers that may occur only once: of two, a proxy might read the one that this service ignores. */
const SINGLE = ['host', 'authorization', 'content-type', 'idempotency-key'] as const

/** Returns the response to a request whose headers are contradictory or not valid; null if they are valid. */
export function refusalOf(incoming: IncomingMessage, siteUrl: string): TextResponse | null {
  const { headers, rawHeaders, httpVersion } = incoming
  const isAnyRepeated = rawHeaders.length > 2 * Object.keys(headers).length
  const repeated = isAnyRepeated && SINGLE.find((name) => (incoming.headersDistinct[name]?.length ?? 0) > 1)
  if (typeof repeated === 'string') return unreadable(`Send the header ${repeated} only once.`)
  // HTTP/1.1 requires a Host header (RFC 9112, 3.2).
  const isHostMissing = headers.host === undefined && httpVersion === '1.1'
  if (isHostMissing) return unreadable()
  const isPlain = PLAIN.test(incoming.url ?? '')
  if (!isPlain && !URL.canParse(urlOf(incoming, siteUrl))) return unreadable()
  if (!isPlain && !isNormal(incoming, siteUrl))
    return unreadable('Send the path in its normal form, without `.`, `..` and `\\`.')
  const coding = headers['transfer-encoding']?.toLowerCase()
  if (coding === undefined || (coding === 'chunked' && httpVersion === '1.1')) return null
  // Rejected: a proxy may see another end of this body, and so another next request on the connection (RFC 9112, 6.1).
  const refusal =
    httpVersion === '1.1'
      ? errorWithoutRequest(new ApiError('unsupported_media_type', sentences.encoded))
      : unreadable()
  return { ...refusal, headers: { ...refusal.headers, connection: 'close' } }
}

/** Matches paths that are certainly in their normal form. Nearly all requests have such a path. */
const PLAIN = /^(?:\/[\w-]+)+$/

/** The response to a request that is not valid HTTP. */
export function unreadable(
  message = 'Send a request of HTTP/1.1, with a Host and a target that is a URL.',
): TextResponse {
  return errorWithoutRequest(new ApiError('invalid_request', message))
}

/** Whether the path is written as it is understood. Otherwise, a rule of a proxy for `/metrics` would not see `/x/../metrics`. */
function isNormal(incoming: IncomingMessage, siteUrl: string): boolean {
  return (targetOf(incoming).replace(/\?.*$/s, '') || '/') === new URL(urlOf(incoming, siteUrl)).pathname
}

/** The path and query that a request asks for. A proxy's request may have the whole URL (RFC 9112, 3.2.2). */
export function targetOf({ url = '/' }: IncomingMessage): string {
  return url.replace(/^\w+:\/\/[^/?#]*/, '')
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

/** Whether a client still waits for `100 Continue` before it sends the body. */
export function isExpecting({ headers, readableDidRead }: IncomingMessage): boolean {
  return headers.expect?.toLowerCase() === '100-continue' && !readableDidRead
}

/** The longest pause within a body. */
const IDLE_MILLISECONDS = 30_000

/**
 * Yields the parts of a body; it can be read only once. A client that waits with its body (`Expect: 100-continue`) is asked
 * for it with the first read. If the reader stops early, the rest is dropped and the connection stays open for the response;
 * Node's own iterator either ends the connection or keeps the rest.
 */
export async function* bodyOf(incoming: IncomingMessage, outgoing: ServerResponse): AsyncGenerator<Uint8Array> {
  if (isExpecting(incoming)) outgoing.writeContinue()
  let wake: () => void = () => undefined
  const onEvent = (): void => wake()
  for (const event of EVENTS) incoming.on(event, onEvent)
  try {
    while (!incoming.readableEnded) {
      // Reads everything that has arrived as one part, because a client may send chunks of one byte.
      const part: Uint8Array | null = incoming.read()
      if (part !== null) yield part
      else if (incoming.destroyed) throw new Error('the connection ended')
      else await eventBefore(IDLE_MILLISECONDS, (next) => (wake = next))
    }
  } finally {
    for (const event of EVENTS) incoming.off(event, onEvent)
    incoming.resume()
  }
}

/** The events of a body that end a wait. */
const EVENTS = ['readable', 'end', 'error', 'close'] as const

/** Waits until the function that `listen` gets is called. Throws `timeout` if that takes too long. */
function eventBefore(milliseconds: number, listen: (next: () => void) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const message = sentences.idle(milliseconds / 1000)
    const expire = (): void => reject(new ApiError('timeout', message, { headers: { connection: 'close' } }))
    const timer = setTimeout(expire, milliseconds)
    listen(() => {
      clearTimeout(timer)
      resolve()
    })
  })
}
