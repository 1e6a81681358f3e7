/** Mentions (§3.3), and the ids and labels that files have too (§2). */

import { ascii, CONTROL, ENDS_ID_OR_LABEL, WHITE_SPACE } from '../characters.js'
import { lengthAt, traitsAt } from './neighbors.js'
import type { Reader } from './reader.js'
import { codeAt, GREATER_THAN } from './units.js'

const ID_LENGTH_MAX = 128
const LABEL_LENGTH_MAX = 256
const ID_END: number = ENDS_ID_OR_LABEL | CONTROL | WHITE_SPACE
const LABEL_END: number = ENDS_ID_OR_LABEL | CONTROL
const PIPE = 124

/** An id that needs no pipe after it: ASCII letters, digits, `_` and `-`, at least one of them a digit. */
const plainID = /^(?=[\w-]*\d)[\w-]+$/

/** Returns the end of the mention that starts with the `<` at `start`; 0 if there is none. Cost: at most 388 characters are read. */
export function endOfMention(reader: Reader, start: number): number {
  const chars = reader.chars
  if (chars[start + 1] !== 64 /* @ */) return 0
  reader.nameTraits = 0
  const idEnd = endOfName(reader, start + 2, ID_END, ID_LENGTH_MAX)
  if (chars[idEnd] !== GREATER_THAN) return endOfLabel(reader, start + 2, idEnd)
  reader.pipe = 0
  return isShortID(reader.source.slice(start + 1, idEnd - 1)) ? idEnd + 1 : 0
}

/** Whether the text from `start` to `end`, which begins with a `<`, is a file. */
export function isFile(reader: Reader, start: number, end: number): boolean {
  if (reader.chars[start + 1] !== 33 /* ! */) return false
  return endOfLabel(reader, start + 2, endOfName(reader, start + 2, ID_END, ID_LENGTH_MAX)) === end
}

/** Returns the id of the mention or file from `start` to `end`. `pipe` is the position of its pipe, or 0. */
export function idAt({ source }: Reader, start: number, end: number, pipe: number): string {
  return source.slice(start + 1, (pipe === 0 ? end - 1 : pipe) - 1)
}

/** Returns the label; null if it is missing or empty. */
export function labelAt({ source }: Reader, end: number, pipe: number): string | null {
  return pipe === 0 || pipe + 2 === end ? null : source.slice(pipe, end - 2)
}

/** Whether a mention of this id needs no pipe. */
export function isShortID(id: string): boolean {
  return plainID.test(id)
}

/** Returns the position after the pipe, the label and the `>` that follow the id from `start` to `idEnd`; 0 if they do not follow. */
function endOfLabel(reader: Reader, start: number, idEnd: number): number {
  const chars = reader.chars
  if (idEnd === start || chars[idEnd] !== PIPE) return 0
  const end = endOfName(reader, idEnd + 1, LABEL_END, LABEL_LENGTH_MAX)
  reader.pipe = idEnd
  return chars[end] === GREATER_THAN ? end + 1 : 0
}

/** Skips at most `lengthMax` characters that have none of the traits `not`. Adds the traits of the ASCII ones to `nameTraits`. */
function endOfName(reader: Reader, start: number, not: number, lengthMax: number): number {
  const chars = reader.chars
  let seen = 0
  let at = start
  for (let left = lengthMax; left > 0; left -= 1) {
    const code = codeAt(chars, at)
    const its = code < 128 ? (ascii[code] ?? 0) : traitsAt(chars, at)
    if ((its & not) !== 0) break
    if (code < 128) seen |= its
    at += code < 128 ? 1 : lengthAt(chars, at)
  }
  reader.nameTraits |= seen
  return at
}
