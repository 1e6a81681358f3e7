/** Does the first steps of a parse, up to the blocks (§1, §2). */
import { isSpace, langOf, withoutNull } from '../characters.js'
import { anyDelimiter, SEPARATOR } from '../delimiters.js'
import { isFile } from './constructs.js'
import type { BlockType, SourceBlock } from './events.js'
import { acquireState, createMemory, grow, load, type ParseState, releaseState } from './state.js'
import * as Unit from './units.js'
import {
  endOfRun,
  endOfSpaces,
  isEscapable,
  isSpaceAt,
  positionAt,
  startOfHttp,
  startOfSpaces,
  stopAt,
  unitAt,
  units,
} from './units.js'

/** Matches every character at which parsing can stop, except delimiters inside an ASCII word, which are text. */
const specialPattern = new RegExp(
  `[\\\\\`<&[\\n\\r\\0${SEPARATOR}]|:\\/\\/|${anyDelimiter}(?![A-Za-z\\d])|(?<![A-Za-z\\d])${anyDelimiter}`,
  'g',
)

// V8 compiles a regular expression at its second use, separately for one-byte and two-byte strings, and optimizes it for that
// string. If half of that string were stars, every later search would be three times slower. So the first strings are plain.
for (const text of ['a', 'a', '\u2014a', '\u2014a']) specialPattern.test(text)

/** The result of `firstSpecial` if the whole source is the unchanged text of one paragraph. */
export const PLAIN = 0

/** Returns the position from which a source must be parsed, counted from 1; {@link PLAIN} if it need not be parsed. */
export function firstSpecial(source: string): number {
  const { length } = source
  if (length === 0) return 1
  specialPattern.lastIndex = 0
  if (specialPattern.test(source)) {
    const end = specialPattern.lastIndex
    // The match ends after all of `://`, but the stop is its colon.
    return source.charCodeAt(end - 1) === 47 /* / */ ? end - 2 : end
  }
  const first = source.charCodeAt(0)
  // Every block marker begins with an escapable character, so a source that begins with any other character is a paragraph.
  return first > 32 && !isEscapable(first) && source.charCodeAt(length - 1) > 32 ? PLAIN : length + 1
}

/**
 * Finds the stops, lines and blocks of a source. Its leaves are parsed one by one, each when an output needs it.
 *
 * @param from - the position of the first character that may be special, counted from 1
 * @returns the state of the parse, which the caller must release
 */
export function parseBlocks(source: string, from: number): ParseState {
  const state = loadSource(source, from)
  findBlocks(state)
  return state
}

/** Loads a source and finds its stops and lines. */
export function loadSource(source: string, from: number): ParseState {
  const state = acquireState()
  const { length } = source
  state.source = source
  state.length = length
  // `findStops` reads eight characters at a time, also after the end. Memory for twice the length fits later sources, too.
  if (length + 10 > state.chars.length) Object.assign(state, createMemory(2 * length + 512))
  load(state, source)
  state.shrugEnd = 0
  state.chainEnd = 0
  if (!dropPlainStops(state, findStops(state, from))) {
    releaseState(state)
    return loadSource(withoutNull(source), 1)
  }
  return state
}

/**
 * Finds the characters at which reading could stop, and returns their number. Reads eight characters at a time. If one of them is a
 * stop, writes all eight positions, but only a stop increases the count: a mispredicted branch at every stop would cost more time
 * than the rest of this function.
 */
function findStops(state: ParseState, from: number): number {
  const { chars, length } = state
  const table = units
  let { stops } = state
  let count = 0
  for (let at = from; at <= length + 1; at += 8) {
    const a = table[chars[at] as number] as number
    const b = table[chars[at + 1] as number] as number
    const c = table[chars[at + 2] as number] as number
    const d = table[chars[at + 3] as number] as number
    const e = table[chars[at + 4] as number] as number
    const f = table[chars[at + 5] as number] as number
    const g = table[chars[at + 6] as number] as number
    const h = table[chars[at + 7] as number] as number
    if (((a | b | c | d | e | f | g | h) & Unit.IS_STOP) === 0) continue
    if (count + 8 > stops.length) stops = state.stops = grow(stops)
    stops[count] = at
    count += a & Unit.IS_STOP
    stops[count] = at + 1
    count += b & Unit.IS_STOP
    stops[count] = at + 2
    count += c & Unit.IS_STOP
    stops[count] = at + 3
    count += d & Unit.IS_STOP
    stops[count] = at + 4
    count += e & Unit.IS_STOP
    stops[count] = at + 5
    count += f & Unit.IS_STOP
    stops[count] = at + 6
    count += g & Unit.IS_STOP
    stops[count] = at + 7
    count += h & Unit.IS_STOP
  }
  // The memory after the last line ending may still contain an earlier text, whose stops are removed here.
  while (count > 0 && positionAt(stops, count - 1) > length + 1) count -= 1
  return count
}

