/** The table of code units: one lookup for every character, which is the only one for most of them. */

import { ALPHANUMERIC, ascii, WHITE_SPACE } from '../characters.js'
import { delimiterChars, delimiters, SEPARATOR } from '../delimiters.js'
import * as Stop from './stops.js'
import { markers } from './tape.js'

export const TAB = 9
export const LINE_FEED = 10
export const RETURN = 13
export const SPACE = 32
export const HASH = 35
export const STAR = 42
export const SLASH = 47
export const COLON = 58
export const LESS_THAN = 60
export const GREATER_THAN = 62
export const OPENING_BRACKET = 91
export const BACKSLASH = 92
export const CLOSING_BRACKET = 93
export const BACKTICK = 96
export const SEPARATOR_UNIT: number = SEPARATOR.charCodeAt(0)

/** The bit of code units at which reading stops, and the mask of the reason (`stops.ts`). */
export const IS_STOP = 1
const STOP = 31
/** An ASCII letter or digit, or ASCII white space: between two of either a single delimiter is text. */
export const WORD_UNIT = 32
export const SPACE_UNIT = 64
/** A character that needs a check in a URL: it may end the URL, escape a character, be escaped in the href, or be a counted bracket. */
const URL_UNIT = 128

/** The bits of each code unit. The table has all 65,536 code units, so that a lookup needs no bounds check. */
export const units: Uint8Array = /* @__PURE__ */ createUnits()

function createUnits(): Uint8Array {
  const units = new Uint8Array(0x10000).fill(URL_UNIT, 128)
  for (let code = 0; code < 128; code += 1) {
    const traits = ascii[code] ?? 0
    const isPlainInUrl = /[\w!#$*+,\-./:;=?@~]/.test(String.fromCharCode(code))
    units[code] =
      ((traits & ALPHANUMERIC) !== 0 ? WORD_UNIT : 0) |
      ((traits & WHITE_SPACE) !== 0 ? SPACE_UNIT : 0) |
      (isPlainInUrl ? 0 : URL_UNIT)
  }
  const add = (char: string, stop: number) => {
    // Every code unit is in the table.
    ;(units[char.charCodeAt(0)] as number) |= stop
  }
  for (const { char, rule } of delimiters) add(char, rule === 'flanking' ? Stop.FLANKING : Stop.BOUNDARY)
  // In the order of the reasons.
  for (const [index, char] of [...`\\\`<&[]:\n\r\0${SEPARATOR}`].entries()) add(char, Stop.BACKSLASH + 2 * index)
  return units
}

// These read a buffer at an index that is always inside it.

/** Returns the code unit at a position. The memory is larger than the text. */
export function codeAt(chars: Uint16Array, at: number): number {
  return chars[at] as number
}

/** Returns the bits of the code unit at a position. */
export function unitAt(chars: Uint16Array, at: number): number {
  return units[chars[at] as number] as number
}

/** Returns the reason for which reading stops at a position. */
export function stopAt(chars: Uint16Array, at: number): number {
  return unitAt(chars, at) & STOP
}

/** Returns the position of a stop. */
export function positionAt(stops: Int32Array, stop: number): number {
  return stops[stop] as number
}

/** Whether a character of a URL needs no check. */
export function isPlainInUrl(code: number): boolean {
  return ((units[code] as number) & URL_UNIT) === 0
}

/** Characters that a backslash escapes everywhere (§3.1), some of them twice. */
export const escapableChars: string = `\`${delimiterChars.join('')}[]<${Object.values(markers).join('')}:`

/** The contexts of an escape: text, and the URL of a named link, where parentheses count too (§3.1). */
export type EscapeContext = typeof IN_TEXT | typeof IN_URL
export const IN_TEXT = 1
export const IN_URL = 2

/** The contexts in which a backslash escapes each ASCII character. */
const escapables: Uint8Array = /* @__PURE__ */ createEscapables()

function createEscapables(): Uint8Array {
  const escapables = new Uint8Array(128)
  for (const char of '()') escapables[char.charCodeAt(0)] = IN_URL
  for (const char of escapableChars) escapables[char.charCodeAt(0)] = IN_TEXT | IN_URL
  return escapables
}

/** Whether a backslash before this character escapes it. */
export function isEscapable(code: number, context: EscapeContext = IN_TEXT): boolean {
  return code < 128 ? ((escapables[code] as number) & context) !== 0 : code === SEPARATOR_UNIT
}

export function isDelimiter(code: number): boolean {
  const stop = (units[code] as number) & STOP
  return stop === Stop.FLANKING || stop === Stop.BOUNDARY
}

/** Whether a delimiter's runs open and close as in CommonMark. The others do so only where a word can begin or end. */
export function isFlanking(code: number): boolean {
  return ((units[code] as number) & STOP) === Stop.FLANKING
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
