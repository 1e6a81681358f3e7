/**
 * Cuts Markdown that arrives line by line into sections. A section begins only at a line that certainly begins a top-level
 * block, so it can be parsed alone; a missed cut only makes a section longer. The offsets of items, rows and blocks of quotes
 * are recorded too, so that reading `tail` parses only the last one.
 */
import { readTag } from '../html.js'
import { joinSources, type Source, sourceAt } from './source.js'

type Kind =
  | 'empty'
  /** A heading or a thematic break. */
  | 'line'
  /** A tag alone on its line, whose name is not one of HTML's. The line becomes a paragraph. */
  | 'tag'
  | 'text'
  | 'table'
  | 'quote'
  | 'list'
  | 'footnote'
  | 'indented'
  | 'fence'
  | 'html'
  | 'math'
  | 'unsure'

/** The last block of a document or of a container, after some lines. */
export interface OpenBlock {
  readonly kind: Kind
  /** Whether the next line begins another block. */
  readonly isEnded: boolean
  /** The number of columns before the content of an item or a footnote. */
  readonly width: number
  /** The last character of a list's markers, the opening fence, the end of a formula, or the first character of text. */
  readonly marker: string
  /** Matches the line that ends a fence, HTML or math. */
  readonly end: RegExp
  /** The number of blank lines that a formula may still contain. */
  readonly blankCount: number
  /** The last line of a paragraph. */
  readonly last: string
  /** False if the last line continued a paragraph or a formula. */
  readonly isFirst: boolean
  /** The number of items of a list, rows of a table after its head, or blocks in a quote. */
  readonly partCount: number
  /** The last block in a container. For a formula: the last block that its lines form if the formula turns out to have no end. */
  readonly inner: OpenBlock | null
}

/** A part of the document that begins with a top-level block. */
export interface Section {
  /** The last block of the section. A section has several blocks if it was not certain that a line begins a block. */
  readonly block: OpenBlock
  readonly source: Source
  /** The offsets of the items, rows or blocks that `partCount` counts. */
  readonly parts: number[]
  /** The offset of the last paragraph, heading or row, after the markers of its containers. */
  readonly textStart: number
}

export function emptySection(offset: number): Section {
  return { block: NO_BLOCK, source: sourceAt(offset), parts: [], textStart: 0 }
}

/** Adds a line with its line ending. Returns the section with the line, or the section that the line begins. */
export function addLine(section: Section, source: Source): Section {
  const line = withoutTabs(source.text.replace(/[\r\n]+$/, ''))
  const continuedBlock = continueBlock(section.block, line)
  const block = continuedBlock ?? blockStart(line)
  const before = continuedBlock === null ? sourceAt(0) : section.source
  const parts = continuedBlock === null || block.partCount === 0 ? [] : section.parts
  const { length } = before.text
  // The first part has all lines before it, for example a formula without an end. A table has a head instead.
  if (block.partCount > parts.length) parts.push(parts.length === 0 && block.kind !== 'table' ? 0 : length)
  const isNew = line.trim() !== '' && isNewLeaf(section.block, block)
  const textStart = isNew ? length + prefixOf(source.text).length : section.textStart
  return { block, source: joinSources(before, source), parts, textStart }
}

/** Returns the last block after one more line, whose `text` is without its line ending. */
export function blockAfter(block: OpenBlock, text: string): OpenBlock {
  const line = withoutTabs(text)
  return continueBlock(block, line) ?? blockStart(line)
}

/** Returns the innermost block. The lines of a formula count as text, because the formula may have no end. */
export function leafIn(block: OpenBlock): OpenBlock {
  return block.inner === null ? block : leafIn(block.inner)
}

/**
 * Whether a line begins the innermost block, or a row of a table. If the line continues text without the marker of the container,
 * the innermost block stays the same object.
 */
export function isNewLeaf(before: OpenBlock, after: OpenBlock): boolean {
  const leaf = leafIn(after)
  return leaf.isFirst && leaf !== leafIn(before)
}

/** Returns the kind of the innermost block that is open. */
export function innermost({ kind, isEnded, inner }: OpenBlock): Kind {
  if (isEnded) return 'empty'
  return inner === null || kind === 'math' ? kind : innermost(inner)
}

