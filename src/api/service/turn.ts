/** Turns on the only thread that all requests share. */

import { setImmediate as nextTurn } from 'node:timers/promises'

let latest: Promise<void> = Promise.resolve()

/** Resolves in a turn of one's own: two large requests in the same one keep everybody waiting for both. */
export function ownTurn(): Promise<void> {
  latest = latest.then(() => nextTurn())
  return latest
}
