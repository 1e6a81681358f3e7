/**
 * Emphasis (§4): CommonMark's algorithm with the dialect's conditions. It matches runs in the same left-to-right pass that finds
 * them, because the end of a bare link depends on which runs are still open (§3.5).
 *
 * A run has one event for each of its characters, and all of them are text at first. A matched delimiter of two characters
 * uses the event of its first character.
 */

import * as Trait from '../characters.js'
import { type Delimiter, delimiters } from '../delimiters.js'
import { endOfCode, SHRUG } from './constructs.js'
import { CLOSE, EVENT_SIZE, INERT, OPEN, setEvent, setType } from './events.js'
import {
  CAN_CLOSE,
  createRun,
  grow,
  type InlineRange,
  LIST_COUNT,
  NONE,
  type Outside,
  type ParseState,
  type Run,
  spaceBefore,
  wordBefore,
} from './state.js'
import * as Unit from './units.js'
import {
  codeAt,
  endOfRun,
  isDelimiter,
  isEscaped,
  isFlanking,
  kindOf,
  lengthAt,
  skipBackslash,
  traitsAt,
  traitsBefore,
} from './units.js'

/** Reads the run of flanking delimiters at `start`, and returns its end. */
export function readFlanking(state: ParseState, stop: number, start: number): number {
  const { chars } = state
  const end = endOfFlanking(chars, start)
  // The only star at `start` is part of a keycap, so it is text.
  if (end === start) return start + 1
  let flags = flagsOfFlanking(chars, start, end, state.linkEnd)
  if (end - start === 1 && startsEmoticon(state, stop, start, end)) flags &= ~OPENS
  if ((flags & (OPENS | CLOSES | CLOSES_LATE)) === 0) return end
  const run = createRun(codeAt(chars, start), start, end, flags)
  if (run.left < minLengthOf(run)) return end
  // A run that can only close late does not get the flag CLOSES, because the rule of three must not count it as a closer.
  matchRun(state, run, (flags & CLOSES) !== 0 || canCloseLate(state, run))
  return end
}

/** Returns the end of the run at `start`, without a star that is part of a keycap: *️⃣ */
function endOfFlanking(chars: Uint16Array, start: number): number {
  const end = endOfRun(chars, start)
  return chars[end] === VARIATION_SELECTOR || chars[end] === KEYCAP ? end - 1 : end
}

const VARIATION_SELECTOR = 0xfe0f
const KEYCAP = 0x20e3

/** Whether a single star is part of an emoticon: (*´ω｀*) and (*≧∀≦*). */
function startsEmoticon(state: ParseState, stop: number, start: number, end: number): boolean {
  const { chars } = state
  if (chars[start - 1] !== Unit.OPENING_PARENTHESIS && chars[start - 1] !== FULLWIDTH_PARENTHESIS) return false
  const traits = traitsAt(chars, end)
  if ((traits & Trait.MODIFIER_SYMBOL) !== 0) {
    // The backtick of code and the first character of a shrug are modifier symbols, but not part of an emoticon.
    if (chars[end] === Unit.BACKTICK) return endOfCode(state, stop + 1, endOfRun(chars, end)) === 0
    return !state.source.startsWith(SHRUG, end - 1)
  }
  return (traits & Trait.MATH_SYMBOL) !== 0 && (traitsAt(chars, end + lengthAt(chars, end)) & Trait.WHITE_SPACE) === 0
}

const FULLWIDTH_PARENTHESIS = 0xff08

/** Reads the run of boundary delimiters at `start`, and returns its end. A run of two or more is text. */
export function readBoundary(state: ParseState, start: number): number {
  const { chars } = state
  const end = endOfRun(chars, start)
  if (end - start > 1) return end
  const flags = flagsOfBoundary(state, start)
  if ((flags & (OPENS | CLOSES)) === 0) return end
  const isStarMissing = (flags & NEEDS_OPEN_STAR) !== 0 && !isOpen(state, Unit.STAR)
  matchRun(state, createRun(codeAt(chars, start), start, end, flags), (flags & CLOSES) !== 0 && !isStarMissing)
  return end
}

