/** Failed sign-ins, counted by the address that they come from. */

import { networkOf } from './rates.js'

const FAILURES_MAX = 10
const WINDOW_MILLISECONDS = 60_000

export interface Attempts {
  /**
   * Counts an attempt as failed, before it is known, so that many at once are as many as one after the other. Gives 0,
   * or the seconds to wait where there were too many; then it must not be made.
   */
  begin(address: string | undefined, now: Date): number
  /** Takes back the latest: it did not fail. */
  succeed(address: string | undefined): void
}

type Failures = Map<string, number[]>

/** Begins to count, for one process. */
export function createAttempts(): Attempts {
  // Of this minute, and of the one before: older ones are forgotten all at once, however many there are.
  let [current, previous]: [Failures, Failures] = [new Map(), new Map()]
  let startedAt = 0
  return {
    begin(address, now) {
      const [key, time] = [networkOf(address), now.getTime()]
      // What a clock dated into a time to come would be recent until then.
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
