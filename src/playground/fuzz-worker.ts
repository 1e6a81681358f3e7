/** The script of a worker, which the page starts on a click: it checks 10,000 random trees with fast-check. */

import { check, property } from 'fast-check'
import { anyTree } from '../arbitraries/index.js'
import { normalize, parse, stringify } from '../index.js'
import type { FuzzReport } from './fuzz.js'

const TREE_COUNT = 10_000
const TREES_PER_REPORT = 250

/** A tree that is written and parsed again equals its normal form (§8). */
const roundTrip = property(anyTree, (tree) => {
  const parsed = parse(stringify(tree), { position: false })
  return JSON.stringify(parsed) === JSON.stringify(normalize(tree).tree)
})

let failureCount = 0
for (let treeCount = TREES_PER_REPORT; treeCount <= TREE_COUNT; treeCount += TREES_PER_REPORT) {
  const { failed, counterexample } = check(roundTrip, { numRuns: TREES_PER_REPORT })
  if (failed) failureCount += 1
  if (failed) console.error(JSON.stringify(counterexample))
  postMessage({ treeCount, failureCount, isOver: treeCount === TREE_COUNT } satisfies FuzzReport)
}