/** Matches the run with openers if it closes. Then adds the rest of the run to the openers if it opens. */
function matchRun(state: ParseState, run: Run, closes: boolean): void {
  const opens = (run.flags & OPENS) !== 0
  if (!opens && !closes) return
  addRun(state, run)
  if (closes) closeRun(state, run, opens)
  if (opens && run.left >= minLengthOf(run)) pushOpener(state, run)
}

/** Adds an event for each character of a run, and sets only the type of these events. */
function addRun(state: ParseState, run: Run): void {
  run.event = state.eventsEnd
  state.eventsEnd += run.left * EVENT_SIZE
  while (state.eventsEnd > state.events.length) state.events = grow(state.events)
  for (let event = run.event; event < state.eventsEnd; event += EVENT_SIZE) setType(state.events, event, INERT)
}

/** Returns the length of a run's shortest delimiter: 2 if a single character is not a delimiter, or is not one inside a word. */
function minLengthOf({ char, flags }: Run): number {
  const singleDelimiter = delimiters[kindOf(char, 1)]
  return singleDelimiter === undefined || ((flags & IN_WORD) !== 0 && singleDelimiter.needsWord) ? 2 : 1
}

/** Whether a run closes although punctuation is before it and a letter after it, for example in `**Status:**OK`. */
function canCloseLate(state: ParseState, { char, start, left, flags }: Run): boolean {
  if ((flags & CLOSES_LATE) === 0) return false
  const opener = state.openers[nearestOpener(state, char, 0, false)]
  if (opener === undefined || (opener.flags & BEGINS) === 0) return false
  const isWhole = opener.end - opener.start === left && opener.left === left
  return isWhole && wordBefore(state, start) > opener.end
}

/** Matches the delimiters of a closer with openers, the nearest opener first. */
function closeRun(state: ParseState, closer: Run, opens: boolean): void {
  const { event, char, start, end } = closer
  while (closer.left > 0) {
    const index = nearestOpener(state, char, end - start, opens)
    const opener = state.openers[index]
    if (opener === undefined || index === NONE) return
    const size = closer.left > 1 && opener.left > 1 ? 2 : 1
    const kind = kindOf(char, size)
    if (!matches(state, opener, closer, kind)) return
    open(state, opener, index, size, kind)
    const at = end - closer.left
    setEvent(state.events, event + (at - start) * EVENT_SIZE, CLOSE, at, at + size, kind)
    closer.left -= size
  }
}

/** Whether a closer and the nearest opener form the given kind of formatting. */
export function matches(state: ParseState, opener: Run, closer: Run, kind: number): boolean {
  const delimiter = delimiters[kind]
  if (delimiter === undefined) return false
  const { start } = closer
  const { rule, needsWord } = delimiter
  if (rule === 'flanking') {
    const isOpenInWord = (opener.flags & IN_WORD) !== 0
    if (isOpenInWord && !areWhole(opener, closer) && spaceBefore(state, start) > opener.end) return false
    if (needsWord) {
      if (((opener.flags | closer.flags) & IN_WORD) !== 0) return false
      if (isAtSlash(opener, closer, state.linkEnd)) return false
    }
  }
  return !needsWord || wordBefore(state, start) > opener.end
}

/** Whether both runs have two characters and the closer is not in a word. */
function areWhole(opener: Run, closer: Run): boolean {
  return opener.end - opener.start === 2 && closer.end - closer.start === 2 && (closer.flags & IN_WORD) === 0
}

/**
 * Whether a slash is directly after the opening delimiter, or directly before the opening or closing delimiter if that delimiter is
 * the first of its run. Before the closing delimiter, a slash that ends a bare link does not count.
 */
function isAtSlash({ flags, opened, left, start, end }: Run, closer: Run, linkEnd: number): boolean {
  const isFirst = closer.left === closer.end - closer.start
  if ((closer.flags & AFTER_SLASH) !== 0 && isFirst && linkEnd !== closer.start) return true
  if ((flags & BEFORE_SLASH) !== 0 && left === opened) return true
  return (flags & AFTER_SLASH) !== 0 && left === 1 && opened === end - start
}

