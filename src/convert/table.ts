/** Tables as aligned text. */
import type { AlignType, Table } from 'mdast'
import { toText } from '../index.js'
import type { Code } from '../tree.js'
import { type Conversion, report } from './conversion.js'
import { displayWidth } from './display-width.js'
import { splitLines } from './lines.js'
import { phrasingOf } from './phrasing.js'

/** The lines of a cell. */
type Cell = readonly string[]

/**
 * A table as code whose columns stand below each other, by the width at which characters are shown.
 *
 * @returns the code, without formatting in the cells; the targets of links stand behind their labels
 */
export function codeOfTable(conversion: Conversion, table: Table): Code {
  report(conversion, 'table', table)
  const rows = table.children.map((row) => row.children.map((cell) => cellOf(conversion, cell.children)))
  const columnCount = Math.max(1, ...rows.map((row) => row.length))
  const widths = Array.from({ length: columnCount }, (_, column) =>
    Math.max(1, ...rows.flatMap((row) => (row[column] ?? []).map(displayWidth))),
  )
  const align = table.align ?? []
  const [header = [], ...body] = rows.map((row) => linesOf(row, widths, align))
  const rule = widths.map((width) => '-'.repeat(width)).join('-+-')
  const code: Code = { type: 'code', lang: null, meta: null, value: [...header, rule, ...body.flat()].join('\n') }
  if (table.position !== undefined) code.position = table.position
  return code
}

function cellOf(conversion: Conversion, nodes: Parameters<typeof phrasingOf>[1]): Cell {
  return splitLines(phrasingOf(conversion, nodes)).map((children) =>
    // A cell is one line; a tab has no width that could be known.
    toText({ type: 'root', children: [{ type: 'paragraph', children }] })
      .replace(/\s/g, ' ')
      .trim(),
  )
}

/** A row takes as many lines as the highest of its cells. */
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
  const room = width - displayWidth(text)
  const before = align === 'right' ? room : align === 'center' ? room >> 1 : 0
  return ' '.repeat(before) + text + ' '.repeat(room - before)
}
