/** Writes tables as aligned text, or as a line for each row. */
import type { AlignType, Table } from 'mdast'
import type { Code, Phrasing } from '../tree.js'
import type { Conversion } from './conversion.js'
import { displayWidth } from './display-width.js'
import { inOneLine, splitLines, textOf, withoutKind } from './lines.js'
import type { Rules } from './options.js'
import { phrasingOf } from './phrasing.js'

/** Maximum width in columns of a table that `auto` writes as code: a phone wraps wider lines. */
const WIDTH_MAX = 60

/** The phrasing of all cells. */
type Rows = readonly (readonly (readonly Phrasing[])[])[]

/** Converts the cells of a table. */
export function rowsOf(conversion: Conversion, { children }: Table): Rows {
  return children.map((row) => row.children.map((cell) => phrasingOf(conversion, cell.children)))
}

/**
 * Writes a table as code whose columns are aligned by the width at which characters are shown.
 *
 * @returns the code, with the URL of each link after its text and without formatting; null if `tables` is `items`, or if it is
 * `auto` and a row is too wide or has a link, which cannot be followed in code
 */
export function codeOfRows(rows: Rows, align: readonly AlignType[], tables: Rules['tables']): Code | null {
  if (tables === 'items' || (tables === 'auto' && rows.flat(2).some(holdsLink))) return null
  // Line endings in a text and tabs, whose width is not known, become spaces.
  const cellOf = (cell: readonly Phrasing[]): Cell =>
    splitLines(cell).map((line) => textOf(line).replace(/\s/g, ' ').trim())
  const cells = rows.map((row) => row.map(cellOf))
  const widths = [1]
  for (const row of cells)
    for (const [column, lines] of row.entries())
      widths[column] = Math.max(widths[column] ?? 1, ...lines.map(displayWidth))
  const lines = layOut(cells, widths, align)
  if (tables === 'auto' && lines.some((line) => displayWidth(line) > WIDTH_MAX)) return null
  return { type: 'code', lang: null, meta: null, value: lines.join('\n') }
}

function holdsLink(node: Phrasing): boolean {
  return node.type === 'link' || ('children' in node && node.children.some(holdsLink))
}

/** Writes each row as a line in which each cell follows the head of its column. */
export function linesOfRows([head = [], ...rows]: Rows): Phrasing[][] {
  const isEmpty = (column: number): boolean => rows.every((row) => (row[column]?.length ?? 0) === 0)
  const bodies = rows.length > 0 ? rows : [[]]
  return bodies.map((row, index) => {
    const columns = Array.from({ length: Math.max(head.length, row.length) }, (_, column) => column)
    const cells = columns.map((column) => {
      const [name, cell] = [inOneLine(head[column] ?? []), inOneLine(row[column] ?? [])]
      // The first line shows the heads of the columns that have no content.
      return cell.length > 0 || (index === 0 && isEmpty(column)) ? labelCell(name, cell) : []
    })
    const visibleCells = cells.filter((cell) => cell.length > 0)
    return visibleCells.flatMap((cell, at): Phrasing[] => (at === 0 ? cell : [{ type: 'text', value: ' · ' }, ...cell]))
  })
}

/** Returns a cell after the head of its column, in bold and with a colon. */
function labelCell(name: Phrasing[], cell: Phrasing[]): Phrasing[] {
  if (name.length === 0) return cell
  const isEnded = cell.length === 0 || /[:：?!]\s*$/.test(textOf(name))
  const colon: Phrasing[] = isEnded ? [] : [{ type: 'text', value: ':' }]
  const label: Phrasing = { type: 'strong', children: [...withoutKind(name, 'strong'), ...colon] }
  return cell.length === 0 ? [label] : [label, { type: 'text', value: ' ' }, ...cell]
}

/** The lines of a cell. */
type Cell = readonly string[]

/** Returns the lines of a table. An empty head is left out, with the line below it. */
function layOut(rows: readonly (readonly Cell[])[], widths: readonly number[], align: readonly AlignType[]): string[] {
  const [header = [], ...body] = rows.map((row) => linesOf(row, widths, align))
  const isHeaded = rows.length === 1 || header.some((line) => /[^\s|]/.test(line))
  return [...(isHeaded ? [...header, widths.map((width) => '-'.repeat(width)).join('-+-')] : []), ...body.flat()]
}

/** Returns the lines of a row: as many as its tallest cell has. */
function linesOf(row: readonly Cell[], widths: readonly number[], align: readonly AlignType[]): string[] {
  const height = Math.max(1, ...row.map((cell) => cell.length))
  return Array.from({ length: height }, (_, line) =>
    widths
      .map((width, column) => pad(row[column]?.[line] ?? '', width, align[column] ?? null))
      .join(' | ')
      .trimEnd(),
  )
}

function pad(text: string, width: number, align: AlignType): string {
  const missingWidth = width - displayWidth(text)
  const before = align === 'right' ? missingWidth : align === 'center' ? missingWidth >> 1 : 0
  return ' '.repeat(before) + text + ' '.repeat(missingWidth - before)
}
