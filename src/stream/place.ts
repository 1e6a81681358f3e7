/** Where nodes stand that were parsed from a part of their source. */
import type { AnyNode, Point } from '../tree.js'

/** Where a part of a source begins, which is where a line does. */
export interface Origin {
  /** Counted from 1. */
  line: number
  offset: number
}

/** Moves a node, and all below it, to where the part that they were parsed from stands; what of that is behind `end` is made up. */
export function shift(node: AnyNode, { line, offset }: Origin, end: number): void {
  const move = (point: Point): void => {
    // Every parsed node has offsets. What is made up stands on the line that the rest ends on.
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

/** A node and all below it. No parsed tree is deep. */
export function* nodesOf(node: AnyNode): Generator<AnyNode> {
  yield node
  if ('children' in node) for (const child of node.children) yield* nodesOf(child)
}
