/** The text of a leaf as it is shown to the parser, and places in it when some of its characters are left out. */
import { isSpace } from '../characters.js'

/** The text without spaces and line endings at its end (§1). */
export function trimEnd(text: string): string {
  let end = text.length
  while (end > 0 && (isSpace(text.charCodeAt(end - 1)) || text[end - 1] === '\n')) end -= 1
  return text.slice(0, end)
}

/** The text with spaces for the characters at some offsets, which rise. */
export function withSpaces(text: string, offsets: readonly number[]): string {
  let rest = ''
  let start = 0
  for (const offset of offsets) {
    rest += `${text.slice(start, offset)} `
    start = offset + 1
  }
  return rest + text.slice(start)
}

/** The text without the characters at some offsets, which rise. */
export function without(text: string, offsets: readonly number[]): string {
  let rest = ''
  let start = 0
  for (const offset of offsets) {
    rest += text.slice(start, offset)
    start = offset + 1
  }
  return rest + text.slice(start)
}

/** Where a place of the text without `hidden` is in the text with them: behind those that stand there. */
export function offsetWithin(hidden: readonly number[], at: number): number {
  // How many of them stand there or before it. They rise, each by one at least.
  let low = 0
  let high = hidden.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((hidden[middle] ?? 0) - middle > at) high = middle
    else low = middle + 1
  }
  return at + low
}