/** Returns the open block after one more line; null if the line begins another one. */
function continueBlock(block: OpenBlock, line: string): OpenBlock | null {
  const indent = indentOf(line)
  const content = line.slice(indent)
  const endedBlock: OpenBlock = { ...block, isEnded: true }
  const continuedBlock: OpenBlock = { ...block, last: content, isFirst: false }
  if (block.isEnded) return null
  switch (block.kind) {
    case 'empty':
      return content === '' ? block : null
    case 'indented':
      return content === '' || indent > 3 ? block : null
    case 'fence':
    case 'html':
      return block.end.test(line) ? endedBlock : block
    case 'math': {
      const after = block.inner && blockAfter(block.inner, line)
      // Formulas in formulas are not followed, so the depth is bounded.
      const inner = after === null || innermost(after) === 'math' ? null : after
      if (content !== '') return { ...block, inner, isFirst: false, isEnded: block.end.test(content) }
      if (block.blankCount > 0) return { ...block, inner, isFirst: false, blankCount: block.blankCount - 1 }
      // The formula has no end. The items so far are part of the text that begins with it.
      return inner === null || inner.isEnded || inner.kind === 'empty' ? endedBlock : { ...inner, partCount: 0 }
    }
    case 'table':
      if (content === '') return endedBlock
      return indent > 3 || begins(content, false) ? null : { ...block, partCount: block.partCount + 1 }
    case 'text':
      if (content === '') return endedBlock
      if (indent > 3) return continuedBlock
      // An underline ends a heading, but not link definitions, and text that begins with a bracket may be such definitions.
      if (/^(?:=+|-+)[ \t]*$/.test(content)) return block.marker === '[' ? continuedBlock : endedBlock
      if (isTable(block.last, content)) return { ...block, kind: 'table', isFirst: true }
      return begins(content, true) ? null : continuedBlock
    case 'quote':
    case 'list':
    case 'footnote':
      return nextInContainer(block, line, content, indent)
    default:
      return continuedBlock
  }
}

/** Returns the open block after a line that follows a line of a quote, an item or a footnote. */
function nextInContainer(block: OpenBlock, line: string, content: string, indent: number): OpenBlock | null {
  const { kind, width, marker, partCount, inner } = block
  if (kind === 'quote' && content === '') return { ...block, isEnded: true }
  const start = indent > 3 ? null : containerStart(content, false)
  const isInside = kind === 'quote' ? start?.kind === 'quote' : content === '' || indent >= width
  if (isInside && inner !== null) {
    if (content === '' && inner.isEnded) return block
    // A blank line ends an item without content.
    if (content === '' && inner.kind === 'empty') return { ...block, width: Number.POSITIVE_INFINITY }
    const inside = line.slice(kind === 'quote' ? indent + (start?.length ?? 0) : width)
    const continuedInner = continueBlock(inner, inside)
    const isPart = continuedInner === null && kind === 'quote'
    return { ...block, inner: continuedInner ?? blockStart(inside), partCount: partCount + Number(isPart) }
  }
  if (start?.kind === 'list' && start.marker === marker) return { ...blockStart(line), partCount: partCount + 1 }
  // An open formula is text, and so may be what looks like a table. Link definitions end with the paragraph in which they are.
  const isText = /^(?:text|math|table|unsure)$/.test(innermost(block))
  if (start !== null || (indent < 4 && flowStart(content, isText) !== null)) return null
  return isText ? block : null
}

/** Whether a line with an indent under four columns begins a block; if `isInterrupting`, one that interrupts a paragraph. */
function begins(content: string, isInterrupting: boolean): boolean {
  return containerStart(content, isInterrupting) !== null || flowStart(content, isInterrupting) !== null
}

/** Maximum number of blank lines in a formula whose delimiters have their own lines. Other formulas contain none. */
const BLANK_MAX = 3
/** Maximum number of nested containers whose blocks are tracked. The content of a deeper container is `UNSURE`. */
const DEPTH_MAX = 16

export const NO_BLOCK: OpenBlock = {
  ...{ kind: 'empty', isEnded: false, width: 0, marker: '', end: /^$/, blankCount: 0, last: '', isFirst: true },
  ...{ partCount: 0, inner: null },
}
const UNSURE: OpenBlock = { ...NO_BLOCK, kind: 'unsure' }

/** Returns the block that a line begins. */
function blockStart(line: string, depth = 0): OpenBlock {
  const indent = indentOf(line)
  const content = line.slice(indent)
  if (content === '') return NO_BLOCK
  if (indent > 3) return { ...NO_BLOCK, kind: 'indented' }
  const container = containerStart(content, false)
  if (container !== null) {
    const { kind, marker, length } = container
    const inner = depth < DEPTH_MAX ? blockStart(line.slice(indent + length), depth + 1) : UNSURE
    const width = { list: indent + length, footnote: 4, quote: 0 }[kind]
    return { ...NO_BLOCK, kind, marker, width, inner, partCount: kind === 'footnote' ? 0 : 1 }
  }
  const start = flowStart(content, false)
  return start ?? { ...NO_BLOCK, kind: 'text', marker: content.charAt(0), last: content }
}

