/** Code spans (§3.2). */
import type { Leaf } from './leaf.js'

const BACKTICK = 96

/** The end of the run of backticks that starts at `at`. */
export function endOfBackticks(text: string, at: number): number {
  let end = at + 1
  while (text.charCodeAt(end) === BACKTICK) end += 1
  return end
}

/**
 * Where the code span ends whose opening backticks stand from `start` to `openEnd`, -1 if they have no partner.
 *
 * Cost: linear over all calls. A search that finds its partner is paid for by the code it passes; the first one that
 * does not has seen every run to the end of the leaf, and what it noted answers the others.
 */
export function endOfCode(leaf: Leaf, start: number, openEnd: number): number {
  const { text } = leaf
  const length = openEnd - start
  if (openEnd >= leaf.backticksFrom && (leaf.lastBackticks?.get(length) ?? 0) <= openEnd) return -1
  let at = text.indexOf('`', openEnd)
  while (at >= 0 && at < leaf.end) {
    const end = endOfBackticks(text, at)
    if (end - at === length) return end
    noteBackticks(leaf, end - at, end)
    at = text.indexOf('`', end)
  }
  leaf.backticksFrom = Math.min(leaf.backticksFrom, openEnd)
  return -1
}

function noteBackticks(leaf: Leaf, length: number, end: number): void {
  leaf.lastBackticks ??= new Map()
  if ((leaf.lastBackticks.get(length) ?? 0) < end) leaf.lastBackticks.set(length, end)
}

/** The value of a code span from what stands between its backticks. */
export function codeValue(content: string): string {
  // Asked first: most code has no line ending, and `replaceAll` takes as long to find that out as all the rest.
  const value = content.indexOf('\n') < 0 ? content : content.replaceAll('\n', ' ')
  const last = value.length - 1
  const isPadded = value.charCodeAt(0) === 32 && value.charCodeAt(last) === 32
  return isPadded && /[^ ]/.test(value) ? value.slice(1, last) : value
}
