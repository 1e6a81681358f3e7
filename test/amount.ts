/**
 * The amount of work of the tests: a part in `npm test`, every list and every tool if `CI` is set, as in `.ci/run`, and many more
 * random samples in `npm run long`, which sets `LONG`.
 */

import { seededRandom } from './random.js'

const { CI = '', LONG = '', SEED } = process.env

/** Whether lists are run in full, and with every tool. */
export const isThorough: boolean = CI !== '' || LONG !== ''

/** Whether random tests draw many samples. */
export const isLong: boolean = LONG !== ''

const random = seededRandom(SEED === undefined ? Date.now() : Number(SEED))

/**
 * Draws a number of items at random and keeps their order. `SEED` repeats a run. Returns all items if the tests run in
 * full. The name of a test must name its item.
 */
export function partOf<Item>(items: readonly Item[], count: number): readonly Item[] {
  if (isThorough) return items
  const drawn = items.map((item) => ({ item, key: random() })).toSorted((one, other) => one.key - other.key)
  const chosen = new Set(drawn.slice(0, count).map(({ item }) => item))
  return items.filter((item) => chosen.has(item))
}
