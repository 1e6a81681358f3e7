/** The IP address of a client, directly or behind proxies. */

import type { IncomingMessage } from 'node:http'
import { isIPv4, isIPv6 } from 'node:net'
import type { Logger } from 'pino'

/** The parts of Node's request that contain the address. */
interface Addressed {
  readonly socket: { readonly remoteAddress?: string | undefined }
  readonly headers: IncomingMessage['headers']
}

/**
 * Makes the function that finds the IP address of a client. Each proxy appends the address that it sees to
 * X-Forwarded-For; the addresses before those of our own proxies come from the request and prove nothing. If the header
 * cannot be used, all clients of a proxy share one limit; the log says so once.
 *
 * @param proxies - the number of proxies in front, 0 for none
 */
export function clientAddresses(
  proxies: number,
  log: Pick<Logger, 'warn'>,
): (incoming: Addressed) => string | undefined {
  let isNoted = false
  return ({ socket, headers }) => {
    const own = readAddress(socket.remoteAddress ?? '') ?? undefined
    const forwarded = headers['x-forwarded-for']
    if (forwarded === undefined) return own
    const addresses = String(forwarded).split(',')
    // A request that passed fewer proxies than usual has fewer addresses.
    const address = proxies === 0 ? null : readAddress(addresses[Math.max(0, addresses.length - proxies)] ?? '')
    if (address === null && !isNoted) {
      isNoted = true
      const why = proxies === 0 ? 'X-Forwarded-For arrived while TRUST_PROXY is off' : 'X-Forwarded-For cannot be read'
      log.warn(`${why}: all clients of a proxy share one limit`)
    }
    return address ?? own
  }
}

/** Reads an address with or without a port, brackets and quotes. An IPv4-mapped IPv6 address counts as IPv4. */
export function readAddress(text: string): string | null {
  const found = /^"?(?:\[([^\]]+)\](?::\d+)?|([\d.]+):\d+|([^"]*))"?$/.exec(text.trim())
  const address = found?.[1] ?? found?.[2] ?? found?.[3] ?? ''
  if (isIPv4(address)) return address
  if (!isIPv6(address)) return null
  // A URL writes the last four bytes of a mapped address as two groups: `::ffff:c000:201`.
  const { hostname } = new URL(`http://[${address.replace(/%.*$/, '')}]`)
  const mapped = /^\[::ffff:([\da-f]+):([\da-f]+)\]$/.exec(hostname)
  if (mapped === null) return address
  return mapped
    .slice(1)
    .flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 0xff])
    .join('.')
}
