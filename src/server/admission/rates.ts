/** The pages that one reader may load per second, with the CPU time that they may take, and failed sign-ins. */

import { isIPv6 } from 'node:net'
import { createLimit, type Limit } from '../../api/rules/rate.js'

const PAGES_PER_SECOND = 20

export interface PageLimit extends Pick<Limit, 'take'> {
  /** Charges the CPU time of a page beyond its share of a second. */
  charge(who: string, milliseconds: number): void
}

/** Creates the limit of one process; if the limit of requests is 0, pages have no limit either. */
export function createPageLimit(rate: number): PageLimit {
  if (rate === 0) return { take: () => ({}), charge: () => undefined }
  const limit = createLimit({ name: 'pages', rate: PAGES_PER_SECOND, burst: 2 * PAGES_PER_SECOND })
  return {
    take: limit.take,
    charge: (who, milliseconds) => limit.charge(who, Math.max(0, (milliseconds * PAGES_PER_SECOND) / 1000 - 1)),
  }
}

/** Creates the limit of failed sign-ins of a network: ten, and then one every six seconds. */
export function createSignInLimit(): Limit {
  return createLimit({ name: 'failed sign-ins', rate: 10 / 60, burst: 10 })
}

/** Returns an IPv4 address as it is, and the /64 network of an IPv6 address, since its owner has all of it. */
export function networkOf(address = ''): string {
  if (!isIPv6(address)) return address
  // A URL has the shortest form, in which `::` replaces groups of zeros.
  const short = new URL(`http://[${address.replace(/%.*$/, '')}]`).hostname.slice(1, -1)
  const zeros = '0:'.repeat(9 - short.split(':').length)
  return short.replace('::', `:${zeros}`).replace(/^:/, '0:').split(':').slice(0, 4).join(':')
}
