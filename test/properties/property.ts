/**
 * Declares properties: the number of runs, the replay of a run, and the text of a failure. `RUNS` in the environment sets the
 * number of runs, `SEED` and `REPLAY` repeat the values that a failure printed:
 *
 *     SEED=-1204 REPLAY=17:0:1 npm test -- html.test.ts -t 'both routes'
 */

import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { RenderOptions } from '../../src/index.js'
import { isLong } from '../amount.js'
import { exampleOf } from './example.js'

const { REPLAY, RUNS, SEED } = process.env

/** The number of runs of a cheap property. */
const runs: number = RUNS !== undefined ? Number(RUNS) : isLong ? 50_000 : 500

/** The given seed. Without a seed, each run draws other samples. */
export const seeded: { readonly seed?: number } = SEED === undefined ? {} : { seed: Number(SEED) }

/** The given seed and path. */
const replayed: { readonly seed?: number; readonly path?: string } = {
  ...seeded,
  ...(REPLAY !== undefined && { path: REPLAY }),
}

/** The input of a property: sources, and callbacks if it renders. */
export interface Sample {
  sources: readonly string[]
  options?: RenderOptions
}

export interface MostlyOptions extends PropertyOptions {
  /** The allowed share of counterexamples, by default 1 of 2,000. */
  share?: number
}

export interface PropertyOptions {
  /** The cost compared with a cheap property: it runs that many times less often. */
  cost?: number
}

/**
 * Declares a test that a property holds for all samples.
 *
 * @param name - the statement of the property
 * @param samples - the source of the samples
 * @param check - throws if the property does not hold
 * @param options - the cost of the property
 */
export function property<Some extends Sample>(
  name: string,
  samples: fc.Arbitrary<Some>,
  check: (sample: Some) => void,
  { cost = 1 }: PropertyOptions = {},
): void {
  const numRuns = Math.ceil(runs / cost)
  test(name, () => {
    const details = fc.check(fc.property(samples, check), { numRuns, ...replayed })
    if (details.failed) throw new Error(report(details), { cause: details.errorInstance })
  })
}

/**
 * Declares a test that a property holds for nearly all samples, for example if a search is bounded.
 *
 * @param holds - returns whether the property holds for a sample
 */
export function mostly<Some extends Sample>(
  name: string,
  samples: fc.Arbitrary<Some>,
  holds: (sample: Some) => boolean,
  { cost = 8, share = 1 / 2000 }: MostlyOptions = {},
): void {
  const numRuns = Math.ceil(runs / cost)
  test(name, () => {
    const failed: Some[] = []
    const check = (sample: Some): void => {
      if (!holds(sample)) failed.push(sample)
    }
    const details = fc.check(fc.property(samples, check), { numRuns, ...replayed })
    if (details.failed) throw new Error(report(details), { cause: details.errorInstance })
    const [first] = failed
    if (first !== undefined) {
      const count = `${failed.length} of ${numRuns} samples (SEED=${details.seed})`
      console.log(`${name}: not in ${count}, such as ${fc.stringify(first)}`)
    }
    expect(failed.length).toBeLessThanOrEqual(2 + numRuns * share)
  })
}

function report<Some extends Sample>(details: fc.RunDetails<[Some]>): string {
  const { counterexample, counterexamplePath, errorInstance, numRuns, numShrinks, seed } = details
  const [sample] = counterexample ?? []
  const { sources = [], options, ...others } = sample ?? {}
  return [
    `does not hold (run ${numRuns}, shrunk ${numShrinks} times): ${String(errorInstance)}`,
    `replay: SEED=${seed} REPLAY=${counterexamplePath}`,
    `sources: ${fc.stringify(sources)}`,
    ...(Object.keys(others).length > 0 ? [`with: ${fc.stringify(others)}`] : []),
    ...sources.map((source) => exampleOf(source, options)),
  ].join('\n\n')
}
