/** Mentions (§3.3), and the ids and labels that files have too (§2). */
import { CONTROL, lengthAt, REFERENCE, traitsAt, WHITE_SPACE } from '../characters.js'

/** What a mention or a file names. */
export interface Reference {
  readonly id: string
  readonly label: string | null
}

const ID_LENGTH_MAX = 128
const LABEL_LENGTH_MAX = 256
const ID_END: number = REFERENCE | CONTROL | WHITE_SPACE
const LABEL_END: number = REFERENCE | CONTROL

/** An id that needs no pipe behind it: ASCII letters, digits, `_` and `-`, at least one of them a digit. */
const plainID = /^(?=[\w-]*\d)[\w-]+$/

/** Where the mention ends that starts with the `<` at `start`, else -1. Cost: up to the next `<`. */
export function endOfMention(text: string, start: number): number {
  if (text.charCodeAt(start + 1) !== 64 /* @ */) return -1
  const idEnd = endOfID(text, start + 2)
  if (text.charCodeAt(idEnd) !== 62 /* > */) return endOfLabel(text, start + 2, idEnd)
  return plainID.test(text.slice(start + 2, idEnd)) ? idEnd + 1 : -1
}

/** What the mention or the file names that stands from `start` to `end`. */
export function referenceAt(text: string, start: number, end: number): Reference {
  const content = text.slice(start + 2, end - 1)
  const pipe = content.indexOf('|')
  return pipe < 0
    ? { id: content, label: null }
    : { id: content.slice(0, pipe), label: content.slice(pipe + 1) || null }
}

/** The file that a line names, if it names one and holds nothing else. */
export function fileOf(line: string): Reference | null {
  const isFile = line.startsWith('<!') && endOfLabel(line, 2, endOfID(line, 2)) === line.length
  return isFile ? referenceAt(line, 0, line.length) : null
}

/** Whether a mention or a file can have this id. */
export function isID(value: string): boolean {
  return value !== '' && endOfID(value, 0) === value.length
}

function endOfID(text: string, start: number): number {
  return endOfName(text, start, ID_END, ID_LENGTH_MAX)
}

/** What is behind the pipe, the label and the `>` that follow the id from `start` to `idEnd`, else -1. */
function endOfLabel(text: string, start: number, idEnd: number): number {
  if (idEnd === start || text.charCodeAt(idEnd) !== 124 /* | */) return -1
  const end = endOfName(text, idEnd + 1, LABEL_END, LABEL_LENGTH_MAX)
  return text.charCodeAt(end) === 62 /* > */ ? end + 1 : -1
}

/** Passes at most so many characters that have none of the traits. */
function endOfName(text: string, start: number, traits: number, lengthMax: number): number {
  let at = start
  for (let left = lengthMax; left > 0 && (traitsAt(text, at) & traits) === 0; left -= 1) {
    at += lengthAt(text, at)
  }
  return at
}
