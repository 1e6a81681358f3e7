/** Random bytes, fetched from the system many at a time: one call of it costs more than the rest of a small request. */

import { randomFillSync } from 'node:crypto'

/** Enough that a thread's address can not be guessed. */
export const SHARE_TOKEN_BYTES = 16

const POOL_BYTES = 4096

let pool: Buffer = Buffer.alloc(0)

/**
 * Gives bytes that were never given before.
 *
 * @param size - how many
 * @returns the bytes
 */
export function randomPart(size: number): Buffer {
  // A new pool, not the old one filled anew: parts that were given out are still looked at.
  if (pool.byteLength < size) pool = randomFillSync(Buffer.alloc(POOL_BYTES))
  const part = pool.subarray(0, size)
  pool = pool.subarray(size)
  return part
}
