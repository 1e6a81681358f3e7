/** Finds lines that look like items and quotes (`1. x`, `  ◦ x`, `> x`), as `blocks.ts` writes them; converts them to mdast. */
import type { BlockContent, ListItem, PhrasingContent } from 'mdast'
import type { OnItem } from '../split/split.js'
import type { Block, ListItem as DialectItem, Paragraph, Phrasing } from '../tree.js'
import { isInvisible, joinLines, splitLines } from './lines.js'

/** A quote or an item around lines; all lines in it refer to the same object. */
export type Container =
  | { readonly type: 'quote' }
  /** The marker is `•`, `◦`, `▪`, or the number and a period. */
  | { readonly type: 'item'; readonly marker: string; readonly number: number | null }

/** A line without its markers. */
export interface Line<Content> {
  /** The containers around the line, from the outermost one. */
  readonly containers: readonly Container[]
  /** The number of containers that continue from the line before. This line begins the remaining ones. */
  readonly continuedCount: number
  /** The text after the markers; null for an empty line. */
  readonly content: Content | null
}

/** The indent of an item's further lines: spaces that are not trimmed (§1). */
export const INDENT = '\u2003\u2003'
/** Maximum number of containers around a line; markers after them stay text. */
const DEPTH_MAX = 32

/** A line as an item of a list. */
interface LineItem extends DialectItem, Omit<Line<Paragraph>, 'content'> {}

/**
 * Replaces each paragraph whose lines begin with markers (`• `, `1. `, `> `) by a list with an item for each line. A message can
 * then be split anywhere, and each part still knows the containers of its lines. A paragraph that continues the list before it,
 * for example with a second paragraph of the last item or the next number, is added to that list after an empty line.
 *
 * @param onItem - called with each item and its paragraph
 */
export function linesAsItems(blocks: readonly Block[], onItem: OnItem = () => {}): Block[] {
  const result: Block[] = []
  /** The items of the last block, if it has marked lines. */
  let items: LineItem[] = []
  let open: readonly Container[] = []
  for (const block of blocks) {
    const lines = block.type === 'paragraph' ? markedLines(block, open) : []
    const [first] = lines
    if (first === undefined) {
      result.push(block)
      // Code does not end the item around it.
      if (block.type !== 'code') open = []
      items = []
    } else if (items.length > 0 && continues(first.containers[0], open[0])) {
      items.push(itemOf(emptyLine(open, first.containers)))
    } else {
      items = []
      result.push({ type: 'list', ordered: false, spread: false, children: items })
    }
    for (const line of lines) {
      const item = itemOf(line)
      onItem(item, block)
      items.push(item)
      open = line.containers
    }
  }
  return result
}

/** Whether `item` is the same item as `before`, or the next item of the same list. */
function continues(item: Container | undefined, before: Container | undefined): boolean {
  if (item?.type !== 'item' || before?.type !== 'item') return false
  return item === before || item.number === (before.number === null ? null : before.number + 1)
}

function itemOf({ content, ...line }: Line<readonly Phrasing[]>): LineItem {
  // An item for an empty line gets an empty text node, because splitting a list drops items without children.
  const children: Phrasing[] = content === null ? [{ type: 'text', value: '' }] : [...content]
  return { type: 'listItem', spread: false, children: [{ type: 'paragraph', children }], ...line }
}

/** Returns the items of a list as lines, without empty lines at both ends, which a cut may leave there. */
export function linesOf({ children }: { readonly children: readonly (DialectItem | LineItem)[] }): Line<Paragraph>[] {
  const lines = children.map((item): Line<Paragraph> => {
    const [paragraph] = item.children
    const [first] = paragraph.children
    if (!('containers' in item))
      return { containers: [{ type: 'item', marker: '•', number: null }], continuedCount: 0, content: paragraph }
    const { containers, continuedCount } = item
    return { containers, continuedCount, content: first?.type === 'text' && first.value === '' ? null : paragraph }
  })
  const start = lines.findIndex(({ content }) => content !== null)
  return start < 0 ? [] : lines.slice(start, lines.findLastIndex(({ content }) => content !== null) + 1)
}

/**
 * Recognizes the markers at the starts of a paragraph's lines.
 *
 * @param before - the items and quotes around the line before the paragraph; an indented first line continues the items
 * @returns the lines without empty ones at the end; none if no line has a marker
 */
function markedLines({ children }: Paragraph, before: readonly Container[]): Line<readonly Phrasing[]>[] {
  const lines: Line<readonly Phrasing[]>[] = []
  let open = before
  let emptyCount = 0
  for (const nodes of splitLines(children)) {
    const line = readLine(nodes, open)
    if (line.content === null) emptyCount += 1
    else {
      for (; emptyCount > 0; emptyCount -= 1) lines.push(emptyLine(open, line.containers))
      lines.push(line)
      open = line.containers
    }
  }
  return lines.some(({ containers }) => containers.length > 0) ? lines : []
}

