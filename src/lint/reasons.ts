/** The reasons for a character of a leaf (§3, §4): what the parser reports of it while it reads the leaf, in sentences. */
import { isSpace, traits, WHITE_SPACE } from '../characters.js'
import { delimiters, delimiterText, SEPARATOR } from '../delimiters.js'
import { endOfLineEnding } from '../parse/blocks.js'
import { leastOf } from '../parse/emphasis.js'
import { readLeaf } from '../parse/inline.js'
import { behindEscape, endOfRun, lengthBefore } from '../parse/neighbours.js'
import { splitRuns, toNormalForm } from '../parse/normal-form.js'
import { read } from '../parse/read.js'
import { giveBack, type Reader } from '../parse/reader.js'
import { CLOSES, flagsOfBoundary, flagsOfFlanking, OPENS } from '../parse/run.js'
import { BARE_LINK, BREAK, CLOSE, CODE, EVENT_SIZE, LINK, LINK_END, MENTION, OPEN } from '../parse/tape.js'
import type { TraceReason } from '../parse/trace.js'
import { BACKSLASH, escapableChars, isDelimiter, isFlanking, SPACE } from '../parse/units.js'
import { type Leaf, leavesOf } from './leaves.js'

/** A sentence with its section, and the range that it is about. */
export type Told = readonly [section: string, message: string, start: number, end: number]

export const SPACES = 'The end of a line: spaces there are not significant.'

/** A call of the trace: `at` to `atEnd` is the other range that decided. */
interface Report {
  readonly reason: TraceReason
  readonly start: number
  readonly end: number
  readonly at: number
  readonly atEnd: number
}

/** A leaf that was read, and the reports of the parser. Places count from 1. */
interface Explained {
  readonly reader: Reader
  readonly leaf: Leaf
  readonly reports: readonly Report[]
}

/** Explains the character at an offset, if it is in a leaf. */
export function explainInline(input: string, offset: number): Told[] {
  const reader = read(input, 1)
  const at = offset + 1
  const leaf = [...leavesOf(reader)].find(({ start, end }) => start <= at && at < end)
  const told = leaf === undefined ? [] : explainAt(reader, leaf, at)
  giveBack(reader)
  return told.map(([section, message, start, end]) => [section, message, start - 1, end - 1])
}

function explainAt(reader: Reader, leaf: Leaf, at: number): readonly Told[] {
  const reports: Report[] = []
  reader.trace = (reason, start, end, at, atEnd) => reports.push({ reason, start, end, at, atEnd })
  readLeaf(reader, leaf.start, leaf.end, leaf.firstStop, leaf.lastStop)
  if (reader.hasRuns) splitRuns(reader)
  const explained = { reader, leaf, reports }
  const found = foundAt(explained, at)
  if (found !== null) return found
  for (const { reason, start, end } of reports) {
    const words = start <= at && at < end ? wordsOf(reader, reason, at) : undefined
    // What is escaped is one character, though the parser reads it with its backslashes.
    if (words !== undefined) return [reason === 'escape' ? [...words, at, at + 1] : [...words, start, end]]
  }
  if (reader.source.charAt(at - 1) === SEPARATOR) return explainSeparator(explained, at)
  return isDelimiter(reader.chars[at] ?? 0) ? explainRun(explained, at) : []
}

type Words = readonly [section: string, message: string]

/** The construct at a place, if the parser found one. */
function foundAt({ reader, reports }: Explained, at: number): readonly Told[] | null {
  const { tape, tapeEnd, chars } = reader
  for (let event = 0; event < tapeEnd; event += EVENT_SIZE) {
    const [type = 0, start = 0, end = 0, detail = 0] = tape.subarray(event, event + EVENT_SIZE)
    if (start > at || at >= end) continue
    if (type === OPEN || type === CLOSE) return explainDelimiter(reader, reports, type, start, end, detail)
    if (type === BREAK && isSpace(chars[at] ?? 0)) return [['§1', SPACES, at, at + 1]]
    if (type === BREAK) return [['§3.8', 'A break.', detail, endOfLineEnding(reader, detail)]]
    const words = FOUND.get(type)
    // The event of a named link reaches to its end.
    if (words !== undefined && (type !== LINK || start === at)) return [[...words, start, end]]
  }
  return null
}

