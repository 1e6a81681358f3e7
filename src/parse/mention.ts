/** Mentions (§3.3), and the ids and labels that files have too (§2). */
import { CONTROL, isLowSurrogate, NAME_STOP, traitsAt, WHITE_SPACE } from '../characters.js'

const PIPE = 124
const GREATER_THAN = 62

const ID_LENGTH_MAX = 128
const LABEL_LENGTH_MAX = 256

/** Where the mention ends that starts with the `<@` at `start`, and whose id ends at `idEnd`; else -1. */
export function endOfMention(text: string, start: number, idEnd: number): number {
  if (text.charCodeAt(idEnd) === GREATER_THAN) return isPlainID(text.slice(start + 2, idEnd)) ? idEnd + 1 : -1
  return endOfReference(text, idEnd)
}

/** Where a reference ends whose id ends at `idEnd`: behind the `>` of `|label>`; else -1. */
export function endOfReference(text: string, idEnd: number): number {
  if (text.charCodeAt(idEnd) !== PIPE) return -1
  const labelEnd = endOfName(text, idEnd + 1, NAME_STOP | CONTROL, LABEL_LENGTH_MAX)
  return text.charCodeAt(labelEnd) === GREATER_THAN ? labelEnd + 1 : -1
}

/** The label of a reference whose id ends at `idEnd`, and which ends at `end`; an empty one is none. */
export function labelOf(text: string, idEnd: number, end: number): string | null {
  return idEnd + 1 < end - 1 ? text.slice(idEnd + 1, end - 1) : null
}

/** Where the id that starts at `start` ends, -1 if there is none. */
export function endOfID(text: string, start: number): number {
  const end = endOfName(text, start, NAME_STOP | WHITE_SPACE | CONTROL, ID_LENGTH_MAX)
  return end > start ? end : -1
}

/** Where the longest run of characters ends that have none of the traits. */
function endOfName(text: string, start: number, excluded: number, lengthMax: number): number {
  let at = start
  for (let length = 0; at < text.length; length += 1) {
    if ((traitsAt(text, at) & excluded) !== 0) return at
    if (length === lengthMax) return -1
    at += isLowSurrogate(text.charCodeAt(at + 1)) && (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1
  }
  return at
}

function isPlainID(id: string): boolean {
  return /^[\w-]+$/.test(id) && /\d/.test(id)
}
