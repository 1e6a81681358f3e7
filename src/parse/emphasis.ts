/**
 * Emphasis (§4): CommonMark's algorithm with the dialect's conditions, resolved in the same left-to-right pass that finds the
 * delimiter runs, because the end of a bare link depends on which of them are still open (§3.5).
 *
 * A run has one event for each of its delimiters, all of them text at first. A match of two delimiters takes the event of the first.
 */
import { delimiters } from '../delimiters.js'
import { endOfRun } from './neighbors.js'
import {
  dropOpeners,
  isOpen,
  NONE,
  nearestOpener,
  type Opener,
  type Openers,
  pushOpener,
  spaceBefore,
  wordBefore,
} from './openers.js'
import { addEvent, grown, type Reader } from './reader.js'
import {
  AFTER_SLASH,
  BEFORE_SLASH,
  BEGINS,
  CLOSES,
  CLOSES_LATE,
  flagsOfBoundary,
  flagsOfFlanking,
  IN_WORD,
  NEEDS_OPEN_STAR,
  OPENS,
} from './run.js'
import { CLOSE, EVENT_SIZE, INERT, OPEN, setEvent, setType } from './tape.js'
import { AT_SLASH, IN_A_WORD, MATCHED, NO_OPENER, NO_WORD, RUN_READ, SPACE_IN_WORD } from './trace.js'
import { codeAt, kindOf, STAR } from './units.js'

/** Reads the run of flanking delimiters at `start`, and returns its end. */
export function readFlanking(reader: Reader, start: number): number {
  const { chars } = reader
  const char = codeAt(chars, start)
  const end = endOfRun(chars, start)
  const length = end - start
  const flags = flagsOfFlanking(chars, start, end, reader.openers.linkEnd)
  if (length < leastOf(char, flags)) return end
  if ((flags & CLOSES_LATE) === 0 || !canCloseLate(reader, char, start, length))
    matchRun(reader, char, start, end, flags, flags)
  // The rule of three does not count an opener as able to close if it can only close late.
  else matchRun(reader, char, start, end, flags | CLOSES, flags)
  return end
}

/** Reads the run of boundary delimiters at `start`, and returns its end. A run of two or more is text. */
export function readBoundary(reader: Reader, start: number): number {
  const { chars, openers } = reader
  const end = endOfRun(chars, start)
  if (end - start > 1) return end
  const flags = flagsOfBoundary(chars, start, reader.chain)
  const isShut = (flags & NEEDS_OPEN_STAR) !== 0 && !isOpen(openers, STAR)
  matchRun(reader, codeAt(chars, start), start, end, isShut ? flags & ~CLOSES : flags, flags)
  return end
}

/** Closes what the run can close, then opens with what is left of it. */
function matchRun(reader: Reader, char: number, start: number, end: number, flags: number, openerFlags: number): void {
  reader.trace?.(RUN_READ, start, end, flags, openerFlags)
  if ((flags & (OPENS | CLOSES)) === 0) return
  const event = addRun(reader, end - start)
  const left = (flags & CLOSES) !== 0 ? closeRun(reader, event, char, start, end - start, flags) : end - start
  const opens = (flags & OPENS) !== 0 && left >= leastOf(char, flags)
  if (opens) pushOpener(reader.openers, char, event, start, end, left, openerFlags)
}

/** Adds an event for each delimiter of a run, and returns the first one. Only their type is set. */
function addRun(reader: Reader, length: number): number {
  const event = reader.tapeEnd
  reader.tapeEnd += length * EVENT_SIZE
  while (reader.tapeEnd > reader.tape.length) reader.tape = grown(reader.tape)
  for (let next = event; next < reader.tapeEnd; next += EVENT_SIZE) setType(reader.tape, next, INERT)
  return event
}

/** Returns the minimum number of delimiters: 2 if a single one never formats, or cannot format a part of a word and is in one. */
export function leastOf(char: number, flags: number): number {
  const single = delimiters[kindOf(char, 1)]
  return single === undefined || ((flags & IN_WORD) !== 0 && !single.isForWordParts) ? 2 : 1
}

/** Whether a run closes although punctuation is before it and a letter after it, for example in `**Status:**OK`. */
function canCloseLate({ openers, chars }: Reader, char: number, start: number, length: number): boolean {
  const opener = openers.stack[nearestOpener(openers, char, 0, false)]
  if (opener === undefined || (opener.flags & BEGINS) === 0) return false
  const isWhole = opener.end - opener.start === length && opener.left === length
  return isWhole && wordBefore(openers.words, chars, start) > opener.end
}

