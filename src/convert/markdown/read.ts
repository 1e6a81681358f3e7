/**
 * Parses Markdown into mdast with mdast-util-from-markdown: GFM, and the extensions for what models write.
 *
 * Limits bound the time for every input, because micromark's time for one paragraph grows with the square of its delimiters,
 * lines and openers. A section with a paragraph over a limit stays as typed.
 */
import type { Blockquote, Nodes, Paragraph, Parents, PhrasingContent, Root, RootContent } from 'mdast'
import { fromMarkdown, type Extension as TreeExtension } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'
import type { Diagnostic } from '../../diagnostic.js'
import { parse as parseDialect } from '../../index.js'
import { lineStartsOf, pointAt } from '../../search.js'
import type { Position } from '../../tree.js'
import { definitionsIn, diagnosticOf, type MarkdownParser, nameOf } from '../conversion.js'
import { withBreaks } from '../lines.js'
import type { Rules } from '../options.js'
import { type SectionOrElement, sectionsOf } from './elements.js'
import { endingsOf } from './endings.js'
import { blockAfter, innermost, isNewLeaf, leafIn, NO_BLOCK, prefixOf, type Section } from './section.js'
import { documentOffset, joinSources, type Source, sliceSource } from './source.js'
import {
  dialectEmphasis,
  type Extension,
  flowSyntax,
  mathText,
  referenceSyntax,
  unresolvedLabels,
  urlSyntax,
} from './syntax.js'

/** The state of a parse. `definedNames` has the names of definitions; names of footnotes begin with `^`. */
export interface Context {
  readonly lineStarts: number[]
  readonly definedNames: Set<string>
  /** The names in brackets that would be references if they had been defined. */
  readonly unresolvedNames: Set<string>
  readonly rules: Rules
  readonly diagnostics: Diagnostic[]
}

export function createContext(rules: Rules, lineStarts: number[], diagnostics: Diagnostic[] = []): Context {
  return { lineStarts, definedNames: new Set(), unresolvedNames: new Set(), rules, diagnostics }
}

/** The last paragraph of a source, if it is unfinished: its offsets, and whether it ends inside a line. */
export interface OpenText {
  readonly start: number
  readonly end: number
  readonly isInLine: boolean
}

/** Number of characters of a list, table or quote that are parsed together: time grows faster than the number of items. */
const PART_LENGTH = 500

/** A section with its nodes, its diagnostics and its unresolved names. */
interface ParsedSection extends Context {
  readonly section: SectionOrElement
  readonly nodes: RootContent[]
}

/** Parses a whole document by sections, as a stream does. A section is parsed again if a later section defines a name in it. */
export function parseDocument(markdown: string, rules: Rules): { children: RootContent[]; diagnostics: Diagnostic[] } {
  const context = createContext(rules, lineStartsOf(markdown))
  const sections = sectionsOf(markdown, rules)
    .map((section) => parseAlone(section, context))
    .map(withDefinitions)
  return {
    children: sections.flatMap(({ nodes }) => nodes),
    diagnostics: sections.flatMap(({ diagnostics }) => diagnostics),
  }
}

/** Parses a section, and adds its definitions to the context. */
export function parseAlone(section: SectionOrElement, context: Context): ParsedSection {
  const sectionContext: Context = { ...context, unresolvedNames: new Set(), diagnostics: [] }
  return { ...sectionContext, section, nodes: parseSection(section, sectionContext) }
}

/** Parses a section again if a name in it has been defined meanwhile. */
export function withDefinitions(parsedSection: ParsedSection): ParsedSection {
  const isDefined = [...parsedSection.unresolvedNames].some((name) => parsedSection.definedNames.has(name))
  return isDefined ? parseAlone(parsedSection.section, parsedSection) : parsedSection
}

/** Returns a parser for Markdown in HTML. Its nodes have no positions in the document. */
export function parserOf(rules: Rules): MarkdownParser {
  return (markdown) => fromMarkdown(markdown, syntaxOf(markdown, rules)).children
}

/** Returns the nodes of a section or an element that has ended. */
export function parseSection(section: SectionOrElement, context: Context): RootContent[] {
  if (!('name' in section)) {
    const sources = startsOf(section, PART_LENGTH).map((start, index, all) => partOf(section, start, all[index + 1]))
    return mergeParts(sources.map((source) => parseSource(source, context)))
  }
  const { name, start, end, source } = section
  const { rules, diagnostics, lineStarts } = context
  const position = positionOf(lineStarts, start, end)
  if (rules.tags.get(name) === 'drop') {
    diagnostics.push(diagnosticOf('tag', position))
    return []
  }
  const sections = sectionsOf(source.text, { ...rules, startsIn: null }, documentOffset(source, 0))
  const children = sections.flatMap((each) => parseSection(each, context))
  // An empty element, which some models write, is left out, because its quote would be a line with only a marker.
  return children.length === 0 ? [] : [quoteOf(children, position)]
}

