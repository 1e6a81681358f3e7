/** Converts Node's requests: rejects those that are not valid, reads bodies, and finds the IP addresses of clients. */

import type { IncomingMessage, ServerResponse } from 'node:http'
import { isIPv4, isIPv6 } from 'node:net'
import type { Logger } from 'pino'
import { ApiError } from '../../api/contract/errors.js'
import { sentences } from '../../api/contract/sentences.js'
import type { SiteRequest } from '../request-context.js'

/** Converts a request of Node. The `address` is the client's IP address, if known. */
export function requestOf(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { siteUrl, address }: { readonly siteUrl: string; readonly address: string | undefined },
): SiteRequest {
  const { method = 'GET', headers } = incoming
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
  return {
    ...{ method, address, url: siteUrl + targetOf(incoming) },
    headers: { get: (name) => headers[name.toLowerCase()]?.toString() ?? null },
    body: hasBody ? bodyOf(incoming, outgoing) : null,
    // If the client has gone away already, no event follows.
    onSent: (work) => void (outgoing.closed ? work() : outgoing.once('close', work)),
  }
}

/** Headers that may occur only once: if there were two, a proxy might read the one that this service ignores. */
const SINGLE_HEADERS = ['host', 'authorization', 'content-type', 'idempotency-key'] as const

/** Matches paths that are certainly in their normal form. Nearly all requests have such a path. */
const PLAIN = /^(?:\/[\w-]+)+$/

/** Returns the error of a request whose path or headers are not valid or contradict each other; null if they are valid. */
export function problemOf(incoming: IncomingMessage, siteUrl: string): ApiError | null {
  const { headers, rawHeaders, httpVersion } = incoming
  const isAnyRepeated = rawHeaders.length > 2 * Object.keys(headers).length
  const repeatedName = isAnyRepeated && SINGLE_HEADERS.find((name) => (incoming.headersDistinct[name]?.length ?? 0) > 1)
  if (typeof repeatedName === 'string') return unreadable(`Send the header ${repeatedName} only once.`)
  // HTTP/1.1 requires a Host header (RFC 9112, 3.2).
  if (headers.host === undefined && httpVersion === '1.1') return unreadable()
  const coding = headers['transfer-encoding']?.toLowerCase()
  // A proxy may see another end of this body, and so another next request on the connection (RFC 9112, 6.1).
  if (coding !== undefined && (coding !== 'chunked' || httpVersion !== '1.1')) {
    return unreadable('Send the body as it is, with its Content-Length or in chunks of HTTP/1.1.', {
      connection: 'close',
    })
  }
  const target = targetOf(incoming)
  if (PLAIN.test(target)) return null
  if (!URL.canParse(siteUrl + target)) return unreadable()
  // The path must be in its normal form: a proxy's rule for `/metrics` would not match `/x/../metrics`.
  if (target.replace(/\?.*$/s, '') === new URL(siteUrl + target).pathname) return null
  return unreadable('Send the path in its normal form, without `.`, `..` and `\\`.')
}

/** Returns the error for a request that is not valid HTTP. */
export function unreadable(
  message = 'Send a request of HTTP/1.1, with a Host and a target that is a URL.',
  headers: Readonly<Record<string, string>> = {},
): ApiError {
  return new ApiError('invalid_request', message, { headers })
}

