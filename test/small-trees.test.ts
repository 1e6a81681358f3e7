/** The laws of writing (§8) for every small tree, none left out. */

import { expect, test } from 'vitest'
import type { Phrasing, Root } from '../src/tree.js'
import { isThorough } from './amount.js'
import { checkLaws } from './properties/laws.js'
import { isNested, parents, rootOf, thickets } from './thickets.js'

/** A letter, a space, what is meant as text and looks like markup, a separator, a line ending, and what is no text. */
const leaves: readonly Phrasing[] = [
  ...['a', ' ', '*', '_', '\u2063'].map((value): Phrasing => ({ type: 'text', value })),
  { type: 'break' },
  { type: 'inlineCode', value: 'a' },
]

/** Every row of nodes with so many nodes in all. */
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

/** What all of them take: a writer that spells one of them worse, or loses more of it, takes more of something. */
interface Taken {
  trees: number
  characters: number
  backslashes: number
  separators: number
  /** What `normalize` says, by its rule. */
  messages: Record<string, number>
}

const sizes = [
  [1, leaves, { trees: 12, characters: 13, backslashes: 0, separators: 1, messages: { empty: 11, space: 3 } }],
  [
    2,
    leaves,
    {
      trees: 203,
      characters: 532,
      backslashes: 3,
      separators: 49,
      messages: { adjacent: 32, empty: 233, nested: 4, space: 81 },
    },
  ],
  [
    3,
    leaves,
    {
      trees: 4_121,
      characters: 18_348,
      backslashes: 144,
      separators: 1_996,
      messages: { adjacent: 922, empty: 5_806, nested: 272, separator: 6, space: 1_913 },
    },
  ],
  [
    4,
    leaves.filter((leaf) => leaf.type === 'text' && /[a*\u2063]/.test(leaf.value)),
    {
      trees: 28_472,
      characters: 184_052,
      backslashes: 2_308,
      separators: 24_966,
      messages: { adjacent: 5_689, empty: 63_672, nested: 6_584, separator: 178, space: 3_985 },
    },
  ],
] as const

test.each(isThorough ? sizes : sizes.slice(0, 3))(
  'every paragraph of %i nodes',
  { timeout: 300_000 },
  (size, leaves, expected) => {
    const roots = function* (): Generator<Root> {
      for (const children of rows(size, leaves)) {
        if (!children.some((node) => isNested(node))) yield rootOf(children)
      }
    }
    expect(takenBy(roots())).toEqual(expected)
  },
)

function takenBy(trees: Iterable<Root>): Taken {
  const taken: Taken = { trees: 0, characters: 0, backslashes: 0, separators: 0, messages: {} }
  for (const tree of trees) {
    const { written, messages } = checkLaws(tree)
    taken.trees += 1
    taken.characters += written.length
    taken.backslashes += written.split('\\').length - 1
    taken.separators += written.split('\u2063').length - 1
    for (const { ruleId } of messages) taken.messages[ruleId] = (taken.messages[ruleId] ?? 0) + 1
  }
  return taken
}

test('paragraphs of separators and delimiters, drawn with one seed', { timeout: 300_000 }, () => {
  const taken = takenBy(thickets(1, isThorough ? 1_997 : 400))
  if (!isThorough) return
  expect(taken).toEqual({
    trees: 1_997,
    characters: 60_689,
    backslashes: 2_236,
    separators: 7_925,
    messages: { adjacent: 3_474, empty: 153, nested: 1_216, separator: 347, space: 227 },
  })
})
