/** Runs every rule on one string, and finds the effect of a replacement. */
import { parse } from '../index.js'
import type { AnyNode } from '../tree.js'
import { findBullets } from './bullets.js'
import { type Rule, type RuleId, ruleIds, rules } from './rules.js'
import { type ReportFinding, rangeOf, readText, withoutIsolates } from './text.js'

export interface Finding {
  readonly ruleId: RuleId
  readonly start: number
  readonly end: number
  readonly expected: string | undefined
}

export function findIn(source: string): Finding[] {
  const findings: Finding[] = []
  const report: ReportFinding = (ruleId, start, end, expected) => findings.push({ ruleId, start, end, expected })
  const text = readText(source, report)
  findBullets(text, report)
  const withoutIsolatePairs = withoutIsolates(source)
  for (const ruleId of ruleIds) runRule(ruleId, source, rules[ruleId].isEverywhere ? withoutIsolatePairs : text, report)
  return findings
}

/** Reports each match of a rule's pattern in `text`, except matches for which `replace` returns null. */
function runRule(ruleId: RuleId, source: string, text: string, report: ReportFinding): void {
  const { pattern, replace } = rules[ruleId]
  if (pattern === undefined) return
  pattern.lastIndex = 0
  // The loop calls `exec`, because `matchAll` would compile a copy of the pattern.
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const { index, indices } = match
    const parts = indices?.map((range) => (range === undefined ? '' : source.slice(...range))) ?? []
    const replacement = replace === undefined ? '' : replace({ parts, text, index })
    const [start, end] = indices?.groups?.['at'] ?? [index, pattern.lastIndex]
    if (replacement === null) continue
    const isUseful = isUsefulReplacement(rules[ruleId], source, start, end, replacement)
    report(ruleId, start, end, isUseful ? replacement : undefined)
  }
}

/**
 * Whether a replacement works. A replacement by text works unless it is empty. Any other one must become a node or remove an
 * invisible character, and must not change the nodes around it.
 */
function isUsefulReplacement(
  { isEverywhere, isText }: Rule,
  source: string,
  start: number,
  end: number,
  text: string,
): boolean {
  if (isText || (text === '' && !isEverywhere)) return text !== ''
  const { isNode, keepsRest } = effectOf(source, start, end, text, CONTEXT_LENGTH)
  return keepsRest && (isNode || isEverywhere === true)
}

/** Number of characters before and after a match that are parsed to find the effect of a replacement. */
const CONTEXT_LENGTH = 80

/**
 * Finds whether a replacement becomes a node, and whether all nodes next to it or around it stay unchanged.
 *
 * @param reach - the number of characters of the paragraph, before and after the replacement, that are parsed
 */
export function effectOf(
  source: string,
  start: number,
  end: number,
  replacement: string,
  reach: number,
): { isNode: boolean; keepsRest: boolean } {
  const before = source.slice(Math.max(start - reach, 0), start).replace(/.*(?:\r\n|\n|\r(?!\n))[ \t]*[\r\n]/s, '')
  const after = source.slice(end, end + reach).replace(/(?:\r\n|\n|\r(?!\n))[ \t]*[\r\n].*/s, '')
  const from = before.length
  const to = from + replacement.length
  const newNodes = nodesOf(before + replacement + after)
  const oldOutside = nodesOutside(nodesOf(before + source.slice(start, end) + after), from, from + end - start)
  return {
    isNode: newNodes.some((node) => node.start === from && node.end === to),
    keepsRest: nodesOutside(newNodes, from, to) === oldOutside,
  }
}

interface NodeRange {
  readonly type: string
  readonly start: number
  readonly end: number
}

/** Returns the nodes of a source, except roots, paragraphs and text nodes. */
export function nodesOf(source: string): NodeRange[] {
  const nodes: NodeRange[] = []
  const visit = (node: AnyNode): void => {
    const [start, end] = rangeOf(node)
    if (!/root|paragraph|text/.test(node.type)) nodes.push({ type: node.type, start, end })
    if ('children' in node) node.children.forEach(visit)
  }
  visit(parse(source))
  return nodes
}

/** Describes the nodes that are not inside a range, with their offsets as if the range were empty. */
function nodesOutside(nodes: readonly NodeRange[], from: number, to: number): string {
  const offsetOf = (at: number): number => Math.min(at, Math.max(from, at - (to - from)))
  return nodes
    .filter(({ start, end }) => start < from || end > to)
    .map(({ type, start, end }) => `${type} ${offsetOf(start)} ${offsetOf(end)}`)
    .join()
}
