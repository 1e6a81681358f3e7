/** Times of tasks, for tests of growth. */

import { expect } from 'vitest'

/** The maximum number of measurements. */
const MEASUREMENTS_MAX = 8

/**
 * Returns the time of a task, in milliseconds. Other work of the machine must not count: the clock includes other programs, and
 * the CPU time includes the engine's threads. So it takes the smaller of both.
 */
function timeOf(task: () => unknown): number {
  const [used, start] = [process.cpuUsage(), performance.now()]
  task()
  const elapsed = performance.now() - start
  const { user, system } = process.cpuUsage(used)
  return Math.min(elapsed, (user + system) / 1000)
}

/**
 * Returns the least time of a task in a few measurements, in milliseconds.
 *
 * @param options - `enough`: a time that is small enough to stop measuring
 */
export function leastTimeOf(task: () => unknown, { enough = 0 }: { enough?: number } = {}): number {
  let least = Number.POSITIVE_INFINITY
  for (let measurement = 0; measurement < (enough > 0 ? MEASUREMENTS_MAX : 3) && least > enough; measurement += 1)
    least = Math.min(least, timeOf(task))
  return least
}

/** The limit of a task. */
export interface Limit {
  readonly milliseconds: number
  /** A busy machine is slower: there, the limit is this multiple of the time of `ordinary`. */
  readonly times: number
  readonly ordinary: () => unknown
}

/** Expects a task to take less than its limit, in one of a few measurements. Each is compared with the same moment's `ordinary`. */
export function expectToBeFast(task: () => unknown, { milliseconds, times, ordinary }: Limit): void {
  let least = Number.POSITIVE_INFINITY
  for (let measurement = 0; measurement < MEASUREMENTS_MAX && least >= times; measurement += 1) {
    const time = timeOf(task)
    if (time < milliseconds) return
    least = Math.min(least, time / timeOf(ordinary))
  }
  expect(least, 'the time, as a multiple of the ordinary time').toBeLessThan(times)
}
