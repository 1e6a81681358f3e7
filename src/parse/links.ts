/**
 * Named links, bare links and forced formatting (§3.4 to §3.6). Named links and forced pairs match like brackets, and each can
 * contain the other. So both are found together, before the leaf is read. Code spans, mentions and escapes take precedence.
 */
import * as Trait from '../characters.js'
import { endOfCode, endOfMention, endOfShrug, skipEscape } from './constructs.js'
import { isOpen } from './emphasis.js'
import { BARE_LINK, LABEL_URL } from './events.js'
import { addEvent, type InlineRange, type ParseState, passConstruct } from './state.js'
import * as Unit from './units.js'
import {
  codeAt,
  endOfRun,
  isBlank,
  isDelimiter,
  isEscaped,
  isPlainInUrl,
  kindOf,
  lengthBefore,
  positionAt,
  startOfHttp,
  stopAt,
  traitsAt,
  traitsBefore,
} from './units.js'

/** The state of a search for ranges. */
export interface OpenRanges {
  readonly state: ParseState
  /** The latest range that has started. */
  latest: InlineRange | null
  /** The latest bracket and the latest forced opener that are still open. */
  openBracket: InlineRange | null
  opener: InlineRange | null
  /** The latest link. A bracket that is open around the link cannot become a link. */
  link: InlineRange | null
  /** The end of the last construct that takes precedence: a delimiter cannot start before this position. */
  tighterEnd: number
}

/** The kind of a range that is a link. */
export const LINK_KIND = -1

/** Returns the range that starts at `at`, or null. Cost: linear over all calls, if `at` increases. */
export function rangeAt(state: ParseState, at: number): InlineRange | null {
  if (state.nextRange === undefined) findOpen(state)
  let range = state.nextRange
  while (range && range.start < at) range = range.next
  state.nextRange = range
  return range?.start === at && range.end !== 0 ? range : null
}

/**
 * Finds all starts of ranges in the leaf, and the ranges that are still open at its end. Overwrites the inner character of each
 * forced delimiter with a bracket, because the content treats that character as a bracket. Cost: linear.
 */
export function findOpen(state: ParseState): OpenRanges {
  const { stops, firstStop, lastStop } = state
  const chars = state.chars
  const open: OpenRanges = { state, latest: null, openBracket: null, opener: null, link: null, tighterEnd: 0 }
  state.nextRange = null
  let at = 0
  for (let stop = firstStop; stop < lastStop; stop += 1) {
    const start = positionAt(stops, stop)
    if (start < at) continue
    switch (stopAt(chars, start)) {
      case Unit.STOP_BACKSLASH:
        at = open.tighterEnd = skipEscape(chars, start, Unit.IN_TEXT)
        break
      case Unit.STOP_BACKTICK: {
        const end = endOfRun(chars, start)
        at = open.tighterEnd = endOfCode(state, stop, end) || end
        break
      }
      case Unit.STOP_LESS_THAN:
        at = open.tighterEnd = endOfMention(state, start) || start + 1
        break
      case Unit.STOP_OPENING_BRACKET:
        open.openBracket = begin(open, LINK_KIND, start, start + 1)
        break
      case Unit.STOP_CLOSING_BRACKET:
        at = closeBracket(open, start)
        break
      case Unit.STOP_SEPARATOR:
        at = readSeparator(open, start)
    }
  }
  return open
}

function begin(open: OpenRanges, kind: number, start: number, contentStart: number): InlineRange {
  const below = kind === LINK_KIND ? open.openBracket : open.opener
  const range = { kind, start, contentStart, contentEnd: 0, end: 0, isPlain: false, next: null, below, outside: null }
  if (open.latest === null) open.state.nextRange = range
  else open.latest.next = range
  open.latest = range
  return range
}

/** Pairs the `]` at `at` with the nearest open bracket, and returns the position after the link, or after the `]` if there is no link. */
function closeBracket(open: OpenRanges, at: number): number {
  const { state, openBracket: bracket, link } = open
  if (bracket === null) return at + 1
  open.openBracket = bracket.below
  if ((link !== null && bracket.start < link.start) || !endLink(state, bracket, at)) return at + 1
  open.link = bracket
  open.opener = lastBefore(bracket.start, open.opener)
  open.tighterEnd = bracket.end
  return bracket.end
}

