/** Builds the nodes of a leaf from the tape (§5), with their positions. */
import { delimiters } from '../delimiters.js'
import type { Formatting, Link, Phrasing, PhrasingWithoutLink, Point, Position, Text } from '../tree.js'
import { endOfLineEnding, startOfLine } from './blocks.js'
import { codeValue } from './code.js'
import { resolveEscapes } from './escape.js'
import { referenceAt } from './mention.js'
import type { readLeafOf } from './read.js'
import type { Reader } from './reader.js'
import * as Event from './tape.js'
import { EVENT_SIZE, eventA, eventEnd, eventStart, eventType, type SourceBlock } from './tape.js'
import { IN_TEXT, IN_URL } from './units.js'

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
