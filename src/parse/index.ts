/** Parses a message into its tree (§5). */
import { delimiters } from '../delimiters.js'
import { describe } from '../describe.js'
import {
  type Block,
  type Formatting,
  type Heading,
  type Link,
  type List,
  type ListItem,
  type Paragraph,
  type Phrasing,
  type PhrasingWithoutBreak,
  type PhrasingWithoutLink,
  type Point,
  type Position,
  type Root,
  type Text,
  unreachable,
} from '../tree.js'
import { endOfLineEnding, fencedCodeAt, firstSpecial, PLAIN, read, startOfLine } from './blocks.js'
import { codeValue, referenceAt, resolveEscapes } from './constructs.js'
import * as Event from './events.js'
import { EVENT_SIZE, eventA, eventEnd, eventStart, eventType, type SourceBlock } from './events.js'
import { readLeafOf } from './inline.js'
import { giveBack, type Reader } from './state.js'
import { IN_TEXT, IN_URL } from './units.js'

export interface ParseOptions {
  /** Whether nodes have their positions in the source; true by default. */
  position?: boolean
}

/**
 * Parses a message: one string of a post's `blocks`, or the `body` of a chat message (§2–§5). Every string parses, in
 * time linear in its length; text without constructs stays text.
 *
 * @param input - the source
 * @param options - `position: false` leaves out the positions of nodes
 * @returns the tree; it is yours, nothing else refers to it
 * @throws {TypeError} if `input` is not a string
 * @example
 * parse('call my_var now, _please_', { position: false }).children
 * // => [{ type: 'paragraph', children: [{ type: 'text', value: 'call my_var now, ' }, { type: 'underline', children: [{ type: 'text', value: 'please' }] }] }]
 */
export function parse(input: string, options?: ParseOptions): Root {
  if (typeof input !== 'string') throw new TypeError(`parse: expected a string, received ${describe(input)}`)
  const hasPositions = options?.position !== false
  const from = firstSpecial(input)
  if (from === PLAIN) return plainRoot(input, hasPositions)
  const reader = read(input, from)
  const root = rootOf(reader, hasPositions)
  giveBack(reader)
  return root
}

/** Returns the tree of a source whose blocks are known but whose leaves have not been read. */
export function rootOf(reader: Reader, hasPositions: boolean, readLeaf: Writer['readLeaf'] = readLeafOf): Root {
  const writer = createWriter(reader, hasPositions, readLeaf)
  const nodes: Block[] = []
  let index = 0
  for (const block of reader.blocks) {
    // The first item of a list adds the others.
    if (block.type !== 'item') nodes.push(blockOf(writer, block, index))
    index += 1
  }
  // An array grown by `push` has room for 17.
  const children = nodes.slice()
  if (!hasPositions) return { type: 'root', children }
  const position = { start: { line: 1, column: 1, offset: 0 }, end: pointOf(writer, reader.length + 1) }
  return { type: 'root', children, position }
}

function blockOf(writer: Writer, block: SourceBlock, index: number): Block {
  const { reader } = writer
  const { type, start, end } = block
  switch (type) {
    case 'paragraph':
      return paragraphOf(writer, block)
    case 'heading1':
    case 'heading2':
      return headingOf(writer, block, type === 'heading1' ? 1 : 2)
    case 'firstItem':
    case 'item':
      return listOf(writer, index)
    case 'code': {
      const position = endOf(writer, startOf(writer, start), end)
      const { lang, meta, value } = fencedCodeAt(reader, block)
      return position === null ? { type, lang, meta, value } : { type, lang, meta, value, position }
    }
    case 'file': {
      const position = endOf(writer, startOf(writer, start), end)
      const { id: fileID, label } = referenceAt(reader, start, end)
      return position === null ? { type, fileID, label } : { type, fileID, label, position }
    }
    default:
      return unreachable(type)
  }
}

function headingOf(writer: Writer, block: SourceBlock, depth: 1 | 2): Heading {
  const start = startOf(writer, block.start)
  // A heading is one line, so it has no break.
  const children = phrasingOf(writer, block) as PhrasingWithoutBreak[]
  const position = endOf(writer, start, block.end)
  return position === null ? { type: 'heading', depth, children } : { type: 'heading', depth, children, position }
}

/** Returns a paragraph, or the paragraph of an item, whose text starts after the marker. */
function paragraphOf(writer: Writer, block: SourceBlock): Paragraph {
  const start = startOf(writer, block.contentStart)
  const children = phrasingOf(writer, block)
  const position = endOf(writer, start, block.end)
  return position === null ? { type: 'paragraph', children } : { type: 'paragraph', children, position }
}

