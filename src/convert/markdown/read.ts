/**
 * Parses Markdown into mdast with mdast-util-from-markdown: GFM, and the extensions for what models write.
 *
 * Limits bound the time for every input: the time for one text grows with the square of the delimiters, the lines and the openers
 * in it. A text over a limit stays as typed.
 */
import type { Definition, FootnoteDefinition, Nodes, RootContent } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'
import type { Diagnostic } from '../../diagnostic.js'
import type { Position } from '../../tree.js'
import { type MarkdownParser, nameOf } from '../conversion.js'
import { withBreaks } from '../lines.js'
import type { Rules } from '../options.js'
import { diagnosticOf } from '../rules.js'
import { type ElementSection, sectionsOf } from './elements.js'
import { type Ending, endingsOf } from './endings.js'
import { CONTAINERS, fenceAfter, type Section } from './section.js'
import {
  inDocument,
  joined,
  moveToDocument,
  originsAfter,
  type Point,
  pointAfter,
  type Source,
  START,
  sliced,
} from './source.js'
import { dialectEmphasis, flowSyntax, mathText, namedLinks, urlSyntax } from './syntax.js'

/** The names that texts can refer to, what parsing has cost, and what it has to report. */
export interface Context {
  readonly links: { has(name: string): boolean }
  readonly footnotes: { has(name: string): boolean }
  /** The names in brackets that nothing before them defines. */
  readonly unresolved: Set<string>
  readonly rules: Rules
  readonly budget: Budget
  readonly diagnostics: Diagnostic[]
}

/** The last text of a source, if it is still being written: its offsets, and how it breaks off. */
export interface OpenText {
  readonly start: number
  readonly end: number
  readonly ending: Ending
}

/** Maximum number of characters of a list or a table that are parsed together: the time for many items grows faster than they do. */
const TOGETHER_MAX = 6_000

/** Parses a whole document by sections, as a stream does. A section that refers to a definition after it is parsed again. */
export function parseDocument(markdown: string, rules: Rules): { children: RootContent[]; diagnostics: Diagnostic[] } {
  const [links, footnotes] = [new Set<string>(), new Set<string>()]
  const budget: Budget = { work: 0 }
  const parse = (section: Section) => {
    const context: Context = { links, footnotes, unresolved: new Set(), rules, budget, diagnostics: [] }
    const definitions = definitionsFor(section.source.text, context)
    const nodes = parseSection(section, context)
    for (const node of definitionsIn(nodes)) (node.type === 'definition' ? links : footnotes).add(nameOf(node))
    return { ...context, section, definitions, nodes }
  }
  // A name in brackets may contain code or formatting, so the text is compared, not its nodes.
  const parts = sectionsOf(markdown, rules)
    .map(parse)
    .map((part) => (definitionsFor(part.section.source.text, part) === part.definitions ? part : parse(part.section)))
  return {
    children: parts.flatMap(({ nodes }) => nodes),
    diagnostics: parts.flatMap(({ diagnostics }) => diagnostics),
  }
}

/** Returns a parser for Markdown in HTML. Its nodes have no positions in the document. */
export function parserOf({ commonmark }: Rules): MarkdownParser {
  return (markdown) => {
    const { extensions, mdastExtensions } = commonmark ? letter : lenient
    return fromMarkdown(markdown, { extensions, mdastExtensions }).children
  }
}

/** Returns the nodes of a section that has ended. */
export function parseSection(section: Section, context: Context): RootContent[] {
  if (section.kind === 'empty') return []
  const isLong = section.source.text.length > TOGETHER_MAX && section.parts.length > 1
  if (isLong) return parseParts(section, context)
  if (section.kind !== 'element') return parseSource(section.source, context)
  // No other section has this kind.
  const { mark, source, position } = section as ElementSection
  if (context.rules.tags.get(mark) === 'drop') {
    context.diagnostics.push(diagnosticOf('tag', position))
    return []
  }
  const content = sectionsOf(source.text, context.rules, source.origins[0]?.point)
  return [
    quoteOf(
      content.flatMap((each) => parseSection(each, context)),
      position,
    ),
  ]
}

