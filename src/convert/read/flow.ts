/** The rest of a line after its containers: the leaf that continues, and leaves that begin (CommonMark 4, GFM). */

import type { RootContent } from 'mdast'
import type { ReadingRules } from '../options.js'
import { type FlowStart, flowStart, isClosingFence, isUnderline } from './block-starts.js'
import { BLANK } from './html-starts.js'
import { positionOf, type TextLeaf, type VerbatimLeaf } from './leaf.js'
import { type Cursor, endOf, isBlank, type Piece, passSpace, pieceOf, pointAt, restOf, textOf } from './line.js'
import {
  closeLeaf,
  closeList,
  closeTo,
  dropLeaf,
  entriesOf,
  openLeaf,
  openTable,
  openText,
  type Structure,
} from './state.js'
import { isTable } from './table-lines.js'

/** Reads a blank line. It ends the containers that it does not continue, and the open leaf unless that is indented code. */
export function readBlank(structure: Structure, cursor: Cursor, depth: number): void {
  const { open, leaf } = structure
  if (depth < open.length) closeTo(structure, depth)
  else if (leaf?.kind === 'code') {
    passSpace(cursor, 4)
    leaf.lines.push(restOf(cursor).text)
  } else closeLeaf(structure)
}

/** Reads the rest of a line after all containers. */
export function readRest(structure: Structure, cursor: Cursor): void {
  const { leaf } = structure
  if (isBlank(cursor)) return
  if (cursor.indent > 3) {
    if (leaf?.kind === 'content') leaf.pieces.push(restOf(cursor))
    else readCode(structure, cursor)
    return
  }
  if (leaf?.kind === 'content' && (endHeading(structure, leaf, cursor) || beginTable(structure, leaf, cursor))) return
  const start = flowStart(textOf(cursor), structure.leaf?.kind === 'content', rulesAt(structure, cursor))
  if (start !== null) openFlow(structure, start, cursor)
  else if (structure.leaf?.kind === 'content') structure.leaf.pieces.push(restOf(cursor))
  else if (structure.leaf?.kind === 'table') structure.leaf.pieces.push(pieceOf(cursor, 0))
  else openText(structure, 'content', [textPiece(cursor)])
}

/** Returns the first line of a text. A lone `-` after definitions does not begin an item: it would interrupt a paragraph. */
function textPiece(cursor: Cursor): Piece {
  const piece = pieceOf(cursor, 0)
  return /^-[ \t]*$/.test(piece.text) ? { ...piece, text: `\\${piece.text}`, shift: piece.shift - 1 } : piece
}

function readCode(structure: Structure, cursor: Cursor): void {
  const { leaf } = structure
  const [start, end] = [pointAt(cursor.line, cursor.at), endOf(cursor.line)]
  passSpace(cursor, 4)
  const { text } = restOf(cursor)
  if (leaf?.kind === 'code') {
    leaf.lines.push(text)
    leaf.end = end
  } else openLeaf(structure, { ...verbatim, kind: 'code', start, end, lines: [text] })
}

/** Returns the rules for a line: without math if an earlier search found no end for math there. */
export function rulesAt({ rules, mathFrom }: Structure, { line }: Cursor): ReadingRules {
  return line.number < mathFrom ? { ...rules, math: 'none' } : rules
}

const verbatim = {
  type: 'leaf',
  text: '',
  fence: '',
  info: '',
  indent: 0,
  ending: null,
  again: null,
  nodes: [],
} as const

/** Returns whether the line turns the text before it into a heading. Definitions do not become a heading. */
function endHeading(structure: Structure, leaf: TextLeaf, cursor: Cursor): boolean {
  if (!isUnderline(textOf(cursor))) return false
  const isHeading = !leaf.pieces[0]?.text.startsWith('[') || !structure.isDefinitions(leaf)
  if (isHeading) {
    leaf.kind = 'heading'
    leaf.pieces.push(pieceOf(cursor, 0))
  }
  closeLeaf(structure)
  return isHeading
}

/** Returns whether the line before this one becomes the head of a table. If so, the paragraph before that head ends. */
function beginTable(structure: Structure, leaf: TextLeaf, cursor: Cursor): boolean {
  const last = leaf.pieces.at(-1)
  const [space = ''] = /^ {0,3}(?![ \t])/.exec(last?.text ?? '') ?? [null]
  if (last === undefined || leaf.isPlain || space === null) return false
  const head: Piece = { ...last, text: last.text.slice(space.length), shift: last.shift + space.length }
  if (!isTable(head.text, textOf(cursor))) return false
  leaf.pieces.pop()
  if (leaf.pieces.length === 0) dropLeaf(structure)
  openTable(structure, [head, pieceOf(cursor, 0)])
  return true
}

function openFlow(structure: Structure, start: FlowStart, cursor: Cursor): void {
  const { line, textAt, indent } = cursor
  const [from, end] = [pointAt(line, textAt), endOf(line)]
  switch (start.kind) {
    case 'rule':
      addFlow(structure, { type: 'thematicBreak', position: positionOf(from, end) })
      break
    case 'tag':
      addFlow(structure, { type: 'html', value: textOf(cursor), position: positionOf(from, end) })
      break
    case 'heading':
      openText(structure, 'heading', [pieceOf(cursor, 0)])
      closeLeaf(structure)
      break
    case 'fence': {
      const { fence, info } = start
      openLeaf(structure, { ...verbatim, kind: 'fence', start: from, end, lines: [], fence, info, indent })
      break
    }
    default: {
      const { text } = restOf(cursor)
      const begin = pointAt(line, cursor.isInTab ? cursor.at + 1 : cursor.at)
      const { kind, end: ending } = start
      const again = kind === 'math' ? { cursor: { ...cursor }, lines: [] } : null
      openLeaf(structure, { ...verbatim, kind, start: begin, end, lines: [text], ending, indent, again })
      // The opening delimiter of math is not also its closing delimiter.
      if (ending !== BLANK && ending.test(kind === 'math' ? textOf(cursor).slice(2) : text)) closeLeaf(structure)
    }
  }
}

/** Adds a block of one line. */
function addFlow(structure: Structure, node: RootContent): void {
  closeLeaf(structure)
  closeList(structure)
  entriesOf(structure).push(node)
}

/** Reads a line of fenced code, math or HTML, in which no other block can start. */
export function readVerbatim(structure: Structure, leaf: VerbatimLeaf, cursor: Cursor): void {
  const { ending, fence, indent } = leaf
  const isBlankLine = isBlank(cursor)
  if (ending === BLANK && isBlankLine) {
    closeLeaf(structure)
    return
  }
  leaf.end = endOf(cursor.line)
  if (ending !== null) {
    if (leaf.kind === 'math') passSpace(cursor, indent)
    const { text } = restOf(cursor)
    leaf.lines.push(text)
    leaf.again?.lines.push(cursor.line)
    if (ending !== BLANK && ending.test(text)) closeLeaf(structure)
  } else if (cursor.indent < 4 && isClosingFence(textOf(cursor), fence)) closeLeaf(structure)
  else {
    passSpace(cursor, indent)
    const { text } = restOf(cursor)
    leaf.text += leaf.lines.length === 0 ? text : `\n${text}`
    leaf.lines.push(text)
  }
}
