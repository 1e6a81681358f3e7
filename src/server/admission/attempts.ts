/** Failed sign-ins, counted by IP address. */

import { networkOf } from './rates.js'

const FAILURES_MAX = 10
const WINDOW_MILLISECONDS = 60_000

export interface Attempts {
  /**
   * Counts an attempt as failed before its result is known, so that parallel attempts are counted too. Returns 0, or
   * the number of seconds to wait if there were too many; then the attempt must not be made.
   */
  begin(address: string | undefined, now: Date): number
  /** Removes the latest attempt, which did not fail. */
  succeed(address: string | undefined): void
}

type Failures = Map<string, number[]>

/** Creates the counters of one process. */
export function createAttempts(): Attempts {
  // This minute and the one before: older failures are dropped all at once.
  let [current, previous]: [Failures, Failures] = [new Map(), new Map()]
  let startedAt = 0
  return {
    begin(address, now) {
      const [key, time] = [networkOf(address), now.getTime()]
      // If the clock was set back, failures of the future would stay recent until then.
      if (time < startedAt) current = new Map()
      if (time < startedAt || time - startedAt >= WINDOW_MILLISECONDS) {
        ;[previous, current, startedAt] = [current, new Map(), time]
      }
      const all = [...(previous.get(key) ?? []), ...(current.get(key) ?? [])]
      const recent = all.filter((failed) => time - failed < WINDOW_MILLISECONDS)
      const [oldest = time] = recent
      if (recent.length >= FAILURES_MAX) return Math.max(1, Math.ceil((oldest + WINDOW_MILLISECONDS - time) / 1000))
      current.set(key, [...(current.get(key) ?? []), time])
      return 0
    },
    succeed(address) {
      current.get(networkOf(address))?.pop()
    },
  }
}
