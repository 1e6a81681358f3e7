/** Properties of every text that arrives in chunks, cut anywhere. */

import fc from 'fast-check'
import { expect } from 'vitest'
import { writableTree } from '../../src/arbitraries/trees.js'
import { delimiters, SEPARATOR } from '../../src/delimiters.js'
import { type Block, createStream, parse, type Root, stringify, toText } from '../../src/index.js'
import type { AnyNode } from '../../src/tree.js'
import { withoutPositions } from '../positions.js'
import { nodesOf } from './example.js'
import { property } from './property.js'
import { same } from './same.js'
import { source } from './sources.js'
import { checkTree } from './tree.js'

/** Sources, and the lengths of chunks in code units, which are repeated. */
const cut = fc.record({
  sources: fc.tuple(source),
  sizes: fc.array(fc.integer({ min: 0, max: 7 }), { minLength: 1, maxLength: 6 }),
})

property('all blocks together are those of the whole text', cut, ({ sources: [input], sizes }) => {
  const stream = createStream()
  const blocks: Block[] = []
  const copies: Block[] = []
  for (const chunk of chunksOf(input, sizes)) {
    const settled = stream.push(chunk)
    blocks.push(...settled)
    copies.push(...structuredClone(settled))
  }
  blocks.push(...stream.finish())
  same(blocks, parse(input).children)
  same(blocks.slice(0, copies.length), copies)
  same(stream.finish(), [])
})

property(
  'a returned block never changes later',
  cut,
  ({ sources: [input], sizes }) => {
    const stream = createStream()
    let settled: Block[] = []
    let before = ''
    for (const chunk of chunksOf(input, sizes)) {
      settled = [...settled, ...stream.push(chunk)]
      before += chunk
      for (const next of ['', 'x', '\n', '* x', '\n* x\n', '```\n']) {
        same(parse(before + next).children.slice(0, settled.length), settled)
      }
    }
  },
  { cost: 12 },
)

property(
  'the tail is a tree of §5 after the settled blocks, and reading it changes nothing',
  cut,
  ({ sources: [input], sizes }) => {
    const stream = createStream()
    const blocks: Block[] = []
    let length = 0
    for (const chunk of chunksOf(input, sizes)) {
      blocks.push(...stream.push(chunk))
      length += chunk.length
      const { tail } = stream
      checkTree(tail)
      checkPlaces(tail, input.slice(0, length), blocks.at(-1))
      same(stream.tail, tail)
    }
    same([...blocks, ...stream.finish()], parse(input).children)
  },
  { cost: 45 },
)

