/**
 * Guards for lines in formatting (§4, §8): spaces at the ends of a line do not count and no line is blank, unless a delimiter stands
 * there. Formatting inside another of its kind is one with it, so that such a pair can stand wherever one is open.
 */
import { isBlank } from '../characters.js'
import { type Delimiter, SEPARATOR } from '../delimiters.js'
import { BREAK, CLOSE, LINK, LINK_END, OPEN } from '../parse/tape.js'
import type { Report } from './change.js'
import { trimSpaces } from './space.js'
import { createGuard, createToken, isEnd, isStart, TEXT, type Token } from './token.js'

/** A guard between tokens: from before one to before another. */
interface Interval {
  readonly start: number
  end: number
  readonly delimiter: Delimiter
  readonly node: object
}

/** The tokens of a leaf with guards where lines in formatting need them; what none can guard goes. */
export function guardLines(tokens: readonly Token[], report: Report): Token[] {
  const [nextEnds, lastStarts] = findSeen(tokens)
  const intervals: Interval[] = []
  const unfinished: Interval[] = []
  const dropped = new Set<Token>()
  const open: (Delimiter | null)[] = []
  const guard = (at: number, token: Token, isAtEnd: boolean): boolean => {
    const delimiter = open.at(-1) ?? null
    const [end, start] = [nextEnds[at] ?? NOWHERE, lastStarts[at] ?? NOWHERE]
    if (delimiter === null || (end === NOWHERE && start === NOWHERE)) return false
    // Inside another guard it can not begin before that.
    const isFree = (unfinished.at(-1)?.end ?? 0) <= at
    const isBefore = end === NOWHERE || (isAtEnd && isFree && start !== NOWHERE)
    const interval = isBefore ? { start, end: at } : { start: at, end }
    addInterval(intervals, unfinished, { ...interval, delimiter, node: token.node })
    return true
  }
  for (const [index, token] of tokens.entries()) {
    const last = tokens[index - 1]
    const next = tokens[index + 1]
    if (token.type === OPEN) open.push(token.delimiter)
    if (token.type === LINK) open.push(null)
    if (token.type === CLOSE || token.type === LINK_END) open.pop()
    if (token.type === BREAK && last?.type === BREAK && !guard(index, token, false)) {
      report(token.node, 'space')
      dropped.add(token)
    }
    if (token.type !== TEXT) continue
    const atStart = last?.type === BREAK && needsTrim(token, true) && !guard(index, token, false)
    const atEnd = next?.type === BREAK && needsTrim(token, false) && !guard(index + 1, token, true)
    if (!atStart && !atEnd) continue
    report(token.node, 'space')
    token.value = trimSpaces(token.value, atStart, atEnd)
    if (token.value === '') dropped.add(token)
  }
  return insertGuards(tokens, intervals, dropped)
}

function needsTrim({ value }: Token, atStart: boolean): boolean {
  return trimSpaces(value, atStart, !atStart) !== value
}

const NOWHERE = -1

/** Of each place between tokens: where what is seen next ends, and where what was seen last starts, in the same parent. */
function findSeen(tokens: readonly Token[]): [nextEnds: number[], lastStarts: number[]] {
  const indices = new Map(tokens.map((token, index) => [token, index]))
  const partnerOf = ({ partner }: Token): number => (partner === null ? NOWHERE : (indices.get(partner) ?? NOWHERE))
  const nextEnds = new Array<number>(tokens.length + 1).fill(NOWHERE)
  const lastStarts = new Array<number>(tokens.length + 1).fill(NOWHERE)
  for (let index = tokens.length - 1; index >= 0; index -= 1) {
    const token = tokens[index]
    if (token === undefined || isEnd(token)) continue
    if (isStart(token)) nextEnds[index] = partnerOf(token) + 1
    else nextEnds[index] = isSeen(token) ? index + 1 : (nextEnds[index + 1] ?? NOWHERE)
  }
  for (const [index, token] of tokens.entries()) {
    if (isStart(token)) continue
    if (isEnd(token)) lastStarts[index + 1] = partnerOf(token)
    else lastStarts[index + 1] = isSeen(token) ? index : (lastStarts[index] ?? NOWHERE)
  }
  return [nextEnds, lastStarts]
}

function isSeen(token: Token): boolean {
  return !isInvisible(token)
}

/** Whether a token is a break, or a text of nothing but white space and separators. */
export function isInvisible({ type, value }: Token): boolean {
  return type === BREAK || (type === TEXT && isBlank(value.replaceAll(SEPARATOR, '')))
}

/**
 * Guards nest: one that would cross another is made longer, at its end that no line needs. `open` holds those that may still be
 * crossed, the innermost last.
 */
function addInterval(intervals: Interval[], open: Interval[], interval: Interval): void {
  const { start, end } = interval
  for (let other = open.at(-1); other !== undefined && other.end < end; other = open.at(-1)) {
    if (other.start < start && other.end > start) {
      other.end = end
      break
    }
    // It ends before this one begins, or is in it.
    open.pop()
  }
  const last = open.at(-1)
  if (last?.start === start && last.end === end) return
  intervals.push(interval)
  open.push(interval)
}

function insertGuards(tokens: readonly Token[], intervals: readonly Interval[], dropped: ReadonlySet<Token>): Token[] {
  const starts = new Map<number, Token[]>()
  const ends = new Map<number, Token[]>()
  for (const { start, end, delimiter, node } of intervals) {
    const [first, last] = createGuard(delimiter, node)
    push(starts, start, first)
    push(ends, end, last)
  }
  const guarded: Token[] = []
  for (let index = 0; index <= tokens.length; index += 1) {
    for (const token of ends.get(index) ?? []) addEnd(guarded, token)
    for (const token of starts.get(index) ?? []) guarded.push(token)
    const token = tokens[index]
    if (token !== undefined && !dropped.has(token)) guarded.push(token)
  }
  return guarded
}

function push(tokens: Map<number, Token[]>, at: number, token: Token): void {
  const there = tokens.get(at)
  if (there === undefined) tokens.set(at, [token])
  else there.push(token)
}

/** A separator of text directly before a guard's end would open with it: it comes to stand behind. */
function addEnd(guarded: Token[], end: Token): void {
  const separators = takeSeparators(guarded)
  guarded.push(end, ...separators)
}

/** Takes the separators from the end of tokens: as a text of their own, if there are any. */
export function takeSeparators(tokens: Token[]): Token[] {
  const last = tokens.at(-1)
  if (last?.type !== TEXT) return []
  const { node, value } = last
  const rest = withoutSeparators(value)
  if (rest === value) return []
  last.value = rest
  if (rest === '') tokens.pop()
  return [createToken(TEXT, node, value.slice(rest.length))]
}

/** A text without the separators at its end. */
export function withoutSeparators(value: string): string {
  let end = value.length
  while (value.charAt(end - 1) === SEPARATOR) end -= 1
  return value.slice(0, end)
}
