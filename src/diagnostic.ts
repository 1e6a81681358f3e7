/** Diagnostics about a message or a tree, in the shape that vfile's tools print. */
import type { Point, Position } from './tree.js'

/**
 * A diagnostic of `lint`, `normalize` or a conversion, with the fields of vfile's messages. `String(diagnostic)` returns the
 * position or the path, and the reason: `2:7: …`.
 */
export interface Diagnostic<Rule extends string = string> {
  /** The sentence that describes the problem. */
  reason: string
  /** The id of the rule that reports the problem. */
  ruleId: Rule
  source: 'blockmark'
  /** True for an error, false for a warning. */
  fatal: boolean
  /** The position in the source, if it is known. */
  place?: Point | Position
  /** The keys and indexes that lead from the root of the given tree to the node. */
  path?: readonly (string | number)[]
  /** The index of the block in a post. */
  block?: number
  /** The possible replacements. */
  expected?: readonly string[]
  /** The explanation of the rule, as in the rule's section of the documentation (`lint` sets it). */
  note?: string
  /** The reason again, under the name that reporters read (`lint` sets it). */
  message?: string
  /** The line of the start of `place` (`lint` sets it). */
  line?: number
  /** The column of the start of `place` (`lint` sets it). */
  column?: number
}

/** The fields of a diagnostic that are printed. */
type PrintedFields = Pick<Diagnostic, 'reason' | 'place' | 'path' | 'block'>

/**
 * Lets `String` print a diagnostic: the block if there is one, the position or else the path, and the reason, for example
 * `block 2, 2:7: reason` or `/children/0: reason`. JSON does not change.
 *
 * @param diagnostic - the diagnostic
 * @returns the same object
 */
export function printable<Value extends PrintedFields>(diagnostic: Value): Value {
  return Object.defineProperty(diagnostic, 'toString', { value: print, enumerable: false })
}

function print(this: PrintedFields): string {
  const { place, path = [], block, reason } = this
  const point = place !== undefined && 'start' in place ? place.start : place
  const location = point ? `${point.line}:${point.column}` : path.length > 0 ? `/${path.join('/')}` : ''
  const locations = [block === undefined ? '' : `block ${block}`, location].filter((each) => each !== '')
  return locations.length > 0 ? `${locations.join(', ')}: ${reason}` : reason
}
