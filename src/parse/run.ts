/** One delimiter run (§4): what stands beside it, and from that, whether it can open and close. */
import {
  BEGINNER,
  CLOSING,
  EARLY,
  ENDER,
  GLOB_START,
  LETTER,
  OPENING,
  PUNCTUATION,
  TWIN,
  traitsAt,
  traitsBefore,
  UNSPACED,
  WHITE_SPACE,
} from '../characters.js'
import { isEscapable, isEscaped } from './escape.js'

export const STAR = 42
export const UNDERSCORE = 95
export const DASH = 45
const SLASH = 47
const LINE_FEED = 10

export interface Run {
  readonly char: number
  readonly start: number
  readonly end: number
  readonly length: number
  opens: boolean
  /** Closes by its neighbours alone; or *late*, which depends on its opener too. */
  closes: boolean
  closesLate: boolean
  /** Of stars: L stands on both sides. */
  isInWord: boolean
  /** C or a beginner stands before it. */
  begins: boolean
  isBehindSlash: boolean
  isBeforeSlash: boolean
  /** As an opener: its event, how many delimiters it began with, how many it still has, the opener below in its list. */
  event: number
  opened: number
  remaining: number
  below: Run | null
}

/** The chain of adjoining unescaped delimiters that was looked at last: `_` and `-` have the neighbours of theirs. */
export interface Chain {
  start: number
  end: number
  /** Where the character behind it stands. */
  after: number
}

/** The characters beside a run, as traits and as code units. */
interface Neighbours {
  readonly before: number
  readonly after: number
  readonly beforeCode: number
  readonly afterCode: number
}

/** Examines the delimiter run that starts at `start`. */
export function examineRun(text: string, start: number, chain: Chain): Run {
  const char = text.charCodeAt(start)
  let end = start + 1
  while (text.charCodeAt(end) === char) end += 1
  const run: Run = {
    char,
    start,
    end,
    length: end - start,
    opens: false,
    closes: false,
    closesLate: false,
    isInWord: false,
    begins: false,
    isBehindSlash: false,
    isBeforeSlash: false,
    event: 0,
    opened: 0,
    remaining: 0,
    below: null,
  }
  if (char === STAR) examineStars(run, text)
  else if (run.length === 1) examineSingle(run, text, chain)
  return run
}

function examineStars(run: Run, text: string): void {
  const beside = neighboursOf(text, run.start, behindEscape(text, run.end))
  const { before, after } = beside
  run.isInWord = (before & after & LETTER) !== 0
  // In a word `*` makes strong only: one star is text.
  if (run.isInWord && run.length === 1) return
  run.begins = (before & (UNSPACED | BEGINNER)) !== 0
  run.isBehindSlash = beside.beforeCode === SLASH
  run.isBeforeSlash = beside.afterCode === SLASH
  run.opens = canOpen(beside) && !(run.length === 1 && run.isBehindSlash)
  run.closes = canClose(beside)
  // **Status:**OK
  run.closesLate = run.length > 1 && (before & (PUNCTUATION | EARLY)) === PUNCTUATION && (after & LETTER) !== 0
}

/** A `_` or a `-`: its neighbours are those of its chain. */
function examineSingle(run: Run, text: string, chain: Chain): void {
  if (run.end > chain.end) findChain(run, text, chain)
  const beside = neighboursOf(text, chain.start, chain.after)
  run.opens = (beside.before & BEGINNER) !== 0 && canOpen(beside)
  run.closes = (beside.after & ENDER) !== 0 && canClose(beside)
  if (run.char !== DASH) return
  // :-) and =-= and -> are no strikes, nor is the price 10,-
  if (run.opens && isOneOf(text.charCodeAt(behindEscape(text, run.end)), ':;=>')) run.opens = false
  if (run.closes && isOneOf(text.charCodeAt(run.start - 1), ':;=<,')) run.closes = false
}

/** Cost: once for each chain. */
function findChain(run: Run, text: string, chain: Chain): void {
  let { start, end } = run
  while (start > 0 && isDelimiter(text.charCodeAt(start - 1))) start -= 1
  if (start < run.start && isEscaped(text, start)) start += 1
  while (isDelimiter(text.charCodeAt(end))) end += 1
  chain.start = start
  chain.end = end
  chain.after = behindEscape(text, end)
}

/** Where the character stands that follows at `at`: an escaped character counts as itself. */
export function behindEscape(text: string, at: number): number {
  return text.charCodeAt(at) === 92 /* \ */ && isEscapable(text.charCodeAt(at + 1)) ? at + 1 : at
}

/** What stands before `start` and at `end`. */
function neighboursOf(text: string, start: number, end: number): Neighbours {
  return {
    before: traitsBefore(text, start),
    after: traitsAt(text, end),
    beforeCode: start > 0 ? text.charCodeAt(start - 1) : LINE_FEED,
    afterCode: end < text.length ? text.charCodeAt(end) : LINE_FEED,
  }
}

function canOpen({ before, after, beforeCode, afterCode }: Neighbours): boolean {
  if ((after & (WHITE_SPACE | CLOSING)) !== 0 || ((after & PUNCTUATION) !== 0 && (before & LETTER) !== 0)) return false
  // "*.txt" and (*.md) and [*.js, *.ts] are globs.
  if (afterCode === 46 /* . */ && (before & GLOB_START) !== 0) return false
  return beforeCode !== afterCode || (after & TWIN) === 0
}

function canClose({ before, after, beforeCode, afterCode }: Neighbours): boolean {
  if ((before & (WHITE_SPACE | OPENING)) !== 0 || ((before & PUNCTUATION) !== 0 && (after & LETTER) !== 0)) return false
  // As in "_" or |-|: what stands there is named, not used.
  return beforeCode !== afterCode || (after & TWIN) === 0
}

export function isDelimiter(code: number): boolean {
  return code === STAR || code === UNDERSCORE || code === DASH
}

function isOneOf(code: number, chars: string): boolean {
  return chars.indexOf(String.fromCharCode(code)) >= 0
}
