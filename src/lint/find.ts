/** Runs every rule on one string. */
import { anyDelimiter, isFormatting, SEPARATOR } from '../delimiters.js'
import { parse } from '../index.js'
import { firstIndex } from '../search.js'
import type { AnyNode } from '../tree.js'
import { checkBullets, type Finding, findInLines, findTildeFences, type Range } from './lines.js'
import { type Rule, type RuleId, ruleIds, rules } from './rules.js'
import { type AddFinding, HIDDEN, rangeOf, readText, withoutIsolates } from './text.js'

export function findIn(source: string): Finding[] {
  const findings: Finding[] = []
  const report: AddFinding = (ruleId, start, end, expected) => findings.push({ ruleId, start, end, expected })
  const visible = readText(source, report)
  const fenced = findTildeFences(source, (offset) => visible[offset] === '~', report)
  const text = without(visible, fenced)
  const everything = withoutIsolates(withoutPairs(source))
  for (const ruleId of ruleIds) {
    search(ruleId, rules[ruleId], source, rules[ruleId].isEverywhere ? everything : text, report)
  }
  findInLines(source, text, report)
  // One `#` before a word is a tag, unless other lines try to be headings.
  const hasHeadings = findings.some(({ ruleId, start, end }) => {
    return ruleId === 'heading-depth' || (ruleId === 'heading-space' && end - start > 1)
  })
  return checkBullets(text, findings).filter(({ ruleId, start, end }) => {
    if (ruleId === 'heading-space' && end - start === 1 && !hasHeadings) return false
    return ruleId === 'tilde-fence' || rules[ruleId].isEverywhere === true || !isInside(fenced, start)
  })
}

/** Returns the source without the separators that force a delimiter. These are invisible but wanted, so they are not reported (§3.6). */
function withoutPairs(source: string): string {
  if (!source.includes(SEPARATOR)) return source
  const chars = source.split('')
  const visit = (node: AnyNode): void => {
    const [start, end] = rangeOf(node)
    if (isFormatting(node) && chars[start] === SEPARATOR) chars[start] = chars[end - 1] = HIDDEN
    // The normal form removed a pair inside this text (§4.10).
    if (node.type === 'text' && !node.value.includes(SEPARATOR)) {
      for (let at = start; at < end; at += 1) if (chars[at] === SEPARATOR) chars[at] = HIDDEN
    }
    if ('children' in node) node.children.forEach(visit)
  }
  visit(parse(source))
  return chars.join('')
}

/** Returns the text with all characters of the ranges hidden. */
function without(text: string, ranges: readonly Range[]): string {
  let from = 0
  const pieces = ranges.flatMap(([start, end]) => {
    const before = text.slice(from, start)
    from = end
    return [before, text.slice(start, end).replace(/\S/g, HIDDEN)]
  })
  return [...pieces, text.slice(from)].join('')
}

/** Whether an offset is in one of the ranges, which are in order. */
function isInside(ranges: readonly Range[], offset: number): boolean {
  const index = firstIndex(ranges.length, (index) => (ranges[index]?.[1] ?? 0) > offset)
  return (ranges[index]?.[0] ?? Number.POSITIVE_INFINITY) <= offset
}

/** Reports each match of a rule's pattern in `text` that the author did not mean. */
function search(ruleId: RuleId, rule: Rule, source: string, text: string, report: AddFinding): void {
  const { pattern, isEverywhere, isText, needsNode, replace = noReplacement } = rule
  if (pattern === undefined) return
  pattern.lastIndex = 0
  // A loop over `exec`, because `matchAll` compiles a copy of the pattern.
  for (;;) {
    const match = pattern.exec(text)
    if (match === null) return
    const { index, indices } = match
    const parts = indices?.map((range) => (range === undefined ? '' : source.slice(...range))) ?? []
    const replacement = replace({ parts, text, index })
    const [start, end] = indices?.groups?.['at'] ?? [index, pattern.lastIndex]
    if (replacement === null) continue
    const isRight = isEverywhere
      ? effectOf(source, start, end, replacement).keepsRest
      : replacement !== '' && (isText || becomesNode(source, start, end, replacement))
    if (isRight || needsNode !== true) report(ruleId, start, end, isRight ? replacement : undefined)
  }
}

function noReplacement(): string {
  return ''
}

const BEGINS_DELIMITER = /* @__PURE__ */ new RegExp(`^${anyDelimiter}`)
const ADJACENT = /* @__PURE__ */ new RegExp(`${anyDelimiter}|[<>${SEPARATOR}]`)

/**
 * Whether a replacement becomes a node and the nodes next to it stay as they are. If a delimiter or a tag is next to it,
 * which may be replaced as well, the result is not certain.
 */
function becomesNode(source: string, start: number, end: number, replacement: string): boolean {
  if (BEGINS_DELIMITER.test(replacement) && ADJACENT.test(source.charAt(start - 1) + source.charAt(end))) return false
  const { isNode, keepsRest } = effectOf(source, start, end, replacement)
  return isNode && keepsRest
}

/** Number of characters of the line, before and after a replacement, that are parsed to find its effect. */
const NEAR = 80

/** Whether a replacement becomes a node, and whether all nodes next to it or around it stay as they are. */
function effectOf(
  source: string,
  start: number,
  end: number,
  replacement: string,
): { isNode: boolean; keepsRest: boolean } {
  const before = source.slice(Math.max(start - NEAR, 0), start).replace(/.*[\r\n]/s, '')
  const after = source.slice(end, end + NEAR).replace(/[\r\n].*/s, '')
  const from = before.length
  const was = nodesOf(before + source.slice(start, end) + after)
  const is = nodesOf(before + replacement + after)
  return {
    isNode: is.some((node) => node.start === from && node.end === from + replacement.length),
    keepsRest:
      outside(is, [[from, from + replacement.length]]).join() === outside(was, [[from, from + end - start]]).join(),
  }
}

interface FoundNode {
  readonly type: string
  readonly start: number
  readonly end: number
}

/** Returns the nodes of a source that are more than text. */
export function nodesOf(source: string): FoundNode[] {
  const nodes: FoundNode[] = []
  const visit = (node: AnyNode): void => {
    const [start, end] = rangeOf(node)
    if (!/root|paragraph|text/.test(node.type)) nodes.push({ type: node.type, start, end })
    if ('children' in node) node.children.forEach(visit)
  }
  visit(parse(source))
  return nodes
}

/** Returns the nodes that are not inside of one of the ranges, for comparison: their positions do not count the ranges. */
export function outside(nodes: readonly FoundNode[], ranges: readonly Range[]): string[] {
  let length = 0
  const lengths = ranges.map(([start, end]) => {
    const before = length
    length += end - start
    return before
  })
  const placeOf = (offset: number): number => {
    const index = firstIndex(ranges.length, (index) => (ranges[index]?.[1] ?? 0) > offset)
    const [start] = ranges[index] ?? [offset]
    return Math.min(offset, start) - (lengths[index] ?? length)
  }
  return nodes.flatMap(({ type, start, end }) => {
    const index = firstIndex(ranges.length, (index) => (ranges[index]?.[1] ?? 0) >= end)
    const isInside = (ranges[index]?.[0] ?? end) <= start
    return isInside ? [] : [`${type} ${placeOf(start)} ${placeOf(end)}`]
  })
}
