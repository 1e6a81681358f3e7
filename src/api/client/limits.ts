/** Rate limits on the client's side: reads the RateLimit headers (httpapi draft 10) and Retry-After, and waits. */

import { notify } from '../../chunks.js'
import type { ResponseHeaders } from './fetch.js'
import type { WaitingClock } from './waiting.js'

/** A rate limit that was reached. */
export interface Limit {
  /** The service's name for the limit. */
  readonly name: string
  /** Milliseconds until the next call is sent. */
  readonly wait: number
  /** 429 if a call was rejected; otherwise the call succeeded and used up the limit. */
  readonly status: number
}

/** The rate limit that some calls share. */
export interface RateLimiter {
  /**
   * Waits until a call may be sent, and returns null. If the pause is longer than the given milliseconds and than the window
   * of the limit, returns the pause at once.
   */
  acquire(signal: AbortSignal | undefined, patience: number): Promise<number | null>
  /** Records the response of a call; null if there was none. */
  update(response: { readonly status: number; readonly headers: ResponseHeaders } | null): void
}

/** The state of a limit in a response. */
interface Allowance {
  readonly name: string
  readonly remaining: number
  /** Seconds until the limit is reset. */
  readonly reset: number
}

/** Creates a rate limiter that lets calls pass until a response reports a limit. Errors that `onLimit` throws are ignored. */
export function createRateLimiter(onLimit: ((limit: Limit) => void) | undefined, clock: WaitingClock): RateLimiter {
  const known = { remaining: Number.POSITIVE_INFINITY, resetAt: 0, burst: Number.POSITIVE_INFINITY, window: 0 }
  let running = 0
  return {
    async acquire(signal, patience) {
      for (let now = clock.now(); known.remaining <= 0; now = clock.now()) {
        const pause = known.resetAt - now
        if (pause > Math.max(patience, known.window)) return pause
        if (pause > 0) await clock.until(known.resetAt, signal)
        // Only as many of the waiting calls pass as the limit allows in its window.
        else Object.assign(known, { remaining: known.burst, resetAt: now + known.window })
      }
      known.remaining -= 1
      running += 1
      return null
    },
    update(response) {
      running -= 1
      if (response === null) return
      const { status, headers } = response
      const policy = /;q=(\d+);w=(\d+)/.exec(headers.get('ratelimit-policy') ?? '')
      if (policy !== null) Object.assign(known, { burst: Number(policy[1]), window: Number(policy[2]) * 1000 })
      const allowance = tightest(headers.get('ratelimit') ?? '')
      const seconds = status === 429 ? Math.max(allowance?.reset ?? 0, retryAfter(headers) ?? 0) : allowance?.reset
      if (seconds === undefined) return
      // This response did not count the calls that are still running.
      known.remaining = status === 429 ? 0 : (allowance?.remaining ?? 0) - running
      known.resetAt = clock.now() + seconds * 1000
      const isReached = status === 429 || allowance?.remaining === 0
      const limit = { name: allowance?.name ?? 'requests', wait: seconds * 1000, status }
      if (isReached) notify(() => onLimit?.(limit))
    },
  }
}

/** Finds the limit with the least left, and among equals the one that is reset last. */
function tightest(header: string): Allowance | undefined {
  const all = [...header.matchAll(/"([^"]*)"((?:\s*;\s*\w+=[^;,]*)*)/g)].flatMap(([, name = '', parameters = '']) => {
    const remaining = /;\s*r=(\d+)/.exec(parameters)?.[1]
    const reset = /;\s*t=(\d+)/.exec(parameters)?.[1]
    return remaining === undefined ? [] : [{ name, remaining: Number(remaining), reset: Number(reset ?? 0) }]
  })
  return all.sort((one, other) => one.remaining - other.remaining || other.reset - one.reset)[0]
}

/** Reads the seconds of Retry-After; undefined if a response has none. */
export function retryAfter(headers: ResponseHeaders): number | undefined {
  const value = headers.get('retry-after')?.trim() ?? ''
  if (/^\d+$/.test(value)) return Number(value)
  const time = Date.parse(value)
  // A date is relative to the server's clock.
  const now = Date.parse(headers.get('date') ?? '')
  return Number.isNaN(time) ? undefined : Math.max(0, time - (Number.isNaN(now) ? Date.now() : now)) / 1000
}
