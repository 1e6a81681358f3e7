/** Whether a delimiter run can open or close, decided by the characters next to it (§4). */
import {
  BEGINNER,
  CLOSING,
  ENDER,
  GLOB_START,
  LETTER,
  NO_LATE_CLOSE,
  OPENING,
  PUNCTUATION,
  TWIN,
  UNSPACED,
  WHITE_SPACE,
} from '../characters.js'
import { delimiters } from '../delimiters.js'
import { behindEscape, isEscaped, traitsAt, traitsBefore } from './neighbors.js'
import { CLOSING_BRACKET, codeAt, isDelimiter, kindOf, SLASH, STAR } from './units.js'

/** The run can open or close, by its neighbors alone. A run that closes *late* also depends on its opener. */
export const OPENS = 1
export const CLOSES = 2
export const CLOSES_LATE = 4
/** A letter is on both sides (L in §4). */
export const IN_WORD = 8
/** A character of class C (§4), or one that can be before a word, is before it. */
export const BEGINS = 16
export const BEHIND_SLASH = 32
export const BEFORE_SLASH = 64
/** A star follows directly: the delimiter closes only if a run of stars is open. */
export const NEEDS_OPEN_STAR = 128
/** A delimiter that needs a word boundary could open, or could close, by its neighbors alone. */
const OPENS_AT_BOUNDARY = 256
const CLOSES_AT_BOUNDARY = 512
/** Set only in the table: the flags of this pair are known. */
const KNOWN = 1024

const CLOSING_PARENTHESIS = 41
const DOT = 46
const CLOSING_BRACE = 125

/** The flags of a run of a `flanking` character; `linkEnd` is the end of the last link before it. */
export function flagsOfFlanking(chars: Uint16Array, start: number, end: number, linkEnd: number): number {
  const after = behindEscape(chars, end)
  const flags = besidesOf(chars, start, after)
  if (end - start > 1) return flags
  const opens = (flags & BEHIND_SLASH) === 0 && !isPattern(chars, start, after, linkEnd)
  return opens ? flags & ~CLOSES_LATE : flags & ~(CLOSES_LATE | OPENS)
}

/** Whether a single star is part of a glob, a regular expression or a product: `/*.js`, `".*x"`, `[0-9]*`, `f(a)*b`. */
function isPattern(chars: Uint16Array, start: number, after: number, linkEnd: number): boolean {
  if (chars[after] === DOT && chars[after + 1] !== DOT) return true
  switch (chars[start - 1]) {
    case DOT:
      return chars[start - 2] !== DOT
    case CLOSING_PARENTHESIS:
    case CLOSING_BRACKET:
    case CLOSING_BRACE:
      return start !== linkEnd
    default:
      return false
  }
}

/** The latest chain of adjoining unescaped delimiters: for `_` and `-`, the characters around the whole chain count as neighbors. */
export interface Chain {
  start: number
  end: number
  /** The position of the character after the chain; if that is escaped, of the character without its backslash. */
  after: number
}

/** The flags of a `boundary` delimiter. */
export function flagsOfBoundary(chars: Uint16Array, start: number, chain: Chain): number {
  const end = start + 1
  if (end > chain.end) findChain(chars, start, end, chain)
  const besides = besidesOf(chars, chain.start, chain.after)
  let flags = besides & ~(OPENS | CLOSES | CLOSES_LATE)
  if ((besides & (OPENS_AT_BOUNDARY | CLOSES_AT_BOUNDARY)) === 0) return flags
  const char = codeAt(chars, start)
  const next = behindEscape(chars, end)
  // :-) and => and --->
  if ((besides & OPENS_AT_BOUNDARY) !== 0 && !isLimited(char, OPENS_NOT_BEFORE, codeAt(chars, next))) flags |= OPENS
  // =-= and the price 10,-
  if ((besides & CLOSES_AT_BOUNDARY) === 0 || isLimited(char, CLOSES_NOT_BEHIND, codeAt(chars, start - 1))) return flags
  // build-* and drops _tls_* modules
  if (chars[next] === STAR) return next === end ? flags | CLOSES | NEEDS_OPEN_STAR : flags
  // +%Y-%m-%d
  return isLimited(char, CLOSES_NOT_BEFORE, codeAt(chars, chain.after)) ? flags : flags | CLOSES
}