/** Parses some items of a list, or rows of a table, at a time. */
function parseParts(section: Section, context: Context): RootContent[] {
  const { parts, source } = section
  const starts: number[] = []
  for (const at of parts) {
    const isFar = at - (starts.at(-1) ?? Number.NEGATIVE_INFINITY) > TOGETHER_MAX / 2
    if (isFar && at < source.text.length) starts.push(at)
  }
  return together(starts.map((start, index) => parseSource(partOf(section, start, starts[index + 1]), context)))
}

/** Returns the source of some items of a list, or of some rows of a table after its head. */
export function partOf({ kind, source, parts }: Section, start: number, end?: number): Source {
  const part = sliced(source, start, end)
  return kind === 'table' ? joined(sliced(source, 0, parts[0]), part) : part
}

/** Joins lists and tables that were parsed in parts. */
export function together(parts: readonly RootContent[][]): RootContent[] {
  const nodes: RootContent[] = []
  for (const [first, ...others] of parts) {
    const last = nodes.at(-1)
    if (first?.type === 'list' && last?.type === 'list') {
      last.children = last.children.concat(first.children)
      extend(last, first)
    } else if (first?.type === 'blockquote' && last?.type === 'blockquote') {
      last.children = last.children.concat(first.children)
      extend(last, first)
    } else if (first?.type === 'table' && last?.type === 'table') {
      last.children = last.children.concat(first.children.slice(1))
      extend(last, first)
    } else if (first !== undefined) nodes.push({ ...first })
    nodes.push(...others)
  }
  return nodes
}

function extend(node: RootContent, { position }: RootContent): void {
  if (node.position !== undefined && position !== undefined) node.position = { ...node.position, end: position.end }
}

/** Returns a quote. Its children are blocks, although the types do not say so. */
export function quoteOf(children: RootContent[], position: Position): RootContent {
  return { type: 'blockquote', children: children as [], position }
}

/**
 * Returns the nodes of a source. The definitions that it may refer to are put before it, and left out again.
 *
 * @param open - the text at its end that is still being written; null if it is complete
 */
export function parseSource(given: Source, context: Context, open: OpenText | null = null): RootContent[] {
  // A byte order mark at the start of the document is not text.
  const isMarked = given.origins[0]?.point.offset === 0 && given.text.startsWith('\uFEFF')
  const source = isMarked ? sliced(given, 1) : given
  const { diagnostics, rules } = context
  const { text, origins } = withinLimits(source, context.budget, ({ origins: typed, end }) =>
    diagnostics.push(diagnosticOf('block-limit', { start: { ...inDocument(typed, START) }, end: { ...end } })),
  )
  const before = definitionsFor(text, context)
  const { length } = before
  // A text over a limit is shown as typed.
  const moved =
    open === null || text !== given.text ? null : { ...open, start: open.start + length, end: open.end + length }
  const formulas: Nodes[] = []
  const nodes = parseText(before + text, rules, formulas, moved).filter(
    ({ position }) => (position?.start.offset ?? 0) >= length,
  )
  addUnresolved(nodes, before + text, context.unresolved)
  const all = length === 0 ? origins : originsAfter(before, origins)
  for (const node of nodes) moveToDocument(node, all)
  for (const { position } of formulas) diagnostics.push(diagnosticOf('math', position))
  return nodes
}

/** Returns the definitions of the names in brackets in a text: footnotes, and then links, which a paragraph does not continue. */
function definitionsFor(text: string, { links, footnotes }: Context): string {
  const labels = new Set(Array.from(text.matchAll(LABEL), ([, label = '']) => label))
  const definitions = [...labels].flatMap((label) => {
    const name = normalizedLabel(label)
    const isDefined = name.startsWith('^') ? footnotes.has(name.slice(1)) : links.has(name)
    return isDefined ? [`[${label.replace(/\s+/g, ' ')}]: x\n\n`] : []
  })
  // The parser leaves out U+FEFF at the start of a text. Indented code would continue a footnote.
  return definitions.length === 0 && !text.startsWith('\uFEFF')
    ? ''
    : [...definitions.toSorted().toReversed(), `[${UNUSED}]: x\n\n`].join('')
}

