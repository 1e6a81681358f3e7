/** How long something takes, for the tests of what grows with its input. */

/** How often to look, and what is little enough to look no further, in milliseconds. */
export interface Looks {
  looks?: number
  enough?: number
}

/**
 * The least time that a task takes, in milliseconds. What else the machine does is no property of the task: the clock
 * counts other programs, the processor's time counts the threads of the engine, so the smaller of both is taken, and the
 * best of a few looks.
 */
export function leastTimeOf(task: () => unknown, { looks = 5, enough = 0 }: Looks = {}): number {
  let least = Number.POSITIVE_INFINITY
  for (let look = 0; look < looks && least > enough; look += 1) {
    const [used, start] = [process.cpuUsage(), performance.now()]
    task()
    const elapsed = performance.now() - start
    const { user, system } = process.cpuUsage(used)
    least = Math.min(least, elapsed, (user + system) / 1000)
  }
  return least
}
