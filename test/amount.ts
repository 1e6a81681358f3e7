/**
 * The amount of work of the tests: a part in `npm test`, everything if `CI` is set, as in `.ci/run`. `properties/property.ts` sets the
 * number of runs of properties.
 */

import { seededRandom } from './reference/generate.js'

const { CI = '', SEED } = process.env

/** Whether the tests run in full. */
export const isThorough: boolean = CI !== ''

const random = seededRandom(SEED === undefined ? Date.now() : Number(SEED))

/**
 * Draws a number of items, other ones in each run (`SEED` repeats them), in their order. Returns all items if the tests run in
 * full. The name of a test must name its item.
 */
export function partOf<Item>(items: readonly Item[], count: number): readonly Item[] {
  if (isThorough) return items
  const drawn = items.map((item) => ({ item, key: random() })).toSorted((one, other) => one.key - other.key)
  const chosen = new Set(drawn.slice(0, count).map(({ item }) => item))
  return items.filter((item) => chosen.has(item))
}
