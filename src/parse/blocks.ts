/** The block pass (§2): reads a source line by line and makes the root's blocks; the inline pass reads their text. */
import { isSpace } from '../characters.js'
import type {
  Block,
  List,
  ListItem,
  Paragraph,
  Phrasing,
  PhrasingWithoutBreak,
  Point,
  Position,
  Root,
} from '../tree.js'
import { endOfBackticks } from './code.js'
import { createInline, type Inline, readLeaf } from './inline.js'
import { addLine, type Leaf } from './leaf.js'
import {
  areJoined,
  createLines,
  endPoint,
  hasLine,
  joinLines,
  keepLine,
  type Lines,
  pointAt,
  readLine,
  startLines,
} from './lines.js'
import { endOfID, endOfReference, labelOf } from './mention.js'
import { type Builder, buildPhrasing, createBuilder } from './phrasing.js'
import { createPlaces, type Places, pointOf } from './places.js'
import { createSpecials, type Specials, startSpecials } from './specials.js'

const STAR = 42
const HASH = 35
const BACKTICK = 96
const FENCE_LENGTH_MIN = 3

/** What the block pass works with. One object serves every parse, as a parse calls nobody back. */
export interface Document {
  lines: Lines
  inline: Inline
  leaf: Leaf
  builder: Builder
  places: Places
  /** Of the source, and of a leaf whose lines had to be joined. */
  specials: Specials
  joinedSpecials: Specials
  hasPositions: boolean
  children: Block[]
  /** The list that the next item joins. */
  list: List | null
  /** The number of the paragraph's first line; its lines are the kept ones. */
  paragraphNumber: number
}

export function createDocument(): Document {
  const inline = createInline()
  return {
    lines: createLines(),
    inline,
    leaf: inline.leaf,
    builder: createBuilder(),
    places: createPlaces(inline.leaf),
    specials: createSpecials(),
    joinedSpecials: createSpecials(),
    hasPositions: true,
    children: [],
    list: null,
    paragraphNumber: 0,
  }
}

/** Reads a whole source, in which U+0000 has been replaced. */
export function readDocument(document: Document, source: string, hasPositions: boolean): Root {
  const { lines, builder } = document
  const children: Block[] = []
  startLines(lines, source)
  startSpecials(document.specials, source)
  document.places.source = source
  builder.places = hasPositions ? document.places : null
  document.hasPositions = hasPositions
  document.children = children
  while (hasLine(lines)) {
    readLine(lines)
    if (!readBlock(document)) readParagraphLine(document)
  }
  startBlock(document)
  if (!hasPositions) return { type: 'root', children }
  return { type: 'root', children, position: { start: { line: 1, column: 1, offset: 0 }, end: endPoint(lines) } }
}

