/**
 * Limits that bound the parser's time for every input: the time for one text grows with the square of
 * the delimiters, the lines and the openers in it. A text that is too much stays as it was typed.
 */
import type { Piece } from './line.js'

/** A text with more characters, or with more delimiters or lines, is not read. */
const LENGTH_MAX = 20_000
const DELIMITERS_MAX = 2_000
const LINES_MAX = 2_000
/** The cost of one line and of one delimiter, in the unit of the square of delimiters. */
const LINE_WORK = 1_000
const DELIMITER_WORK = 300
/** The limit for all texts in 100 KB: two of the worst. */
const WORK_MAX = 12_000_000
const SOURCE_LENGTH = 100_000

/** The cost of the texts of a source. */
export interface Budget {
  work: number
}

/**
 * Whether a text is too much to be read, those before it considered.
 *
 * @param budget - the cost so far; the cost of this text is added if it is parsed
 * @param pieces - the text; the longer the source is up to its end, the more may be spent
 */
export function isTooMuch(budget: Budget, pieces: readonly Piece[]): boolean {
  const work = workOf(pieces)
  let end = 0
  for (const { line } of pieces) end = line.offset + line.text.length
  if (budget.work + work > WORK_MAX * Math.max(1, end / SOURCE_LENGTH)) return true
  budget.work += work
  return false
}

/** Whether a text is too much by itself. */
export function isTooLong(pieces: readonly Piece[]): boolean {
  return workOf(pieces) === Number.POSITIVE_INFINITY
}

function workOf(pieces: readonly Piece[]): number {
  let [length, delimiterCount, openerCount] = [-1, 0, 0]
  for (const { text } of pieces) {
    length += text.length + 1
    delimiterCount += text.match(/[*_~[\]<`$]/g)?.length ?? 0
    // From each of these the parser may look for an end as far as the text goes.
    openerCount += text.match(/<|`+|\]\(|\$|\\[([]/g)?.length ?? 0
  }
  const lineCount = pieces.length
  if (length > LENGTH_MAX || delimiterCount > DELIMITERS_MAX || lineCount > LINES_MAX) return Number.POSITIVE_INFINITY
  const squares = delimiterCount ** 2 + lineCount ** 2 + (openerCount * length) / 2
  return squares + LINE_WORK * lineCount + DELIMITER_WORK * delimiterCount
}
