/** Spaces and line endings (§1): spaces at the ends of a line do not matter, so that none is written there. */
import { endOfSpaces, isSpace } from '../characters.js'

/** White space as lines: without spaces at their ends, and no line blank but those that belong to what stands beside. */
export function linesOf(space: string, isStart: boolean, isEnd: boolean): string[] {
  const parts = space.split('\n')
  const last = parts.length - 1
  const lines = parts.map((part, at) => trimSpaces(part, isStart || at > 0, isEnd || at < last))
  return lines.filter((line, at) => line !== '' || (at === 0 && !isStart) || (at === last && !isEnd))
}

export function trimSpaces(value: string, atStart = true, atEnd = true): string {
  const start = atStart ? endOfSpaces(value, 0, value.length) : 0
  let end = value.length
  while (atEnd && end > start && isSpace(value.charCodeAt(end - 1))) end -= 1
  return value.slice(start, end)
}
