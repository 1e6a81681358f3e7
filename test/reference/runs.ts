/** §4: delimiter runs, and whether they can open and close, with one function for each clause. */

import { factsOf } from './characters.js'
import {
  characterAfter,
  characterBefore,
  isAfterBareLink,
  type Run,
  type Sequence,
  skipBackward,
  skipForward,
} from './sequences.js'
import { isUnescaped } from './tokens.js'

/** A run and its neighbors. */
interface Neighbors {
  delimiter: '*' | '_' | '-'
  length: number
  before: string
  after: string
  directlyBefore: string
  directlyAfter: string
  /** Whether a character of text, and not a construct, is directly after the run; and whether it is escaped. */
  isBeforeCharacter: boolean
  isEscapedAfter: boolean
  /** The character after `directlyAfter`, if there is one. */
  secondAfter: string
  /** Whether a run of `*` is open here. */
  isStarOpen: boolean
  /** The character before `directlyBefore`. */
  secondBefore: string
  /** Whether a link ends directly before the run. */
  isAfterLink: boolean
}

/** "A *delimiter run* is a maximal sequence of one of `*`, `_`, `-`, unescaped, in text." */
export function readRun(sequence: Sequence, start: number): Run | null {
  const delimiter = delimiterAt(sequence, start)
  if (delimiter === null) return null
  const end = endOfRun(sequence, start, delimiter)
  if (end === start) return null
  const neighbors = neighborsOf(sequence, delimiter, start, end)
  const { before, after } = neighbors
  const isInWord = delimiter === '*' && factsOf(before).class === 'L' && factsOf(after).class === 'L'
  const isText = isTooLong(neighbors) || (isInWord && neighbors.length === 1)
  return {
    delimiter,
    start,
    end,
    from: start,
    to: end,
    before,
    after,
    canOpen: !isText && canOpen(neighbors),
    canClose: !isText && canClose(neighbors),
    isInWord,
  }
}

/** "A `*` directly before U+FE0F or U+20E3 is a keycap and no delimiter". */
function endOfRun(sequence: Sequence, start: number, delimiter: string): number {
  const end = skipForward(sequence, start, delimiter)
  return delimiter === '*' && ['\uFE0F', '\u20E3'].includes(characterAfter(sequence, end)) ? end - 1 : end
}

function delimiterAt(sequence: Sequence, at: number): '*' | '_' | '-' | null {
  const token = sequence.tokens[at]
  if (isUnescaped(token, '*')) return '*'
  if (isUnescaped(token, '_')) return '_'
  return isUnescaped(token, '-') ? '-' : null
}

/**
 * "For `_` and `-` they are taken past any unescaped `*`, `_` and `-` that adjoin the run …. *Directly* leaves that
 * step out."
 */
function neighborsOf(sequence: Sequence, delimiter: '*' | '_' | '-', start: number, end: number): Neighbors {
  const directlyBefore = characterBefore(sequence, start)
  const directlyAfter = characterAfter(sequence, end)
  const looksPast = delimiter === '*' ? '' : '*_-'
  const next = sequence.tokens[end]
  return {
    delimiter,
    length: end - start,
    before: characterBefore(sequence, skipBackward(sequence, start, looksPast)),
    after: characterAfter(sequence, skipForward(sequence, end, looksPast)),
    directlyBefore,
    directlyAfter,
    isBeforeCharacter: next?.type === 'character',
    isEscapedAfter: next?.type === 'character' && next.isEscaped,
    secondAfter: characterAfter(sequence, end + 1),
    isStarOpen: sequence.openers.some((open) => open.delimiter === '*'),
    secondBefore: start === 0 ? '' : characterBefore(sequence, start - 1),
    isAfterLink: sequence.tokens[start - 1]?.type === 'link' || isAfterBareLink(sequence, start),
  }
}

/** "a run of `_` or `-` longer than 1 is text." */
function isTooLong({ delimiter, length }: Neighbors): boolean {
  return delimiter !== '*' && length > 1
}

/** "after is not W, and (after is not P, or before is not L)". */
function isLeftFlanking({ before, after }: Neighbors): boolean {
  return factsOf(after).class !== 'W' && (factsOf(after).class !== 'P' || factsOf(before).class !== 'L')
}

/** "before is not W, and (before is not P, or after is not L)". */
function isRightFlanking({ before, after }: Neighbors): boolean {
  return factsOf(before).class !== 'W' && (factsOf(before).class !== 'P' || factsOf(after).class !== 'L')
}

function canOpen(run: Neighbors): boolean {
  if (!isLeftFlanking(run)) return false
  if (run.delimiter !== '*' && !factsOf(run.before).isBeginner) return false
  if (isDashOfSignOpening(run) || isStarAfterSlash(run) || isStarBeforeEnding(run)) return false
  if (isStarAfterBracket(run) || isStarAfterDot(run) || isStarOfEmoticon(run)) return false
  return !isOpeningForbidden(run) && !isBetweenEqual(run)
}

