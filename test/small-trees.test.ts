/** The properties of serialization (§8) for all small trees. */

import { expect, test } from 'vitest'
import type { Phrasing, Root } from '../src/tree.js'
import { isLong } from './amount.js'
import { checkSerialization } from './properties/serialization.js'
import { isNested, parents, rootOf, thickets } from './thickets.js'

/** A letter, a space, text that looks like markup, a separator, a line ending, and a leaf that is not text. */
const leaves: readonly Phrasing[] = [
  ...['a', ' ', '*', '_', '\u2063'].map((value): Phrasing => ({ type: 'text', value })),
  { type: 'break' },
  { type: 'inlineCode', value: 'a' },
]

/** Returns all sequences with the given total number of nodes. */
function* rows(size: number, leaves: readonly Phrasing[]): Generator<Phrasing[]> {
  if (size === 0) yield []
  for (let first = 1; first <= size; first += 1) {
    for (const node of nodes(first, leaves)) for (const rest of rows(size - first, leaves)) yield [node, ...rest]
  }
}

function* nodes(size: number, leaves: readonly Phrasing[]): Generator<Phrasing> {
  if (size === 1) yield* leaves
  for (const children of rows(size - 1, leaves)) for (const parent of parents) yield parent(children)
}

/** Sums over all trees: if one of them is serialized with more escapes or more losses, a sum changes. */
interface Taken {
  trees: number
  characters: number
  backslashes: number
  separators: number
  /** The diagnostics of `normalize`, by rule. */
  diagnosticCounts: Record<string, number>
}

const sizes = [
  [1, leaves, { trees: 12, characters: 13, backslashes: 0, separators: 1, diagnosticCounts: { empty: 11, space: 3 } }],
  [
    2,
    leaves,
    {
      trees: 203,
      characters: 535,
      backslashes: 6,
      separators: 47,
      diagnosticCounts: { adjacent: 32, empty: 230, nested: 4, outside: 4, space: 85 },
    },
  ],
  [
    3,
    leaves,
    {
      trees: 4_121,
      characters: 18_264,
      backslashes: 297,
      separators: 1_774,
      diagnosticCounts: { adjacent: 946, empty: 5_642, nested: 272, outside: 304, space: 2_189 },
    },
  ],
  [
    4,
    leaves.filter((leaf) => leaf.type === 'text' && /[a*\u2063]/.test(leaf.value)),
    {
      trees: 28_472,
      characters: 188_002,
      backslashes: 5_134,
      separators: 23_373,
      diagnosticCounts: { adjacent: 6_417, empty: 59_998, nested: 6_584, outside: 4_708, space: 7_113 },
    },
  ],
] as const

test.each(isLong ? sizes : sizes.slice(0, 3))('every paragraph of %i nodes', (size, leaves, expected) => {
  const roots = function* (): Generator<Root> {
    for (const children of rows(size, leaves)) {
      if (!children.some((node) => isNested(node))) yield rootOf(children)
    }
  }
  expect(takenBy(roots())).toEqual(expected)
})

function takenBy(trees: Iterable<Root>): Taken {
  const taken: Taken = { trees: 0, characters: 0, backslashes: 0, separators: 0, diagnosticCounts: {} }
  for (const tree of trees) {
    const { written, diagnostics } = checkSerialization(tree)
    taken.trees += 1
    taken.characters += written.length
    taken.backslashes += written.split('\\').length - 1
    taken.separators += written.split('\u2063').length - 1
    for (const { ruleId } of diagnostics) taken.diagnosticCounts[ruleId] = (taken.diagnosticCounts[ruleId] ?? 0) + 1
  }
  return taken
}

test('paragraphs of separators and delimiters, drawn with one seed', () => {
  const taken = takenBy(thickets(1, isLong ? 1_997 : 400))
  if (!isLong) return
  expect(taken).toEqual({
    trees: 1_997,
    characters: 59_986,
    backslashes: 3_258,
    separators: 7_305,
    diagnosticCounts: { adjacent: 3_464, empty: 86, nested: 1_216, outside: 782, space: 499 },
  })
})
