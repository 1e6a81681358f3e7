/** Properties of every value in a template: it keeps its position, and the tree around it does not depend on it. */

import fc from 'fast-check'
import { expect } from 'vitest'
import { paragraph, root } from '../../src/author/builders.js'
import { md } from '../../src/author/template.js'
import { BlockmarkError } from '../../src/errors.js'
import { parse, toText } from '../../src/index.js'
import type { NodeType, Root } from '../../src/tree.js'
import { stringify } from '../../src/write/stringify.js'
import { expectedIn, places } from '../places.js'
import { nodesOf } from './example.js'
import { property } from './property.js'
import { same } from './same.js'
import { comparableOf } from './serialization.js'
import { hostileHref, hostileText, source } from './sources.js'
import { expectedFrom, fill, MARK } from './template.js'

/** Placeholders of values while the literal parts are parsed, and their characters. */
const word = fc.constantFrom('Q0Q', 'Q1Q', 'QQ0QQ', 'Q0:Q', 'Q', '0', '0Q', ':Q', 'QQ')

const value: fc.Arbitrary<string> = fc.oneof(
  { arbitrary: source, weight: 6 },
  { arbitrary: hostileText, weight: 2 },
  { arbitrary: hostileHref, weight: 1 },
  { arbitrary: fc.tuple(word, source).map((parts) => parts.join('')), weight: 1 },
)

const inPlace = fc
  .tuple(value, fc.constantFrom(...places))
  .map(([each, place]) => ({ sources: [each] as const, place }))

const literal = fc.oneof({ arbitrary: source, weight: 5 }, { arbitrary: word, weight: 1 })

/** A value, and the literal parts around it. */
const inTemplate = fc
  .tuple(value, fc.array(literal, { minLength: 2, maxLength: 4 }))
  .map(([each, literals]) => ({ sources: [each, ...literals] as const }))

property('the tree around a value does not depend on it', inPlace, ({ sources: [v], place }) => {
  same(place.write(v), expectedIn(place, v), place.name)
})

property('the written template has no markup of the value, and all of its text', inPlace, ({ sources: [v], place }) => {
  const tree = place.write(v)
  const source = stringify(tree)
  const written = parse(source, { position: false })
  const comparable = (text: string): string => comparableOf(tree)(text).replace(/[\u2063•]/g, '')
  same(comparable(toText(written)), comparable(toText(tree)), place.name)
  // The normal form removes markup, and never adds any.
  const tame = countsOf(place.write('a'))
  for (const [type, count] of countsOf(written)) {
    if (count > (tame.get(type) ?? 0)) throw new Error(`${place.name}: ${count} × ${type} in ${JSON.stringify(source)}`)
  }
})

/** Counts the nodes of each type that only markup makes. Formatting counts once for each type, because a break splits it. */
function countsOf(tree: Root): Map<NodeType, number> {
  const counts = new Map<NodeType, number>()
  for (const { type } of nodesOf(tree)) {
    if (['root', 'paragraph', 'text', 'break'].includes(type)) continue
    const isFormatting = ['strong', 'emphasis', 'underline', 'delete'].includes(type)
    counts.set(type, isFormatting ? 1 : (counts.get(type) ?? 0) + 1)
  }
  return counts
}

property(
  'the tree around a value does not depend on it in any template',
  inTemplate,
  ({ sources: [v, ...literals] }) => {
    if (literals.some((each) => each.includes(MARK))) return
    const marked = fill(literals, MARK)
    const tree = attempt(() => fill(literals, v))
    const ids = nodesOf(marked).flatMap((node) =>
      node.type === 'mention' ? [node.userID] : node.type === 'file' ? [node.fileID] : [],
    )
    // Not every string is a valid id.
    if (tree instanceof BlockmarkError)
      expect([tree.code, ids.some((id) => id.includes(MARK))]).toEqual(['tree/field', true])
    else same(tree, expectedFrom(marked, v), JSON.stringify(literals))
  },
  { cost: 4 },
)

property(
  'a word as a value has the same tree as in the source',
  inTemplate,
  ({ sources: [, ...literals] }) => {
    // After the opening parenthesis of a link, a value is a whole URL.
    if (literals.slice(0, -1).some((each) => each.endsWith(']('))) return
    same(fill(literals, 'W0W'), parse(literals.join('W0W'), { position: false }), JSON.stringify(literals))
  },
  { cost: 4 },
)

property('the text is that of the literal parts and the value between them', inPlace, ({ sources: [v] }) => {
  same(toText(md`a ${v} b`), toText(root(paragraph('a ', v, ' b'))), '')
})

function attempt(write: () => Root): Root | BlockmarkError {
  try {
    return write()
  } catch (error) {
    if (error instanceof BlockmarkError) return error
    throw error
  }
}
