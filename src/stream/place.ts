/** Positions of nodes that were parsed from a part of their source. */
import type { AnyNode, Point } from '../tree.js'

/** The start of a part of a source, at the start of a line. */
export interface Origin {
  /** The line, counted from 1. */
  line: number
  offset: number
}

/** Moves the positions of a node and its descendants to the part they were parsed from. Text after `end` was added to the source. */
export function shift(node: AnyNode, { line, offset }: Origin, end: number): void {
  const move = (point: Point): void => {
    // Every parsed node has offsets. The added text is on the last line.
    const { offset: at = 0 } = point
    const surplus = Math.max(0, at - end)
    point.line += line - 1
    point.column -= surplus
    point.offset = at - surplus + offset
  }
  for (const { position } of nodesOf(node)) {
    if (position === undefined) continue
    move(position.start)
    move(position.end)
  }
}

/** Yields a node and its descendants. */
export function* nodesOf(node: AnyNode): Generator<AnyNode> {
  yield node
  if ('children' in node) for (const child of node.children) yield* nodesOf(child)
}
