/** Finds the construct in which an unfinished leaf ends: code, a mention, a link, or text (§3). */

import { traitsAt, WHITE_SPACE } from '../characters.js'
import { SEPARATOR } from '../delimiters.js'
import { isDelimiter } from '../parse/units.js'
import { openConstructsIn, rangesAfter } from './open-leaf.js'

/** As many closing parentheses as the URL of an unfinished link can need: 32 nested ones, and the one that ends the URL (§3.4). */
const CLOSING_PARENTHESES = /* @__PURE__ */ ')'.repeat(33)

/** The end of an unfinished leaf. */
export interface UnfinishedEnd {
  /** The offset up to which the leaf is shown. */
  end: number
  /** The text that closes the code or the URL of a link at the end. */
  ending: string
  /** Whether delimiters at the end may be half typed. */
  isBroken: boolean
}

/** Finds the end of an unfinished leaf. `text` has no spaces at its end; they are in `after`, with the line ending. */
export function endOfUnfinished(text: string, after: string): UnfinishedEnd {
  const isAtEnd = after === ''
  const { isEscaping } = openConstructsIn(text)
  // The dot represents the text to come: without it, a backtick after a letter would be an apostrophe at the end (§3.2).
  const { codeStart } = openConstructsIn(isAtEnd ? `${text}.` : text)
  if (codeStart > 0) return codeOf(text, codeStart - 1, isAtEnd)
  // The label of a mention may continue after a space, so the spaces after the text are included.
  const mention = startOfMention(text + after)
  if (mention >= 0) return textUpTo(text, mention, true)
  // A backslash is hidden, because it may escape the next character.
  if (isAtEnd && isEscaping) return textUpTo(text, text.length - 1, true)
  return (isAtEnd ? linkOf(text) : null) ?? textUpTo(text, text.length, isAtEnd)
}

/** Returns the end of the text before `shownEnd`, without brackets and separators that have only delimiters after them. */
function textUpTo(text: string, shownEnd: number, isBroken: boolean): UnfinishedEnd {
  const { openBracket, opener, link } = openConstructsIn(text.slice(0, shownEnd))
  const openRanges = [...rangesAfter(link, openBracket), ...rangesAfter(null, opener)]
  let end = shownEnd
  for (const { start, contentStart } of openRanges.sort((one, other) => other.start - one.start)) {
    if (!hasOnlyDelimiters(text, contentStart - 1, end)) break
    end = start - 1
  }
  return { end, ending: '', isBroken: isBroken || end < shownEnd }
}

/** Whether a range has only delimiters, separators and white space. */
function hasOnlyDelimiters(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) {
    const isDelimiting = isDelimiter(text.charCodeAt(at)) || text[at] === SEPARATOR
    if (!isDelimiting && (traitsAt(text, at) & WHITE_SPACE) === 0) return false
  }
  return true
}

/** Returns the end of an open code span, whose backticks begin at `start` (§3.2). A code span without content is not shown. */
function codeOf(text: string, start: number, isAtEnd: boolean): UnfinishedEnd {
  let contentStart = start
  while (text[contentStart] === '`') contentStart += 1
  const backticks = text.slice(start, contentStart)
  let end = text.length
  while (end > contentStart && text[end - 1] === '`') end -= 1
  // Backticks at the end are hidden if they may be the start of the closing run.
  if (!isAtEnd || text.length - end > backticks.length) end = text.length
  end = trimEnd(text, end)
  if (end <= contentStart) return textUpTo(text, start, true)
  return { end, ending: (text[end - 1] === '`' ? ' ' : '') + backticks, isBroken: false }
}

/** Returns the start of an unfinished mention at the end of the text, or -1 if the text does not end with one (§3.3). */
function startOfMention(text: string): number {
  const start = text.lastIndexOf('<')
  if (start < 0) return start
  // A mention is the only construct with precedence that ends with `>`, so one of these endings completes an open mention.
  const isOpen = ['>', '|>', '1>', '@1>'].some(
    (rest) => openConstructsIn(text + rest).tighterEnd > text.length + rest.length,
  )
  return isOpen ? start : -1
}

/** Returns the end of a leaf that breaks off after the text of a named link, or null. Without a scheme, only the link text is shown. */
function linkOf(text: string): UnfinishedEnd | null {
  if (!text.includes('](') && !text.endsWith(']')) return null
  const { tighterEnd } = openConstructsIn(text + CLOSING_PARENTHESES)
  const { length } = text
  if (tighterEnd > length + 1) return { end: length, ending: ')'.repeat(tighterEnd - 1 - length), isBroken: false }
  for (const rest of ['xx:', 'x:', ':', 'x', '(xx:']) {
    const { link, tighterEnd } = openConstructsIn(text + rest + CLOSING_PARENTHESES)
    const isLast = link !== null && link.end === tighterEnd && tighterEnd > length + 1
    if (isLast) return textUpTo(text, link.contentEnd - 1, true)
  }
  return null
}

/** Returns the end of a text without the spaces and line endings before `end` (§1). */
export function trimEnd(text: string, end: number): number {
  let at = end
  while (at > 0 && ' \t\n\r'.includes(text[at - 1] ?? 'a')) at -= 1
  return at
}
