/** Times of tasks, for tests of growth. */

import { expect } from 'vitest'

/** The number of measurements. */
const LOOKS = 3

/**
 * Returns the least time of a task, in milliseconds. Other work of the machine must not count: the clock includes other programs, and
 * the CPU time includes the engine's threads. So it takes the smaller of both, and the best of a few measurements.
 *
 * @param options - `enough`: a time that is small enough to stop measuring
 */
export function leastTimeOf(task: () => unknown, { enough = 0 }: { enough?: number } = {}): number {
  let least = Number.POSITIVE_INFINITY
  for (let look = 0; look < LOOKS && least > enough; look += 1) {
    const [used, start] = [process.cpuUsage(), performance.now()]
    task()
    const elapsed = performance.now() - start
    const { user, system } = process.cpuUsage(used)
    least = Math.min(least, elapsed, (user + system) / 1000)
  }
  return least
}

/** The limit of a task. */
export interface Limit {
  readonly milliseconds: number
  /** A busy machine is slower: there, the limit is this multiple of the time of `ordinary`. */
  readonly times: number
  readonly ordinary: () => unknown
}

/** Expects a task to take less than its limit. */
export function expectToBeFast(task: () => unknown, { milliseconds, times, ordinary }: Limit): void {
  const time = leastTimeOf(task, { enough: milliseconds })
  if (time >= milliseconds) expect(time).toBeLessThan(times * leastTimeOf(ordinary))
}
