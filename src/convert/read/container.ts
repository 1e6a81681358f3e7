/** Blocks that contain blocks: quotes, lists, items, footnotes (CommonMark 5.1, 5.2, GFM). */
import type { Blockquote, FootnoteDefinition, List, ListItem, RootContent } from 'mdast'
import type { Point, Position } from '../../tree.js'
import type { ContainerStart, ItemStart } from './block-starts.js'
import { blocksIn, type Entry } from './leaf.js'
import { type Cursor, isBlank, passSpace, passText, pointAt } from './line.js'
import { normalizedLabel } from './names.js'

export type ContainerNode = (Blockquote | List | ListItem | FootnoteDefinition) & { position: Position }

/** An open container. Its node has its first blocks already, its entries are the others. */
export interface Container {
  readonly node: ContainerNode
  readonly entries: Entry[]
  /** Whether the container is a quote made from an element, which continues to the end tag. */
  readonly isTag: boolean
  /** The last character of the markers of a list's items; empty in other containers. */
  readonly marker: string
  /** For an item: the number of columns of white space at the start of each of its lines. */
  readonly indent: number
  /** For an item: whether it is only a marker so far; and whether a blank line after such a marker has ended it. */
  isEmpty: boolean
  isOver: boolean
  /** The end of its last line that was not blank. */
  end: Point
}

/** Skips the prefix of a line that continues a container. Returns whether the line continues it. */
export function goesOn(container: Container, cursor: Cursor): boolean {
  if (container.isTag) return true
  switch (container.node.type) {
    case 'blockquote':
      if (cursor.indent > 3 || cursor.line.text[cursor.textAt] !== '>') return false
      passQuoteMarker(cursor)
      return true
    case 'list':
      return true
    case 'listItem':
      return goesOnWithItem(container, cursor)
    default:
      if (isBlank(cursor)) return true
      if (cursor.indent < FOOTNOTE_INDENT) return false
      passSpace(cursor, FOOTNOTE_INDENT)
      return true
  }
}

const FOOTNOTE_INDENT = 4

function goesOnWithItem(container: Container, cursor: Cursor): boolean {
  if (isBlank(cursor)) {
    // A second blank line ends an item that is only a marker so far.
    container.isOver = container.isEmpty
    passSpace(cursor, container.indent)
    return true
  }
  if (container.isOver || cursor.indent < container.indent) return false
  container.isEmpty = false
  passSpace(cursor, container.indent)
  return true
}

function passQuoteMarker(cursor: Cursor): void {
  passText(cursor, 1)
  passSpace(cursor, 1)
}

/** Creates the container that starts at the cursor, and moves the cursor after its marker. */
export function openContainer(start: ContainerStart, cursor: Cursor): Container {
  const position = positionAt(cursor)
  switch (start.kind) {
    case 'quote':
      passQuoteMarker(cursor)
      return containerOf({ type: 'blockquote', children: [], position }, position.end)
    case 'footnote': {
      const { label, length } = start
      passText(cursor, length)
      passSpace(cursor, Number.POSITIVE_INFINITY)
      const identifier = normalizedLabel(label).toLowerCase()
      return containerOf({ type: 'footnoteDefinition', identifier, label, children: [], position }, position.end)
    }
    default:
      return openItem(start, cursor)
  }
}

/** Creates a list whose first item starts at the cursor. */
export function openList({ marker, number }: ItemStart, cursor: Cursor): Container {
  const position = positionAt(cursor)
  const node: List & { position: Position } = {
    ...{ type: 'list', ordered: number !== null, start: number, spread: false, children: [], position },
  }
  return { ...containerOf(node, position.end), marker }
}

/** Creates an item. Up to four columns of white space belong to its marker. If there are more, only one does: the rest is code or blank. */
function openItem({ text }: ItemStart, cursor: Cursor): Container {
  const position = positionAt(cursor)
  const before = cursor.indent
  passText(cursor, text.length)
  const isEmpty = isBlank(cursor)
  const space = isEmpty || cursor.indent > 4 ? 1 : cursor.indent
  passSpace(cursor, space)
  const node: ListItem & { position: Position } = {
    type: 'listItem',
    spread: false,
    checked: null,
    children: [],
    position,
  }
  return { ...containerOf(node, position.end), indent: before + text.length + space, isEmpty }
}

export function containerOf(node: ContainerNode, end: Point, isTag = false): Container {
  return { node, entries: [], isTag, marker: '', indent: 0, isEmpty: false, isOver: false, end }
}

function positionAt({ line, textAt }: Cursor): { start: Point; end: Point } {
  return { start: pointAt(line, textAt), end: pointAt(line, line.text.length) }
}

/** Whether nothing is in a container so far. */
export function isEmpty({ node, entries }: Container): boolean {
  return node.children.length + entries.length === 0
}

/** Finishes the node of a container whose leaves have been read. */
export function finishContainer(container: Container): void {
  takeEntries(container, container.entries.length)
  container.node.position.end = { ...container.end }
}

/** Adds the first entries, which have been read, to the node of a container. */
export function takeEntries({ node, entries }: Container, count: number): void {
  for (const block of blocksIn(entries.splice(0, count))) {
    const before = node.children.at(-1)
    // A list contains only items; all other containers contain blocks.
    const children: RootContent[] = node.children
    children.push(block)
    if ('spread' in node) node.spread ||= isApart(before, block) || (block.type === 'listItem' && block.spread === true)
  }
}

/** Whether an empty line separates two blocks. */
function isApart(before: RootContent | undefined, { position }: RootContent): boolean {
  if (before?.position === undefined || position === undefined) return false
  return position.start.line - before.position.end.line > 1
}