/** Returns the offsets at which parts of a section start, each more than `length` characters after the one before it. */
export function startsOf({ parts }: Section, length: number): number[] {
  const starts: number[] = []
  for (const at of parts) if (starts.length === 0 || at - (starts.at(-1) ?? 0) > length) starts.push(at)
  return starts.length > 1 ? starts : [0]
}

/** Returns the source of some items of a list, of some rows of a table after its head, or of some blocks of a quote. */
export function partOf({ block, source, parts }: Section, start: number, end?: number): Source {
  const part = sliceSource(source, start, end)
  return block.kind === 'table' && start > 0 ? joinSources(sliceSource(source, 0, parts[0]), part) : part
}

/** Joins lists, quotes and tables that were parsed in parts. */
export function mergeParts(parts: readonly RootContent[][]): RootContent[] {
  const nodes: RootContent[] = []
  for (const [first, ...others] of parts) {
    const last = nodes.at(-1)
    if (first === undefined) continue
    if (last?.type === first.type && 'children' in first && 'children' in last && MERGEABLE_TYPE.test(first.type)) {
      const children: Nodes[] = last.children
      // Each part of a table has its head.
      children.push(...first.children.slice(first.type === 'table' ? 1 : 0))
      if (last.position && first.position) last.position = { ...last.position, end: first.position.end }
    } else if ('children' in first)
      nodes.push({ ...first, children: [...first.children] } as RootContent) // The copy has the same type.
    else nodes.push(first)
    nodes.push(...others)
  }
  return nodes
}

const MERGEABLE_TYPE = /^(?:list|blockquote|table)$/

/** Returns the position between two offsets of the document. */
export function positionOf(lineStarts: readonly number[], start: number, end: number): Position {
  return { start: pointAt(lineStarts, start), end: pointAt(lineStarts, end) }
}

/** Returns a quote. Its children are blocks, although the types do not say so. */
export function quoteOf(children: RootContent[], position: Position): RootContent {
  return { type: 'blockquote', children: children as [], position }
}

/**
 * Parses a source. Definitions for its references are added before parsing, and their nodes are removed from the result.
 *
 * @param open - the unfinished paragraph at the end of the source; null if the source is complete
 */
export function parseSource(givenSource: Source, context: Context, open: OpenText | null = null): RootContent[] {
  // A byte order mark at the start of the document is not text.
  const isMarked = documentOffset(givenSource, 0) === 0 && givenSource.text.startsWith('\uFEFF')
  // Blank lines at the end are left out, so that a block without an end marker, for example an open fence, ends before them.
  const { length } = givenSource.text.trimEnd()
  const source = sliceSource(givenSource, isMarked ? 1 : 0, length + givenSource.text.slice(length).search(/[\r\n]|$/))
  const { diagnostics, lineStarts } = context
  const { text } = source
  if (isOverLimit(text)) {
    const position = positionOf(lineStarts, documentOffset(source, 0), documentOffset(source, text.length, true))
    diagnostics.push(diagnosticOf('block-limit', position))
    return [paragraphOf(text, position)]
  }
  const before = definitionsFor(text, context)
  const shiftedOpen = open && { ...open, start: open.start + before.length, end: open.end + before.length }
  const tree = parseText(before + text, context, shiftedOpen)
  tree.children = tree.children.filter(({ position }) => (position?.start.offset ?? 0) >= before.length)
  const parts = source.parts.map(({ at, offset }) => ({ at: at + before.length, offset }))
  adjust(tree, { text: before + text, parts }, context)
  for (const node of definitionsIn(tree.children)) context.definedNames.add(nameOf(node))
  return tree.children
}

/** Returns definitions for the defined names in a text. The caller puts them before the text. */
function definitionsFor(text: string, { definedNames }: Context): string {
  const names = [...namesIn(text)].filter((name) => definedNames.has(name))
  // An unused definition protects the text: micromark drops U+FEFF at the start, and indented code would continue a footnote.
  return names.length === 0 && !text.startsWith('\uFEFF')
    ? ''
    : [...names, UNUSED].map((name) => `[${name}]: x\n\n`).join('')
}

/** The label of a definition that no text refers to. */
const UNUSED = '\uE000'

/** Returns the labels in brackets in a text, in the form in which labels are compared (CommonMark 4.7). */
function namesIn(text: string): Set<string> {
  return new Set(Array.from(text.matchAll(LABEL), ([, label = '']) => normalizedLabel(label)))
}