/** Opens formatting with the last unmatched delimiters of an opener, and removes the openers inside that formatting. */
export function open(state: ParseState, opener: Run, index: number, size: number, kind: number): void {
  const { event, start, end, opened } = opener
  opener.left -= size
  const at = end - opened + opener.left
  setEvent(state.events, event + (at - start) * EVENT_SIZE, OPEN, at, at + size, kind)
  state.openCount += 1
  const staysOpen = opener.left > 0 && opener.left >= minLengthOf(opener)
  dropOpeners(state, staysOpen ? index + 1 : index)
}

/** The flags that the neighbors give a run. To close *late*, directly before a letter, a run also needs a suitable opener. */
const OPENS = 1
const CLOSES = 2
const CLOSES_LATE = 4
/** A letter is on both sides of the run (L in §4). */
const IN_WORD = 8
/** A character of class C, or one of OPENS_AFTER, is before the run (§4). */
const BEGINS = 16
const AFTER_SLASH = 32
const BEFORE_SLASH = 64
/** A star directly follows the delimiter, which closes only if a run of stars is open. */
const NEEDS_OPEN_STAR = 128
/** OPENS and CLOSES for delimiters that need a word boundary. */
const OPENS_AT_BOUNDARY = 256
const CLOSES_AT_BOUNDARY = 512
/** Marks the flags of a pair in `flagsOfPairs` as computed, because all other flags may be unset. */
const CACHED = 1024

const DOT = 46

/** Returns the flags of a run of a `flanking` character. `linkEnd` is the end of the last link before the run. */
function flagsOfFlanking(chars: Uint16Array, start: number, end: number, linkEnd: number): number {
  const after = skipBackslash(chars, end)
  const flags = neighborFlags(chars, start, after)
  if (end - start > 1) return flags
  const opens = (flags & AFTER_SLASH) === 0 && !isPattern(chars, start, after, linkEnd)
  return opens ? flags & ~CLOSES_LATE : flags & ~(CLOSES_LATE | OPENS)
}

/** Whether a single star is part of a glob, a regular expression or a product: `/*.js`, `".*x"`, `[0-9]*`, `f(a)*b`. */
function isPattern(chars: Uint16Array, start: number, after: number, linkEnd: number): boolean {
  if (chars[after] === DOT && chars[after + 1] !== DOT) return true
  switch (chars[start - 1]) {
    case DOT:
      return chars[start - 2] !== DOT
    case Unit.CLOSING_PARENTHESIS:
    case Unit.CLOSING_BRACKET:
    case Unit.CLOSING_BRACE:
      return start !== linkEnd
    default:
      return false
  }
}

/** Returns the flags of a `boundary` delimiter. */
function flagsOfBoundary(state: ParseState, start: number): number {
  const { chars } = state
  const end = start + 1
  if (end > state.chainEnd) findChain(state, start)
  const flagsOfNeighbors = neighborFlags(chars, state.chainStart, state.chainAfter)
  let flags = flagsOfNeighbors & ~(OPENS | CLOSES | CLOSES_LATE)
  if ((flagsOfNeighbors & (OPENS_AT_BOUNDARY | CLOSES_AT_BOUNDARY)) === 0) return flags
  const exclusions = exclusionsOf[kindOf(codeAt(chars, start), 1)] as Uint8Array
  const next = skipBackslash(chars, end)
  // The delimiter does not open in emoticons and arrows, for example: (-: and ->
  if ((flagsOfNeighbors & OPENS_AT_BOUNDARY) !== 0 && !isExcluded(exclusions, chars, next, OPENS_NOT_BEFORE))
    flags |= OPENS
  // The delimiter does not close in emoticons and prices, for example: :-) and 10,-
  if ((flagsOfNeighbors & CLOSES_AT_BOUNDARY) === 0 || isExcluded(exclusions, chars, start - 1, CLOSES_NOT_AFTER))
    return flags
  // Before a star the delimiter closes only if a run of stars is open, because of globs, for example: build-* and _tls_*
  if (chars[next] === Unit.STAR) return next === end ? flags | CLOSES | NEEDS_OPEN_STAR : flags
  // The delimiter does not close in formats of dates, for example: +%Y-%m-%d
  return isExcluded(exclusions, chars, state.chainAfter, CLOSES_NOT_BEFORE) ? flags : flags | CLOSES
}

const OPENS_NOT_BEFORE = 1
const CLOSES_NOT_AFTER = 2
const CLOSES_NOT_BEFORE = 4

