/** From an offset in a leaf to a place in the source: a leaf's lines are trimmed and joined, the source's are not. */
import type { Point, Position } from '../tree.js'

/** Numbers of one line: where it starts in the leaf, where that is in the source, where the source's line starts. */
const LINE_SIZE = 3

/** The lines of the leaf that is being read. */
export interface Places {
  lines: number[]
  end: number
  /** The number of the leaf's first line in the source. */
  lineNumber: number
  /** The line that was asked for last. Questions come in the order of the source, so it only moves forward. */
  current: number
}

export function createPlaces(): Places {
  return { lines: [], end: 0, lineNumber: 1, current: 0 }
}

/** Begins a leaf whose first line has this number. */
export function startPlaces(places: Places, lineNumber: number): void {
  places.end = 0
  places.lineNumber = lineNumber
  places.current = 0
}

/** Adds the leaf's next line. */
export function addLine(places: Places, leafStart: number, sourceStart: number, lineStart: number): void {
  const { lines, end } = places
  lines[end] = leafStart
  lines[end + 1] = sourceStart
  lines[end + 2] = lineStart
  places.end = end + LINE_SIZE
}

/** The source's range for a leaf's; each call's `end` is at least the last one's. */
export function positionOf(places: Places, start: number, end: number): Position {
  return { start: pointOf(places, start), end: pointOf(places, end) }
}

export function pointOf(places: Places, at: number): Point {
  const { lines } = places
  let { current } = places
  while (current + LINE_SIZE < places.end && (lines[current + LINE_SIZE] ?? 0) <= at) current += LINE_SIZE
  places.current = current
  const offset = at - (lines[current] ?? 0) + (lines[current + 1] ?? 0)
  return { line: places.lineNumber + current / LINE_SIZE, column: offset - (lines[current + 2] ?? 0) + 1, offset }
}

/** The line ending behind the current line: whatever stands between its text and the next line, but for spaces. */
export function lineEndingOf(places: Places, source: string, at: number): Position {
  const { line } = pointOf(places, at)
  const { lines, current } = places
  const end = lines[current + LINE_SIZE + 2] ?? 0
  const length = source.charCodeAt(end - 1) === 10 && source.charCodeAt(end - 2) === 13 ? 2 : 1
  const start = end - length
  return {
    start: { line, column: start - (lines[current + 2] ?? 0) + 1, offset: start },
    end: { line: line + 1, column: 1, offset: end },
  }
}
