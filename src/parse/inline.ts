/** The inline pass (§3): reads a leaf from left to right, and writes events on the tape. */

import { readUrl } from './bare-link.js'
import { endOfLineEnding } from './blocks.js'
import { NO_FAILED_SEARCH, readCode } from './code.js'
import { readBoundary, readFlanking } from './emphasis.js'
import { readBackslashes } from './escape.js'
import { readMention } from './mention.js'
import { endOfSpaces, startOfSpaces } from './neighbors.js'
import { clearOpeners, dropOpeners, endSequence, passBreak, passConstruct, startSequence } from './openers.js'
import { findRanges, LINK_KIND, rangeAt } from './ranges.js'
import { addEvent, type Reader } from './reader.js'
import * as Stop from './stops.js'
import type { SourceBlock } from './tape.js'
import * as Event from './tape.js'
import { STOP_READ } from './trace.js'
import { positionAt, stopAt } from './units.js'

/** Reads the leaf of a block. A leaf can be read only once, because its forced delimiters are overwritten. */
export function readLeaf(reader: Reader, block: SourceBlock): void {
  startLeaf(reader, block)
  if (reader.hasSeparator) reader.ranges = findRanges(reader)
  readStops(reader, block)
  dropOpeners(reader.openers, 0)
}

/** Reads the stops of a leaf. The switch is the grammar on one screen. */
export function readStops(reader: Reader, { contentStart, first, last }: SourceBlock): void {
  const { chars, stops } = reader
  let at = contentStart
  for (let stop = first; stop < last; stop += 1) {
    const place = positionAt(stops, stop)
    if (place < at) continue
    at = place + 1
    switch (stopAt(chars, place)) {
      case Stop.FLANKING:
        at = readFlanking(reader, place)
        break
      case Stop.BOUNDARY:
        at = readBoundary(reader, place)
        break
      case Stop.BACKSLASH:
        at = readBackslashes(reader, place)
        break
      case Stop.BACKTICK:
        at = readCode(reader, stop, place)
        break
      case Stop.LESS_THAN:
        at = readMention(reader, place)
        break
      case Stop.AMPERSAND:
        addEvent(reader, Event.AMPERSAND, place, at, 0, 0)
        break
      case Stop.OPENING_BRACKET:
      case Stop.SEPARATOR:
        at = startRange(reader, stop, place)
        break
      case Stop.CLOSING_BRACKET:
        if (place === reader.sequenceEnd) at = endRange(reader)
        break
      case Stop.LINE_FEED:
      case Stop.RETURN:
        at = readBreak(reader, place)
        break
      default:
        /* h or H */ at = readUrl(reader, stop, place)
    }
    if (reader.trace !== null) reader.trace(STOP_READ, place, at, 0, 0)
  }
}

/** Resets the state for a leaf of which nothing has been read. */
export function startLeaf(reader: Reader, { end, first, last }: SourceBlock): void {
  reader.tapeEnd = 0
  reader.openCount = 0
  reader.firstStop = first
  reader.lastStop = last
  reader.sequence = null
  reader.sequenceEnd = end
  reader.isInLabel = false
  reader.backticksFrom = NO_FAILED_SEARCH
  reader.lastBackticks = null
  reader.nextRange = 0
  reader.ranges = null
  clearOpeners(reader.openers)
}

/** §3.4, §3.6: the content of link text or of a forced pair is a separate sequence. */
function startRange(reader: Reader, stop: number, at: number): number {
  const range = rangeAt(reader, stop, at)
  if (range === null) return at + 1
  const { openers } = reader
  const { kind, contentStart, contentEnd, end } = range
  if (kind !== LINK_KIND) {
    addEvent(reader, Event.OPEN, at, contentStart, kind, 0)
    reader.openCount += 1
  } else if (end > 0) {
    addEvent(reader, Event.LINK, at, end, contentEnd, Number(range.isOdd))
    passConstruct(openers, reader.chars, at, end)
    reader.isInLabel = true
  } else {
    // An open bracket whose link may still be completed is not shown.
    addEvent(reader, Event.CANCELED, at, contentStart, 0, 0)
    if (contentEnd === 0) return contentStart
    reader.isInLabel = true
  }
  range.outer = reader.sequence
  range.outerEnd = reader.sequenceEnd
  range.outside = startSequence(openers, kind === LINK_KIND)
  reader.sequence = range
  reader.sequenceEnd = contentEnd
  return contentStart
}

export function endRange(reader: Reader): number {
  const { sequence: range, sequenceEnd } = reader
  // The leaf itself ends after its last stop.
  if (range === null) return sequenceEnd
  const { kind, end } = range
  if (kind === LINK_KIND) {
    if (end > 0) addEvent(reader, Event.LINK_END, sequenceEnd, end, 0, 0)
    reader.openers.linkEnd = end
    reader.isInLabel = false
  } else addEvent(reader, Event.CLOSE, sequenceEnd, end, kind, 0)
  if (range.outside !== null) endSequence(reader.openers, range.outside)
  reader.sequence = range.outer
  reader.sequenceEnd = range.outerEnd
  return end
}

/** §3.8: spaces next to a line ending are not part of the text. */
function readBreak(reader: Reader, at: number): number {
  const chars = reader.chars
  const start = startOfSpaces(chars, 0, at)
  const end = endOfSpaces(chars, endOfLineEnding(reader, at), reader.sequenceEnd)
  addEvent(reader, Event.BREAK, start, end, at, 0)
  passBreak(reader.openers)
  return end
}
