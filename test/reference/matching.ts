/** §4, matching: which closer takes which opener. */

import { factsOf } from './characters.js'
import { formattingTypes } from './forced-formatting.js'
import { isAfterBareLink, type Run, type Sequence } from './sequences.js'
import type { Token } from './tokens.js'

/** Processes the next delimiter run: it closes as many openers as possible, and the rest of it may become an opener. */
export function takeRun(sequence: Sequence, run: Run): void {
  const closes = run.canClose || closesLate(sequence, run)
  while (closes && isAvailable(run)) {
    const opener = nearestOpener(sequence, run)
    if (opener === null || !canMatch(sequence, opener, run)) break
    match(sequence, opener, run)
  }
  if (run.canOpen && isAvailable(run)) sequence.openers.push(run)
}

/** "A `_` or `-` never matches across a break of the same sequence …, and is no longer open after one." */
export function takeBreak(sequence: Sequence): void {
  sequence.openers = sequence.openers.filter((run) => run.delimiter === '*')
}

/** "what is left of a run stays available", but in a word a star "that `strong` leaves over" is text. */
function isAvailable(run: Run): boolean {
  const left = run.to - run.from
  return run.isInWord ? left >= 2 : left >= 1
}

function lengthOf(run: Run): number {
  return run.end - run.start
}

function isWhole(run: Run): boolean {
  return run.from === run.start && run.to === run.end
}

/** "*Late*: a run of two or more `*` with P before and L after closes all the same, if …". */
function closesLate(sequence: Sequence, run: Run): boolean {
  if (run.delimiter !== '*' || lengthOf(run) < 2) return false
  if (factsOf(run.before).class !== 'P' || factsOf(run.after).class !== 'L') return false
  if (factsOf(run.before).category === 'Ps' || ['"', "'", ','].includes(run.before)) return false
  const opener = sequence.openers.findLast((open) => open.delimiter === '*')
  if (opener === undefined || lengthOf(opener) !== lengthOf(run) || !isWhole(opener)) return false
  if (factsOf(opener.before).class !== 'C' && !factsOf(opener.before).isBeginner) return false
  return hasWord(sequence.tokens.slice(opener.end, run.start))
}

/**
 * "each looks back for the nearest opener of its character; … The nearest opener is the first that the rule of three
 * allows".
 */
function nearestOpener(sequence: Sequence, closer: Run): Run | null {
  const allowed = (open: Run): boolean => open.delimiter === closer.delimiter && isAllowedByRuleOfThree(open, closer)
  return sequence.openers.findLast(allowed) ?? null
}

/**
 * CommonMark's rule of three: "for `*` the rule of three applies when either run can both open and close (one that
 * closes only late does not count as able to close when it is the opener)". The closer closes, or it would not be
 * asked.
 */
function isAllowedByRuleOfThree(opener: Run, closer: Run): boolean {
  if (opener.delimiter !== '*') return true
  if (!opener.canClose && !closer.canOpen) return true
  if ((lengthOf(opener) + lengthOf(closer)) % 3 !== 0) return true
  return lengthOf(opener) % 3 === 0 && lengthOf(closer) % 3 === 0
}

/** "two of each make `strong` where both runs have them, else one of each `emphasis`". */
function countOf(opener: Run, closer: Run): number {
  return opener.to - opener.from >= 2 && closer.to - closer.from >= 2 ? 2 : 1
}

/** "if it fails any condition of this section, the closer does not close (it may still open)". */
function canMatch(sequence: Sequence, opener: Run, closer: Run): boolean {
  const between = sequence.tokens.slice(opener.to, closer.from)
  if (opener.delimiter !== '*') return hasWord(between)
  if (countOf(opener, closer) === 2) return canOpenFromWord(sequence, opener, closer)
  // "a run of `*` with L on both sides makes `strong` only"
  if (opener.isInWord || closer.isInWord) return false
  return hasWord(between) && !isEmphasisAtSlash(sequence, opener, closer)
}

/**
 * "Such a run as an opener matches only if no white space is in the text up to its closer …, unless the closer is not
 * in a word and both are whole runs of two."
 */
function canOpenFromWord(sequence: Sequence, opener: Run, closer: Run): boolean {
  if (!opener.isInWord) return true
  const areWholeRunsOfTwo = [opener, closer].every((run) => isWhole(run) && lengthOf(run) === 2)
  if (!closer.isInWord && areWholeRunsOfTwo) return true
  return !sequence.tokens.slice(opener.end, closer.start).some(isWhiteSpace)
}

/**
 * "(what code, mentions and named links hold does not count)"; §3.6: a forced pair "holds a word or white space where its
 * content does (pairs inside it included)".
 */
function isWhiteSpace(token: Token): boolean {
  if (token.type === 'forced') return token.content.some(isWhiteSpace)
  return token.type === 'character' && factsOf(token.value).class === 'W'
}

/** "inline code, a mention, a link, or a character that is neither white space, nor …". A bare link holds letters. */
function hasWord(tokens: readonly Token[]): boolean {
  return tokens.some((token) => {
    if (token.type === 'forced') return hasWord(token.content)
    return token.type !== 'character' || factsOf(token.value).isWord
  })
}

/**
 * "`emphasis` also needs the character after its opening star not to be a `/`, and neither its opening nor its closing
 * star to be the first of its run if that is directly after a `/`".
 */
function isEmphasisAtSlash(sequence: Sequence, opener: Run, closer: Run): boolean {
  const behindOpeningStar = opener.to === opener.end ? opener.after : '*'
  if (behindOpeningStar === '/') return true
  const isOpeningStarFirst = opener.to - 1 === opener.start
  if (isOpeningStarFirst && opener.before === '/') return true
  const isClosingStarFirst = closer.from === closer.start
  // "for the closing star a `/` that ends a bare link does not count"
  return isClosingStarFirst && closer.before === '/' && !isAfterBareLink(sequence, closer.start)
}

function match(sequence: Sequence, opener: Run, closer: Run): void {
  const count = countOf(opener, closer)
  const openingStart = opener.to - count
  const closingEnd = closer.from + count
  const type = formattingTypes[opener.delimiter === '*' && count === 2 ? '**' : opener.delimiter]
  sequence.matches.push({ type, openingStart, openingEnd: opener.to, closingStart: closer.from, closingEnd })
  opener.to = openingStart
  closer.from = closingEnd
  // "delimiters between a matched pair become text"
  sequence.openers.length = sequence.openers.indexOf(opener) + 1
  if (!isAvailable(opener)) sequence.openers.pop()
}
