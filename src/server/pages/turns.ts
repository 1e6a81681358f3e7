/** One request's turns on the only thread that all of them share. */

import { ownTurn } from '../../api/service/turn.js'

/** As much source as is read and drawn in a few milliseconds: a small request waits for several turns of a large one. */
const TURN_BYTES = 8000

export class Turns {
  /** How long the work took so far, waiting aside. */
  milliseconds = 0
  #bytes = 0

  /** Does a piece of the work, which is about so many bytes, and lets others have a turn where there was much. */
  async take<Result>(bytes: number, work: () => Result): Promise<Result> {
    const started = performance.now()
    const result = work()
    this.milliseconds += performance.now() - started
    this.#bytes += bytes
    if (this.#bytes < TURN_BYTES) return result
    this.#bytes = 0
    await ownTurn()
    return result
  }
}
