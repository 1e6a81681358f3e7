/** The parser's reasons (`parse/trace.ts`) by name, and those that follow from them. */

import { traitsAt, URL_STOP, URL_TAIL } from '../characters.js'
import { SHRUG } from '../parse/constructs.js'
import { CLOSES, CLOSES_LATE, isOpen, NEEDS_OPEN_STAR, nearestOpener } from '../parse/emphasis.js'
import { BARE_LINK, EVENT_SIZE, eventType, LESS_THAN_SIGN, LINK } from '../parse/events.js'
import { endOfScheme } from '../parse/links.js'
import {
  AT_SLASH,
  ESCAPED_DELIMITER,
  IN_A_WORD,
  MATCHED,
  NO_FORCED_OPENER,
  NO_OPENER,
  NO_WORD,
  OTHER_DELIMITER,
  OUTER_SPACE,
  type ParseState,
  RUN_READ,
  SPACE_IN_WORD,
  STOP_READ,
  type Trace,
} from '../parse/state.js'
import {
  BACKSLASH,
  codeAt,
  isDelimiter,
  isFlanking,
  STOP_BACKSLASH,
  STOP_BACKTICK,
  STOP_CLOSING_BRACKET,
  STOP_LESS_THAN,
  STOP_LINE_FEED,
  STOP_OPENING_BRACKET,
  STOP_RETURN,
  STOP_SEPARATOR,
  stopAt,
} from '../parse/units.js'

export type ReportReason =
  | ('shrug' | 'escape' | 'backslashes')
  | ('no-code' | 'no-mention' | 'no-link' | 'no-url' | 'label-url' | 'trimmed')
  | ('no-forced-opener' | 'other-delimiter' | 'outer-space' | 'escaped-delimiter' | 'no-forced-closer')
  | ('late' | 'not-late' | 'no-open-star')
  | ('nothing-open' | 'rule-of-three' | 'line-ended')
  | ('space-in-word' | 'in-word' | 'slash' | 'no-word')
  | ('matched' | 'enclosed' | 'line-end')

/** A reason, the range that it is about, and the range that caused it, from `at` to `atEnd`. Positions count from 1. */
export interface Report {
  readonly reason: ReportReason
  readonly start: number
  readonly end: number
  readonly at: number
  readonly atEnd: number
}

const REASONS: ReadonlyMap<number, ReportReason> = /* @__PURE__ */ new Map<number, ReportReason>([
  [MATCHED, 'matched'],
  [SPACE_IN_WORD, 'space-in-word'],
  [IN_A_WORD, 'in-word'],
  [AT_SLASH, 'slash'],
  [NO_WORD, 'no-word'],
  [NO_FORCED_OPENER, 'no-forced-opener'],
  [OTHER_DELIMITER, 'other-delimiter'],
  [OUTER_SPACE, 'outer-space'],
  [ESCAPED_DELIMITER, 'escaped-delimiter'],
])

/** Creates a listener for the parser that adds to the reports. */
export function createListener(state: ParseState, reports: Report[]): Trace {
  let firstEvent = 0
  return (reason, start, end, a, b) => {
    const add = (name: ReportReason, from = start, to = end, at = a, atEnd = b) =>
      reports.push({ reason: name, start: from, end: to, at, atEnd })
    const name = REASONS.get(reason)
    if (reason === STOP_READ) {
      reportStop(state, start, end, firstEvent, add)
      firstEvent = state.eventsEnd
    } else if (reason === RUN_READ) reportRun(a, b, add)
    else if (reason === NO_OPENER) reportNoOpener(state, start, add)
    else if (name !== undefined && (reason < NO_FORCED_OPENER || isDelimiter(codeAt(state.chars, start - 1)))) add(name)
    if (reason === MATCHED) reportEnclosed(state, a, end, add)
  }
}

type Add = (reason: ReportReason, start?: number, end?: number, at?: number, atEnd?: number) => void

/** Reports why a stop is text. */
function reportStop(state: ParseState, start: number, end: number, event: number, add: Add): void {
  const { chars, events, eventsEnd, source } = state
  const isText = event === eventsEnd
  switch (stopAt(chars, start)) {
    case STOP_BACKSLASH:
      if (end > start + 1 && source.startsWith(SHRUG, start - 2)) add('shrug', start - 1)
      else add(chars[end - 1] === BACKSLASH ? 'backslashes' : 'escape')
      break
    case STOP_BACKTICK:
      if (isText) add('no-code')
      break
    case STOP_LESS_THAN:
      if (eventType(events, event) === LESS_THAN_SIGN) add('no-mention')
      break
    case STOP_OPENING_BRACKET:
    case STOP_CLOSING_BRACKET:
      if (isText) add('no-link')
      break
    case STOP_SEPARATOR:
      if (isText && isDelimiter(codeAt(chars, end))) reportUnclosed(state, start, end, add)
      break
    case STOP_LINE_FEED:
    case STOP_RETURN:
      for (const opener of state.openers.stack.slice(state.openers.base, state.openers.height)) {
        if (!isFlanking(opener.char)) add('line-end', opener.start, opener.end, start, start + 1)
      }
      break
    case 0:
      if (eventType(events, event) === BARE_LINK && !isText) reportTrimmed(state, end, add)
      else add(end === endOfScheme(chars, start) ? 'no-url' : 'label-url')
  }
}

/** Reports a separator that nothing closes, for example because a link around it ends first. */
function reportUnclosed({ events, eventsEnd }: ParseState, start: number, end: number, add: Add): void {
  for (let event = 0; event < eventsEnd; event += EVENT_SIZE) {
    const [type, linkStart = 0, linkEnd = 0] = events.subarray(event, event + 3)
    if (type === LINK && linkEnd > start) {
      add('no-forced-closer', start, end, linkStart, linkEnd)
      return
    }
  }
  add('no-forced-closer')
}

/** Reports the characters that are trimmed from the end of a bare link. */
function reportTrimmed({ source, sequenceEnd }: ParseState, start: number, add: Add): void {
  let end = start
  while (end < sequenceEnd) {
    const traits = traitsAt(source, end - 1)
    const isTail = (traits & URL_TAIL) !== 0 || /[)\]}*_-]/.test(source.charAt(end - 1))
    if (!isTail || (traits & URL_STOP) !== 0) break
    end += 1
  }
  if (end > start) add('trimmed', start, end)
}

function reportRun(flags: number, ownFlags: number, add: Add): void {
  const closes = (flags & CLOSES) !== 0
  if ((ownFlags & CLOSES_LATE) !== 0) add(closes ? 'late' : 'not-late')
  else if ((ownFlags & NEEDS_OPEN_STAR) !== 0 && !closes) add('no-open-star')
}

function reportNoOpener({ openers, chars }: ParseState, start: number, add: Add): void {
  const char = codeAt(chars, start)
  if (isFlanking(char)) {
    add(isOpen(openers, char) ? 'rule-of-three' : 'nothing-open')
    return
  }
  const opener = openers.stack[nearestOpener({ ...openers, lineBase: openers.base }, char, 0, false)]
  if (opener === undefined) add('nothing-open')
  else add('line-ended', undefined, undefined, opener.start, opener.end)
}

/** Reports the openers that become text because a pair is around them. */
function reportEnclosed({ openers: { stack, height } }: ParseState, start: number, closerEnd: number, add: Add): void {
  for (let index = height - 1; index >= 0; index -= 1) {
    const opener = stack[index]
    if (opener === undefined || opener.start === start) break
    add('enclosed', opener.start, opener.end, start, closerEnd)
  }
}