/** The label of a definition that no text refers to. */
const UNUSED = '\uE000'

/** Returns a label in the form in which labels are compared (CommonMark 4.7). */
function normalizedLabel(label: string): string {
  return label
    .replace(/[\t\n\r ]+/g, ' ')
    .trim()
    .toLowerCase()
    .toUpperCase()
}

/** Adds the names in brackets in the texts of nodes, as they were typed. */
function addUnresolved(nodes: readonly Nodes[], text: string, names: Set<string>): void {
  for (const node of nodes) {
    if (!('children' in node)) continue
    if (phrasingParents.has(node.type)) addLabels(typedBy(node, text), names)
    addUnresolved(node.children, text, names)
  }
}

const phrasingParents: ReadonlySet<string> = new Set(['paragraph', 'heading', 'tableCell', 'link', 'linkReference'])

function addLabels(typed: string, names: Set<string>): void {
  for (const [, label = ''] of typed.matchAll(LABEL)) names.add(normalizedLabel(label))
}

/** Returns the source of a node without the links and the code in it. The alternative text of an image stays. */
function typedBy(node: Nodes, text: string): string {
  if (node.position === undefined || !('children' in node)) {
    if ('alt' in node) return ` ${node.alt ?? ''} `
    return node.type === 'text' && node.position !== undefined
      ? text.slice(node.position.start.offset, node.position.end.offset)
      : ' '
  }
  const children: readonly Nodes[] = node.children
  const isLink = /^link/.test(node.type)
  let [typed, at] = ['', (isLink ? children[0] : node)?.position?.start.offset ?? 0]
  for (const child of children) {
    // The parser of literal URLs gives no positions to the texts around them.
    if (child.position === undefined) continue
    const { start, end } = child.position
    typed += text.slice(at, start.offset) + (/^link/.test(child.type) ? ' ' : typedBy(child, text))
    at = end.offset ?? at
  }
  return isLink ? typed : typed + text.slice(at, node.position.end.offset)
}

const LABEL = /\[((?:\\.|[^[\]\\])+)\]/gs

/** Returns the definitions in nodes. */
export function definitionsIn(nodes: readonly Nodes[]): (Definition | FootnoteDefinition)[] {
  return nodes.flatMap((node) => {
    const own = node.type === 'definition' || node.type === 'footnoteDefinition' ? [node] : []
    return 'children' in node ? [...own, ...definitionsIn(node.children)] : own
  })
}

/** GFM to the letter, and with the dialect's rules. The transforms would link URLs in texts that the syntax does not link. */
const letter = { extensions: [gfm()], mdastExtensions: gfmFromMarkdown() }
const lenient = {
  extensions: [gfm({ singleTilde: false }), dialectEmphasis(), urlSyntax()],
  mdastExtensions: gfmFromMarkdown().map((extension) => ({ ...extension, transforms: [] })),
}

/** Parses a text; adds the formulas that become code to `formulas`. */
function parseText(text: string, rules: Rules, formulas: Nodes[], open: OpenText | null): RootContent[] {
  const endings = open === null ? null : endingsOf(text.slice(0, open.end), open.start, open.ending)
  const { extensions, mdastExtensions } = rules.commonmark ? letter : lenient
  const tree = fromMarkdown(text, {
    // Formulas come last, so that they are read before anything that may begin in them.
    extensions: [
      ...extensions,
      ...(rules.commonmark ? [] : [namedLinks(text)]),
      ...(endings === null ? [] : [endings.extension]),
      flowSyntax(text),
      mathText(text, open?.ending === 'in-line' ? open.end : null),
    ],
    mdastExtensions: [...mdastExtensions, ...(endings === null ? [] : [endings.treeExtension])],
  })
  adjust(tree, text, rules.math, formulas)
  return tree.children
}

