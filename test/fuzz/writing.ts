/** The functions that serialize the dialect, and their properties (§8). */

import { isDeepStrictEqual } from 'node:util'
import { md } from '../../src/author/template.js'
import { isFormatting } from '../../src/delimiters.js'
import {
  assertTree,
  BlockmarkError,
  normalize,
  parse,
  stringify,
  toBlocks,
  toBodies,
  toText,
  truncate,
  validate,
} from '../../src/index.js'
import type { AnyNode, Phrasing, Root } from '../../src/tree.js'
import { exampleOf, nodesOf } from '../properties/example.js'
import { checkSerialization, withoutSpace } from '../properties/serialization.js'
import { expectedFrom, fill, MARK } from '../properties/template.js'
import { seededRandom } from '../reference/generate.js'
import { attempt, looksOf as charactersOf } from '../reference/splitting.js'
import { looksOf } from './dialect.js'
import { dialectSeeds, templateSeeds } from './seeds.js'
import { fail, type Input, type Target } from './target.js'

const ofDialect = { form: 'text', seeds: dialectSeeds, show: ({ text }: Input) => exampleOf(text) } as const

export const writingTargets: readonly Target[] = [
  { ...ofDialect, name: 'stringify', check: checkWriting, work: (text) => stringify(parse(text)) },
  { ...ofDialect, name: 'normalize', check: checkNormal, show: showTree, work: (text) => normalize(parse(text)) },
  { ...ofDialect, name: 'toBlocks', check: checkSplitting, work: null },
  { ...ofDialect, name: 'md', seeds: templateSeeds, check: checkTemplate, show: showTemplate, work: null },
]

function checkWriting({ text }: Input): string[] {
  const parsed = parse(text, { position: false })
  const written = stringify(parsed)
  const again = parse(written, { position: false })
  const shown = withoutSpace(toText(again))
  if (shown !== withoutSpace(toText(parsed))) fail('what is written has the same text', written, parsed)
  if (!isDeepStrictEqual(again, parsed)) fail('parse(stringify(parse(s))) = parse(s)', written, again, parsed)
  const normal = normalize(parsed)
  if (normal.messages.length > 0) fail('what was parsed is in normal form', normal.messages)
  if (!isDeepStrictEqual(normal.tree, parsed)) fail('normalize leaves what was parsed', normal.tree, parsed)
  if (stringify(again) !== written) fail('what is written is written again', written, stringify(again))
  return looksOf(parsed)
}

function checkNormal(input: Input): string[] {
  const tree = treeOf(input)
  const before = structuredClone(tree)
  checkSerialization(tree)
  if (!isDeepStrictEqual(tree, before)) fail('a tree is not changed by who reads it', tree)
  return looksOf(normalize(tree).tree)
}

/** Returns the tree of a text with a few changes that a number chooses. The result is still a tree of §5. */
function treeOf({ text, knob }: Input): Root {
  const random = seededRandom(knob)
  let tree = parse(text, { position: false })
  for (let count = knob % 5; count > 0; count -= 1) {
    const next = structuredClone(tree)
    change(next, random, text)
    if (isTree(next)) tree = next
  }
  return tree
}

function isTree(tree: Root): boolean {
  try {
    assertTree(tree)
    return true
  } catch {
    return false
  }
}

const values = [
  '',
  ' ',
  'a',
  '*',
  '**',
  '_',
  '\u2063',
  '\u2063*',
  '\n',
  '\\',
  ' a',
  'a ',
  '`',
  '[',
  '](x:y)',
  '。',
  '<@1>',
]

function change(tree: Root, random: () => number, text: string): void {
  const all = nodesOf(tree)
  const one = all[Math.floor(random() * all.length)]
  const other = all[Math.floor(random() * all.length)]
  const value = values[Math.floor(random() * values.length)] ?? ''
  if (one === undefined || other === undefined) return
  if ('value' in one && random() < 0.6) {
    const at = Math.floor(random() * (one.value.length + 1))
    one.value = one.value.slice(0, at) + value + one.value.slice(at)
  } else if ('url' in one && random() < 0.5) {
    one.url += text.slice(0, 5)
  } else if ('children' in one) {
    changeChildren(one.children as AnyNode[], other, random) // Trees outside §5 are skipped.
  }
}

