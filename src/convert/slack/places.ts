/** Positions in a text, from offsets. */
import type { Point, Position } from '../../tree.js'

/** Returns the position of a range; undefined for values without a source text. */
export type Places = (start: number, end: number) => Position | undefined

export const nowhere: Places = () => undefined

export function placesIn(text: string): Places {
  const starts = [0]
  for (const { 0: ending, index } of text.matchAll(/\r\n|\r|\n/g)) starts.push(index + ending.length)
  const pointAt = (offset: number): Point => {
    const line = lastAtMost(starts, offset)
    return { line: line + 1, column: offset - (starts[line] ?? 0) + 1, offset }
  }
  return (start, end) => ({ start: pointAt(start), end: pointAt(end) })
}

/** Returns the index of the last number that is not over the limit; the numbers ascend from 0. */
function lastAtMost(numbers: readonly number[], limit: number): number {
  let [low, high] = [0, numbers.length - 1]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((numbers[middle] ?? 0) <= limit) low = middle
    else high = middle - 1
  }
  return low
}
