/**
 * Cuts Markdown that arrives line by line. A section begins where a top-level block surely begins, so that it can be parsed
 * alone: the only possible mistake is not to cut. The items of a list and the rows of a table are known too, so that a look at
 * the tail parses only the last one.
 */
import { joined, type Point, type Source, START, sourceAt } from './source.js'
import {
  BLANK,
  CONTAINERS,
  containerStart,
  fenceAfter,
  flowStart,
  isClosingFence,
  isTable,
  isUnderline,
} from './starts.js'

type Kind =
  | 'empty'
  | 'ended'
  | 'element'
  | 'text'
  | 'quote'
  | 'table'
  | 'list'
  | 'indented'
  | 'fence'
  | 'html'
  | 'math'
  | 'unsure'

/** The open section. */
export interface Section {
  readonly kind: Kind
  readonly source: Source
  /** The number of columns that continue an item, a footnote or indented code. */
  readonly width: number
  /** The opening fence, the last character of a list's markers, or the name of an element. */
  readonly mark: string
  /** Matches the line that ends HTML or math. */
  readonly end: RegExp
  readonly blankCount: number
  /** Whether the last line goes on with a paragraph of a quote or an item, or begins a paragraph after them. */
  readonly isLazy: boolean
  /** The last line. */
  readonly last: string
  /** The offsets of the items of a list, or of the rows of a table after its head. */
  readonly parts: readonly number[]
  /** The fence of code in an item or a quote that the last line is in. */
  readonly innerFence: string
}

export function emptySection(point: Point): Section {
  const text = { last: '', mark: '', innerFence: '', parts: [] }
  return { kind: 'empty', source: sourceAt(point), ...text, width: 0, end: BLANK, blankCount: 0, isLazy: false }
}

/** The section to which a line belongs; before it, the one that ended. */
interface Cut {
  readonly ended: Section | null
  readonly open: Section
}

/** Adds a line with its ending. */
export function addLine(section: Section, source: Source): Cut {
  const line = source.text.replace(/[\r\n]+$/, '')
  const change = section.kind === 'ended' ? null : changeOf(section, line, source.text.length)
  const base = change === null ? emptySection(source.origins[0]?.point ?? START) : section
  const open: Section = {
    ...base,
    ...(change ?? beginning(line)),
    source: joined(base.source, source),
    last: line,
  }
  const isContainer = open.kind === 'list' || open.kind === 'quote'
  return {
    ended: change === null && section.kind !== 'empty' ? section : null,
    open: { ...open, innerFence: isContainer ? fenceAfter(base.innerFence, line) : '' },
  }
}

type Change = Partial<Omit<Section, 'source' | 'last' | 'innerFence'>>

/** Returns what a line changes in the section, or null if it begins another one. `length`: that of the line with its ending. */
function changeOf(section: Section, line: string, length: number): Change | null {
  const { kind, mark, end, width, parts, source } = section
  const { text } = source
  const indent = indentOf(line)
  const content = line.replace(/^[ \t]+/, '')
  const isBlank = content === ''
  const blankCount = isBlank ? section.blankCount + 1 : 0
  switch (kind) {
    case 'fence':
      return indent < 4 && isClosingFence(content, mark) ? { kind: 'ended' } : {}
    case 'html':
      return end.test(line) ? { kind: 'ended' } : {}
    case 'math':
      if (isBlank && (!/^[ \t]*..[ \t]*[\r\n]/.test(text) || blankCount > BLANK_MAX)) return { kind: 'ended' }
      return end.test(content) ? { kind: 'ended' } : { blankCount }
    case 'empty':
      return isBlank ? {} : null
    case 'unsure':
      return {}
  }
  if (isBlank && width === 0) return { kind: 'ended' }
  if (isBlank) return isEmptyItem(section) ? { blankCount, width: Number.POSITIVE_INFINITY } : { blankCount }
  if (width > 0 && indent >= width) {
    // The text may be in an item, or after the list, and so is the code that may go on to the end.
    if (section.isLazy && section.blankCount === 0 && flowStart(content, false) !== null) return { kind: 'unsure' }
    return { blankCount, isLazy: kind === 'quote' }
  }
  if (kind === 'list' && indent < 4) {
    const item = containerStart(content, false)
    if (item?.kind === 'item' && item.marker === mark)
      return { blankCount, isLazy: false, width: widthOf(line), parts: [...parts, text.length] }
  }
  if (kind === 'quote' && indent < 4 && content.startsWith('>')) return { isLazy: false }
  // After indented code, the parser reads some items as text.
  if (kind === 'indented' && isRestricted(content)) return { kind: 'text', width: 0, blankCount }
  if (kind === 'indented') return isRestrictedInside(content) ? { ...beginning(line), parts: [], isLazy: true } : null
  const isCut = section.blankCount > 0 || endsParagraph(section)
  // The parser's result for indented code depends on the containers before it.
  if (isCut) return indent > 3 ? { kind: 'unsure' } : null
  if (section.isLazy && indent < 4) {
    // After a paragraph, the line would be its underline or its text; after a container, it begins a block.
    if (/^--/.test(content) && isUnderline(content)) return { kind: 'ended' }
    if (isRestricted(content) || isRestrictedInside(content)) return { ...beginning(line), parts: [], isLazy: true }
  }
  if (indent < 4 && interrupts(content, kind))
    return kind === 'text' && isRestrictedInside(content) ? { ...beginning(line), parts: [], isLazy: true } : null
  // Whether the line goes on with a paragraph or is indented code depends on the content of the container.
  if (kind !== 'text' && indent > 3) return { width: 4, isLazy: true }
  if (kind === 'quote' || kind === 'list') return { isLazy: true }
  // Definitions do not become a heading.
  if (kind === 'text' && indent < 4 && isUnderline(content)) return text.startsWith('[') ? {} : { kind: 'ended' }
  if (kind === 'text' && indent < 4 && isTable(section.last.trimStart(), content))
    return { kind: 'table', parts: [text.length + length] }
  if (kind === 'table') return { parts: [...parts.filter((at) => at < text.length), text.length] }
  return {}
}