/** Returns an empty line in the containers that the lines before and after it share. */
function emptyLine(before: readonly Container[], after: readonly Container[]): Line<never> {
  const containers = before.filter((container, depth) => container === after[depth])
  return { containers, continuedCount: containers.length, content: null }
}

function readLine(nodes: readonly Phrasing[], open: readonly Container[]): Line<readonly Phrasing[]> {
  const [first, ...others] = nodes
  if (first?.type !== 'text') return { containers: [], continuedCount: 0, content: first === undefined ? null : nodes }
  const containers: Container[] = []
  let continuedCount = 0
  let text = first.value
  while (containers.length < DEPTH_MAX) {
    const around = continuedCount === containers.length ? open[continuedCount] : undefined
    const marker = readMarker(text, around, others)
    if (marker === null) break
    containers.push(marker.container)
    if (marker.container === around) continuedCount += 1
    text = text.slice(marker.length)
  }
  const content = text === '' ? others : [{ ...first, value: text }, ...others]
  return { containers, continuedCount, content: content.length === 0 ? null : content }
}

/**
 * Reads a marker or an indent at the start of a text. Returns null if the text starts with neither, or if nothing visible follows
 * the marker of an item. A number with leading zeros is not a marker, because the zeros would be lost.
 *
 * @param around - the previous line's container at this depth
 * @param others - the nodes after the text
 */
function readMarker(
  text: string,
  around: Container | undefined,
  others: readonly Phrasing[],
): { container: Container; length: number } | null {
  const [all = '', marker, digits] = /^([•◦▪]|(0|[1-9]\d{0,8})\.) +/.exec(text) ?? []
  if (marker !== undefined && (!isInvisible(text.slice(all.length)) || others.some(isVisible))) {
    const number = digits === undefined ? null : Number(digits)
    return { container: { type: 'item', marker, number }, length: all.length }
  }
  if (around?.type === 'item' && text.startsWith(INDENT)) return { container: around, length: INDENT.length }
  const quote = around?.type === 'quote' ? around : null
  const isEmpty = quote !== null && text === '>' && others.length === 0
  return text.startsWith('> ') || isEmpty ? { container: quote ?? { type: 'quote' }, length: 2 } : null
}

/** Whether a node shows something: products reject text of white space and invisible characters. */
export function isVisible(node: Phrasing): boolean {
  if ('children' in node) return node.children.some(isVisible)
  return 'value' in node ? !isInvisible(node.value) : node.type === 'mention'
}

/** Returns the markers of a line as they were typed, without the markers of the first `from` containers. */
export function typedMarkers({ containers, continuedCount, content }: Line<unknown>, from = 0): string {
  const lastQuote = containers.findLastIndex(({ type }) => type === 'quote')
  const markers = containers.map((container, depth) => {
    if (container.type === 'quote') return '> '
    if (depth >= continuedCount) return `${container.marker} `
    // An empty line does not end with an indent, but an indent before a quote keeps the quote in its item.
    return content === null && depth > lastQuote ? '' : INDENT
  })
  return markers.slice(from).join('')
}

/**
 * Returns the blocks that lines look like: lists, quotes and paragraphs.
 *
 * @param depth - the number of containers around the blocks
 */
export function blocksOfLines(lines: readonly Line<readonly PhrasingContent[]>[], depth = 0): BlockContent[] {
  const blocks: BlockContent[] = []
  for (const { container, lines: inside } of runsOf(lines, depth)) {
    if (container === 'paragraph')
      blocks.push({ type: 'paragraph', children: joinLines(inside.map(({ content }) => content ?? [])) })
    else if (container !== 'empty') {
      const children = blocksOfLines(inside, depth + 1)
      if (container.type === 'quote') blocks.push({ type: 'blockquote', children })
      else addItem(blocks, container.number, children)
    }
  }
  return blocks
}

/** Consecutive lines in one container. */
interface Run {
  readonly container: Container | 'paragraph' | 'empty'
  readonly lines: Line<readonly PhrasingContent[]>[]
}

function runsOf(lines: readonly Line<readonly PhrasingContent[]>[], depth: number): Run[] {
  const runs: Run[] = []
  for (const line of lines) {
    const container = line.containers[depth] ?? (line.content === null ? 'empty' : 'paragraph')
    const last = runs.at(-1)
    if (last?.container === container) last.lines.push(line)
    else runs.push({ container, lines: [line] })
  }
  return runs
}

/** Adds an item to the last block if that is a list and the number continues it. Otherwise starts a list. */
function addItem(blocks: BlockContent[], number: number | null, children: BlockContent[]): void {
  // Only an empty line keeps a block after a nested list from becoming text of the list's last item.
  const spread = children.slice(1).some(({ type }) => type !== 'list')
  const item: ListItem = { type: 'listItem', spread, children }
  const last = blocks.at(-1)
  const next = last?.type === 'list' && last.ordered ? (last.start ?? 1) + last.children.length : null
  if (last?.type === 'list' && next === number) last.children.push(item)
  else blocks.push({ type: 'list', ordered: number !== null, start: number, spread: false, children: [item] })
}