const FOUND: ReadonlyMap<number, Words> = /* @__PURE__ */ new Map<number, Words>([
  [CODE, ['§3.2', 'Inline code: its content is not parsed.']],
  [MENTION, ['§3.3', 'A mention: its content is not parsed.']],
  [BARE_LINK, ['§3.5', 'A bare link: delimiters in it are part of the URL.']],
  [LINK, ['§3.4', 'Starts the text of a link.']],
  [LINK_END, ['§3.4', 'Ends the text of a link, before its URL.']],
])

/** A delimiter that opens or closes formatting. */
function explainDelimiter(
  reader: Reader,
  reports: readonly Report[],
  type: number,
  start: number,
  end: number,
  kind: number,
): Told[] {
  const delimiter = delimiters[kind]
  if (delimiter === undefined) return []
  const { node, length } = delimiter
  const opens = type === OPEN
  const isForced = end - start > length
  const isLate =
    !opens && reports.some((report) => report.reason === 'late' && report.start <= start && end <= report.end)
  const told: Told[] = [
    [isForced ? '§3.6' : '§4', `${opens ? 'Opens' : 'Closes'} ${node}${isLate ? ', late' : ''}.`, start, end],
  ]
  if (isForced) {
    const separator = opens ? start : end - 1
    const what = `the \`${delimiterText(delimiter)}\` ${opens ? 'after it open' : 'before it close'}`
    told.push(['§3.6', `The U+2063 makes ${what}, regardless of the characters around it.`, separator, separator + 1])
  }
  const before = reports.length
  toNormalForm(reader)
  const isMerged = reports.slice(before).some((report) => report.start === start)
  return isMerged ? [...told, ['§4', `Merged with the ${node} around it or next to it.`, start, end]] : told
}

const NO_LINK: Words = [
  '§3.4',
  'Text: a link is `[text](url)`; its text is not blank, its URL has a scheme and no space.',
]

/** The sentence for text at which the parser stopped, and that is not a delimiter. */
function wordsOf({ chars }: Reader, reason: TraceReason, at: number): Words | undefined {
  switch (reason) {
    case 'escape':
      return ['§3.1', chars[at] === BACKSLASH ? BACKSLASHES : 'Text: it is escaped.']
    case 'backslashes':
      return ['§3.1', BACKSLASHES]
    case 'shrug':
      return ['§3.1', 'Text: part of a shrug.']
    case 'no-code':
      return ['§3.2', 'Text: no backtick run of the same length follows.']
    case 'no-mention':
      return ['§3.3', 'Text: a mention is `<@id|label>`, or `<@id>` with a digit; a file is alone on its line.']
    case 'no-link':
      return NO_LINK
    case 'no-url':
      return ['§3.5', 'Text: a URL does not follow a letter or digit, and its host starts with one.']
    case 'label-url':
      return ['§3.5', 'Text: a URL in the text of a link.']
    case 'trimmed':
      return ['§3.5', 'Text: trimmed from the end of a URL.']
    default:
      return undefined
  }
}

const BACKSLASHES = `Before \`\` ${[...escapableChars].map((char) => (char === SEPARATOR ? 'U+2063' : char)).join(' ')} \`\` two are one, and one escapes; before others all are text.`

/** A U+2063 that forces nothing (§3.6). */
function explainSeparator({ reader, reports }: Explained, at: number): Told[] {
  const told = reports.flatMap(({ reason, start, at: openStart, atEnd: openEnd }): Told[] => {
    if (start !== at) return []
    const opener = reader.source.slice(openStart, openEnd - 1)
    const message = forcedReason(reason, opener, openStart > 0)
    return message === null ? [] : [['§3.6', `This U+2063 ${message}.`, at, at + 1]]
  })
  return told.length > 0 ? told : [['§3.6', 'This U+2063 is text: no delimiter is directly next to it.', at, at + 1]]
}

