/**
 * Named links and forced formatting (§3.4, §3.6). They pair like brackets, and around each other, so that they are found together
 * and before the leaf is read; code spans, mentions and escapes bind tighter.
 */
import { WHITE_SPACE } from '../characters.js'
import { delimiters } from '../delimiters.js'
import { endOfCode } from './code.js'
import { skipEscape } from './escape.js'
import { endOfMention } from './mention.js'
import { endOfRun, traitsAt, traitsBefore } from './neighbours.js'
import { createRange, type Range, type Reader } from './reader.js'
import { endOfTarget } from './target.js'
import { ESCAPED_DELIMITER, MATCHED, NO_FORCED_OPENER, OTHER_DELIMITER, OUTER_SPACE } from './trace.js'
import {
  BACKSLASH_STOP,
  BACKTICK_STOP,
  CLOSING_BRACKET,
  CLOSING_STOP,
  LESS_THAN_STOP,
  OPENING_BRACKET,
  OPENING_STOP,
  SEPARATOR_STOP,
  stopAt,
} from './units.js'

/** The ranges that are open during a search. */
export interface Open {
  readonly reader: Reader
  /** All that has begun, in the order of the source. */
  readonly begun: Range[]
  readonly brackets: Range[]
  readonly pairs: Range[]
  /** The number of open brackets, from the first, that contain a link already: no link is inside a link. */
  dead: number
  /** The end of the last construct that binds tighter: no delimiter begins before it. */
  bound: number
}

/** The kind of a range that is a link. */
export const LINK_KIND = -1

/**
 * The ranges of the leaf that is being read. The delimiters of forced formatting are overwritten with the brackets that they
 * count as from within. Cost: linear.
 */
export function findRanges(reader: Reader): readonly Range[] {
  const ranges = findOpen(reader).begun.filter(({ end }) => end > 0)
  return overwrite(reader, ranges)
}

/**
 * The ranges of a leaf that breaks off: forced formatting that is open ends with it. Of the brackets that may still begin a link, and
 * whose `end` stays 0, the last has the rest for its label, or none has.
 */
export function endRanges(reader: Reader, isInLabel: boolean): readonly Range[] {
  const { begun, brackets, pairs, dead } = findOpen(reader)
  const alive = brackets.slice(dead)
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

/** The range that starts at `at`, which is a stop; null without one. Cost: linear over all calls with rising `at`. */
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

/** The link at a bracket whose label is simple, as in most links; undefined if the label must be examined. */
function simpleLinkAt(reader: Reader, stop: number, start: number): Range | null | undefined {
  const { stops, lastStop } = reader
  const chars = reader.chars
  for (let next = stop + 1; next < lastStop; next += 1) {
    const at = stops[next] ?? 0
    switch (stopAt(chars, at)) {
      case CLOSING_STOP: {
        const end = endOfTarget(reader, start, at)
        if (end === 0) return null
        const link = createRange(LINK_KIND, start, start + 1)
        link.contentEnd = at
        link.end = end
        link.urlFlags = reader.urlFlags
        return link
      }
      case OPENING_STOP:
      case BACKSLASH_STOP:
      case BACKTICK_STOP:
      case LESS_THAN_STOP:
        return undefined
    }
  }
  return null
}

/** All that begins like a range in the leaf, and what is still open at its end. */
export function findOpen(reader: Reader): Open {
  const { stops, firstStop, lastStop } = reader
  const chars = reader.chars
  const open: Open = { reader, begun: [], brackets: [], pairs: [], dead: 0, bound: 0 }
  let at = 0
  for (let stop = firstStop; stop < lastStop; stop += 1) {
    const start = stops[stop] ?? 0
    if (start < at) continue
    switch (stopAt(chars, start)) {
      case BACKSLASH_STOP:
        at = open.bound = skipEscape(chars, start, 1)
        break
      case BACKTICK_STOP: {
        const end = endOfRun(chars, start)
        at = open.bound = endOfCode(reader, stop, end) || end
        break
      }
      case LESS_THAN_STOP:
        at = open.bound = endOfMention(reader, start) || start + 1
        break
      case OPENING_STOP:
        open.brackets.push(begin(open, LINK_KIND, start, start + 1))
        break
      case CLOSING_STOP:
        at = closeBracket(open, start)
        break
      case SEPARATOR_STOP:
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

/** Takes the nearest open bracket for the `]` at `at`, and returns the place after the link, or after the bracket. */
function closeBracket(open: Open, at: number): number {
  const { reader, brackets } = open
  const bracket = brackets.pop()
  if (bracket === undefined) return at + 1
  const end = brackets.length < open.dead ? 0 : endOfTarget(reader, bracket.start, at)
  if (end === 0) {
    open.dead = Math.min(open.dead, brackets.length)
    return at + 1
  }
  bracket.contentEnd = at
  bracket.end = open.bound = end
  bracket.urlFlags = reader.urlFlags
  open.dead = brackets.length
  dropBehind(open.pairs, bracket.start)
  return end
}

/** A separator closes the nearest forced opener, if the delimiter of that opener is before it; else it may open. */
function readSeparator(open: Open, at: number): number {
  const { pairs, brackets } = open
  const chars = open.reader.chars
  const opener = pairs.at(-1)
  const result = opener === undefined ? NO_FORCED_OPENER : matchForced(open, opener, at)
  if (opener !== undefined && result === MATCHED) {
    pairs.pop()
    opener.contentEnd = at - lengthOf(opener)
    opener.end = open.bound = at + 1
    dropBehind(brackets, opener.start)
    open.dead = Math.min(open.dead, brackets.length)
    return at + 1
  }
  open.reader.trace?.(result, at, at + 1, opener?.start ?? 0, opener?.contentStart ?? 0)
  const kind = delimiters.findIndex(({ char, length }) => isRunOf(chars, at + 1, char, length))
  if (kind < 0) return at + 1
  const opened = begin(open, kind, at, at + 1 + (delimiters[kind]?.length ?? 0))
  pairs.push(opened)
  open.bound = opened.contentStart
  return opened.contentStart
}

/** Whether the separator at `at` closes an opener: {@link MATCHED}, or the reason if not. */
function matchForced({ reader: { chars }, bound }: Open, opener: Range, at: number): number {
  const delimiter = delimiters[opener.kind]
  const start = at - lengthOf(opener)
  if (delimiter === undefined || !isRunOf(chars, start, delimiter.char, delimiter.length)) return OTHER_DELIMITER
  if (start <= opener.contentStart) return OUTER_SPACE
  if (start < bound) return ESCAPED_DELIMITER
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

/** Pairs and links never cross: what was left open inside is as if never found. */
function dropBehind(ranges: Range[], start: number): void {
  while ((ranges.at(-1)?.start ?? 0) > start) ranges.pop()
}
