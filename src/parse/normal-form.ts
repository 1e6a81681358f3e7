/**
 * Normal form (§4): formatting inside formatting of the same kind is replaced by its children, and two adjoining ones of the same
 * kind become one. Both happen on the tape, so that the code that reads the tape need not handle them. Afterwards no event is a RUN,
 * and OPEN and CLOSE nest.
 */
import { delimiters } from '../delimiters.js'
import { addEvent, type Reader } from './reader.js'
import {
  CANCELED,
  CLOSE,
  EVENT_SIZE,
  eventA,
  eventEnd,
  eventStart,
  eventType,
  LINK,
  LINK_END,
  OPEN,
  RUN,
} from './tape.js'
import { codeAt, kindOf } from './units.js'

export function toNormalForm(reader: Reader): void {
  if (reader.hasRuns) splitRuns(reader)
  if (reader.openCount > 1) cancelRepeats(reader)
}

/** Replaces each RUN with one event for each of its matches. Delimiters without a match are between these events, and so are text. */
export function splitRuns(reader: Reader): void {
  const { tape, tapeEnd } = reader
  reader.tape = reader.spareTape
  reader.spareTape = tape
  reader.tapeEnd = 0
  for (let event = 0; event < tapeEnd; event += EVENT_SIZE) {
    const [kind = 0, start = 0, end = 0, a = 0, b = 0, c = 0] = tape.subarray(event, event + EVENT_SIZE)
    if (kind === RUN) splitRun(reader, start, end, a, b, c)
    else addEvent(reader, kind, start, end, a, b)
  }
  reader.hasRuns = false
}

function splitRun(reader: Reader, start: number, end: number, newest: number, first: number, closed: number): void {
  const { matches } = reader
  const char = codeAt(reader.chars, start)
  let at = start
  for (let match = first; match < first + 2 * closed; match += 2) {
    const size = matches[match] ?? 0
    addEvent(reader, CLOSE, at, at + size, kindOf(char, size), 0)
    at += size
  }
  // The newest match of an opener is its outermost, and so its leftmost.
  at = end
  for (let match = newest; match > 0; match = matches[match + 1] ?? 0) at -= matches[match] ?? 0
  for (let match = newest; match > 0; match = matches[match + 1] ?? 0) {
    const size = matches[match] ?? 0
    addEvent(reader, OPEN, at, at + size, kindOf(char, size), 0)
    at += size
  }
}

/** The number of open ones of each kind: first in the leaf, then in link text, which has separate counts. Reused for every leaf. */
const openCounts: Int32Array = /* @__PURE__ */ new Int32Array(2 * delimiters.length)

/** The latest adjoining ends of formatting, the innermost first, at most one of each kind. Reused for every leaf. */
const ended: Int32Array = /* @__PURE__ */ new Int32Array(2 * delimiters.length)

function cancelRepeats({ tape, tapeEnd }: Reader): void {
  const counts = openCounts
  let base = 0
  let endedCount = 0
  /** The end of the latest adjoining delimiters. */
  let edge = 0
  for (let index = 0; index < counts.length; index += 1) counts[index] = 0
  for (let event = 0; event < tapeEnd; event += EVENT_SIZE) {
    const type = eventType(tape, event)
    if (type === LINK || type === LINK_END) {
      base = type === LINK ? delimiters.length : 0
      for (let index = delimiters.length; index < counts.length; index += 1) counts[index] = 0
    }
    // A bracket that is not shown does not separate delimiters.
    if (type === CANCELED && eventStart(tape, event) === edge) edge = eventEnd(tape, event)
    if (type !== OPEN && type !== CLOSE) continue
    if (eventStart(tape, event) !== edge) endedCount = 0
    edge = eventEnd(tape, event)
    const kind = eventA(tape, event)
    const count = counts[base + kind] ?? 0
    if (type === CLOSE) {
      counts[base + kind] = count - 1
      if (count > 1) tape[event] = CANCELED
      else {
        ended[endedCount] = event
        endedCount += 1
      }
      continue
    }
    counts[base + kind] = count + 1
    if (count > 0) tape[event] = CANCELED
    else if (endedCount > 0) {
      // If formatting of the same kind has just ended, the two become one. Otherwise the earlier one stays as it is.
      endedCount -= 1
      const last = ended[endedCount] ?? 0
      if (eventA(tape, last) === kind) tape[last] = tape[event] = CANCELED
      else endedCount = 0
    }
  }
}
