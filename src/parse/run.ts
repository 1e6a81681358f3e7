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
import { isEscaped, skipBackslash, traitsAt, traitsBefore } from './neighbors.js'
import { CLOSING_BRACKET, codeAt, isDelimiter, kindOf, SLASH, STAR } from './units.js'

/** The run can open or close, by its neighbors alone. A run that closes *late* also depends on its opener. */
export const OPENS = 1
export const CLOSES = 2
export const CLOSES_LATE = 4
/** A letter is on both sides (L in §4). */
export const IN_WORD = 8
/** A character of class C (§4), or one that can be before a word, is before it. */
export const BEGINS = 16
export const AFTER_SLASH = 32
export const BEFORE_SLASH = 64
/** A star follows directly: the delimiter closes only if a run of stars is open. */
export const NEEDS_OPEN_STAR = 128
/** A delimiter that needs a word boundary could open, or could close, by its neighbors alone. */
const OPENS_AT_BOUNDARY = 256
const CLOSES_AT_BOUNDARY = 512
/** Set only in the table: the flags of this pair are known. */
const CACHED = 1024

const CLOSING_PARENTHESIS = 41
const DOT = 46
const CLOSING_BRACE = 125

/** The flags of a run of a `flanking` character; `linkEnd` is the end of the last link before it. */
export function flagsOfFlanking(chars: Uint16Array, start: number, end: number, linkEnd: number): number {
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
  const flagsOfNeighbors = neighborFlags(chars, chain.start, chain.after)
  let flags = flagsOfNeighbors & ~(OPENS | CLOSES | CLOSES_LATE)
  if ((flagsOfNeighbors & (OPENS_AT_BOUNDARY | CLOSES_AT_BOUNDARY)) === 0) return flags
  const row = delimiters[kindOf(codeAt(chars, start), 1)]
  const next = skipBackslash(chars, end)
  // :-) and => and --->
  if ((flagsOfNeighbors & OPENS_AT_BOUNDARY) !== 0 && !isIn(row?.opensNotBefore, chars, next)) flags |= OPENS
  // =-= and the price 10,-
  if ((flagsOfNeighbors & CLOSES_AT_BOUNDARY) === 0 || isIn(row?.closesNotAfter, chars, start - 1)) return flags
  // build-* and drops _tls_* modules
  if (chars[next] === STAR) return next === end ? flags | CLOSES | NEEDS_OPEN_STAR : flags
  // +%Y-%m-%d
  return isIn(row?.closesNotBefore, chars, chain.after) ? flags : flags | CLOSES
}

function isIn(set: string | undefined, chars: Uint16Array, at: number): boolean {
  return set?.includes(String.fromCharCode(codeAt(chars, at))) === true
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
  chain.after = skipBackslash(chars, chainEnd)
}

/** The index of a pair in a table of all pairs whose second member is an ASCII character. */
function pairOf(one: number, other: number): number {
  return (one << 7) | other
}

/** The flags for each pair of ASCII neighbors, computed once. */
const known: Uint16Array = /* @__PURE__ */ new Uint16Array(128 * 128)

/** The flags that the characters before `start` and at `after` give a run. */
function neighborFlags(chars: Uint16Array, start: number, after: number): number {
  const before = codeAt(chars, start - 1)
  const next = codeAt(chars, after)
  if (before >= 128 || next >= 128) return examine(traitsBefore(chars, start), traitsAt(chars, after), before, next)
  const pair = pairOf(before, next)
  const flags = known[pair] as number
  if (flags !== 0) return flags
  const examined = CACHED | examine(traitsBefore(chars, start), traitsAt(chars, after), before, next)
  known[pair] = examined
  return examined
}

function examine(before: number, after: number, beforeCode: number, afterCode: number): number {
  // "_" and |-|: a delimiter between two equal characters is mentioned, not used.
  const isQuoted = beforeCode === afterCode && (after & TWIN) !== 0
  // "*.txt" and (*.md) and [*.js, *.ts] are globs.
  const isGlob = afterCode === DOT && (before & GLOB_START) !== 0
  const isLeftFlanking = (after & WHITE_SPACE) === 0 && ((after & PUNCTUATION) === 0 || (before & LETTER) === 0)
  const isRightFlanking = (before & WHITE_SPACE) === 0 && ((before & PUNCTUATION) === 0 || (after & LETTER) === 0)
  const opens = isLeftFlanking && (after & CLOSING) === 0 && !isQuoted && !isGlob
  const closes = isRightFlanking && (before & OPENING) === 0 && !isQuoted
  let flags = 0
  if (opens) flags |= (before & BEGINNER) !== 0 ? OPENS | OPENS_AT_BOUNDARY : OPENS
  if (closes) flags |= (after & ENDER) !== 0 ? CLOSES | CLOSES_AT_BOUNDARY : CLOSES
  // **Status:**OK
  if ((before & (PUNCTUATION | NO_LATE_CLOSE)) === PUNCTUATION && (after & LETTER) !== 0) flags |= CLOSES_LATE
  if ((before & after & LETTER) !== 0) flags |= IN_WORD
  if ((before & (UNSPACED | BEGINNER)) !== 0) flags |= BEGINS
  if (beforeCode === SLASH) flags |= AFTER_SLASH
  if (afterCode === SLASH) flags |= BEFORE_SLASH
  return flags
}