property('the tail is empty if nothing is open, and otherwise shows the text so far', cut, ({ sources: [input] }) => {
  const stream = createStream()
  stream.push(input)
  const { tail } = stream
  stream.push('\n\n')
  if (parse(`${input}\n\nx`).children.at(-1)?.type !== 'code') same(stream.tail.children, [])
  // If the rest contains no character that can be part of a delimiter, the tail is its tree.
  const last = parse(input).children.at(-1)
  if (/[*_\-`\\[\]<#\u2063]/.test(input) || last === undefined || /[\n\r][ \t]*$/.test(input)) return
  same(withoutPositions(tail.children), withoutPositions([last]))
})

property('every chunk may be one code unit', fc.record({ sources: fc.tuple(source) }), ({ sources: [input] }) => {
  const stream = createStream()
  const blocks = [...input.split('').flatMap((unit) => stream.push(unit)), ...stream.finish()]
  same(blocks, parse(input).children)
})

/** Messages of letters and delimiters; in the whole text, each character other than a letter is part of a construct. */
const marks = writableTree
  .map((tree) => stringify(tame(tree)))
  .filter((written) => !hasMark(toText(written)) && !/ \(mailto/.test(written))
  .map((written) => ({ sources: [written] as const }))

property(
  'if every delimiter of a message is markup, no prefix shows a delimiter',
  marks,
  ({ sources: [input] }) => showsNoMark(input),
  { cost: 100 },
)

function showsNoMark(input: string): void {
  for (let length = 0; length <= input.length; length += 1) {
    const stream = createStream()
    stream.push(input.slice(0, length))
    const text = toText(stream.tail)
    if (hasMark(text)) throw new Error(`${JSON.stringify(input.slice(0, length))} shows ${JSON.stringify(text)}`)
  }
}

/** Words and nested constructs, with forced formatting, written without `stringify`. */
const wellFormed = fc
  .letrec<{ row: string; part: string }>((tie) => ({
    row: fc.array(tie('part'), { minLength: 1, maxLength: 4 }).map((parts) => parts.join('')),
    part: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constantFrom('a', 'b c', ' ', '\n', '中'),
      fc
        .tuple(fc.constantFrom(...delimiters), tie('row'))
        .map(([{ char, length }, row]) => [SEPARATOR, row, SEPARATOR].join(char.repeat(length))),
      fc
        .tuple(fc.constantFrom(' **x** ', ' *x* ', ' _x_ ', ' -x- ', '[x](mailto:a)', '`a`', '<@7>'), tie('row'))
        .map(([construct, row]) => construct.replace('x', row)),
    ),
  }))
  .row.filter((written) => !hasMark(toText(written)))
  .map((written) => ({ sources: [written] as const }))

property('no prefix shows half of a forced delimiter', wellFormed, ({ sources: [input] }) => showsNoMark(input), {
  cost: 20,
})

property('if everything has been closed, the tail ends with the last block', wellFormed, ({ sources: [input] }) => {
  const stream = createStream()
  stream.push(input)
  if (!/\n *$/.test(input)) same(stream.tail.children.at(-1), parse(input).children.at(-1))
})

/** Returns the tree with words for its texts, without URLs and placeholders. */
function tame(tree: Root): Root {
  return JSON.parse(JSON.stringify(tree), (key, value: unknown) => {
    if (key === 'value') return 'word'
    if (key === 'url') return 'mailto:a'
    if (key === 'label' || key === 'lang' || key === 'meta') return null
    return key === 'userID' || key === 'fileID' ? '7' : value
  })
}

/** Prefixes that plain text adds: `• ` to an item, `@` to a mention, `[file: ` to a file and `(mailto:` to a link. */
function hasMark(text: string): boolean {
  return /[*_\-`\\[\]<>()#|!\u2063]/.test(text.replace(/\[file: 7\]| \(mailto:a?\)/g, ''))
}

function chunksOf(input: string, sizes: readonly number[]): string[] {
  const chunks: string[] = []
  let at = 0
  for (let i = 0; at < input.length; i += 1) {
    // An empty chunk is allowed, but not an endless series of them.
    const size = (sizes[i % sizes.length] ?? 0) + (i >= sizes.length ? 1 : 0)
    chunks.push(input.slice(at, at + size))
    at += size
  }
  return chunks
}

/** Checks that every position is valid, after the last settled block and before the end of the text so far. */
function checkPlaces(tail: Root, input: string, before: Block | undefined): void {
  const { start, end } = pair(tail)
  expect(end).toBe(input.length)
  expect(start).toBeGreaterThanOrEqual(before === undefined ? 0 : pair(before).end)
  for (const node of nodesOf(tail)) {
    const place = pair(node)
    if (place.start < start || place.end > end || place.start > place.end) throw new Error(`${node.type} is misplaced`)
    for (const point of [node.position?.start, node.position?.end]) {
      const lines = input.slice(0, point?.offset).split(/\r\n|\r(?!\n)|\n/)
      const isBetween = input.startsWith('\r\n', (point?.offset ?? 0) - 1)
      if (!isBetween) same([point?.line, point?.column], [lines.length, (lines.at(-1)?.length ?? 0) + 1])
    }
    let previous = place.start
    for (const child of 'children' in node ? node.children : []) {
      if (pair(child).start < previous || pair(child).end > place.end) throw new Error(`${child.type} is out of order`)
      previous = pair(child).end
    }
  }
}

function pair(node: AnyNode): { start: number; end: number } {
  return { start: node.position?.start.offset ?? Number.NaN, end: node.position?.end.offset ?? Number.NaN }
}
