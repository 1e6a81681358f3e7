/** Tables as aligned text, or as a list with an item for each row. */
import type { AlignType, List, ListItem, Nodes, PhrasingContent, Table } from 'mdast'
import { toText } from '../index.js'
import type { Code } from '../tree.js'
import type { Conversion } from './conversion.js'
import { displayWidth } from './display-width.js'
import { isBreak } from './html.js'
import { splitLines } from './lines.js'
import { phrasingOf } from './phrasing.js'

/** The lines of a cell. */
type Cell = readonly string[]

/** A phone shows hardly more columns, and breaks wider lines. */
const WIDTH_MAX = 60

/** Whether a table is to be a list, so far as that does not depend on its width: links in code cannot be followed. */
export function isForItems({ rules }: Conversion, table: Table): boolean {
  return rules.tables === 'items' || (rules.tables === 'auto' && hasLink(table))
}

function hasLink(node: Nodes): boolean {
  if (node.type === 'html') return /^<(?:a|img)\s/i.test(node.value)
  if (/^(?:link|image)(?:Reference)?$/.test(node.type)) return true
  return 'children' in node && node.children.some(hasLink)
}

/**
 * Writes a table as code whose columns are aligned by the width at which characters are shown.
 *
 * @returns the code, without formatting in the cells, the URLs of links after their text; null if a row is too wide
 */
export function codeOfTable(conversion: Conversion, table: Table): Code | null {
  const rows = table.children.map((row) => row.children.map((cell) => cellOf(conversion, cell.children)))
  const columnCount = Math.max(1, ...rows.map((row) => row.length))
  const widths = Array.from({ length: columnCount }, (_, column) =>
    Math.max(1, ...rows.flatMap((row) => (row[column] ?? []).map(displayWidth))),
  )
  const align = table.align ?? []
  const [header = [], ...body] = rows.map((row) => linesOf(row, widths, align))
  if (conversion.rules.tables === 'auto' && [...header, ...body.flat()].some((line) => displayWidth(line) > WIDTH_MAX))
    return null
  const rule = widths.map((width) => '-'.repeat(width)).join('-+-')
  const isHeaded = header.some((line) => /[^\s|]/.test(line))
  const head = isHeaded || body.length === 0 ? [...header, rule] : []
  const code: Code = { type: 'code', lang: null, meta: null, value: [...head, ...body.flat()].join('\n') }
  if (table.position !== undefined) code.position = table.position
  return code
}

/** Writes a table as a list: an item for each row, in it the cells after the heads of their columns. */
export function itemsOf({ children: [head, ...rows], position }: Table): List {
  const isEmpty = (column: number): boolean => rows.every((row) => (row.children[column]?.children.length ?? 0) === 0)
  const bodies = rows.length > 0 ? rows : [{ ...head, children: [] }]
  const children = bodies.map((row, index): ListItem => {
    const columns = [...(head?.children ?? []), ...row.children.slice(head?.children.length)]
    const cells = columns.map((_, column) => {
      const [name, cell] = [head?.children[column]?.children ?? [], row.children[column]?.children ?? []]
      // The head of an empty column is in the first item only.
      return cell.length > 0 || (index === 0 && isEmpty(column)) ? labelled(inOneLine(name), inOneLine(cell)) : []
    })
    const phrasing = cells
      .filter((cell) => cell.length > 0)
      .flatMap((cell, place): PhrasingContent[] => (place === 0 ? cell : [{ type: 'text', value: ' · ' }, ...cell]))
    const item: ListItem = { type: 'listItem', spread: false, children: [{ type: 'paragraph', children: phrasing }] }
    return row.position === undefined ? item : { ...item, position: row.position }
  })
  const list: List = { type: 'list', ordered: false, spread: false, children }
  return position === undefined ? list : { ...list, position }
}

/** A cell after the head of its column, which is bold and has a colon. */
function labelled(name: PhrasingContent[], cell: PhrasingContent[]): PhrasingContent[] {
  if (name.length === 0) return cell
  const isEnded = cell.length === 0 || /[:：?!]\s*$/.test(textOf(name))
  const label: PhrasingContent = { type: 'strong', children: isEnded ? name : [...name, { type: 'text', value: ':' }] }
  return cell.length === 0 ? [label] : [label, { type: 'text', value: ' ' }, ...cell]
}

/** Phrasing with a space in the place of each line break, so that an item can hold it. */
function inOneLine(nodes: readonly PhrasingContent[]): PhrasingContent[] {
  return nodes.map((node) => {
    if (node.type === 'break' || (node.type === 'html' && isBreak(node.value))) return { type: 'text', value: ' ' }
    // What is in it is phrasing, as it was.
    return 'children' in node ? ({ ...node, children: inOneLine(node.children) } as PhrasingContent) : node
  })
}

function textOf(nodes: readonly PhrasingContent[]): string {
  return nodes.map((node) => ('children' in node ? textOf(node.children) : 'value' in node ? node.value : '')).join('')
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
