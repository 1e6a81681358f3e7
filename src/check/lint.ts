/** Names what a writer probably did not mean. `fixtures/lint.md` has a section for each rule. */
import { wrongSource } from '../describe.js'
import { type Message, printable } from '../message.js'
import type { Source } from '../source.js'
import type { Position, Root } from '../tree.js'
import { assertWildTree } from './assert-tree.js'
import type { LimitOptions } from './limits.js'
import { findIn } from './lint/find.js'
import { notes } from './lint/notes.js'
import { reasons } from './lint/reasons.js'
import type { RuleId } from './lint/rule-ids.js'
import { findInTree } from './lint/tree.js'
import { createLocator } from './positions.js'
import { validate } from './validate.js'

export type { RuleId } from './lint/rule-ids.js'

/** A warning. */
export interface LintMessage extends Message {
  ruleId: RuleId
  /** The reason, and where its place starts, by the names that reporters read. */
  message: string
  line?: number
  column?: number
}

export interface LintOptions extends LimitOptions {
  /** `false` switches a rule off. */
  rules?: Partial<Record<RuleId, boolean>>
}

/**
 * Names what a writer probably did not mean: what CommonMark, GFM or Slack would have made of it, markers and fences
 * that nothing closes, urls that will not be links, characters that nobody sees, and what is over a limit. What looks
 * like markup in code is code. The text of a tree is text, whatever it looks like, and has no limit before it is cut.
 *
 * @param source - a string is one body, an array the blocks of a post
 * @param options - rules to switch off, limits other than the service's
 * @returns a warning for each place, in the order of the source; vfile-reporter prints them, and so does `String`
 * @throws {TypeError} where `source` is none, or a limit is no number of 1 or more
 * @throws {BlockmarkError} `tree/child`, `tree/field` or `tree/cycle` where a tree is none
 * @example
 * const [warning] = lint('Done:\n- a list')
 * String(warning) // => '2:1: `-` begins no item here: `*` and a space do.'
 * warning?.expected // => ['*']
 */
export function lint(source: Source, options: LintOptions = {}): LintMessage[] {
  const messages = isList(source) ? source.flatMap(lintPart) : lintPart(source, Number.NaN)
  return [...messages, ...overLimits(source, options)]
    .filter(({ ruleId }) => options?.rules?.[ruleId] !== false)
    .sort((a, b) => (a.block ?? 0) - (b.block ?? 0))
}

/** `block` is the index of the part in an array, else NaN. */
function lintPart(part: string | Root, block: number): LintMessage[] {
  if (typeof part !== 'string') {
    if (part?.type !== 'root') throw wrongSource(part)
    assertWildTree(part)
    return lintTree(part, block)
  }
  const findings = findIn(part).sort((a, b) => a.start - b.start)
  const placeOf = createLocator(findings.length > 0 ? part : '')
  return findings.map(({ ruleId, start, end, expected }) => {
    const message = messageOf(ruleId, reasonOf(ruleId, part.slice(start, end)), block, placeOf(start, end))
    if (expected !== undefined) message.expected = [expected]
    return message
  })
}

function lintTree(tree: Root, block: number): LintMessage[] {
  return findInTree(tree).map(({ ruleId, path, position, there }) => {
    return Object.assign(messageOf(ruleId, reasonOf(ruleId, there), block, position), { path })
  })
}

function reasonOf(ruleId: RuleId, there: string): string {
  return ruleId === 'limit' ? '' : reasons[ruleId](there)
}

/** What is too long or too much, as far as it is a string. */
function overLimits(source: Source, options: LimitOptions): LintMessage[] {
  const parts = (isList(source) ? source : [source]).map((part) => (typeof part === 'string' ? part : '-'))
  return validate(isList(source) ? { blocks: parts } : { body: parts.join('') }, options).flatMap((problem) => {
    const { code, path, expected, received } = problem
    const what = code.startsWith('body') ? ' in a body' : code === 'blocks/count' ? '' : ' in a block'
    const reason = `The service takes ${expected}${what}, not ${received}.`
    return /long|count/.test(code) ? [messageOf('limit', reason, Number(path[1] ?? Number.NaN))] : []
  })
}

function messageOf(ruleId: RuleId, reason: string, block: number, place?: Position): LintMessage {
  const note = notes[ruleId]
  const message: LintMessage = { reason, message: reason, ruleId, source: 'blockmark', fatal: false, note }
  if (place !== undefined) Object.assign(message, { place, line: place.start.line, column: place.start.column })
  if (block >= 0) message.block = block
  return printable(message)
}

/** `Array.isArray` does not narrow a readonly array. */
function isList(source: Source): source is readonly (string | Root)[] {
  return Array.isArray(source)
}
