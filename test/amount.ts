/**
 * How much is tried: little while somebody works on the project (`npm test`), all of it where `CI` is set, as `.ci/run` does. How often
 * properties run is `properties/property.ts`'s.
 */

import { seededRandom } from './reference/generate.js'

const { CI = '', SEED } = process.env

/** Whether all of it is tried. */
export const isThorough: boolean = CI !== ''

const random = seededRandom(SEED === undefined ? Date.now() : Number(SEED))

/**
 * So many of what there is to try, each time others (`SEED` gives the same again), in their order; all of it where all is tried.
 * Whoever takes them says in the name of the test which one it is about.
 */
export function partOf<Item>(items: readonly Item[], count: number): readonly Item[] {
  if (isThorough) return items
  const drawn = items.map((item) => ({ item, key: random() })).toSorted((one, other) => one.key - other.key)
  const chosen = new Set(drawn.slice(0, count).map(({ item }) => item))
  return items.filter((item) => chosen.has(item))
}
