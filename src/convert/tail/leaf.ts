/** Completes the leaf in which Markdown breaks off: hides the half-typed end and closes open constructs. */
import { flowStart } from '../read/block-starts.js'
import { isEmpty } from '../read/container.js'
import type { Leaf, TableLeaf, TextLeaf, VerbatimLeaf } from '../read/leaf.js'
import { isTooLong } from '../read/limits.js'
import type { Piece } from '../read/line.js'
import { closeLeaf, dropLeaf, openTable, type Structure } from '../read/state.js'
import type { OpenedLine } from '../read/structure.js'
import { cellsOf, startOfLastCell } from '../read/table-lines.js'
import { definitionsIn } from '../read/texts.js'
import { completeText } from './complete.js'
import { completeHtml, showsSomething } from './complete-html.js'

/** Matches a line that is only markers or delimiters so far: its type is not known yet. */
const MARKERS = /^(?:#{1,6}|[-+*_=~`|: \t]+|\d{1,9}[.)]?)[ \t]*$/
/** Matches a task's box that is half typed, or has nothing after it. */
const BOX = /^\[(?:[ \tXx]\]?)?[ \t]*$/

/** Whether an unfinished line may become the closing fence. */
export function isHalfFence(fence: string, text: string): boolean {
  return text.startsWith(fence[0] ?? '') && /^(?:`+|~+)[ \t]*$/.test(text)
}

/** Matches the unfinished first line of a quote that may become an alert, for example `[!NO`. */
const ALERT = /^\[(?:!(?:[A-Za-z]*\]?)?)?[ \t]*$/

/**
 * Whether a line is so short that its type is not known yet. Such a line is not shown.
 *
 * @param structure - with the line's containers open
 * @param opened - the line
 * @param text - the text after them
 */
export function isHalfTyped({ leaf, open, rules }: Structure, opened: OpenedLine, text: string): boolean {
  if (opened.isWithin && leaf?.kind === 'fence') return isHalfFence(leaf.fence, text)
  if (opened.isWithin && leaf?.kind === 'html') return false
  if (opened.isWithin && leaf?.kind === 'math') return /^(?:\$\$?|\\\]?)$/.test(text)
  if (/^(?:\$\$?|\\\[?)[ \t]*$/.test(text)) return true
  if (opened.cursor.indent > 3 && leaf?.kind !== 'content') return false
  const container = open.at(-1)
  const isFirst = container !== undefined && isEmpty(container)
  if (isFirst && container.node.type === 'blockquote' && ALERT.test(text)) return true
  return (
    MARKERS.test(text) ||
    (isFirst && container.node.type === 'listItem' && BOX.test(text)) ||
    flowStart(text, false, rules)?.kind === 'fence'
  )
}

/**
 * Ends a leaf.
 *
 * @param structure - in which it is open; or it is a heading or HTML that the last line has ended
 * @param leaf - the leaf
 * @param hidden - the hidden text after it: null if its last line has ended, empty if that line is shown
 * @returns the leaf to show instead
 */
export function endWell(structure: Structure, leaf: Leaf | null, hidden: string | null): Leaf | null {
  const isAtEnd = hidden === ''
  // Text over a limit is shown as typed.
  if (leaf !== null && 'pieces' in leaf && isTooLong(leaf.pieces.slice(leaf.kind === 'table' ? -1 : 0))) return leaf
  switch (leaf?.kind) {
    case 'content':
      return endText(structure, leaf, hidden)
    case 'heading':
      // A heading is one line, so this is the unfinished line.
      // A match starts at the first of several spaces, so that the search is linear.
      completePieces(leaf.pieces, (text) => completeText(text.replace(/(?<![ \t])[ \t]+#+$/, ''), true))
      return leaf
    case 'table':
      if (isAtEnd) completeRow(leaf)
      return leaf
    case 'math':
      return endMath(structure, leaf)
    case 'html':
      return endHtml(structure, leaf)
    default:
      return leaf
  }
}

function endText(structure: Structure, leaf: TextLeaf, hidden: string | null): Leaf | null {
  const { pieces } = leaf
  dropDefinition(pieces)
  const head = pieces.at(-1)
  if (head !== undefined && !leaf.isPlain && isHead(head.text, hidden)) {
    pieces.pop()
    if (pieces.length === 0) dropLeaf(structure)
    const delimiters: Piece = { ...head, text: `|${'-|'.repeat(cellsOf(head.text.trimStart()).length)}` }
    const table = openTable(structure, [{ ...head, text: head.text.trimStart() }, delimiters])
    if (hidden === '') completeRow(table)
    return table
  }
  completePieces(pieces, (text) => completeText(text, hidden === ''))
  if (leaf.item !== null && pieces.length === 1 && BOX.test(pieces[0]?.text ?? '')) pieces.pop()
  if (pieces.length > 0) return leaf
  dropLeaf(structure)
  return null
}

/** Maximum number of columns of a table that is shown before its delimiter row is complete. */
const COLUMNS_MAX = 64

/** Whether a line may be the head of a table: it begins with a bar, or a delimiter row is being typed below it. */
function isHead(line: string, hidden: string | null): boolean {
  const mayBe = /^[ \t]*\|/.test(line) || (/[|:]/.test(hidden ?? '') && line.includes('|'))
  return mayBe && cellsOf(line.trimStart()).length <= COLUMNS_MAX
}

/** Removes an unfinished definition, because a finished one is not shown either. */
function dropDefinition(pieces: Piece[]): void {
  const start = pieces.findLastIndex(({ text }) => /^\[[^\]]+\]:/.test(text))
  const text = pieces
    .slice(Math.max(0, start))
    .map((piece) => piece.text)
    .join('\n')
  if (start < 0 || !HALF_DEFINITION.test(text)) return
  if (start === 0 || definitionsIn(pieces.slice(0, start)).isAll) pieces.length = start
}

const HALF_DEFINITION = /^\[[^\]]+\]:\s*(?:<[^<>\n]*>?|[^\s<]\S*)?(?:\s+(?:"[^"]*|'[^']*|\([^()]*)?)?$/

/** Completes the cell in which a row breaks off. */
function completeRow({ pieces }: TableLeaf): void {
  const row = pieces.length === 2 ? 0 : pieces.length - 1
  const piece = pieces[row]
  if (piece === undefined) return
  const start = startOfLastCell(piece.text)
  pieces[row] = { ...piece, text: piece.text.slice(0, start) + completeText(piece.text.slice(start), true) }
}

/** Completes the text of the lines, and removes the lines that are hidden. */
function completePieces(pieces: Piece[], complete: (text: string) => string): void {
  const text = complete(pieces.map((piece) => piece.text).join('\n')).trimEnd()
  const lines = text === '' ? [] : text.split('\n')
  const rest = pieces.flatMap((piece, index) => lines.slice(index, index + 1).map((line) => ({ ...piece, text: line })))
  pieces.splice(0, pieces.length, ...rest)
}

/** Closes a formula with its delimiter. A part of the delimiter may be typed already. */
function endMath(structure: Structure, leaf: VerbatimLeaf): Leaf | null {
  const source = leaf.lines.join('\n').trim()
  const closer = source.startsWith('$$') ? '$$' : '\\]'
  const formula = source.slice(2).replace(/(?<!\\)(?:\$|\\)$/, '')
  if (structure.leaf !== leaf) return leaf
  if (formula.trim() === '') dropLeaf(structure)
  else {
    leaf.lines.splice(0, leaf.lines.length, source.slice(0, 2) + formula, closer)
    closeLeaf(structure)
  }
  return null
}

function endHtml(structure: Structure, leaf: VerbatimLeaf): Leaf | null {
  const html = completeHtml(leaf.lines.join('\n')).trimEnd()
  leaf.lines.splice(0, leaf.lines.length, ...html.split('\n'))
  if (showsSomething(html)) return leaf
  if (structure.leaf === leaf) dropLeaf(structure)
  return null
}
