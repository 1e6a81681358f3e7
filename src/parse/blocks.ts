/** The block pass (§2): reads the lines and finds the blocks. */
import { unreachable } from '../tree.js'
import { isFile } from './mention.js'
import { endOfRun, endOfSpaces, startOfSpaces } from './neighbors.js'
import { grown, type Reader } from './reader.js'
import {
  BLOCK_SIZE,
  type BlockType,
  CODE_BLOCK,
  extendBlock,
  FILE,
  FIRST_ITEM,
  HEADING_1,
  HEADING_2,
  ITEM,
  PARAGRAPH,
  setBlock,
} from './tape.js'
import { BACKTICK, HASH, LESS_THAN, LINE_FEED, positionAt, RETURN, STAR } from './units.js'

/** The type of a blank line. It is not a block. */
const BLANK = 0

/** Finds the blocks of the source, whose stops and lines are known. */
export function findBlocks(reader: Reader): void {
  const chars = reader.chars
  const { stops, lines, lineCount } = reader
  reader.blocksEnd = 0
  let lineStart = 1
  let firstStop = 0
  /** The type of the previous line: this line may continue its paragraph or its list. */
  let before: BlockType | typeof BLANK = BLANK
  for (let line = 0; line < lineCount; line += 1) {
    const lastStop = lastStopOf(lines, line)
    const lineEnd = positionAt(stops, lastStop)
    const start = endOfSpaces(chars, lineStart, lineEnd)
    const end = startOfSpaces(chars, start, lineEnd)
    const type = start === end ? BLANK : typeOfLine(reader, start, end, lastStop)
    if (type === PARAGRAPH && before === PARAGRAPH) {
      extendBlock(reader.blocks, reader.blocksEnd - BLOCK_SIZE, end, lastStop)
    } else if (type === CODE_BLOCK) {
      line = addCode(reader, start, end, line)
    } else if (type !== BLANK) {
      const isFirst = type === ITEM && before !== ITEM
      addBlock(reader, isFirst ? FIRST_ITEM : type, start, contentOf(chars, type, start, end), end, firstStop, lastStop)
    }
    before = type
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
      return isFence(reader, start, lastStop) ? CODE_BLOCK : PARAGRAPH
    case LESS_THAN:
      return isFile(reader, start, end) ? FILE : PARAGRAPH
    case HASH:
      if (contentOf(chars, HEADING_1, start, end) > start + 1) return HEADING_1
      return chars[start + 1] === HASH && contentOf(chars, HEADING_2, start, end) > start + 2 ? HEADING_2 : PARAGRAPH
    case STAR:
      return isItem(chars, start, end) ? ITEM : PARAGRAPH
    default:
      return PARAGRAPH
  }
}

/** The start of a line's text, after the marker of a heading or an item and the spaces there. */
function contentOf(chars: Uint16Array, type: BlockType, start: number, end: number): number {
  switch (type) {
    case HEADING_1:
    case ITEM:
    case FIRST_ITEM:
      return endOfSpaces(chars, start + 1, end)
    case HEADING_2:
      return endOfSpaces(chars, start + 2, end)
    case PARAGRAPH:
    case CODE_BLOCK:
    case FILE:
      return start
    default:
      return unreachable(type)
  }
}

/** Whether a line is `*`, spaces and text. A single star is not enough as text. */
function isItem(chars: Uint16Array, start: number, end: number): boolean {
  const content = contentOf(chars, ITEM, start, end)
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
  addBlock(reader, CODE_BLOCK, start, infoEnd, end, line + 1, contentEnd)
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

export function addBlock(
  reader: Reader,
  type: BlockType,
  start: number,
  contentStart: number,
  end: number,
  first: number,
  last: number,
): void {
  const at = reader.blocksEnd
  if (at + BLOCK_SIZE > reader.blocks.length) reader.blocks = grown(reader.blocks)
  setBlock(reader.blocks, at, type, start, contentStart, end, first, last)
  reader.blocksEnd = at + BLOCK_SIZE
}
