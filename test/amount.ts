/**
 * The amount of work of the tests. `npm test` does a part of it. With `CI`, as in `.ci/run`, every list and every tool
 * is tested. With `LONG`, as in `npm run long`, there are many more random samples.
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
