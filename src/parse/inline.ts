/** The inline pass (§3): reads a leaf from left to right, and writes its events. */
import { delimiters } from '../delimiters.js'
import { endOfLineEnding } from './blocks.js'
import { NO_FAILED_SEARCH, readBackslashes, readCode, readMention } from './constructs.js'
import { dropOpeners, endSequence, readBoundary, readFlanking, startSequence } from './emphasis.js'
import * as Event from './events.js'
import { EVENT_SIZE, eventA, eventEnd, eventStart, eventType, type SourceBlock, setType } from './events.js'
import { LINK_KIND, rangeAt, readUrl } from './links.js'
import { addEvent, type ParseState, passConstruct } from './state.js'
import * as Unit from './units.js'
import { endOfSpaces, positionAt, startOfSpaces, stopAt } from './units.js'

/**
 * Parses the leaf of a block. Its events are in normal form; there are none if the leaf is only plain text. A leaf can be parsed only
 * once, because its forced delimiters are overwritten.
 */
export function parseLeaf(state: ParseState, block: SourceBlock): void {
  state.eventsEnd = 0
  if (block.first === block.last) return
  startLeaf(state, block)
  readStops(state, block)
  toNormalForm(state)
}

/** Reads the stops of a leaf. Each case of the switch reads one inline construct. */
export function readStops(state: ParseState, { contentStart, first, last }: SourceBlock): void {
  const { chars, stops } = state
  let at = contentStart
  for (let stop = first; stop < last; stop += 1) {
    const start = positionAt(stops, stop)
    if (start < at) continue
    at = start + 1
    switch (stopAt(chars, start)) {
      case Unit.STOP_FLANKING:
        at = readFlanking(state, stop, start)
        break
      case Unit.STOP_BOUNDARY:
        at = readBoundary(state, start)
        break
      case Unit.STOP_BACKSLASH:
        at = readBackslashes(state, start)
        break
      case Unit.STOP_BACKTICK:
        at = readCode(state, stop, start)
        break
      case Unit.STOP_LESS_THAN:
        at = readMention(state, start)
        break
      case Unit.STOP_AMPERSAND:
        addEvent(state, Event.AMPERSAND, start, at, 0)
        break
      case Unit.STOP_OPENING_BRACKET:
      case Unit.STOP_SEPARATOR:
        at = startRange(state, start)
        break
      case Unit.STOP_CLOSING_BRACKET:
        if (start === state.sequenceEnd) at = endRange(state)
        break
      case Unit.STOP_LINE_FEED:
      case Unit.STOP_RETURN:
        at = readBreak(state, start)
        break
      default:
        // The stop is the `h` of `http`.
        at = readUrl(state, start)
    }
  }
}

/** Resets the state before a leaf is read. */
export function startLeaf(state: ParseState, { end, first, last }: SourceBlock): void {
  state.eventsEnd = 0
  state.openCount = 0
  state.firstStop = first
  state.lastStop = last
  state.sequence = null
  state.sequenceEnd = end
  state.isInLabel = false
  state.backticksFrom = NO_FAILED_SEARCH
  state.lastBackticks = null
  state.nextRange = undefined
  dropOpeners(state, 0)
  state.base = state.lineBase = state.linkEnd = 0
}

/** Starts link text (§3.4) or a forced pair (§3.6), whose content is a separate sequence. Returns the start of the content. */
function startRange(state: ParseState, at: number): number {
  const range = rangeAt(state, at)
  if (range === null) return at + 1
  const { kind, contentStart, contentEnd, end, isPlain } = range
  if (kind !== LINK_KIND) {
    addEvent(state, Event.OPEN, at, contentStart, kind)
    state.openCount += 1
  } else if (end > 0) addEvent(state, Event.LINK, at, end, 2 * contentEnd + (isPlain ? 1 : 0))
  else {
    // The bracket of a link that a stream may still complete is not shown.
    addEvent(state, Event.CANCELED, at, contentStart, 0)
    if (contentEnd === 0) return contentStart
  }
  startSequence(state, range, kind === LINK_KIND)
  return contentStart
}

export function endRange(state: ParseState): number {
  const { sequence: range, sequenceEnd } = state
  // Outside all ranges, the sequence ends with the leaf, after its last stop, so this function is never called there.
  if (range === null) return sequenceEnd
  const { kind, start, end, outside } = range
  if (outside !== null) endSequence(state, outside, kind === LINK_KIND)
  if (kind !== LINK_KIND) addEvent(state, Event.CLOSE, sequenceEnd, end, kind)
  else {
    if (end > 0) {
      addEvent(state, Event.LINK_END, sequenceEnd, end, 0)
      passConstruct(state, start, end)
    }
    state.linkEnd = end
    state.isInLabel = false
  }
  return end
}

/** Reads a line ending and the spaces next to it (§3.8). `_` and `-` do not match across a break of their sequence (§4). */
function readBreak(state: ParseState, at: number): number {
  const chars = state.chars
  const start = startOfSpaces(chars, 0, at)
  const end = endOfSpaces(chars, endOfLineEnding(state, at), state.sequenceEnd)
  addEvent(state, Event.BREAK, start, end, at)
  state.lineBase = state.openerCount
  return end
}

/**
 * The number of times that each kind of formatting is open: first in the leaf, then in link text. The array is reused for every
 * leaf, at whose end all numbers are 0, because every OPEN has its CLOSE in the same leaf or link text.
 */
const openCounts: Int32Array = /* @__PURE__ */ new Int32Array(2 * delimiters.length)

/** The CLOSE events of the latest adjoining delimiters, innermost first, at most one of each kind. Reused for every leaf. */
const closers: Int32Array = /* @__PURE__ */ new Int32Array(2 * delimiters.length)

export function toNormalForm({ events, eventsEnd, openCount }: ParseState): void {
  if (openCount < 2) return
  const counts = openCounts
  let base = 0
  let closerCount = 0
  /** The end of the latest adjoining delimiters. */
  let edge = 0
  for (let event = 0; event < eventsEnd; event += EVENT_SIZE) {
    const type = eventType(events, event)
    if (type === Event.LINK) base = delimiters.length
    else if (type === Event.LINK_END) base = 0
    // A bracket that is not shown does not separate delimiters.
    if (type === Event.CANCELED && eventStart(events, event) === edge) edge = eventEnd(events, event)
    if (type !== Event.OPEN && type !== Event.CLOSE) continue
    if (eventStart(events, event) !== edge) closerCount = 0
    edge = eventEnd(events, event)
    const kind = eventA(events, event)
    const count = counts[base + kind] as number
    if (type === Event.CLOSE) {
      counts[base + kind] = count - 1
      if (count > 1) setType(events, event, Event.CANCELED)
      else {
        closers[closerCount] = event
        closerCount += 1
      }
      continue
    }
    counts[base + kind] = count + 1
    if (count > 0) setType(events, event, Event.CANCELED)
    else if (closerCount > 0) {
      // If formatting of the same kind has just ended, the two are merged. Otherwise the earlier formatting stays closed.
      closerCount -= 1
      const last = closers[closerCount] as number
      if (eventA(events, last) === kind) {
        setType(events, last, Event.CANCELED)
        setType(events, event, Event.CANCELED)
      } else closerCount = 0
    }
  }
}
