/** The rate limits of pages, which include their CPU time, and of failed sign-ins. */

import { isIPv6 } from 'node:net'
import { createLimit, type Limit } from '../../api/rules/rate.js'

const PAGES_PER_SECOND = 20

/** Creates the limit of pages of one process; if the limit of requests is 0, pages have no limit either. */
export function createPageLimit(rate: number): Limit {
  return createLimit({ name: 'pages', rate: rate === 0 ? 0 : PAGES_PER_SECOND, burst: 2 * PAGES_PER_SECOND })
}

/** Creates the limit of failed sign-ins of a network: ten, and then one every six seconds. */
export function createSignInLimit(): Limit {
  return createLimit({ name: 'failed sign-ins', rate: 10 / 60, burst: 10 })
}

/** Returns an IPv4 address as it is, and the /64 network of an IPv6 address, because one client may have all of it. */
export function networkOf(address = ''): string {
  if (!isIPv6(address)) return address
  // A URL has the shortest form, in which `::` replaces groups of zeros.
  const short = new URL(`http://[${address.replace(/%.*$/, '')}]`).hostname.slice(1, -1)
  const zeros = '0:'.repeat(9 - short.split(':').length)
  return short.replace('::', `:${zeros}`).replace(/^:/, '0:').split(':').slice(0, 4).join(':')
}
