/** Bare links (§3.5): where one begins, and where it ends. */
import { ALPHANUMERIC, URL_BARRIER, URL_STOP, URL_TAIL } from '../characters.js'
import { endOfShrug, skipEscape } from './escape.js'
import { isEscaped, lengthBefore, traitsAt, traitsBefore } from './neighbors.js'
import { isOpen, passConstruct } from './openers.js'
import { rangeAt } from './ranges.js'
import { addEvent, type Reader } from './reader.js'
import { BARE_LINK, LABEL_URL, URL_ODD } from './tape.js'
import { flagOf } from './target.js'
import {
  BACKSLASH,
  codeAt,
  isDelimiter,
  isPlainInUrl,
  OPENING_BRACKET,
  positionAt,
  SEPARATOR_UNIT,
  STAR,
} from './units.js'

/** The first character after the `://` of the scheme that starts at `start`. */
export function endOfScheme(chars: Uint16Array, start: number): number {
  return start + ((codeAt(chars, start + 4) | 32) === 115 /* s */ ? 8 : 7)
}

/** Whether a bare link begins with the scheme at `start`: the character before it, past stars, and the host decide. */
function canBegin(reader: Reader, stop: number, start: number, host: number): boolean {
  const chars = reader.chars
  if (chars[host] === OPENING_BRACKET) {
    // The bracket is the stop after the scheme's.
    if (rangeAt(reader, stop + 1, host) !== null) return false
  } else if ((traitsAt(chars, host) & ALPHANUMERIC) === 0) return false
  let before = start
  while (chars[before - 1] === STAR) before -= 1
  if (before < start && isEscaped(chars, before)) before += 1
  return (traitsBefore(chars, before) & URL_BARRIER) === 0
}

/**
 * Reads the scheme at stop `stop`, and the bare link that begins with it if one does.
 *
 * Cost: linear over all calls; brackets are read once more.
 */
export function readUrl(reader: Reader, stop: number, start: number): number {
  const { chars, stops, openers, isInLabel, sequenceEnd: limit } = reader
  const host = endOfScheme(chars, start)
  if (host >= limit || !canBegin(reader, stop, start, host)) return host
  let next = stop
  let flags = 0
  let at = host
  // Text before the floor is escaped, and so is never trimmed.
  let floor = at
  while (at < limit) {
    const code = codeAt(chars, at)
    if (isPlainInUrl(code)) {
      at += 1
    } else if (code === BACKSLASH) {
      flags |= URL_ODD
      at = endOfShrug(reader, at) || skipEscape(chars, at, 1)
      if (chars[at - 1] !== BACKSLASH) floor = at
    } else {
      if ((traitsAt(chars, at) & URL_STOP) !== 0) break
      if (code === OPENING_BRACKET || code === SEPARATOR_UNIT) {
        while (positionAt(stops, next) < at) next += 1
        if (rangeAt(reader, next, at) !== null) break
      }
      flags |= flagOf(chars, at)
      at += 1
    }
  }
  const end = trimTail(reader, host, floor, Math.min(at, limit))
  if (!isInLabel) addEvent(reader, BARE_LINK, start, end, flags, 0)
  else if (flags !== 0) addEvent(reader, LABEL_URL, start, end, 0, 0)
  passConstruct(openers, chars, start, end)
  if (!isInLabel) openers.linkEnd = end
  return end
}

const BRACKETS = '()[]{}'

/** Returns the end of the URL after trimming. */
function trimTail({ chars, openers }: Reader, host: number, floor: number, end: number): number {
  // Counted once, because recounting after each bracket is quadratic on `https://a))))`.
  let surplus: number[] | null = null
  for (let at = end; at > floor; at -= lengthBefore(chars, at)) {
    const code = codeAt(chars, at - 1)
    const bracket = BRACKETS.indexOf(String.fromCharCode(code))
    if ((bracket & 1) === 1 && bracket > 0) {
      surplus ??= surplusOf(chars, host, end)
      const left = surplus[bracket] as number
      if (left <= 0) return at
      surplus[bracket] = left - 1
    } else if (isDelimiter(code) ? !isOpen(openers, code) : (traitsBefore(chars, at) & URL_TAIL) === 0) return at
  }
  return floor
}

/** Returns the number of closing brackets minus the number of opening ones, at the index of the closing bracket in {@link BRACKETS}. */
function surplusOf(chars: Uint16Array, start: number, end: number): number[] {
  const surplus = [0, 0, 0, 0, 0, 0]
  for (let at = start; at < end; at += 1) {
    const bracket = BRACKETS.indexOf(String.fromCharCode(codeAt(chars, at)))
    if (bracket >= 0) surplus[bracket | 1] = (surplus[bracket | 1] as number) + ((bracket & 1) === 1 ? 1 : -1)
  }
  return surplus
}
