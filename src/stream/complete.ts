/**
 * Completes a leaf that is still being typed (§3, §4): hides the half-typed end, and appends the end of open code or of an open URL.
 * To decide, it runs the parser on the leaf with different endings.
 */

import { delimiters, SEPARATOR } from '../delimiters.js'
import { firstSpecial, PLAIN } from '../parse/blocks.js'
import { isOpen } from '../parse/emphasis.js'
import { BARE_LINK, EVENT_SIZE, eventEnd, eventType, LABEL_URL } from '../parse/events.js'
import { type ParseState, releaseState } from '../parse/state.js'
import { endOfRun, isDelimiter, isEscapable, isFlanking } from '../parse/units.js'
import { endOfUnfinished, trimEnd } from './break-off.js'
import { openConstructsIn, readOpenText } from './open-leaf.js'

/** The visible part of a leaf's text, and the text to append to that part. */
export interface Completion {
  /** The offset up to which the text is shown. */
  end: number
  /** The text that closes code or the URL of a link. All other open constructs end with the leaf. */
  ending: string
}

/**
 * Returns how much of an unfinished leaf to show, and the text that closes its open code or URL. `text` has no spaces at its end;
 * they are in `after`, with the line ending.
 */
export function complete(text: string, after: string): Completion {
  if (firstSpecial(text) === PLAIN) return { end: text.length, ending: '' }
  const { end, ending, isBroken } = endOfUnfinished(text, after)
  return { end: isBroken ? endOfVisible(text, end) : end, ending }
}

/** Returns the end of the visible text. Half-typed delimiters before `brokenAt` or before a hidden separator are hidden. */
function endOfVisible(text: string, brokenAt: number): number {
  const start = startOfDelimiters(text.slice(0, brokenAt))
  const end = startOfDelimiters(text.slice(0, start))
  // Half of the backslashes are hidden: without the hidden delimiter they would escape nothing, and all would be visible (§3.1).
  let backslashes = 0
  while (isEscapable(text.charCodeAt(end)) && text[end - 1 - backslashes] === '\\') backslashes += 1
  return trimEnd(text, end - (backslashes >> 1))
}

/** Returns the start of the delimiters and separators at the end of the text that may become markup, depending on the next text. */
function startOfDelimiters(text: string): number {
  const { tighterEnd, opener } = openConstructsIn(text)
  const end = text.length
  let start = end
  while (start >= tighterEnd && isDelimiter(text.charCodeAt(start - 1))) start -= 1
  // A separator at the end may be the first half of a forced delimiter.
  if (start >= tighterEnd && text[start - 1] === SEPARATOR) return start - 1
  if (start === end) return end
  const closer = delimiters[opener?.kind ?? -1]
  const runEnd = closer?.char === text[end - 1] ? end - 1 : end
  // The letter after the text stands for a word that may follow: it decides whether the delimiters can open or close.
  const state = readOpenText(`${text}a`)
  const markupStart = startOfMarkup(state, start, runEnd)
  releaseState(state)
  return markupStart
}

/** Returns the start of the first run from `start` to `end` that may be markup, or `end` if all are text. */
function startOfMarkup(state: ParseState, start: number, end: number): number {
  const { chars, events, eventsEnd } = state
  const last = eventsEnd - EVENT_SIZE
  const isInUrl = eventType(events, last) === BARE_LINK || eventType(events, last) === LABEL_URL
  if (isInUrl && eventEnd(events, last) > start + 1) return end
  let at = start
  while (at < end) {
    const char = chars[at + 1] ?? 0
    const runEnd = endOfRun(chars, at + 1) - 1
    // A run of two or more boundary delimiters is text.
    if (isFlanking(char) || (runEnd - at === 1 && isOpen(state, char))) return at
    at = runEnd
  }
  return end
}
