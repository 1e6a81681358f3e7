/**
 * The package and the reference parser (`reference/`) return the same trees for random strings. `SEED` and `RUNS` in
 * the environment replay a run or make it longer.
 */

import { test } from 'vitest'
import { isLong } from './amount.js'
import { differenceOn } from './reference/differential.js'
import { randomSource, seededRandom } from './reference/generate.js'

const { SEED, RUNS } = process.env
const seed = SEED === undefined ? Date.now() % 2 ** 32 : Number(SEED)
const runs = RUNS === undefined ? (isLong ? 100_000 : 4_000) : Number(RUNS)

test(`${runs} random strings have the same tree in the package and in the reference parser, SEED=${seed}`, () => {
  const random = seededRandom(seed)
  for (let run = 1; run <= runs; run += 1) {
    const difference = differenceOn(randomSource(random))
    if (difference !== null) throw new Error(`run ${run} of SEED=${seed} ${difference}`)
  }
})