/** The table of §2: the first row that fits the line wins. Whether one did, but for the last. */
function readBlock(document: Document): boolean {
  const { lines } = document
  if (lines.textStart === lines.textEnd) return startBlock(document)
  switch (lines.source.charCodeAt(lines.textStart)) {
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

/** Ends the paragraph and the list before a line that belongs to neither: a blank one is no more than that. */
function startBlock(document: Document): true {
  endParagraph(document)
  document.list = null
  return true
}

/** Three or more backticks, then no further backtick: fenced code. */
function readFence(document: Document): boolean {
  const { lines } = document
  const { source, textStart, textEnd } = lines
  const infoStart = endOfBackticks(source, textStart)
  const length = infoStart - textStart
  if (length < FENCE_LENGTH_MIN || source.slice(infoStart, textEnd).includes('`')) return false
  startBlock(document)
  const [lang, meta] = readInfo(source, infoStart, textEnd)
  const start = pointAt(lines, textStart)
  const end = readFenced(lines, length, textStart - lines.start)
  const value = joinLines(lines)
  lines.keptEnd = 0
  document.children.push(
    document.hasPositions
      ? { type: 'code', lang, meta, value, position: { start, end } }
      : { type: 'code', lang, meta, value },
  )
  return true
}

/** The info string: `lang` up to the first space, `meta` behind it. */
function readInfo(source: string, start: number, end: number): [lang: string | null, meta: string | null] {
  const langStart = skipSpaces(source, start)
  if (langStart >= end) return [null, null]
  let langEnd = langStart
  while (langEnd < end && !isSpace(source.charCodeAt(langEnd))) langEnd += 1
  return [source.slice(langStart, langEnd), langEnd < end ? source.slice(skipSpaces(source, langEnd), end) : null]
}

/** Keeps the lines of fenced code up to its closing fence or the end of the source, and says where the code ends. */
function readFenced(lines: Lines, length: number, indent: number): Point {
  const { source } = lines
  while (hasLine(lines)) {
    readLine(lines)
    const { textStart, textEnd } = lines
    const isFence = source.charCodeAt(textStart) === BACKTICK && endOfBackticks(source, textStart) === textEnd
    if (isFence && textEnd - textStart >= length) return pointAt(lines, textEnd)
    let start = lines.start
    while (start < lines.end && start - lines.start < indent && isSpace(source.charCodeAt(start))) start += 1
    keepLine(lines, start, lines.end)
  }
  return pointAt(lines, lines.end)
}

/** `<!id|label>` and nothing else: a file. */
function readFile(document: Document): boolean {
  const { lines } = document
  const { source, textStart, textEnd } = lines
  if (source.charCodeAt(textStart + 1) !== 33 /* ! */) return false
  const idEnd = endOfID(source, textStart + 2)
  if (idEnd < 0 || endOfReference(source, idEnd) !== textEnd) return false
  startBlock(document)
  const fileID = source.slice(textStart + 2, idEnd)
  const label = labelOf(source, idEnd, textEnd)
  document.children.push(
    document.hasPositions
      ? { type: 'file', fileID, label, position: linePosition(lines) }
      : { type: 'file', fileID, label },
  )
  return true
}

/** `#` or `##`, spaces, at least one character: a heading. */
function readHeading(document: Document): boolean {
  const { lines } = document
  const { source, textStart } = lines
  const depth = source.charCodeAt(textStart + 1) === HASH ? 2 : 1
  if (!hasSpace(lines, textStart + depth)) return false
  startBlock(document)
  const children = readLineLeaf(document, textStart + depth)
  document.children.push(
    document.hasPositions
      ? { type: 'heading', depth, children, position: linePosition(lines) }
      : { type: 'heading', depth, children },
  )
  return true
}

/** `*`, spaces, at least one character, but not a star that stands alone: an item of a list. */
function readItem(document: Document): boolean {
  const { lines } = document
  const { source, textStart } = lines
  if (!hasSpace(lines, textStart + 1)) return false
  const start = skipSpaces(source, textStart + 1)
  if (source.charCodeAt(start) === STAR && (start + 1 === lines.textEnd || hasSpace(lines, start + 1))) return false
  endParagraph(document)
  const children = readLineLeaf(document, start)
  if (!document.hasPositions) {
    addItem(document, { type: 'listItem', spread: false, children: [{ type: 'paragraph', children }] }, null)
    return true
  }
  const inner: Paragraph = {
    type: 'paragraph',
    children,
    position: { start: pointAt(lines, start), end: lineEnd(lines) },
  }
  const item: ListItem = { type: 'listItem', spread: false, children: [inner], position: linePosition(lines) }
  addItem(document, item, linePosition(lines))
  return true
}

/** Adds an item to the list before it, or to a new one that stands where the item does. */
function addItem(document: Document, item: ListItem, position: Position | null): void {
  const { list } = document
  if (list === null) {
    const children = [item]
    document.list =
      position === null
        ? { type: 'list', ordered: false, spread: false, children }
        : { type: 'list', ordered: false, spread: false, children, position }
    document.children.push(document.list)
    return
  }
  list.children.push(item)
  if (position !== null && list.position !== undefined) list.position.end = position.end
}

/** Anything else: a line of a paragraph. */
function readParagraphLine(document: Document): void {
  const { lines } = document
  if (lines.keptEnd === 0) document.paragraphNumber = lines.number
  document.list = null
  keepLine(lines, lines.textStart, lines.textEnd)
}

function endParagraph(document: Document): void {
  const { lines } = document
  if (lines.keptEnd === 0) return
  const children = readParagraph(document)
  if (!document.hasPositions) {
    document.children.push({ type: 'paragraph', children })
    return
  }
  const { leaf, places } = document
  places.line = 0
  const position = { start: pointOf(places, leaf.start), end: pointOf(places, leaf.end) }
  document.children.push({ type: 'paragraph', children, position })
}

/** Reads the leaf that the kept lines are. */
function readParagraph(document: Document): Phrasing[] {
  const { lines, leaf } = document
  const { kept, keptEnd } = lines
  const isSource = areJoined(lines)
  leaf.linesEnd = 0
  leaf.lineNumber = document.paragraphNumber
  let end = isSource ? (kept[1] ?? 0) : 0
  for (let at = 0; at < keptEnd; at += 3) {
    const start = kept[at + 1] ?? 0
    addLine(leaf, end, start, kept[at] ?? 0)
    end += (kept[at + 2] ?? 0) - start + 1
  }
  const joined = isSource ? '' : joinLines(lines)
  lines.keptEnd = 0
  if (isSource) return readPhrasing(document, document.specials, kept[1] ?? 0, end - 1)
  startSpecials(document.joinedSpecials, joined)
  return readPhrasing(document, document.joinedSpecials, 0, joined.length)
}

/** Reads the leaf that is the rest of the current line. */
function readLineLeaf(document: Document, from: number): PhrasingWithoutBreak[] {
  const { lines, leaf } = document
  const start = skipSpaces(lines.source, from)
  leaf.linesEnd = 0
  leaf.lineNumber = lines.number
  addLine(leaf, start, start, lines.start)
  // One line holds no line ending, and so no break.
  return readPhrasing(document, document.specials, start, lines.textEnd) as PhrasingWithoutBreak[]
}

function readPhrasing(document: Document, specials: Specials, start: number, end: number): Phrasing[] {
  readLeaf(document.inline, specials, start, end)
  return buildPhrasing(document.builder, document.inline)
}

function hasSpace(lines: Lines, at: number): boolean {
  return at < lines.textEnd && isSpace(lines.source.charCodeAt(at))
}

function skipSpaces(source: string, from: number): number {
  let at = from
  while (isSpace(source.charCodeAt(at))) at += 1
  return at
}

function linePosition(lines: Lines): Position {
  return { start: pointAt(lines, lines.textStart), end: lineEnd(lines) }
}

function lineEnd(lines: Lines): Point {
  return pointAt(lines, lines.textEnd)
}