/** Returns the number of spaces before the text of a line. */
function indentOf(line: string): number {
  return line.search(/[^ ]|$/)
}

/** Replaces each tab before the text of a line with spaces up to the next multiple of four columns. */
function withoutTabs(line: string): string {
  const prefix = prefixOf(line)
  let spaces = ''
  for (const character of prefix) spaces += character === '\t' ? ' '.repeat(4 - (spaces.length % 4)) : character
  return spaces + line.slice(prefix.length)
}

/** The start of a quote, an item of a list or a footnote. */
interface ContainerStart {
  readonly kind: 'quote' | 'list' | 'footnote'
  /** The last character of an item's marker. */
  readonly marker: string
  /** The number of columns before the content. */
  readonly length: number
}

const MARKER = /^(?:[*+-]|(\d{1,9})[.)])(?= |$)/
/** Matches the start of a footnote. GFM allows escaped brackets in its label, but no white space. */
const FOOTNOTE = /^\[\^(?:\\[[\]\\]|\\(?![[\]\\])|[^\\ \t[\]]){1,999}\]:/

/**
 * Returns the container that a text starts. The caller has checked that the indent is under four columns.
 *
 * @param text - the rest of the line
 * @param isInterrupting - whether the text must interrupt a paragraph. An empty item cannot, nor an item with a number other than 1.
 */
function containerStart(text: string, isInterrupting: boolean): ContainerStart | null {
  if (text.startsWith('>')) return { kind: 'quote', marker: '', length: text[1] === ' ' ? 2 : 1 }
  const [footnote] = FOOTNOTE.exec(text) ?? []
  if (footnote !== undefined) return { kind: 'footnote', marker: '', length: footnote.length }
  const [marker, digits] = MARKER.exec(text) ?? []
  if (marker === undefined || isRule(text)) return null
  const rest = text.slice(marker.length)
  const content = rest.slice(indentOf(rest))
  if (isInterrupting && (content === '' || (digits !== undefined && Number(digits) !== 1))) return null
  const columnCount = text.length - content.length
  const length = content === '' || columnCount > marker.length + 4 ? marker.length + 1 : columnCount
  return { kind: 'list', marker: marker.at(-1) ?? '', length }
}

/**
 * Returns the leaf block that a line starts: a heading, a thematic break, fenced code, HTML, a tag or a formula. Returns null for
 * any other line. The caller has checked that the indent is under four columns.
 *
 * @param text - the rest of the line
 * @param isInterrupting - whether the line would otherwise continue a paragraph
 */
export function flowStart(text: string, isInterrupting: boolean): OpenBlock | null {
  if (/^#{1,6}(?:[ \t]|$)/.test(text) || isRule(text)) return { ...NO_BLOCK, kind: 'line', isEnded: true }
  const [fence] = /^(?:`{3,}(?=[^`]*$)|~{3,})/.exec(text) ?? []
  if (fence === undefined)
    return text.startsWith('<') ? htmlStart(text, isInterrupting) : mathStart(text, isInterrupting)
  return { ...NO_BLOCK, kind: 'fence', marker: fence, end: new RegExp(`^ {0,3}${fence}${fence[0]}*[ \\t]*$`) }
}

/**
 * Returns the formula that starts with a text; null if none starts. A formula that starts on the line of its dollar signs or
 * its bracket, but does not end there, does not interrupt a paragraph.
 */
function mathStart(text: string, isInterrupting: boolean): OpenBlock | null {
  const [opener, environment] = /^(?:\$\$|\\\[|\\begin\{([A-Za-z]+\*?)\})/.exec(text) ?? []
  if (opener === undefined) return null
  const marker = environment !== undefined ? `\\end{${environment}}` : opener === '$$' ? '$$' : '\\]'
  const rest = text.slice(opener.length).trim()
  const closerAt = rest.indexOf(marker)
  const isOpen = closerAt < 0 && (rest === '' || !isInterrupting)
  const isComplete = closerAt > 0 && closerAt + marker.length === rest.length
  if (!isOpen && !isComplete && environment === undefined) return null
  const end = new RegExp(`${marker.replace(/\W/g, '\\$&')}[ \\t]*$`)
  const blankCount = rest === '' && environment === undefined ? BLANK_MAX : 0
  const inner: OpenBlock = { ...NO_BLOCK, kind: 'text', last: text }
  return { ...NO_BLOCK, kind: 'math', marker, end, blankCount, inner, isEnded: end.test(rest) }
}

function isRule(text: string): boolean {
  return /^([*_-])(?:[ \t]*\1){2,}[ \t]*$/.test(text)
}

/** The markers of the containers before a line's text. */
const CONTAINERS = /^(?:[ \t]*(?:>|[-+*](?=[ \t]|$)|\d{1,9}[.)](?=[ \t]|$)))*/

