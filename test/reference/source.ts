/** §1, lines, and unist's points: the input as lines with their offsets. */

import type { Point, Position } from '../../src/tree.js'

/** One line: `start` to `end` without its ending, which runs to `next`. */
export interface Line {
  start: number
  end: number
  next: number
  /** The line with the spaces at both ends removed, and its position. */
  trimmed: string
  trimmedStart: number
  trimmedEnd: number
}

export interface Source {
  /** The input with U+0000 read as U+FFFD (§1), which moves no offset. */
  text: string
  lines: Line[]
}

/** One character of a leaf and its position in the input. */
export interface SourceCharacter {
  value: string
  start: number
  end: number
}

export function readSource(input: string): Source {
  const text = input.replaceAll('\u0000', '\uFFFD')
  return { text, lines: readLines(text) }
}

/** §1: "A line ends at LF, CR or CRLF, or at the end of the input." An input that ends in one has no further line. */
function readLines(text: string): Line[] {
  const lines: Line[] = []
  let start = 0
  while (start < text.length) {
    let end = start
    while (end < text.length && text[end] !== '\n' && text[end] !== '\r') end += 1
    let next = end
    if (text[end] === '\r' && text[end + 1] === '\n') next = end + 2
    else if (end < text.length) next = end + 1
    lines.push(trimLine(text, start, end, next))
    start = next
  }
  return lines
}

/** §1: "Space means U+0020 or U+0009. Spaces at both ends of a line never matter". */
function trimLine(text: string, start: number, end: number, next: number): Line {
  let trimmedStart = start
  let trimmedEnd = end
  while (trimmedStart < trimmedEnd && isSpace(text[trimmedStart])) trimmedStart += 1
  while (trimmedEnd > trimmedStart && isSpace(text[trimmedEnd - 1])) trimmedEnd -= 1
  return { start, end, next, trimmed: text.slice(trimmedStart, trimmedEnd), trimmedStart, trimmedEnd }
}

export function isSpace(character: string | undefined): boolean {
  return character === ' ' || character === '\t'
}

/** §1: "A character is a code point; a lone surrogate is one too." */
export function charactersBetween(source: Source, start: number, end: number): SourceCharacter[] {
  const characters: SourceCharacter[] = []
  let at = start
  for (const value of source.text.slice(start, end)) {
    characters.push({ value, start: at, end: at + value.length })
    at += value.length
  }
  return characters
}

export function positionOf(source: Source, start: number, end: number): Position {
  return { start: pointOf(source, start), end: pointOf(source, end) }
}

function pointOf(source: Source, offset: number): Point {
  let line = 1
  let lineStart = 0
  for (const { end, next } of source.lines) {
    // The last line may have no ending; then no line follows it.
    if (next > end && next <= offset) {
      line += 1
      lineStart = next
    }
  }
  return { line, column: offset - lineStart + 1, offset }
}