/**
 * Removes the stops that are text because of their neighbors, and finds the lines. Returns false for a source with U+0000, which must be
 * replaced first.
 */
function dropPlainStops(state: ParseState, count: number): boolean {
  const { chars, stops, length } = state
  let stopsEnd = 0
  let afterReturn = 0
  state.lineCount = 0
  for (let index = 0; index < count; index += 1) {
    let at = positionAt(stops, index)
    switch (stopAt(chars, at)) {
      case Unit.STOP_FLANKING:
      case Unit.STOP_BOUNDARY:
        // snake_case, a - b: a single delimiter between two letters or two spaces is text (§4). Most delimiters are such text.
        if ((unitAt(chars, at - 1) & unitAt(chars, at + 1) & (Unit.WORD_UNIT | Unit.SPACE_UNIT)) !== 0) continue
        break
      case Unit.STOP_COLON:
        at = chars[at + 1] === Unit.SLASH && chars[at + 2] === Unit.SLASH ? startOfHttp(chars, at) : 0
        if (at === 0) continue
        break
      case Unit.STOP_NULL:
        return false
      case Unit.STOP_LINE_FEED:
        // The LF of a CRLF does not end another line.
        if (at === afterReturn && at <= length) continue
        addLine(state, stopsEnd)
        break
      case Unit.STOP_RETURN:
        afterReturn = at + 1
        addLine(state, stopsEnd)
    }
    stops[stopsEnd] = at
    stopsEnd += 1
  }
  state.stopsEnd = stopsEnd
  return true
}

/** Adds a line that ends at the given stop. */
function addLine(state: ParseState, stop: number): void {
  const { lineCount } = state
  if (lineCount === state.lines.length) state.lines = grow(state.lines)
  state.lines[lineCount] = stop
  state.lineCount = lineCount + 1
}

/** Finds the blocks of the source, whose stops and lines are known. */
function findBlocks(state: ParseState): void {
  const { chars, stops, lines, lineCount } = state
  let blocks: SourceBlock[] = []
  let lineStart = 1
  let first = 0
  /** The type of the previous line, null if that line is blank. A line can continue the paragraph or the list of the previous line. */
  let before: BlockType | null = null
  for (let line = 0; line < lineCount; line += 1) {
    const last = lastStopOf(lines, line)
    const lineEnd = positionAt(stops, last)
    const start = endOfSpaces(chars, lineStart, lineEnd)
    const end = startOfSpaces(chars, start, lineEnd)
    const lineType = start === end ? null : typeOfLine(state, start, end)
    const paragraph = lineType === 'paragraph' && before === 'paragraph' ? blocks.at(-1) : undefined
    if (paragraph !== undefined) {
      paragraph.end = end
      paragraph.last = last
    } else if (lineType === 'code') {
      line = addCode(state, blocks, start, line)
    } else if (lineType !== null) {
      const type = lineType === 'item' && before !== 'item' ? 'firstItem' : lineType
      const hasMarker = type !== 'paragraph' && type !== 'file'
      const contentStart = hasMarker ? endOfSpaces(chars, endOfRun(chars, start), end) : start
      const block = { type, start, contentStart, end, first, last }
      // Most messages are one block: a literal is smaller than an array grown by `push`, which has space for 17.
      if (blocks.length === 0) blocks = [block]
      else blocks.push(block)
    }
    before = lineType
    first = lastStopOf(lines, line) + 1
    lineStart = startOfLine(state, line + 1)
  }
  state.blocks = blocks
}

/** Returns the start of a line; the first line has the number 0. */
export function startOfLine(state: ParseState, line: number): number {
  return line === 0 ? 1 : endOfLineEnding(state, endOfLine(state, line - 1))
}

/** Returns the position after the line ending at `at`. */
export function endOfLineEnding({ chars, length }: ParseState, at: number): number {
  return chars[at] === Unit.RETURN && chars[at + 1] === Unit.LINE_FEED && at < length ? at + 2 : at + 1
}

/** Returns the start of the line ending of a line. */
function endOfLine({ stops, lines }: ParseState, line: number): number {
  return positionAt(stops, lastStopOf(lines, line))
}

/** Returns the index of the stop that ends a line. */
function lastStopOf(lines: Int32Array, line: number): number {
  return lines[line] as number
}

