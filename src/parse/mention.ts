/** Mentions (§3.3), and the ids and labels that files have too (§2). */
import { CONTROL, ENDS_ID_OR_LABEL, WHITE_SPACE } from '../characters.js'
import { lengthAt, traitsAt } from './neighbors.js'
import { passConstruct } from './openers.js'
import { addEvent, type Reader } from './reader.js'
import { LESS_THAN_SIGN, MENTION } from './tape.js'
import { GREATER_THAN } from './units.js'

const ID_LENGTH_MAX = 128
const LABEL_LENGTH_MAX = 256
const ID_END: number = ENDS_ID_OR_LABEL | CONTROL | WHITE_SPACE
const LABEL_END: number = ENDS_ID_OR_LABEL | CONTROL
const PIPE = 124

/** An id that needs no pipe after it: ASCII letters, digits, `_` and `-`, at least one of them a digit. */
const plainID = /^(?=[\w-]*\d)[\w-]+$/

/** Reads the mention at `at`, or only its `<`. */
export function readMention(reader: Reader, at: number): number {
  const end = endOfMention(reader, at)
  if (end === 0) {
    addEvent(reader, LESS_THAN_SIGN, at, at + 1, 0, 0)
    return at + 1
  }
  addEvent(reader, MENTION, at, end, 0, 0)
  passConstruct(reader.openers, reader.chars, at, end)
  return end
}

/** Returns the end of the mention that starts with the `<` at `start`, or 0 if it does not start a mention. Cost: at most 388 characters are read. */
export function endOfMention({ chars, source }: Reader, start: number): number {
  if (chars[start + 1] !== 64 /* @ */) return 0
  const idEnd = endOfName(chars, start + 2, ID_END, ID_LENGTH_MAX)
  if (chars[idEnd] !== GREATER_THAN) return endOfLabel(chars, start + 2, idEnd)
  return isShortID(source.slice(start + 1, idEnd - 1)) ? idEnd + 1 : 0
}

/** Whether the text from `start` to `end`, which begins with a `<`, is a file. */
export function isFile({ chars }: Reader, start: number, end: number): boolean {
  if (chars[start + 1] !== 33 /* ! */) return false
  return endOfLabel(chars, start + 2, endOfName(chars, start + 2, ID_END, ID_LENGTH_MAX)) === end
}

/** The id and the label of a mention or a file. A missing and an empty label are null. */
export interface Reference {
  readonly id: string
  readonly label: string | null
}

/** Returns the id and the label of the mention or file from `start` to `end`. */
export function referenceAt({ source }: Reader, start: number, end: number): Reference {
  const text = source.slice(start + 1, end - 2)
  const pipe = text.indexOf('|')
  return pipe < 0 ? { id: text, label: null } : { id: text.slice(0, pipe), label: text.slice(pipe + 1) || null }
}

/** Whether a mention of this id needs no pipe. */
export function isShortID(id: string): boolean {
  return plainID.test(id)
}

/** Returns the position after the pipe, the label and the `>` that follow the id from `start` to `idEnd`; 0 if they do not follow. */
function endOfLabel(chars: Uint16Array, start: number, idEnd: number): number {
  if (idEnd === start || chars[idEnd] !== PIPE) return 0
  const end = endOfName(chars, idEnd + 1, LABEL_END, LABEL_LENGTH_MAX)
  return chars[end] === GREATER_THAN ? end + 1 : 0
}

/** Skips at most `lengthMax` characters that have none of the traits `not`. */
function endOfName(chars: Uint16Array, start: number, not: number, lengthMax: number): number {
  let at = start
  for (let left = lengthMax; left > 0 && (traitsAt(chars, at) & not) === 0; left -= 1) at += lengthAt(chars, at)
  return at
}
