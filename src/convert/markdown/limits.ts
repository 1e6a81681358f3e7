/**
 * Limits that bound the parser's time for every input: the time for one text grows with the square of the delimiters, the lines
 * and the openers in it. A text over a limit stays as typed.
 */
import { joined, type Source, sliced } from './source.js'
import { CONTAINERS, fenceAfter } from './starts.js'

/** Maximum number of characters of a text that is parsed. There are also limits for its delimiters and its lines. */
export const LENGTH_MAX = 20_000
const DELIMITERS_MAX = 2_000
const LINES_MAX = 2_000
/** The cost of one line and of one delimiter, in the unit of the square of delimiters. */
const LINE_WORK = 1_000
const DELIMITER_WORK = 300
/** The limit for all texts of 100 KB together: enough for two worst cases. */
const WORK_MAX = 12_000_000
const SOURCE_LENGTH = 100_000
/** Maximum number of nested containers at the start of a line: many more than are shown. */
const DEPTH_MAX = 128

/** The cost of the texts that have been parsed. */
export interface Budget {
  work: number
}

/** A part of a text that stays as typed: its offsets. */
interface TypedRange {
  readonly start: number
  readonly end: number
  /** Whether the reader is told. */
  readonly isReported: boolean
}

/** Lines that begin a text. */
const TEXT_START = /^(?:[ \t]*(?:>|[-+*](?=[ \t]|$)|\d{1,9}[.)](?=[ \t]|$)))+|^[ \t]*(?:$|[#|])/

/**
 * Returns a source in which everything over a limit is written with character references and hard line breaks, so that it
 * stays as typed.
 *
 * @param budget - the cost so far
 * @param report - called with the source of each text over a limit
 */
export function withinLimits(source: Source, budget: Budget, report: (text: Source) => void): Source {
  const { text, origins } = source
  let result: Source | null = null
  let end = 0
  for (const range of rangesOver(text, budget, origins[0]?.point.offset ?? 0)) {
    const typed = sliced(source, range.start, range.end)
    if (range.isReported) report(typed)
    const escaped = {
      ...typed,
      origins: typed.origins.slice(0, 1),
      text: range.isReported
        ? typed.text.replace(/^.*$/gm, escapedAfterMarkers).replace(/\r?\n/g, '\\$&')
        : escapedText(typed.text),
    }
    result = joined(
      result === null ? sliced(source, 0, range.start) : joined(result, sliced(source, end, range.start)),
      escaped,
    )
    end = range.end
  }
  return result === null ? source : joined(result, sliced(source, end))
}

function escapedAfterMarkers(line: string): string {
  const [markers = ''] = CONTAINERS.exec(line) ?? []
  return markers + escapedText(line.slice(markers.length))
}

/** Escapes everything but the bars between cells. */
function escapedText(text: string): string {
  return text.replace(/[!-/:-@[-`{}~]/g, (character) => `&#${character.charCodeAt(0)};`)
}

/** Returns the ranges of a text that are over a limit. */
function rangesOver(text: string, budget: Budget, offset: number): TypedRange[] {
  const ranges: TypedRange[] = []
  let lines: string[] = []
  let fence = ''
  let [start, at] = [0, 0]
  const endText = (): void => {
    const isPlain = lines.length === 0 || !/[*_~`[\]<&$\\]/.test(lines.join(''))
    const length = lines.join('').trimEnd().length
    if (!isPlain && isTooMuch(budget, lines, offset + at)) ranges.push({ start, end: start + length, isReported: true })
    lines = []
  }
  for (const source of text.split(/(?<=\n)/)) {
    const line = source.trimEnd()
    const [markers = ''] = CONTAINERS.exec(line) ?? []
    const isDeep = (markers.match(/\S+/g)?.length ?? 0) > DEPTH_MAX
    const fenceBefore = fence
    fence = fenceAfter(fence, line)
    const isCode = fenceBefore !== '' || fence !== ''
    if (isDeep || (isCode ? fenceBefore === '' : TEXT_START.test(line))) endText()
    if (isDeep) ranges.push({ start: at, end: at + line.length, isReported: false })
    else if (!isCode) {
      if (lines.length === 0) start = at
      if (line !== '') lines.push(source)
    }
    at += source.length
  }
  endText()
  return ranges
}

/** Whether a text must not be parsed, because the cost of it and the texts before it is over the limit, which grows with `end`. */
function isTooMuch(budget: Budget, lines: readonly string[], end: number): boolean {
  const work = workOf(lines)
  if (budget.work + work > WORK_MAX * Math.max(1, end / SOURCE_LENGTH)) return true
  budget.work += work
  return false
}

function workOf(lines: readonly string[]): number {
  let [length, delimiterCount, openerCount] = [0, 0, 0]
  for (const text of lines) {
    length += text.length
    delimiterCount += text.match(/[*_~[\]<`$]/g)?.length ?? 0
    // The parser may search the whole rest of the text for the end of each of these.
    openerCount += text.match(/<|`+|\]\(|\$|\\[([]/g)?.length ?? 0
  }
  const lineCount = lines.length
  if (length > LENGTH_MAX || delimiterCount > DELIMITERS_MAX || lineCount > LINES_MAX) return Number.POSITIVE_INFINITY
  const squares = delimiterCount ** 2 + lineCount ** 2 + (openerCount * length) / 2
  return squares + LINE_WORK * lineCount + DELIMITER_WORK * delimiterCount
}