/** Returns the type of the first row of the table of §2 that matches a line. */
function typeOfLine(state: ParseState, start: number, end: number): BlockType {
  const { chars } = state
  switch (chars[start]) {
    case Unit.BACKTICK:
      return isFence(state, start, end) ? 'code' : 'paragraph'
    case Unit.LESS_THAN:
      return isFile(state, start, end) ? 'file' : 'paragraph'
    case Unit.HASH: {
      const markerEnd = endOfRun(chars, start)
      if (markerEnd - start > 2 || endOfSpaces(chars, markerEnd, end) === markerEnd) return 'paragraph'
      return markerEnd - start === 1 ? 'heading1' : 'heading2'
    }
    case Unit.STAR:
      return isItem(chars, start, end) ? 'item' : 'paragraph'
    default:
      return 'paragraph'
  }
}

/** Whether a line is `*`, spaces and text. A text that is a star, or begins with a star and a space, does not count: `* * *`. */
function isItem(chars: Uint16Array, start: number, end: number): boolean {
  const text = endOfSpaces(chars, start + 1, end)
  const isStar = chars[text] === Unit.STAR && (text + 1 === end || isSpaceAt(chars, text + 1))
  return text > start + 1 && !isStar
}

/** Whether a line starts with three or more backticks and has no others. */
function isFence({ chars, source }: ParseState, start: number, end: number): boolean {
  const runEnd = endOfRun(chars, start)
  return runEnd - start >= 3 && source.lastIndexOf('`', end - 2) === runEnd - 2
}

/** Adds the fenced code whose opening fence is on `line`, and returns the index of its last line. */
function addCode(state: ParseState, blocks: SourceBlock[], start: number, line: number): number {
  const { chars, lineCount } = state
  const contentStart = endOfRun(chars, start)
  const length = contentStart - start
  let closingLine = line + 1
  while (closingLine < lineCount && closingFenceOf(state, closingLine, length) === 0) closingLine += 1
  let end = endOfLine(state, closingLine - 1)
  let last = end
  if (closingLine < lineCount) {
    const lineStart = startOfLine(state, closingLine)
    end = startOfSpaces(chars, lineStart, endOfLine(state, closingLine))
    // Text before the fence is a line of the code.
    const fence = closingFenceOf(state, closingLine, length)
    if (endOfSpaces(chars, lineStart, end) < fence) last = fence
  } else if (startOfLine(state, closingLine - 1) > state.length && closingLine - 1 > line) {
    // A line ending at the end of the source does not start another line (§2), so the code ends with the line before.
    end = last = endOfLine(state, closingLine - 2)
  }
  blocks.push({ type: 'code', start, contentStart, end, first: endOfLine(state, line), last })
  return Math.min(closingLine, lineCount - 1)
}

/** Returns the start of the backticks with which a line closes fenced code, or 0 if the line does not close the code. */
function closingFenceOf(state: ParseState, line: number, length: number): number {
  return closingFence(state.source, startOfLine(state, line) - 1, endOfLine(state, line) - 1, length) + 1
}

/**
 * Returns the start of the backticks with which a line from `start` to `end` closes fenced code (§2), or -1 if the line does not
 * close the code. Offsets count from 0.
 *
 * @param length - the number of backticks of the opening fence
 */
export function closingFence(source: string, start: number, end: number, length: number): number {
  let runEnd = end
  while (runEnd > start && isSpace(source.charCodeAt(runEnd - 1))) runEnd -= 1
  let run = runEnd
  while (run > start && source.charCodeAt(run - 1) === Unit.BACKTICK) run -= 1
  if (runEnd - run < length) return -1
  const text = source.slice(start, run)
  // The line is code if a marker such as `>`, text with a space at its end such as `/// `, or another fence precedes the run.
  if (/^[ \t]*[-+>*#]$|[^ \t][ \t]+$/.test(text) || text.includes('`'.repeat(length))) return -1
  return run
}

/**
 * Returns the fenced code of a block. If the text after the opening fence is not a language, it is the first line of the
 * code. Each later line loses as many spaces as are before the opening fence, or fewer if the line has fewer.
 */
export function fencedCodeAt(
  { chars, source }: ParseState,
  { start: fence, contentStart: infoStart, first: infoEnd, last: end }: SourceBlock,
): { lang: string | null; value: string } {
  const start = endOfSpaces(chars, infoStart, infoEnd)
  const infoString = source.slice(start - 1, startOfSpaces(chars, start, infoEnd) - 1)
  const isLang = infoString === langOf(infoString)
  const indent = fence - startOfSpaces(chars, 0, fence)
  let value = source.slice((isLang ? infoEnd : infoStart) - 1, end - 1)
  if (indent > 0 || value.includes('\r')) {
    value = value.replace(/(?:\r\n?|\n)([ \t]*)/g, (_, spaces: string) => `\n${spaces.slice(indent)}`)
  }
  return isLang ? { lang: infoString || null, value: value.slice(1) } : { lang: null, value }
}
