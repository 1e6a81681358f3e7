/** What a client waits by: the machine's time, or that of a service in a test. */

export interface WaitingClock {
  /** Milliseconds since 1970. */
  now(): number
  /** Waits so many milliseconds; the signal ends it early, with its reason. */
  pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void>
  /** Waits for a time. */
  until(time: number, signal: AbortSignal | undefined): Promise<void>
}

/** Where a `fetch` that is no network has its clock. */
export const CLOCK: unique symbol = Symbol.for('blockmark.clock')

/** The clock that goes with a `fetch`; the machine's where it has none. */
export function clockOf(
  fetch: (typeof globalThis.fetch & { readonly [CLOCK]?: WaitingClock }) | undefined,
): WaitingClock {
  return fetch?.[CLOCK] ?? machineClock
}

const machineClock: WaitingClock = {
  now: () => Date.now(),
  pause,
  until: (time, signal) => pause(time - Date.now(), signal),
}

function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) return reject(signal.reason)
    const abort = (): void => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const end = (): void => {
      signal?.removeEventListener('abort', abort)
      resolve()
    }
    const timer = setTimeout(end, Math.min(milliseconds, TIMER_MAX))
    signal?.addEventListener('abort', abort, { once: true })
  })
}

/** A timer that is set for longer goes off at once. */
export const TIMER_MAX = 2_147_483_647
