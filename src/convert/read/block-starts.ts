/** Recognizes the blocks that start at a line of Markdown (CommonMark 4 and 5, GFM). Each function reads one line once. */
import { trimSpace } from '../lines.js'
import type { ReadingRules } from '../options.js'
import { endOfHtml, isForeignTag } from './html-starts.js'

/** The start of a container. */
export type ContainerStart =
  | { readonly kind: 'quote' }
  | { readonly kind: 'footnote'; readonly label: string; readonly length: number }
  | ItemStart

/** The marker of an item. */
export interface ItemStart {
  readonly kind: 'item'
  /** The marker's characters, for example `-` or `12.`. */
  readonly text: string
  /** The last character, which all items of a list share: `-`, `.` */
  readonly marker: string
  readonly number: number | null
}

/** The start of a block without child blocks that can be recognized without the previous line. */
export type FlowStart =
  | { readonly kind: 'rule' }
  | { readonly kind: 'heading' }
  | { readonly kind: 'fence'; readonly fence: string; readonly info: string }
  | { readonly kind: 'html'; readonly end: RegExp }
  | { readonly kind: 'tag' }
  | { readonly kind: 'math'; readonly end: RegExp }

const MARKER = /^(?:[*+-]|(\d{1,9})[.)])(?=[ \t]|$)/
/** White space in a label is not supported by GFM; an escaped bracket is. */
const FOOTNOTE = /^\[\^((?:\\[[\]\\]|\\(?![[\]\\])|[^\\ \t[\]]){1,999})\]:/

/**
 * Returns the container that starts with a text. Fewer than four columns of white space are before the text.
 *
 * @param text - the rest of the line
 * @param isInterrupting - whether the line would otherwise continue a paragraph, which only some items can interrupt
 */
export function containerStart(text: string, isInterrupting: boolean): ContainerStart | null {
  if (text.startsWith('>')) return { kind: 'quote' }
  if (text.startsWith('[^')) {
    const [match, label = ''] = FOOTNOTE.exec(text) ?? []
    return match === undefined ? null : { kind: 'footnote', label, length: match.length }
  }
  const [marker, digits] = MARKER.exec(text) ?? []
  if (marker === undefined || isRule(text)) return null
  if (isInterrupting && (/^\s*$/.test(text.slice(marker.length)) || (digits !== undefined && digits !== '1')))
    return null
  const number = digits === undefined ? null : Number(digits)
  return { kind: 'item', text: marker, marker: marker.at(-1) ?? '', number }
}

/**
 * Returns the block that starts with a text. Fewer than four columns of white space are before the text.
 *
 * @param text - the rest of the line
 * @param isInterrupting - whether the line would otherwise continue a paragraph
 * @param rules - whether there is math, and which tags begin HTML
 */
export function flowStart(text: string, isInterrupting: boolean, rules: ReadingRules): FlowStart | null {
  if (/^#{1,6}(?:[ \t]|$)/.test(text)) return { kind: 'heading' }
  const [fence] = /^(?:`{3,}|~{3,})/.exec(text) ?? []
  const info = trimSpace(text.slice(fence?.length))
  if (fence !== undefined && !(fence.startsWith('`') && info.includes('`'))) return { kind: 'fence', fence, info }
  if (isRule(text)) return { kind: 'rule' }
  if (rules.math !== 'none') {
    const end = endOfMathBlock(text, isInterrupting)
    if (end !== null) return { kind: 'math', end }
  }
  if (rules.isOnlyHtml && isForeignTag(text)) return { kind: 'tag' }
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