/** Finds the chain around a delimiter. It runs once for each chain. */
function findChain(chars: Uint16Array, start: number, end: number, chain: Chain): void {
  let chainStart = start
  let chainEnd = end
  while (isDelimiter(codeAt(chars, chainStart - 1))) chainStart -= 1
  if (chainStart < start && isEscaped(chars, chainStart)) chainStart += 1
  while (isDelimiter(codeAt(chars, chainEnd))) chainEnd += 1
  chain.start = chainStart
  chain.end = chainEnd
  chain.after = behindEscape(chars, chainEnd)
}

const OPENS_NOT_BEFORE = 1
const CLOSES_NOT_BEHIND = 2
const CLOSES_NOT_BEFORE = 4

/** Which of these three limits apply, for each row of the table of delimiters and each ASCII character. */
const limits: Uint8Array = /* @__PURE__ */ createLimits()

function createLimits(): Uint8Array {
  const limits = new Uint8Array(128 * delimiters.length)
  for (const [kind, { opensNotBefore, closesNotBehind, closesNotBefore }] of delimiters.entries()) {
    for (const [index, set] of [opensNotBefore, closesNotBehind, closesNotBefore].entries()) {
      for (const other of set) {
        const pair = pairOf(kind, other.charCodeAt(0))
        limits[pair] = (limits[pair] ?? 0) | (1 << index)
      }
    }
  }
  return limits
}

function isLimited(char: number, limit: number, other: number): boolean {
  return other < 128 && ((limits[pairOf(kindOf(char, 1), other)] ?? 0) & limit) !== 0
}

/** The index of a pair in a table of all pairs whose second member is an ASCII character. */
function pairOf(one: number, other: number): number {
  return (one << 7) | other
}

/** The flags for each pair of ASCII neighbors, computed once. */
const known: Uint16Array = /* @__PURE__ */ new Uint16Array(128 * 128)

/** The flags that the characters before `start` and at `after` give a run. */
function besidesOf(chars: Uint16Array, start: number, after: number): number {
  const before = codeAt(chars, start - 1)
  const next = codeAt(chars, after)
  if (before >= 128 || next >= 128) return examine(traitsBefore(chars, start), traitsAt(chars, after), before, next)
  const pair = pairOf(before, next)
  const flags = known[pair] ?? 0
  if (flags !== 0) return flags
  const examined = KNOWN | examine(traitsBefore(chars, start), traitsAt(chars, after), before, next)
  known[pair] = examined
  return examined
}

function examine(before: number, after: number, beforeCode: number, afterCode: number): number {
  // "_" and |-|: a delimiter between two equal characters is mentioned, not used.
  const isNamed = beforeCode === afterCode && (after & TWIN) !== 0
  // "*.txt" and (*.md) and [*.js, *.ts] are globs.
  const isGlob = afterCode === DOT && (before & GLOB_START) !== 0
  const isLeftFlanking = (after & WHITE_SPACE) === 0 && ((after & PUNCTUATION) === 0 || (before & LETTER) === 0)
  const isRightFlanking = (before & WHITE_SPACE) === 0 && ((before & PUNCTUATION) === 0 || (after & LETTER) === 0)
  const opens = isLeftFlanking && (after & CLOSING) === 0 && !isNamed && !isGlob
  const closes = isRightFlanking && (before & OPENING) === 0 && !isNamed
  let flags = 0
  if (opens) flags |= (before & BEGINNER) !== 0 ? OPENS | OPENS_AT_BOUNDARY : OPENS
  if (closes) flags |= (after & ENDER) !== 0 ? CLOSES | CLOSES_AT_BOUNDARY : CLOSES
  // **Status:**OK
  if ((before & (PUNCTUATION | NO_LATE_CLOSE)) === PUNCTUATION && (after & LETTER) !== 0) flags |= CLOSES_LATE
  if ((before & after & LETTER) !== 0) flags |= IN_WORD
  if ((before & (UNSPACED | BEGINNER)) !== 0) flags |= BEGINS
  if (beforeCode === SLASH) flags |= BEHIND_SLASH
  if (afterCode === SLASH) flags |= BEFORE_SLASH
  return flags
}
