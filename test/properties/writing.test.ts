/** The laws of writing (§8), for every string and for every tree. */

import { isDeepStrictEqual } from 'node:util'
import { wildTree } from '../../src/arbitraries/trees.js'
import { normalize, parse, stringify, toText } from '../../src/index.js'
import type { Root } from '../../src/tree.js'
import { mostly, property } from './property.js'
import { source } from './sources.js'
import { checkTree } from './tree.js'

const sources = source.map((each) => ({ sources: [each] as const }))
const trees = wildTree.map((tree) => ({ sources: [], tree }))

// Long thickets of stars have spellings that no search in linear time finds: there formatting is lost, and never text, in
// about one of 150,000 hostile sources.
mostly(
  'parse(stringify(parse(s))) = parse(s), and normalize has nothing to say of it',
  sources,
  ({ sources: [input] }) => {
    const parsed = parse(input, { position: false })
    const written = stringify(parsed)
    const { tree, messages } = normalize(parse(input))
    return (
      isDeepStrictEqual(parse(written, { position: false }), parsed) &&
      isDeepStrictEqual(tree, parsed) &&
      messages.length === 0
    )
  },
  { share: 1 / 50_000 },
)

mostly(
  'normalize is idempotent',
  trees,
  ({ tree }) => {
    const once = normalize(tree).tree
    return isDeepStrictEqual(normalize(once), { tree: once, messages: [] })
  },
  { cost: 100 },
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
  'parse(stringify(t)) = normalize(t)',
  trees,
  ({ tree }) => {
    const written = stringify(tree)
    same(parse(written, { position: false }), normalize(tree).tree, { tree, written })
  },
  { cost: 100 },
)

property(
  'toText(normalize(t)) = toText(t) up to white space',
  trees,
  ({ tree }) => {
    same(withoutSpace(toText(normalize(tree).tree)), withoutSpace(toText(tree)), { tree })
  },
  { cost: 100 },
)

property(
  'normalize has something to say exactly where something changes',
  trees,
  ({ tree }) => {
    const normal = normalize(tree)
    same(normal.messages.length === 0, isDeepStrictEqual(normal.tree, tree), { tree, normal })
  },
  { cost: 100 },
)

property(
  'a normal tree is one of §5, in the normal form of §4',
  trees,
  ({ tree }) => {
    checkTree(parse(stringify(tree)))
  },
  { cost: 100 },
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
  { cost: 100 },
)

/** A label or an id with U+0000 can not be written, and is text then, in which it reads as U+FFFD (§1). */
function withoutSpace(text: string): string {
  return text.replaceAll('\0', '\uFFFD').replace(/[\s\p{Z}]/gu, '')
}

function same(received: unknown, expected: unknown, given: { [name: string]: unknown; tree?: Root }): void {
  if (isDeepStrictEqual(received, expected)) return
  throw new Error(`${JSON.stringify(received)}\nis not ${JSON.stringify(expected)}\nfor ${JSON.stringify(given)}`)
}
