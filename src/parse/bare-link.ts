/** Bare links (§3.5): where one begins, and where it ends. */
import { ALPHANUMERIC, URL_BARRIER, URL_STOP, URL_TAIL } from '../characters.js'
import { endOfShrug, skipEscape } from './escape.js'
import { isEscaped, lengthBefore, traitsAt, traitsBefore } from './neighbors.js'
import { isOpen, passConstruct } from './openers.js'
import { rangeAt } from './ranges.js'
import { addEvent, type Reader } from './reader.js'
import { BARE_LINK, LABEL_URL } from './tape.js'
import {
  BACKSLASH,
  codeAt,
  IN_TEXT,
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
  let isOdd = false
  let at = host
  // Text before the floor is escaped, and so is never trimmed.
  let floor = at
  while (at < limit) {
    const code = codeAt(chars, at)
    if (isPlainInUrl(code)) {
      at += 1
    } else if (code === BACKSLASH) {
      isOdd = true
      at = endOfShrug(reader, at) || skipEscape(chars, at, IN_TEXT)
      if (chars[at - 1] !== BACKSLASH) floor = at
    } else {
      if ((traitsAt(chars, at) & URL_STOP) !== 0) break
      if (code === OPENING_BRACKET || code === SEPARATOR_UNIT) {
        while (positionAt(stops, next) < at) next += 1
        if (rangeAt(reader, next, at) !== null) break
      }
      if (code !== 40 /* ( */ && code !== 41 /* ) */) isOdd = true
      at += 1
    }
  }
  const end = trimTail(reader, host, floor, Math.min(at, limit))
  if (!isInLabel) addEvent(reader, BARE_LINK, start, end, Number(isOdd), 0)
  else if (isOdd) addEvent(reader, LABEL_URL, start, end, 0, 0)
  passConstruct(openers, chars, start, end)
  if (!isInLabel) openers.linkEnd = end
  return end
}

const OPENING = '([{'
const CLOSING = ')]}'

/** Returns the end of the URL after trimming. */
function trimTail({ source, chars, openers }: Reader, host: number, floor: number, end: number): number {
  // Counted once, because recounting after each bracket is quadratic on `https://a))))`.
  const surplus: number[] = []
  for (let at = end; at > floor; at -= lengthBefore(chars, at)) {
    const code = codeAt(chars, at - 1)
    const bracket = CLOSING.indexOf(String.fromCharCode(code))
    if (bracket >= 0) {
      const left = surplus[bracket] ?? surplusOf(bracket, source.slice(host - 1, end - 1))
      if (left <= 0) return at
      surplus[bracket] = left - 1
    } else if (isDelimiter(code) ? !isOpen(openers, code) : (traitsBefore(chars, at) & URL_TAIL) === 0) return at
  }
  return floor
}

/** Returns the number of closing brackets of a kind minus the number of opening ones. */
function surplusOf(bracket: number, url: string): number {
  return url.split(CLOSING.charAt(bracket)).length - url.split(OPENING.charAt(bracket)).length
}
