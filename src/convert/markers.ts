/** Finds lines that look like items and quotes (`1. x`, `  ◦ x`, `> x`), as `blocks.ts` writes them; converts them to mdast. */
import type { BlockContent, List, ListItem, PhrasingContent, RootContent } from 'mdast'
import type { Block, ListItem as DialectItem, Paragraph, Phrasing } from '../tree.js'
import { isInvisible, splitLines } from './lines.js'

/** A quote or an item around a line. */
export type Container = { readonly type: 'quote' } | ItemContainer

interface ItemContainer {
  readonly type: 'item'
  /** The marker as typed: `•`, `◦`, `▪` or a number and a period. */
  readonly marker: string
  /** The number of an ordered item, or null. */
  readonly number: number | null
  /** Whether the line begins the item. */
  readonly isFirst: boolean
}

/** A line without its markers, and the containers around it, from the outermost one. An empty line in a quote has no children. */
export interface MarkedLine<Node> {
  readonly containers: readonly Container[]
  readonly children: readonly Node[]
}

/** The indent of an item's further lines: spaces that are not trimmed (§1). */
export const INDENT = '\u2003\u2003'
/** Maximum number of containers around a line; markers after them stay text. */
const DEPTH_MAX = 32

/**
 * Recognizes the markers at the starts of a paragraph's lines.
 *
 * @param paragraph - the paragraph; it is not changed
 * @param before - the containers of the line before the paragraph, whose items an indented line continues
 * @returns the lines, or null if no line has a marker
 */
export function markedLines({ children }: Paragraph, before: readonly Container[] = []): MarkedLine<Phrasing>[] | null {
  const lines: MarkedLine<Phrasing>[] = []
  for (const line of splitLines(children)) lines.push(readLine(line, lines.at(-1)?.containers ?? before))
  return lines.some(({ containers }) => containers.length > 0) ? lines : null
}

function readLine([first, ...others]: readonly Phrasing[], before: readonly Container[]): MarkedLine<Phrasing> {
  const containers: Container[] = []
  if (first?.type !== 'text') return { containers, children: first === undefined ? [] : [first, ...others] }
  let text = first.value
  for (let isOpen = true; containers.length < DEPTH_MAX; ) {
    const open: Container | undefined = isOpen ? before[containers.length] : undefined
    const read = readMarker(text, open, others)
    if (read === null) break
    const { container, length } = read
    containers.push(container)
    text = text.slice(length)
    isOpen = open?.type === container.type && !(container.type === 'item' && container.isFirst)
  }
  return { containers, children: text === '' ? others : [{ ...first, value: text }, ...others] }
}

/**
 * Reads a marker, if something visible follows it. A number with leading zeros, which would be lost, is not a marker.
 *
 * @param open - the container of the line before at this depth
 * @param others - the nodes after the text
 */
function readMarker(
  text: string,
  open: Container | undefined,
  others: readonly Phrasing[],
): { container: Container; length: number } | null {
  const [all = '', marker, digits] = /^([•◦▪]|(0|[1-9]\d{0,8})\.) +/.exec(text) ?? []
  const number = digits === undefined ? null : Number(digits)
  if (marker !== undefined && (!isInvisible(text.slice(all.length)) || others.some(isVisible)))
    return { container: { type: 'item', marker, number, isFirst: true }, length: all.length }
  if (open?.type === 'item' && text.startsWith(INDENT))
    return { container: { ...open, isFirst: false }, length: INDENT.length }
  const isEmptyQuote = text === '>' && others.length === 0 && open?.type === 'quote'
  return text.startsWith('> ') || isEmptyQuote ? { container: { type: 'quote' }, length: 2 } : null
}

/**
 * Returns a paragraph that has marked lines as a list with an item for each line, so that a message can be cut anywhere and
 * each part still knows the containers of its lines. Other blocks are returned as they are.
 */
export function linesAsItems(block: Block): Block {
  const lines = block.type === 'paragraph' ? markedLines(block) : null
  if (lines === null) return block
  const items = lines.map(({ containers, children }): MarkedItem => {
    // When a list is cut, items without children are dropped, so an empty item gets an empty text.
    const nodes: Phrasing[] = children.length > 0 ? [...children] : [{ type: 'text', value: '' }]
    return { type: 'listItem', spread: false, children: [{ type: 'paragraph', children: nodes }], containers }
  })
  return { type: 'list', ordered: false, spread: false, children: items }
}

interface MarkedItem extends DialectItem {
  readonly containers: readonly Container[]
}

/** An item of a list, or a line that {@link linesAsItems} has made an item. */
export interface LineItem {
  readonly containers: readonly Container[]
  readonly paragraph: Paragraph
  /** Whether it is an empty line in a quote. */
  readonly isEmpty: boolean
}

