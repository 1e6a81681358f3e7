/** Checks stored and foreign trees. */
import { throwProblems } from '../errors.js'
import { problemsOf } from '../tree/strict.js'
import type { Root } from '../tree.js'

/**
 * Throws unless a value is a tree of §5: for trees that were stored or come from another program. A tree may still not be in
 * normal form: an empty text, a URL with spaces, a label with a pipe.
 *
 * @param value - any value; fields that the table of §5 does not name are ignored
 * @throws {BlockmarkError} `tree/child`, `tree/field`, `tree/cycle` or `tree/depth`, with all problems and their paths; only
 * the first ones of hundreds of thousands
 * @example
 * const stored: unknown = JSON.parse('{"type":"root","children":[{"type":"break"}]}')
 * assertTree(stored) // => throws BlockmarkError: tree/child: expected block, received break at /children/0
 * @see normalize for the nearest tree that can be written
 */
export function assertTree(value: unknown): asserts value is Root {
  throwProblems(problemsOf(value, 'root'))
}
