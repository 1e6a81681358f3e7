/** From an offset in a leaf to a place in the source: a leaf's lines are trimmed and joined, the source's are not. */
import type { Point, Position } from '../tree.js'
import { type Leaf, LINE_SIZE } from './leaf.js'

/** Where the nodes of the leaf stand that is being built. */
export interface Places {
  leaf: Leaf
  source: string
  /** The line that was asked for last. Questions come in the order of the source, so it only moves forward. */
  line: number
}

export function createPlaces(leaf: Leaf): Places {
  return { leaf, source: '', line: 0 }
}

/** The source's range for a leaf's; no question goes behind the last one's end. */
export function positionOf(places: Places, start: number, end: number): Position {
  return { start: pointOf(places, start), end: pointOf(places, end) }
}

export function pointOf(places: Places, at: number): Point {
  const { lines, linesEnd, lineNumber } = places.leaf
  let { line } = places
  while (line + LINE_SIZE < linesEnd && (lines[line + LINE_SIZE] ?? 0) <= at) line += LINE_SIZE
  places.line = line
  const offset = at - (lines[line] ?? 0) + (lines[line + 1] ?? 0)
  return { line: lineNumber + line / LINE_SIZE, column: offset - (lines[line + 2] ?? 0) + 1, offset }
}

/** The line ending that the leaf has at `at`: what stands before the next line, but for spaces. */
export function lineEndingOf(places: Places, at: number): Position {
  const { line } = pointOf(places, at)
  const { lines } = places.leaf
  const end = lines[places.line + LINE_SIZE + 2] ?? 0
  const isPair = places.source.charCodeAt(end - 1) === 10 && places.source.charCodeAt(end - 2) === 13
  const start = end - (isPair ? 2 : 1)
  return {
    start: { line, column: start - (lines[places.line + 2] ?? 0) + 1, offset: start },
    end: { line: line + 1, column: 1, offset: end },
  }
}
