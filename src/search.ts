/** Binary search, and positions in a text from offsets. */
import type { Point, Position } from './tree.js'

/**
 * Returns the first index for which `isFound` is true, or `length` if `isFound` is false for all indexes. If `isFound` is true for
 * an index, it must be true for all later indexes.
 */
export function firstIndex(length: number, isFound: (index: number) => boolean): number {
  let low = 0
  let high = length
  while (low < high) {
    const middle = (low + high) >> 1
    if (isFound(middle)) high = middle
    else low = middle + 1
  }
  return low
}

/** Returns a function that turns two offsets in a source into a position. */
export function createLocator(source: string): (start: number, end: number) => Position {
  const starts = lineStartsOf(source)
  return (start, end) => ({ start: pointAt(starts, start), end: pointAt(starts, end) })
}

/** Returns the offsets at which the lines of a source start. */
export function lineStartsOf(source: string): number[] {
  return [0, ...Array.from(source.matchAll(/\r\n?|\n/g), ({ 0: ending, index }) => index + ending.length)]
}

export function pointAt(lineStarts: readonly number[], offset: number): Point {
  const line = firstIndex(lineStarts.length, (index) => (lineStarts[index] ?? 0) > offset) - 1
  return { line: line + 1, column: offset - (lineStarts[line] ?? 0) + 1, offset }
}
