/**
 * Cuts Markdown that arrives line by line into sections. A section begins only at a line that certainly begins a top-level
 * block, so it can be parsed alone; a missed cut only makes a section longer. The offsets of items and rows are recorded too,
 * so that reading `tail` parses only the last one.
 */
import { trimSpace } from '../lines.js'
import { joined, type Point, type Source, START, sourceAt } from './source.js'

type Kind =
  | 'empty'
  | 'line'
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
  /** Whether the next line begins another section. */
  readonly isEnded: boolean
  readonly source: Source
  /** The number of columns that continue an item, a footnote or indented code. */
  readonly width: number
  /** The opening fence, the last character of a list's markers, or the name of an element. */
  readonly mark: string
  /** Matches the line that ends HTML or math. */
  readonly end: RegExp
  readonly blankCount: number
  /** Whether the last line continues a paragraph in a quote or an item without its marker, or begins one after them. */
  readonly isLazy: boolean
  /** The last line. */
  readonly last: string
  /** The offsets of the items of a list, of the rows of a table after its head, or of blocks in a quote. */
  readonly parts: readonly number[]
  /** The open section in a quote. */
  readonly inner: Section | null
  /** The opening fence of the code in an item or a quote that contains the last line; '' for none. */
  readonly innerFence: string
}

export function emptySection(point: Point): Section {
  const text = { last: '', mark: '', innerFence: '', parts: [], inner: null }
  return {
    kind: 'empty',
    isEnded: false,
    source: sourceAt(point),
    ...text,
    width: 0,
    end: BLANK,
    blankCount: 0,
    isLazy: false,
  }
}

/** The result of adding a line: the section that it ended, if any, and the open section that contains it. */
interface Cut {
  readonly ended: Section | null
  readonly open: Section
}

/** Adds a line with its line ending. */
export function addLine(section: Section, source: Source): Cut {
  const line = source.text.replace(/[\r\n]+$/, '')
  const change = section.isEnded ? null : changeOf(section, line, source.text.length)
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
    open: {
      ...open,
      ...(open.kind === 'quote' ? insideQuote(base, source.text) : {}),
      innerFence: isContainer ? fenceAfter(base.innerFence, line) : '',
    },
  }
}

/** Splits the content of a quote, too, up to a line without a marker, with a tab after it, or in more than 16 quotes. */
function insideQuote({ inner, parts, source }: Section, line: string): Pick<Section, 'inner' | 'parts'> {
  const content = /^ {0,3}>(?!\t) ?/.exec(line)
  const before = inner ?? emptySection(START)
  if (content === null || /^(?:[ \t]*>){17}/.test(line)) return { inner: { ...before, kind: 'unsure' }, parts }
  const { ended, open } = addLine(before, sourceAt(before.source.end, line.slice(content[0].length)))
  return { inner: open, parts: ended === null && inner !== null ? parts : [...parts, source.text.length] }
}

type Change = Partial<Omit<Section, 'source' | 'last' | 'inner' | 'innerFence'>>

/** Returns the changes of a line to the section, or null if it begins another one. `length` includes the line ending. */
function changeOf(section: Section, line: string, length: number): Change | null {
  const { kind, mark, end, width, parts, source } = section
  const { text } = source
  const indent = indentOf(line)
  const content = line.replace(/^[ \t]+/, '')
  const isBlank = content === ''
  const blankCount = isBlank ? section.blankCount + 1 : 0
  switch (kind) {
    case 'fence':
      return indent < 4 && isClosingFence(content, mark) ? { isEnded: true } : {}
    case 'html':
      return end.test(line) ? { isEnded: true } : {}
    case 'math':
      if (isBlank && (!/^[ \t]*..[ \t]*[\r\n]/.test(text) || blankCount > BLANK_MAX)) return { isEnded: true }
      return end.test(content) ? { isEnded: true } : { blankCount }
    case 'empty':
      return isBlank ? {} : null
    case 'unsure':
      return {}
  }
  if (isBlank && width === 0) return { isEnded: true }
  if (isBlank) return isEmptyItem(section) ? { blankCount, width: Number.POSITIVE_INFINITY } : { blankCount }
  if (width > 0 && indent >= width) {
    // The line before may be in the item or after the list, so this block may be in either, too.
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
    // After a paragraph, the line would be a setext underline or text; after a container, it begins a block.
    if (/^--/.test(content) && isUnderline(content)) return { isEnded: true }
    if (isRestricted(content) || isRestrictedInside(content)) return { ...beginning(line), parts: [], isLazy: true }
  }
  if (indent < 4 && interrupts(content, kind))
    return kind === 'text' && isRestrictedInside(content) ? { ...beginning(line), parts: [], isLazy: true } : null
  // Whether the line goes on with a paragraph or is indented code depends on the content of the container.
  if (kind !== 'text' && indent > 3) return { width: 4, isLazy: true }
  if (kind === 'quote' || kind === 'list') return { isLazy: true }
  // An underline does not turn link definitions into a heading.
  if (kind === 'text' && indent < 4 && isUnderline(content)) return text.startsWith('[') ? {} : { isEnded: true }
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

/** Whether nested containers at the start of a line include an item that micromark would not accept after a paragraph. */
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
      return start.end !== BLANK && start.end.test(line)
        ? { kind: 'html', isEnded: true }
        : { kind: 'html', end: start.end }
    case 'math':
      return start.end.test(content.slice(2)) ? { kind: 'math', isEnded: true } : { kind: 'math', end: start.end }
    default:
      return { kind: 'line', isEnded: true }
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

/** The start of a container: a quote, a footnote, or an item with the last character of its marker. */
type ContainerStart =
  | { readonly kind: 'quote' }
  | { readonly kind: 'footnote' }
  | { readonly kind: 'item'; readonly marker: string }

/** The start of a block without child blocks that can be recognized without the line before it. */
export type FlowStart =
  | { readonly kind: 'rule' }
  | { readonly kind: 'heading' }
  | { readonly kind: 'fence'; readonly fence: string }
  | { readonly kind: 'html'; readonly end: RegExp }
  /** A tag alone on its line, whose name is not one of HTML's. The line becomes a paragraph. */
  | { readonly kind: 'tag' }
  | { readonly kind: 'math'; readonly end: RegExp }

const MARKER = /^(?:[*+-]|(\d{1,9})[.)])(?=[ \t]|$)/
/** Matches the start of a footnote. GFM allows escaped brackets in its label, but no white space. */
const FOOTNOTE = /^\[\^(?:\\[[\]\\]|\\(?![[\]\\])|[^\\ \t[\]]){1,999}\]:/

