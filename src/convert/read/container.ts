/** Blocks that contain blocks: quotes, lists, items, footnotes (CommonMark 5.1, 5.2, GFM). */
import type { Blockquote, FootnoteDefinition, List, ListItem, RootContent } from 'mdast'
import type { Point, Position } from '../../tree.js'
import type { ContainerStart, ItemStart } from './block-starts.js'
import { blocksIn, type Entry } from './leaf.js'
import { type Cursor, isBlank, passSpace, passText, pointAt } from './line.js'
import { normalizedLabel } from './names.js'

export type ContainerNode = (Blockquote | List | ListItem | FootnoteDefinition) & { position: Position }

/** An open container, and its content so far. */
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

/** Finishes the node of a container whose leaves have been read. */
export function finishContainer({ node, entries, end }: Container): void {
  // A list contains only items; all other containers contain blocks.
  node.children = blocksIn(entries) as typeof node.children
  node.position.end = { ...end }
  if (node.type === 'listItem') node.spread = areApart(node.children)
  if (node.type === 'list') node.spread = node.children.some(({ spread }) => spread) || areApart(node.children)
}

/** Whether an empty line separates two of the blocks. */
function areApart(blocks: readonly RootContent[]): boolean {
  return blocks.some(({ position }, index) => {
    const before = blocks[index - 1]?.position
    return position !== undefined && before !== undefined && position.start.line - before.end.line > 1
  })
}
