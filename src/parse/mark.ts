/** Finds the stops, the positions of characters that may be special, and among them the line endings (§1). */

import { grown, type Reader } from './reader.js'
import * as Stop from './stops.js'
import { codeAt, IS_STOP, positionAt, SLASH, SPACE_UNIT, stopAt, unitAt, units, WORD_UNIT } from './units.js'

/**
 * Marks the source that has been loaded.
 *
 * @param from - the position of the first character that may be special
 * @returns false for a source that contains U+0000, which must be replaced first
 */
export function mark(reader: Reader, from: number): boolean {
  return dropPlainStops(reader, findStops(reader, from))
}

/**
 * Finds the characters at which reading could stop, and returns their number. It reads eight at a time, without a branch for
 * each: every position is written, and kept if the table has a 1. A mispredicted branch at every stop would cost more time
 * than the rest of the marking.
 */
function findStops(reader: Reader, from: number): number {
  const { chars, length } = reader
  const table = units
  let { stops } = reader
  let count = 0
  for (let at = from; at <= length + 1; at += 8) {
    const a = table[chars[at] as number] as number
    const b = table[chars[at + 1] as number] as number
    const c = table[chars[at + 2] as number] as number
    const d = table[chars[at + 3] as number] as number
    const e = table[chars[at + 4] as number] as number
    const f = table[chars[at + 5] as number] as number
    const g = table[chars[at + 6] as number] as number
    const h = table[chars[at + 7] as number] as number
    if (((a | b | c | d | e | f | g | h) & IS_STOP) === 0) continue
    if (count + 8 > stops.length) stops = reader.stops = grown(stops)
    stops[count] = at
    count += a & IS_STOP
    stops[count] = at + 1
    count += b & IS_STOP
    stops[count] = at + 2
    count += c & IS_STOP
    stops[count] = at + 3
    count += d & IS_STOP
    stops[count] = at + 4
    count += e & IS_STOP
    stops[count] = at + 5
    count += f & IS_STOP
    stops[count] = at + 6
    count += g & IS_STOP
    stops[count] = at + 7
    count += h & IS_STOP
  }
  // An earlier text may have left stops after the line ending at the end.
  while (count > 0 && positionAt(stops, count - 1) > length + 1) count -= 1
  return count
}

/** Removes the stops that are text because of their neighbors, and finds the lines. */
function dropPlainStops(reader: Reader, count: number): boolean {
  const { chars, stops, length } = reader
  let stopsEnd = 0
  let afterReturn = 0
  reader.lineCount = 0
  reader.hasTarget = false
  reader.hasSeparator = false
  for (let index = 0; index < count; index += 1) {
    let at = positionAt(stops, index)
    switch (stopAt(chars, at)) {
      case Stop.FLANKING:
      case Stop.BOUNDARY:
        // snake_case, a - b: a single delimiter between two letters or two spaces is text (§4). Most delimiters are.
        if ((unitAt(chars, at - 1) & unitAt(chars, at + 1) & (WORD_UNIT | SPACE_UNIT)) !== 0) continue
        break
      case Stop.COLON:
        at = chars[at + 1] === SLASH && chars[at + 2] === SLASH ? startOfHttp(chars, at) : 0
        if (at === 0) continue
        break
      case Stop.CLOSING_BRACKET:
        if (chars[at + 1] === 40 /* ( */) reader.hasTarget = true
        break
      case Stop.SEPARATOR:
        reader.hasSeparator = true
        break
      case Stop.NULL:
        return false
      case Stop.LINE_FEED:
        // CRLF is one line ending.
        if (at === afterReturn && at <= length) continue
        addLine(reader, stopsEnd)
        break
      case Stop.RETURN:
        afterReturn = at + 1
        addLine(reader, stopsEnd)
    }
    stops[stopsEnd] = at
    stopsEnd += 1
  }
  reader.stopsEnd = stopsEnd
  return true
}

/** Adds a line that ends at the given stop. */
function addLine(reader: Reader, stop: number): void {
  const { lineCount } = reader
  if (lineCount === reader.lines.length) reader.lines = grown(reader.lines)
  reader.lines[lineCount] = stop
  reader.lineCount = lineCount + 1
}

/** Returns the start of the `http` or `https`, in any case, that ends at `end`, or 0 if neither ends there. */
export function startOfHttp(chars: Uint16Array, end: number): number {
  const start = end - (isLetter(chars, end - 1, 115 /* s */) ? 5 : 4)
  const isHttp = start > 0 && isLetter(chars, start, 104) && isLetter(chars, start + 1, 116)
  return isHttp && isLetter(chars, start + 2, 116) && isLetter(chars, start + 3, 112) ? start : 0
}

function isLetter(chars: Uint16Array, at: number, lowerCase: number): boolean {
  return (codeAt(chars, at) | 32) === lowerCase
}
