/**
 * Code units: a table that classifies most characters with one lookup, and functions for the characters next to a position (§1).
 */
import { ALPHANUMERIC, traits, traitsTable, WHITE_SPACE } from '../characters.js'
import { delimiterChars, delimiters, SEPARATOR } from '../delimiters.js'

const TAB = 9
export const LINE_FEED = 10
export const RETURN = 13
const SPACE = 32
export const EXCLAMATION_MARK = 33
export const HASH = 35
export const OPENING_PARENTHESIS = 40
export const CLOSING_PARENTHESIS = 41
export const STAR = 42
export const COMMA = 44
export const SLASH = 47
export const SEMICOLON = 59
export const LESS_THAN = 60
export const GREATER_THAN = 62
export const AT_SIGN = 64
export const OPENING_BRACKET = 91
export const BACKSLASH = 92
export const CLOSING_BRACKET = 93
export const BACKTICK = 96
export const PIPE = 124
export const CLOSING_BRACE = 125

// The reasons for which reading stops at a code unit. All are odd numbers, so that one bit says whether reading stops.

/** A delimiter of the rule `flanking`, and a delimiter of the rule `boundary` (`delimiters.ts`). */
export const STOP_FLANKING = 1
export const STOP_BOUNDARY = 3
export const STOP_BACKTICK = 5
export const STOP_LESS_THAN = 7
export const STOP_OPENING_BRACKET = 9
export const STOP_CLOSING_BRACKET = 11
export const STOP_COLON = 13
export const STOP_SEPARATOR = 15
// A backslash escapes the characters above, but not the ones below.
export const STOP_BACKSLASH = 17
export const STOP_AMPERSAND = 19
export const STOP_LINE_FEED = 21
export const STOP_RETURN = 23
export const STOP_NULL = 25

/** The bit that is set if reading stops at a code unit, and the mask of the reason. */
export const IS_STOP = 1
const STOP_MASK = 31
/** ASCII letters and digits; ASCII white space. A single delimiter between two characters of one of these sets is text. */
export const WORD_UNIT = 32
export const SPACE_UNIT = 64
/** A character that needs a check in a URL: it may end the URL, escape a character, be escaped in the href, or be a bracket. */
const NEEDS_URL_CHECK = 128

/** The bits of each code unit. The table has all 65,536 code units, so that a lookup needs no bounds check. */
export const units: Uint8Array = /* @__PURE__ */ createUnits()

