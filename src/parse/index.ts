/** Parses a message into its tree (§5). */
import { delimiters } from '../delimiters.js'
import { describe } from '../describe.js'
import {
  type AnyNode,
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
import { endOfLineEnding, fencedCodeAt, firstSpecial, PLAIN, parseBlocks, startOfLine } from './blocks.js'
import { codeValue, referenceAt, resolveEscapes } from './constructs.js'
import * as Event from './events.js'
import { EVENT_SIZE, eventA, eventEnd, eventStart, eventType, type SourceBlock } from './events.js'
import { parseLeaf } from './inline.js'
import { type ParseState, releaseState } from './state.js'
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
  const state = parseBlocks(input, from)
  const root = rootOf(state, hasPositions)
  releaseState(state)
  return root
}

/** Returns the tree of a source whose blocks are known but whose leaves have not been read. */
export function rootOf(state: ParseState, hasPositions: boolean, readLeaf: TreeBuilder['readLeaf'] = parseLeaf): Root {
  const builder = createBuilder(state, hasPositions, readLeaf)
  const nodes: Block[] = []
  let index = 0
  for (const block of state.blocks) {
    // The first item of a list adds the others.
    if (block.type !== 'item') nodes.push(blockOf(builder, block, index))
    index += 1
  }
  // An array grown by `push` has room for 17.
  const children = nodes.slice()
  const start = hasPositions ? { line: 1, column: 1, offset: 0 } : null
  return withPosition({ type: 'root', children }, positionUpTo(builder, start, state.length + 1))
}

function blockOf(builder: TreeBuilder, block: SourceBlock, index: number): Block {
  const { state } = builder
  const { type, start, end } = block
  switch (type) {
    case 'paragraph':
      return paragraphOf(builder, block)
    case 'heading1':
    case 'heading2':
      return headingOf(builder, block, type === 'heading1' ? 1 : 2)
    case 'firstItem':
    case 'item':
      return listOf(builder, index)
    case 'code': {
      const position = positionUpTo(builder, startPoint(builder, start), end)
      const { lang, meta, value } = fencedCodeAt(state, block)
      return withPosition({ type, lang, meta, value }, position)
    }
    case 'file': {
      const position = positionUpTo(builder, startPoint(builder, start), end)
      const { id: fileID, label } = referenceAt(state, start, end)
      return withPosition({ type, fileID, label }, position)
    }
    default:
      return unreachable(type)
  }
}

function headingOf(builder: TreeBuilder, block: SourceBlock, depth: 1 | 2): Heading {
  const start = startPoint(builder, block.start)
  // A heading is one line, so it has no break.
  const children = phrasingOf(builder, block) as PhrasingWithoutBreak[]
  return withPosition({ type: 'heading', depth, children }, positionUpTo(builder, start, block.end))
}

/** Returns a paragraph, or the paragraph of an item, whose text starts after the marker. */
function paragraphOf(builder: TreeBuilder, block: SourceBlock): Paragraph {
  const start = startPoint(builder, block.contentStart)
  const children = phrasingOf(builder, block)
  return withPosition({ type: 'paragraph', children }, positionUpTo(builder, start, block.end))
}

/** Returns the list whose first item has the given index; the other items follow it. */
function listOf(builder: TreeBuilder, first: number): List {
  const { blocks } = builder.state
  let end = first + 1
  while (blocks[end]?.type === 'item') end += 1
  const children = blocks.slice(first, end).map((item) => itemOf(builder, item))
  const from = children[0]?.position
  const to = children.at(-1)?.position
  const isPlaced = from !== undefined && to !== undefined
  const position = isPlaced ? { start: { ...from.start }, end: { ...to.end } } : null
  return withPosition({ type: 'list', ordered: false, spread: false, children }, position)
}

function itemOf(builder: TreeBuilder, block: SourceBlock): ListItem {
  const start = startPoint(builder, block.start)
  const paragraph = paragraphOf(builder, block)
  return withPosition(
    { type: 'listItem', spread: false, children: [paragraph] },
    positionUpTo(builder, start, block.end),
  )
}

