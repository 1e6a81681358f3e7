/**
 * Named links and forced formatting (§3.4, §3.6). Both pair like brackets, and each can contain the other. So they are found together,
 * before the leaf is read. Code spans, mentions and escapes take precedence over them.
 */

import { WHITE_SPACE } from '../characters.js'
import { delimiters } from '../delimiters.js'
import { endOfCode } from './code.js'
import { skipEscape } from './escape.js'
import { endOfMention } from './mention.js'
import { endOfRun, traitsAt, traitsBefore } from './neighbors.js'
import { createRange, type Range, type Reader } from './reader.js'
import * as Stop from './stops.js'
import { endLink } from './target.js'
import { ESCAPED_DELIMITER, MATCHED, NO_FORCED_OPENER, OTHER_DELIMITER, OUTER_SPACE } from './trace.js'
import { CLOSING_BRACKET, IN_TEXT, OPENING_BRACKET, positionAt, stopAt } from './units.js'

/** The ranges that are open during a search. */
export interface Open {
  readonly reader: Reader
  /** All ranges that have started, in the order of the source. */
  readonly begun: Range[]
  readonly brackets: Range[]
  readonly pairs: Range[]
  /** The number of open brackets, counted from the first, that already contain a link and so cannot become one. */
  inactiveCount: number
  /** The end of the last construct that takes precedence: a delimiter cannot start before it. */
  tighterEnd: number
}

/** The kind of a range that is a link. */
export const LINK_KIND = -1

/**
 * Returns the ranges of the current leaf. Overwrites the inner character of each forced delimiter with a bracket, because the
 * content sees it as one. Cost: linear.
 */
export function findRanges(reader: Reader): readonly Range[] {
  const ranges = findOpen(reader).begun.filter(({ end }) => end > 0)
  return overwrite(reader, ranges)
}

/**
 * Returns the ranges of a leaf that breaks off. Open forced formatting ends at its end. Brackets that may still begin a link are
 * included, with `end` 0. If `isInLabel`, the rest of the leaf is the link text of the last of them.
 */
export function endRanges(reader: Reader, isInLabel: boolean): readonly Range[] {
  const { begun, brackets, pairs, inactiveCount } = findOpen(reader)
  const alive = brackets.slice(inactiveCount)
  const waiting = new Set(alive)
  const label = isInLabel ? alive.at(-1) : undefined
  if (label !== undefined) label.contentEnd = reader.sequenceEnd
  for (const pair of pairs) pair.contentEnd = pair.end = reader.sequenceEnd
  const ranges = begun.filter((range) => range.end > 0 || waiting.has(range))
  return overwrite(reader, ranges)
}

function overwrite({ chars }: Reader, ranges: readonly Range[]): readonly Range[] {
  for (const { kind, contentStart, contentEnd, end } of ranges) {
    if (kind === LINK_KIND) continue
    chars[contentStart - 1] = OPENING_BRACKET
    if (contentEnd < end) chars[contentEnd] = CLOSING_BRACKET
  }
  return ranges
}

/** Returns the range that starts at the stop at `at`, or null. Cost: linear over all calls, if `at` increases. */
export function rangeAt(reader: Reader, stop: number, at: number): Range | null {
  if (reader.ranges === null) {
    if (!reader.hasTarget || reader.isInLabel) return null
    const link = simpleLinkAt(reader, stop, at)
    if (link !== undefined) return link
    reader.ranges = findRanges(reader)
  }
  const { ranges } = reader
  while ((ranges[reader.nextRange]?.start ?? at) < at) reader.nextRange += 1
  const range = ranges[reader.nextRange]
  return range?.start === at ? range : null
}

/** Returns the link at a bracket if its link text is simple, as most are; undefined if the link text must be examined. */
function simpleLinkAt(reader: Reader, stop: number, start: number): Range | null | undefined {
  const { stops, lastStop } = reader
  const chars = reader.chars
  for (let next = stop + 1; next < lastStop; next += 1) {
    const at = positionAt(stops, next)
    switch (stopAt(chars, at)) {
      case Stop.CLOSING_BRACKET: {
        const link = createRange(LINK_KIND, start, start + 1)
        return endLink(reader, link, at) ? link : null
      }
      case Stop.OPENING_BRACKET:
      case Stop.BACKSLASH:
      case Stop.BACKTICK:
      case Stop.LESS_THAN:
        return undefined
    }
  }
  return null
}

