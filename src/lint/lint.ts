/** Reports what the author of a message probably did not mean. The chapter about lint has a section for each rule. */
import type { LimitOptions } from '../check/limits.js'
import { validate } from '../check/validate.js'
import { type Diagnostic, printable } from '../diagnostic.js'
import { createLocator } from '../search.js'
import { isList, type Source, treeOf } from '../source.js'
import { isPositionValid } from '../tree/strict.js'
import type { AnyNode, Position, Root } from '../tree.js'
import { findIn } from './find.js'
import { type RuleId, rules } from './rules.js'
import { linkRule, withoutIsolates } from './text.js'

export interface LintOptions extends LimitOptions {
  /** `false` turns a rule off. */
  rules?: Partial<Record<RuleId, boolean>>
}

/**
 * Reports what the author of a message probably did not mean: markup of CommonMark, GFM and Slack, delimiters and fences that
 * nothing closes, URLs that do not become links, invisible characters, exceeded limits.
 *
 * Markup inside code is not reported. If you pass a tree, its text nodes are not checked for markup or length: they will
 * be escaped and split when they are written.
 *
 * @param source - the message: a string is one body, an array the blocks of a post
 * @param options - the rules to turn off, and limits that differ from the service's
 * @returns the warnings in the order of the source; vfile-reporter and `String` print them
 * @throws {TypeError} if `source` is not a string, a tree or an array of both, or a limit is not a number of 1 or more
 * @throws {BlockmarkError} `tree/child`, `tree/field`, `tree/cycle` or `tree/depth` if a tree is not valid
 * @example
 * const [warning] = lint('Done:\n- a list')
 * String(warning) // => '2:1: `-` does not start a list item here: use `*` and a space.'
 * warning?.expected // => ['*']
 */
export function lint(source: Source, options: LintOptions = {}): Diagnostic<RuleId>[] {
  const diagnostics = isList(source) ? Array.from(source).flatMap(lintPart) : lintPart(source, Number.NaN)
  return [...diagnostics, ...lintLimits(source, options)]
    .filter(({ ruleId }) => options?.rules?.[ruleId] !== false)
    .sort((a, b) => (a.block ?? 0) - (b.block ?? 0))
}

/** Reports the findings of one string or tree. `block` is the index in an array, or NaN if the source is not an array. */
function lintPart(part: string | Root, block: number): Diagnostic<RuleId>[] {
  if (typeof part !== 'string') return lintNode(treeOf(part), [], block)
  const findings = findIn(part).sort((a, b) => a.start - b.start)
  const positionOf = createLocator(findings.length > 0 ? part : '')
  return findings.map(({ ruleId, start, end, expected }) => {
    const diagnostic = diagnosticOf(ruleId, rules[ruleId].reason(part.slice(start, end)), block, positionOf(start, end))
    if (expected !== undefined) diagnostic.expected = [expected]
    return diagnostic
  })
}

/** Reports the findings of the four rules that apply to trees: two about invisible characters, two about links. */
function lintNode(node: AnyNode, path: readonly (string | number)[], block: number): Diagnostic<RuleId>[] {
  const report = (ruleId: RuleId, foundText: string): Diagnostic<RuleId> => {
    return Object.assign(
      diagnosticOf(ruleId, rules[ruleId].reason(foundText), block, isPositionValid(node) ? node.position : undefined),
      { path },
    )
  }
  const diagnostics: Diagnostic<RuleId>[] = []
  if ('value' in node) {
    for (const ruleId of ['bidirectional', 'invisible'] as const) {
      const at = withoutIsolates(node.value).search(rules[ruleId].pattern ?? '')
      if (at >= 0) diagnostics.push(report(ruleId, node.value.slice(at)))
    }
  }
  const ruleId = node.type === 'link' ? linkRule(node) : undefined
  if (ruleId !== undefined && 'url' in node) diagnostics.push(report(ruleId, `](${node.url})`))
  if (!('children' in node)) return diagnostics
  return diagnostics.concat(
    node.children.flatMap((child, index) => lintNode(child, [...path, 'children', index], block)),
  )
}

/** Reports the strings that are over a limit. */
function lintLimits(source: Source, options: LimitOptions): Diagnostic<RuleId>[] {
  const parts = (isList(source) ? source : [source]).map((part) => (typeof part === 'string' ? part : '-'))
  return validate(isList(source) ? { blocks: parts } : { body: parts.join('') }, options).flatMap((problem) => {
    const { code, path, valid, received } = problem
    const subject = code.startsWith('body') ? 'A body' : code === 'blocks/count' ? 'A message' : 'A block'
    const reason = `${subject} may have ${valid}, but this one has ${received}.`
    return /long|count/.test(code) ? [diagnosticOf('limit', reason, Number(path[1] ?? Number.NaN))] : []
  })
}

function diagnosticOf(ruleId: RuleId, reason: string, block: number, place?: Position): Diagnostic<RuleId> {
  const { note } = rules[ruleId]
  const diagnostic: Diagnostic<RuleId> = { reason, message: reason, ruleId, source: 'blockmark', fatal: false, note }
  if (place !== undefined) Object.assign(diagnostic, { place, line: place.start.line, column: place.start.column })
  if (block >= 0) diagnostic.block = block
  return printable(diagnostic)
}