/** Reads a separator. The separator closes the nearest forced opener if the same delimiter precedes it. Otherwise it may open a pair. */
function readSeparator(open: OpenRanges, at: number): number {
  const { opener } = open
  const { chars } = open.state
  if (opener !== null && endPair(open, opener, at)) {
    open.opener = opener.below
    open.openBracket = lastBefore(opener.start, open.openBracket)
    open.tighterEnd = at + 1
    return at + 1
  }
  const char = codeAt(chars, at + 1)
  if (!isDelimiter(char)) return at + 1
  const isDouble = chars[at + 2] === char && kindOf(char, 2) >= 0
  open.tighterEnd = isDouble ? at + 3 : at + 2
  open.opener = begin(open, kindOf(char, isDouble ? 2 : 1), at, open.tighterEnd)
  return open.tighterEnd
}

/** Ends the forced pair of an opener with the separator at `at`. Returns false if the separator does not close the pair. */
function endPair({ state: { chars }, tighterEnd }: OpenRanges, opener: InlineRange, at: number): boolean {
  const { start, contentStart } = opener
  const contentEnd = at - (contentStart - start - 1)
  // The content must not be empty, and the delimiter must not be escaped or part of another construct.
  if (contentEnd <= contentStart || contentEnd < tighterEnd) return false
  if (chars[at - 1] !== chars[start + 1] || chars[contentEnd] !== chars[start + 1]) return false
  if (((traitsAt(chars, contentStart) | traitsBefore(chars, contentEnd)) & Trait.WHITE_SPACE) !== 0) return false
  chars[contentStart - 1] = Unit.OPENING_BRACKET
  chars[contentEnd] = Unit.CLOSING_BRACKET
  opener.contentEnd = contentEnd
  opener.end = at + 1
  return true
}

/** Returns the latest open range that started before `start`. The ranges after it are dropped: pairs and links do not overlap. */
function lastBefore(start: number, latest: InlineRange | null): InlineRange | null {
  let range = latest
  while (range !== null && range.start > start) range = range.below
  return range
}

const PARENTHESES_DEPTH_MAX = 32

