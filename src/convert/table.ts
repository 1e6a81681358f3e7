/** Tables as aligned text, or as a list with an item for each row. */
import type { AlignType, List, ListItem, Nodes, PhrasingContent, Table, TableRow } from 'mdast'
import type { Code } from '../tree.js'
import { type Conversion, isBreak } from './conversion.js'
import { displayWidth } from './display-width.js'
import { splitLines, textOf } from './lines.js'
import { phrasingOf } from './phrasing.js'

/** Maximum width in columns in `auto`: a phone shows hardly more, and wraps wider lines. */
const WIDTH_MAX = 60

/**
 * Writes a table as code whose columns are aligned by the width at which characters are shown.
 *
 * @returns the code, without formatting in the cells, the URLs of links after their text; null if `tables` asks for items, or
 * in `auto` if a row is too wide or has a link, which cannot be followed in code
 */
export function codeOfTable(conversion: Conversion, { children, align }: Table): Code | null {
  const { tables } = conversion.rules
  if (tables === 'items' || (tables === 'auto' && children.some(hasLink))) return null
  const rows = children.map((row) => row.children.map((cell) => cellOf(conversion, cell.children)))
  const widths = [1]
  for (const row of rows)
    for (const [column, lines] of row.entries())
      widths[column] = Math.max(widths[column] ?? 1, ...lines.map(displayWidth))
  const lines = layOut(rows, widths, align ?? [])
  if (tables === 'auto' && lines.some((line) => displayWidth(line) > WIDTH_MAX)) return null
  return { type: 'code', lang: null, meta: null, value: lines.join('\n') }
}

/** The lines of a cell. */
type Cell = readonly string[]

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
export function itemsOf({ children: [head, ...rows], position }: Table): List {
  const names = (head?.children ?? []).map(({ children }) => children)
  const bodies = rows.length > 0 ? rows : [{ ...head, children: [] }]
  // The first item shows the heads of the columns that have no content.
  const isEmpty = (column: number): boolean => rows.every((row) => (row.children[column]?.children.length ?? 0) === 0)
  const empty = new Set([...names.keys()].filter(isEmpty))
  const children = bodies.map((row, index) => itemOf(names, row, index === 0 ? empty : new Set()))
  const list: List = { type: 'list', ordered: false, spread: false, children }
  return position === undefined ? list : { ...list, position }
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
