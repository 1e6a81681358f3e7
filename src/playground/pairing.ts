/** Pairs the elements of a rendered message with its nodes (§6) by walking both. */

import type { AnyNode } from '../index.js'
import type { Span } from './highlight-layer.js'
import type { Linked } from './links.js'

/** Nodes without their own element. */
const plain = new Set(['text', 'root'])

export function pair(nodes: readonly AnyNode[], elements: readonly Element[]): readonly Linked[] {
  const linked: Linked[] = []
  pairChildren(nodes, [...elements], linked)
  return linked
}

function pairChildren(nodes: readonly AnyNode[], elements: Element[], linked: Linked[]): void {
  for (const node of nodes) {
    if (plain.has(node.type)) continue
    // A link with a scheme that is not allowed has no element.
    const isBare = node.type === 'link' && !/^(?:https?|mailto):/i.test(node.url)
    const element = isBare ? undefined : elements.shift()
    if (isBare && 'children' in node) pairChildren(node.children, elements, linked)
    if (element !== undefined) pairOne(node, element, linked)
  }
}

function pairOne(node: AnyNode, element: Element, linked: Linked[]): void {
  const span = spanOfNode(node)
  if (span !== null) linked.push({ element, span })
  if (!('children' in node)) return
  // The paragraph of an item has no element.
  const nodes = node.type === 'listItem' ? node.children.flatMap((child) => child.children) : node.children
  pairChildren(nodes, [...element.children], linked)
}

/** Returns the position of a node; null if it has none. */
export function spanOfNode({ position }: AnyNode): Span | null {
  const [start, end] = [position?.start.offset, position?.end.offset]
  return start === undefined || end === undefined ? null : { start, end }
}