/**
 * Returns the container that a line starts. Before the text, the line has fewer than four columns of white space.
 *
 * @param text - the rest of the line
 * @param isInterrupting - whether the line would otherwise continue a paragraph, which only some items can interrupt
 */
function containerStart(text: string, isInterrupting: boolean): ContainerStart | null {
  if (text.startsWith('>')) return { kind: 'quote' }
  if (FOOTNOTE.test(text)) return { kind: 'footnote' }
  const [marker, digits] = MARKER.exec(text) ?? []
  if (marker === undefined || isRule(text)) return null
  if (isInterrupting && (/^\s*$/.test(text.slice(marker.length)) || (digits !== undefined && Number(digits) !== 1)))
    return null
  return { kind: 'item', marker: marker.at(-1) ?? '' }
}

/**
 * Returns the block that a line starts. Before the text, the line has fewer than four columns of white space.
 *
 * @param text - the rest of the line
 * @param isInterrupting - whether the line would otherwise continue a paragraph
 */
export function flowStart(text: string, isInterrupting: boolean): FlowStart | null {
  if (/^#{1,6}(?:[ \t]|$)/.test(text)) return { kind: 'heading' }
  const [fence] = /^(?:`{3,}(?=[^`]*$)|~{3,})/.exec(text) ?? []
  if (fence !== undefined) return { kind: 'fence', fence }
  if (isRule(text)) return { kind: 'rule' }
  const [environment, name = ''] = /^\\begin\{([A-Za-z]+\*?)\}/.exec(text) ?? []
  if (environment !== undefined)
    return { kind: 'math', end: new RegExp(`\\\\end\\{${name.replace('*', '\\*')}\\}[ \\t]*$`) }
  const mathEnd = endOfMathBlock(text, isInterrupting)
  if (mathEnd !== null) return { kind: 'math', end: mathEnd }
  if (!text.startsWith('<')) return null
  if (isForeignTag(text)) return { kind: 'tag' }
  const end = endOfHtml(text, isInterrupting)
  return end === null ? null : { kind: 'html', end }
}

/**
 * Returns the pattern that ends the math block that starts with a text; null if none starts. A formula that starts on
 * the line of its delimiter but does not end there does not interrupt a paragraph.
 */
function endOfMathBlock(text: string, isInterrupting: boolean): RegExp | null {
  const isDollar = text.startsWith('$$')
  if (!isDollar && !text.startsWith('\\[')) return null
  const rest = trimSpace(text.slice(2))
  const end = rest.indexOf(isDollar ? '$$' : '\\]')
  const isBlock = end < 0 ? rest === '' || !isInterrupting : end > 0 && end === rest.length - 2
  if (!isBlock) return null
  return isDollar ? DOLLARS : BRACKET
}

const [DOLLARS, BRACKET] = [/\$\$[ \t]*$/, /\\\][ \t]*$/]

function isRule(text: string): boolean {
  return /^([*_-])(?:[ \t]*\1){2,}[ \t]*$/.test(text)
}

/** Whether a line is a setext underline, which turns the paragraph before it into a heading. */
function isUnderline(text: string): boolean {
  return /^(?:=+|-+)[ \t]*$/.test(text)
}

