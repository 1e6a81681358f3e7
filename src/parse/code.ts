/** Code spans (§3.2). */
import { isSpace } from '../characters.js'
import { endOfRun } from './neighbours.js'
import type { Reader } from './reader.js'
import { HOLDS_LINE_ENDING, HOLDS_MARKUP } from './tape.js'
import { AMPERSAND_STOP, BACKTICK_STOP, LESS_THAN_STOP, LINE_FEED_STOP, RETURN_STOP, stopAt } from './units.js'

/** No search for a partner has failed yet. */
export const NOWHERE = 0x3fffffff

/**
 * Where the code span ends that stop `opener` begins, whose backticks end at `openEnd`; 0 if they have no partner. What the
 * span holds is left in `codeFlags`.
 *
 * Cost: linear over all calls. A search that finds its partner is paid for by the code it passes; the first one that
 * does not has seen every run to the end of the leaf, and what it noted answers the others.
 */
export function endOfCode(reader: Reader, opener: number, openEnd: number): number {
  const { stops, lastStop } = reader
  const chars = reader.chars
  const length = openEnd - (stops[opener] ?? 0)
  if (openEnd >= reader.backticksFrom && (reader.lastBackticks?.get(length) ?? 0) <= openEnd) return 0
  let flags = 0
  let at = openEnd
  for (let stop = opener + 1; stop < lastStop; stop += 1) {
    const start = stops[stop] ?? 0
    if (start < at) continue
    switch (stopAt(chars, start)) {
      case BACKTICK_STOP:
        at = endOfRun(chars, start)
        if (at - start === length) {
          reader.codeFlags = flags
          return at
        }
        noteBackticks(reader, at - start, at)
        break
      case AMPERSAND_STOP:
      case LESS_THAN_STOP:
        flags |= HOLDS_MARKUP
        break
      case LINE_FEED_STOP:
      case RETURN_STOP:
        flags |= HOLDS_LINE_ENDING
    }
  }
  reader.backticksFrom = Math.min(reader.backticksFrom, openEnd)
  return 0
}

function noteBackticks(reader: Reader, length: number, end: number): void {
  reader.lastBackticks ??= new Map()
  if ((reader.lastBackticks.get(length) ?? 0) < end) reader.lastBackticks.set(length, end)
}

/** The value of a code span from the text between its backticks. */
export function codeValue(content: string, holdsLineEnding: boolean): string {
  const value = holdsLineEnding ? joinLines(content) : content
  const last = value.length - 1
  const isPadded = value.charCodeAt(0) === 32 && value.charCodeAt(last) === 32
  return isPadded && /[^ ]/.test(value) ? value.slice(1, last) : value
}

/** A line ending reads as a space, and spaces next to it are not part of the leaf's text (§3). */
function joinLines(content: string): string {
  const lines = content.split(/\r\n?|\n/)
  let joined = ''
  for (const [index, line] of lines.entries()) {
    let start = 0
    let end = line.length
    while (index > 0 && start < end && isSpace(line.charCodeAt(start))) start += 1
    while (index < lines.length - 1 && end > start && isSpace(line.charCodeAt(end - 1))) end -= 1
    joined += (index > 0 ? ' ' : '') + line.slice(start, end)
  }
  return joined
}
