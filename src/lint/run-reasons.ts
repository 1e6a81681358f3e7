/** The reasons for a delimiter run that is text (§4). */

import { traits, WHITE_SPACE } from '../characters.js'
import { CLOSES, flagsOfBoundary, flagsOfFlanking, leastOf, OPENS } from '../parse/emphasis.js'
import type { ParseState } from '../parse/state.js'
import { endOfRun, isFlanking, lengthBefore, SPACE, skipBackslash } from '../parse/units.js'
import type { Explained, Explanation } from './leaves.js'
import type { Report, ReportReason } from './reports.js'

/** A delimiter run (§4), and the flags that its neighbors give it. */
interface Run {
  readonly char: number
  readonly start: number
  readonly end: number
  readonly flags: number
}

/** Explains the run at `at`, which is text. */
export function explainRun(explained: Explained, at: number): Explanation[] {
  const { state, reports } = explained
  const own = reports.filter(({ start, end }) => start <= at && at < end)
  const run = runAt(state, own[0]?.start ?? startOfRun(state, at))
  const { start, end, flags } = run
  const mark = markOf(state, start, end)
  const explanation = (message: string): Explanation => ['§4', `This ${mark} ${message}.`, start, end]
  const has = (reason: ReportReason): boolean => own.some((report) => report.reason === reason)
  if (!isFlanking(run.char) && end - start > 1)
    return [explanation(`is text: only a single \`${mark.charAt(1)}\` is a delimiter`)]
  if (isFlanking(run.char) && end - start < leastOf(run.char, flags))
    return [explanation('is text: it is alone in a word')]
  if (reports.some((report) => report.reason === 'matched' && (report.start === start || report.at === start))) {
    return [['§4', 'Left over: the rest of its run has partners.', start, end]]
  }
  const opens = (flags & OPENS) !== 0
  const closes = has('late') || ((flags & CLOSES) !== 0 && !has('no-open-star'))
  const reasons: Explanation[] = []
  if (opens) reasons.push(openReason(explained, run) ?? explanation('could open, but nothing closes it'))
  else if (!closes) reasons.push(explanation(`cannot open: ${blockingNeighbors(explained, run, OPENS)}`))
  if (closes) reasons.push(closeReason(explained, run) ?? explanation('could close, but nothing is open'))
  else if (has('no-open-star')) reasons.push(explanation('cannot close: a `*` follows directly, and no `*` is open'))
  else if (!opens) reasons.push(explanation(`cannot close: ${blockingNeighbors(explained, run, CLOSES)}`))
  if (has('not-late'))
    reasons.push(explanation('cannot close late either: no open run fits, or the text after that run has no word'))
  return reasons
}

/** Why a closer and an opener do not match. */
const MISFITS: Readonly<Partial<Record<ReportReason, string>>> = {
  'space-in-word': 'the opener is in a word, and white space follows it',
  'in-word': 'one of them is in a word',
  slash: 'a slash is next to one of them',
  'no-word': 'there is no word between them',
}

function openReason({ state, reports }: Explained, { start, end }: Run): Explanation | undefined {
  for (const report of reports) {
    const could = (but: string, from: number, to: number): Explanation => {
      return ['§4', `This ${markOf(state, start, end)} could open, but ${but}.`, from, to]
    }
    if (report.at === start) {
      const misfit = misfitReason(state, report)
      if (misfit !== undefined) return misfit
    }
    if (report.start !== start) continue
    if (report.reason === 'enclosed') return could('a pair around it closes first', report.at, report.atEnd)
    if (report.reason === 'line-end') return could('its line ends first', start, report.at)
  }
  return undefined
}

function closeReason({ state, reports }: Explained, { start, end }: Run): Explanation | undefined {
  for (const report of reports.filter((report) => report.start === start)) {
    const could = (but: string, from: number): Explanation => {
      return ['§4', `This ${markOf(state, start, end)} could close, but ${but}.`, from, end]
    }
    if (report.reason === 'rule-of-three') return could('the rule of three rules out the open runs', start)
    if (report.reason === 'line-ended') return could('its opener is on an earlier line', report.at)
    const misfit = misfitReason(state, report)
    if (misfit !== undefined) return misfit
  }
  return undefined
}

function misfitReason(state: ParseState, { reason, start, end, at, atEnd }: Report): Explanation | undefined {
  const fault = MISFITS[reason]
  if (fault === undefined) return undefined
  return ['§4', `${markOf(state, at, atEnd)} and ${markOf(state, start, end)} do not match: ${fault}.`, at, end]
}

function markOf({ source }: ParseState, start: number, end: number): string {
  return `\`${source.slice(start - 1, end - 1)}\``
}

function startOfRun({ chars }: ParseState, at: number): number {
  let start = at
  while (chars[start - 1] === chars[at]) start -= 1
  return start
}

/** The run that starts at `start`. The parser does not report those that can neither open nor close in most texts. */
function runAt({ chars, openers }: ParseState, start: number): Run {
  const char = chars[start] ?? 0
  const end = endOfRun(chars, start)
  const flags = isFlanking(char)
    ? flagsOfFlanking(chars, start, end, openers.linkEnd)
    : flagsOfBoundary(chars, start, { start: 0, end: 0, after: 0 })
  return { char, start, end, flags }
}

const LETTER_X = 120

/** Names the neighbors of a run that keep it from opening, or from closing. */
function blockingNeighbors({ state, leaf }: Explained, run: Run, can: typeof OPENS | typeof CLOSES): string {
  const { chars } = state
  const chain = { start: run.start, end: run.end, after: 0 }
  if (!isFlanking(run.char)) flagsOfBoundary(chars, run.start, Object.assign(chain, { start: 0, end: 0 }))
  const { start, end } = chain
  // The rules are asked about the same run with another neighbor: if it can open or close then, that neighbor blocks it.
  const couldWith = (at: number, other: number): boolean => {
    const own = chars[at] ?? 0
    chars[at] = other
    const { char, flags } = runAt(state, run.start)
    chars[at] = own
    return (flags & can) !== 0 && run.end - run.start >= leastOf(char, flags)
  }
  const isBefore = couldWith(start - 1, can === OPENS ? SPACE : LETTER_X)
  const isAfter = couldWith(end, can === OPENS ? LETTER_X : SPACE)
  const before = start > leaf.start ? nameAt(state, start - lengthBefore(chars, start)) : 'the start of the text'
  const after = end < leaf.end ? nameAfter(state, end) : 'the end of the text'
  if (isBefore === isAfter) return `it is between ${before} and ${after}`
  if (isBefore) return start > leaf.start ? `it follows ${before}` : `it is at ${before}`
  return end < leaf.end ? `${after} follows it` : `it is at ${after}`
}

function nameAfter(state: ParseState, end: number): string {
  const after = skipBackslash(state.chars, end)
  return after > end ? `an escaped ${nameAt(state, after)}` : nameAt(state, after)
}

/** Names the character that starts at `at`. */
function nameAt({ source, chars }: ParseState, at: number): string {
  // The parser overwrites forced delimiters with brackets.
  if (chars[at] !== source.charCodeAt(at - 1)) return 'a forced delimiter'
  const codePoint = source.codePointAt(at - 1) ?? 0
  const char = String.fromCodePoint(codePoint)
  if ((traits(codePoint) & WHITE_SPACE) !== 0) return 'white space'
  const kind = /\p{L}/u.test(char) ? 'the letter ' : /\p{N}/u.test(char) ? 'the digit ' : ''
  return char === '`' ? 'a backtick' : `${kind}\`${char}\``
}
