/** What the package has to say about a message or a tree, in the shape that the tools around vfile print. */
import type { Point, Position } from './tree.js'

/** One remark, with the fields of vfile's messages. */
export interface Message {
  /** What is meant, in one sentence. */
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
  /** Where to read more. */
  url?: string
}