/** Matches the closer whose first event is `event` with openers, and returns the number of delimiters left. */
function closeRun(reader: Reader, event: number, char: number, start: number, length: number, flags: number): number {
  const { openers } = reader
  const opens = (flags & OPENS) !== 0
  let left = length
  while (left > 0) {
    const index = nearestOpener(openers, char, length, opens)
    const opener = openers.stack[index]
    if (opener === undefined || index === NONE) {
      reader.trace?.(NO_OPENER, start, start + length, 0, 0)
      return left
    }
    const size = left > 1 && opener.left > 1 ? 2 : 1
    const kind = kindOf(char, size)
    const result = matchOpener(reader, opener, start, length, left, flags, kind)
    reader.trace?.(result, start, start + length, opener.start, opener.end)
    if (result !== MATCHED) return left
    open(reader, opener, index, size, kind)
    const closed = length - left
    setEvent(reader.tape, event + closed * EVENT_SIZE, CLOSE, start + closed, start + closed + size, kind, 0)
    left -= size
  }
  return left
}

/** Returns {@link MATCHED} if a closer and the nearest opener form the given kind of formatting, else the reason why not. */
function matchOpener(
  { openers, chars }: Reader,
  opener: Opener,
  start: number,
  length: number,
  left: number,
  flags: number,
  kind: number,
): number {
  const delimiter = delimiters[kind]
  if (delimiter === undefined) return IN_A_WORD
  if (delimiter.rule === 'flanking') {
    if ((opener.flags & IN_WORD) !== 0 && !isWholeBefore(opener, length, flags)) {
      if (spaceBefore(openers.words, chars, start) > opener.end) return SPACE_IN_WORD
    }
    if (((opener.flags | flags) & IN_WORD) !== 0 && !delimiter.isForWordParts) return IN_A_WORD
    if (delimiter.avoidsSlash && isAtSlash(opener, flags, left === length && openers.linkEnd !== start)) return AT_SLASH
  }
  return delimiter.needsWord && wordBefore(openers.words, chars, start) <= opener.end ? NO_WORD : MATCHED
}

/** Whether both are whole runs of two and the closer is not in a word. */
function isWholeBefore({ start, end }: Opener, length: number, flags: number): boolean {
  return end - start === 2 && length === 2 && (flags & IN_WORD) === 0
}

/**
 * Whether a slash is directly after the opening delimiter, or directly before the opening or closing delimiter if that one is the
 * first of its run. A slash that ends a bare link does not count.
 */
function isAtSlash({ flags, opened, left, start, end }: Opener, closerFlags: number, isFirst: boolean): boolean {
  if ((closerFlags & AFTER_SLASH) !== 0 && isFirst) return true
  if ((flags & BEFORE_SLASH) !== 0 && left === opened) return true
  return (flags & AFTER_SLASH) !== 0 && left === 1 && opened === end - start
}

/** Opens formatting with the last delimiters that an opener has left, and removes the openers in it. */
function open(reader: Reader, opener: Opener, index: number, size: number, kind: number): void {
  const { event, start, end, opened, char, flags } = opener
  opener.left -= size
  const at = end - opened + opener.left
  setEvent(reader.tape, event + (at - start) * EVENT_SIZE, OPEN, at, at + size, kind, 0)
  reader.openCount += 1
  const staysOpen = opener.left > 0 && opener.left >= leastOf(char, flags)
  dropOpeners(reader.openers, staysOpen ? index + 1 : index)
}

/**
 * Closes all openers of the current sequence, as if a word and closers of the right lengths followed at its end. This is for
 * text that is still being typed.
 */
export function closeAll(reader: Reader): void {
  const { openers, sequenceEnd: at } = reader
  openers.words.lastWord = openers.words.wordMark = at
  for (let index = openers.height - 1; index >= openers.base; index -= 1) {
    const opener = openers.stack[index]
    // An opener that cannot be closed may hide the openers below it.
    while (opener !== undefined && isNearest(openers, opener, index)) {
      const { char, left } = opener
      const size = left > 1 ? 2 : 1
      const kind = kindOf(char, size)
      if (matchOpener(reader, opener, at, left, left, 0, kind) !== MATCHED) break
      open(reader, opener, index, size, kind)
      addEvent(reader, CLOSE, at, at, kind, 0)
    }
  }
}

/** Whether a closer would find this opener. Two lengths are tried, because the rule of three may exclude one of them. */
function isNearest(openers: Openers, { char, left }: Opener, index: number): boolean {
  return nearestOpener(openers, char, left, false) === index || nearestOpener(openers, char, left + 1, false) === index
}
