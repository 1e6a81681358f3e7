/** The characters next to a position (§1), and the runs there. */
import { ascii, traits, WHITE_SPACE } from '../characters.js'
import { BACKSLASH, codeAt, isEscapable, SPACE, TAB } from './units.js'

/** The traits of the character that starts at `at`. */
export function traitsAt(chars: Uint16Array, at: number): number {
  const code = codeAt(chars, at)
  if (code < 128) return ascii[code] as number
  return traits(isHigh(code) && isLow(codeAt(chars, at + 1)) ? pairOf(code, codeAt(chars, at + 1)) : code)
}

/** The traits of the character that ends at `at`. */
export function traitsBefore(chars: Uint16Array, at: number): number {
  const code = codeAt(chars, at - 1)
  if (code < 128) return ascii[code] as number
  return traits(lengthBefore(chars, at) === 2 ? pairOf(codeAt(chars, at - 2), code) : code)
}

/** Returns the number of code units of the character that ends at `at`. */
export function lengthBefore(chars: Uint16Array, at: number): 1 | 2 {
  return isLow(codeAt(chars, at - 1)) && isHigh(codeAt(chars, at - 2)) ? 2 : 1
}

/** Returns the number of code units of the character that starts at `at`. */
export function lengthAt(chars: Uint16Array, at: number): 1 | 2 {
  return isHigh(codeAt(chars, at)) && isLow(codeAt(chars, at + 1)) ? 2 : 1
}

function isHigh(code: number): boolean {
  return (code & 0xfc00) === 0xd800
}

function isLow(code: number): boolean {
  return (code & 0xfc00) === 0xdc00
}

function pairOf(high: number, low: number): number {
  return ((high - 0xd800) << 10) + low - 0xdc00 + 0x10000
}

/** The end of the run of one character that starts at `at`. */
export function endOfRun(chars: Uint16Array, at: number): number {
  const code = chars[at]
  let end = at + 1
  while (chars[end] === code) end += 1
  return end
}

/** The end of the spaces (§1) that begin at `start`, at most `end`. */
export function endOfSpaces(chars: Uint16Array, start: number, end: number): number {
  let at = start
  while (at < end && isSpaceAt(chars, at)) at += 1
  return at
}

/** The start of the spaces that end at `end`, at least `start`. */
export function startOfSpaces(chars: Uint16Array, start: number, end: number): number {
  let at = end
  while (at > start && isSpaceAt(chars, at - 1)) at -= 1
  return at
}

function isSpaceAt(chars: Uint16Array, at: number): boolean {
  return chars[at] === SPACE || chars[at] === TAB
}

/** Returns the position of the character at `at`. If it is a backslash that escapes, returns that of the escaped character (§4). */
export function skipBackslash(chars: Uint16Array, at: number): number {
  return chars[at] === BACKSLASH && isEscapable(codeAt(chars, at + 1)) ? at + 1 : at
}

/** Whether the character at `at`, which is not a backslash, comes after an odd number of backslashes and so is escaped. */
export function isEscaped(chars: Uint16Array, at: number): boolean {
  let start = at
  while (chars[start - 1] === BACKSLASH) start -= 1
  return ((at - start) & 1) === 1
}

/** Whether the source between two positions is only white space. Escapes are not resolved. */
export function isBlank(chars: Uint16Array, start: number, end: number): boolean {
  let at = start
  while (at < end && (traitsAt(chars, at) & WHITE_SPACE) !== 0) at += lengthAt(chars, at)
  return at >= end
}
