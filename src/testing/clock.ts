/** The clock of a service in a test, which also drives the client's waits. */

import type { WaitingClock } from '../api/client/waiting.js'
import { untilAborted } from '../chunks.js'

/**
 * The clock of the service, for times of posts, idempotency keys, rate limits and the client's waits. Until the test calls
 * `set`, each wait ends at once, and moves the clock forward to the end of the wait.
 */
export interface TestClock {
  /** The service's time. */
  readonly now: Date
  /** Moves the clock forward by the given milliseconds, and ends the waits that are then over. */
  advance(milliseconds: number): void
  /** Sets the time and stops the clock. From then on, only `advance` and `set` move the clock. */
  set(time: Date | string | number): void
}

/** Both sides of a clock: for the test, and for a client that waits. */
export interface Clock {
  readonly clock: TestClock
  readonly waiting: WaitingClock
}

/** Creates a clock that runs with the clock of the machine. */
export function createClock(): Clock {
  let millisecondsAhead = 0
  let stoppedAt: number | null = null
  const now = (): number => stoppedAt ?? Date.now() + millisecondsAhead
  const waits = new Set<{ readonly end: number; readonly resolve: () => void }>()
  const endWaits = (): void => {
    for (const wait of waits) if (now() >= wait.end) wait.resolve()
  }
  const clock: TestClock = {
    get now() {
      return new Date(now())
    },
    advance(milliseconds) {
      if (!Number.isFinite(milliseconds) || milliseconds < 0) {
        throw new TypeError(`advance: expected milliseconds, received ${milliseconds}`)
      }
      if (stoppedAt === null) millisecondsAhead += milliseconds
      else stoppedAt += milliseconds
      endWaits()
    },
    set(time) {
      const date = new Date(time)
      if (Number.isNaN(date.getTime())) throw new TypeError(`set: expected a time, received ${time}`)
      stoppedAt = date.getTime()
      endWaits()
    },
  }
  const until = async (end: number, signal: AbortSignal | undefined): Promise<void> => {
    signal?.throwIfAborted()
    if (stoppedAt === null) return clock.advance(Math.max(0, end - now()))
    if (now() >= end) return
    let wait = { end, resolve: (): void => undefined }
    const waiting = new Promise<void>((resolve) => {
      wait = { end, resolve }
    })
    waits.add(wait)
    await untilAborted(waiting, signal).finally(() => waits.delete(wait))
  }
  return { clock, waiting: { now, until } }
}
