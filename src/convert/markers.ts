/** Lines that look like lists and quotes (`1. x`, `> x`, `• x`), as the lists and quotes of mdast: the reverse of `blocks.ts`. */
import type { BlockContent, List, ListItem, Nodes, Paragraph, PhrasingContent, RootContent } from 'mdast'

/** The nodes of one line. */
type PhrasingLine = readonly PhrasingContent[]

/** The indent of an item's further lines; see `blocks.ts`. */
const INDENT = '\u2003\u2003'
/** Maximum depth of markers; deeper ones stay text. */
const DEPTH_MAX = 32

/**
 * Adds the lines of a paragraph to blocks: as a paragraph, or as the lists and quotes that they look like. Lines go on with
 * the list before them if their number or their indentation does.
 */
export function addLines(blocks: RootContent[], { children }: Paragraph): void {
  const lines: PhrasingContent[][] = [[]]
  for (const node of children) {
    if (node.type === 'break') lines.push([])
    else lines.at(-1)?.push(node)
  }
  // Only paragraphs, lists and quotes are added, and the parent can contain these.
  addTo(blocks as BlockContent[], lines, true, 0)
}

function addTo(blocks: BlockContent[], lines: readonly PhrasingLine[], isApart: boolean, depth: number): void {
  for (let at = 0; at < lines.length; ) {
    const kind = kindOf(lines[at], blocks, depth)
    let end = at + 1
    if (kind === 'item') while (isIndented(lines[end])) end += 1
    else while (end < lines.length && goesOn(kind, lines[end], blocks, depth)) end += 1
    const group = lines.slice(at, end)
    if (kind === 'item') addItem(blocks, group, isApart && at === 0, depth)
    else if (kind === 'indented') addToItem(blocks.at(-1), group.map(dedented), isApart && at === 0, depth)
    else if (kind === 'quote') addQuote(blocks, group, depth)
    else blocks.push({ type: 'paragraph', children: group.flatMap(withBreak) })
    at = end
  }
}

function kindOf(
  line: PhrasingLine | undefined,
  blocks: readonly Nodes[],
  depth: number,
): 'item' | 'indented' | 'quote' | 'text' {
  if (line === undefined || depth >= DEPTH_MAX) return 'text'
  if (markerOf(line) !== null) return 'item'
  if (isIndented(line) && blocks.at(-1)?.type === 'list') return 'indented'
  return textOf(line).startsWith('> ') ? 'quote' : 'text'
}

function textOf([node]: PhrasingLine): string {
  return node?.type === 'text' ? node.value : ''
}

function goesOn(kind: string, line: PhrasingLine | undefined, blocks: readonly Nodes[], depth: number): boolean {
  return kindOf(line, blocks, depth) === kind || (kind === 'quote' && line !== undefined && isEmptyQuote(line))
}

/** Whether a line is an empty line of a quote. */
function isEmptyQuote(line: PhrasingLine): boolean {
  return line.length === 1 && textOf(line) === '>'
}

function isIndented(line: PhrasingLine | undefined): boolean {
  return line !== undefined && textOf(line).startsWith(INDENT)
}

/** Returns the marker at the start of a line if text follows it. Numbers with leading zeros, which would be lost, do not count. */
function markerOf(line: PhrasingLine): { length: number; number: number | null } | null {
  const text = textOf(line)
  const [marker, digits] = /^(?:[•◦▪]|(0|[1-9]\d{0,8})\.) +/.exec(text) ?? []
  if (marker === undefined || (line.length === 1 && marker.length === text.length)) return null
  return { length: marker.length, number: digits === undefined ? null : Number(digits) }
}

/** Adds an item to the list before it, or to a new list. */
function addItem(
  blocks: BlockContent[],
  [first = [], ...others]: readonly PhrasingLine[],
  isApart: boolean,
  depth: number,
): void {
  const { length, number } = markerOf(first) ?? { length: 0, number: null }
  const item: ListItem = { type: 'listItem', spread: false, children: [] }
  const before = blocks.at(-1)
  const next = before?.type === 'list' && before.ordered ? (before.start ?? 1) + before.children.length : null
  const isNext = before?.type === 'list' && next === number
  const list: List = isNext
    ? before
    : { type: 'list', ordered: number !== null, start: number, spread: false, children: [] }
  if (!isNext) blocks.push(list)
  else if (isApart) list.spread = true
  list.children.push(item)
  addToItem(list, [without(first, length), ...others.map(dedented)], false, depth)
  asTask(item)
}

/** Adds lines to the last item of a list. */
function addToItem(list: Nodes | undefined, lines: readonly PhrasingLine[], isApart: boolean, depth: number): void {
  const item = list?.type === 'list' ? list.children.at(-1) : undefined
  if (item === undefined) return
  if (isApart) item.spread = true
  addTo(item.children as BlockContent[], lines, isApart, depth + 1)
}

function addQuote(blocks: BlockContent[], lines: readonly PhrasingLine[], depth: number): void {
  const children: BlockContent[] = []
  let start = 0
  for (let end = 0; end <= lines.length; end += 1) {
    const line = lines[end]
    if (line !== undefined && !isEmptyQuote(line)) continue
    const part = lines.slice(start, end).map((each) => without(each, 2))
    if (part.length > 0) addTo(children, part, true, depth + 1)
    start = end + 1
  }
  blocks.push({ type: 'blockquote', children })
}

/** Returns a line without the first characters of its text. */
function without([first, ...others]: PhrasingLine, length: number): PhrasingLine {
  if (first?.type !== 'text') return first === undefined ? [] : [first, ...others]
  return first.value.length > length ? [{ ...first, value: first.value.slice(length) }, ...others] : others
}

function dedented(line: PhrasingLine): PhrasingLine {
  return without(line, INDENT.length)
}

function withBreak(line: PhrasingLine, index: number): PhrasingContent[] {
  return index === 0 ? [...line] : [{ type: 'break' }, ...line]
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
