/** The functions that read the dialect, and their properties for every input. */

import { isDeepStrictEqual } from 'node:util'
import type { Root as HastRoot } from 'hast'
import { fromParse5 } from 'hast-util-from-parse5'
import { parseFragment } from 'parse5'
import { type Block, createStream, parse, type RenderOptions, toHast, toHtml, toText } from '../../src/index.js'
import { explain, fix, type LintMessage, lint } from '../../src/lint/index.js'
import type { AnyNode } from '../../src/tree.js'
import { checkPositions, withoutPositions } from '../positions.js'
import { exampleOf, nodesOf } from '../properties/example.js'
import { checkElements, write } from '../properties/html-table.js'
import { checkTree } from '../properties/tree.js'
import { differenceOn } from '../reference/differential.js'
import { dialectSeeds } from './seeds.js'
import { fail, type Input, type Target } from './target.js'

const ofDialect = {
  form: 'text',
  seeds: dialectSeeds,
  show: ({ text }: Input) => exampleOf(text),
} as const

export const dialectTargets: readonly Target[] = [
  { ...ofDialect, name: 'parse', check: checkParse, work: (text) => parse(text) },
  { ...ofDialect, name: 'toHtml', check: checkHtml, work: (text) => toHtml(text) },
  { ...ofDialect, name: 'lint', check: checkLint, work: (text) => lint(text) },
  { ...ofDialect, name: 'explain', check: checkExplain, work: (text) => explain(text, text.length >> 1) },
  { ...ofDialect, name: 'createStream', check: checkStream, work: null },
]

/** Describes the nesting and the neighbors of nodes. */
export function looksOf(tree: AnyNode): string[] {
  return nodesOf(tree as never).flatMap((node) => {
    if (!('children' in node)) return []
    const types = node.children.map(({ type }) => type)
    return types.map((type, index) => `${node.type} ${types[index - 1] ?? ''} ${type}`)
  })
}

function checkParse({ text }: Input): string[] {
  const tree = parse(text)
  checkTree(tree)
  checkPositions(text, tree)
  const bare = parse(text, { position: false })
  if (!isDeepStrictEqual(bare, withoutPositions(tree))) fail('without positions the tree is the same', bare, tree)
  const difference = differenceOn(text)
  if (difference !== null) fail('the literal reading agrees', difference)
  const ended = text.replace(/\r\n|\r|\n/g, '\r\n')
  if (!isDeepStrictEqual(parse(ended, { position: false }), bare)) fail('every line ending ends a line', ended)
  return looksOf(tree)
}

function checkHtml({ text, knob }: Input): string[] {
  const options = resolversOf(knob)
  const tree = parse(text)
  const html = toHtml(text, options)
  const others = [toHtml(tree, options), write(toHast(text, options)), write(toHast(tree, options))]
  for (const other of others) if (other !== html) fail('every way gives the same HTML', html, other)
  if (toText(text, options) !== toText(tree, options)) fail('a string has the text of its tree', toText(text, options))
  checkElements(html)
  // A form feed separates the classes of a fence's language (§6). HTML can contain neither CR nor U+0000.
  const isExact = !/class="language-[^"]*\f|[\r\0]|&#x0;/.test(html)
  if (isExact && write(fromParse5(parseFragment(html)) as HastRoot) !== html) fail('an HTML parser reads it', html)
  return looksOf(tree)
}

const hrefs: readonly string[] = ['/a?b="c"&d', 'javascript:a', 'https://a/<b>', '//a', 'mailto:a', '', '/\\a', '/\t/a']

/** The caller's resolvers: none, or possibly hostile results for every second id. */
function resolversOf(knob: number): RenderOptions {
  if (knob % 3 === 0) return {}
  const href = hrefs[knob % hrefs.length] ?? ''
  const mediaType = ['image/png', 'image/svg+xml', 'video/mp4', 'text/"<'][knob % 4] ?? ''
  const isKnown = (id: string): boolean => (id.charCodeAt(0) + knob) % 2 === 0
  return {
    mention: (id) => (isKnown(id) ? { name: `<b>&"${id}'\``, href } : undefined),
    file: (id) => (isKnown(id) ? { name: `"><i>${id}`, mediaType, href, width: knob } : undefined),
  }
}

