/** Properties of every split message; a slow search finds the same split points. */

import fc from 'fast-check'
import { isBlank } from '../../src/characters.js'
import { type Block, parse, type Root, stringify, toBlocks, toBodies, validate } from '../../src/index.js'
import { attempt, looksOf, splitSlowly } from '../reference/splitting.js'
import { property, type Sample } from './property.js'
import { same } from './same.js'
import { source } from './sources.js'

/** Whole words, so that a split between any two of them can keep the formatting around it. */
const word = fc.constantFrom(
  ...['a', 'bb', 'ccc', 'dddd.', 'eeeee', 'done!', 'snake_case', '中文字。', '👩‍💻', 'well-known', 'e\u0301t\u0301'],
  ...['5 * 3'],
  ...['<@1|Al>', '`co de`', 'http://a.b', '[lab el](xy:z)'],
)
const phrase = fc.array(word, { minLength: 1, maxLength: 6 }).map((words) => words.join(' '))
const formatted = fc
  .tuple(fc.constantFrom('x', 'x', '**x**', '*x*', '_x_', '-x-', '[x](xy:z)', '**_x_**', '`x`'), phrase)
  .map(([format, words]) => format.replace('x', () => words))
const line = fc.array(formatted, { minLength: 1, maxLength: 3 }).map((runs) => runs.join(' '))
const lines = fc.array(line, { minLength: 1, maxLength: 3 })
const prose: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      lines.map((all) => all.join('\n')),
      line.map((text) => `# ${text}`),
      line.map((text) => `## ${text}`),
      lines.map((all) => all.map((text) => `* ${text}`).join('\n')),
      fc.array(phrase, { maxLength: 3 }).map((all) => `\`\`\`js\n${all.join('\n')}\n\`\`\``),
      fc.constant('<!1|f>'),
    ),
    { minLength: 1, maxLength: 4 },
  )
  .map((blocks) => blocks.join('\n\n'))

/** Words next to which a delimiter may not be recognized. Formatting may end before characters other than letters. */
const edged = ['key:', '(a', 'b)', 'c;', '"d"', 'e', 'ff', '1.', '中文,']
const edgedText = fc.oneof(
  edgedTextOf(['**x**', '*x*'], [...edged, ',g', '…h', 'i(', '=j', 'k<']),
  edgedTextOf(['_x_', '-x-'], edged),
)

function edgedTextOf(formats: readonly string[], words: readonly string[]): fc.Arbitrary<string> {
  return fc
    .tuple(fc.constantFrom(...formats), fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 12 }))
    .map(([format, some]) => format.replace('x', () => `a ${some.join(' ')} a`))
}

interface Message extends Sample {
  sources: readonly [string]
  length: number
  blocks: number
}

function withLimits(sources: fc.Arbitrary<string>): fc.Arbitrary<Message> {
  const limits = { length: fc.integer({ min: 1, max: 60 }), blocks: fc.integer({ min: 1, max: 6 }) }
  return fc.record({ sources: fc.tuple(sources), ...limits })
}

const some = withLimits(fc.oneof(source, prose))
const ofWords = withLimits(prose)

property(
  'the service accepts the results of toBlocks and toBodies',
  some,
  ({ sources: [input], length, blocks }) => {
    const limits = { blockLength: length, blocks, bodyLength: length }
    const parts = attempt(toBlocks, input, limits)
    if (parts !== null) same(validate({ blocks: parts }, limits), [])
    for (const body of attempt(toBodies, input, limits) ?? []) same(validate({ body }, limits), [])
  },
  { cost: 40 },
)

property(
  'nothing is lost, added or moved',
  some,
  ({ sources: [input], length, blocks }) => {
    const shown = (parts: readonly string[]): string[] =>
      parts.flatMap((part) => looksOf(parse(part)).map(({ what }) => what))
    for (const split of [toBlocks, toBodies]) {
      const parts = attempt(split, input, { blockLength: length, blocks, bodyLength: length })
      if (parts !== null) same(shown(parts), shown([input]))
    }
  },
  { cost: 40 },
)

