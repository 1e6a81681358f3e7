/**
 * Finds the blocks of Markdown line by line, reading each line once: the containers that it continues, those that it starts, and
 * the leaf that gets the rest (CommonMark's parsing strategy, phase 1). Inline content is not parsed here.
 */
import { containerStart, flowStart, isUnderline } from './block-starts.js'
import { type Container, goesOn, openContainer, openList } from './container.js'
import { readBlank, readRest, readVerbatim, rulesAt } from './flow.js'
import { BLANK } from './html-starts.js'
import { type Leaf, positionOf, type TextLeaf, type VerbatimLeaf } from './leaf.js'
import { type Cursor, endOf, isBlank, type Line, openCursor, type Piece, pieceOf, restOf, textOf } from './line.js'
import { closeList, closeTo, DEPTH_MAX, dropLeaf, entriesOf, type Structure } from './state.js'
import { isTable } from './table-lines.js'

/** A line whose containers are known: the cursor is after their markers. */
export interface OpenedLine {
  readonly cursor: Cursor
  /** The number of open containers that the line continues, and whether these are all. */
  readonly depth: number
  readonly isWithin: boolean
  /** Whether the line starts new containers. */
  readonly isNew: boolean
  /** Whether the line contains only white space, apart from the markers of containers that it continues. */
  readonly isBlankLine: boolean
}

/** Reads the next line. */
export function readLine(structure: Structure, line: Line): void {
  readOpened(structure, openLine(structure, line))
}

/** Continues and opens the containers of the next line. */
export function openLine(structure: Structure, line: Line): OpenedLine {
  const { open, leaf } = structure
  const cursor = openCursor(line)
  let depth = 0
  for (let container = open[0]; container !== undefined && goesOn(container, cursor); container = open[depth])
    depth += 1
  const isWithin = depth === open.length
  const isBlankLine = isBlank(cursor)
  if (leaf?.kind === 'math' && (!isWithin || (isBlankLine && isOver(leaf)))) {
    readAgain(structure, leaf)
    return openLine(structure, line)
  }
  const isClosed = isBlankLine || (isWithin && isVerbatim(leaf))
  return { cursor, depth, isWithin, isNew: !isClosed && openContainers(structure, cursor, depth), isBlankLine }
}

/** Reads the rest of a line after its containers. */
export function readOpened(structure: Structure, { cursor, depth, isWithin, isNew, isBlankLine }: OpenedLine): void {
  const { open, leaf } = structure
  if (isWithin && isVerbatim(leaf)) readVerbatim(structure, leaf, cursor)
  else if (isBlankLine) readBlank(structure, cursor, depth)
  else if (isWithin || isNew) readRest(structure, cursor)
  else if (leaf?.kind === 'content' && isLazy(structure, cursor)) leaf.pieces.push(lazyPiece(leaf, cursor))
  else {
    closeTo(structure, depth)
    readRest(structure, cursor)
  }
  // An empty line of a quote extends the quote and all containers around it.
  const isContent = !isBlankLine || (isWithin && isVerbatim(leaf) && leaf.ending !== BLANK)
  const last = !isContent ? open.findLastIndex(({ node }) => node.type === 'blockquote') + 1 : open.length
  for (const container of open.slice(0, last)) container.end = endOf(cursor.line)
}

/** Whether the lines of a leaf stay as typed. */
function isVerbatim(leaf: Leaf | null): leaf is VerbatimLeaf {
  return leaf?.kind === 'fence' || leaf?.kind === 'html' || leaf?.kind === 'math'
}

/** Ends the open leaf and all open containers. */
export function closeAll(structure: Structure): void {
  for (let { leaf } = structure; leaf?.kind === 'math'; leaf = structure.leaf) readAgain(structure, leaf)
  closeTo(structure, 0)
  const { tag, steps } = structure
  if (tag?.use === 'drop') steps.push({ type: 'dropped', position: positionOf(tag.start, tag.end) })
  structure.tag = null
}

/** Maximum number of blank lines in a formula whose delimiters have their own lines. Other formulas cannot contain any. */
const BLANK_MAX = 3

function isOver({ lines: [first = '', ...others] }: VerbatimLeaf): boolean {
  const isAlone = first.trim().length === 2
  return !isAlone || others.filter((line) => BLANK.test(line)).length >= BLANK_MAX
}

/** Reads the lines of math that has not ended as if its delimiter were text, up to the first blank line. */
function readAgain(structure: Structure, { again, lines }: VerbatimLeaf): void {
  if (again === null) return
  dropLeaf(structure)
  const blank = lines.findIndex((line) => BLANK.test(line))
  structure.mathFrom = again.cursor.line.number + (blank < 0 ? lines.length : blank)
  readRest(structure, again.cursor)
  for (const line of again.lines) readLine(structure, line)
}

/** Opens the containers that start at the cursor, inside the first `depth` open ones. Returns whether there are any. */
function openContainers(structure: Structure, cursor: Cursor, depth: number): boolean {
  const { open, leaf } = structure
  let isInterrupting = depth === open.length && leaf?.kind === 'content'
  let isFirst = true
  while (cursor.indent < 4 && open.length < DEPTH_MAX && !isBlank(cursor)) {
    const start = containerStart(textOf(cursor), isInterrupting)
    if (start === null) break
    if (isFirst) closeTo(structure, depth)
    isFirst = false
    isInterrupting = false
    const list = open.at(-1)
    if (start.kind !== 'item') closeList(structure)
    else if (list?.node.type !== 'list' || list.marker !== start.marker) {
      closeList(structure)
      push(structure, openList(start, cursor))
    }
    const container = openContainer(start, cursor)
    push(structure, container)
    if (container.node.type === 'footnoteDefinition') structure.steps.push({ type: 'footnote', node: container.node })
  }
  return !isFirst
}

function push(structure: Structure, container: Container): void {
  entriesOf(structure).push(container.node)
  structure.open.push(container)
}

/** Whether a line is a lazy continuation: it continues the paragraph although it does not continue its container. */
function isLazy(structure: Structure, cursor: Cursor): boolean {
  return cursor.indent > 3 || flowStart(textOf(cursor), true, rulesAt(structure, cursor)) === null
}

/**
 * Returns a lazy line. If it looks like an underline or a table, the line is indented so that it does not become one. Indented code
 * cannot interrupt a paragraph.
 */
function lazyPiece({ pieces }: TextLeaf, cursor: Cursor): Piece {
  const text = textOf(cursor)
  return isUnderline(text) || isTable(pieces.at(-1)?.text ?? '', text) ? pieceOf(cursor, 4) : restOf(cursor)
}
