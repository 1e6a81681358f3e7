/** Code spans (§3.2). */

import { endOfRun } from './neighbors.js'
import { passConstruct } from './openers.js'
import { addEvent, type Reader } from './reader.js'
import * as Stop from './stops.js'
import { CODE } from './tape.js'
import { positionAt, stopAt } from './units.js'

/** The value of `backticksFrom` while no search for closing backticks has failed. */
export const NO_FAILED_SEARCH = 0x3fffffff

/** Reads a code span, or backticks without a partner as text. */
export function readCode(reader: Reader, stop: number, at: number): number {
  const openEnd = endOfRun(reader.chars, at)
  const end = endOfCode(reader, stop, openEnd)
  if (end === 0) return openEnd
  addEvent(reader, CODE, at, end, openEnd - at, 0)
  passConstruct(reader.openers, reader.chars, at, end)
  return end
}

/**
 * Returns the end of the code span that starts at stop `opener` and whose opening backticks end at `openEnd`; 0 if nothing
 * closes them.
 *
 * Cost: linear over all calls. A successful search reads only the code, which is then skipped. The first search that fails
 * has read every run up to the end of the leaf; its notes in `lastBackticks` answer all later searches.
 */
export function endOfCode(reader: Reader, opener: number, openEnd: number): number {
  const { chars, stops, lastStop } = reader
  const length = openEnd - positionAt(stops, opener)
  if (openEnd >= reader.backticksFrom && (reader.lastBackticks?.get(length) ?? 0) <= openEnd) return 0
  let at = openEnd
  for (let stop = opener + 1; stop < lastStop; stop += 1) {
    const start = positionAt(stops, stop)
    if (start < at || stopAt(chars, start) !== Stop.BACKTICK) continue
    at = endOfRun(chars, start)
    if (at - start === length) return at
    noteBackticks(reader, at - start, at)
  }
  reader.backticksFrom = Math.min(reader.backticksFrom, openEnd)
  return 0
}

function noteBackticks(reader: Reader, length: number, end: number): void {
  reader.lastBackticks ??= new Map()
  if ((reader.lastBackticks.get(length) ?? 0) < end) reader.lastBackticks.set(length, end)
}

/** A line ending and the spaces next to it. A match starts at the first of these, so that a search is linear. */
const lineEnding = /(?<![ \t])[ \t]*(?:\r\n?|\n)[ \t]*/g

/** Returns the value of a code span, given the text between its backticks. Spaces next to a line ending are not part of a leaf (§3). */
export function codeValue(content: string): string {
  const hasLineEnding = content.includes('\n') || content.includes('\r')
  const value = hasLineEnding ? content.replace(lineEnding, ' ') : content
  const last = value.length - 1
  const isPadded = value.charCodeAt(0) === 32 && value.charCodeAt(last) === 32
  return isPadded && /[^ ]/.test(value) ? value.slice(1, last) : value
}