function createUnits(): Uint8Array {
  const units = new Uint8Array(0x10000).fill(NEEDS_URL_CHECK, 128)
  for (let code = 0; code < 128; code += 1) {
    const traits = traitsTable[code] ?? 0
    const isPlainInUrl = /[\w!#$*+\-./:=?@~]/.test(String.fromCharCode(code))
    units[code] =
      ((traits & ALPHANUMERIC) !== 0 ? WORD_UNIT : 0) |
      ((traits & WHITE_SPACE) !== 0 ? SPACE_UNIT : 0) |
      (isPlainInUrl ? 0 : NEEDS_URL_CHECK)
  }
  const add = (char: string, stop: number) => {
    // Every code unit is in the table, so the cast holds.
    ;(units[char.charCodeAt(0)] as number) |= stop
  }
  for (const { char, rule } of delimiters) add(char, rule === 'flanking' ? STOP_FLANKING : STOP_BOUNDARY)
  // The characters are in the order of the STOP_ constants, from STOP_BACKTICK on.
  for (const [index, char] of [...`\`<[]:${SEPARATOR}\\&\n\r\0`].entries()) add(char, STOP_BACKTICK + 2 * index)
  return units
}

// These functions do not check their index, which is always inside the buffer.

/** Returns the code unit at a position, which may also be just before or after the text: the buffer is longer than the text. */
export function codeAt(chars: Uint16Array, at: number): number {
  return chars[at] as number
}

/** Returns the bits of the code unit at a position. */
export function unitAt(chars: Uint16Array, at: number): number {
  return units[chars[at] as number] as number
}

/** Returns the reason for which reading stops at a position. */
export function stopAt(chars: Uint16Array, at: number): number {
  return unitAt(chars, at) & STOP_MASK
}

/** Returns the position of a stop. */
export function positionAt(stops: Int32Array, stop: number): number {
  return stops[stop] as number
}

/** Whether a code unit needs no check in a URL. */
export function isPlainInUrl(code: number): boolean {
  return ((units[code] as number) & NEEDS_URL_CHECK) === 0
}

/** The contexts of an escape: text, and the URL of a named link, where parentheses count too (§3.1). */
export type EscapeContext = typeof IN_TEXT | typeof IN_URL
export const IN_TEXT = 0
export const IN_URL = 1

/** Characters that a backslash escapes everywhere (§3.1), besides the separator. */
export const escapableChars: string = `\`${delimiterChars.join('')}[]<#:`

/** Whether a backslash before this character escapes it. */
export function isEscapable(code: number, context: EscapeContext = IN_TEXT): boolean {
  const stop = (units[code] as number) & STOP_MASK
  if (stop !== 0) return stop <= STOP_SEPARATOR
  return code === HASH || (context === IN_URL && (code === OPENING_PARENTHESIS || code === CLOSING_PARENTHESIS))
}

export function isDelimiter(code: number): boolean {
  const stop = (units[code] as number) & STOP_MASK
  return stop === STOP_FLANKING || stop === STOP_BOUNDARY
}

/** Whether a delimiter's runs open and close as in CommonMark. The other delimiters do so only at the edge of a word. */
export function isFlanking(code: number): boolean {
  return ((units[code] as number) & STOP_MASK) === STOP_FLANKING
}

/** Returns the index in {@link delimiters} of a run of this character and length, or -1 if no formatting has such a delimiter. */
export function kindOf(code: number, length: number): number {
  return (kinds[(code << 1) | (length - 1)] as number) - 1
}

const kinds: Uint8Array = /* @__PURE__ */ createKinds()

function createKinds(): Uint8Array {
  const kinds = new Uint8Array(256)
  for (const [kind, { char, length }] of delimiters.entries())
    kinds[(char.charCodeAt(0) << 1) | (length - 1)] = kind + 1
  return kinds
}

/** Returns the traits of the character that starts at `at`. */
export function traitsAt(chars: Uint16Array, at: number): number {
  const code = codeAt(chars, at)
  if (code < 128) return traitsTable[code] as number
  return traits(isHighSurrogate(code) && isLow(codeAt(chars, at + 1)) ? codePointOf(code, codeAt(chars, at + 1)) : code)
}

/** Returns the traits of the character that ends at `at`. */
export function traitsBefore(chars: Uint16Array, at: number): number {
  const code = codeAt(chars, at - 1)
  if (code < 128) return traitsTable[code] as number
  return traits(lengthBefore(chars, at) === 2 ? codePointOf(codeAt(chars, at - 2), code) : code)
}

/** Returns the number of code units of the character that ends at `at`. */
export function lengthBefore(chars: Uint16Array, at: number): 1 | 2 {
  return isLow(codeAt(chars, at - 1)) && isHighSurrogate(codeAt(chars, at - 2)) ? 2 : 1
}

/** Returns the number of code units of the character that starts at `at`. */
export function lengthAt(chars: Uint16Array, at: number): 1 | 2 {
  return isHighSurrogate(codeAt(chars, at)) && isLow(codeAt(chars, at + 1)) ? 2 : 1
}

function isHighSurrogate(code: number): boolean {
  return (code & 0xfc00) === 0xd800
}

function isLow(code: number): boolean {
  return (code & 0xfc00) === 0xdc00
}

function codePointOf(high: number, low: number): number {
  return ((high - 0xd800) << 10) + low - 0xdc00 + 0x10000
}

/** Returns the end of the run of one character that starts at `at`. */
export function endOfRun(chars: Uint16Array, at: number): number {
  const code = chars[at]
  let end = at + 1
  while (chars[end] === code) end += 1
  return end
}

/** Returns the end of the spaces (§1) that begin at `start`, at most `end`. */
export function endOfSpaces(chars: Uint16Array, start: number, end: number): number {
  let at = start
  while (at < end && isSpaceAt(chars, at)) at += 1
  return at
}

/** Returns the start of the spaces that end at `end`, at least `start`. */
export function startOfSpaces(chars: Uint16Array, start: number, end: number): number {
  let at = end
  while (at > start && isSpaceAt(chars, at - 1)) at -= 1
  return at
}

export function isSpaceAt(chars: Uint16Array, at: number): boolean {
  return chars[at] === SPACE || chars[at] === TAB
}

/** Returns `at`, or the position of the escaped character if a backslash that escapes is at `at` (§4). */
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

/** Returns the start of the `http` or `https`, in any case, that ends at `end`, or 0 if neither ends there. */
export function startOfHttp(chars: Uint16Array, end: number): number {
  const start = end - (isLetter(chars, end - 1, 115 /* s */) ? 5 : 4)
  const isHttp = start > 0 && isLetter(chars, start, 104) && isLetter(chars, start + 1, 116)
  return isHttp && isLetter(chars, start + 2, 116) && isLetter(chars, start + 3, 112) ? start : 0
}

function isLetter(chars: Uint16Array, at: number, lowerCase: number): boolean {
  return (codeAt(chars, at) | 32) === lowerCase
}
