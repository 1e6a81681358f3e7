/** Mentions (§3.3), and the ids and labels that files have too (§2). */

import { ascii, CONTROL, REFERENCE, WHITE_SPACE } from '../characters.js'
import { lengthAt, traitsAt } from './neighbours.js'
import type { Reader } from './reader.js'
import { codeAt } from './units.js'

const ID_LENGTH_MAX = 128
const LABEL_LENGTH_MAX = 256
const ID_END: number = REFERENCE | CONTROL | WHITE_SPACE
const LABEL_END: number = REFERENCE | CONTROL
const PIPE = 124
const GREATER_THAN = 62

/** An id that needs no pipe after it: ASCII letters, digits, `_` and `-`, at least one of them a digit. */
const plainID = /^(?=[\w-]*\d)[\w-]+$/

/** The end of the mention that starts with the `<` at `start`, 0 if there is none. Cost: at most 388 characters are read. */
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

/** The id of the mention or file from `start` to `end`, whose pipe is at `pipe` if it has one. */
export function idAt({ source }: Reader, start: number, end: number, pipe: number): string {
  return source.slice(start + 1, (pipe === 0 ? end - 1 : pipe) - 1)
}

/** The label; an empty label counts as none. */
export function labelAt({ source }: Reader, end: number, pipe: number): string | null {
  return pipe === 0 || pipe + 2 === end ? null : source.slice(pipe, end - 2)
}

/** Whether a mention of this id needs no pipe. */
export function isShortID(id: string): boolean {
  return plainID.test(id)
}

/** The place after the pipe, the label and the `>` that follow the id from `start` to `idEnd`, else 0. */
function endOfLabel(reader: Reader, start: number, idEnd: number): number {
  const chars = reader.chars
  if (idEnd === start || chars[idEnd] !== PIPE) return 0
  const end = endOfName(reader, idEnd + 1, LABEL_END, LABEL_LENGTH_MAX)
  reader.pipe = idEnd
  return chars[end] === GREATER_THAN ? end + 1 : 0
}

/** Passes characters that have none of the traits, at most the given number. */
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
