/** The inline content of leaves: texts are parsed a few at a time, and the nodes get their positions in the source. */

import type { InlineCode, Nodes, RootContent } from 'mdast'
import { fromMarkdown, type Options } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'
import type { Diagnostic } from '../../diagnostic.js'
import type { Point } from '../../tree.js'
import { nameOf } from '../conversion.js'
import { dialectEmphasis } from '../emphasis.js'
import { mathText } from '../math.js'
import type { ReadingRules, Rules } from '../options.js'
import { diagnosticOf } from '../rules.js'
import { type Ending, endingsOf } from './endings.js'
import { type Piece, pointAt } from './line.js'
import { lookupsIn, type Names } from './names.js'
import { simpleDefinition } from './simple.js'

/** Lines that are parsed separately, and the function that receives their nodes. */
export interface Text {
  readonly pieces: readonly Piece[]
  /** Where the text breaks off; null if it is complete. Only the last text may be incomplete. */
  readonly ending: Ending | null
  /** Receives the nodes, and whether they are also those of the complete text. */
  readonly take: (nodes: readonly RootContent[], isComplete: boolean) => void
}

/** State while texts are parsed. */
export interface Context {
  readonly names: Names
  readonly rules: ReadingRules
  readonly diagnostics: Diagnostic[]
}

/** The limits for texts that are parsed together. */
const LENGTH = 4_000
const LINES = 64

/** GFM without tables, which are found line by line. */
const inline: Options['extensions'] & object = [gfm(), { disable: { null: ['table'] } }]
const extensions: Readonly<Record<ReadingRules['emphasis'], Options['extensions'] & object>> = {
  dialect: [...inline, dialectEmphasis()],
  commonmark: inline,
}
const treeExtension = gfmFromMarkdown()

/**
 * Parses texts. The result of each is delivered once, in order.
 *
 * @param texts - the lines; they start no other kind of block
 * @param reading - the known names and the rules
 */
export function parseTexts(texts: readonly Text[], reading: Context): void {
  for (let start = 0; start < texts.length; ) {
    let end = start
    for (let [length, lines] = [0, 0]; end < texts.length && length < LENGTH && lines < LINES; end += 1) {
      for (const { text } of texts[end]?.pieces ?? []) length += text.length
      lines += texts[end]?.pieces.length ?? 0
    }
    parseTogether(texts.slice(start, end), reading)
    start = end
  }
}

/** A blank line is before each text, also before the first, so that no text begins with a byte order mark. */
function parseTogether(texts: readonly Text[], reading: Context): void {
  const { names, rules } = reading
  const lines: (Piece | null)[] = []
  const owners: number[] = []
  for (const [index, { pieces }] of texts.entries()) {
    for (const piece of [null, ...pieces]) {
      lines.push(piece)
      owners.push(index)
    }
  }
  const formulas: InlineCode[] = []
  const found = texts.map((): RootContent[] => [])
  const source = sourceOf(lines)
  const { ending, pieces } = texts.at(-1) ?? { ending: null, pieces: [] }
  const endings = ending === null ? null : endingsOf(source, source.length - sourceOf(pieces).length, ending)
  const lookups = lookupsIn(names)
  const tree = fromMarkdown(source, {
    extensions: [
      ...[...extensions[rules.emphasis], lookups.extension],
      ...(endings === null ? [] : [endings.extension]),
      // Last, so that a formula is read before anything that may begin in it.
      ...(rules.math === 'none' ? [] : [mathText(source)]),
    ],
    mdastExtensions: [treeExtension, lookups.treeExtension, ...(endings === null ? [] : [endings.treeExtension])],
  })
  for (const missed of lookups.missed.values()) for (const name of missed) names.unresolved?.add(name)
  for (const node of tree.children) {
    found[owners[(node.position?.start.line ?? 1) - 1] ?? 0]?.push(node)
    if (rules.math !== 'none') takeFormulas(node, source, rules.math, formulas)
    move(node, lines)
  }
  for (const { position } of formulas) reading.diagnostics.push(diagnosticOf('math', position))
  for (const [index, { take }] of texts.entries())
    take(found[index] ?? [], index < texts.length - 1 || !endings?.isUsed)
}

/** Returns lines as one text. */
export function sourceOf(lines: readonly (Piece | null)[]): string {
  return lines.map((piece) => piece?.text ?? '').join('\n')
}