property(
  'each string is the serialization of its tree',
  some,
  ({ sources: [input], length }) => {
    for (const body of attempt(toBodies, input, { bodyLength: length }) ?? []) same(stringify(parse(body)), body)
  },
  { cost: 40 },
)

property(
  'formatting is closed at a cut and opened again',
  withLimits(fc.oneof(prose, edgedText, source)),
  ({ sources: [input], length }) => {
    const bodies = attempt(toBodies, input, { bodyLength: length + 12 }) ?? []
    same(
      bodies.flatMap((body) => looksOf(parse(body))),
      bodies.length === 0 ? [] : looksOf(parse(input)),
    )
  },
  { cost: 40 },
)

property(
  'no letter next to a split point loses its formatting',
  withLimits(edgedText),
  ({ sources: [input], length }) => {
    const letters = (source: string): unknown[] =>
      looksOf(parse(source)).filter(({ what }) => /^[\p{L}\p{N}]/u.test(what))
    const bodies = toBodies(input, { bodyLength: length + 12 })
    same(bodies.flatMap(letters), letters(input))
  },
  { cost: 40 },
)

property('the slow search finds the same bodies', some, compareBodies, { cost: 600 })

property('the slow search finds the same bodies for words', ofWords, compareBodies, { cost: 600 })

property(
  'the slow search finds the same blocks',
  some,
  ({ sources: [input], length, blocks }) => {
    const tree = treeOf(input)
    if (tree.children.length === 0) return
    const given = attempt(toBlocks, input, { blockLength: length, blocks })
    const groups = [tree.children.map((block) => [block]), betweenFiles(tree.children)]
    const searched = groups.map((each) => searchEach(each, length))
    const slow =
      searched[0] === null ? null : (searched.find((strings) => strings !== null && strings.length <= blocks) ?? null)
    // The slow search gives up if a character does not fit alone.
    if (given === null || (slow !== null && isFaithful(given, tree))) same(given, slow)
  },
  { cost: 600 },
)

function compareBodies({ sources: [input], length }: Message): void {
  const tree = treeOf(input)
  if (tree.children.length === 0) return
  const bodies = attempt(toBodies, input, { bodyLength: length })
  const slow = splitSlowly(tree, length, true)
  if (bodies === null) same(bodies, slow)
  // The slow search gives up if a character does not fit alone.
  if (bodies === null || slow === null || slow.isCrowded) return
  const lasts = bodies.slice(0, -1).map((body) => parse(body).children.at(-1)?.type)
  same(lasts.includes('heading'), false)
  if (slow.isFaithful && isFaithful(bodies, tree)) same(bodies, slow.strings)
}

/** Returns the tree without blocks that show nothing. */
function treeOf(input: string): Root {
  const blocks = parse(input, { position: false }).children
  return { type: 'root', children: blocks.filter((block) => !isBlank(stringify({ type: 'root', children: [block] }))) }
}

function searchEach(groups: readonly Block[][], length: number): string[] | null {
  const searched = groups.map((children) => splitSlowly({ type: 'root', children }, length, false)?.strings ?? null)
  return searched.includes(null) ? null : searched.flatMap((strings) => strings ?? [])
}

/** Splits blocks before and after each file, because a file is alone in its string. */
function betweenFiles(blocks: readonly Block[]): Block[][] {
  const groups: Block[][] = [[]]
  for (const block of blocks) {
    if (block.type === 'file') groups.push([block], [])
    else groups.at(-1)?.push(block)
  }
  return groups.filter((group) => group.length > 0)
}

/** Whether every character has the same formatting as before. */
function isFaithful(parts: readonly string[], tree: Root): boolean {
  return JSON.stringify(parts.flatMap((part) => looksOf(parse(part)))) === JSON.stringify(looksOf(tree))
}
