/** Rate limits from the client's side: what the RateLimit headers (httpapi draft 10) and Retry-After say, and waiting. */

import { tell } from '../../chunks.js'
import type { WaitingClock } from './clock.js'

/** What is told when a limit is reached. */
export interface Limit {
  /** The limit's name, as the service calls it. */
  readonly name: string
  /** Milliseconds until the next call is sent. */
  readonly wait: number
  /** 429 where a call was refused; else the call that used up the limit was the last for now. */
  readonly status: number
}

/** Calls that share a limit. */
export interface Gate {
  /** Waits until a call may be sent. */
  enter(signal: AbortSignal | undefined): Promise<void>
  /** Takes note of an answer; of a call without one, `null`. */
  leave(answer: { readonly status: number; readonly headers: Headers } | null): void
}

/** What an answer says of a limit. */
interface Allowance {
  readonly name: string
  readonly remaining: number
  /** Seconds until all of it is there again. */
  readonly reset: number
}

/** Makes a gate that is open until an answer says otherwise; what `onLimit` throws is nobody's. */
export function createGate(onLimit: ((limit: Limit) => void) | undefined, clock: WaitingClock): Gate {
  const known = { remaining: Number.POSITIVE_INFINITY, resetAt: 0, burst: Number.POSITIVE_INFINITY, window: 0 }
  let underWay = 0
  return {
    async enter(signal) {
      for (let now = clock.now(); known.remaining <= 0; now = clock.now()) {
        if (now < known.resetAt) await clock.until(known.resetAt, signal)
        // Everybody who waited would go at once: only as many do as the limit allows in its window.
        else Object.assign(known, { remaining: known.burst, resetAt: now + known.window })
      }
      known.remaining -= 1
      underWay += 1
    },
    leave(answer) {
      underWay -= 1
      if (answer === null) return
      const { status, headers } = answer
      const policy = /;q=(\d+);w=(\d+)/.exec(headers.get('ratelimit-policy') ?? '')
      if (policy !== null) Object.assign(known, { burst: Number(policy[1]), window: Number(policy[2]) * 1000 })
      const allowance = tightest(headers.get('ratelimit') ?? '')
      const seconds = status === 429 ? Math.max(allowance?.reset ?? 0, retryAfter(headers) ?? 0) : allowance?.reset
      if (seconds === undefined) return
      // What is under way was not counted when this answer was written.
      known.remaining = status === 429 ? 0 : (allowance?.remaining ?? 0) - underWay
      known.resetAt = clock.now() + seconds * 1000
      const isReached = status === 429 || allowance?.remaining === 0
      const limit = { name: allowance?.name ?? 'requests', wait: seconds * 1000, status }
      if (isReached) tell(() => onLimit?.(limit))
    },
  }
}

/** Of several limits the one with the least left; among those the one that takes longest. */
function tightest(header: string): Allowance | undefined {
  const all = [...header.matchAll(/"([^"]*)"((?:\s*;\s*\w+=[^;,]*)*)/g)].flatMap(([, name = '', parameters = '']) => {
    const remaining = /;\s*r=(\d+)/.exec(parameters)?.[1]
    const reset = /;\s*t=(\d+)/.exec(parameters)?.[1]
    return remaining === undefined ? [] : [{ name, remaining: Number(remaining), reset: Number(reset ?? 0) }]
  })
  return all.sort((one, other) => one.remaining - other.remaining || other.reset - one.reset)[0]
}

/** The seconds that a server asks to wait; undefined where it does not say. */
export function retryAfter(headers: Headers): number | undefined {
  const value = headers.get('retry-after')?.trim() ?? ''
  if (/^\d+$/.test(value)) return Number(value)
  const time = Date.parse(value)
  // The server's own clock is what its date is to be read by.
  const now = Date.parse(headers.get('date') ?? '')
  return Number.isNaN(time) ? undefined : Math.max(0, time - (Number.isNaN(now) ? Date.now() : now)) / 1000
}