/** For each delimiter, a set of the constants above for each code unit. A search in a short string would take ten times as long. */
const exclusionsOf: readonly Uint8Array[] = /* @__PURE__ */ delimiters.map(createExclusions)

function createExclusions({ opensNotBefore = '', closesNotAfter = '', closesNotBefore = '' }: Delimiter): Uint8Array {
  const sets = [opensNotBefore, closesNotAfter, closesNotBefore]
  const exclusions = new Uint8Array(sets.join('') === '' ? 0 : 0x10000)
  for (const [index, set] of sets.entries()) {
    for (const char of set) (exclusions[char.charCodeAt(0)] as number) |= 1 << index
  }
  return exclusions
}

function isExcluded(exclusions: Uint8Array, chars: Uint16Array, at: number, rule: number): boolean {
  return ((exclusions[codeAt(chars, at)] ?? 0) & rule) !== 0
}

/** Finds the chain of adjoining delimiters around the delimiter at `at`. Called once for each chain. */
function findChain(state: ParseState, at: number): void {
  const { chars } = state
  let start = at
  let end = at + 1
  while (isDelimiter(codeAt(chars, start - 1))) start -= 1
  if (start < at && isEscaped(chars, start)) start += 1
  while (isDelimiter(codeAt(chars, end))) end += 1
  state.chainStart = start
  state.chainEnd = end
  state.chainAfter = skipBackslash(chars, end)
}

/** Returns the index of a pair in a table of all pairs whose second member is an ASCII character. */
function pairOf(one: number, other: number): number {
  return (one << 7) | other
}

/** The flags for each pair of ASCII neighbors, computed once. */
const flagsOfPairs: Uint16Array = /* @__PURE__ */ new Uint16Array(128 * 128)

/** Returns the flags that the characters before `start` and at `after` give a run. */
function neighborFlags(chars: Uint16Array, start: number, after: number): number {
  const beforeCode = codeAt(chars, start - 1)
  const afterCode = codeAt(chars, after)
  if (beforeCode >= 128 || afterCode >= 128)
    return computeFlags(traitsBefore(chars, start), traitsAt(chars, after), beforeCode, afterCode)
  const pair = pairOf(beforeCode, afterCode)
  const flags = flagsOfPairs[pair] as number
  if (flags !== 0) return flags
  const computedFlags = CACHED | computeFlags(traitsBefore(chars, start), traitsAt(chars, after), beforeCode, afterCode)
  flagsOfPairs[pair] = computedFlags
  return computedFlags
}

function computeFlags(before: number, after: number, beforeCode: number, afterCode: number): number {
  // A delimiter between two equal quotation marks or similar characters is text, for example: "_" and |-|
  const isQuoted = beforeCode === afterCode && (after & Trait.TEXT_BETWEEN_EQUAL) !== 0
  // A star that starts a glob is text, for example: "*.txt" and (*.md) and [*.js, *.ts]
  const isGlob = afterCode === DOT && (before & Trait.GLOB_START) !== 0
  const isLeftFlanking =
    (after & Trait.WHITE_SPACE) === 0 && ((after & Trait.PUNCTUATION) === 0 || (before & Trait.LETTER) === 0)
  const isRightFlanking =
    (before & Trait.WHITE_SPACE) === 0 && ((before & Trait.PUNCTUATION) === 0 || (after & Trait.LETTER) === 0)
  const opens = isLeftFlanking && (after & Trait.CLOSING) === 0 && !isQuoted && !isGlob
  const closes = isRightFlanking && (before & Trait.OPENING) === 0 && !isQuoted
  let flags = 0
  // Two equal East Asian marks around a delimiter are not a boundary, for example: (；_；)
  const isBoundary = beforeCode !== afterCode || (after & Trait.EAST_ASIAN_MARK) === 0
  if (opens) flags |= isBoundary && (before & Trait.OPENS_AFTER) !== 0 ? OPENS | OPENS_AT_BOUNDARY : OPENS
  if (closes) flags |= isBoundary && (after & Trait.CLOSES_BEFORE) !== 0 ? CLOSES | CLOSES_AT_BOUNDARY : CLOSES
  // A closer directly before a letter, for example: **Status:**OK
  if ((before & (Trait.PUNCTUATION | Trait.NO_LATE_CLOSE)) === Trait.PUNCTUATION && (after & Trait.LETTER) !== 0)
    flags |= CLOSES_LATE
  if ((before & after & Trait.LETTER) !== 0) flags |= IN_WORD
  if ((before & (Trait.UNSPACED | Trait.OPENS_AFTER)) !== 0) flags |= BEGINS
  if (beforeCode === Unit.SLASH) flags |= AFTER_SLASH
  if (afterCode === Unit.SLASH) flags |= BEFORE_SLASH
  return flags
}

