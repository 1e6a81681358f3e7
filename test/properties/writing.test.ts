/** Properties of serialization (§8), for every string and for every tree. */

import { isDeepStrictEqual } from 'node:util'
import { unprunedTree } from '../../src/arbitraries/trees.js'
import { normalize, parse, stringify, toText } from '../../src/index.js'
import { property } from './property.js'
import { same } from './same.js'
import { checkSerialization, withoutSpace } from './serialization.js'
import { source } from './sources.js'
import { checkTree } from './tree.js'

const sources = source.map((each) => ({ sources: [each] as const }))
const trees = unprunedTree.map((tree) => ({ sources: [], tree }))

property(
  'parse(stringify(parse(s))) = parse(s), and normalize reports nothing',
  sources,
  ({ sources: [input] }) => {
    const parsed = parse(input, { position: false })
    same(parse(stringify(parsed), { position: false }), parsed, { input })
    same(normalize(parse(input)), { tree: parsed, diagnostics: [] }, { input })
  },
  { cost: 1 / 2 },
)

property(
  'a tree is written as normalize says, which is idempotent, and keeps its text and the formatting of each character',
  trees,
  ({ tree }) => {
    checkSerialization(tree)
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
  'normalize reports a diagnostic exactly if it changes something',
  trees,
  ({ tree }) => {
    const normal = normalize(tree)
    same(normal.diagnostics.length === 0, isDeepStrictEqual(normal.tree, tree), { tree, normal })
  },
  { cost: 16 },
)

property(
  'normalize returns a tree of §5, in the normal form of §4',
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
