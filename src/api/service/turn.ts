/** Turns on the event loop, which all requests share. */

import { setImmediate as nextTurn } from 'node:timers/promises'

let latest: Promise<void> = Promise.resolve()

/** Resolves in a turn that no other caller gets: two large requests in the same turn would delay all others. */
export function ownTurn(): Promise<void> {
  latest = latest.then(() => nextTurn())
  return latest
}

/** Bytes of source for one turn, a few milliseconds: a small request waits for several turns of a large one. */
const TURN_BYTES = 8000

/** The turns of one request. */
export class Turns {
  /** The cost of the request so far: its time on the thread, and its share of the database's time. */
  milliseconds = 0
  #bytes = 0

  /** Runs a part of the work on about this many bytes, and yields to the event loop after enough bytes. */
  async take<Result>(bytes: number, work: () => Result): Promise<Result> {
    const started = performance.now()
    try {
      return work()
    } finally {
      this.milliseconds += performance.now() - started
      this.#bytes += bytes
      if (this.#bytes >= TURN_BYTES) await this.yield()
    }
  }

  /** Waits for the next free turn. */
  async yield(): Promise<void> {
    this.#bytes = 0
    await ownTurn()
  }
}