function changeChildren(children: AnyNode[], other: AnyNode, random: () => number): void {
  const at = Math.floor(random() * (children.length + 1))
  const lot = Math.floor(random() * 5)
  const there = children[at]
  if (lot === 0) children.splice(at, 1)
  else if (lot === 1) children.splice(at, 0, structuredClone(other))
  else if (lot === 2) children.splice(at, 0, { type: 'text', value: 'a' })
  else if (lot === 3 && there !== undefined) children.splice(at, 1, ...('children' in there ? there.children : []))
  else if (there !== undefined) {
    const type = (['strong', 'emphasis', 'underline', 'delete'] as const)[Math.floor(random() * 4)] ?? 'strong'
    const within = children.splice(at, 1 + Math.floor(random() * 2)) as Phrasing[] // Trees outside §5 are skipped.
    children.splice(at, 0, { type, children: within })
  }
}

function showTree(input: Input): string {
  return `the tree ${JSON.stringify(treeOf(input))}\n\nmade of\n\n${exampleOf(input.text)}`
}

function checkSplitting({ text, knob }: Input): string[] {
  const length = knob % 4 === 0 ? 4_000 : 1 + (knob % 61)
  const limits = { blockLength: length, blocks: 1 + (knob % 7), bodyLength: length }
  const looks: string[] = []
  for (const split of [toBlocks, toBodies]) {
    const parts = attempt(split, text, limits)
    looks.push(`${split.name} ${parts?.length}`)
    if (parts === null) continue
    const problems =
      split === toBlocks ? validate({ blocks: parts }, limits) : parts.flatMap((body) => validate({ body }, limits))
    if (problems.length > 0) fail(`${split.name} gives what the service takes`, problems)
    const shown = parts.flatMap((part) => charactersOf(parse(part)).map(({ what }) => what))
    const whole = charactersOf(parse(text)).map(({ what }) => what)
    if (!isDeepStrictEqual(shown, whole)) fail(`${split.name} loses and adds nothing`, parts)
  }
  const preview = toText(truncate(text, { length: knob % 50 }))
  const { length: graphemes } = Array.from(new Intl.Segmenter('en').segment(preview))
  if (graphemes > knob % 50) fail('a preview has at most its length', preview)
  return looks
}

function templateOf({ text }: Input): { value: string; literals: string[] } {
  const [value = '', ...literals] = text.split(MARK)
  while (literals.length < 2) literals.push('')
  return { value, literals }
}

function checkTemplate(input: Input): string[] {
  const { value, literals } = templateOf(input)
  const marked = fill(literals, MARK)
  const isID = nodesOf(marked).some((node) => JSON.stringify([idOf(node)]).includes(MARK))
  try {
    const tree = fill(literals, value)
    const expected = expectedFrom(marked, value)
    if (!isDeepStrictEqual(tree, expected)) fail('the tree around a value does not depend on it', tree, expected)
    if (value !== '' && isDeepStrictEqual(md`a ${value} b`, md`a b`)) fail('a value is there', value)
    stringify(tree)
  } catch (error) {
    // Not every string is a valid id.
    if (!(error instanceof BlockmarkError && error.code === 'tree/field' && isID)) throw error
  }
  return looksOf(marked).concat(nodesOf(marked).flatMap((node) => (isFormatting(node) ? [node.type] : [])))
}

function idOf(node: AnyNode): string {
  return node.type === 'mention' ? node.userID : node.type === 'file' ? node.fileID : ''
}

function showTemplate(input: Input): string {
  const { value, literals } = templateOf(input)
  return `the value ${JSON.stringify(value)} between the literal parts ${JSON.stringify(literals)}`
}
