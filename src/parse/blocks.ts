/** The block pass (§2): reads the lines and finds the blocks. */
import { unreachable } from '../tree.js'
import { isFile } from './mention.js'
import { endOfRun, endOfSpaces, startOfSpaces } from './neighbors.js'
import type { Reader } from './reader.js'
import type { BlockType, SourceBlock } from './tape.js'
import { BACKTICK, HASH, LESS_THAN, LINE_FEED, positionAt, RETURN, STAR } from './units.js'

/** Finds the blocks of the source, whose stops and lines are known. */
export function findBlocks(reader: Reader): void {
  const chars = reader.chars
  const { stops, lines, lineCount } = reader
  const blocks: SourceBlock[] = []
  reader.blocks = blocks
  let lineStart = 1
  let firstStop = 0
  /** The type of the previous line, null if it is blank: this line may continue its paragraph or its list. */
  let before: BlockType | null = null
  for (let line = 0; line < lineCount; line += 1) {
    const lastStop = lastStopOf(lines, line)
    const lineEnd = positionAt(stops, lastStop)
    const start = endOfSpaces(chars, lineStart, lineEnd)
    const end = startOfSpaces(chars, start, lineEnd)
    const lineType = start === end ? null : typeOfLine(reader, start, end, lastStop)
    const paragraph = lineType === 'paragraph' && before === 'paragraph' ? blocks.at(-1) : undefined
    if (paragraph !== undefined) {
      paragraph.end = end
      paragraph.last = lastStop
    } else if (lineType === 'code') {
      line = addCode(reader, start, end, line)
    } else if (lineType !== null) {
      const type = lineType === 'item' && before !== 'item' ? 'firstItem' : lineType
      const contentStart = contentOf(chars, type, start, end)
      blocks.push({ type, start, contentStart, end, first: firstStop, last: lastStop })
    }
    before = lineType
    firstStop = lastStopOf(lines, line) + 1
    lineStart = startOfLine(reader, line + 1)
  }
}

/** The start of a line; the first is line 0. */
export function startOfLine(reader: Reader, line: number): number {
  return line === 0 ? 1 : endOfLineEnding(reader, endOfLine(reader, line - 1))
}

/** Returns the position after the line ending at `at`. */
export function endOfLineEnding({ chars, length }: Reader, at: number): number {
  return chars[at] === RETURN && chars[at + 1] === LINE_FEED && at < length ? at + 2 : at + 1
}

/** Returns the start of the line ending of a line. */
export function endOfLine({ stops, lines }: Reader, line: number): number {
  return positionAt(stops, lastStopOf(lines, line))
}

/** Returns the stop that ends a line. */
function lastStopOf(lines: Int32Array, line: number): number {
  return lines[line] as number
}

/** The table of §2: the first row that fits the line wins. */
function typeOfLine(reader: Reader, start: number, end: number, lastStop: number): BlockType {
  const chars = reader.chars
  switch (chars[start]) {
    case BACKTICK:
      return isFence(reader, start, lastStop) ? 'code' : 'paragraph'
    case LESS_THAN:
      return isFile(reader, start, end) ? 'file' : 'paragraph'
    case HASH:
      if (contentOf(chars, 'heading1', start, end) > start + 1) return 'heading1'
      return chars[start + 1] === HASH && contentOf(chars, 'heading2', start, end) > start + 2
        ? 'heading2'
        : 'paragraph'
    case STAR:
      return isItem(chars, start, end) ? 'item' : 'paragraph'
    default:
      return 'paragraph'
  }
}

/** The start of a line's text, after the marker of a heading or an item and the spaces there. */
function contentOf(chars: Uint16Array, type: BlockType, start: number, end: number): number {
  switch (type) {
    case 'heading1':
    case 'item':
    case 'firstItem':
      return endOfSpaces(chars, start + 1, end)
    case 'heading2':
      return endOfSpaces(chars, start + 2, end)
    case 'paragraph':
    case 'code':
    case 'file':
      return start
    default:
      return unreachable(type)
  }
}

/** Whether a line is `*`, spaces and text. A single star is not enough as text. */
function isItem(chars: Uint16Array, start: number, end: number): boolean {
  const content = contentOf(chars, 'item', start, end)
  if (content === start + 1) return false
  return chars[content] !== STAR || (content + 1 < end && endOfSpaces(chars, content + 1, end) === content + 1)
}

/** Whether a line starts with three or more backticks and has no others. */
function isFence({ chars, stops }: Reader, start: number, lastStop: number): boolean {
  const end = endOfRun(chars, start)
  if (end - start < 3) return false
  // The last backtick of the line is one of these.
  let stop = lastStop - 1
  while (chars[positionAt(stops, stop)] !== BACKTICK) stop -= 1
  return positionAt(stops, stop) < end
}

/** Adds the fenced code whose opening fence is on `line`, and returns the index of its last line. */
function addCode(reader: Reader, start: number, infoEnd: number, line: number): number {
  const chars = reader.chars
  const closing = closingFence(reader, endOfRun(chars, start) - start, line)
  let contentEnd = closing
  // A line ending at the end of the source does not start another line.
  if (closing === reader.lineCount && startOfLine(reader, closing - 1) > reader.length && closing - 1 > line)
    contentEnd -= 1
  const end =
    closing < reader.lineCount
      ? startOfSpaces(chars, startOfLine(reader, closing), endOfLine(reader, closing))
      : endOfLine(reader, contentEnd - 1)
  reader.blocks.push({ type: 'code', start, contentStart: infoEnd, end, first: line + 1, last: contentEnd })
  return Math.min(closing, reader.lineCount - 1)
}

/** Returns the line that closes fenced code: at least `length` backticks and nothing else. Returns the number of lines if no line does. */
function closingFence(reader: Reader, length: number, fence: number): number {
  const chars = reader.chars
  for (let line = fence + 1; line < reader.lineCount; line += 1) {
    const end = endOfLine(reader, line)
    const start = endOfSpaces(chars, startOfLine(reader, line), end)
    if (chars[start] !== BACKTICK) continue
    const runEnd = endOfRun(chars, start)
    if (runEnd - start >= length && endOfSpaces(chars, runEnd, end) === end) return line
  }
  return reader.lineCount
}
