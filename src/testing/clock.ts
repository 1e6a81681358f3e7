/** The clock of a service in a test. */

import type { WaitingClock } from '../api/client/clock.js'

/** What the service takes for the time: when things were posted, when keys and limits end, how long a client waits. */
export interface TestClock {
  /** The service's time. */
  readonly now: Date
  /** Sets the clock forward, as if so many milliseconds had passed. Whoever waits until then waits no longer. */
  advance(milliseconds: number): void
  /** Stops the clock at a time: from then on it goes forward by `advance` alone. */
  set(time: Date | string | number): void
}

/** Both hands of a clock: the one that tests turn, and the one that clients wait by. */
export interface Clock {
  readonly clock: TestClock
  readonly waiting: WaitingClock
}

/**
 * Makes a clock that goes with the machine's.
 *
 * @returns the clock
 */
export function createClock(): Clock {
  let ahead = 0
  let stopped: number | null = null
  const now = (): number => stopped ?? Date.now() + ahead
  const waiters = new Set<() => void>()
  const turned = (): void => {
    for (const waiter of [...waiters]) waiter()
  }
  const clock: TestClock = {
    get now() {
      return new Date(now())
    },
    advance(milliseconds) {
      if (!Number.isFinite(milliseconds) || milliseconds < 0) {
        throw new TypeError(`advance: expected milliseconds, received ${milliseconds}`)
      }
      if (stopped === null) ahead += milliseconds
      else stopped += milliseconds
      turned()
    },
    set(time) {
      const date = new Date(time)
      if (Number.isNaN(date.getTime())) throw new TypeError(`set: expected a time, received ${time}`)
      stopped = date.getTime()
      turned()
    },
  }
  const hands: Hands = { now, waiters, isStopped: () => stopped !== null }
  return {
    clock,
    waiting: {
      now,
      pause: (milliseconds, signal) => waitUntil(now() + milliseconds, hands, signal),
      until: (time, signal) => waitUntil(time, hands, signal),
    },
  }
}

interface Hands {
  readonly now: () => number
  /** Told whenever the clock is turned. */
  readonly waiters: Set<() => void>
  readonly isStopped: () => boolean
}

function waitUntil(end: number, { now, waiters, isStopped }: Hands, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const leave = (): void => {
      clearTimeout(timer)
      waiters.delete(look)
      signal?.removeEventListener('abort', abort)
    }
    const abort = (): void => {
      leave()
      reject(signal?.reason)
    }
    const look = (): void => {
      clearTimeout(timer)
      if (now() >= end) {
        leave()
        resolve()
      } else if (!isStopped()) timer = setTimeout(look, end - now())
    }
    if (signal?.aborted === true) return reject(signal.reason)
    waiters.add(look)
    signal?.addEventListener('abort', abort, { once: true })
    look()
  })
}