/** Returns the list whose first item has the given index; the other items follow it. */
function listOf(writer: Writer, first: number): List {
  const { blocks } = writer.reader
  let end = first + 1
  while (blocks[end]?.type === 'item') end += 1
  const children = blocks.slice(first, end).map((item) => itemOf(writer, item))
  const from = children[0]?.position
  const to = children.at(-1)?.position
  return from === undefined || to === undefined
    ? { type: 'list', ordered: false, spread: false, children }
    : {
        type: 'list',
        ordered: false,
        spread: false,
        children,
        position: { start: { ...from.start }, end: { ...to.end } },
      }
}

function itemOf(writer: Writer, block: SourceBlock): ListItem {
  const start = startOf(writer, block.start)
  const paragraph = paragraphOf(writer, block)
  const position = endOf(writer, start, block.end)
  return position === null
    ? { type: 'listItem', spread: false, children: [paragraph] }
    : { type: 'listItem', spread: false, children: [paragraph], position }
}

/** Returns the tree of a source that is the text of one paragraph and nothing else. */
export function plainRoot(value: string, hasPositions: boolean): Root {
  if (!hasPositions) return { type: 'root', children: [{ type: 'paragraph', children: [{ type: 'text', value }] }] }
  const text: Text = { type: 'text', value, position: positionOfLine(value) }
  const paragraph: Paragraph = { type: 'paragraph', children: [text], position: positionOfLine(value) }
  return { type: 'root', children: [paragraph], position: positionOfLine(value) }
}

/** Returns the position of the whole source, if it is one line. */
function positionOfLine({ length }: string): Position {
  return { start: { line: 1, column: 1, offset: 0 }, end: { line: 1, column: length + 1, offset: length } }
}

/** A parent that is open. `base` is the index of its first child in `Writer.nodes`; `url` is empty unless it is a link. */
interface Outer {
  readonly base: number
  readonly start: Point | null
  readonly url: string
  readonly outer: Outer | null
}

export interface Writer {
  readonly reader: Reader
  readonly hasPositions: boolean
  readonly readLeaf: typeof readLeafOf
  /** The nodes whose parent is still open, and the number of them. */
  readonly nodes: Phrasing[]
  height: number
  /** The innermost parent that is open, null for the leaf itself. */
  outer: Outer | null
  /** Text without a node yet, and its start and end; the start is 0 without text. */
  value: string
  textStart: number
  textEnd: number
  /** The line of the latest point, counted from 0, its start, and the start of the next line. */
  line: number
  lineStart: number
  nextStart: number
}

export function createWriter(reader: Reader, hasPositions: boolean, readLeaf: Writer['readLeaf']): Writer {
  return {
    reader,
    hasPositions,
    readLeaf,
    nodes: [],
    height: 0,
    outer: null,
    value: '',
    textStart: 0,
    textEnd: 0,
    line: 0,
    lineStart: 1,
    nextStart: startOfLine(reader, 1),
  }
}

/** Returns the nodes of the leaf of a block. */
export function phrasingOf(writer: Writer, block: SourceBlock): Phrasing[] {
  const { reader } = writer
  const { contentStart: start, end } = block
  writer.readLeaf(reader, block)
  if (reader.tapeEnd === 0) return [textOf(writer, reader.source.slice(start - 1, end - 1), start, end)]
  writeEvents(writer, start, end)
  return takeChildren(writer, 0)
}

/** Adds the nodes of all events; everything between the events is text. */
function writeEvents(writer: Writer, start: number, end: number): void {
  const { reader } = writer
  const { tape, tapeEnd, source } = reader
  let textStart = start
  let sourceStart = start
  for (let event = 0; event < tapeEnd; event += EVENT_SIZE) {
    const type = eventType(tape, event)
    if (type === Event.INERT || type === Event.AMPERSAND || type === Event.LESS_THAN_SIGN) continue
    const at = eventStart(tape, event)
    const next = eventEnd(tape, event)
    if (textStart < at) addText(writer, source.slice(textStart - 1, at - 1), sourceStart, at)
    // A URL in link text is text, but its escapes are resolved as in a bare link.
    if (type === Event.LABEL_URL) addText(writer, resolveEscapes(reader, at, next, IN_TEXT), at, next)
    else if (type !== Event.CANCELED && type !== Event.DROPPED) {
      endText(writer)
      writeEvent(writer, event, type, at, next)
    }
    // Dropped backslashes are part of the source of the text after them. After a link's start, the link text is next.
    textStart = type === Event.LINK ? at + 1 : next
    sourceStart = type === Event.DROPPED ? at : textStart
  }
  if (textStart < end) addText(writer, source.slice(textStart - 1, end - 1), sourceStart, end)
  endText(writer)
}

