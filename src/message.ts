/** What the package has to say about a message or a tree, in the shape that the tools around vfile print. */
import type { Point, Position } from './tree.js'

/** One remark, with the fields of vfile's messages. As a string it is its place and its reason: `2:7: …`. */
export interface Message {
  /** What is there and what it is or is not, in one sentence. */
  reason: string
  /** The rule that is behind it. */
  ruleId: string
  source: 'blockmark'
  /** True for an error, false for a warning. */
  fatal: boolean
  /** Where it is in the source, if that is known. */
  place?: Point | Position
  /** The keys and indexes that lead from the root of the tree that was given to the node that is meant. */
  path?: readonly (string | number)[]
  /** Which of a post's blocks is meant. */
  block?: number
  /** What could stand there instead. */
  expected?: readonly string[]
  /** What the rule's section says. */
  note?: string
}

/**
 * Lets a message print as a string; it stays plain data.
 *
 * @param message - the message
 * @returns the same
 */
export function printable<Kind extends Message>(message: Kind): Kind {
  return Object.defineProperty(message, 'toString', { value: printed, enumerable: false })
}

function printed(this: Message): string {
  const { place, block, reason } = this
  const point = place !== undefined && 'start' in place ? place.start : place
  const where = [
    ...(block === undefined ? [] : [`block ${block}`]),
    ...(point ? [`${point.line}:${point.column}`] : []),
  ]
  return where.length === 0 ? reason : `${where.join(', ')}: ${reason}`
}
