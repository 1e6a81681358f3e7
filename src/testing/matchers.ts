/**
 * Matchers for trees and diagnostics. vitest and jest accept them with `expect.extend(matchers)`; next to `node:assert`,
 * use `assertSameTree` and `assertDiagnostics`.
 */

import { isDeepStrictEqual } from 'node:util'
import type { Diagnostic } from '../diagnostic.js'
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

/** Some fields of a diagnostic, or its `ruleId` alone. */
export type ExpectedDiagnostic = string | Partial<Diagnostic>

/** The matchers' types, for `interface Matchers<T> extends TreeMatchers<T> {}` in vitest's module. */
export interface TreeMatchers<Result = unknown> {
  /** Whether two sources have the same tree, except for positions. */
  toHaveTreeOf(expected: Source): Result
  /** Whether these are the diagnostics, in this order and no others; `source` is their text. */
  toHaveDiagnostics(expected: readonly ExpectedDiagnostic[], source?: string): Result
}

/**
 * Matchers for `expect.extend` of vitest and jest.
 *
 * @example
 * const { pass, message } = matchers.toHaveTreeOf('call _me_', 'call **me**')
 * pass // => false
 * message() // => `expected strong, received underline at /children/0/children/1\n\nreceived\n1 | call _me_\n  |      ^^^^\nexpected\n1 | call **me**\n  |      ^^^^^^`
 */
export const matchers: {
  toHaveTreeOf: (received: Source, expected: Source) => MatcherResult
  toHaveDiagnostics: (
    received: readonly Diagnostic[],
    expected: readonly ExpectedDiagnostic[],
    source?: string,
  ) => MatcherResult
} = {
  toHaveTreeOf(received, expected) {
    const problem = compareTrees(received, expected)
    return { pass: problem === null, message: () => problem ?? 'expected two sources with different trees' }
  },
  toHaveDiagnostics(received, expected, source) {
    const problem = compareDiagnostics(received, expected, source)
    return { pass: problem === null, message: () => problem ?? 'expected other diagnostics than these' }
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
  if (problem !== null) throw assertionError(problem, received, expected, 'assertSameTree')
}

/**
 * Asserts that these are the diagnostics, in this order and no others, without a test framework.
 *
 * @param received - the diagnostics of `lint`, `normalize` or a converter
 * @param expected - the `ruleId` of each, or some of its fields
 * @param source - the text, in which the error shows the diagnostics
 * @throws {Error} an `AssertionError` like those of `node:assert`, if they differ
 * @example
 * import { lint } from 'blockmark/lint'
 * const source = '### Done'
 * assertDiagnostics(lint(source), ['heading-depth'], source)
 */
export function assertDiagnostics(
  received: readonly Diagnostic[],
  expected: readonly ExpectedDiagnostic[],
  source?: string,
): void {
  const problem = compareDiagnostics(received, expected, source)
  if (problem !== null) throw assertionError(problem, received, expected, 'assertDiagnostics')
}

function assertionError(message: string, actual: unknown, expected: unknown, operator: string): Error {
  const fields = { name: 'AssertionError', code: 'ERR_ASSERTION', generatedMessage: true, actual, expected, operator }
  return Object.assign(new Error(message), fields)
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

function compareDiagnostics(
  received: readonly Diagnostic[],
  expected: readonly ExpectedDiagnostic[],
  source: string | undefined,
): string | null {
  const wanted = expected.map((each): Partial<Diagnostic> => (typeof each === 'string' ? { ruleId: each } : each))
  const isRight = (at: number): boolean => {
    const [message, fields] = [received[at], wanted[at]]
    return (
      message !== undefined &&
      fields !== undefined &&
      Object.entries(fields).every(([name, value]) => isDeepStrictEqual(fieldOf(message, name), value))
    )
  }
  const count = Math.max(received.length, wanted.length)
  const first = Array.from({ length: count }, (_, at) => at).find((at) => !isRight(at))
  if (first === undefined) return null
  const [message, fields] = [received[first], wanted[first]]
  const line = `message ${first}: expected ${fields === undefined ? 'none' : JSON.stringify(fields)}, received ${message === undefined ? 'none' : message.ruleId}`
  return [line, ...received.flatMap((each) => ['', ...report(each, source)])].join('\n')
}

function report(message: Diagnostic, source: string | undefined): string[] {
  const { place, block, ruleId, reason } = message
  const line = `${ruleId}: ${reason}${block === undefined ? '' : ` (block ${block})`}`
  return source === undefined || place === undefined ? [line] : [line, excerpt(source, place)]
}

function fieldOf(message: Diagnostic, name: string): unknown {
  return Object.getOwnPropertyDescriptor(message, name)?.value
}
