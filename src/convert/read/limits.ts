/**
 * Limits that bound the parser's time for every input: the time for one text grows with the square of
 * the delimiters, the lines and the openers in it. A text over the limit stays as it was typed.
 */
import type { Piece } from './line.js'

/** Maximum number of characters of a text that is parsed. There are also limits for its delimiters and its lines. */
const LENGTH_MAX = 20_000
const DELIMITERS_MAX = 2_000
const LINES_MAX = 2_000
/** The cost of one line and of one delimiter, in the unit of the square of delimiters. */
const LINE_WORK = 1_000
const DELIMITER_WORK = 300
/** The limit for all texts of 100 KB together: enough for two worst cases. */
const WORK_MAX = 12_000_000
const SOURCE_LENGTH = 100_000

/** The cost of the texts of a source. */
export interface Budget {
  work: number
}

/**
 * Whether a text must not be parsed, because the cost of it and the texts before it is over the limit.
 *
 * @param budget - the cost so far; the cost of this text is added if it is parsed
 * @param pieces - the text; the limit grows with the length of the source up to its end
 */
export function isTooMuch(budget: Budget, pieces: readonly Piece[]): boolean {
  const work = workOf(pieces)
  let end = 0
  for (const { line } of pieces) end = line.offset + line.text.length
  if (budget.work + work > WORK_MAX * Math.max(1, end / SOURCE_LENGTH)) return true
  budget.work += work
  return false
}

function workOf(pieces: readonly Piece[]): number {
  let [length, delimiterCount, openerCount] = [-1, 0, 0]
  for (const { text } of pieces) {
    length += text.length + 1
    delimiterCount += text.match(/[*_~[\]<`$]/g)?.length ?? 0
    // The parser may search the whole rest of the text for the end of each of these.
    openerCount += text.match(/<|`+|\]\(|\$|\\[([]/g)?.length ?? 0
  }
  const lineCount = pieces.length
  if (length > LENGTH_MAX || delimiterCount > DELIMITERS_MAX || lineCount > LINES_MAX) return Number.POSITIVE_INFINITY
  const squares = delimiterCount ** 2 + lineCount ** 2 + (openerCount * length) / 2
  return squares + LINE_WORK * lineCount + DELIMITER_WORK * delimiterCount
}
