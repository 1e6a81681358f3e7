/** A matcher for trees. vitest and jest accept it with `expect.extend(matchers)`; next to `node:assert`, use `assertSameTree`. */

import { parse } from '../index.js'
import { isList, type Source } from '../source.js'
import type { AnyNode, Root } from '../tree.js'
import { type Difference, differenceOf } from './difference.js'
import { excerpt } from './excerpt.js'

/** The result of a matcher, for vitest and jest. */
export interface MatcherResult {
  pass: boolean
  message: () => string
}

/** The matcher's type, for `interface Matchers<T> extends TreeMatchers<T> {}` in vitest's module. */
export interface TreeMatchers<Result = unknown> {
  /** Whether two sources have the same tree, except for positions. */
  toHaveTreeOf(expected: Source): Result
}

/**
 * The matcher for `expect.extend` of vitest and jest.
 *
 * @example
 * const { pass, message } = matchers.toHaveTreeOf('call _me_', 'call **me**')
 * pass // => false
 * message() // => `expected strong, received underline at /children/0/children/1\n\nreceived\n1 | call _me_\n  |      ^^^^\nexpected\n1 | call **me**\n  |      ^^^^^^`
 */
export const matchers: { toHaveTreeOf: (received: Source, expected: Source) => MatcherResult } = {
  toHaveTreeOf(received, expected) {
    const problem = compareTrees(received, expected)
    return { pass: problem === null, message: () => problem ?? 'expected two sources with different trees' }
  },
}

/**
 * Asserts that two sources have the same tree, except for positions, without a test framework.
 *
 * @param received - text in the dialect, a tree, or a post's blocks
 * @param expected - the source with the expected tree; how it is cut into blocks does not matter
 * @throws {Error} an `AssertionError` like those of `node:assert`, if the trees differ; it marks the position in both sources
 * @example
 * assertSameTree(['# Done', 'all of **it**'], '# Done\n\nall of **it**')
 */
export function assertSameTree(received: Source, expected: Source): void {
  const problem = compareTrees(received, expected)
  if (problem === null) return
  const fields = { name: 'AssertionError', code: 'ERR_ASSERTION', generatedMessage: true, operator: 'assertSameTree' }
  throw Object.assign(new Error(problem), { ...fields, actual: received, expected })
}

/** One string or tree of a source, with its text if that is known. */
interface Part {
  tree: Root
  source: string | null
}

function partsOf(source: Source): Part[] {
  const list: readonly (string | Root)[] = typeof source === 'string' || !isList(source) ? [source] : source
  return list.map((part) =>
    typeof part === 'string' ? { tree: parse(part), source: part } : { tree: part, source: null },
  )
}

/** Describes the first difference, or returns null. How a source is cut into blocks does not matter. */
function compareTrees(received: Source, expected: Source): string | null {
  const [parts, others] = [partsOf(received), partsOf(expected)]
  const whole = differenceOf(joined(parts), joined(others))
  if (whole === null) return null
  if (parts.length !== others.length) {
    const index = Number(whole.path[1])
    return described(whole, '', partWith(parts, index), partWith(others, index))
  }
  for (const [at, part] of parts.entries()) {
    const other = others[at]
    const difference = other === undefined ? null : differenceOf(part.tree, other.tree)
    if (difference !== null) return described(difference, parts.length > 1 ? ` of block ${at}` : '', part, other)
  }
  return described(whole, '', undefined, undefined)
}

function joined(parts: readonly Part[]): Root {
  return { type: 'root', children: parts.flatMap(({ tree }) => tree.children) }
}

/** Returns the part that contains a child of the joined tree. */
function partWith(parts: readonly Part[], index: number): Part | undefined {
  let left = index
  return parts.find(({ tree }) => {
    left -= tree.children.length
    return left < 0
  })
}

function described(
  difference: Difference,
  block: string,
  received: Part | undefined,
  expected: Part | undefined,
): string {
  const pointer = `/${difference.path.join('/')}`
  const line = `expected ${difference.expected}, received ${difference.received} at ${pointer}${block}`
  return [line, ...shown(received, expected, difference)].join('\n')
}

/** Shows the position in both sources, if they are known. */
function shown(
  received: Part | undefined,
  expected: Part | undefined,
  { receivedNode, expectedNode }: Difference,
): string[] {
  const lines = [
    ...marked('received', received?.source ?? null, receivedNode.position),
    ...marked('expected', expected?.source ?? null, expectedNode.position),
  ]
  return lines.length === 0 ? [] : ['', ...lines]
}

function marked(name: string, source: string | null, position: AnyNode['position']): string[] {
  return source === null || position === undefined ? [] : [name, excerpt(source, position)]
}
