/** Where nodes stand that were parsed from a part of their source. */
import type { AnyNode, Point, Position } from '../tree.js'

/** Where a part of a source begins, which is where a line does. */
export interface Origin {
  /** Counted from 1. */
  line: number
  offset: number
}

/** Moves a node to where the part that it was parsed from stands. */
export function shift(node: AnyNode, { line, offset }: Origin): void {
  if (offset === 0) return
  eachPosition(node, ({ start, end }) => {
    place(start, start.line + line - 1, start.column, offsetOf(start) + offset)
    place(end, end.line + line - 1, end.column, offsetOf(end) + offset)
  })
}

/** Calls `use` with the position of a node and of all below it. */
export function eachPosition(node: AnyNode, use: (position: Position) => void): void {
  const open: AnyNode[] = [node]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next.position !== undefined) use(next.position)
    if ('children' in next) for (const child of next.children) open.push(child)
  }
}

export function place(point: Point, line: number, column: number, offset: number): void {
  point.line = line
  point.column = column
  point.offset = offset
}

/** Every parsed node has offsets. */
export function offsetOf(point: Point | undefined): number {
  return point?.offset ?? 0
}
