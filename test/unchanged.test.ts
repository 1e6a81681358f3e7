/**
 * What the library says of thousands of inputs that are drawn with one seed stays as it is, to the byte: bots compare what is written,
 * and a change of it has to be meant. `unchanged.json` has two characters for each answer; `UPDATE=1` writes what is there.
 * What is right is said elsewhere, by the chapters, the laws and the other reading of the dialect.
 */

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, test } from 'vitest'
import { wildTree } from '../src/arbitraries/trees.js'
import {
  createStream,
  normalize,
  parse,
  stringify,
  toBlocks,
  toBodies,
  toHast,
  toHtml,
  toText,
  truncate,
  validate,
} from '../src/index.js'
import { explain, fix, lint } from '../src/lint/index.js'
import type { Root } from '../src/tree.js'
import { isThorough } from './amount.js'
import { failChanged, isUpdate, signOf } from './kept.js'
import { pieces } from './message-pieces.js'
import { pick, type Random, randomSource, seededRandom } from './reference/generate.js'
import { top } from './source.js'
import { thickets } from './thickets.js'

const path = join(top, 'test', 'unchanged.json')
/** By question the answers, of a hundred inputs a line. */
const kept: Record<string, string[]> = JSON.parse(readFileSync(path, 'utf8'))
/** Of them all are asked about where all is tried, and otherwise the first. */
const asked = isThorough || isUpdate ? 2_000 : 200
const LINE = 100

afterAll(() => {
  if (isUpdate) writeFileSync(path, `${JSON.stringify(kept, null, 2)}\n`)
})

interface Message {
  readonly text: string
  readonly length: number
}

/** What people's messages are made of, more that sentences and graphemes end with, and what is no place to cut. */
const morePieces: readonly string[] = [
  ...pieces,
  ...['“h.” i', '. ', '…', '<@1|a long name>', '👨‍👩‍👧', ' \u0301', '。', '！」', '字'],
]

/** What a small change of the code answers in another way, as mutants showed, and hardly anything else does. */
const found: { readonly sources: readonly string[]; readonly messages: readonly Message[] } = JSON.parse(
  readFileSync(join(top, 'test', 'found-inputs.json'), 'utf8'),
)

/** Drawn where they are first asked for. */
const sources = once(() => draw((random) => randomSource(random)))
const trees = once(() => fc.sample(wildTree, { numRuns: asked, seed: 1 }))
const messages = once(() =>
  draw((random): Message => {
    const count = 1 + Math.floor(random() * 24)
    const text = Array.from({ length: count }, () => pick(random, morePieces)).join('')
    return { text, length: 1 + Math.floor(random() * 40) }
  }),
)

function draw<Input>(one: (random: Random) => Input): Input[] {
  const random = seededRandom(1)
  return Array.from({ length: asked }, () => one(random))
}

function once<Inputs>(make: () => Inputs): () => Inputs {
  let made: { readonly inputs: Inputs } | null = null
  return () => {
    made ??= { inputs: make() }
    return made.inputs
  }
}

const ofSources: Record<string, (source: string) => unknown> = {
  parse,
  toHast: (source) => toHast(source),
  toHtml: (source) => toHtml(source),
  toText,
  lint,
  fix,
  explain: (source) => Array.from({ length: Math.min(source.length, 8) }, (_, offset) => explain(source, offset)),
  'stringify of what was parsed': (source) => stringify(parse(source)),
  createStream: streamed,
}
const ofTrees: Record<string, (tree: Root) => unknown> = {
  'stringify and normalize': (tree) => [stringify(tree), normalize(tree).messages],
  'lint of a tree': lint,
  'toHtml of a tree': (tree) => toHtml(tree),
}
const ofMessages: Record<string, (message: Message) => unknown> = {
  toBlocks: ({ text, length }) => toBlocks(text, { blockLength: length, blocks: Number.POSITIVE_INFINITY }),
  'toBlocks of at most two': ({ text, length }) => toBlocks(text, { blockLength: length, blocks: 2 }),
  toBodies: ({ text, length }) => toBodies(text, { bodyLength: length }),
  truncate: ({ text, length }) => truncate(text, { length }),
  validate: ({ text, length }) => validate({ body: text }, { bodyLength: length }),
}

test.each(Object.entries(ofSources))(`%s of ${asked} sources`, (name, ask) => compare(name, sources(), ask))
test.each(Object.entries(ofTrees))(`%s of ${asked} trees`, (name, ask) => compare(name, trees(), ask))
test.each(Object.entries(ofTrees))(`%s of ${asked} thickets`, (name, ask) => {
  compare(`${name} of thickets`, thickets(1, asked), ask)
})
test.each(Object.entries(ofMessages))(`%s of ${asked} messages`, (name, ask) => compare(name, messages(), ask))
test.each(Object.entries(ofSources))('%s of sources that were found', (name, ask) => {
  compare(`${name} of what was found`, found.sources, ask)
})
test.each(Object.entries(ofMessages))('%s of messages that were found', (name, ask) => {
  compare(`${name} of what was found`, found.messages, ask)
})

/** What a stream gives and shows after every character. */
function streamed(source: string): unknown {
  const stream = createStream()
  return [source.split('').map((char) => [stream.push(char), stream.tail]), stream.finish()]
}

function compare<Input>(name: string, inputs: readonly Input[], ask: (input: Input) => unknown): void {
  const lines: string[] = []
  for (const [index, input] of inputs.entries()) {
    const answer = JSON.stringify(attempt(() => ask(input))) ?? ''
    if (index % LINE === 0) lines.push('')
    const line = lines.length - 1
    const sign = signOf(answer)
    lines[line] += sign
    const at = (index % LINE) * 2
    if (!isUpdate && sign !== kept[name]?.[line]?.slice(at, at + 2)) failChanged(input, answer)
  }
  if (isUpdate) kept[name] = lines
}

/** An error is an answer, too. */
function attempt(ask: () => unknown): unknown {
  try {
    return ask()
  } catch (error) {
    return String(error)
  }
}
