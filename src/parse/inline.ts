/** The inline pass (§3): reads a leaf from left to right, and writes its events. */
import { delimiters } from '../delimiters.js'
import { endOfLineEnding, loadSource } from './blocks.js'
import { NO_FAILED_SEARCH, readBackslashes, readCode, readMention } from './constructs.js'
import {
  clearOpeners,
  closeAll,
  dropOpeners,
  endSequence,
  passBreak,
  passConstruct,
  readBoundary,
  readFlanking,
  startSequence,
} from './emphasis.js'
import * as Event from './events.js'
import { EVENT_SIZE, eventA, eventEnd, eventStart, eventType, type SourceBlock, setType } from './events.js'
import { endRanges, findOpen, findRanges, LINK_KIND, type Open, rangeAt, readUrl } from './links.js'
import { addEvent, giveBack, type Reader, STOP_READ } from './state.js'
import {
  BACKTICK,
  endOfSpaces,
  isEscaped,
  positionAt,
  STOP_AMPERSAND,
  STOP_BACKSLASH,
  STOP_BACKTICK,
  STOP_BOUNDARY,
  STOP_CLOSING_BRACKET,
  STOP_FLANKING,
  STOP_LESS_THAN,
  STOP_LINE_FEED,
  STOP_OPENING_BRACKET,
  STOP_RETURN,
  STOP_SEPARATOR,
  startOfSpaces,
  stopAt,
} from './units.js'

/** Reads the leaf of a block. The tape is in normal form; it has no event if all of the leaf is plain text. */
export function readLeafOf(reader: Reader, block: SourceBlock): void {
  reader.tapeEnd = 0
  if (block.first === block.last) return
  readLeaf(reader, block)
  toNormalForm(reader)
}

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
      case STOP_FLANKING:
        at = readFlanking(reader, place)
        break
      case STOP_BOUNDARY:
        at = readBoundary(reader, place)
        break
      case STOP_BACKSLASH:
        at = readBackslashes(reader, place)
        break
      case STOP_BACKTICK:
        at = readCode(reader, stop, place)
        break
      case STOP_LESS_THAN:
        at = readMention(reader, place)
        break
      case STOP_AMPERSAND:
        addEvent(reader, Event.AMPERSAND, place, at, 0, 0)
        break
      case STOP_OPENING_BRACKET:
      case STOP_SEPARATOR:
        at = startRange(reader, stop, place)
        break
      case STOP_CLOSING_BRACKET:
        if (place === reader.sequenceEnd) at = endRange(reader)
        break
      case STOP_LINE_FEED:
      case STOP_RETURN:
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

/** A text that was loaded as one leaf, without looking for blocks. */
interface Loaded {
  readonly reader: Reader
  readonly leaf: SourceBlock
}

/** Loads a text as one leaf. The caller gives the reader back. */
function loadLeaf(text: string): Loaded {
  const reader = loadSource(text, 1)
  // The last stop is the line ending after the text.
  const last = reader.stopsEnd - 1
  return { reader, leaf: { type: 'paragraph', start: 1, contentStart: 1, end: text.length + 1, first: 0, last } }
}

/** Offsets count from 1. */
export interface LeafEnd extends Omit<Open, 'reader' | 'inactiveCount'> {
  /** The start of the first backticks without a partner, or 0 if all have one. */
  readonly codeStart: number
  /** Whether the text ends with a backslash that would escape the next character. */
  readonly isEscaping: boolean
}

/** Returns the constructs that are open at the end of a leaf. Brackets are included only if they may still begin a link. */
export function openIn(text: string): LeafEnd {
  const { reader, leaf } = loadLeaf(text)
  startLeaf(reader, leaf)
  const { begun, brackets, pairs, inactiveCount, tighterEnd } = findOpen(reader)
  const codeStart = startOfCode(reader)
  const isEscaping = isEscaped(reader.chars, text.length + 1)
  giveBack(reader)
  return { begun, brackets: brackets.slice(inactiveCount), pairs, tighterEnd, codeStart, isEscaping }
}

function startOfCode({ chars, backticksFrom }: Reader): number {
  if (backticksFrom === NO_FAILED_SEARCH) return 0
  let start = backticksFrom
  while (chars[start - 1] === BACKTICK && !isEscaped(chars, start - 1)) start -= 1
  return start
}

/** Reads a text as a leaf that breaks off. The caller gives the reader back. */
export function readOpenText(text: string, isInLabel: boolean): Reader {
  const { reader, leaf } = loadLeaf(text)
  readOpenLeaf(reader, leaf, isInLabel)
  return reader
}

/** Reads the leaf of a block that breaks off; the runs that are open at its end stay open. */
function readOpenLeaf(reader: Reader, leaf: SourceBlock, isInLabel: boolean): void {
  startLeaf(reader, leaf)
  reader.ranges = endRanges(reader, isInLabel)
  readStops(reader, leaf)
}

/** Reads the leaf of a block as if everything that is open at its end were closed. */
export function readLeafClosingAll(reader: Reader, leaf: SourceBlock, isInLabel: boolean): void {
  readOpenLeaf(reader, leaf, isInLabel)
  closeAll(reader)
  while (reader.sequence !== null) {
    endRange(reader)
    closeAll(reader)
  }
  toNormalForm(reader)
}
