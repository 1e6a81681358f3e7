/**
 * The starts of requests: a few in each turn of the event loop, and the callers take turns. Otherwise the requests of many
 * connections share a turn, which then takes long; and Node accepts only one new connection in each turn.
 */
export class Starts {
  readonly #most: number
  /** The starts in this turn. */
  #count = 0
  readonly #waiting = new Map<string, (() => void)[]>()

  /** @param most - the starts in one turn */
  constructor(most: number) {
    this.#most = most
  }

  /** Starts a request of a caller at once, or when it is the caller's turn if the result is a promise. */
  take(caller: string): Promise<void> | null {
    if (this.#count === 0) setImmediate(this.#next)
    if (this.#count < this.#most) {
      this.#count += 1
      return null
    }
    const queue = this.#waiting.get(caller) ?? []
    this.#waiting.set(caller, queue)
    return new Promise((resolve) => queue.push(resolve))
  }

  readonly #next = (): void => {
    this.#count = 0
    // A map keeps the order of insertion: the first caller is the one whose turn was the longest time ago.
    for (const [caller, queue] of this.#waiting) {
      if (this.#count === this.#most) break
      this.#count += 1
      queue.shift()?.()
      this.#waiting.delete(caller)
      // The caller comes again after all others, in this turn if there are few.
      if (queue.length > 0) this.#waiting.set(caller, queue)
    }
    if (this.#count > 0) setImmediate(this.#next)
  }
}
