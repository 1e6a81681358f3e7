/** Tables as aligned text, or as a list with an item for each row. */
import type { AlignType, List, ListItem, Nodes, PhrasingContent, Table, TableRow } from 'mdast'
import type { Code } from '../tree.js'
import type { Cell, Conversion, Grid } from './conversion.js'
import { displayWidth } from './display-width.js'
import { isBreak } from './html.js'
import { splitLines, textOf } from './lines.js'
import { phrasingOf } from './phrasing.js'

/** Maximum width in columns in `auto`: a phone shows hardly more, and wraps wider lines. */
const WIDTH_MAX = 60

const EMPTY: Grid = { rows: [], widths: [], text: '' }

/**
 * Writes a table as code whose columns are aligned by the width at which characters are shown.
 *
 * @returns the code, without formatting in the cells, the URLs of links after their text; null if `tables` asks for items, or
 * in `auto` if a row is too wide or has a link, which cannot be followed in code
 */
export function codeOfTable(conversion: Conversion, { children, align }: Table): Code | null {
  const { kept } = conversion
  const [head] = children
  const known = head === undefined ? undefined : kept?.get(head)
  const { grid, count } =
    known?.grid === undefined ? { grid: EMPTY, count: 0 } : { grid: known.grid, count: known.count }
  // The last row may still be growing.
  const before = grow(conversion, grid, children.slice(count, -1), align ?? [])
  if (head !== undefined) kept?.set(head, { count: children.length - 1, gap: '', grid: before })
  const { text } = grow(conversion, before, children.slice(-1), align ?? [])
  return text === null ? null : { type: 'code', lang: null, meta: null, value: text }
}

function grow(conversion: Conversion, grid: Grid, added: readonly TableRow[], align: readonly AlignType[]): Grid {
  const { tables } = conversion.rules
  if (added.length === 0 || grid.text === null) return grid
  if (tables === 'items' || (tables === 'auto' && added.some(hasLink))) return { ...grid, text: null }
  const fresh = added.map((row) => row.children.map((cell) => cellOf(conversion, cell.children)))
  const rows = [...grid.rows, ...fresh]
  const widths = widthsOf(grid.widths, fresh)
  const isLaidOut = grid.rows.length > 1 && widths.every((width, column) => width === grid.widths[column])
  const lines = isLaidOut ? fresh.flatMap((row) => linesOf(row, widths, align)) : layOut(rows, widths, align)
  const isWide = tables === 'auto' && lines.some((line) => displayWidth(line) > WIDTH_MAX)
  // Appending to a long string does not copy it.
  const text = isLaidOut ? `${grid.text}\n${lines.join('\n')}` : lines.join('\n')
  return { rows, widths, text: isWide ? null : text }
}

function widthsOf(before: readonly number[], rows: readonly (readonly Cell[])[]): number[] {
  const widths = before.length > 0 ? [...before] : [1]
  for (const row of rows)
    for (const [column, lines] of row.entries())
      widths[column] = Math.max(widths[column] ?? 1, ...lines.map(displayWidth))
  return widths
}

/** Returns all lines, with a line below the head unless the head is empty. */
function layOut(rows: readonly (readonly Cell[])[], widths: readonly number[], align: readonly AlignType[]): string[] {
  const [header = [], ...body] = rows.map((row) => linesOf(row, widths, align))
  const isHeaded = rows.length === 1 || header.some((line) => /[^\s|]/.test(line))
  return [...(isHeaded ? [...header, widths.map((width) => '-'.repeat(width)).join('-+-')] : []), ...body.flat()]
}

function hasLink(node: Nodes): boolean {
  if (node.type === 'html') return /^<(?:a|img)\s/i.test(node.value)
  if (/^(?:link|image)(?:Reference)?$/.test(node.type)) return true
  return 'children' in node && node.children.some(hasLink)
}

