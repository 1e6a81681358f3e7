/** Code spans (§3.2). */
import { isSpace } from '../characters.js'
import { endOfRun } from './neighbors.js'
import type { Reader } from './reader.js'
import { HOLDS_LINE_ENDING, HOLDS_MARKUP } from './tape.js'
import { AMPERSAND_STOP, BACKTICK_STOP, LESS_THAN_STOP, LINE_FEED_STOP, RETURN_STOP, stopAt } from './units.js'

/** The value of `backticksFrom` while no search for closing backticks has failed. */
export const NOWHERE = 0x3fffffff

/**
 * Returns the end of the code span that starts at stop `opener` and whose opening backticks end at `openEnd`; 0 if nothing
 * closes them. Sets `codeFlags`, the flags of the content.
 *
 * Cost: linear over all calls. A successful search reads only the code, which is then skipped. The first search that fails
 * has read every run up to the end of the leaf; its notes in `lastBackticks` answer all later searches.
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

/** Returns the value of a code span, given the text between its backticks. */
export function codeValue(content: string, holdsLineEnding: boolean): string {
  const value = holdsLineEnding ? joinLines(content) : content
  const last = value.length - 1
  const isPadded = value.charCodeAt(0) === 32 && value.charCodeAt(last) === 32
  return isPadded && /[^ ]/.test(value) ? value.slice(1, last) : value
}

/** Replaces line endings, and the spaces next to them, with one space each: those spaces are not part of the leaf's text (§3). */
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
