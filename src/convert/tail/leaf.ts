/** Completes the leaf in which Markdown breaks off: hides the half-typed end and closes open constructs. */
import { namesOfOpen, piecesOf, readTag } from '../html.js'
import { flowStart } from '../read/block-starts.js'
import { isEmpty } from '../read/container.js'
import { type Ending, isHalfHtml } from '../read/endings.js'
import type { Leaf, TextLeaf, VerbatimLeaf } from '../read/leaf.js'
import type { Piece } from '../read/line.js'
import { closeLeaf, dropLeaf, openTable, type Structure } from '../read/state.js'
import type { OpenedLine } from '../read/structure.js'
import { cellsOf } from '../read/table-lines.js'
import { definitionsIn } from '../read/texts.js'

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
 * @param hidden - the hidden text after it, or an empty string
 * @param lineNumber - the number of the unfinished line
 */
export function endWell(structure: Structure, leaf: Leaf | null, hidden: string, lineNumber: number): void {
  switch (leaf?.kind) {
    case 'content':
      endText(structure, leaf, hidden, lineNumber)
      break
    case 'heading':
      // The closing sequence, which may still become text, and spaces at the end are hidden. A match starts at the first of
      // several spaces, so that the search is linear.
      leaf.pieces.splice(
        0,
        1,
        ...leaf.pieces.slice(0, 1).map((piece) => ({ ...piece, text: withoutSequence(piece.text) })),
      )
      leaf.ending = 'in-line'
      break
    case 'table':
      leaf.ending = endingOf(leaf.pieces, lineNumber)
      break
    case 'math':
      endMath(structure, leaf)
      break
    case 'html':
      leaf.lines.splice(0, leaf.lines.length, ...completeHtml(leaf.lines.join('\n')).trimEnd().split('\n'))
      break
    default:
  }
}

function withoutSequence(heading: string): string {
  return heading.replace(/(?<![ \t])[ \t]+(?:#+[ \t]*)?$/, '')
}

function endingOf(pieces: readonly Piece[], lineNumber: number): Ending {
  return pieces.at(-1)?.line.number === lineNumber ? 'in-line' : 'after-line'
}

function endText(structure: Structure, leaf: TextLeaf, hidden: string, lineNumber: number): void {
  const { pieces } = leaf
  leaf.ending = endingOf(pieces, lineNumber)
  dropDefinition(pieces)
  const head = pieces.at(-1)
  if (head === undefined || (leaf.item !== null && pieces.length === 1 && BOX.test(head.text))) dropLeaf(structure)
  else if (!leaf.isPlain && isHead(head.text, hidden)) {
    pieces.pop()
    if (pieces.length === 0) dropLeaf(structure)
    else leaf.ending = null
    const delimiters: Piece = { ...head, text: `|${'-|'.repeat(cellsOf(head.text.trimStart()).length)}` }
    const table = openTable(structure, [{ ...head, text: head.text.trimStart() }, delimiters])
    table.ending = endingOf([head], lineNumber)
  }
}

/** Maximum number of columns of a table that is shown before its delimiter row is complete. */
const COLUMNS_MAX = 64

/** Whether a line may be the head of a table: it begins with a bar, or a delimiter row is being typed below it. */
function isHead(line: string, hidden: string): boolean {
  const mayBe = /^[ \t]*\|/.test(line) || (/[|:]/.test(hidden) && line.includes('|'))
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

/** Closes a formula with its delimiter. A part of the delimiter may be typed already. */
function endMath(structure: Structure, leaf: VerbatimLeaf): void {
  const source = leaf.lines.join('\n').trim()
  const closer = source.startsWith('$$') ? '$$' : '\\]'
  const formula = source.slice(2).replace(/(?<!\\)(?:\$|\\)$/, '')
  if (structure.leaf !== leaf) return
  if (formula.trim() === '') dropLeaf(structure)
  else {
    leaf.lines.splice(0, leaf.lines.length, source.slice(0, 2) + formula, closer)
    closeLeaf(structure)
  }
}

/** Removes an unfinished tag at the end, and closes the elements that format their content. */
function completeHtml(html: string): string {
  let length = 0
  const pieces = piecesOf(html)
  const end = pieces.findIndex(({ value }) => {
    length += value.length
    return value === '<' && isHalfHtml(html, length - 1)
  })
  const shown = end < 0 ? pieces : pieces.slice(0, end)
  const tags = shown.map(({ type, value }) => (type === 'tag' ? readTag(value) : null))
  return [...shown.map(({ value }) => value), ...namesOfOpen(tags).map((name) => `</${name}>`)].join('')
}
