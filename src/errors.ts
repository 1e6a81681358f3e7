/** What can be wrong with a tree or a message, as data and as an error. */
import { shorten } from './describe.js'
import type { Point } from './tree.js'

export { describe } from './describe.js'

/** What kind of problem it is. A code never changes its meaning. */
export type ErrorCode =
  /** No node stands there, or one that can not stand there (§5). */
  | 'tree/child'
  /** A field of a node holds what it can not hold (§5). */
  | 'tree/field'
  /** A node is among its own descendants. */
  | 'tree/cycle'
  /** `blocks` is no array, or one of them is no string. */
  | 'blocks/type'
  /** There is no block, or there are too many. */
  | 'blocks/count'
  /** A block is empty or only white space. */
  | 'blocks/blank'
  /** A block has too many characters. */
  | 'blocks/too-long'
  /** A block holds U+0000 or a lone surrogate. */
  | 'blocks/character'
  /** `body` is no string. */
  | 'body/type'
  /** `body` is empty or only white space. */
  | 'body/blank'
  /** `body` has too many characters. */
  | 'body/too-long'
  /** `body` holds U+0000 or a lone surrogate. */
  | 'body/character'

/** One thing that is wrong. */
export interface Problem {
  code: ErrorCode
  /** The keys and indexes that lead from the value that was checked to what is wrong in it. */
  path: readonly (string | number)[]
  /** Where it is in the string at `path`. */
  place?: Point
  /** What can stand there. */
  expected: string
  /** What stands there, shortened. */
  received: string
}

/**
 * A tree or a message that can not be used. The message says what was expected, what came, and where.
 *
 * @example
 * new BlockmarkError([{ code: 'tree/field', path: ['children', 0, 'depth'], expected: '1 or 2', received: '3' }]).message
 * // => 'tree/field: expected 1 or 2, received 3 at /children/0/depth'
 */
export class BlockmarkError extends Error {
  /** As written here, whatever a bundler calls the class. */
  static override readonly name = 'BlockmarkError'
  override readonly name = 'BlockmarkError'
  /** The code of the first problem. */
  readonly code: ErrorCode
  /** Everything that is wrong, in the order of the value that was checked. */
  readonly problems: readonly [Problem, ...Problem[]]

  /**
   * @param problems - what is wrong
   * @param options - the `cause`, where there is one
   */
  constructor(problems: readonly [Problem, ...Problem[]], options?: ErrorOptions) {
    super(messageOf(problems), options)
    this.code = problems[0].code
    this.problems = problems
  }
}

/** Throws the problems, if there are any. */
export function throwProblems(problems: readonly Problem[]): void {
  const [first, ...others] = problems
  if (first !== undefined) throw new BlockmarkError([first, ...others])
}

/** Room for the path of any tree that was written by hand. */
const PATH_LENGTH_MAX = 256

function messageOf([{ code, path, place, expected, received }, ...others]: readonly [Problem, ...Problem[]]): string {
  const pointer = path.length > 0 ? ` at ${shorten(`/${path.join('/')}`, PATH_LENGTH_MAX)}` : ''
  const point = place === undefined ? '' : `, line ${place.line}, column ${place.column}`
  const more = others.length > 0 ? ` (and ${others.length} more)` : ''
  return `${code}: expected ${expected}, received ${received}${pointer}${point}${more}`
}