/** Maximum number of blank lines in a formula whose delimiters have their own lines. Other formulas contain none. */
export const BLANK_MAX = 3

/** Whether the last line is the marker of an item without content, which a blank line ends. */
function isEmptyItem({ kind, last, width }: Section): boolean {
  return kind === 'list' && indentOf(last) < width && /^[ \t]*(?:[-+*]|\d{1,9}[.)])[ \t]*$/.test(last)
}

/** Whether a text begins an item that cannot interrupt a paragraph. */
function isRestricted(text: string): boolean {
  return containerStart(text, false) !== null && containerStart(text, true) === null
}

/** Whether a container after a paragraph begins with another one that the parser would not find there. */
function isRestrictedInside(content: string): boolean {
  let rest = content
  for (;;) {
    const inner = rest.replace(/^(?:>|[-+*](?=[ \t]|$)|\d{1,9}[.)](?=[ \t]|$))[ \t]*/, '')
    if (inner === rest) return false
    if (isRestricted(inner)) return true
    rest = inner
  }
}

/** Whether no paragraph is open in a quote or an item after its last line. */
function endsParagraph({ kind, last, isLazy }: Section): boolean {
  if ((kind !== 'quote' && kind !== 'list') || isLazy) return false
  const text = last.replace(CONTAINERS, '').trimStart()
  return text === '' || /^(?:rule|heading)$/.test(flowStart(text, false)?.kind ?? '')
}

/** Whether a line begins a block and does not continue a paragraph. */
function interrupts(content: string, kind: Kind): boolean {
  if (kind === 'text' && isUnderline(content)) return false
  // The parser restricts items only after paragraphs outside of containers.
  return containerStart(content, kind === 'text') !== null || flowStart(content, kind !== 'table') !== null
}

/** Returns the section that a line begins. */
function beginning(line: string): Change {
  const content = line.replace(/^[ \t]+/, '')
  if (content === '') return {}
  if (indentOf(line) > 3) return { kind: 'indented', width: 4 }
  const container = containerStart(content, false)
  if (container?.kind === 'quote') return { kind: 'quote' }
  if (container?.kind === 'footnote') return { kind: 'list', width: 4 }
  if (container?.kind === 'item') return { kind: 'list', width: widthOf(line), mark: container.marker, parts: [0] }
  const start = flowStart(content, false)
  switch (start?.kind) {
    case undefined:
      return { kind: 'text' }
    case 'fence':
      return { kind: 'fence', mark: start.fence }
    case 'html':
      return start.end !== BLANK && start.end.test(line) ? { kind: 'ended' } : { kind: 'html', end: start.end }
    case 'math':
      return start.end.test(content.slice(2)) ? { kind: 'ended' } : { kind: 'math', end: start.end }
    default:
      return { kind: 'ended' }
  }
}

/** Returns the columns of white space before a line's text. */
function indentOf(line: string): number {
  let column = 0
  for (const character of /^[ \t]*/.exec(line)?.[0] ?? '') column += character === '\t' ? 4 - (column % 4) : 1
  return column
}

/** Returns the columns before the content of the item that a line begins. */
function widthOf(line: string): number {
  const [, marker = '', space = '', rest = ''] = /^([ \t]*(?:[-+*]|\d+[.)]))([ \t]*)(.*)/.exec(line) ?? []
  const width = indentOf(marker.replace(/[^ \t]/g, ' '))
  const columns = indentOf(`${' '.repeat(width)}${space}`) - width
  return rest === '' || columns > 4 ? width + 1 : width + columns
}