/** Returns the tree of a source that is the text of one paragraph and nothing else. */
export function plainRoot(value: string, hasPositions: boolean): Root {
  const position = (): Position | null => (hasPositions ? positionOfLine(value) : null)
  const text: Text = withPosition({ type: 'text', value }, position())
  const paragraph: Paragraph = withPosition({ type: 'paragraph', children: [text] }, position())
  return withPosition({ type: 'root', children: [paragraph] }, position())
}

/** Returns the position of the whole source, if it is one line. */
function positionOfLine({ length }: string): Position {
  return { start: { line: 1, column: 1, offset: 0 }, end: { line: 1, column: length + 1, offset: length } }
}

/** Adds a position to a new node, unless nodes have no positions. */
function withPosition<Node extends AnyNode>(node: Node, position: Position | null): Node {
  if (position !== null) node.position = position
  return node
}

/** A parent that is open. `base` is the index of its first child in `TreeBuilder.nodes`; `url` is empty unless it is a link. */
interface OpenParent {
  readonly base: number
  readonly start: Point | null
  readonly url: string
  readonly outer: OpenParent | null
}

export interface TreeBuilder {
  readonly state: ParseState
  readonly hasPositions: boolean
  readonly readLeaf: typeof parseLeaf
  /** The nodes whose parent is still open, and the number of them. */
  readonly nodes: Phrasing[]
  height: number
  /** The innermost parent that is open, null for the leaf itself. */
  outer: OpenParent | null
  /** Text without a node yet, and its start and end; the start is 0 without text. */
  value: string
  textStart: number
  textEnd: number
  /** The line of the latest point, counted from 0, its start, and the start of the next line. */
  line: number
  lineStart: number
  nextStart: number
}

export function createBuilder(
  state: ParseState,
  hasPositions: boolean,
  readLeaf: TreeBuilder['readLeaf'],
): TreeBuilder {
  return {
    state,
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
    nextStart: startOfLine(state, 1),
  }
}

/** Returns the nodes of the leaf of a block. */
export function phrasingOf(builder: TreeBuilder, block: SourceBlock): Phrasing[] {
  const { state } = builder
  const { contentStart: start, end } = block
  builder.readLeaf(state, block)
  if (state.eventsEnd === 0) return [textOf(builder, state.source.slice(start - 1, end - 1), start, end)]
  addNodesOf(builder, start, end)
  return takeChildren(builder, 0)
}

/** Adds the nodes of all events; everything between the events is text. */
function addNodesOf(builder: TreeBuilder, start: number, end: number): void {
  const { state } = builder
  const { events, eventsEnd, source } = state
  let textStart = start
  let sourceStart = start
  for (let event = 0; event < eventsEnd; event += EVENT_SIZE) {
    const type = eventType(events, event)
    if (type === Event.INERT || type === Event.AMPERSAND || type === Event.LESS_THAN_SIGN) continue
    const at = eventStart(events, event)
    const next = eventEnd(events, event)
    if (textStart < at) addText(builder, source.slice(textStart - 1, at - 1), sourceStart, at)
    // A URL in link text is text, but its escapes are resolved as in a bare link.
    if (type === Event.LABEL_URL) addText(builder, resolveEscapes(state, at, next, IN_TEXT), at, next)
    else if (type !== Event.CANCELED && type !== Event.DROPPED) {
      endText(builder)
      addNodeOf(builder, event, type, at, next)
    }
    // Dropped backslashes are part of the source of the text after them. After a link's start, the link text is next.
    textStart = type === Event.LINK ? at + 1 : next
    sourceStart = type === Event.DROPPED ? at : textStart
  }
  if (textStart < end) addText(builder, source.slice(textStart - 1, end - 1), sourceStart, end)
  endText(builder)
}