function normalizedLabel(label: string): string {
  return label
    .replace(/[\t\n\r ]+/g, ' ')
    .trim()
    .toLowerCase()
    .toUpperCase()
}

/** Matches a label. Its opening bracket is not escaped. */
const LABEL = /(?<!(?:^|[^\\])(?:\\\\)*\\)\[((?:\\.|[^[\]\\])+)\]/gs

const gfmSyntax = gfm({ singleTilde: false })
/** GFM without literal autolinks, for speed: micromark would try one at the start of each word. */
const withoutAutolinks: Extension = {
  ...gfmSyntax,
  text: Object.fromEntries(
    Object.entries(gfmSyntax.text ?? {}).filter(([code]) => /[[\]~]/.test(String.fromCharCode(Number(code)))),
  ),
}
const [emphasis, urls] = [dialectEmphasis(), urlSyntax()]

const strictExtensions = gfmFromMarkdown()
/** The extensions without transforms, which would link URLs that the syntax does not link. */
const lenientExtensions = strictExtensions.map((extension) => ({ ...extension, transforms: [] }))

/** Returns the extensions for a text: GFM to the letter, or with the dialect's rules. */
function syntaxOf(text: string, { commonmark }: Rules): { extensions: Extension[]; mdastExtensions: TreeExtension[] } {
  if (commonmark) return { extensions: [gfm()], mdastExtensions: strictExtensions }
  const baseExtensions = [text.includes('@') ? gfmSyntax : withoutAutolinks, emphasis]
  const extensions = /:\/\/|www\./i.test(text) ? [...baseExtensions, urls] : baseExtensions
  return { extensions, mdastExtensions: lenientExtensions }
}

function parseText(text: string, { rules, unresolvedNames }: Context, open: OpenText | null): Root {
  const endings = open === null ? null : endingsOf(text.slice(0, open.end), open.start, open.isInLine)
  const { extensions, mdastExtensions } = syntaxOf(text, rules)
  return fromMarkdown(text, {
    // micromark tries the last extension first. Formulas come last, so that no construct begins inside them.
    extensions: [
      ...extensions,
      referenceSyntax(text, rules.commonmark),
      ...(endings === null ? [] : [endings.extension]),
      unresolvedLabels((label) => unresolvedNames.add(normalizedLabel(label))),
      flowSyntax(text),
      mathText(text, open?.isInLine === true ? open.end : undefined),
    ],
    mdastExtensions: [...mdastExtensions, ...(endings === null ? [] : [endings.treeExtension])],
  })
}

/**
 * Moves the descendants of a node to their positions in the document, and replaces the ones that the extensions read as HTML:
 * mentions, links, formulas, and code that is still open.
 */
function adjust(parent: Parents, source: Source, context: Context, isInTable = false): void {
  const children: Nodes[] = parent.children
  const isFlow = /^(?:root|blockquote|listItem|footnoteDefinition)$/.test(parent.type)
  for (const [index, child] of children.entries()) {
    if ('children' in child) adjust(child, source, context, isInTable || parent.type === 'table')
    if (child.position === undefined) continue
    const { start, end } = child.position
    const range = [documentOffset(source, start.offset ?? 0), documentOffset(source, end.offset ?? 0, true)] as const
    const position = positionOf(context.lineStarts, ...range)
    child.position = position
    if (child.type === 'blockquote' && parent.type === 'listItem' && !context.rules.commonmark)
      children[index] = quoteOrComparison(child, source.text.slice(start.offset, end.offset))
    if (child.type !== 'html') continue
    // In a table, `\|` stands for a pipe in a cell, so the backslash is removed.
    const value = isInTable ? child.value.replace(/(\\\\)|\\(?=\|)/g, '$1') : child.value
    if (/^<(?:@|https?:|mailto:)/.test(value)) children[index] = referenceOf(value, position, context)
    else if (value.startsWith('`'))
      children[index] = { type: 'inlineCode', value: value.replace(/^`+|`+$/g, '').trimEnd(), position }
    else if (/^[$\\]/.test(value)) children[index] = formulaOf(value, isFlow, position, context)
  }
}

/** Returns a quote in an item, or a paragraph if the quote is one line that begins with `>=`, as in `- >= 10: high`. */
function quoteOrComparison(quote: Blockquote, markup: string): Blockquote | Paragraph {
  const [first] = quote.children
  if (first?.type !== 'paragraph' || !/^>=.*$/.test(markup)) return quote
  return { ...first, children: [{ type: 'text', value: '>' }, ...first.children], position: quote.position }
}

