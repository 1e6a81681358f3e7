/** Waiting, by the machine's clock or by the clock of a test service. */

import { untilAborted } from '../../chunks.js'

export interface WaitingClock {
  /** Milliseconds since 1970. */
  now(): number
  /** Waits until a time. If the signal aborts before, throws its reason. */
  until(time: number, signal: AbortSignal | undefined): Promise<void>
}

/** The property of a test service's `fetch` that holds the clock. */
export const CLOCK: unique symbol = Symbol.for('blockmark.clock')

/** Returns the clock of a `fetch`; by default the machine's. */
export function clockOf(fetch: (object & { readonly [CLOCK]?: WaitingClock }) | undefined): WaitingClock {
  return fetch?.[CLOCK] ?? machineClock
}

/** The clock for every `fetch` that is not a test service's. */
export const machineClock: WaitingClock = {
  now: () => Date.now(),
  until: (time, signal) => pause(time - Date.now(), signal),
}

/** Waits for the given milliseconds. If the signal aborts before, throws its reason. */
export function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const waiting = new Promise<void>((resolve) => {
    if (signal?.aborted !== true) timer = setTimeout(resolve, Math.min(milliseconds, TIMER_MAX))
  })
  return untilAborted(waiting, signal).finally(() => clearTimeout(timer))
}

/** Maximum delay of `setTimeout`: a timer with a longer delay fires at once. */
export const TIMER_MAX = 2_147_483_647