function forcedReason(reason: TraceReason, opener: string, isInLink: boolean): string | null {
  switch (reason) {
    case 'no-forced-closer':
      return `could open, but ${isInLink ? 'the link around it ends first' : 'nothing closes it'}`
    case 'no-forced-opener':
      return 'could close, but no forced delimiter is open'
    case 'other-delimiter':
      return `could close, but not the \`${opener}\` that is open`
    case 'outer-space':
      return 'could close, but the content would be empty or have white space at an end'
    case 'escaped-delimiter':
      return `could close, but the \`${opener}\` before it is escaped or part of another construct`
    default:
      return null
  }
}

/** A delimiter run (§4), and the flags that its neighbors give it. */
interface Run {
  readonly char: number
  readonly start: number
  readonly end: number
  readonly flags: number
}

/** Explains the run at `at`, which is text. */
function explainRun(explained: Explained, at: number): Told[] {
  const { reader, reports } = explained
  const own = reports.filter(({ start, end }) => start <= at && at < end)
  const run = runAt(reader, own[0]?.start ?? startOfRun(reader, at))
  const { start, end, flags } = run
  const mark = markOf(reader, start, end)
  const told = (message: string): Told => ['§4', `This ${mark} ${message}.`, start, end]
  const has = (reason: TraceReason): boolean => own.some((report) => report.reason === reason)
  if (!isFlanking(run.char) && end - start > 1)
    return [told(`is text: only a single \`${mark.charAt(1)}\` is a delimiter`)]
  if (isFlanking(run.char) && end - start < leastOf(run.char, flags)) return [told('is text: it is alone in a word')]
  if (reports.some((report) => report.reason === 'matched' && (report.start === start || report.at === start))) {
    return [['§4', 'Left over: the rest of its run has partners.', start, end]]
  }
  const opens = (flags & OPENS) !== 0
  const closes = has('late') || ((flags & CLOSES) !== 0 && !has('no-open-star'))
  const reasons: Told[] = []
  if (opens) reasons.push(openReason(explained, run) ?? told('could open, but nothing closes it'))
  else if (!closes) reasons.push(told(`cannot open: ${inTheWay(explained, run, OPENS)}`))
  if (closes) reasons.push(closeReason(explained, run) ?? told('could close, but nothing is open'))
  else if (has('no-open-star')) reasons.push(told('cannot close: a `*` follows directly, and no `*` is open'))
  else if (!opens) reasons.push(told(`cannot close: ${inTheWay(explained, run, CLOSES)}`))
  if (has('not-late'))
    reasons.push(told('cannot close late either: no open run fits, or there is no word between the two'))
  return reasons
}

/** Why a closer and an opener do not match. */
const MISFITS: Readonly<Partial<Record<TraceReason, string>>> = {
  'space-in-word': 'the opener is in a word, and white space follows it',
  'in-word': 'one of them is in a word',
  slash: 'a slash is next to one of them',
  'no-word': 'there is no word between them',
}

function openReason({ reader, reports }: Explained, { start, end }: Run): Told | undefined {
  for (const report of reports) {
    const could = (but: string, from: number, to: number): Told => {
      return ['§4', `This ${markOf(reader, start, end)} could open, but ${but}.`, from, to]
    }
    if (report.at === start) {
      const misfit = misfitReason(reader, report)
      if (misfit !== undefined) return misfit
    }
    if (report.start !== start) continue
    if (report.reason === 'enclosed') return could('a pair around it closes first', report.at, report.atEnd)
    if (report.reason === 'line-end') return could('its line ends first', start, report.at)
  }
  return undefined
}

