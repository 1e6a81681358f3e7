/** The block pass (§2): reads a source line by line and finds its blocks; the inline pass reads their text. */
import { endOfSpaces, isSpace } from '../characters.js'
import { endOfBackticks } from './code.js'
import { readLeaf } from './inline.js'
import { EVENT_SIZE, type Leaf, NOWHERE } from './leaf.js'
import {
  areJoined,
  createLines,
  joinLines,
  keepLine,
  keepOnly,
  keptStart,
  LINE_SIZE,
  type Lines,
  readLine,
} from './lines.js'
import { fileOf } from './mention.js'
import type { Output, ParentType } from './output.js'
import { writePhrasing } from './phrasing.js'
import { createSpecials, type Specials } from './specials.js'

const STAR = 42
const HASH = 35
const BACKTICK = 96

/** Longer tapes are let go, and the matches with them, so that one hostile message holds no memory for ever. */
const TAPE_LENGTH_MAX = 4096 * EVENT_SIZE

/** One tape serves every leaf: a parse calls nobody back who could begin another. */
let tape: Int32Array = new Int32Array(64 * EVENT_SIZE)
let matches: number[] = []

interface Document {
  readonly lines: Lines
  readonly specials: Specials
  readonly output: Output
  /** Whether the kept lines are a paragraph's. */
  isInParagraph: boolean
  /** Where the list ends that the next item joins, -1 without one. */
  listEnd: number
}

/** Reads a whole source, in which U+0000 has been replaced. */
export function readSource(source: string, output: Output): Lines {
  const lines = createLines(source)
  const document: Document = { lines, specials: createSpecials(source), output, isInParagraph: false, listEnd: -1 }
  while (readLine(lines)) {
    if (!readBlock(document)) readParagraphLine(document)
  }
  endBlocks(document)
  if (tape.length > TAPE_LENGTH_MAX) {
    tape = new Int32Array(64 * EVENT_SIZE)
    matches = []
  }
  return lines
}

/** The table of §2: the first row that fits the line wins. Whether one did, but for the last. */
function readBlock(document: Document): boolean {
  const { source, textStart, textEnd } = document.lines
  if (textStart === textEnd) return endBlocks(document)
  switch (source.charCodeAt(textStart)) {
    case BACKTICK:
      return readFence(document)
    case 60 /* < */:
      return readFile(document)
    case HASH:
      return readHeading(document)
    case STAR:
      return readItem(document)
    default:
      return false
  }
}

/** Ends the paragraph or the list before a line that belongs to neither; of a blank line there is no more to say. */
function endBlocks(document: Document): true {
  endParagraph(document)
  endList(document)
  return true
}

/** Three or more backticks, then no further backtick: fenced code. */
const fence = /^(`{3,})[ \t]*([^ \t]*)[ \t]*(.*)/s

function readFence(document: Document): boolean {
  const { lines, output } = document
  const { source, textStart, textEnd } = lines
  const line = source.slice(textStart, textEnd)
  // Asked first, so that nothing behind the backticks can fail and be tried again.
  if (line.indexOf('`', endOfBackticks(line, 0)) >= 0) return false
  const [found, backticks = '', lang, meta] = fence.exec(line) ?? []
  if (found === undefined) return false
  endBlocks(document)
  enterLine(document, textStart)
  output.openCode(textStart)
  lines.keptEnd = 0
  const end = readFenced(lines, backticks.length, textStart - lines.start)
  const value = joinLines(lines)
  enterLine(document, lines.start)
  output.code(lang || null, meta || null, value, end)
  return true
}

/** Keeps the lines of fenced code up to its closing fence or the end of the source, and says where the code ends. */
function readFenced(lines: Lines, length: number, indent: number): number {
  const { source } = lines
  while (readLine(lines)) {
    if (backticksOf(lines) >= length) return lines.textEnd
    keepLine(lines, endOfSpaces(source, lines.start, Math.min(lines.end, lines.start + indent)), lines.end)
  }
  return lines.end
}

/** How many backticks the line is that was read last, 0 where it holds anything else. */
export function backticksOf({ source, textStart, textEnd }: Lines): number {
  const isFence = source.charCodeAt(textStart) === BACKTICK && endOfBackticks(source, textStart) === textEnd
  return isFence ? textEnd - textStart : 0
}

