/**
 * How a leaf that is still being typed would go on if it ended well (§3, §4): what of it is left out as half typed, and
 * what must follow. The parser answers each question: it reads the leaf with different endings.
 */
import { delimiterChars, delimiters, SEPARATOR } from '../delimiters.js'
import { loadLeaf, openIn, readOpenLeaf } from '../parse/leaf.js'
import { endOfRun } from '../parse/neighbours.js'
import { isOpen } from '../parse/openers.js'
import { giveBack, type Reader } from '../parse/reader.js'
import { BARE_LINK, EVENT_SIZE, eventEnd, eventType, LABEL_URL } from '../parse/tape.js'
import { isDelimiter, isEscapable, isFlanking } from '../parse/units.js'
import { breakOff, trimEnd } from './break-off.js'

/** The part of a leaf's text that shows, and the text to append. */
export interface Completion {
  /** The text shows up to here. */
  end: number
  /** Ends code, or the url of a link; what else is open ends with the leaf. */
  ending: string
  /** Whether the last bracket that may still begin a link does so: the rest is a label. */
  isInLabel: boolean
}

/** The characters that begin a construct in which a leaf can end. */
const special: RegExp = /* @__PURE__ */ new RegExp(
  `[\\\\\`[<${SEPARATOR}${delimiterChars.map((char) => `\\${char}`).join('')}]`,
)

/**
 * Completes a leaf.
 *
 * @param text - its text, without spaces at its end
 * @param after - the spaces and the line ending after the text
 * @returns the completion; two if a bracket is open, which may begin a link or not
 */
export function complete(text: string, after: string): Completion[] {
  if (!special.test(text)) return [{ end: text.length, ending: '', isInLabel: false }]
  const { end, ending, isBroken } = breakOff(text, after)
  const { brackets } = openIn(text.slice(0, end) + ending)
  return (brackets.length > 0 ? [true, false] : [false]).map((isInLabel) => {
    return { end: isBroken ? endOfShown(text, end, isInLabel) : end, ending, isInLabel }
  })
}

/** Where that of a text ends which shows, if marks before `broken` may be half typed, and then those before a separator. */
function endOfShown(text: string, broken: number, isInLabel: boolean): number {
  const start = startOfMarks(text.slice(0, broken), isInLabel)
  const end = startOfMarks(text.slice(0, start), isInLabel)
  // Without what they do not escape, backslashes would be text, all of them (§3.1).
  let backslashes = 0
  while (isEscapable(text.charCodeAt(end)) && text[end - 1 - backslashes] === '\\') backslashes += 1
  return trimEnd(text, end - (backslashes >> 1))
}

/** Where the delimiters and separators begin at the end of the text that what follows may make markup of. */
function startOfMarks(text: string, isInLabel: boolean): number {
  const { bound, pairs } = openIn(text)
  const end = text.length
  let start = end
  while (start >= bound && isDelimiter(text.charCodeAt(start - 1))) start -= 1
  // Half of a hard delimiter.
  if (start >= bound && text[start - 1] === SEPARATOR) return start - 1
  if (start === end) return end
  const closer = delimiters[pairs.at(-1)?.kind ?? -1]
  const hardEnd = closer?.char === text[end - 1] ? end - 1 : end
  // As it is where a word follows.
  const reader = loadLeaf(`${text}a`)
  readOpenLeaf(reader, 0, isInLabel)
  const marks = startOfMarkup(reader, start, hardEnd)
  giveBack(reader)
  return marks
}

/** Where the first run begins, from `start` up to `end`, that may be markup. */
function startOfMarkup({ chars, openers, tape, tapeEnd }: Reader, start: number, end: number): number {
  const last = tapeEnd - EVENT_SIZE
  const isInUrl = eventType(tape, last) === BARE_LINK || eventType(tape, last) === LABEL_URL
  if (isInUrl && eventEnd(tape, last) > start + 1) return end
  let at = start
  while (at < end) {
    const char = chars[at + 1] ?? 0
    const runEnd = endOfRun(chars, at + 1) - 1
    // Longer runs of the others are text.
    if (isFlanking(char) || (runEnd - at === 1 && isOpen(openers, char))) return at
    at = runEnd
  }
  return end
}
