/** Splits an arriving text into lines, and tracks columns within a line. */
import type { Point } from '../../tree.js'

/** A line without its ending. U+0000 is read as U+FFFD (CommonMark 2.3). */
export interface Line {
  readonly text: string
  /** Counted from 1. */
  readonly number: number
  /** The start in the source, and the number of characters before it on the same line. */
  readonly offset: number
  readonly column: number
}

/** The state of a text that arrives in chunks. */
export interface Lines {
  /** The unfinished line, and its start. */
  rest: string
  number: number
  offset: number
  /** Whether a CR ended the line before: an LF that follows belongs to it. */
  isAfterReturn: boolean
}

export function createLines(): Lines {
  return { rest: '', number: 1, offset: 0, isAfterReturn: false }
}

/**
 * Adds the next chunk of a text. It may be cut anywhere.
 *
 * @param lines - the state
 * @param chunk - the chunk
 * @returns the lines that end in this chunk
 */
export function pushChunk(lines: Lines, chunk: string): Line[] {
  if (chunk === '') return []
  const isJoined = lines.isAfterReturn && chunk.startsWith('\n')
  if (isJoined) lines.offset += 1
  lines.isAfterReturn = chunk.endsWith('\r')
  const ended: Line[] = []
  let start = isJoined ? 1 : 0
  for (let at = endOfLine(chunk, start); at < chunk.length; at = endOfLine(chunk, start)) {
    lines.rest += chunk.slice(start, at)
    const ending = chunk.startsWith('\r\n', at) ? 2 : 1
    ended.push(lineOf(lines))
    lines.offset += lines.rest.length + ending
    lines.number += 1
    lines.rest = ''
    start = at + ending
  }
  lines.rest += chunk.slice(start)
  return ended
}

function endOfLine(text: string, start: number): number {
  for (let at = start; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === 10 || code === 13) return at
  }
  return text.length
}

/** Returns the unfinished line as if it ended here. */
export function lineOf({ rest, number, offset }: Lines): Line {
  // A byte order mark is not part of the text.
  const isMarked = offset === 0 && rest.startsWith('\uFEFF')
  const text = (isMarked ? rest.slice(1) : rest).replaceAll('\0', '\uFFFD')
  return { text, number, offset: isMarked ? 1 : offset, column: 0 }
}

/** Returns the rest of a line as a line. */
export function restFrom({ text, number, offset, column }: Line, at: number): Line {
  return { text: text.slice(at), number, offset: offset + at, column: column + at }
}

/** A position in a line, followed by optional white space and a text. A tab reaches to the next multiple of four columns. */
export interface Cursor {
  readonly line: Line
  at: number
  column: number
  /** Whether the cursor is within the columns of the tab at `at`. */
  isInTab: boolean
  /** The offset of the text after the white space, and the columns of white space before it. */
  textAt: number
  indent: number
}

export function openCursor(line: Line): Cursor {
  const cursor: Cursor = { line, at: 0, column: 0, isInTab: false, textAt: 0, indent: 0 }
  lookAhead(cursor)
  return cursor
}

function lookAhead(cursor: Cursor): void {
  const { text } = cursor.line
  let { at, column } = cursor
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === 9) column += 4 - (column % 4)
    else if (code === 32) column += 1
    else break
  }
  cursor.textAt = at
  cursor.indent = column - cursor.column
}

/** Skips at most the given number of columns of white space. */
export function passSpace(cursor: Cursor, columns: number): void {
  const { text } = cursor.line
  const end = cursor.column + Math.min(columns, cursor.indent)
  while (cursor.column < end) {
    const width = text.charCodeAt(cursor.at) === 9 ? 4 - (cursor.column % 4) : 1
    cursor.isInTab = cursor.column + width > end
    cursor.column = cursor.isInTab ? end : cursor.column + width
    if (!cursor.isInTab) cursor.at += 1
  }
  lookAhead(cursor)
}

/** Skips the white space and the given number of characters after it. */
export function passText(cursor: Cursor, length: number): void {
  cursor.column += cursor.indent + length
  cursor.at = cursor.textAt + length
  cursor.isInTab = false
  lookAhead(cursor)
}

export function isBlank({ line, textAt }: Cursor): boolean {
  return textAt === line.text.length
}

/** Returns the text after the white space. */
export function textOf({ line, textAt }: Cursor): string {
  return line.text.slice(textAt)
}

/** A part of a line, and the distance from an offset in `text` to the offset in the line. */
export interface Piece {
  readonly text: string
  readonly line: Line
  readonly shift: number
}

/** Returns all text after the cursor; the rest of a tab becomes spaces. */
export function restOf({ line, at, column, isInTab }: Cursor): Piece {
  if (!isInTab) return { text: line.text.slice(at), line, shift: at }
  const width = 4 - (column % 4)
  return { text: ' '.repeat(width) + line.text.slice(at + 1), line, shift: at + 1 - width }
}

/** Returns the text after the white space, with the given number of spaces before it. */
export function pieceOf(cursor: Cursor, spaces: number): Piece {
  return { text: ' '.repeat(spaces) + textOf(cursor), line: cursor.line, shift: cursor.textAt - spaces }
}

/** Returns the position in the source of a character of a line. */
export function pointAt({ number, offset, column }: Line, at: number): Point {
  return { line: number, column: column + at + 1, offset: offset + at }
}

/** Returns the position after a line. */
export function endOf(line: Line): Point {
  return pointAt(line, line.text.length)
}
