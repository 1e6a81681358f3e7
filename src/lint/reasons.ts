/** Explains a character of a leaf (§3, §4): turns the parser's reports about it into sentences. */

import { isSpace } from '../characters.js'
import { delimiters, delimiterText, SEPARATOR } from '../delimiters.js'
import { endOfLineEnding, parseBlocks } from '../parse/blocks.js'
import {
  BARE_LINK,
  BREAK,
  CANCELED,
  CLOSE,
  CODE,
  EVENT_SIZE,
  eventType,
  LINK,
  LINK_END,
  MENTION,
  OPEN,
  type SourceBlock,
} from '../parse/events.js'
import { readLeaf, toNormalForm } from '../parse/inline.js'
import { type ParseState, releaseState } from '../parse/state.js'
import { BACKSLASH, escapableChars, isDelimiter } from '../parse/units.js'
import { type Explained, type Explanation, leavesOf } from './leaves.js'
import { createListener, type Report, type ReportReason } from './reports.js'
import { explainRun } from './run-reasons.js'

export const SPACES = 'The end of a line: spaces there are not significant.'

/** Explains the character at an offset, if it is in a leaf. */
export function explainInline(input: string, offset: number): Explanation[] {
  const state = parseBlocks(input, 1)
  const at = offset + 1
  const leaf = leavesOf(state).find(({ contentStart, end }) => contentStart <= at && at < end)
  const explanations = leaf === undefined ? [] : explainAt(state, leaf, at)
  releaseState(state)
  return explanations.map(([section, message, start, end]) => [section, message, start - 1, end - 1])
}

function explainAt(state: ParseState, leaf: SourceBlock, at: number): readonly Explanation[] {
  const reports: Report[] = []
  state.trace = createListener(state, reports)
  readLeaf(state, leaf)
  const explained = { state, leaf, reports }
  const found = foundAt(explained, at)
  if (found !== null) return found
  for (const { reason, start, end } of reports) {
    const words = start <= at && at < end ? wordsOf(state, reason, at) : undefined
    // The report covers the backslashes too, but only one character is escaped.
    if (words !== undefined) return [reason === 'escape' ? [...words, at, at + 1] : [...words, start, end]]
  }
  if (state.source.charAt(at - 1) === SEPARATOR) return explainSeparator(explained, at)
  return isDelimiter(state.chars[at] ?? 0) ? explainRun(explained, at) : []
}

type Words = readonly [section: string, message: string]

/** Explains the construct at a position, if the parser found one. */
function foundAt({ state, reports }: Explained, at: number): readonly Explanation[] | null {
  const { events, eventsEnd, chars } = state
  for (let event = 0; event < eventsEnd; event += EVENT_SIZE) {
    const [type = 0, start = 0, end = 0, detail = 0] = events.subarray(event, event + EVENT_SIZE)
    if (start > at || at >= end) continue
    if (type === OPEN || type === CLOSE) return explainDelimiter(state, reports, event)
    if (type === BREAK && isSpace(chars[at] ?? 0)) return [['§1', SPACES, at, at + 1]]
    if (type === BREAK) return [['§3.8', 'A break.', detail, endOfLineEnding(state, detail)]]
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

/** Explains a delimiter that opens or closes formatting. */
function explainDelimiter(state: ParseState, reports: readonly Report[], event: number): Explanation[] {
  const [type, start = 0, end = 0, kind = 0] = state.events.subarray(event, event + EVENT_SIZE)
  const delimiter = delimiters[kind]
  if (delimiter === undefined) return []
  const { node, length } = delimiter
  const opens = type === OPEN
  const isForced = end - start > length
  const isLate =
    !opens && reports.some((report) => report.reason === 'late' && report.start <= start && end <= report.end)
  const explanations: Explanation[] = [
    [isForced ? '§3.6' : '§4', `${opens ? 'Opens' : 'Closes'} ${node}${isLate ? ', late' : ''}.`, start, end],
  ]
  if (isForced) {
    const separator = opens ? start : end - 1
    const what = `the \`${delimiterText(delimiter)}\` ${opens ? 'after it open' : 'before it close'}`
    explanations.push([
      '§3.6',
      `The U+2063 makes ${what}, regardless of the characters around it.`,
      separator,
      separator + 1,
    ])
  }
  toNormalForm(state)
  const isMerged = eventType(state.events, event) === CANCELED
  return isMerged
    ? [...explanations, ['§4', `Merged with the ${node} around it or next to it.`, start, end]]
    : explanations
}

const NO_LINK: Words = [
  '§3.4',
  'Text: a link is `[text](url)`; its text is not blank, its URL has a scheme and no space.',
]

/** The sentence for text at which the parser stopped, and that is not a delimiter. */
function wordsOf({ chars }: ParseState, reason: ReportReason, at: number): Words | undefined {
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

const BACKSLASHES = `Before \`\` ${[...new Set(escapableChars)].map((char) => (char === SEPARATOR ? 'U+2063' : char)).join(' ')} \`\` two backslashes are one, and a single one escapes; before any other character, backslashes are text.`

/** Explains a U+2063 that does not force a delimiter (§3.6). */
function explainSeparator({ state, reports }: Explained, at: number): Explanation[] {
  const explanations = reports.flatMap(({ reason, start, at: openStart, atEnd: openEnd }): Explanation[] => {
    if (start !== at) return []
    const opener = state.source.slice(openStart, openEnd - 1)
    const message = forcedReason(reason, opener, openStart > 0)
    return message === null ? [] : [['§3.6', `This U+2063 ${message}.`, at, at + 1]]
  })
  return explanations.length > 0
    ? explanations
    : [['§3.6', 'This U+2063 is text: no delimiter is directly next to it.', at, at + 1]]
}

function forcedReason(reason: ReportReason, opener: string, isInLink: boolean): string | null {
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