/** Returns a link or a mention. A mention of a user who is not in `mentions` becomes text. */
function referenceOf(markup: string, position: Position, { rules, diagnostics }: Context): PhrasingContent {
  if (!markup.startsWith('<@')) {
    const [url = '', label = ''] = markup.slice(1, -1).split('|')
    return { type: 'link', url, title: null, children: [{ type: 'text', value: label }], position }
  }
  const [block] = parseDialect(markup, { position: false }).children
  const [mention] = block?.type === 'paragraph' ? block.children : []
  const text: PhrasingContent = { type: 'text', value: markup, position }
  if (mention?.type !== 'mention') return text
  if (rules.mentions.has(mention.userID)) return { ...mention, position }
  diagnostics.push(diagnosticOf('mention', position, mention.userID))
  return text
}

/** Returns a formula as code or text. The closing delimiter in a line may be incomplete. */
function formulaOf(markup: string, isFlow: boolean, position: Position, { rules, diagnostics }: Context): RootContent {
  const lines = markup.replace(/\r\n?/g, '\n')
  if (rules.math === 'text') return isFlow ? paragraphOf(lines, position) : { type: 'text', value: markup, position }
  diagnostics.push(diagnosticOf('math', position))
  const inside = lines
    .replace(/^(?:\$\$?|\\[([])/, '')
    .trimEnd()
    .replace(/(?:\$\$?|\\[)\]]?)$/, '')
    .trimEnd()
  if (!isFlow) return { type: 'inlineCode', value: inside.replace(/\n/g, ' ').trim(), position }
  // Delimiters on their own lines keep the indentation of the formula. An environment is part of its formula.
  const formula = /^[ \t]*\n/.test(inside) ? inside.replace(/^[ \t]*\n/, '') : inside.trimStart()
  const value = lines.startsWith('\\begin') ? lines : formula
  return { type: 'code', lang: 'math', meta: null, value, position }
}

function paragraphOf(text: string, position: Position): RootContent {
  return { type: 'paragraph', children: withBreaks(text), position }
}

/** Maximum numbers of characters, delimiters and lines of a paragraph that is parsed. */
const LENGTH_MAX = 20_000
const DELIMITERS_MAX = 2_000
const LINES_MAX = 2_000
/** The number of delimiters that `<!` or `<?` counts as, because micromark searches the rest of the text for the end of each. */
const OPENER_WEIGHT = 10
/** Maximum number of nested containers at the start of a line: many more than people write. */
const DEPTH_MAX = 128
/** Maximum number of lines × number of lines that close a container: micromark visits all lines at each closing. */
const CLOSINGS_MAX = 100_000

/** Whether micromark would take long for a source: its time grows with the squares of these numbers. */
function isOverLimit(source: string): boolean {
  const lines = source.split(/\r\n?|\n/)
  let [block, isUnsure] = [NO_BLOCK, false]
  let [length, delimiterCount, lineCount, width, closingCount] = [0, 0, 0, 0, 0]
  for (const line of lines) {
    const prefix = prefixOf(line)
    // Each marker has one character that is not a digit, so these characters are counted.
    if (prefix.replace(/[\s\d]/g, '').length > DEPTH_MAX) return true
    const before = block
    block = blockAfter(before, line)
    const { kind } = leafIn(block)
    // A formula without an end is a paragraph, so the kinds of the blocks after it in its container are not certain.
    isUnsure ||= innermost(block) === 'math'
    if (isNewLeaf(before, block) && !isUnsure) [length, delimiterCount, lineCount] = [0, 0, 0]
    if (line.trim() !== '' && (isUnsure || /^(?:text|unsure|table|line|tag)$/.test(kind))) {
      lineCount += 1
      length += line.length
      delimiterCount += line.match(/[*_~`[\]<&$\\]/g)?.length ?? 0
      delimiterCount += (line.match(/<[!?]/g)?.length ?? 0) * OPENER_WEIGHT
      const isLong = length > LENGTH_MAX || delimiterCount > DELIMITERS_MAX || lineCount > LINES_MAX
      if (isLong && delimiterCount > 0) return true
    }
    // The indentation of code does not open or close a container.
    if (!isUnsure && leafIn(before).kind === 'fence' && kind === 'fence') continue
    // An item that begins with a container also closes the container in the item before it: `> - > a`.
    const isShorter = prefix.length < width && !/[-+*.)][ \t]*$/.test(prefix)
    if (isShorter || (width > 0 && /[-+*.)][ \t]+\S/.test(prefix))) closingCount += 1
    if (line.trim() !== '') width = prefix.trimEnd().length || prefix.length
  }
  return closingCount * lines.length > CLOSINGS_MAX
}
