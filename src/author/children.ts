/** The children that builders accept: text, nodes, arrays of both, and values that are left out. */

import { throwProblems } from '../errors.js'
import { problemsOf } from '../tree/strict.js'
import type { AnyNode, Phrasing, Text } from '../tree.js'
import { flat, writeDate } from './values.js'

/** A value that is text: a date becomes ISO 8601, in UTC. */
export type TextValue = string | number | bigint | Date

/** A value that is left out, so that `isLate && text('late')` can be a child. */
export type Falsy = null | undefined | false

/** A node, an array of children, or a value that is left out. */
export type Child<Node> = Node | Falsy | readonly Child<Node>[]

/** Returns the node if it is valid (§5). */
export function checked<Node extends AnyNode>(node: Node): Node {
  throwProblems(problemsOf(node, node.type))
  return node
}

export function phrasingOf<Node extends Phrasing>(children: readonly Child<Node | TextValue>[]): (Node | Text)[] {
  const values = nodesOf(children).filter((child) => child !== '')
  return values.map((child) => (isTextValue(child) ? { type: 'text', value: textOf(child) } : child))
}

/** Flattens the children, without those that are left out. */
export function nodesOf<Node>(children: readonly Child<Node>[]): Node[] {
  // By the type of `children`, the rest are nodes.
  return flat(children).filter((child) => !isNothing(child)) as Node[]
}

function isNothing(child: unknown): boolean {
  return child === null || child === undefined || child === false
}

export function isTextValue(value: unknown): value is TextValue {
  return ['string', 'number', 'bigint'].includes(typeof value) || value instanceof Date
}

/** Returns the text of a value; any other value stays as it is, and the check rejects it. */
export function textOf(value: TextValue): string {
  if (value instanceof Date) return writeDate(value)
  return isTextValue(value) ? String(value) : value
}