function checkLint({ text }: Input): string[] {
  const messages = lint(text)
  for (const message of messages) checkMessage(text, message)
  const tree = parse(text)
  lint(tree)
  const fixed = fix(text)
  const again = fix(fixed)
  if (again !== fixed) fail('fix has nothing to do a second time', fixed, again)
  return messages.map(({ ruleId, expected }) => `${ruleId} ${expected === undefined} ${messages.length}`)
}

function checkMessage(text: string, message: LintMessage): void {
  const { place, reason } = message
  if (!/\S/.test(reason)) fail('a message has a reason', message)
  if (place === undefined || !('start' in place)) throw new Error(`a message has a place: ${message}`)
  const [start, end] = [place.start.offset ?? Number.NaN, place.end.offset ?? Number.NaN]
  if (!(start >= 0 && start <= end && end <= text.length)) fail('a diagnostic is in the source', message)
  if (!String(message).startsWith(`${place.start.line}:${place.start.column}: `)) fail('a message says where', message)
}

function checkExplain({ text, knob }: Input): string[] {
  const looks: string[] = []
  const step = Math.ceil(text.length / 24)
  for (let offset = knob % (step + 1); offset < text.length; offset += step) {
    const reasons = explain(text, offset)
    if (reasons.length === 0) fail('something is said of every character', offset)
    for (const { section, message, place } of reasons) {
      if (!/^§(?:[124]|3\.[1-8])$/.test(section)) fail('a reason has a section', section)
      const [start, end] = [place.start.offset ?? Number.NaN, place.end.offset ?? Number.NaN]
      if (!(start >= 0 && start < end && end <= text.length)) fail('a reason is in the source', place)
      looks.push(`${section} ${message.replace(/`[^`]*`+|\d+/g, '').slice(0, 50)}`)
    }
  }
  for (const { type, position } of nodesOf(parse(text))) {
    if (!['strong', 'emphasis', 'underline', 'delete'].includes(type)) continue
    const [start, end] = [position?.start.offset ?? 0, position?.end.offset ?? 0]
    if (!said(text, start).includes(`Opens ${type}.`)) fail('what opens is said to open', type, start)
    if (!new RegExp(`Closes ${type}(?:, late)?\\.`).test(said(text, end - 1))) fail('what closes is said to', type, end)
  }
  return looks
}

function said(text: string, offset: number): string {
  return explain(text, offset)
    .map(({ message }) => message)
    .join(' ')
}

/** Cuts a text into pieces whose lengths depend on a number. */
export function cut(text: string, knob: number): string[] {
  const sizes = [1 + (knob % 7), 1 + ((knob >> 3) % 5), knob % 3]
  const chunks: string[] = []
  for (let at = 0, index = 0; at < text.length; index += 1) {
    const size = sizes[index % sizes.length] ?? 1
    chunks.push(text.slice(at, at + size))
    at += size
  }
  return chunks
}

function checkStream({ text, knob }: Input): string[] {
  const stream = createStream()
  const blocks: Block[] = []
  const copies: Block[] = []
  const looks: string[] = []
  for (const chunk of cut(text, knob)) {
    const settled = stream.push(chunk)
    blocks.push(...settled)
    copies.push(...structuredClone(settled))
    const { tail } = stream
    checkTree(tail)
    looks.push(...looksOf(tail))
    toHtml(tail)
  }
  blocks.push(...stream.finish())
  const whole = parse(text).children
  if (!isDeepStrictEqual(blocks, whole)) fail('settled blocks are those of the whole', blocks, whole)
  if (!isDeepStrictEqual(blocks.slice(0, copies.length), copies)) fail('a settled block never changes', blocks, copies)
  if (stream.tail.children.length > 0) fail('nothing is left at the end', stream.tail)
  return looks
}
