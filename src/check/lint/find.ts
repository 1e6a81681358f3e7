/** Asks every rule of one string. */
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

/** How much of a line around a replacement says what becomes of it. */
const NEAR = 80

/**
 * Whether a replacement is a node where it stands, and everything beside it stays what it is. Where that is a delimiter or a
 * tag, which may be replaced as well, it is not sure what becomes of delimiters.
 */
function becomesNode(source: string, start: number, end: number, instead: string): boolean {
  if (/^[*_-]/.test(instead) && /[*_\-<>]/.test(source.charAt(start - 1) + source.charAt(end))) return false
  const before = source.slice(Math.max(start - NEAR, 0), start).replace(/.*[\r\n]/s, '')
  const after = source.slice(end, end + NEAR).replace(/[\r\n].*/s, '')
  const was = nodesBeside(before, source.slice(start, end), after)
  const is = nodesBeside(before, instead, after)
  return is.isNode && is.beside === was.beside
}

/** Whether the middle of a line is a node, and the nodes beside it or around it, as a string to be compared. */
function nodesBeside(before: string, middle: string, after: string): { isNode: boolean; beside: string } {
  const [start, end] = [before.length, before.length + middle.length]
  const beside: string[] = []
  let isNode = false
  const visit = (node: AnyNode): void => {
    const [from, to] = rangeOf(node)
    const isInside = start <= from && to <= end
    if (!/root|paragraph|text/.test(node.type)) {
      if (isInside) isNode ||= from === start && to === end
      else beside.push([node.type, ...[from, to].map((at) => (at < end ? at : at - end))].join())
    }
    if ('children' in node) node.children.forEach(visit)
  }
  visit(parse(before + middle + after))
  return { isNode, beside: beside.join(' ') }
}
