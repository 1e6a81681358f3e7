/** How many pages somebody may have in a second, and how much of the processor they may take. */

import { isIPv6 } from 'node:net'
import { createLimit, type Limit } from '../../api/service/rate.js'

const PAGES_PER_SECOND = 20

export interface PageLimit extends Pick<Limit, 'take'> {
  /** Adds what a page took beyond its share of a second. */
  charge(who: string, milliseconds: number): void
}

/** Begins to count, for one process; where the limit of requests is 0 there is none for pages either. */
export function createPageLimit(rate: number): PageLimit {
  if (rate === 0) return { take: () => ({}), charge: () => undefined }
  const limit = createLimit({ name: 'pages', rate: PAGES_PER_SECOND, burst: 2 * PAGES_PER_SECOND })
  return {
    take: limit.take,
    charge: (who, milliseconds) => limit.charge(who, Math.max(0, (milliseconds * PAGES_PER_SECOND) / 1000 - 1)),
  }
}

/** Whoever has one address of IPv6 has the whole network of its first half. */
export function networkOf(address = ''): string {
  if (!isIPv6(address) || address.startsWith('::ffff:')) return address
  return new URL(`http://[${address.replace(/%.*$/, '')}]`).hostname.replace(/^\[(.*)\]$/, (_, short: string) => {
    const [head = '', tail] = short.split('::')
    const first = head === '' ? [] : head.split(':')
    const last = tail === undefined || tail === '' ? [] : tail.split(':')
    const zeros = tail === undefined ? [] : Array(8 - first.length - last.length).fill('0')
    return [...first, ...zeros, ...last].slice(0, 4).join(':')
  })
}
