/** Where a leaf breaks off that is still being typed: in code, in a mention, behind a label, or in text (§3). */
import { traitsAt, WHITE_SPACE } from '../characters.js'
import { SEPARATOR } from '../delimiters.js'
import { openIn } from '../parse/leaf.js'
import { isDelimiter } from '../parse/units.js'

/** More closing brackets than the url of a link can need (§3.4). */
const BRACKETS = /* @__PURE__ */ ')'.repeat(33)

/** Where a leaf breaks off. */
export interface BreakOff {
  /** It shows up to here. */
  end: number
  /** Ends the code, or the url of a link, that it breaks off in. */
  ending: string
  /** Whether marks at the end may be half typed. */
  isBroken: boolean
}

/**
 * Finds where a leaf breaks off.
 *
 * @param text - its text, without spaces at its end
 * @param behind - the spaces and the line ending between it and what comes next
 */
export function breakOff(text: string, behind: string): BreakOff {
  const isAtEnd = behind === ''
  const { codeStart, isEscaping } = openIn(text)
  if (codeStart > 0) return codeOf(text, codeStart - 1, isAtEnd)
  // A label may go on behind a space.
  const mention = startOfMention(text + behind)
  if (mention >= 0) return textUpTo(text, mention, true)
  // A backslash may be about to escape what comes.
  if (isAtEnd && isEscaping) return textUpTo(text, text.length - 1, true)
  return (isAtEnd ? linkOf(text) : null) ?? textUpTo(text, text.length, isAtEnd)
}

/** A text that breaks off before what does not show, and before brackets and separators that have only marks behind them. */
function textUpTo(text: string, shownEnd: number, isBroken: boolean): BreakOff {
  const { brackets, pairs } = openIn(text.slice(0, shownEnd))
  let end = shownEnd
  for (const { start, contentStart } of [...brackets, ...pairs].sort((one, other) => other.start - one.start)) {
    if (!isMarks(text, contentStart - 1, end)) break
    end = start - 1
  }
  return { end, ending: '', isBroken: isBroken || end < shownEnd }
}

/** Whether there is nothing but delimiters, separators and white space. */
function isMarks(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) {
    const isMark = isDelimiter(text.charCodeAt(at)) || text[at] === SEPARATOR
    if (!isMark && (traitsAt(text, at) & WHITE_SPACE) === 0) return false
  }
  return true
}

/** The code span that is open: the first backticks without a partner (§3.2). It shows if it has content. */
function codeOf(text: string, start: number, isAtEnd: boolean): BreakOff {
  let contentStart = start
  while (text[contentStart] === '`') contentStart += 1
  const backticks = text.slice(start, contentStart)
  let end = text.length
  while (end > contentStart && text[end - 1] === '`') end -= 1
  // Fewer may be the first ones of the partner.
  if (!isAtEnd || text.length - end > backticks.length) end = text.length
  end = trimEnd(text, end)
  if (end <= contentStart) return textUpTo(text, start, true)
  return { end, ending: (text[end - 1] === '`' ? ' ' : '') + backticks, isBroken: false }
}

/** Where the mention begins that the text breaks off in, -1 if it does not (§3.3). */
function startOfMention(text: string): number {
  const start = text.lastIndexOf('<')
  if (start < 0) return start
  // Nothing else that binds as tightly ends with such a bracket.
  const isOpen = ['>', '|>', '1>', '@1>'].some((rest) => openIn(text + rest).bound > text.length + rest.length)
  return isOpen ? start : -1
}

/** The named link that the text breaks off behind the label of, if it does (§3.4). Without a scheme only the label shows. */
function linkOf(text: string): BreakOff | null {
  if (!text.includes('](') && !text.endsWith(']')) return null
  const { bound } = openIn(text + BRACKETS)
  const { length } = text
  if (bound > length + 1) return { end: length, ending: ')'.repeat(bound - 1 - length), isBroken: false }
  for (const rest of ['xx:', 'x:', ':', 'x', '(xx:']) {
    const { begun, bound } = openIn(text + rest + BRACKETS)
    const link = begun.find(({ end }) => end === bound && end > length + 1)
    if (link !== undefined) return textUpTo(text, link.contentEnd - 1, true)
  }
  return null
}

/** Where the text up to `end` ends without its last spaces and line endings (§1). */
export function trimEnd(text: string, end: number): number {
  let at = end
  while (at > 0 && ' \t\n\r'.includes(text[at - 1] ?? 'a')) at -= 1
  return at
}