/** Returns the path and query of a request. The request of a proxy may have the whole URL (RFC 9112, 3.2.2). */
function targetOf({ url = '/' }: IncomingMessage): string {
  if (url.startsWith('/')) return url
  const target = url.replace(/^\w+:\/\/[^/?#\\]*/, '')
  return target === '' || target.startsWith('?') ? `/${target}` : target
}

/** Whether a client still waits for `100 Continue` before it sends the body. */
export function isExpecting({ headers, readableDidRead }: IncomingMessage): boolean {
  return headers.expect?.toLowerCase() === '100-continue' && !readableDidRead
}

/** Maximum milliseconds between two parts of a body. */
const IDLE_MILLISECONDS = 30_000

/**
 * Yields the parts of a body; it can be read only once. The first read asks a client that waits (`Expect:
 * 100-continue`) for the body. If the reader stops early, the rest is dropped, and the connection stays open for the response.
 */
export async function* bodyOf(incoming: IncomingMessage, outgoing: ServerResponse): AsyncGenerator<Uint8Array> {
  if (isExpecting(incoming)) outgoing.writeContinue()
  // Most bodies are small and have arrived completely. Reading them at once takes a fraction of the time of an iterator.
  if (incoming.complete) {
    const body: Uint8Array | null = incoming.read()
    incoming.resume()
    if (body !== null) yield body
    return
  }
  const idleError = (): ApiError =>
    new ApiError('timeout', sentences.idle(IDLE_MILLISECONDS / 1000), { headers: { connection: 'close' } })
  // Each part has all bytes that have arrived: a client may send chunks of one byte, and a part for each would be slow.
  const parts: AsyncIterator<Uint8Array> = incoming.iterator({ destroyOnReturn: false })
  try {
    for (;;) {
      const { done, value } = await within(IDLE_MILLISECONDS, parts.next(), idleError)
      if (done === true) return
      yield value
    }
  } finally {
    void parts.return?.().then(() => incoming.resume())
  }
}

/** Waits for a result for at most the given milliseconds, and then throws `errorOf()`. */
export async function within<Result>(
  milliseconds: number,
  work: Promise<Result>,
  errorOf: () => Error,
): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(errorOf()), milliseconds)
  })
  try {
    return await Promise.race([work, timeout])
  } finally {
    clearTimeout(timer)
  }
}

/** The parts of Node's request that contain the address. */
interface AddressSource {
  readonly socket: { readonly remoteAddress?: string | undefined }
  readonly headers: IncomingMessage['headers']
}

/**
 * Creates the function that finds the IP address of a client. Each proxy appends the address that it sees to
 * X-Forwarded-For. Only the addresses that the operator's proxies appended are used: the client may have sent those before them. If the
 * header cannot be used, all clients of a proxy share one limit; the log says so once.
 *
 * @param proxies - the number of proxies in front, 0 for none
 */
export function clientAddresses(
  proxies: number,
  log: Pick<Logger, 'warn'>,
): (incoming: AddressSource) => string | undefined {
  let isLogged = false
  return ({ socket, headers }) => {
    const ownAddress = readAddress(socket.remoteAddress ?? '') ?? undefined
    const forwardedFor = headers['x-forwarded-for']
    if (forwardedFor === undefined) return ownAddress
    const addresses = String(forwardedFor).split(',')
    // A request that passed fewer proxies than usual has fewer addresses.
    const address = proxies === 0 ? null : readAddress(addresses[Math.max(0, addresses.length - proxies)] ?? '')
    if (address === null && !isLogged) {
      isLogged = true
      const why = proxies === 0 ? 'X-Forwarded-For arrived while TRUST_PROXY is off' : 'X-Forwarded-For cannot be read'
      log.warn(`${why}: all clients of a proxy share one limit`)
    }
    return address ?? ownAddress
  }
}

/** Parses an IP address, with or without port, brackets and quotes; null if not valid. IPv4-mapped IPv6 addresses count as IPv4. */
export function readAddress(text: string): string | null {
  const match = /^"?(?:\[([^\]]+)\](?::\d+)?|([\d.]+):\d+|([^"]*))"?$/.exec(text.trim())
  const address = match?.[1] ?? match?.[2] ?? match?.[3] ?? ''
  if (isIPv4(address)) return address
  if (!isIPv6(address)) return null
  const mappedMatch = /^0:0:0:0:0:ffff:(\w+):(\w+)$/.exec(groupsOf(address).join(':'))
  if (mappedMatch === null) return address
  const groups = mappedMatch.slice(1).map((group) => Number.parseInt(group, 16))
  return groups.flatMap((group) => [group >> 8, group & 0xff]).join('.')
}

/** Returns an IPv4 address as it is, and the /64 network of an IPv6 address, because one client may have all of it. */
export function networkOf(address = ''): string {
  return isIPv6(address) ? groupsOf(address).slice(0, 4).join(':') : address
}

/** Returns the eight groups of an IPv6 address. */
function groupsOf(address: string): readonly string[] {
  // A URL has the shortest form, in which `::` replaces groups of zeros.
  const { hostname } = new URL(`http://[${address.replace(/%.*$/, '')}]`)
  const [start = [], end = []] = hostname
    .slice(1, -1)
    .split('::')
    .map((groups) => groups.split(':').filter((group) => group !== ''))
  return [...start, ...Array(8 - start.length - end.length).fill('0'), ...end]
}
