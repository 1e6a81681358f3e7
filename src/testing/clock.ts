/** The clock of a service in a test. */

/** What the service takes for the time: when things were posted, when keys and limits end. */
export interface TestClock {
  /** The service's time. */
  readonly now: Date
  /** Sets the clock forward, as if so many milliseconds had passed. */
  advance(milliseconds: number): void
  /** Stops the clock at a time. */
  set(time: Date | string | number): void
}

/**
 * Makes a clock that goes with the machine's.
 *
 * @returns the clock
 */
export function createClock(): TestClock {
  let ahead = 0
  let stopped: number | null = null
  return {
    get now() {
      return new Date(stopped ?? Date.now() + ahead)
    },
    advance(milliseconds) {
      if (!Number.isFinite(milliseconds) || milliseconds < 0) {
        throw new TypeError(`advance: expected milliseconds, received ${milliseconds}`)
      }
      if (stopped === null) ahead += milliseconds
      else stopped += milliseconds
    },
    set(time) {
      const date = new Date(time)
      if (Number.isNaN(date.getTime())) throw new TypeError(`set: expected a time, received ${time}`)
      stopped = date.getTime()
    },
  }
}