function writeEvent(writer: Writer, event: number, type: number, at: number, next: number): void {
  const { reader } = writer
  const a = eventA(reader.tape, event)
  switch (type) {
    case Event.OPEN:
      startParent(writer, at, '')
      break
    case Event.CLOSE: {
      const { base, start } = endParent(writer)
      const children = takeChildren(writer, base)
      addNode(writer, formattingOf(a, children, endOf(writer, start, next)))
      break
    }
    case Event.CODE: {
      const value = codeValue(reader.source.slice(at + a - 1, next - a - 1))
      const position = endOf(writer, startOf(writer, at), next)
      addNode(writer, position === null ? { type: 'inlineCode', value } : { type: 'inlineCode', value, position })
      break
    }
    case Event.MENTION: {
      const { id: userID, label } = referenceAt(reader, at, next)
      const position = endOf(writer, startOf(writer, at), next)
      addNode(
        writer,
        position === null ? { type: 'mention', userID, label } : { type: 'mention', userID, label, position },
      )
      break
    }
    case Event.BARE_LINK: {
      const url = resolveEscapes(reader, at, next, IN_TEXT)
      const children = [textOf(writer, url, at, next)]
      addNode(writer, linkOf(url, children, endOf(writer, startOf(writer, at), next)))
      break
    }
    case Event.LINK:
      startParent(writer, at, resolveEscapes(reader, a + 2, next - 1, IN_URL))
      break
    case Event.LINK_END: {
      const { base, start, url } = endParent(writer)
      // Links do not nest.
      const children = takeChildren(writer, base) as PhrasingWithoutLink[]
      addNode(writer, linkOf(url, children, endOf(writer, start, next)))
      break
    }
    default: {
      // The position of a break is that of its line ending.
      const position = endOf(writer, startOf(writer, a), endOfLineEnding(reader, a))
      addNode(writer, position === null ? { type: 'break' } : { type: 'break', position })
    }
  }
}

function startParent(writer: Writer, at: number, url: string): void {
  writer.outer = { base: writer.height, start: startOf(writer, at), url, outer: writer.outer }
}

/** Ends the innermost parent that is open. */
function endParent(writer: Writer): Outer {
  const { outer } = writer
  if (outer === null) throw new RangeError('unreachable: OPEN and CLOSE nest')
  writer.outer = outer.outer
  return outer
}

/** Removes the nodes from `base` on and returns them. The new array has no spare capacity; an array grown by `push` has room for 17. */
function takeChildren(writer: Writer, base: number): Phrasing[] {
  const { nodes, height } = writer
  writer.height = base
  return nodes.slice(base, height)
}

function addNode(writer: Writer, node: Phrasing): void {
  writer.nodes[writer.height] = node
  writer.height += 1
}

function formattingOf(kind: number, children: Phrasing[], position: Position | null): Formatting {
  const type = delimiters[kind]?.node ?? 'strong'
  return position === null ? { type, children } : { type, children, position }
}

function linkOf(url: string, children: PhrasingWithoutLink[], position: Position | null): Link {
  return position === null
    ? { type: 'link', url, title: null, children }
    : { type: 'link', url, title: null, children, position }
}

function textOf(writer: Writer, value: string, start: number, end: number): Text {
  const position = endOf(writer, startOf(writer, start), end)
  return position === null ? { type: 'text', value } : { type: 'text', value, position }
}

/** Adds a text that ends at `end` and whose source begins at `start`. Adjoining texts become one node. */
function addText(writer: Writer, value: string, start: number, end: number): void {
  if (writer.textStart === 0) writer.textStart = start
  writer.value += value
  writer.textEnd = end
}

function endText(writer: Writer): void {
  const { textStart, textEnd, value } = writer
  if (textStart === 0) return
  addNode(writer, textOf(writer, value, textStart, textEnd))
  writer.value = ''
  writer.textStart = 0
}

export function startOf(writer: Writer, at: number): Point | null {
  return writer.hasPositions ? pointOf(writer, at) : null
}

/** Returns the position from a start to an end; null if nodes have no positions. */
export function endOf(writer: Writer, start: Point | null, at: number): Position | null {
  return start === null ? null : { start, end: pointOf(writer, at) }
}

/** Returns the line, column and offset of a position. Calls must be in the order of the source. */
export function pointOf(writer: Writer, at: number): Point {
  while (at >= writer.nextStart) {
    writer.line += 1
    writer.lineStart = writer.nextStart
    writer.nextStart = startOfLine(writer.reader, writer.line + 1)
  }
  return { line: writer.line + 1, column: at - writer.lineStart + 1, offset: at - 1 }
}