/** Whether a line is the closing fence. */
function isClosingFence(text: string, fence: string): boolean {
  const run = /^(?:`+|~+)(?=[ \t]*$)/.exec(text)?.[0] ?? ''
  return run.length >= fence.length && run[0] === fence[0]
}

/** The markers of the containers before a line's text. */
const CONTAINERS = /^(?:[ \t]*(?:>|[-+*](?=[ \t]|$)|\d{1,9}[.)](?=[ \t]|$)))*/

/** Returns the markers of the containers and the white space before a line's text. */
export function prefixOf(line: string): string {
  const [markers = ''] = CONTAINERS.exec(line) ?? []
  const [space = ''] = /^[ \t]*/.exec(line.slice(markers.length)) ?? []
  return markers + space
}

/** Returns the fence that is open after a line in any container, given the one open before the line; '' for none. */
export function fenceAfter(fence: string, line: string): string {
  const text = line.replace(CONTAINERS, '').trimStart()
  if (fence === '') return /^(?:`{3,}(?=[^`]*$)|~{3,})/.exec(text)?.[0] ?? ''
  return isClosingFence(text, fence) ? '' : fence
}

/**
 * Returns the pattern that ends the HTML block that starts with a text (CommonMark 4.6); null if none starts. `isInterrupting`:
 * a tag of an unknown name does not interrupt a paragraph.
 */
function endOfHtml(text: string, isInterrupting: boolean): RegExp | null {
  if (isSentence(text)) return null
  const kind = htmlKinds.find(({ start }) => start.test(text))
  if (kind !== undefined) return kind.end
  return !isInterrupting && TAG.test(text) ? BLANK : null
}

/** Whether a line is about a tag: a start tag and words, without the end tag (`<div> is a block`). */
function isSentence(text: string): boolean {
  const [, name = ''] = /^<([a-z][a-z\d]*)>[ \t]+[^\s<]/i.exec(text) ?? []
  return name !== '' && !new RegExp(`</${name}\\s*>`, 'i').test(text)
}

/** Whether a text is one tag, and its name is not one of HTML's. */
function isForeignTag(text: string): boolean {
  if (!TAG.test(text) || htmlKinds.some(({ start }) => start.test(text))) return false
  const [, name = ''] = /^<\/?([a-z\d-]+)/i.exec(text) ?? []
  return !inlineElements.has(name.toLowerCase())
}

/** A blank line, which ends a block without being part of it. */
const BLANK: RegExp = /^[ \t]*$/

/** HTML's elements that do not always start an HTML block. */
const inlineElements: ReadonlySet<string> = new Set(
  (
    'a abbr acronym applet audio b bdi bdo bgsound big blink br button canvas cite code data datalist del dfn em embed ' +
    'font hgroup i image img input ins kbd label map mark marquee math meta meter nobr noembed noscript object output ' +
    'picture plaintext progress q rb rp rt rtc ruby s samp select slot small source span strike strong sub sup svg ' +
    'template time tt u var video wbr xmp'
  ).split(' '),
)

/** The start and end conditions 1 to 6 of HTML blocks (CommonMark 4.6). */
const htmlKinds: readonly { readonly start: RegExp; readonly end: RegExp }[] = [
  { start: /^<(?:script|pre|style|textarea)(?:[\s>]|$)/i, end: /<\/(?:script|pre|style|textarea)>/i },
  { start: /^<!--/, end: /-->/ },
  { start: /^<\?/, end: /\?>/ },
  { start: /^<![a-z]/i, end: />/ },
  { start: /^<!\[CDATA\[/, end: /\]\]>/ },
  { start: blockTag(), end: BLANK },
]

function blockTag(): RegExp {
  const names =
    'address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|' +
    'fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|' +
    'menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|' +
    'track|ul'
  return new RegExp(`^</?(?:${names})(?:[\\s>]|/>|$)`, 'i')
}

/** Matches one tag of any name, alone on its line: start condition 7 of HTML blocks (CommonMark 4.6). */
const TAG =
  /^<(?:\/[a-z][a-z\d-]*\s*|[a-z][a-z\d-]*(?:\s+[a-z_:][\w.:-]*(?:\s*=\s*(?:[^\s"'=<>`]+|'[^']*'|"[^"]*"))?)*\s*\/?)>[ \t]*$/i

/** Returns the number of cells of a row, which unescaped bars separate (GFM 4.10). */
export function cellCount(row: string): number {
  const bars = row.match(/\\.|\|/gs)?.filter((match) => match === '|').length ?? 0
  const isLastEmpty = /(?:^|[^\\])(?:\\\\)*\|[ \t]*$/.test(row)
  return bars + 1 - Number(row.startsWith('|')) - Number(isLastEmpty && row.length > 1)
}

/**
 * Whether two lines start a table.
 *
 * @param head - the first line, without white space before it
 * @param delimiters - the second line
 */
function isTable(head: string, delimiters: string): boolean {
  if (!DELIMITERS.test(delimiters) || !/[|:]/.test(delimiters)) return false
  return cellCount(head) === cellCount(delimiters)
}

const DELIMITERS = /^\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/