/**
 * Adjusts the children of a node. Formulas become code with the language `math`, or text if they stay as typed. Blocks without an
 * end of their own end with their last character, whether something follows them or not.
 */
function adjust(node: Nodes, source: string, math: Rules['math'], formulas: Nodes[]): void {
  if (!('children' in node)) return
  const children: Nodes[] = node.children
  for (const [index, child] of children.entries()) {
    adjust(child, source, math, formulas)
    const { position } = child
    if (position === undefined) continue
    const start = position.start.offset ?? 0
    if (/^(?:blockquote|list|listItem|code|html|footnoteDefinition)$/.test(child.type)) endWithText(child, source)
    if (child.type === 'inlineCode' && source[start] === '<') {
      const [url = '', label = ''] = child.value.split('|')
      children[index] = { type: 'link', url, title: null, children: [{ type: 'text', value: label }], position }
    }
    const isFormula = /^(?:inlineCode|code)$/.test(child.type) && /[$\\]/.test(source[start] ?? '')
    if (!isFormula) continue
    if (math === 'text') children[index] = asTyped(child, source.slice(start, position.end.offset))
    else if (child.type === 'inlineCode') child.value = child.value.trim()
    else if (child.type === 'code')
      children[index] = { ...child, lang: 'math', value: formulaOf(child.value, source, start) }
    const formula = children[index]
    if (math === 'code' && formula !== undefined) formulas.push(formula)
  }
}

function endWithText(node: Nodes, source: string): void {
  if (node.position === undefined) return
  const { start } = node.position
  const typed = source.slice(start.offset, node.position.end.offset)
  const text = typed.trimEnd()
  if (node.type === 'html') node.value = node.value.trimEnd()
  if (node.type === 'code' && !/[\r\n][ \t>]*(?:`{3,}|~{3,})$/.test(text)) node.value = node.value.trimEnd()
  // The parser gives every point an offset.
  if (text.length < typed.length) node.position = { start, end: pointAfter(start as Point, text) }
}

/** Returns the formula between the delimiters of a math block. */
function formulaOf(value: string, source: string, start: number): string {
  // An environment is part of its formula.
  if (source.startsWith('\\begin', start)) return `\\b${value}`.replace(/\r\n?/g, '\n').trimEnd()
  const isAlone = /..[ \t]*[\r\n]/y
  isAlone.lastIndex = start
  const formula = value
    .replace(/\r\n?/g, '\n')
    .trimEnd()
    .replace(/(?:\$\$|\\\])$/, '')
    .trimEnd()
  return isAlone.test(source) ? formula : formula.trimStart()
}

function asTyped({ type, position }: Nodes, typed: string): RootContent {
  const place = position === undefined ? {} : { position }
  if (type === 'inlineCode') return { type: 'text', value: typed, ...place }
  return { type: 'paragraph', children: withBreaks(typed.split(/\r\n?|\n/).map((line) => line.trim())), ...place }
}

/** Maximum number of characters of a text that is parsed. There are also limits for its delimiters and its lines. */
export const LENGTH_MAX = 20_000
const DELIMITERS_MAX = 2_000
const LINES_MAX = 2_000
/** The cost of one line and of one delimiter, in the unit of the square of delimiters. */
const LINE_WORK = 1_000
const DELIMITER_WORK = 300
/** The limit for all texts of 100 KB together: enough for two worst cases. */
const WORK_MAX = 12_000_000
const SOURCE_LENGTH = 100_000
/** Maximum number of nested containers at the start of a line: many more than are shown. */
const DEPTH_MAX = 128

/** The cost of the texts that have been parsed. */
interface Budget {
  work: number
}

/** A part of a text that stays as typed: its offsets. */
interface TypedRange {
  readonly start: number
  readonly end: number
  /** Whether the reader is told. */
  readonly isReported: boolean
}

/** Lines that begin a text. */
const TEXT_START = /^(?:[ \t]*(?:>|[-+*](?=[ \t]|$)|\d{1,9}[.)](?=[ \t]|$)))+|^[ \t]*(?:$|[#|])/

/**
 * Returns a source in which everything over a limit is written with character references and hard line breaks, so that it
 * stays as typed.
 *
 * @param budget - the cost so far
 * @param report - called with the source of each text over a limit
 */
function withinLimits(source: Source, budget: Budget, report: (text: Source) => void): Source {
  const { text, origins } = source
  let result: Source | null = null
  let end = 0
  for (const range of rangesOver(text, budget, origins[0]?.point.offset ?? 0)) {
    const typed = sliced(source, range.start, range.end)
    if (range.isReported) report(typed)
    const escaped = {
      ...typed,
      origins: typed.origins.slice(0, 1),
      text: range.isReported
        ? typed.text.replace(/^.*$/gm, escapedAfterMarkers).replace(/\r?\n/g, '\\$&')
        : escapedText(typed.text),
    }
    result = joined(
      result === null ? sliced(source, 0, range.start) : joined(result, sliced(source, end, range.start)),
      escaped,
    )
    end = range.end
  }
  return result === null ? source : joined(result, sliced(source, end))
}

function escapedAfterMarkers(line: string): string {
  const [markers = ''] = CONTAINERS.exec(line) ?? []
  return markers + escapedText(line.slice(markers.length))
}

/** Escapes everything but the bars between cells. */
function escapedText(text: string): string {
  return text.replace(/[!-/:-@[-`{}~]/g, (character) => `&#${character.charCodeAt(0)};`)
}

