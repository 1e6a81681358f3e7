/** Properties of the tree of every string (§1 to §5). */

import fc from 'fast-check'
import { parse, toHtml } from '../../src/index.js'
import { checkPositions, withoutPositions } from '../positions.js'
import { differenceOn } from '../reference/differential.js'
import { property } from './property.js'
import { same } from './same.js'
import { source } from './sources.js'
import { checkTree } from './tree.js'

const one = source.map((each) => ({ sources: [each] as const }))
const two = fc.tuple(source, source).map((sources) => ({ sources }))

property('every tree is one of §5, in the normal form of §4', one, ({ sources: [input] }) => {
  checkTree(parse(input))
})

property(
  'positions nest, are in order and slice back to the source',
  one,
  ({ sources: [input] }) => {
    checkPositions(input, parse(input))
  },
  { cost: 4 },
)

property(
  'the second implementation of the dialect agrees',
  one,
  ({ sources: [input] }) => {
    const difference = differenceOn(input)
    if (difference !== null) throw new Error(difference)
  },
  { cost: 4 },
)

property('without positions the tree is the same', one, ({ sources: [input] }) => {
  same(parse(input, { position: false }), withoutPositions(parse(input)))
})

property('LF, CR and CRLF end a line in the same way', one, ({ sources: [input] }) => {
  const lines = input.split(/\r\n|\r|\n/)
  const tree = parse(lines.join('\n'), { position: false })
  for (const ending of ['\r', '\r\n']) same(parse(lines.join(ending), { position: false }), tree)
})

property('spaces at the ends of a line change nothing outside of code', one, ({ sources: [input] }) => {
  const tree = parse(input, { position: false })
  if (tree.children.some(({ type }) => type === 'code')) return
  same(parse(`\t ${input.replace(/\r\n|\r|\n/g, ' \t$& \t')}\t`, { position: false }), tree)
})

property(
  'a blank line separates the blocks before it from the blocks after it',
  two,
  ({ sources: [first, second] }) => {
    const before = parse(first, { position: false }).children
    if (before.at(-1)?.type === 'code') return // The fence of the blocks before may be open.
    const after = parse(second, { position: false }).children
    same(parse(`${first}\n\n${second}`, { position: false }).children, [...before, ...after])
  },
)

/** Longer than the texts that `src/parse/blocks.ts` checks with one regular expression. */
const long = 'so '.repeat(100)

property('a block in a long source is parsed as in a short one', one, ({ sources: [input] }) => {
  const [, ...children] = parse(`${long}\n\n${input}`, { position: false }).children
  same(children, parse(input, { position: false }).children)
  const html = toHtml(input)
  same(toHtml(`${long}\n\n${input}`), `<p>${long.trimEnd()}</p>${html === '' ? '' : '\n'}${html}`)
})

const word = fc.string({
  unit: fc.constantFrom('a', 'B', '7', ' ', '\t', ',', '&', '#', '!', '"', '-', '_', '*', 'é', '。', '\u00A0'),
  maxLength: 12,
})

property(
  'a source of words alone is parsed as one with more text after it',
  word.map((each) => ({ sources: [each] as const })),
  ({ sources: [input] }) => {
    const { children, position } = parse(input)
    same(parse(`${input}\n\n* a`).children.slice(0, -1), children)
    same(position, {
      start: { line: 1, column: 1, offset: 0 },
      end: { line: 1, column: input.length + 1, offset: input.length },
    })
  },
)

property(
  'a later parse does not change a tree',
  two,
  ({ sources: [first, second] }) => {
    const tree = parse(first)
    const before = structuredClone(tree)
    parse(second)
    same(tree, before)
    same(parse(first), before)
  },
  { cost: 4 },
)
