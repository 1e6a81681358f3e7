/** Waiting, by the machine's clock or by that of a service in a test. */

import { untilAborted } from '../../chunks.js'

export interface WaitingClock {
  /** Milliseconds since 1970. */
  now(): number
  /** Waits until a time; the signal ends the wait early, with its reason. */
  until(time: number, signal: AbortSignal | undefined): Promise<void>
}

/** The property of a `fetch` in a test that holds its clock. */
export const CLOCK: unique symbol = Symbol.for('blockmark.clock')

/** Returns the clock of a `fetch`; by default the machine's. */
export function clockOf(fetch: (object & { readonly [CLOCK]?: WaitingClock }) | undefined): WaitingClock {
  return fetch?.[CLOCK] ?? machineClock
}

/** The clock of every `fetch` that is not a test's. */
export const machineClock: WaitingClock = {
  now: () => Date.now(),
  until: (time, signal) => pause(time - Date.now(), signal),
}

/** Waits for the given milliseconds; the signal ends the wait early, with its reason. */
export function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const waiting = new Promise<void>((resolve) => {
    if (signal?.aborted !== true) timer = setTimeout(resolve, Math.min(milliseconds, TIMER_MAX))
  })
  return untilAborted(waiting, signal).finally(() => clearTimeout(timer))
}

/** A timer that is set for longer fires at once. */
export const TIMER_MAX = 2_147_483_647