/** Returns the markers of the containers and the white space before a line's text. */
export function prefixOf(line: string): string {
  const [markers = ''] = CONTAINERS.exec(line) ?? []
  const [space = ''] = /^[ \t]*/.exec(line.slice(markers.length)) ?? []
  return markers + space
}

/**
 * Returns the HTML block that starts with a text (CommonMark 4.6); null if none starts. A tag alone on its line whose name is
 * not one of HTML's is a block of kind `tag`. Only the tags that `htmlKinds` lists interrupt a paragraph as HTML.
 */
function htmlStart(text: string, isInterrupting: boolean): OpenBlock | null {
  const blockKind = htmlKinds.find(({ start }) => start.test(text))
  const tag = blockKind === undefined && TAG.test(text) ? readTag(text.trimEnd()) : null
  if (tag?.element === null && !/^(?:br|img)$/.test(tag.name)) return { ...NO_BLOCK, kind: 'tag', isEnded: true }
  const end = blockKind?.end ?? (tag === null || isInterrupting ? null : BLANK)
  if (end === null || isSentence(text)) return null
  return { ...NO_BLOCK, kind: 'html', end, isEnded: end !== BLANK && end.test(text) }
}

/** Whether a line is about a tag: a start tag and words, without the end tag (`<div> is a block`). */
function isSentence(text: string): boolean {
  const [, name = ''] = /^<([a-z][a-z\d]*)>[ \t]+[^\s<]/i.exec(text) ?? []
  return name !== '' && !new RegExp(`</${name}\\s*>`, 'i').test(text)
}

/** A blank line, which ends a block without being part of it. */
const BLANK: RegExp = /^[ \t]*$/

/** The names of the elements whose tags begin an HTML block wherever they are (condition 6). */
const HTML_NAMES =
  'address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|' +
  'fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|' +
  'menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|' +
  'track|ul'

/** The start and end conditions 1 to 6 of HTML blocks (CommonMark 4.6). */
const htmlKinds: readonly { readonly start: RegExp; readonly end: RegExp }[] = [
  { start: /^<(?:script|pre|style|textarea)(?:[\s>]|$)/i, end: /<\/(?:script|pre|style|textarea)>/i },
  { start: /^<!--/, end: /-->/ },
  { start: /^<\?/, end: /\?>/ },
  { start: /^<![a-z]/i, end: />/ },
  { start: /^<!\[CDATA\[/, end: /\]\]>/ },
  { start: new RegExp(`^</?(?:${HTML_NAMES})(?:[\\s>]|/>|$)`, 'i'), end: BLANK },
]

/** Matches one tag of any name, alone on its line: start condition 7 of HTML blocks (CommonMark 4.6). */
const TAG =
  /^<(?:\/[a-z][a-z\d-]*\s*|[a-z][a-z\d-]*(?:\s+[a-z_:][\w.:-]*(?:\s*=\s*(?:[^\s"'=<>`]+|'[^']*'|"[^"]*"))?)*\s*\/?)>[ \t]*$/i

/** Returns the number of cells in a row. Unescaped pipes separate them (GFM 4.10). */
export function cellCount(row: string): number {
  const pipeCount = row.match(/\\.|\|/gs)?.filter((match) => match === '|').length ?? 0
  const isLastEmpty = /(?:^|[^\\])(?:\\\\)*\|[ \t]*$/.test(row)
  return pipeCount + 1 - Number(row.startsWith('|')) - Number(isLastEmpty && row.length > 1)
}

/**
 * Whether two lines start a table.
 *
 * @param head - the first line, without white space before it
 * @param delimiters - the second line
 */
function isTable(head: string, delimiters: string): boolean {
  const isRow = /^\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/.test(delimiters)
  return isRow && /[|:]/.test(delimiters) && !/^\|[ \t]*$/.test(head) && cellCount(head) === cellCount(delimiters)
}
