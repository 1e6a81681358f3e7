/** Formulas in a paragraph: `$…$` by GitHub's rule, `$$…$$`, `\(…\)` and `\[…\]`. */
import { codeConstruct, type Extension } from './micromark.js'

/**
 * Makes an extension for micromark that reads a formula as code, so that its characters stay as typed. The first character of
 * the code in the source tells whether it is a formula.
 *
 * @param source - the whole text that is parsed
 * @param openEnd - the end of a text whose last line is still being written; null if there is none
 */
export function mathText(source: string, openEnd: number | null = null): Extension {
  const construct = codeConstruct('math', (start) => {
    const end = endOfMath(source, start)
    // A digit may follow the last dollar sign of a text that is still being written: `$350–$400`.
    if (end === openEnd && openerAt(source, start) === '$' && !/[\\^_={]/.test(source.slice(start, openEnd ?? 0)))
      return null
    const { length } = openerAt(source, start)
    return end === null ? null : { end, from: start + length, to: end - length }
  })
  return { text: { [DOLLAR]: construct, [BACKSLASH]: construct } }
}

export const DOLLAR = 36
export const BACKSLASH = 92

/** Returns the offset after the formula that begins at `start`, or null. */
function endOfMath(text: string, start: number): number | null {
  const opener = openerAt(text, start)
  const closer = closers.get(opener)
  if (closer === undefined) return null
  const from = start + opener.length
  const end = closerAt(text, from, closer)
  const content = text.slice(from, end)
  if (end < 0 || content.trim() === '') return null
  if (opener === '$' && !isDollarMath(content, text[end + 1] ?? '')) return null
  // Escaped brackets in a sentence are not a formula.
  if (opener === '\\[' && !/^\s|\s$|[\\^_=]/.test(content)) return null
  return end + closer.length
}

/** The closing delimiter of each opening delimiter. */
const closers: ReadonlyMap<string, string> = new Map([
  ['$', '$'],
  ['$$', '$$'],
  ['\\(', '\\)'],
  ['\\[', '\\]'],
])

/** Returns the delimiter that may open a formula at `start`. A dollar after a letter or digit does not (`US$5`). */
export function openerAt(text: string, start: number): string {
  if (text[start] !== '$') return text.slice(start, start + 2)
  if (/[\p{L}\p{N}$]/u.test(text[start - 1] ?? ' ')) return ''
  return text[start + 1] === '$' ? '$$' : '$'
}

function closerAt(text: string, from: number, closer: string): number {
  for (let at = from; at < text.length; at += 1) {
    if (text.startsWith(closer, at)) return at
    if (text[at] === '\\') at += 1
    else if (text[at] === '\n') {
      BLANK.lastIndex = at + 1
      if (BLANK.test(text)) return -1
    }
  }
  return -1
}

const BLANK = /[ \t]*\n/y

/**
 * Whether single dollars around a text make it a formula: no white space inside them, no digit after them. A letter may follow
 * only what is clearly a formula (`$n$th`, not `$HOME/$USER`), and prices in a sentence are not a formula
 * (`$5 or 6$`).
 */
function isDollarMath(content: string, after: string): boolean {
  if (/^\s|\s$|`/.test(content) || /\d/.test(after)) return false
  if (/\p{L}/u.test(after) && !/^\p{L}$|[\\^{]/u.test(content)) return false
  return !/^\d/.test(content) || !/[\s(]\p{L}{2,}/u.test(content)
}