function closeReason({ reader, reports }: Explained, { start, end }: Run): Told | undefined {
  for (const report of reports.filter((report) => report.start === start)) {
    const could = (but: string, from: number): Told => {
      return ['§4', `This ${markOf(reader, start, end)} could close, but ${but}.`, from, end]
    }
    if (report.reason === 'rule-of-three') return could('the rule of three rules out the open runs', start)
    if (report.reason === 'line-ended') return could('its opener is on an earlier line', report.at)
    const misfit = misfitReason(reader, report)
    if (misfit !== undefined) return misfit
  }
  return undefined
}

function misfitReason(reader: Reader, { reason, start, end, at, atEnd }: Report): Told | undefined {
  const fault = MISFITS[reason]
  if (fault === undefined) return undefined
  return ['§4', `${markOf(reader, at, atEnd)} and ${markOf(reader, start, end)} do not match: ${fault}.`, at, end]
}

function markOf({ source }: Reader, start: number, end: number): string {
  return `\`${source.slice(start - 1, end - 1)}\``
}

function startOfRun({ chars }: Reader, at: number): number {
  let start = at
  while (chars[start - 1] === chars[at]) start -= 1
  return start
}

/** The run that starts at `start`. The parser does not report those that can neither open nor close in most texts. */
function runAt({ chars, openers }: Reader, start: number): Run {
  const char = chars[start] ?? 0
  const end = endOfRun(chars, start)
  const flags = isFlanking(char)
    ? flagsOfFlanking(chars, start, end, openers.linkEnd)
    : flagsOfBoundary(chars, start, { start: 0, end: 0, after: 0 })
  return { char, start, end, flags }
}

const LETTER_X = 120

/** Names the neighbors of a run that keep it from opening, or from closing. */
function inTheWay({ reader, leaf }: Explained, run: Run, can: typeof OPENS | typeof CLOSES): string {
  const { chars } = reader
  const chain = { start: run.start, end: run.end, after: 0 }
  if (!isFlanking(run.char)) flagsOfBoundary(chars, run.start, Object.assign(chain, { start: 0, end: 0 }))
  const { start, end } = chain
  // The rules are asked about the same run with another neighbor: if it can open or close then, that neighbor is in its way.
  const couldWith = (at: number, other: number): boolean => {
    const own = chars[at] ?? 0
    chars[at] = other
    const { char, flags } = runAt(reader, run.start)
    chars[at] = own
    return (flags & can) !== 0 && run.end - run.start >= leastOf(char, flags)
  }
  const isBefore = couldWith(start - 1, can === OPENS ? SPACE : LETTER_X)
  const isAfter = couldWith(end, can === OPENS ? LETTER_X : SPACE)
  const before = start > leaf.start ? nameAt(reader, start - lengthBefore(chars, start)) : 'the start of the text'
  const after = end < leaf.end ? nameAfter(reader, end) : 'the end of the text'
  if (isBefore === isAfter) return `it is between ${before} and ${after}`
  if (isBefore) return start > leaf.start ? `it follows ${before}` : `it is at ${before}`
  return end < leaf.end ? `${after} follows it` : `it is at ${after}`
}

function nameAfter(reader: Reader, end: number): string {
  const after = behindEscape(reader.chars, end)
  return after > end ? `an escaped ${nameAt(reader, after)}` : nameAt(reader, after)
}

/** Names the character that starts at `at`. */
function nameAt({ source, chars }: Reader, at: number): string {
  // The parser overwrites forced delimiters with brackets.
  if (chars[at] !== source.charCodeAt(at - 1)) return 'a forced delimiter'
  const codePoint = source.codePointAt(at - 1) ?? 0
  const char = String.fromCodePoint(codePoint)
  if ((traits(codePoint) & WHITE_SPACE) !== 0) return 'white space'
  const kind = /\p{L}/u.test(char) ? 'the letter ' : /\p{N}/u.test(char) ? 'the digit ' : ''
  return char === '`' ? 'a backtick' : `${kind}\`${char}\``
}
