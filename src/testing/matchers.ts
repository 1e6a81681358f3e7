/** A matcher for trees. vitest and jest accept it with `expect.extend(matchers)`; next to `node:assert`, use `assertSameTree`. */

import { describe } from '../errors.js'
import { parse } from '../index.js'
import { isList, type Source } from '../source.js'
import { type AnyNode, content, type Root } from '../tree.js'

/** The result of a matcher, for vitest and jest. */
export interface MatcherResult {
  pass: boolean
  message: () => string
}

/** The matcher's type, for `interface Matchers<T> extends TreeMatchers<T> {}` in vitest's module. */
export interface TreeMatchers<Result = unknown> {
  /** Asserts that two sources have the same tree, except for positions. */
  toHaveTreeOf(expected: Source): Result
}

/**
 * The matcher for `expect.extend` of vitest and jest.
 *
 * @example
 * const { pass, message } = matchers.toHaveTreeOf('call _me_', 'call **me**')
 * pass // => false
 * message() // => 'expected strong, received underline at /children/0/children/1'
 */
export const matchers: { toHaveTreeOf: (received: Source, expected: Source) => MatcherResult } = {
  toHaveTreeOf(received, expected) {
    const problem = compareTrees(received, expected)
    return { pass: problem === null, message: () => problem ?? 'expected two sources with different trees' }
  },
}

/**
 * Asserts that two sources have the same tree, except for positions. Needs no test framework.
 *
 * @param received - text in the dialect, a tree, or a post's blocks
 * @param expected - the source with the expected tree; how it is cut into blocks does not matter
 * @throws {Error} if the trees differ: an error with the fields of Node's `AssertionError`, which names the first difference
 * @example
 * assertSameTree(['# Done', 'all of **it**'], '# Done\n\nall of **it**')
 */
export function assertSameTree(received: Source, expected: Source): void {
  const problem = compareTrees(received, expected)
  if (problem === null) return
  const fields = { name: 'AssertionError', code: 'ERR_ASSERTION', generatedMessage: true, operator: 'assertSameTree' }
  throw Object.assign(new Error(problem), { ...fields, actual: received, expected })
}

/** Describes the first difference, or returns null. How a source is cut into blocks does not matter. */
function compareTrees(received: Source, expected: Source): string | null {
  return differenceOf(treeOf(received), treeOf(expected), '')
}

function treeOf(source: Source): Root {
  const parts: readonly (string | Root)[] = typeof source === 'string' || !isList(source) ? [source] : source
  const trees = parts.map((part) => (typeof part === 'string' ? parse(part) : part))
  return { type: 'root', children: trees.flatMap(({ children }) => children) }
}

/** Describes the first difference of two nodes, in the order of the tree; null if only positions differ. */
function differenceOf(received: AnyNode | undefined, expected: AnyNode | undefined, path: string): string | null {
  if (received === undefined || expected === undefined || received.type !== expected.type) {
    return `expected ${typeOf(expected)}, received ${typeOf(received)} at ${path}`
  }
  for (const field of Object.keys(content[expected.type].fields)) {
    const [value, expectedValue] = [fieldOf(received, field), fieldOf(expected, field)]
    if (value !== expectedValue)
      return `expected ${describe(expectedValue)}, received ${describe(value)} at ${path}/${field}`
  }
  const [children, expectedChildren] = [childrenOf(received), childrenOf(expected)]
  for (let at = 0; at < Math.max(children.length, expectedChildren.length); at += 1) {
    const difference = differenceOf(children[at], expectedChildren[at], `${path}/children/${at}`)
    if (difference !== null) return difference
  }
  return null
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
