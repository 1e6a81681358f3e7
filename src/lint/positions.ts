/** Offsets and positions (§5.2). */
import type { AnyNode, Point, Position } from '../tree.js'

/** The offsets of a node that was parsed with positions. */
export function rangeOf({ position }: AnyNode): [start: number, end: number] {
  return [position?.start.offset ?? 0, position?.end.offset ?? 0]
}

/** Gives positions in a source by their offsets. */
export function createLocator(source: string): (start: number, end: number) => Position {
  const lineStarts = [0]
  const ending = /\r\n?|\n/g
  while (ending.test(source)) lineStarts.push(ending.lastIndex)
  return (start, end) => ({ start: pointOf(lineStarts, start), end: pointOf(lineStarts, end) })
}

function pointOf(lineStarts: readonly number[], offset: number): Point {
  let line = 0
  for (let end = lineStarts.length; end - line > 1; ) {
    const middle = (line + end) >> 1
    if ((lineStarts[middle] ?? 0) <= offset) line = middle
    else end = middle
  }
  return { line: line + 1, column: offset - (lineStarts[line] ?? 0) + 1, offset }
}