function canClose(run: Neighbors): boolean {
  if (!isRightFlanking(run)) return false
  if (run.delimiter !== '*' && !canFollowCloser(run.after)) return false
  if (isDashOfSignClosing(run) || isDashBeforeSign(run) || isBeforeOtherStar(run)) return false
  return !isClosingForbidden(run) && !isBetweenEqual(run)
}

/**
 * "`_` and `-` … can close if right-flanking and after is of class W or C, of category Pe, Pi, Pf, Pd, Pc or Po, or
 * `|`."
 */
function canFollowCloser(after: string): boolean {
  const { class: characterClass, category } = factsOf(after)
  if (characterClass === 'W' || characterClass === 'C') return true
  return ['Pe', 'Pi', 'Pf', 'Pd', 'Pc', 'Po'].includes(category) || after === '|'
}

/** "A `-` directly before `:` `;` `=` `>` cannot open". */
function isDashOfSignOpening({ delimiter, directlyAfter }: Neighbors): boolean {
  return delimiter === '-' && [':', ';', '=', '>'].includes(directlyAfter)
}

/** "one directly after `:` `;` `=` `<` `,` `@` `：` `；` `，` `、` cannot close". */
function isDashOfSignClosing({ delimiter, directlyBefore }: Neighbors): boolean {
  return delimiter === '-' && [':', ';', '=', '<', ',', '@', '：', '；', '，', '、'].includes(directlyBefore)
}

/** "nor one whose after is `%` `@` `\` `#`, unless it is directly before a `*`". */
function isDashBeforeSign({ delimiter, after, directlyAfter }: Neighbors): boolean {
  return delimiter === '-' && ['%', '@', '\\', '#'].includes(after) && directlyAfter !== '*'
}

/**
 * "Directly before a `*` a `_` or `-` can close only if that star is unescaped and a run of `*` is still open before it in
 * the same sequence".
 */
function isBeforeOtherStar({ delimiter, directlyAfter, isEscapedAfter, isStarOpen }: Neighbors): boolean {
  return delimiter !== '*' && directlyAfter === '*' && (isEscapedAfter || !isStarOpen)
}

/** "No run opens where after is of category Pe, `,` or `;`, nor where after is `.` and before is one of …". */
function isOpeningForbidden({ before, after }: Neighbors): boolean {
  if (factsOf(after).category === 'Pe' || after === ',' || after === ';') return true
  return after === '.' && ['"', "'", '(', '[', '{', ',', '/'].includes(before)
}

/** "No run closes where before is of category Ps." */
function isClosingForbidden({ before }: Neighbors): boolean {
  return factsOf(before).category === 'Ps'
}

/**
 * "No run does either between two `"`, two `'`, two `|`, two `/` or two `.`; no run of `_` or `-` between two of the same of `，` `、`
 * `。` `：` `；` `！` `？`."
 */
function isBetweenEqual({ delimiter, before, after }: Neighbors): boolean {
  if (before !== after) return false
  return ['"', "'", '|', '/', '.'].includes(before) || (delimiter !== '*' && factsOf(before).isEastAsianMark)
}

/**
 * "nor one between `(` or `（` and an unescaped character of category Sk, or of category Sm, outside ASCII and not directly before W
 * (a code span is none …)".
 */
function isStarOfEmoticon(run: Neighbors): boolean {
  if (run.delimiter !== '*' || run.length !== 1 || !['(', '（'].includes(run.directlyBefore)) return false
  if (!run.isBeforeCharacter || run.isEscapedAfter) return false
  const { category, isOutsideAscii } = factsOf(run.directlyAfter)
  return category === 'Sk' || (category === 'Sm' && isOutsideAscii && factsOf(run.secondAfter).class !== 'W')
}

/** "A run of one `*` whose before is `/` cannot open." */
function isStarAfterSlash({ delimiter, length, before }: Neighbors): boolean {
  return delimiter === '*' && length === 1 && before === '/'
}

/** "a run of one `*` does not open before a `.` that no second one follows". */
function isStarBeforeEnding({ delimiter, length, directlyAfter, secondAfter }: Neighbors): boolean {
  return delimiter === '*' && length === 1 && directlyAfter === '.' && secondAfter !== '.'
}

/** "nor one directly after `]`, `)` or `}` (the end of a link does not count)". */
function isStarAfterBracket({ delimiter, length, directlyBefore, isAfterLink }: Neighbors): boolean {
  return delimiter === '*' && length === 1 && [']', ')', '}'].includes(directlyBefore) && !isAfterLink
}

/** "nor one directly after a `.` that has no other `.` before it". */
function isStarAfterDot({ delimiter, length, directlyBefore, secondBefore }: Neighbors): boolean {
  return delimiter === '*' && length === 1 && directlyBefore === '.' && secondBefore !== '.'
}
