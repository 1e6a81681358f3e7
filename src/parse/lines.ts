/** Lines (§1): where the next one begins, where its text does, and where it ends. */
import { isSpace } from '../characters.js'
import type { Point } from '../tree.js'

/** The line that was read last. Offsets are in the source. */
export interface Lines {
  source: string
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
  /** The lines that belong together, three numbers each: where the line starts, where its content does and ends. */
  kept: number[]
  keptEnd: number
}

export function createLines(): Lines {
  return {
    source: '',
    number: 0,
    start: 0,
    end: 0,
    next: 0,
    textStart: 0,
    textEnd: 0,
    lineFeed: -1,
    carriageReturn: -1,
    kept: [],
    keptEnd: 0,
  }
}

export function startLines(lines: Lines, source: string): void {
  lines.source = source
  lines.number = 0
  lines.start = 0
  lines.end = 0
  lines.next = 0
  lines.lineFeed = -1
  lines.carriageReturn = -1
  lines.keptEnd = 0
}

/** Whether there is a further line: a line ending at the end of the source begins none. */
export function hasLine(lines: Lines): boolean {
  return lines.next < lines.source.length
}

export function readLine(lines: Lines): void {
  const { source, next } = lines
  if (lines.lineFeed < next) lines.lineFeed = find(source, '\n', next)
  if (lines.carriageReturn < next) lines.carriageReturn = find(source, '\r', next)
  const end = Math.min(lines.lineFeed, lines.carriageReturn)
  lines.number += 1
  lines.start = next
  lines.end = end
  lines.next = end === lines.carriageReturn && source.charCodeAt(end + 1) === 10 ? end + 2 : end + 1
  let textEnd = end
  while (textEnd > next && isSpace(source.charCodeAt(textEnd - 1))) textEnd -= 1
  let textStart = next
  while (textStart < textEnd && isSpace(source.charCodeAt(textStart))) textStart += 1
  lines.textStart = textStart
  lines.textEnd = textEnd
}

function find(source: string, char: string, from: number): number {
  const at = source.indexOf(char, from)
  return at < 0 ? source.length : at
}

/** Keeps the line that was read last; its content is from `start` to `end`. */
export function keepLine(lines: Lines, start: number, end: number): void {
  const at = lines.keptEnd
  lines.kept[at] = lines.start
  lines.kept[at + 1] = start
  lines.kept[at + 2] = end
  lines.keptEnd = at + 3
}

/** Whether the source has the kept lines as a leaf does, joined by one LF each. */
export function areJoined(lines: Lines): boolean {
  const { source, kept, keptEnd } = lines
  for (let at = 3; at < keptEnd; at += 3) {
    const previousEnd = kept[at - 1] ?? 0
    if (kept[at + 1] !== previousEnd + 1 || source.charCodeAt(previousEnd) !== 10) return false
  }
  return true
}

/** The kept lines, joined by one LF each. */
export function joinLines(lines: Lines): string {
  const { source, kept, keptEnd } = lines
  let joined = ''
  let sliceStart = kept[1] ?? 0
  for (let at = 3; at < keptEnd; at += 3) {
    const previousEnd = kept[at - 1] ?? 0
    const start = kept[at + 1] ?? 0
    if (start === previousEnd + 1 && source.charCodeAt(previousEnd) === 10) continue
    joined += `${source.slice(sliceStart, previousEnd)}\n`
    sliceStart = start
  }
  const last = keptEnd > 0 ? source.slice(sliceStart, kept[keptEnd - 1]) : ''
  return joined === '' ? last : joined + last
}

/** The place of an offset in the line that was read last. */
export function pointAt(lines: Lines, offset: number): Point {
  return { line: lines.number, column: offset - lines.start + 1, offset }
}

/** The place of the source's end, once all lines have been read. */
export function endPoint(lines: Lines): Point {
  const offset = lines.source.length
  if (offset === 0) return { line: 1, column: 1, offset }
  return lines.next === offset ? { line: lines.number + 1, column: 1, offset } : pointAt(lines, offset)
}
