/** Which element of a rendered message is which node (§6): the two are walked side by side. */

import type { AnyNode } from '../index.js'
import type { Span } from './editor.js'
import type { Linked } from './links.js'

/** Nodes that are no element of their own. */
const plain = new Set(['text', 'root'])

/** Pairs elements with nodes. */
export function pair(nodes: readonly AnyNode[], elements: readonly Element[]): readonly Linked[] {
  const linked: Linked[] = []
  pairChildren(nodes, [...elements], linked)
  return linked
}

function pairChildren(nodes: readonly AnyNode[], elements: Element[], linked: Linked[]): void {
  for (const node of nodes) {
    if (plain.has(node.type)) continue
    // A link whose address is not allowed is its children alone.
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
  // The paragraph of an item has no element of its own.
  const nodes = node.type === 'listItem' ? node.children.flatMap((child) => child.children) : node.children
  pairChildren(nodes, [...element.children], linked)
}

/** Where in the text a node stands; null where it says nothing. */
export function spanOfNode({ position }: AnyNode): Span | null {
  const [start, end] = [position?.start.offset, position?.end.offset]
  return start === undefined || end === undefined ? null : { start, end }
}
