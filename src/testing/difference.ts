/** The first difference of two trees (§5). */
import { describe } from '../errors.js'
import { type AnyNode, content } from '../tree.js'

export interface Difference {
  received: string
  expected: string
  /** The keys and indexes from the root on. */
  path: readonly (string | number)[]
  /** The nodes that differ; the parent if a node is missing. */
  receivedNode: AnyNode
  expectedNode: AnyNode
}

/** Two nodes at the same position, one of which may be missing. */
interface Pair {
  received: AnyNode | undefined
  expected: AnyNode | undefined
  path: Difference['path']
  receivedParent: AnyNode
  expectedParent: AnyNode
}

/** Finds the first difference between two trees in the order of their sources; null if only positions differ. */
export function differenceOf(one: AnyNode, other: AnyNode): Difference | null {
  const open: Pair[] = [{ received: one, expected: other, path: [], receivedParent: one, expectedParent: other }]
  for (let pair = open.pop(); pair !== undefined; pair = open.pop()) {
    const { received, expected, path } = pair
    const receivedNode = received ?? pair.receivedParent
    const expectedNode = expected ?? pair.expectedParent
    if (received === undefined || expected === undefined || received.type !== expected.type) {
      return { received: typeOf(received), expected: typeOf(expected), path, receivedNode, expectedNode }
    }
    for (const field of Object.keys(content[expected.type].fields)) {
      const [value, wanted] = [fieldOf(received, field), fieldOf(expected, field)]
      if (value === wanted) continue
      const place = [...path, field]
      return { received: describe(value), expected: describe(wanted), path: place, receivedNode, expectedNode }
    }
    open.push(...pairsOf(received, expected, path).reverse())
  }
  return null
}

function pairsOf(received: AnyNode, expected: AnyNode, path: Difference['path']): Pair[] {
  const [children, others] = [childrenOf(received), childrenOf(expected)]
  return Array.from({ length: Math.max(children.length, others.length) }, (_, at) => ({
    received: children[at],
    expected: others[at],
    path: [...path, 'children', at],
    receivedParent: received,
    expectedParent: expected,
  }))
}

function childrenOf(node: AnyNode): readonly AnyNode[] {
  return 'children' in node ? node.children : []
}

function typeOf(node: AnyNode | undefined): string {
  return node === undefined ? 'nothing' : describe(node)
}

function fieldOf(node: AnyNode, name: string): unknown {
  return Object.getOwnPropertyDescriptor(node, name)?.value
}
