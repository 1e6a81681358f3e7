/** Parses a message into its tree (§5). */
import { delimiters } from '../delimiters.js'
import { describe } from '../describe.js'
import {
  type Block,
  type Break,
  type Code,
  type File,
  type Formatting,
  type Heading,
  type InlineCode,
  type Link,
  type List,
  type ListItem,
  type Mention,
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
 * @param options - `position: false` omits the positions of nodes
 * @returns the tree; nothing else refers to it, so you may change it
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

/** Returns the tree of a source whose blocks are known but whose leaves have not been parsed. */
export function rootOf(state: ParseState, hasPositions: boolean, readLeaf: typeof parseLeaf = parseLeaf): Root {
  const builder = new TreeBuilder(state, hasPositions, readLeaf)
  const nodes: Block[] = []
  let index = 0
  for (const block of state.blocks) {
    // `listOf` adds the later items of a list together with its first item.
    if (block.type !== 'item') nodes.push(blockOf(builder, block, index))
    index += 1
  }
  const start = hasPositions ? new PointObject(1, 1, 0) : null
  // The copy has no spare capacity, but an array that was grown by `push` has space for 17 elements.
  return new ParentObject('root', nodes.slice(), positionUpTo(builder, start, state.length + 1)) as Root
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
      const { lang, value } = fencedCodeAt(state, block)
      return new CodeObject(lang, value, positionUpTo(builder, startPoint(builder, start), end))
    }
    case 'file': {
      const { id, label } = referenceAt(state, start, end)
      return new FileObject(id, label, positionUpTo(builder, startPoint(builder, start), end))
    }
    default:
      return unreachable(type)
  }
}

function headingOf(builder: TreeBuilder, block: SourceBlock, depth: 1 | 2): Heading {
  const start = startPoint(builder, block.start)
  // A heading is one line, so it has no break.
  const children = phrasingOf(builder, block) as PhrasingWithoutBreak[]
  return new HeadingObject(depth, children, positionUpTo(builder, start, block.end))
}

/** Returns a paragraph, or the paragraph of an item, whose text starts after the marker. */
function paragraphOf(builder: TreeBuilder, block: SourceBlock): Paragraph {
  const start = startPoint(builder, block.contentStart)
  const children = phrasingOf(builder, block)
  return new ParentObject('paragraph', children, positionUpTo(builder, start, block.end)) as Paragraph
}

/** Returns the list whose first item has the given index; the other items follow it. */
function listOf(builder: TreeBuilder, first: number): List {
  const { blocks } = builder.state
  let end = first + 1
  while (blocks[end]?.type === 'item') end += 1
  const items = blocks.slice(first, end)
  const start = startPoint(builder, items[0]?.start ?? 1)
  const children = items.map((item) => itemOf(builder, item))
  return new ListObject(children, positionUpTo(builder, start, items.at(-1)?.end ?? 1))
}

function itemOf(builder: TreeBuilder, block: SourceBlock): ListItem {
  const start = startPoint(builder, block.start)
  const paragraph = paragraphOf(builder, block)
  return new ItemObject(paragraph, positionUpTo(builder, start, block.end))
}

/** Returns the tree of a source that is the text of one paragraph and nothing else. */
function plainRoot(value: string, hasPositions: boolean): Root {
  const { length } = value
  const text = new LiteralObject('text', value, positionOfLine(length, hasPositions)) as Text
  const paragraph = new ParentObject('paragraph', [text], positionOfLine(length, hasPositions)) as Paragraph
  return new ParentObject('root', [paragraph], positionOfLine(length, hasPositions)) as Root
}

/** Returns the position of a source of one line; null if nodes have no positions. */
function positionOfLine(length: number, hasPositions: boolean): Position | null {
  return hasPositions ? new PositionObject(new PointObject(1, 1, 0), new PointObject(1, length + 1, length)) : null
}

/** An open parent. `base` is the index of its first child in `TreeBuilder.nodes`; `url` is empty if the parent is not a link. */
interface OpenParent {
  readonly base: number
  readonly start: Point | null
  readonly url: string
  readonly outer: OpenParent | null
}

const LEAF: OpenParent = { base: 0, start: null, url: '', outer: null }

class TreeBuilder {
  readonly state: ParseState
  readonly hasPositions: boolean
  readonly readLeaf: typeof parseLeaf
  /** The nodes whose parent is still open, and the number of them. */
  readonly nodes: Phrasing[] = []
  nodeCount = 0
  /** The innermost open parent. */
  outer: OpenParent = LEAF
  /** Text that is not in a node yet, its start and its end. The start is 0 if there is no such text. */
  value = ''
  textStart = 0
  textEnd = 0
  /** The line of the latest point, counted from 0, its start, and the start of the next line. */
  line = 0
  lineStart = 1
  nextStart: number

