/** Asks every rule of one string. */
import { anyDelimiter, SEPARATOR } from '../../delimiters.js'
import { parse } from '../../parse/index.js'
import type { AnyNode } from '../../tree.js'
import { hardSeparators } from '../leaves.js'
import { rangeOf } from '../positions.js'
import { findInLines, findTildeFences, type Range } from './lines.js'
import type { RuleId } from './rule-ids.js'
import { type Rule, rules } from './rules.js'
import { HIDDEN, type Report, readText } from './text.js'

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
  const visible = readText(source, report)
  const fenced = findTildeFences(source, (offset) => visible[offset] === '~', report)
  const text = without(visible, fenced)
  const everything = withoutPairs(source)
  // The keys of a record are its keys, which its type does not say.
  for (const [ruleId, rule] of Object.entries(rules) as [RuleId, Rule][]) {
    ask(ruleId, rule, source, rule.isEverywhere ? everything : text, report)
  }
  findInLines(source, text, report)
  return findings.filter(({ ruleId, start }) => {
    return ruleId === 'tilde-fence' || rules[ruleId].isEverywhere === true || !isInside(fenced, start)
  })
}

/** The source with the separators hidden that have a partner: they are not in vain, though nobody sees them (§3.6). */
function withoutPairs(source: string): string {
  if (!source.includes(SEPARATOR)) return source
  const chars = source.split('')
  for (const offset of hardSeparators(source)) chars[offset] = HIDDEN
  return chars.join('')
}

/** A text in which everything in some ranges is hidden. */
function without(text: string, ranges: readonly Range[]): string {
  let from = 0
  const pieces = ranges.flatMap(([start, end]) => {
    const before = text.slice(from, start)
    from = end
    return [before, text.slice(start, end).replace(/\S/g, HIDDEN)]
  })
  return [...pieces, text.slice(from)].join('')
}

/** Whether an offset is in one of some ranges, which are in order. */
function isInside(ranges: readonly Range[], offset: number): boolean {
  let [low, high] = [0, ranges.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((ranges[middle]?.[1] ?? 0) <= offset) low = middle + 1
    else high = middle
  }
  return (ranges[low]?.[0] ?? Number.POSITIVE_INFINITY) <= offset
}

/** `text` is what the rule looks at. */
function ask(ruleId: RuleId, rule: Rule, source: string, text: string, report: Report): void {
  const { pattern, isEverywhere, isText, meant = nothing } = rule
  if (pattern === undefined) return
  pattern.lastIndex = 0
  // Not `matchAll`, which compiles a copy of the pattern.
  for (;;) {
    const match = pattern.exec(text)
    if (match === null) return
    const { index, indices } = match
    const parts = indices?.map((range) => (range === undefined ? '' : source.slice(...range))) ?? []
    const instead = meant({ parts, text, index })
    const [start, end] = indices?.groups?.['at'] ?? [index, pattern.lastIndex]
    if (instead === null) continue
    const isRight = isEverywhere
      ? effectOf(source, start, end, instead).keepsRest
      : instead !== '' && (isText || becomesNode(source, start, end, instead))
    report(ruleId, start, end, isRight ? instead : undefined)
  }
}

function nothing(): string {
  return ''
}

const BEGINS_DELIMITER = /* @__PURE__ */ new RegExp(`^${anyDelimiter}`)
const BESIDE = /* @__PURE__ */ new RegExp(`${anyDelimiter}|[<>${SEPARATOR}]`)

/**
 * Whether a replacement is a node where it stands, and everything beside it stays what it is. Where that is a delimiter or a
 * tag, which may be replaced as well, it is not sure what becomes of delimiters.
 */
function becomesNode(source: string, start: number, end: number, instead: string): boolean {
  if (BEGINS_DELIMITER.test(instead) && BESIDE.test(source.charAt(start - 1) + source.charAt(end))) return false
  const { isNode, keepsRest } = effectOf(source, start, end, instead)
  return isNode && keepsRest
}

/** How much of a line around a replacement says what becomes of it. */
const NEAR = 80

/** Whether a replacement is a node, and whether all nodes beside it or around it stay. */
function effectOf(
  source: string,
  start: number,
  end: number,
  instead: string,
): { isNode: boolean; keepsRest: boolean } {
  const before = source.slice(Math.max(start - NEAR, 0), start).replace(/.*[\r\n]/s, '')
  const after = source.slice(end, end + NEAR).replace(/[\r\n].*/s, '')
  const was = nodesBeside(before, source.slice(start, end), after)
  const is = nodesBeside(before, instead, after)
  return { isNode: is.isNode, keepsRest: is.beside === was.beside }
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
      else beside.push([node.type, from < end ? from : from - end, to > start ? to - end : to].join())
    }
    if ('children' in node) node.children.forEach(visit)
  }
  visit(parse(before + middle + after))
  return { isNode, beside: beside.join(' ') }
}
