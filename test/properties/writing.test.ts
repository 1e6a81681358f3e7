/** The laws of writing (§8), for every string and for every tree. */

import { isDeepStrictEqual } from 'node:util'
import { wildTree } from '../../src/arbitraries/trees.js'
import { normalize, parse, stringify, toText } from '../../src/index.js'
import type { Root } from '../../src/tree.js'
import { checkLaws, withoutSpace } from './laws.js'
import { property } from './property.js'
import { source } from './sources.js'
import { checkTree } from './tree.js'

const sources = source.map((each) => ({ sources: [each] as const }))
const trees = wildTree.map((tree) => ({ sources: [], tree }))

property(
  'parse(stringify(parse(s))) = parse(s), and normalize has nothing to say of it',
  sources,
  ({ sources: [input] }) => {
    const parsed = parse(input, { position: false })
    same(parse(stringify(parsed), { position: false }), parsed, { input })
    same(normalize(parse(input)), { tree: parsed, messages: [] }, { input })
  },
  { cost: 1 / 2 },
)

property(
  'a tree is written as normalize says, which is idempotent, and keeps its text and the formatting of each character',
  trees,
  ({ tree }) => {
    checkLaws(tree)
  },
  { cost: 4 },
)

property(
  'toText(stringify(parse(s))) = toText(s) up to white space',
  sources,
  ({ sources: [input] }) => {
    same(withoutSpace(toText(stringify(parse(input)))), withoutSpace(toText(input)), { input })
  },
  { cost: 16 },
)

property(
  'normalize has something to say exactly where something changes',
  trees,
  ({ tree }) => {
    const normal = normalize(tree)
    same(normal.messages.length === 0, isDeepStrictEqual(normal.tree, tree), { tree, normal })
  },
  { cost: 16 },
)

property(
  'a normal tree is one of §5, in the normal form of §4',
  trees,
  ({ tree }) => {
    checkTree(parse(stringify(tree)))
  },
  { cost: 16 },
)

property(
  'stringify and normalize never change their argument',
  trees,
  ({ tree }) => {
    const before = structuredClone(tree)
    normalize(tree)
    stringify(tree)
    same(tree, before, {})
  },
  { cost: 16 },
)

function same(received: unknown, expected: unknown, given: { [name: string]: unknown; tree?: Root }): void {
  if (isDeepStrictEqual(received, expected)) return
  throw new Error(`${JSON.stringify(received)}\nis not ${JSON.stringify(expected)}\nfor ${JSON.stringify(given)}`)
}
