/** What builders make nodes of: text, nodes, arrays of both, and nothing. */

import { throwProblems } from '../errors.js'
import { problemsOf } from '../tree/strict.js'
import type { AnyNode, Phrasing, Text } from '../tree.js'
import { flat } from './flat.js'
import { writeDate } from './values.js'

/** What is text: a date is its ISO 8601 form, in UTC. */
export type TextValue = string | number | bigint | Date

/** What is nothing, so that `isLate && text('late')` can be a child. */
export type Nothing = null | undefined | false

/** A node, an array of children in a row, or nothing. */
export type Child<Node> = Node | Nothing | readonly Child<Node>[]

/** The node itself, if it is valid by the table of §5. */
export function checked<Node extends AnyNode>(node: Node): Node {
  throwProblems(problemsOf(node, node.type))
  return node
}

export function phrasingOf<Node extends Phrasing>(children: readonly Child<Node | TextValue>[]): (Node | Text)[] {
  const values = nodesOf(children).filter((child) => child !== '')
  return values.map((child) => (isTextValue(child) ? { type: 'text', value: textOf(child) } : child))
}

/** The children in one row, without those that are nothing. */
export function nodesOf<Node>(children: readonly Child<Node>[]): Node[] {
  // What is left when the arrays and the nothings are gone is a node, by the type of `children`.
  return flat(children).filter((child) => !isNothing(child)) as Node[]
}

function isNothing(child: unknown): boolean {
  return child === null || child === undefined || child === false
}

export function isTextValue(value: unknown): value is TextValue {
  return ['string', 'number', 'bigint'].includes(typeof value) || value instanceof Date
}

/** The text of a value; what is no such value stays as it is, for the table to refuse. */
export function textOf(value: TextValue): string {
  if (value instanceof Date) return writeDate(value)
  return isTextValue(value) ? String(value) : value
}
