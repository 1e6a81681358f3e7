/** The laws of writing (§8) for every small tree, none left out. */

import { expect, test } from 'vitest'
import { delimiters } from '../src/delimiters.js'
import type { Phrasing, Root } from '../src/tree.js'
import { checkLaws } from './properties/laws.js'

/** A letter, a space, what is meant as text and looks like markup, a separator, a line ending, and what is no text. */
const leaves: readonly Phrasing[] = [
  ...['a', ' ', '*', '_', '\u2063'].map((value): Phrasing => ({ type: 'text', value })),
  { type: 'break' },
  { type: 'inlineCode', value: 'a' },
]

const parents: readonly ((children: Phrasing[]) => Phrasing)[] = [
  ...delimiters.map(
    ({ node }) =>
      (children: Phrasing[]): Phrasing => ({ type: node, children }),
  ),
  // A link in a link is not of §5; the other laws see to those.
  (children) => ({ type: 'link', url: 'xy:z', title: null, children: children as never }),
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

function rootOf(children: Phrasing[]): Root {
  return { type: 'root', children: [{ type: 'paragraph', children }] }
}

function isNested(node: Phrasing, isInLink = false): boolean {
  if (!('children' in node)) return false
  const isLink = node.type === 'link'
  return (isLink && isInLink) || node.children.some((child) => isNested(child, isInLink || isLink))
}

test.each([
  [1, leaves, 12],
  [2, leaves, 203],
  [3, leaves, 4_121],
  [4, leaves.filter((leaf) => leaf.type === 'text' && /[a*\u2063]/.test(leaf.value)), 28_472],
] as const)('every paragraph of %i nodes', { timeout: 300_000 }, (size, leaves, count) => {
  let checked = 0
  for (const children of rows(size, leaves)) {
    if (children.some((node) => isNested(node))) continue
    checkLaws(rootOf(children))
    checked += 1
  }
  expect(checked).toBe(count)
})