/** Returns the items of a list, without empty lines at both ends, which a cut may leave there. */
export function lineItemsOf({ children }: { readonly children: readonly (DialectItem | MarkedItem)[] }): LineItem[] {
  const items = children.map((item): LineItem => {
    const [paragraph] = item.children
    const [first] = paragraph.children
    const isEmpty = 'containers' in item && first?.type === 'text' && first.value === ''
    return { containers: 'containers' in item ? item.containers : BULLET, paragraph, isEmpty }
  })
  const start = items.findIndex(({ isEmpty }) => !isEmpty)
  return start < 0 ? [] : items.slice(start, items.findLastIndex(({ isEmpty }) => !isEmpty) + 1)
}

const BULLET: readonly Container[] = [{ type: 'item', marker: '•', number: null, isFirst: true }]

/** Whether a node shows something: products reject text of white space and invisible characters. */
export function isVisible(node: Phrasing): boolean {
  if ('children' in node) return node.children.some(isVisible)
  return 'value' in node ? !isInvisible(node.value) : node.type === 'mention'
}

/** Returns the markers of a line as text, as they were typed; those of the first `from` containers are left out. */
export function typedMarkers(containers: readonly Container[], from = 0): string {
  return containers.slice(from).map(typedMarker).join('')
}

function typedMarker(container: Container): string {
  if (container.type === 'quote') return '> '
  return container.isFirst ? `${container.marker} ` : INDENT
}

/**
 * Adds the lines of a paragraph to blocks, as the lists and quotes that they look like. Lines continue the list before them if
 * their number or their indentation does.
 */
export function addLines(blocks: RootContent[], lines: readonly MarkedLine<PhrasingContent>[]): void {
  /** The depth from which an empty line separates the next line from the blocks before it. */
  let gapDepth = 0
  for (const { containers, children } of lines) {
    // Only paragraphs, lists and quotes are added, and the parent can contain these.
    if (children.length > 0) addLine(blocks as BlockContent[], containers, children, gapDepth)
    gapDepth = children.length > 0 ? Number.POSITIVE_INFINITY : containers.length
  }
}

function addLine(
  blocks: BlockContent[],
  [container, ...inside]: readonly Container[],
  children: readonly PhrasingContent[],
  gapDepth: number,
): void {
  const last = blocks.at(-1)
  const isApart = gapDepth <= 0
  if (container === undefined) {
    if (last?.type === 'paragraph' && !isApart) last.children.push({ type: 'break' }, ...children)
    else blocks.push({ type: 'paragraph', children: [...children] })
  } else if (container.type === 'quote') {
    const quote = last?.type === 'blockquote' && !isApart ? last : { type: 'blockquote' as const, children: [] }
    if (quote !== last) blocks.push(quote)
    addLine(quote.children as BlockContent[], inside, children, gapDepth - 1)
  } else {
    const item = itemFor(blocks, container, isApart)
    addLine(
      item.children as BlockContent[],
      inside,
      children,
      container.isFirst ? Number.POSITIVE_INFINITY : gapDepth - 1,
    )
    if (container.isFirst && inside.length === 0) asTask(item)
  }
}

/** Returns the item that contains a line: the last one, a new one in the last list, or the first of a new list. */
function itemFor(blocks: BlockContent[], { number, isFirst }: ItemContainer, isApart: boolean): ListItem {
  const last = blocks.at(-1)
  const lastItem = last?.type === 'list' ? last.children.at(-1) : undefined
  if (!isFirst && lastItem !== undefined) {
    if (isApart) lastItem.spread = true
    return lastItem
  }
  const next = last?.type === 'list' && last.ordered ? (last.start ?? 1) + last.children.length : null
  const isNext = last?.type === 'list' && next === number
  const list: List = isNext
    ? last
    : { type: 'list', ordered: number !== null, start: number, spread: false, children: [] }
  if (!isNext) blocks.push(list)
  else if (isApart) list.spread = true
  const item: ListItem = { type: 'listItem', spread: false, children: [] }
  list.children.push(item)
  return item
}

/** Returns the containers of the last line of blocks that a line after them can continue. */
export function openContainers(blocks: readonly RootContent[]): Container[] {
  const list = blocks.at(-1)
  const item = list?.type === 'list' ? list.children.at(-1) : undefined
  if (list?.type !== 'list' || item === undefined) return []
  const number = list.ordered ? (list.start ?? 1) + list.children.length - 1 : null
  const marker = number === null ? '•' : `${number}.`
  return [{ type: 'item', marker, number, isFirst: false }, ...openContainers(item.children)]
}

/** Returns an item that begins with a box as a task. */
export function asTask(item: ListItem): ListItem {
  const [paragraph] = item.children
  const [first] = paragraph?.type === 'paragraph' ? paragraph.children : []
  if (first?.type !== 'text' || !/^[☐☑] ./su.test(first.value)) return item
  item.checked = first.value.startsWith('☑')
  first.value = first.value.slice(2)
  return item
}
