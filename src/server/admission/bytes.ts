/** One budget of bytes for request bodies and responses in progress. */

import { totalmem } from 'node:os'
import { type Caller, overloaded } from './slots.js'

const MEBIBYTE = 2 ** 20

/** Returns a quarter of the memory that the process may use, at most 256 MiB. */
export function bytesMax(): number {
  // If the process has no limit, `constrainedMemory` returns 0, or a number far above the memory of any machine.
  const limit = process.constrainedMemory() || Number.POSITIVE_INFINITY
  return Math.min(256 * MEBIBYTE, Math.min(limit, totalmem()) / 4)
}

/** The bytes in progress of one process. */
export class Bytes {
  readonly #most: number
  readonly #held = new Map<string, number>()
  #total = 0

  constructor(most: number) {
    this.#most = most
  }

  /**
   * Reserves bytes for a caller. One caller gets at most a quarter of the budget, except for its first body, which may be
   * larger. Once the budget is exceeded, a caller may hold at most an equal share of it, so callers that hold much cannot
   * exclude the others.
   *
   * @returns the function that gives the bytes back
   * @throws {StoreError} `unavailable` if they do not fit
   */
  take({ name }: Caller, bytes: number): () => void {
    const held = this.#held.get(name) ?? 0
    const isWithinBudget = this.#total + bytes <= this.#most
    // A caller that holds nothing may exceed its share, so that one large body is always possible.
    const share = isWithinBudget ? this.#most / 4 : this.#most / (this.#held.size + 1)
    if (held + bytes > share && !(isWithinBudget && held === 0)) throw overloaded('BYTES_FULL')
    this.#change(name, bytes)
    let isHeld = true
    return () => {
      if (isHeld) this.#change(name, -bytes)
      isHeld = false
    }
  }

  #change(name: string, bytes: number): void {
    const held = (this.#held.get(name) ?? 0) + bytes
    this.#total += bytes
    if (held === 0) this.#held.delete(name)
    else this.#held.set(name, held)
  }
}