/** Collects the formulas in a node, or turns them into text. */
function takeFormulas(node: Nodes, source: string, math: Rules['math'], formulas: InlineCode[]): void {
  if (!('children' in node)) return
  const children: Nodes[] = node.children.map((child) => {
    takeFormulas(child, source, math, formulas)
    const isFormula = child.type === 'inlineCode' && /[$\\]/.test(source[child.position?.start.offset ?? -1] ?? '')
    if (!isFormula) return child
    const { start, end } = child.position ?? {}
    if (math === 'text') return { ...child, type: 'text', value: source.slice(start?.offset, end?.offset) }
    child.value = child.value.trim()
    formulas.push(child)
    return child
  })
  node.children = children as typeof node.children
}

/** Sets the positions of a node and its descendants to those in the source. */
function move(block: RootContent, lines: readonly (Piece | null)[]): void {
  const nodes: Nodes[] = [block]
  for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
    if (node.position !== undefined) for (const point of [node.position.start, node.position.end]) put(point, lines)
    if ('children' in node) for (const child of node.children) nodes.push(child)
  }
}

function put(point: Point, lines: readonly (Piece | null)[]): void {
  const piece = lines[point.line - 1]
  if (piece === null || piece === undefined) return
  const { line, shift } = piece
  Object.assign(point, pointAt(line, Math.max(0, point.column - 1 + shift)))
}

/** The inline constructs, and tables, which contain them. With these disabled, a parse finds only definitions and paragraphs. */
const phrasingConstructs: readonly string[] = ['attention', 'autolink', 'characterEscape', 'characterReference']
  .concat(['codeText', 'hardBreakEscape', 'htmlText', 'labelEnd', 'labelStartImage', 'labelStartLink'])
  .concat(['strikethrough', 'wwwAutolink', 'protocolAutolink', 'emailAutolink', 'tasklistCheck'])
  .concat(['gfmFootnoteCall', 'gfmPotentialFootnoteCall', 'table'])

const blockOptions: Options = {
  extensions: [gfm(), { disable: { null: [...phrasingConstructs] } }],
  // The transform that looks for literal autolinks.
  mdastExtensions: gfmFromMarkdown().map((extension) => ({ ...extension, transforms: [] })),
}

/** Returns the names that a text defines, and whether it consists only of definitions. */
export function definitionsIn(pieces: readonly Piece[]): { names: string[]; isAll: boolean } {
  const found = partsOf(pieces).map(definitionsOfPart)
  return { names: found.flatMap(({ names }) => names), isAll: found.every(({ isAll }) => isAll) }
}

function definitionsOfPart(pieces: readonly Piece[]): { names: string[]; isAll: boolean } {
  const simple = pieces.map(simpleDefinition).filter((definition) => definition !== null)
  if (simple.length === pieces.length) return { names: simple.map(nameOf), isAll: true }
  if (pieces.length > 2 * LINES) return { names: [], isAll: false }
  const { children } = fromMarkdown(`\n${pieces.map(({ text }) => text).join('\n')}`, blockOptions)
  const definitions = children.filter((node) => node.type === 'definition')
  return { names: definitions.map(nameOf), isAll: definitions.length === children.length }
}

/** Whether a text may begin with definitions. */
export function mayDefine(pieces: readonly Piece[]): boolean {
  return pieces[0]?.text.startsWith('[') === true && pieces.some(({ text }) => text.includes(']:'))
}

/** Splits a text that may begin with many definitions: all parts except the last contain only definitions. */
export function partsOf(pieces: readonly Piece[]): (readonly Piece[])[] {
  const parts: (readonly Piece[])[] = []
  let rest = pieces
  while (rest.length > LINES && mayDefine(rest)) {
    const end = rest.slice(0, LINES).findLastIndex(({ text }) => text.startsWith('['))
    const part = rest.slice(0, end)
    if (end < 1 || !definitionsOfPart(part).isAll) break
    parts.push(part)
    rest = rest.slice(end)
  }
  return [...parts, rest]
}

/** Returns language and title of fenced code from its info string. */
export function infoOf(fence: string, info: string): { lang: string | null; meta: string | null } {
  const [, word, rest] = /^[ \t]*([^ \t]*)[ \t]*(.*)/s.exec(info) ?? []
  if (!/[\\&]/.test(info)) return { lang: word || null, meta: rest || null }
  const codes = fromMarkdown(`${fence}${info}\n${fence}`).children.filter((node) => node.type === 'code')
  const [{ lang = null, meta = null } = { lang: null, meta: null }] = codes
  return { lang, meta }
}
