/** Recognizes the blocks that start at a line of Markdown (CommonMark 4 and 5, GFM). Each function reads one line. */
import { trimSpace } from '../lines.js'

/** The start of a container: a quote, a footnote, or an item with the last character of its marker. */
export type ContainerStart =
  | { readonly kind: 'quote' }
  | { readonly kind: 'footnote' }
  | { readonly kind: 'item'; readonly marker: string }

/** The start of a block without child blocks that can be recognized without the line before it. */
export type FlowStart =
  | { readonly kind: 'rule' }
  | { readonly kind: 'heading' }
  | { readonly kind: 'fence'; readonly fence: string }
  | { readonly kind: 'html'; readonly end: RegExp }
  /** A tag alone on its line, whose name is not one of HTML's: a paragraph of its own. */
  | { readonly kind: 'tag' }
  | { readonly kind: 'math'; readonly end: RegExp }

const MARKER = /^(?:[*+-]|(\d{1,9})[.)])(?=[ \t]|$)/
/** White space in a label is not supported by GFM; an escaped bracket is. */
const FOOTNOTE = /^\[\^(?:\\[[\]\\]|\\(?![[\]\\])|[^\\ \t[\]]){1,999}\]:/

/**
 * Returns the container that starts with a text. Fewer than four columns of white space are before the text.
 *
 * @param text - the rest of the line
 * @param isInterrupting - whether the line would otherwise continue a paragraph, which only some items can interrupt
 */
export function containerStart(text: string, isInterrupting: boolean): ContainerStart | null {
  if (text.startsWith('>')) return { kind: 'quote' }
  if (FOOTNOTE.test(text)) return { kind: 'footnote' }
  const [marker, digits] = MARKER.exec(text) ?? []
  if (marker === undefined || isRule(text)) return null
  if (isInterrupting && (/^\s*$/.test(text.slice(marker.length)) || (digits !== undefined && Number(digits) !== 1)))
    return null
  return { kind: 'item', marker: marker.at(-1) ?? '' }
}

/**
 * Returns the block that starts with a text. Fewer than four columns of white space are before the text.
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
export function isUnderline(text: string): boolean {
  return /^(?:=+|-+)[ \t]*$/.test(text)
}

/** Whether a line is the closing fence. */
export function isClosingFence(text: string, fence: string): boolean {
  const run = /^(?:`+|~+)(?=[ \t]*$)/.exec(text)?.[0] ?? ''
  return run.length >= fence.length && run[0] === fence[0]
}

/** The markers of the containers before a line's text. */
export const CONTAINERS: RegExp = /^(?:[ \t]*(?:>|[-+*](?=[ \t]|$)|\d{1,9}[.)](?=[ \t]|$)))*/

/** Returns the fence that a line is in or opens, in whatever container, given that of the line before it; '' for none. */
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
export const BLANK: RegExp = /^[ \t]*$/

/** HTML's elements that do not always start an HTML block. */
const inlineElements: ReadonlySet<string> = new Set(
  (
    'a abbr acronym applet audio b bdi bdo bgsound big blink br button canvas cite code data datalist del dfn em embed ' +
    'font hgroup i image img input ins kbd label map mark marquee math meta meter nobr noembed noscript object output ' +
    'picture plaintext progress q rb rp rt rtc ruby s samp select slot small source span strike strong sub sup svg ' +
    'template time tt u var video wbr xmp'
  ).split(' '),
)

/** The start conditions 1 to 6. */
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

/** One tag of any name, alone on its line: condition 7. */
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
 * @param head - the first, without white space in front of it
 * @param delimiters - the second one
 */
export function isTable(head: string, delimiters: string): boolean {
  if (!DELIMITERS.test(delimiters) || !/[|:]/.test(delimiters)) return false
  return cellCount(head) === cellCount(delimiters)
}

const DELIMITERS = /^\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/