/** Writes a table as a list: an item for each row, with each cell after the head of its column. */
export function itemsOf({ kept }: Conversion, { children: [head, ...rows], position }: Table): List {
  const names = (head?.children ?? []).map(({ children }) => children)
  const bodies = rows.length > 0 ? rows : [{ ...head, children: [] }]
  const [first = {}] = bodies
  const before = kept?.get(first)?.rows ?? { items: [], empty: [...names.keys()], shown: [] }
  const fresh = rows.slice(before.items.length)
  const empty = emptyIn(before.empty, fresh)
  // A new row may fill a column that the first item shows as empty.
  const isSame = String(empty) === String(before.shown)
  const [known, start] = isSame ? [before.items, 0] : [before.items.slice(1), 1]
  const children = [...bodies.slice(0, start).map((row) => itemOf(names, row, new Set(empty))), ...known]
  for (const row of bodies.slice(children.length))
    children.push(itemOf(names, row, new Set(children.length > 0 ? [] : empty)))
  // The last row may still be growing.
  const items = children.slice(0, -1)
  if (items.length > 0) {
    const state = { items, empty: emptyIn(before.empty, fresh.slice(0, -1)), shown: empty }
    kept?.set(first, { count: 0, gap: '', rows: state })
  }
  const list: List = { type: 'list', ordered: false, spread: false, children }
  return position === undefined ? list : { ...list, position }
}

/** Returns those of some columns that have no content in some rows. */
function emptyIn(columns: readonly number[], rows: readonly TableRow[]): number[] {
  return columns.filter((column) => rows.every((row) => (row.children[column]?.children.length ?? 0) === 0))
}

/** Writes a row as an item; of the columns without a cell in the row, it shows the heads of those in `shown`. */
function itemOf(
  names: readonly PhrasingContent[][],
  row: Pick<TableRow, 'children' | 'position'>,
  shown: ReadonlySet<number>,
): ListItem {
  const columns = [...names, ...row.children.slice(names.length)]
  const cells = columns.map((_, column) => {
    const [name, cell] = [names[column] ?? [], row.children[column]?.children ?? []]
    return cell.length > 0 || shown.has(column) ? labeled(inOneLine(name), inOneLine(cell)) : []
  })
  const phrasing = cells
    .filter((cell) => cell.length > 0)
    .flatMap((cell, place): PhrasingContent[] => (place === 0 ? cell : [{ type: 'text', value: ' · ' }, ...cell]))
  const item: ListItem = { type: 'listItem', spread: false, children: [{ type: 'paragraph', children: phrasing }] }
  return row.position === undefined ? item : { ...item, position: row.position }
}

/** Returns a cell after the head of its column, in bold and with a colon. */
function labeled(name: PhrasingContent[], cell: PhrasingContent[]): PhrasingContent[] {
  if (name.length === 0) return cell
  const isEnded = cell.length === 0 || /[:：?!]\s*$/.test(plainText(name))
  const label: PhrasingContent = { type: 'strong', children: isEnded ? name : [...name, { type: 'text', value: ':' }] }
  return cell.length === 0 ? [label] : [label, { type: 'text', value: ' ' }, ...cell]
}

/** Returns phrasing with a space instead of each break, so that an item can contain it. */
function inOneLine(nodes: readonly PhrasingContent[]): PhrasingContent[] {
  return nodes.map((node) => {
    if (node.type === 'break' || (node.type === 'html' && isBreak(node.value))) return { type: 'text', value: ' ' }
    // The children are phrasing, as before.
    return 'children' in node ? ({ ...node, children: inOneLine(node.children) } as PhrasingContent) : node
  })
}

function plainText(nodes: readonly PhrasingContent[]): string {
  return nodes
    .map((node) => ('children' in node ? plainText(node.children) : 'value' in node ? node.value : ''))
    .join('')
}

function cellOf(conversion: Conversion, nodes: Parameters<typeof phrasingOf>[1]): Cell {
  // A cell is one line. The width of a tab is not known, so it becomes a space.
  return splitLines(phrasingOf(conversion, nodes)).map((line) => textOf(line).replace(/\s/g, ' ').trim())
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
  const room = width - displayWidth(text)
  const before = align === 'right' ? room : align === 'center' ? room >> 1 : 0
  return ' '.repeat(before) + text + ' '.repeat(room - before)
}
