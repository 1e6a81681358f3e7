/** The colors of a text in the editor, from the positions of its nodes. */

import type { AnyNode } from '../index.js'
import type { Painted } from './backdrop.js'
import { spanOfNode } from './pairing.js'

/** Nodes that have one color, with all of their text. */
const colors: Partial<Record<AnyNode['type'], Painted['color']>> = {
  ...{ code: 'code', inlineCode: 'code', link: 'link', mention: 'mention', file: 'mention' },
}

/** Yields the parts of a node that have a color: delimiters and markers, and nodes with a color for all of their text. */
export function* coloredParts(node: AnyNode): Generator<Painted> {
  const span = spanOfNode(node)
  const color = colors[node.type]
  if (span === null) return
  if (color !== undefined) yield { color, ...span }
  else if ('children' in node) yield* aroundChildren(node.children, span)
}

function* aroundChildren(children: readonly AnyNode[], { start, end }: Omit<Painted, 'color'>): Generator<Painted> {
  let at = start
  for (const child of children) {
    const inner = spanOfNode(child)
    if (inner === null) continue
    if (at < inner.start) yield { color: 'markup', start: at, end: inner.start }
    yield* coloredParts(child)
    at = inner.end
  }
  if (at < end) yield { color: 'markup', start: at, end }
}
