/** One delimiter run (§4): what stands beside it, and from that, whether it can open and close. */
import {
  BEGINNER,
  CLOSING,
  ENDER,
  LETTER,
  OPENING,
  PUNCTUATION,
  traitsAt,
  traitsBefore,
  UNSPACED,
  WHITE_SPACE,
} from '../characters.js'
import { isEscapable, isEscaped } from './escape.js'

export const STAR = 42
export const UNDERSCORE = 95
export const DASH = 45
const BACKSLASH = 92
const SLASH = 47
const LINE_FEED = 10

/** The run that was examined last. */
export interface Run {
  char: number
  start: number
  end: number
  length: number
  opens: boolean
  /** Closes by its neighbours alone, or may close *late*, which depends on its opener too. */
  closes: boolean
  closesLate: boolean
  isInWord: boolean
  begins: boolean
  isBehindSlash: boolean
  isBeforeSlash: boolean
  /** The characters beside the run, or for `_` and `-` beside its chain, as traits and as code units. */
  before: number
  after: number
  beforeCode: number
  afterCode: number
  /** The chain of adjoining delimiters that was looked at last: its neighbours are the same for each of its runs. */
  chainEnd: number
  chainBefore: number
  chainAfter: number
}

export function createRun(): Run {
  return {
    char: 0,
    start: 0,
    end: 0,
    length: 0,
    opens: false,
    closes: false,
    closesLate: false,
    isInWord: false,
    begins: false,
    isBehindSlash: false,
    isBeforeSlash: false,
    before: 0,
    after: 0,
    beforeCode: 0,
    afterCode: 0,
    chainEnd: -1,
    chainBefore: 0,
    chainAfter: 0,
  }
}

/** Examines the delimiter run that starts at `start`. */
export function examineRun(run: Run, text: string, start: number): void {
  const char = text.charCodeAt(start)
  let end = start + 1
  while (text.charCodeAt(end) === char) end += 1
  run.char = char
  run.start = start
  run.end = end
  run.length = end - start
  run.opens = false
  run.closes = false
  run.closesLate = false
  run.isInWord = false
  if (char === STAR) examineStars(run, text)
  else if (run.length === 1) examineSingle(run, text)
}

function examineStars(run: Run, text: string): void {
  lookAround(run, text, run.start, behindEscape(text, run.end))
  run.isInWord = (run.before & run.after & LETTER) !== 0
  // In a word `*` makes strong only: one star is text.
  if (run.isInWord && run.length === 1) return
  run.begins = (run.before & (UNSPACED | BEGINNER)) !== 0
  run.isBehindSlash = run.beforeCode === SLASH
  run.isBeforeSlash = run.afterCode === SLASH
  run.opens = canOpen(run) && !(run.length === 1 && run.isBehindSlash)
  run.closes = canClose(run)
  // **Status:**OK
  const isGlued = (run.before & PUNCTUATION) !== 0 && (run.after & LETTER) !== 0 && run.length > 1
  run.closesLate = isGlued && (run.before & OPENING) === 0 && !isOneOf(run.beforeCode, '"\',')
}

/** A `_` or a `-`: its neighbours are those of the chain of delimiters that it stands in. */
function examineSingle(run: Run, text: string): void {
  const { char, start, end } = run
  if (end > run.chainEnd) findChain(run, text)
  lookAround(run, text, run.chainBefore, run.chainAfter)
  run.opens = (run.before & BEGINNER) !== 0 && canOpen(run)
  run.closes = (run.after & ENDER) !== 0 && canClose(run)
  if (char !== DASH) return
  // :-) and =-= and -> are no strikes, nor is the price 10,-
  if (run.opens && isOneOf(text.charCodeAt(behindEscape(text, end)), ':;=>')) run.opens = false
  if (run.closes && isOneOf(text.charCodeAt(start - 1), ':;=<,')) run.closes = false
}

/** Where the unescaped delimiters that adjoin the run begin and end. Cost: once for each chain. */
function findChain(run: Run, text: string): void {
  let start = run.start
  while (start > 0 && isDelimiter(text.charCodeAt(start - 1))) start -= 1
  if (start < run.start && isEscaped(text, start)) start += 1
  let end = run.end
  while (isDelimiter(text.charCodeAt(end))) end += 1
  run.chainEnd = end
  run.chainBefore = start
  run.chainAfter = behindEscape(text, end)
}

/** Where the character stands that follows at `at`: an escaped character counts as itself. */
function behindEscape(text: string, at: number): number {
  return text.charCodeAt(at) === BACKSLASH && isEscapable(text.charCodeAt(at + 1)) ? at + 1 : at
}

function lookAround(run: Run, text: string, start: number, end: number): void {
  run.before = traitsBefore(text, start)
  run.after = traitsAt(text, end)
  run.beforeCode = start > 0 ? text.charCodeAt(start - 1) : LINE_FEED
  run.afterCode = end < text.length ? text.charCodeAt(end) : LINE_FEED
}

function canOpen(run: Run): boolean {
  const { before, after, beforeCode, afterCode } = run
  const isLeftFlanking = (after & WHITE_SPACE) === 0 && ((after & PUNCTUATION) === 0 || (before & LETTER) === 0)
  if (!isLeftFlanking || isBetweenTwins(run)) return false
  if ((after & CLOSING) !== 0 || isOneOf(afterCode, ',;')) return false
  // "*.txt" and (*.md) and [*.js, *.ts] are globs.
  return !(afterCode === 46 && isOneOf(beforeCode, '"\'([{,/'))
}

function canClose(run: Run): boolean {
  const { before, after } = run
  const isRightFlanking = (before & WHITE_SPACE) === 0 && ((before & PUNCTUATION) === 0 || (after & LETTER) === 0)
  return isRightFlanking && (before & OPENING) === 0 && !isBetweenTwins(run)
}

/** "_" and |-| and a/*​/b name the character. */
function isBetweenTwins(run: Run): boolean {
  return run.beforeCode === run.afterCode && isOneOf(run.beforeCode, '"\'|/.')
}

function isDelimiter(code: number): boolean {
  return code === STAR || code === UNDERSCORE || code === DASH
}

function isOneOf(code: number, chars: string): boolean {
  return chars.includes(String.fromCharCode(code))
}
