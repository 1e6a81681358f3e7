/** Lines (§1): where the next one begins, where its text does, and where it ends. */
import { endOfSpaces, isSpace, nextOf } from '../characters.js'
import type { Point } from '../tree.js'

/** Numbers of a kept line: where it starts, where its content does, where that ends, and where its line ending starts. */
export const LINE_SIZE = 4

/** The line that was read last. Offsets are in the source. */
export interface Lines {
  readonly source: string
  number: number
  /** Where the line starts, where its line ending does, and where the next line starts. */
  start: number
  end: number
  next: number
  /** The line without the spaces at both ends: empty on a blank line. */
  textStart: number
  textEnd: number
  /** The next LF and the next CR, at `next` or behind it; the source's length if there is none. */
  lineFeed: number
  carriageReturn: number
  /** The lines that belong together, and the number of the first one. */
  readonly kept: number[]
  keptEnd: number
  keptNumber: number
}

export function createLines(source: string): Lines {
  return {
    source,
    number: 0,
    start: 0,
    end: 0,
    next: 0,
    textStart: 0,
    textEnd: 0,
    lineFeed: -1,
    carriageReturn: -1,
    // A literal would be shared until it is written to, and an empty array grows: both take longer than the rest.
    kept: new Array<number>(LINE_SIZE),
    keptEnd: 0,
    keptNumber: 0,
  }
}

/** Reads the next line, if there is one: a line ending at the end of the source begins none. */
export function readLine(lines: Lines): boolean {
  const { source, next } = lines
  if (next >= source.length) return false
  // Asked first, for empty lines: most blocks have one behind them.
  if (lines.lineFeed < next) lines.lineFeed = source.charCodeAt(next) === 10 ? next : nextOf(source, '\n', next)
  if (lines.carriageReturn < next) lines.carriageReturn = nextOf(source, '\r', next)
  const end = Math.min(lines.lineFeed, lines.carriageReturn)
  lines.number += 1
  lines.start = next
  lines.end = end
  lines.next = end === lines.carriageReturn && source.charCodeAt(end + 1) === 10 ? end + 2 : end + 1
  let textEnd = end
  while (textEnd > next && isSpace(source.charCodeAt(textEnd - 1))) textEnd -= 1
  lines.textStart = endOfSpaces(source, next, textEnd)
  lines.textEnd = textEnd
  return true
}

/** Keeps the line that was read last, whose content is from `start` to `end`, with the ones kept before. */
export function keepLine(lines: Lines, start: number, end: number): void {
  const at = lines.keptEnd
  if (at === 0) lines.keptNumber = lines.number
  lines.kept[at] = lines.start
  lines.kept[at + 1] = start
  lines.kept[at + 2] = end
  lines.kept[at + 3] = lines.end
  lines.keptEnd = at + LINE_SIZE
}

/** Keeps the line that was read last and no other. */
export function keepOnly(lines: Lines, start: number, end: number): void {
  lines.keptEnd = 0
  keepLine(lines, start, end)
}

/** Where content starts in the first kept line. */
export function keptStart(lines: Lines): number {
  return lines.kept[1] ?? 0
}

/** The place of the source's end, once all lines have been read. */
export function endPoint(lines: Lines): Point {
  const offset = lines.source.length
  // Behind a line ending, or in an empty source, there is a line that was not read.
  const isBehind = lines.next === offset
  return { line: lines.number + (isBehind ? 1 : 0), column: isBehind ? 1 : offset - lines.start + 1, offset }
}

/** Whether the source has the kept lines as they are when they are joined by one LF each. */
export function areJoined(lines: Lines): boolean {
  for (let at = LINE_SIZE; at < lines.keptEnd; at += LINE_SIZE) {
    if (!isJoined(lines, at)) return false
  }
  return true
}

function isJoined({ source, kept }: Lines, at: number): boolean {
  const previousEnd = kept[at - 2] ?? 0
  return kept[at + 1] === previousEnd + 1 && source.charCodeAt(previousEnd) === 10
}

/** The kept lines, joined by one LF each. */
export function joinLines(lines: Lines): string {
  const { source, kept, keptEnd } = lines
  let joined = ''
  let sliceStart = keptStart(lines)
  for (let at = LINE_SIZE; at < keptEnd; at += LINE_SIZE) {
    if (isJoined(lines, at)) continue
    joined += `${source.slice(sliceStart, kept[at - 2])}\n`
    sliceStart = kept[at + 1] ?? 0
  }
  return keptEnd === 0 ? '' : joined + source.slice(sliceStart, kept[keptEnd - 2])
}