/** Matches the text after link text: the parenthesis, the scheme and its colon. Dashes and the colon may be escaped. */
const scheme = /\([A-Za-z](?:[A-Za-z\d+.]|\\?-){1,31}\\?:/y

/**
 * Ends the link whose link text ends at `labelEnd`, if a URL follows.
 *
 * Cost: linear over all calls. Each call starts at its own parenthesis and stops at more than 32 nested ones, so
 * that at most 33 calls read any one character.
 *
 * @returns true if a URL follows the link text
 */
function endLink({ chars, source }: ParseState, link: InlineRange, labelEnd: number): boolean {
  if (chars[labelEnd + 1] !== Unit.OPENING_PARENTHESIS || isBlank(chars, link.contentStart, labelEnd)) return false
  scheme.lastIndex = labelEnd
  if (!scheme.test(source)) return false
  let at = scheme.lastIndex + 1
  link.isPlain = startOfHttp(chars, at - 1) === labelEnd + 2
  for (let depth = 0; ; ) {
    const code = codeAt(chars, at)
    at += 1
    if (isPlainInUrl(code)) continue
    if (code === Unit.CLOSING_PARENTHESIS) {
      depth -= 1
      if (depth >= 0) continue
      link.contentEnd = labelEnd
      link.end = at
      return true
    }
    link.isPlain = false
    if (code === Unit.OPENING_PARENTHESIS) {
      depth += 1
      if (depth > PARENTHESES_DEPTH_MAX) return false
    } else if (code === Unit.BACKSLASH) at = skipEscape(chars, at - 1, Unit.IN_URL)
    else if (code === Unit.LESS_THAN || (traitsAt(chars, at - 1) & (Trait.WHITE_SPACE | Trait.CONTROL)) !== 0)
      return false
  }
}

/** Returns the position after the `://` of the scheme that starts at `start`. */
function endOfScheme(chars: Uint16Array, start: number): number {
  return start + ((codeAt(chars, start + 4) | 32) === 115 /* s */ ? 8 : 7)
}

/** Whether a bare link begins with the scheme at `start`: its host and the character before the scheme, except stars, decide. */
function canBegin(state: ParseState, start: number, host: number): boolean {
  const { chars } = state
  if (chars[host] === Unit.OPENING_BRACKET) {
    if (rangeAt(state, host) !== null) return false
  } else if ((traitsAt(chars, host) & Trait.ALPHANUMERIC) === 0) return false
  let before = start
  while (chars[before - 1] === Unit.STAR) before -= 1
  if (before < start && isEscaped(chars, before)) before += 1
  return (traitsBefore(chars, before) & Trait.URL_BARRIER) === 0
}

/**
 * Reads the bare link that begins with the scheme at `start`, or only the scheme if no bare link begins there.
 *
 * Cost: linear over all calls. Only closing brackets cost a second pass over the URL, one for each kind of bracket.
 */
export function readUrl(state: ParseState, start: number): number {
  const { chars, isInLabel, sequenceEnd: limit } = state
  const host = endOfScheme(chars, start)
  if (host >= limit || !canBegin(state, start, host)) return host
  let isPlain = true
  let at = host
  // The end of the last escape: an escaped character is never trimmed.
  let floor = at
  while (at < limit) {
    const code = codeAt(chars, at)
    if (isPlainInUrl(code)) {
      at += 1
      continue
    }
    if (code === Unit.BACKSLASH) {
      at = endOfShrug(state, at) || skipEscape(chars, at, Unit.IN_TEXT)
      if (chars[at - 1] !== Unit.BACKSLASH) floor = at
    } else {
      if ((traitsAt(chars, at) & Trait.URL_STOP) !== 0 || endsBeforeUrl(state, at)) break
      if (code === Unit.OPENING_BRACKET && rangeAt(state, at) !== null) break
      at += 1
    }
    isPlain = false
  }
  const end = trimTail(state, host, floor, Math.min(at, limit))
  addEvent(state, isInLabel ? LABEL_URL : BARE_LINK, start, end, isPlain ? 1 : 0)
  passConstruct(state, start, end)
  if (!isInLabel) state.linkEnd = end
  return end
}

const furtherUrl = /[,;|]https?:\/\//iy

/** Whether the character at `at` separates this URL from another URL: `https://a.b,https://c.d`. */
function endsBeforeUrl({ chars, source }: ParseState, at: number): boolean {
  const code = codeAt(chars, at)
  if (code !== Unit.COMMA && code !== Unit.SEMICOLON && code !== Unit.PIPE) return false
  furtherUrl.lastIndex = at - 1
  return furtherUrl.test(source) && (traitsAt(chars, furtherUrl.lastIndex + 1) & Trait.ALPHANUMERIC) !== 0
}

/** Returns the end of a bare link after its final punctuation is trimmed (§3.5). */
function trimTail(state: ParseState, host: number, floor: number, end: number): number {
  const { chars } = state
  // The surplus is counted once for each kind of bracket, because a count after each bracket would be quadratic on `https://a))))`.
  const surplus: number[] = []
  for (let at = end; at > floor; at -= lengthBefore(chars, at)) {
    const code = codeAt(chars, at - 1)
    if (code === Unit.CLOSING_PARENTHESIS || code === Unit.CLOSING_BRACKET || code === Unit.CLOSING_BRACE) {
      const surplusLeft = surplus[code] ?? surplusOf(chars, code, host, end)
      if (surplusLeft <= 0) return at
      surplus[code] = surplusLeft - 1
    } else if (isDelimiter(code) ? !isOpen(state, code) : (traitsBefore(chars, at) & Trait.URL_TAIL) === 0) return at
  }
  return floor
}

/** Returns the number of closing brackets of a kind minus the number of opening ones. */
function surplusOf(chars: Uint16Array, closing: number, start: number, end: number): number {
  const opening = closing === Unit.CLOSING_PARENTHESIS ? Unit.OPENING_PARENTHESIS : closing - 2
  let surplus = 0
  for (let at = start; at < end; at += 1) {
    if (chars[at] === closing) surplus += 1
    else if (chars[at] === opening) surplus -= 1
  }
  return surplus
}
