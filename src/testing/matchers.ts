/**
 * Matchers for trees and messages. They are plain functions: vitest and jest take them by `expect.extend(matchers)`, and
 * with `node:assert` the same is asked of `assertSameTree` and `assertMessages`.
 */

import { parse } from '../index.js'
import type { Message } from '../message.js'
import { isList, type Source } from '../source.js'
import type { AnyNode, Root } from '../tree.js'
import { type Difference, differenceOf } from './difference.js'
import { excerpt } from './excerpt.js'

/** What vitest and jest are told. */
export interface MatcherResult {
  pass: boolean
  message: () => string
}

/** Some fields of a message, or its `ruleId` alone. */
export type ExpectedMessage = string | Partial<Message>

/** The matchers as users see them: `interface Matchers<T> extends TreeMatchers<T> {}` in vitest's module. */
export interface TreeMatchers<Result = unknown> {
  /** Whether the source has the same tree as another one, positions aside. */
  toHaveTreeOf(expected: Source): Result
  /** Whether there are these messages, in this order and no other; `source` is what they are about. */
  toHaveMessages(expected: readonly ExpectedMessage[], source?: string): Result
}

/**
 * For vitest and jest.
 *
 * @example
 * const { pass, message } = matchers.toHaveTreeOf('call _me_', 'call **me**')
 * pass // => false
 * message() // => `expected strong, received underline at /children/0/children/1\n\nreceived\n1 | call _me_\n  |      ^^^^\nexpected\n1 | call **me**\n  |      ^^^^^^`
 */
export const matchers: {
  toHaveTreeOf: (received: Source, expected: Source) => MatcherResult
  toHaveMessages: (received: readonly Message[], expected: readonly ExpectedMessage[], source?: string) => MatcherResult
} = {
  toHaveTreeOf(received, expected) {
    const problem = compareTrees(received, expected)
    return { pass: problem === null, message: () => problem ?? 'expected two sources with different trees' }
  },
  toHaveMessages(received, expected, source) {
    const problem = compareMessages(received, expected, source)
    return { pass: problem === null, message: () => problem ?? 'expected other messages than these' }
  },
}

/**
 * For `node:assert` and for code that no framework runs.
 *
 * @param received - markdown, a tree, or a post's blocks
 * @param expected - what has the same tree, positions aside; a post's blocks have that of one string of the same message
 * @throws {Error} an `AssertionError` like those of `node:assert`, with the place marked in both sources
 * @example
 * assertSameTree(['# Done', 'all of **it**'], '# Done\n\nall of **it**')
 */
export function assertSameTree(received: Source, expected: Source): void {
  const problem = compareTrees(received, expected)
  if (problem !== null) throw assertionError(problem, received, expected, 'assertSameTree')
}

/**
 * For `node:assert`: that there are these messages, in this order and no other.
 *
 * @param received - what `lint`, `normalize` or a converter said
 * @param expected - the `ruleId` of each, or some of its fields
 * @param source - what the messages are about, to show them in it
 * @throws {Error} an `AssertionError` like those of `node:assert`
 * @example
 * import { lint } from 'blockmark/lint'
 * const source = '### Done'
 * assertMessages(lint(source), ['heading-depth'], source)
 */
export function assertMessages(
  received: readonly Message[],
  expected: readonly ExpectedMessage[],
  source?: string,
): void {
  const problem = compareMessages(received, expected, source)
  if (problem !== null) throw assertionError(problem, received, expected, 'assertMessages')
}

function assertionError(message: string, actual: unknown, expected: unknown, operator: string): Error {
  const fields = { name: 'AssertionError', code: 'ERR_ASSERTION', generatedMessage: true, actual, expected, operator }
  return Object.assign(new Error(message), fields)
}

/** One string or tree after the other, each with its source where that is known. */
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

/** What is wrong, or null. What is cut into blocks in another way is the same, so that a post can be told by one string. */
function compareTrees(received: Source, expected: Source): string | null {
  const [parts, others] = [partsOf(received), partsOf(expected)]
  const whole = differenceOf(joined(parts), joined(others))
  if (whole === null) return null
  if (parts.length !== others.length) {
    const index = Number(whole.path[1])
    return said(whole, '', partWith(parts, index), partWith(others, index))
  }
  for (const [at, part] of parts.entries()) {
    const other = others[at]
    const difference = other === undefined ? null : differenceOf(part.tree, other.tree)
    if (difference !== null) return said(difference, parts.length > 1 ? ` of block ${at}` : '', part, other)
  }
  return said(whole, '', undefined, undefined)
}

function joined(parts: readonly Part[]): Root {
  return { type: 'root', children: parts.flatMap(({ tree }) => tree.children) }
}

/** The part that a child of all of them joined is in. */
function partWith(parts: readonly Part[], index: number): Part | undefined {
  let left = index
  return parts.find(({ tree }) => {
    left -= tree.children.length
    return left < 0
  })
}

function said(difference: Difference, where: string, received: Part | undefined, expected: Part | undefined): string {
  const pointer = `/${difference.path.join('/')}`
  const line = `expected ${difference.expected}, received ${difference.received} at ${pointer}${where}`
  return [line, ...shown(received, expected, difference)].join('\n')
}

/** Both sources with the place marked, as far as they are known. */
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

function compareMessages(
  received: readonly Message[],
  expected: readonly ExpectedMessage[],
  source: string | undefined,
): string | null {
  const wanted = expected.map((each): Partial<Message> => (typeof each === 'string' ? { ruleId: each } : each))
  const isRight = (at: number): boolean => {
    const [message, fields] = [received[at], wanted[at]]
    return (
      message !== undefined &&
      fields !== undefined &&
      Object.entries(fields).every(([name, value]) => same(fieldOf(message, name), value))
    )
  }
  const count = Math.max(received.length, wanted.length)
  const first = Array.from({ length: count }, (_, at) => at).find((at) => !isRight(at))
  if (first === undefined) return null
  const [message, fields] = [received[first], wanted[first]]
  const said = `message ${first}: expected ${fields === undefined ? 'none' : JSON.stringify(fields)}, received ${message === undefined ? 'none' : message.ruleId}`
  return [said, ...received.flatMap((each) => ['', ...report(each, source)])].join('\n')
}

function report(message: Message, source: string | undefined): string[] {
  const { place, block, ruleId, reason } = message
  const line = `${ruleId}: ${reason}${block === undefined ? '' : ` (block ${block})`}`
  return source === undefined || place === undefined ? [line] : [line, excerpt(source, place)]
}

function fieldOf(message: Message, name: string): unknown {
  return Object.getOwnPropertyDescriptor(message, name)?.value
}

/** Whether two values of plain data are the same. */
function same(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return one === other
  const [fields, others] = [Object.entries(one), new Map<string, unknown>(Object.entries(other))]
  return (
    fields.length === others.size && fields.every(([name, value]) => others.has(name) && same(value, others.get(name)))
  )
}