/** `<!id|label>` and nothing else: a file. */
function readFile(document: Document): boolean {
  const { source, textStart, textEnd } = document.lines
  const found = source.charCodeAt(textStart + 1) === 33 /* ! */ ? fileOf(source.slice(textStart, textEnd)) : null
  if (found === null) return false
  endBlocks(document)
  enterLine(document, textStart)
  document.output.file(found.id, found.label, textStart, textEnd)
  return true
}

/** `#` or `##`, spaces, at least one character: a heading. */
function readHeading(document: Document): boolean {
  const { source, textStart, textEnd } = document.lines
  const markerEnd = source.charCodeAt(textStart + 1) === HASH ? textStart + 2 : textStart + 1
  const start = endOfSpaces(source, markerEnd, textEnd)
  if (start === markerEnd) return false
  endBlocks(document)
  readRest(document, start, markerEnd - textStart === 1 ? 'heading1' : 'heading2')
  return true
}

/** `*`, spaces, at least one character, but not a star that stands alone: an item of a list. */
function readItem(document: Document): boolean {
  const { lines, output } = document
  const { source, textStart, textEnd } = lines
  const start = endOfSpaces(source, textStart + 1, textEnd)
  if (start === textStart + 1) return false
  if (source.charCodeAt(start) === STAR && (start + 1 === textEnd || isSpace(source.charCodeAt(start + 1))))
    return false
  endParagraph(document)
  if (document.listEnd < 0) {
    enterLine(document, textStart)
    output.open('list', textStart, '')
  }
  document.listEnd = textEnd
  readRest(document, start, 'listItem')
  return true
}

/** A list ends where its last item does, whose line is still the one that the output has entered. */
function endList(document: Document): void {
  if (document.listEnd < 0) return
  document.output.close('list', document.listEnd)
  document.listEnd = -1
}

/** Anything else: a line of a paragraph. */
function readParagraphLine(document: Document): void {
  const { lines } = document
  endList(document)
  if (!document.isInParagraph) lines.keptEnd = 0
  document.isInParagraph = true
  keepLine(lines, lines.textStart, lines.textEnd)
}

function endParagraph(document: Document): void {
  if (!document.isInParagraph) return
  document.isInParagraph = false
  const { lines, specials, output } = document
  const isSource = lines.keptEnd === LINE_SIZE || areJoined(lines)
  const text = isSource ? lines.source : joinLines(lines)
  const start = isSource ? keptStart(lines) : 0
  const end = isSource ? (lines.kept[lines.keptEnd - 2] ?? 0) : text.length
  const leaf = createLeaf(lines, text, isSource, start, end)
  output.enter(leaf)
  output.open('paragraph', start, '')
  writeLeaf(leaf, isSource ? specials : createSpecials(text), output)
  output.close('paragraph', end)
}

/** Reads the rest of the current line, from `start` on, as the leaf of a heading or an item. */
function readRest(document: Document, start: number, type: ParentType): void {
  const { lines, output } = document
  const { textStart, textEnd } = lines
  const leaf = enterLine(document, start)
  output.open(type, textStart, '')
  if (type === 'listItem') output.open('itemParagraph', start, '')
  writeLeaf(leaf, document.specials, output)
  if (type === 'listItem') output.close('itemParagraph', textEnd)
  output.close(type, textEnd)
}

/** The leaf that is the current line from `start` on; offsets from here on are the source's. */
function enterLine({ lines, output }: Document, start: number): Leaf {
  keepOnly(lines, start, lines.textEnd)
  const leaf = createLeaf(lines, lines.source, true, start, lines.textEnd)
  output.enter(leaf)
  return leaf
}

function writeLeaf(leaf: Leaf, specials: Specials, output: Output): void {
  const { text, start, end } = leaf
  if (readLeaf(leaf, specials)) writePhrasing(leaf, output)
  else output.text(text.slice(start, end), start, end)
  tape = leaf.tape
}

/** The leaf that is the text from `start` to `end`, and has the kept lines. */
function createLeaf(lines: Lines, text: string, isSource: boolean, start: number, end: number): Leaf {
  return {
    text,
    isSource,
    start,
    end,
    lines: lines.kept,
    linesEnd: lines.keptEnd,
    lineNumber: lines.keptNumber,
    tape,
    tapeEnd: 0,
    matches,
    matchesEnd: 2,
    textStart: start,
    sourceStart: start,
    shrugEnd: start,
    lastBackticks: null,
    backticksFrom: NOWHERE,
  }
}
