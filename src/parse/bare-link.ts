/** Bare links (§3.5): where one begins, and where it ends. */
import { ALPHANUMERIC, URL_BARRIER, URL_STOP, URL_TAIL } from '../characters.js'
import { endOfShrug, skipEscape } from './escape.js'
import { isEscaped, lengthBefore, traitsAt, traitsBefore } from './neighbors.js'
import { isOpen } from './openers.js'
import { rangeAt } from './ranges.js'
import type { Reader } from './reader.js'
import { URL_ODD } from './tape.js'
import { flagOf } from './target.js'
import {
  BACKSLASH,
  CLOSING_BRACKET,
  codeAt,
  isDelimiter,
  OPENING_BRACKET,
  SEPARATOR_UNIT,
  STAR,
  URL_UNIT,
  units,
} from './units.js'

/** The first character after the `://` of the scheme that starts at `start`. */
export function endOfScheme(chars: Uint16Array, start: number): number {
  return start + ((codeAt(chars, start + 4) | 32) === 115 /* s */ ? 8 : 7)
}

/** Whether a bare link begins with the scheme at `start`: the character before it, past stars, and the host decide. */
export function canBegin(reader: Reader, stop: number, start: number, host: number): boolean {
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

/** The surplus of closing brackets over opening ones in a URL, for each kind of bracket. */
interface Surplus {
  round: number
  square: number
  curly: number
}

/** The surplus of the URL that was read last. One object is enough, because each call resets it. */
const surplus: Surplus = { round: 0, square: 0, curly: 0 }

/**
 * Returns the end of the bare link whose scheme is at `stop` and whose host is at `host`. Sets `urlFlags`, the flags for its href.
 *
 * Cost: linear over all calls; brackets are read once more.
 */
export function endOfBareLink(reader: Reader, stop: number, host: number): number {
  const limit = reader.sequenceEnd
  const { stops } = reader
  const chars = reader.chars
  let next = stop
  let flags = 0
  let at = host
  // Text before the floor is escaped, and so is never trimmed.
  let floor = at
  surplus.round = surplus.square = surplus.curly = 0
  while (at < limit) {
    const code = codeAt(chars, at)
    if (((units[code] ?? 0) & URL_UNIT) === 0) {
      at += 1
    } else if (code === BACKSLASH) {
      flags |= URL_ODD
      at = endOfShrug(reader, at) || skipEscape(chars, at, 1)
      if (chars[at - 1] !== BACKSLASH) floor = at
      count(codeAt(chars, at - 1))
    } else {
      if ((traitsAt(chars, at) & URL_STOP) !== 0) break
      if (code === OPENING_BRACKET || code === SEPARATOR_UNIT) {
        while ((stops[next] ?? at) < at) next += 1
        if (rangeAt(reader, next, at) !== null) break
      }
      count(code)
      flags |= flagOf(chars, at)
      at += 1
    }
  }
  reader.urlFlags = flags
  return trimTail(reader, floor, Math.min(at, limit))
}

function count(code: number): void {
  if (code === 40 /* ( */) surplus.round -= 1
  else if (code === 41) surplus.round += 1
  else if (code === OPENING_BRACKET) surplus.square -= 1
  else if (code === CLOSING_BRACKET) surplus.square += 1
  else if (code === 123 /* { */) surplus.curly -= 1
  else if (code === 125) surplus.curly += 1
}

/** Returns the end of the URL after trimming. Updates the surplus, because recounting after each bracket is quadratic on `https://a))))`. */
function trimTail(reader: Reader, floor: number, end: number): number {
  const chars = reader.chars
  let at = end
  while (at > floor) {
    const code = codeAt(chars, at - 1)
    if (code === 41 && surplus.round > 0) surplus.round -= 1
    else if (code === CLOSING_BRACKET && surplus.square > 0) surplus.square -= 1
    else if (code === 125 && surplus.curly > 0) surplus.curly -= 1
    else if (isDelimiter(code)) {
      if (!isOpen(reader.openers, code)) return at
    } else if ((traitsBefore(chars, at) & URL_TAIL) === 0) return at
    at -= lengthBefore(chars, at)
  }
  return at
}
