/** Reads the leaf that holds a place as the parser does, and watches what happens there. Places count from 1. */
import { readStops, startLeaf } from '../../parse/inline.js'
import { findRanges } from '../../parse/ranges.js'
import type { Reader } from '../../parse/reader.js'
import { STOP, units } from '../../parse/units.js'
import { type Leaf, leavesOf } from '../leaves.js'
import { askBefore, askBehind, createWatch, type Watch } from './partner.js'

/** How the parser has read on from one of its stops: all from `start` to `end` at once. */
export interface Step {
  /** Why reading stops there. */
  readonly stop: number
  readonly start: number
  readonly end: number
  /** The first event that it has written, {@link NO_EVENT} without one. */
  readonly event: number
}

export const NO_EVENT = -1

/** A leaf that has been read. */
export interface ReadLeaf extends Leaf {
  readonly reader: Reader
  /** The step that holds the place that is asked of; null where nothing stops the parser. */
  readonly step: Step | null
  readonly watch: Watch
}

/** Reads the leaf that holds the character at `at`; null if none does. */
export function readLeafAt(reader: Reader, at: number): ReadLeaf | null {
  for (const leaf of leavesOf(reader)) if (leaf.start <= at && at < leaf.end) return readLeaf(reader, leaf, at)
  return null
}

function readLeaf(reader: Reader, leaf: Leaf, at: number): ReadLeaf {
  const { firstStop, lastStop } = leaf
  const watch = createWatch(at)
  let step: Step | null = null
  startLeaf(reader, leaf.end, firstStop, lastStop)
  if (reader.hasSeparator) reader.ranges = findRanges(reader)
  let end = leaf.start
  for (let index = firstStop; index < lastStop; index += 1) {
    const place = reader.stops[index] ?? 0
    if (place < end) continue
    const stop = (units[reader.chars[place] ?? 0] ?? 0) & STOP
    const event = reader.tapeEnd
    askBefore(watch, reader, place)
    end = readStops(reader, end, index, index + 1)
    askBehind(watch, reader, place)
    const hasEvent = reader.tapeEnd > event
    // A break begins with the spaces before it.
    const start = hasEvent ? Math.min(place, reader.tape[event + 1] ?? 0) : place
    if (start <= at && at < end) step = { stop, start, end, event: hasEvent ? event : NO_EVENT }
  }
  return { ...leaf, reader, step, watch }
}
