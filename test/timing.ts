/** How long something takes, for the tests of what grows with its input. */

import { expect } from 'vitest'

/** How often it is looked at. */
const LOOKS = 3

/**
 * The least time that a task takes, in milliseconds. What else the machine does is no property of the task: the clock
 * counts other programs, the processor's time counts the threads of the engine, so the smaller of both is taken, and the
 * best of a few looks.
 *
 * @param options - `enough`: a time that is little enough to look no further
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

/** What a task may take. */
export interface Limit {
  readonly milliseconds: number
  /** A machine that is busy takes longer for everything: there, so many times what this takes. */
  readonly times: number
  readonly ordinary: () => unknown
}

/** Expects a task to take less than its limit. */
export function expectToBeFast(task: () => unknown, { milliseconds, times, ordinary }: Limit): void {
  const time = leastTimeOf(task, { enough: milliseconds })
  if (time >= milliseconds) expect(time).toBeLessThan(times * leastTimeOf(ordinary))
}
