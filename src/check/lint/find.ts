/** Asks every rule of one string. */
import { lengthBefore } from '../../characters.js'
import { parse } from '../../parse/index.js'
import type { AnyNode } from '../../tree.js'
import { rangeOf } from '../positions.js'
import { type Rule, type RuleId, rules } from './rules.js'
import { type Report, readText } from './text.js'

export interface Finding {
  ruleId: RuleId
  start: number
  end: number
  /** What stands there instead. */
  expected: string | undefined
}

export function findIn(source: string): Finding[] {
  const findings: Finding[] = []
  const report: Report = (ruleId, start, end, expected) => findings.push({ ruleId, start, end, expected })
  const text = readText(source, report)
  // The keys of a record are its keys, which its type does not say.
  for (const [ruleId, rule] of Object.entries(rules) as [RuleId, Rule][]) ask(ruleId, rule, source, text, report)
  return findings
}

function ask(ruleId: RuleId, rule: Rule, source: string, text: string, report: Report): void {
  const { pattern, isEverywhere, isText, meant = nothing } = rule
  if (pattern === undefined) return
  pattern.lastIndex = 0
  // Not `matchAll`, which compiles a copy of the pattern.
  for (;;) {
    const match = pattern.exec(isEverywhere ? source : text)
    if (match === null) return
    const { index, indices } = match
    const parts = indices?.map((range) => (range === undefined ? '' : source.slice(...range))) ?? []
    const instead = meant({ parts, text, index })
    const [start, end] = indices?.groups?.['at'] ?? [index, pattern.lastIndex]
    if (instead === null) continue
    const isRight = isEverywhere || (instead !== '' && (isText || becomesNode(source, start, end, instead)))
    report(ruleId, start, end, isRight ? instead : undefined)
  }
}

function nothing(): string {
  return ''
}

/**
 * Whether a replacement is a node between the characters that stand beside it. Where that is a delimiter or a tag, which may
 * be replaced as well, it is not sure what becomes of delimiters.
 */
function becomesNode(source: string, start: number, end: number, instead: string): boolean {
  if (/^[*_-]/.test(instead) && /[*_\-<>]/.test(source.charAt(start - 1) + source.charAt(end))) return false
  const before = source.slice(start && start - lengthBefore(source, start), start).trim()
  const after = String.fromCodePoint(source.codePointAt(end) ?? 10)
  return isNode(parse(before + instead + after), before.length, before.length + instead.length)
}

function isNode(node: AnyNode, start: number, end: number): boolean {
  const [nodeStart, nodeEnd] = rangeOf(node)
  const isWhole = nodeStart === start && nodeEnd === end && !/root|paragraph|text/.test(node.type)
  return isWhole || ('children' in node && node.children.some((child) => isNode(child, start, end)))
}
