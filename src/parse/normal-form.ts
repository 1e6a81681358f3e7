/**
 * Normal form (§4): formatting inside formatting of the same kind is replaced by its children, and two adjoining ones of the same
 * kind become one. Both happen on the tape, so that the code that reads the tape need not handle them.
 */
import { delimiters } from '../delimiters.js'
import type { Reader } from './reader.js'
import * as Event from './tape.js'
import { EVENT_SIZE, eventA, eventEnd, eventStart, eventType, setType } from './tape.js'

/** The number of open ones of each kind: first in the leaf, then in link text, which has separate counts. Reused for every leaf. */
const openCounts: Int32Array = /* @__PURE__ */ new Int32Array(2 * delimiters.length)

/** The latest adjoining ends of formatting, the innermost first, at most one of each kind. Reused for every leaf. */
const ended: Int32Array = /* @__PURE__ */ new Int32Array(2 * delimiters.length)

export function toNormalForm({ tape, tapeEnd, openCount }: Reader): void {
  if (openCount < 2) return
  const counts = openCounts
  let base = 0
  let endedCount = 0
  /** The end of the latest adjoining delimiters. */
  let edge = 0
  for (let index = 0; index < counts.length; index += 1) counts[index] = 0
  for (let event = 0; event < tapeEnd; event += EVENT_SIZE) {
    const type = eventType(tape, event)
    if (type === Event.LINK || type === Event.LINK_END) {
      base = type === Event.LINK ? delimiters.length : 0
      for (let index = delimiters.length; index < counts.length; index += 1) counts[index] = 0
    }
    // A bracket that is not shown does not separate delimiters.
    if (type === Event.CANCELED && eventStart(tape, event) === edge) edge = eventEnd(tape, event)
    if (type !== Event.OPEN && type !== Event.CLOSE) continue
    if (eventStart(tape, event) !== edge) endedCount = 0
    edge = eventEnd(tape, event)
    const kind = eventA(tape, event)
    const count = counts[base + kind] as number
    if (type === Event.CLOSE) {
      counts[base + kind] = count - 1
      if (count > 1) setType(tape, event, Event.CANCELED)
      else {
        ended[endedCount] = event
        endedCount += 1
      }
      continue
    }
    counts[base + kind] = count + 1
    if (count > 0) setType(tape, event, Event.CANCELED)
    else if (endedCount > 0) {
      // If formatting of the same kind has just ended, the two become one. Otherwise the earlier one stays as it is.
      endedCount -= 1
      const last = ended[endedCount] as number
      if (eventA(tape, last) === kind) {
        setType(tape, last, Event.CANCELED)
        setType(tape, event, Event.CANCELED)
      } else endedCount = 0
    }
  }
}
