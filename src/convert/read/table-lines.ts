/** The lines of a table (GFM 4.10). */
import { trimSpace } from '../lines.js'

/** A cell of a row, from the bar before it to its end. */
export interface RowCell {
  readonly start: number
  readonly end: number
  /** The cell's text without the white space around it, and the offset of the text. */
  readonly text: string
  readonly at: number
}

/** Returns the cells of a row, which unescaped bars separate. */
export function cellsOf(row: string): RowCell[] {
  const cells: RowCell[] = []
  let start = 0
  for (let at = row.startsWith('|') ? 1 : 0; at <= row.length; at += 1) {
    if (row[at] === '\\' && at + 1 < row.length) at += 1
    else if (at === row.length || row[at] === '|') {
      const cell = cellFrom(row, start, at)
      if (at < row.length || cell.text !== '') cells.push(cell)
      start = at
    }
  }
  return cells
}

function cellFrom(row: string, start: number, end: number): RowCell {
  const content = row.slice(start, end).replace(/^\|?[ \t]*/, '')
  return { start, end, text: trimSpace(content), at: end - content.length }
}

/**
 * Whether two lines start a table.
 *
 * @param head - the first, without white space in front of it
 * @param delimiters - the second one
 */
export function isTable(head: string, delimiters: string): boolean {
  if (!DELIMITERS.test(delimiters) || !/[|:]/.test(delimiters)) return false
  return cellsOf(head).length === cellsOf(delimiters).length
}

const DELIMITERS = /^\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/
