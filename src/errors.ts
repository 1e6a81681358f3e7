/** The problems of a tree or a message, as data and as an error. */
import { shorten } from './describe.js'
import { printable } from './diagnostic.js'
import type { Point } from './tree.js'

export { describe } from './describe.js'

/** The kind of a problem. A code never changes its meaning. */
export type ErrorCode =
  /** A child is missing, is not a node, or has a type that its parent cannot hold (§5). */
  | 'tree/child'
  /** A field of a node has a value that it cannot have (§5). */
  | 'tree/field'
  /** A node is inside itself, or a parent is in several places of a tree with more than 1,048,576 nodes. */
  | 'tree/cycle'
  /** A node is nested too deeply: it is below level 500. */
  | 'tree/depth'
  /** `blocks` is not an array, or a block is not a string. */
  | 'blocks/type'
  /** There are too few or too many blocks. */
  | 'blocks/count'
  /** A block is empty or only white space. */
  | 'blocks/blank'
  /** A block has too many characters. */
  | 'blocks/too-long'
  /** A block contains U+0000 or a lone surrogate. */
  | 'blocks/character'
  /** `body` is not a string. */
  | 'body/type'
  /** `body` is empty or only white space. */
  | 'body/blank'
  /** `body` has too many characters. */
  | 'body/too-long'
  /** `body` contains U+0000 or a lone surrogate. */
  | 'body/character'

/** A problem of a value. */
export interface Problem {
  code: ErrorCode
  /** The keys and indexes that lead from the checked value to the problem. */
  path: readonly (string | number)[]
  /** The position in the string at `path`. */
  place?: Point
  /** A description of the values that are valid at `path`. */
  valid: string
  /** A short description of the actual value. */
  received: string
  /** A sentence made from `valid` and `received`. The field is not enumerable, so JSON and comparisons see only the other fields. */
  reason?: string
}

/** Returns a copy of a problem that has a reason and prints like every diagnostic. */
export function diagnose(problem: Problem): Problem {
  const { valid, received } = problem
  const reason = `expected ${valid}, received ${received}`
  return printable(Object.defineProperty({ ...problem, reason }, 'reason', { enumerable: false }))
}

/**
 * Thrown for an invalid tree or post. `error.message` names the expected value, the received value and the path.
 *
 * @example
 * new BlockmarkError([{ code: 'tree/field', path: ['children', 0, 'depth'], valid: '1 or 2', received: '3' }]).message
 * // => 'tree/field: expected 1 or 2, received 3 at /children/0/depth'
 */
export class BlockmarkError extends Error {
  /** The name is set explicitly, because a bundler may rename the class. */
  static override readonly name = 'BlockmarkError'
  override readonly name = 'BlockmarkError'
  /** The code of the first problem. */
  readonly code: ErrorCode
  /** All problems, in the order of the checked value. */
  readonly problems: readonly [Problem, ...Problem[]]

  /**
   * @param problems - the problems
   * @param options - the `cause`, if there is one
   */
  constructor(problems: readonly [Problem, ...Problem[]], options?: ErrorOptions) {
    super(messageOf(problems), options)
    this.code = problems[0].code
    this.problems = problems
  }
}

/** Throws a `BlockmarkError` if there are problems. */
export function throwProblems(problems: readonly Problem[]): void {
  const [first, ...others] = problems
  if (first !== undefined) throw new BlockmarkError([first, ...others])
}

/** Maximum length of a path in an error message; enough for any tree that was written by hand. */
const PATH_LENGTH_MAX = 256

function messageOf([{ code, path, place, valid, received }, ...others]: readonly [Problem, ...Problem[]]): string {
  const pointer = path.length > 0 ? ` at ${shorten(`/${path.join('/')}`, PATH_LENGTH_MAX)}` : ''
  const point = place === undefined ? '' : `, line ${place.line}, column ${place.column}`
  const more = others.length > 0 ? ` (and ${others.length} more)` : ''
  return `${code}: expected ${valid}, received ${received}${pointer}${point}${more}`
}
