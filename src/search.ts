/** Binary search, and positions in a text from offsets. */
import type { Point, Position } from './tree.js'

/**
 * Returns the first index for which `isFound` is true, or `length` if it is false for all. If it is true for an index, it must be
 * true for all later ones.
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
  const starts = [0]
  for (const { 0: ending, index } of source.matchAll(/\r\n?|\n/g)) starts.push(index + ending.length)
  const pointAt = (offset: number): Point => {
    const line = firstIndex(starts.length, (index) => (starts[index] ?? 0) > offset) - 1
    return { line: line + 1, column: offset - (starts[line] ?? 0) + 1, offset }
  }
  return (start, end) => ({ start: pointAt(start), end: pointAt(end) })
}