/** Adds a run to the openers. */
function pushOpener(state: ParseState, run: Run): void {
  const { openers, heads, openerCount } = state
  const { char, start, end, flags } = run
  // Only words and white space after the first opener matter, so both searches start here.
  if (openerCount === 0) {
    state.lastWord = state.wordMark = end
    state.spaceMark = NONE
  }
  const list = LIST_COUNT * char + ((end - start) % 3) + ((flags & CLOSES) !== 0 ? CAN_CLOSE : 0)
  run.opened = run.left
  run.list = list
  run.below = heads[list] as number
  openers[openerCount] = run
  heads[list] = openerCount
  state.openerCount = openerCount + 1
  if ((flags & IN_WORD) === 0 || state.spaceMark !== NONE) return
  state.lastSpace = 0
  state.spaceMark = end
}

/** Removes the openers from an index on. Delimiters that are still open when the pair around them closes are text. */
export function dropOpeners(state: ParseState, index: number): void {
  const { openers, heads } = state
  for (let top = state.openerCount - 1; top >= index; top -= 1) {
    const opener = openers[top]
    if (opener !== undefined) heads[opener.list] = opener.below
  }
  if (state.openerCount > index) state.openerCount = index
  if (state.lineBase > index) state.lineBase = index
}

/**
 * Returns the nearest opener that the rule of three allows for a closer, or {@link NONE}.
 *
 * @param length - the length of the closer; 0 for any opener
 * @param opens - whether the closer can also open
 */
export function nearestOpener(state: ParseState, char: number, length: number, opens: boolean): number {
  const { openers, heads, openerCount } = state
  const firstOpener = isFlanking(char) ? state.base : state.lineBase
  // Usually the topmost opener is the nearest: the rule of three applies only if one of the two runs can both open and close.
  const top = openerCount > firstOpener ? openers[openerCount - 1] : undefined
  if (top !== undefined && top.char === char && !opens && (top.flags & CLOSES) === 0) return openerCount - 1
  const modulo = length % 3
  let nearest = NONE
  for (let list = 0; list < LIST_COUNT; list += 1) {
    const head = heads[LIST_COUNT * char + list] as number
    const isRuledOut = modulo > 0 && (opens || list >= CAN_CLOSE) && (list + modulo) % 3 === 0
    if (head > nearest && !isRuledOut) nearest = head
  }
  return nearest < firstOpener ? NONE : nearest
}

/** Whether a delimiter run of this character is open. */
export function isOpen(state: ParseState, char: number): boolean {
  return nearestOpener(state, char, 0, false) !== NONE
}

/** Starts the sequence of a range, which cannot use the openers around it. Link text tracks its own white space; a forced pair does not. */
export function startSequence(state: ParseState, range: InlineRange, isLabel: boolean): void {
  const { sequence, sequenceEnd, base, lineBase, lastSpace, spaceMark, openerCount } = state
  range.outside = { sequence, sequenceEnd, base, lineBase, lastSpace, spaceMark }
  state.sequence = range
  state.sequenceEnd = range.contentEnd
  state.base = state.lineBase = openerCount
  if (!isLabel) return
  state.isInLabel = true
  state.spaceMark = NONE
}

export function endSequence(state: ParseState, outside: Outside, isLabel: boolean): void {
  const { sequence, sequenceEnd, base, lineBase, lastSpace, spaceMark } = outside
  dropOpeners(state, state.base)
  state.sequence = sequence
  state.sequenceEnd = sequenceEnd
  state.base = base
  state.lineBase = lineBase
  if (!isLabel) return
  state.lastSpace = lastSpace
  state.spaceMark = spaceMark
}