/** Returns the ranges of a text that are over a limit. */
function rangesOver(text: string, budget: Budget, offset: number): TypedRange[] {
  const ranges: TypedRange[] = []
  let lines: string[] = []
  let fence = ''
  let [start, at] = [0, 0]
  const endText = (): void => {
    const isPlain = lines.length === 0 || !/[*_~`[\]<&$\\]/.test(lines.join(''))
    const length = lines.join('').trimEnd().length
    if (!isPlain && isTooMuch(budget, lines, offset + at)) ranges.push({ start, end: start + length, isReported: true })
    lines = []
  }
  for (const source of text.split(/(?<=\n)/)) {
    const line = source.trimEnd()
    const [markers = ''] = CONTAINERS.exec(line) ?? []
    const isDeep = (markers.match(/\S+/g)?.length ?? 0) > DEPTH_MAX
    const fenceBefore = fence
    fence = fenceAfter(fence, line)
    const isCode = fenceBefore !== '' || fence !== ''
    if (isDeep || (isCode ? fenceBefore === '' : TEXT_START.test(line))) endText()
    if (isDeep) ranges.push({ start: at, end: at + line.length, isReported: false })
    else if (!isCode) {
      if (lines.length === 0) start = at
      if (line !== '') lines.push(source)
    }
    at += source.length
  }
  endText()
  return ranges
}

/** Whether a text must not be parsed, because the cost of it and the texts before it is over the limit, which grows with `end`. */
function isTooMuch(budget: Budget, lines: readonly string[], end: number): boolean {
  const work = workOf(lines)
  if (budget.work + work > WORK_MAX * Math.max(1, end / SOURCE_LENGTH)) return true
  budget.work += work
  return false
}

function workOf(lines: readonly string[]): number {
  let [length, delimiterCount, openerCount] = [0, 0, 0]
  for (const text of lines) {
    length += text.length
    delimiterCount += text.match(/[*_~[\]<`$]/g)?.length ?? 0
    // The parser may search the whole rest of the text for the end of each of these.
    openerCount += text.match(/<|`+|\]\(|\$|\\[([]/g)?.length ?? 0
  }
  const lineCount = lines.length
  if (length > LENGTH_MAX || delimiterCount > DELIMITERS_MAX || lineCount > LINES_MAX) return Number.POSITIVE_INFINITY
  const squares = delimiterCount ** 2 + lineCount ** 2 + (openerCount * length) / 2
  return squares + LINE_WORK * lineCount + DELIMITER_WORK * delimiterCount
}