  constructor(state: ParseState, hasPositions: boolean, readLeaf: typeof parseLeaf) {
    this.state = state
    this.hasPositions = hasPositions
    this.readLeaf = readLeaf
    this.nextStart = startOfLine(state, 1)
  }
}

/** Returns the nodes of the leaf of a block. */
function phrasingOf(builder: TreeBuilder, block: SourceBlock): Phrasing[] {
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
      flushText(builder)
      addNodeOf(builder, event, type, at, next)
    }
    // The position of a text includes dropped backslashes before it. A LINK event covers the whole link, so only its `[` is skipped.
    textStart = type === Event.LINK ? at + 1 : next
    sourceStart = type === Event.DROPPED ? at : textStart
  }
  if (textStart < end) addText(builder, source.slice(textStart - 1, end - 1), sourceStart, end)
  flushText(builder)
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
      addNode(builder, new ParentObject(type, children, positionUpTo(builder, start, next)) as Formatting)
      break
    }
    case Event.CODE: {
      const value = codeValue(state, at, next, a === 1)
      const position = positionUpTo(builder, startPoint(builder, at), next)
      addNode(builder, new LiteralObject('inlineCode', value, position) as InlineCode)
      break
    }
    case Event.MENTION: {
      const { id: userID, label } = referenceAt(state, at, next)
      addNode(builder, new MentionObject(userID, label, positionUpTo(builder, startPoint(builder, at), next)))
      break
    }
    case Event.BARE_LINK: {
      const url = resolveEscapes(state, at, next, IN_TEXT)
      const children = [textOf(builder, url, at, next)]
      addNode(builder, new LinkObject(url, children, positionUpTo(builder, startPoint(builder, at), next)))
      break
    }
    case Event.LINK:
      startParent(builder, at, resolveEscapes(state, (a >> 1) + 2, next - 1, IN_URL))
      break
    case Event.LINK_END: {
      const { base, start, url } = endParent(builder)
      // Links do not nest, so the parser never emits a link in link text.
      const children = takeChildren(builder, base) as PhrasingWithoutLink[]
      addNode(builder, new LinkObject(url, children, positionUpTo(builder, start, next)))
      break
    }
    default: {
      // A break has the position of its line ending, without the spaces next to the line ending.
      addNode(builder, new BreakObject(positionUpTo(builder, startPoint(builder, a), endOfLineEnding(state, a))))
    }
  }
}

function startParent(builder: TreeBuilder, at: number, url: string): void {
  builder.outer = { base: builder.nodeCount, start: startPoint(builder, at), url, outer: builder.outer }
}

/** Ends the innermost open parent, and returns it. The result is never the leaf, because OPEN and CLOSE nest. */
function endParent(builder: TreeBuilder): OpenParent {
  const { outer } = builder
  builder.outer = outer.outer ?? LEAF
  return outer
}

/** Removes the nodes from `base` on, and returns them as a new array, which has no spare capacity. */
function takeChildren(builder: TreeBuilder, base: number): Phrasing[] {
  const { nodes, nodeCount } = builder
  builder.nodeCount = base
  return nodes.slice(base, nodeCount)
}

function addNode(builder: TreeBuilder, node: Phrasing): void {
  builder.nodes[builder.nodeCount] = node
  builder.nodeCount += 1
}

function textOf(builder: TreeBuilder, value: string, start: number, end: number): Text {
  const position = positionUpTo(builder, startPoint(builder, start), end)
  return new LiteralObject('text', value, position) as Text
}

/** Adds a text that ends at `end` and whose source begins at `start`. Adjoining texts become one node. */
function addText(builder: TreeBuilder, value: string, start: number, end: number): void {
  if (builder.textStart === 0) builder.textStart = start
  builder.value += value
  builder.textEnd = end
}

function flushText(builder: TreeBuilder): void {
  const { textStart, textEnd, value } = builder
  if (textStart === 0) return
  addNode(builder, textOf(builder, value, textStart, textEnd))
  builder.value = ''
  builder.textStart = 0
}

function startPoint(builder: TreeBuilder, at: number): Point | null {
  return builder.hasPositions ? pointOf(builder, at) : null
}