function addNodeOf(builder: TreeBuilder, event: number, type: number, at: number, next: number): void {
  const { state } = builder
  const a = eventA(state.events, event)
  switch (type) {
    case Event.OPEN:
      startParent(builder, at, '')
      break
    case Event.CLOSE: {
      const { base, start } = endParent(builder)
      const children = takeChildren(builder, base)
      const type = delimiters[a]?.node ?? 'strong'
      addNode(builder, withPosition<Formatting>({ type, children }, positionUpTo(builder, start, next)))
      break
    }
    case Event.CODE: {
      const value = codeValue(state.source.slice(at + a - 1, next - a - 1))
      const position = positionUpTo(builder, startPoint(builder, at), next)
      addNode(builder, withPosition({ type: 'inlineCode', value }, position))
      break
    }
    case Event.MENTION: {
      const { id: userID, label } = referenceAt(state, at, next)
      const position = positionUpTo(builder, startPoint(builder, at), next)
      addNode(builder, withPosition({ type: 'mention', userID, label }, position))
      break
    }
    case Event.BARE_LINK: {
      const url = resolveEscapes(state, at, next, IN_TEXT)
      const children = [textOf(builder, url, at, next)]
      addNode(builder, linkOf(url, children, positionUpTo(builder, startPoint(builder, at), next)))
      break
    }
    case Event.LINK:
      startParent(builder, at, resolveEscapes(state, a + 2, next - 1, IN_URL))
      break
    case Event.LINK_END: {
      const { base, start, url } = endParent(builder)
      // Links do not nest.
      const children = takeChildren(builder, base) as PhrasingWithoutLink[]
      addNode(builder, linkOf(url, children, positionUpTo(builder, start, next)))
      break
    }
    default: {
      // The position of a break is that of its line ending.
      const position = positionUpTo(builder, startPoint(builder, a), endOfLineEnding(state, a))
      addNode(builder, withPosition({ type: 'break' }, position))
    }
  }
}

function startParent(builder: TreeBuilder, at: number, url: string): void {
  builder.outer = { base: builder.height, start: startPoint(builder, at), url, outer: builder.outer }
}

/** Ends the innermost parent that is open. */
function endParent(builder: TreeBuilder): OpenParent {
  const { outer } = builder
  if (outer === null) throw new RangeError('unreachable: OPEN and CLOSE nest')
  builder.outer = outer.outer
  return outer
}

/** Removes the nodes from `base` on and returns them. The new array has no spare capacity; an array grown by `push` has room for 17. */
function takeChildren(builder: TreeBuilder, base: number): Phrasing[] {
  const { nodes, height } = builder
  builder.height = base
  return nodes.slice(base, height)
}

function addNode(builder: TreeBuilder, node: Phrasing): void {
  builder.nodes[builder.height] = node
  builder.height += 1
}

function linkOf(url: string, children: PhrasingWithoutLink[], position: Position | null): Link {
  return withPosition({ type: 'link', url, title: null, children }, position)
}

function textOf(builder: TreeBuilder, value: string, start: number, end: number): Text {
  const position = positionUpTo(builder, startPoint(builder, start), end)
  return withPosition({ type: 'text', value }, position)
}

/** Adds a text that ends at `end` and whose source begins at `start`. Adjoining texts become one node. */
function addText(builder: TreeBuilder, value: string, start: number, end: number): void {
  if (builder.textStart === 0) builder.textStart = start
  builder.value += value
  builder.textEnd = end
}

function endText(builder: TreeBuilder): void {
  const { textStart, textEnd, value } = builder
  if (textStart === 0) return
  addNode(builder, textOf(builder, value, textStart, textEnd))
  builder.value = ''
  builder.textStart = 0
}

export function startPoint(builder: TreeBuilder, at: number): Point | null {
  return builder.hasPositions ? pointOf(builder, at) : null
}

/** Returns the position from a start to an end; null if nodes have no positions. */
export function positionUpTo(builder: TreeBuilder, start: Point | null, at: number): Position | null {
  return start === null ? null : { start, end: pointOf(builder, at) }
}

/** Returns the line, column and offset of a position. Calls must be in the order of the source. */
export function pointOf(builder: TreeBuilder, at: number): Point {
  while (at >= builder.nextStart) {
    builder.line += 1
    builder.lineStart = builder.nextStart
    builder.nextStart = startOfLine(builder.state, builder.line + 1)
  }
  return { line: builder.line + 1, column: at - builder.lineStart + 1, offset: at - 1 }
}
