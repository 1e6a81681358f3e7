/** Spaces and line endings (§1): spaces at the ends of a line do not matter, so that none is written there. */
import { endOfSpaces, isSpace } from '../characters.js'

export function trimSpaces(value: string, atStart = true, atEnd = true): string {
  const start = atStart ? endOfSpaces(value, 0, value.length) : 0
  let end = value.length
  while (atEnd && end > start && isSpace(value.charCodeAt(end - 1))) end -= 1
  return value.slice(start, end)
}