/** Returns the position from a start to an end; null if nodes have no positions. */
function positionUpTo(builder: TreeBuilder, start: Point | null, at: number): Position | null {
  return start === null ? null : new PositionObject(start, pointOf(builder, at))
}

/** Returns the line, column and offset of a position. Calls must be in the order of the source. */
function pointOf(builder: TreeBuilder, at: number): Point {
  while (at >= builder.nextStart) {
    builder.line += 1
    builder.lineStart = builder.nextStart
    builder.nextStart = startOfLine(builder.state, builder.line + 1)
  }
  return new PointObject(builder.line + 1, at - builder.lineStart + 1, at - 1)
}

// Constructors of the nodes. Each constructor returns a plain object.

type Constructor<SetFields> = SetFields extends (this: infer Node, ...fields: infer Fields) => void
  ? new (
      ...fields: Fields
    ) => Node
  : never

/**
 * Returns a constructor of plain objects from a function that sets their fields. Literals would be shorter, but if the first few
 * hundred objects of a literal live long, V8 puts all later ones into its old generation, and then every parse takes four times as long.
 */
function constructorOf<SetFields extends (...fields: never[]) => void>(setFields: SetFields): Constructor<SetFields> {
  setFields.prototype = Object.prototype
  // The cast holds, because a function that is called with `new` returns the object whose fields it sets.
  return setFields as unknown as Constructor<SetFields>
}

/** A node whose fields can be set, also the ones that decide its type. */
type Writable<Node> = { -readonly [Field in keyof Node]: Node[Field] }

const PointObject = /* @__PURE__ */ constructorOf(function (this: Point, line: number, column: number, offset: number) {
  this.line = line
  this.column = column
  this.offset = offset
})

const PositionObject = /* @__PURE__ */ constructorOf(function (this: Position, start: Point, end: Point) {
  this.start = start
  this.end = end
})

const LiteralObject = /* @__PURE__ */ constructorOf(function (
  this: Writable<Text | InlineCode>,
  type: (Text | InlineCode)['type'],
  value: string,
  position: Position | null,
) {
  this.type = type
  this.value = value
  if (position !== null) this.position = position
})

type ParentWithoutFields = Root | Paragraph | Formatting

const ParentObject = /* @__PURE__ */ constructorOf(function (
  this: Writable<ParentWithoutFields>,
  type: ParentWithoutFields['type'],
  children: ParentWithoutFields['children'],
  position: Position | null,
) {
  this.type = type
  this.children = children
  if (position !== null) this.position = position
})

const HeadingObject = /* @__PURE__ */ constructorOf(function (
  this: Heading,
  depth: 1 | 2,
  children: PhrasingWithoutBreak[],
  position: Position | null,
) {
  this.type = 'heading'
  this.depth = depth
  this.children = children
  if (position !== null) this.position = position
})

const ListObject = /* @__PURE__ */ constructorOf(function (
  this: List,
  children: ListItem[],
  position: Position | null,
) {
  this.type = 'list'
  this.ordered = false
  this.spread = false
  this.children = children
  if (position !== null) this.position = position
})

const ItemObject = /* @__PURE__ */ constructorOf(function (
  this: ListItem,
  paragraph: Paragraph,
  position: Position | null,
) {
  this.type = 'listItem'
  this.spread = false
  this.children = [paragraph]
  if (position !== null) this.position = position
})

const CodeObject = /* @__PURE__ */ constructorOf(function (
  this: Code,
  lang: string | null,
  value: string,
  position: Position | null,
) {
  this.type = 'code'
  this.lang = lang
  this.meta = null
  this.value = value
  if (position !== null) this.position = position
})

const FileObject = /* @__PURE__ */ constructorOf(function (
  this: File,
  fileID: string,
  label: string | null,
  position: Position | null,
) {
  this.type = 'file'
  this.fileID = fileID
  this.label = label
  if (position !== null) this.position = position
})

const MentionObject = /* @__PURE__ */ constructorOf(function (
  this: Mention,
  userID: string,
  label: string | null,
  position: Position | null,
) {
  this.type = 'mention'
  this.userID = userID
  this.label = label
  if (position !== null) this.position = position
})

const LinkObject = /* @__PURE__ */ constructorOf(function (
  this: Link,
  url: string,
  children: PhrasingWithoutLink[],
  position: Position | null,
) {
  this.type = 'link'
  this.url = url
  this.title = null
  this.children = children
  if (position !== null) this.position = position
})

const BreakObject = /* @__PURE__ */ constructorOf(function (this: Break, position: Position | null) {
  this.type = 'break'
  if (position !== null) this.position = position
})