/** Finds all starts of ranges in the leaf, and the ranges that are still open at its end. */
export function findOpen(reader: Reader): Open {
  const { stops, firstStop, lastStop } = reader
  const chars = reader.chars
  const open: Open = { reader, begun: [], brackets: [], pairs: [], inactiveCount: 0, tighterEnd: 0 }
  let at = 0
  for (let stop = firstStop; stop < lastStop; stop += 1) {
    const start = positionAt(stops, stop)
    if (start < at) continue
    switch (stopAt(chars, start)) {
      case Stop.BACKSLASH:
        at = open.tighterEnd = skipEscape(chars, start, IN_TEXT)
        break
      case Stop.BACKTICK: {
        const end = endOfRun(chars, start)
        at = open.tighterEnd = endOfCode(reader, stop, end) || end
        break
      }
      case Stop.LESS_THAN:
        at = open.tighterEnd = endOfMention(reader, start) || start + 1
        break
      case Stop.OPENING_BRACKET:
        open.brackets.push(begin(open, LINK_KIND, start, start + 1))
        break
      case Stop.CLOSING_BRACKET:
        at = closeBracket(open, start)
        break
      case Stop.SEPARATOR:
        at = readSeparator(open, start)
    }
  }
  return open
}

function begin(open: Open, kind: number, start: number, contentStart: number): Range {
  const range = createRange(kind, start, contentStart)
  open.begun.push(range)
  return range
}

/** Pairs the `]` at `at` with the nearest open bracket, and returns the position after the link, or after the `]` if there is no link. */
function closeBracket(open: Open, at: number): number {
  const { reader, brackets } = open
  const bracket = brackets.pop()
  if (bracket === undefined) return at + 1
  if (brackets.length < open.inactiveCount || !endLink(reader, bracket, at)) {
    open.inactiveCount = Math.min(open.inactiveCount, brackets.length)
    return at + 1
  }
  open.tighterEnd = bracket.end
  open.inactiveCount = brackets.length
  dropAfter(open.pairs, bracket.start)
  return bracket.end
}

/** Reads a separator. It closes the nearest forced opener if the same delimiter is before it; otherwise it may open. */
function readSeparator(open: Open, at: number): number {
  const { pairs, brackets } = open
  const chars = open.reader.chars
  const opener = pairs.at(-1)
  const result = opener === undefined ? NO_FORCED_OPENER : matchForced(open, opener, at)
  if (opener !== undefined && result === MATCHED) {
    pairs.pop()
    opener.contentEnd = at - lengthOf(opener)
    opener.end = open.tighterEnd = at + 1
    dropAfter(brackets, opener.start)
    open.inactiveCount = Math.min(open.inactiveCount, brackets.length)
    return at + 1
  }
  open.reader.trace?.(result, at, at + 1, opener?.start ?? 0, opener?.contentStart ?? 0)
  const kind = delimiters.findIndex(({ char, length }) => isRunOf(chars, at + 1, char, length))
  if (kind < 0) return at + 1
  const opened = begin(open, kind, at, at + 1 + (delimiters[kind]?.length ?? 0))
  pairs.push(opened)
  open.tighterEnd = opened.contentStart
  return opened.contentStart
}

/** Whether the separator at `at` closes an opener: {@link MATCHED}, or the reason if not. */
function matchForced({ reader: { chars }, tighterEnd }: Open, opener: Range, at: number): number {
  const delimiter = delimiters[opener.kind]
  const start = at - lengthOf(opener)
  if (delimiter === undefined || !isRunOf(chars, start, delimiter.char, delimiter.length)) return OTHER_DELIMITER
  if (start <= opener.contentStart) return OUTER_SPACE
  if (start < tighterEnd) return ESCAPED_DELIMITER
  const ends = traitsAt(chars, opener.contentStart) | traitsBefore(chars, start)
  return (ends & WHITE_SPACE) === 0 ? MATCHED : OUTER_SPACE
}

function lengthOf({ kind }: Range): number {
  return delimiters[kind]?.length ?? 0
}

function isRunOf(chars: Uint16Array, start: number, char: string, length: number): boolean {
  const code = char.charCodeAt(0)
  return chars[start] === code && (length === 1 || chars[start + 1] === code)
}

/** Removes the ranges that started after `start` and are still open: pairs and links do not overlap. */
function dropAfter(ranges: Range[], start: number): void {
  while ((ranges.at(-1)?.start ?? 0) > start) ranges.pop()
}
