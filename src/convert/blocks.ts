/** Converts mdast, including GFM's nodes and the dialect's own, to the tree of §5. */
import type {
  Blockquote,
  Definition,
  FootnoteDefinition,
  Heading,
  Html,
  List,
  ListItem as MdastItem,
  Root as MdastRoot,
  Nodes,
  PhrasingContent,
  RootContent,
  Table,
} from 'mdast'
import { isFormatting } from '../delimiters.js'
import { type Diagnostic, printable } from '../diagnostic.js'
import { normalize } from '../index.js'
import type { Block, Break, Code, ListItem, Phrasing, Root } from '../tree.js'
import {
  type Conversion,
  collectDefinitions,
  createConversion,
  diagnosticOf,
  type HtmlReader,
  positionOf,
  report,
  withPositionOf,
} from './conversion.js'
import { inOneLine, joinLines, splitLines, trimLines, withoutKind } from './lines.js'
import { INDENT } from './markers.js'
import type { Converted, MarkdownOptions } from './options.js'
import { holdsBreak, linkOf, phrasingOf } from './phrasing.js'
import { codeOfRows, linesOfRows, rowsOf } from './table.js'

/**
 * Converts any mdast tree to a tree that the dialect can write. Nothing visible is lost: a construct that the dialect lacks
 * is degraded in the way that loses least, and each loss is a diagnostic.
 *
 * @param mdast - the tree; it is not changed
 * @param options - as for `fromMarkdown`
 * @param diagnostics - the diagnostics of the parser
 * @param html - the reader of HTML, if the tree may contain any
 */
export function fromMdast(
  mdast: MdastRoot,
  options: MarkdownOptions = {},
  diagnostics: readonly Diagnostic[] = [],
  html: HtmlReader | null = null,
): Converted {
  const conversion = createConversion(options, html)
  collectDefinitions(conversion, [mdast])
  const children = blocksOf(conversion, mdast.children).concat(footnotesOf(conversion))
  return {
    tree: { type: 'root', children },
    diagnostics: [...diagnostics, ...conversion.diagnostics].toSorted(byOffset),
  }
}

/** Compares diagnostics by their positions in the source. */
export function byOffset(one: Diagnostic, other: Diagnostic): number {
  return offsetOf(one) - offsetOf(other)
}

function offsetOf({ place }: Diagnostic): number {
  const point = place !== undefined && 'start' in place ? place.start : place
  return point?.offset ?? 0
}

/**
 * A piece of a document: a block, or a line with the prefixes of its quotes and items, which the dialect does not have.
 * An empty line is a gap between two lines.
 */
type Piece = Block | Line
type Line = readonly Phrasing[]

/** The number of list items around a node in a quote or a list; null outside of both. */
type Nesting = number | null

/** Returns the bullet of an unordered list at this depth. */
function bulletAt(nesting: Nesting): string {
  return ['•', '◦', '▪'][(nesting ?? 0) % 3] ?? ''
}

/** Converts blocks outside of all containers. */
export function blocksOf(conversion: Conversion, nodes: readonly RootContent[]): Block[] {
  return normalizeBlocks(
    conversion,
    nodes.flatMap((node) => blocksIn(pieceOf(conversion, node, null))),
  )
}

/** Returns the footnotes in the order of their numbers. A footnote may refer to further ones. */
export function footnotesOf(conversion: Conversion): Block[] {
  const blocks: Block[] = []
  // The loop also reaches the footnotes that other footnotes refer to, because they are added to the map meanwhile.
  for (const [name, number] of conversion.numbers) {
    const footnote = conversion.definitions.get(name)
    if (footnote?.type === 'footnoteDefinition')
      blocks.push(...blocksIn(footnoteOf(conversion, footnote, `[${number}] `)))
  }
  return normalizeBlocks(conversion, blocks)
}

/** Puts the lines between gaps and blocks into paragraphs. */
function blocksIn(pieces: readonly Piece[]): Block[] {
  const blocks: Block[] = []
  let lines: Line[] = []
  for (const piece of [...pieces, []]) {
    if (!isBlock(piece) && piece.length > 0) lines.push(piece)
    else {
      if (lines.length > 0) blocks.push({ type: 'paragraph', children: joinLines(lines) })
      lines = []
      if (isBlock(piece)) blocks.push(piece)
    }
  }
  return blocks
}

function isBlock(piece: Piece): piece is Block {
  return 'type' in piece
}

/** Returns the pieces of consecutive blocks, with gaps between them if `isApart`. */
function piecesOf(conversion: Conversion, nodes: readonly RootContent[], nesting: Nesting, isApart: boolean): Piece[] {
  return joinGroups(
    nodes.map((node) => pieceOf(conversion, node, nesting)),
    () => isApart,
  )
}

/** Joins groups of pieces, with a gap between two lines if `isApart`. A block needs no gap next to it. */
function joinGroups(groups: readonly (readonly Piece[])[], isApart: (index: number) => boolean): Piece[] {
  const pieces: Piece[] = []
  for (const [index, group] of groups.entries()) {
    const [last, first] = [pieces.at(-1), group[0]]
    if (last && first && !isBlock(last) && !isBlock(first) && isApart(index)) pieces.push([])
    for (const piece of group) pieces.push(piece)
  }
  return pieces
}

/**
 * Puts the marker of an item or a footnote before the first line, and an indent before the others. A block, for example code,
 * and text after it get no indent. Items after the block keep their indent, which shows their depth.
 */
function inItem(pieces: readonly Piece[], marker: string): Piece[] {
  const [first = []] = pieces
  const others = isBlock(first) ? pieces : pieces.slice(1)
  const blockAt = others.findIndex(isBlock)
  const indentedPieces = others.map((piece, index) => {
    const isIndented = !isBlock(piece) && piece.length > 0 && (blockAt < 0 || index < blockAt || isInList(piece))
    return isIndented ? withPrefix(INDENT, piece) : piece
  })
  return [withPrefix(marker, isBlock(first) ? [] : first), ...indentedPieces]
}

/** Puts `> ` before each line, to write the pieces as a quote. Blocks such as code stay unchanged between the lines. */
function inQuote(pieces: readonly Piece[]): Piece[] {
  const all = pieces.length > 0 ? pieces : [[]]
  return all.map((piece) => (isBlock(piece) ? piece : withPrefix('> ', piece)))
}

/** Returns a line after a prefix. */
function withPrefix(prefix: string, line: Line): Line {
  if (prefix === '') return line
  return [{ type: 'text', value: line.length > 0 ? prefix : prefix.trimEnd() }, ...line]
}

/** Whether a line begins with the marker or the indent of an item. */
function isInList([first]: Line): boolean {
  return first?.type === 'text' && /^(?:[•◦▪\u2003]|\d+\. )/.test(first.value)
}

function pieceOf(conversion: Conversion, node: RootContent, nesting: Nesting): Piece[] {
  switch (node.type) {
    case 'paragraph':
      return linesOf(phrasingOf(conversion, node.children), node, nesting)
    case 'heading':
      return headingOf(conversion, node, nesting)
    case 'thematicBreak':
      report(conversion, 'rule', node)
      return linesOf([{ type: 'text', value: '---' }], node, nesting)
    case 'blockquote':
      return quoteOf(conversion, node, nesting)
    case 'list':
      return listOf(conversion, node, nesting)
    case 'code':
      if (nesting !== null) report(conversion, 'code-place', node)
      return [codeOf(node.lang ?? null, node.meta ?? null, node.value, node)]
    case 'html':
      return htmlOf(conversion, node, nesting)
    case 'table':
      return tableOf(conversion, node, nesting)
    case 'file':
      return [{ type: 'file', fileID: node.fileID, label: node.label }]
    case 'definition':
    case 'footnoteDefinition':
      // Other definitions are written at their references.
      return conversion.definitionsAfterUse.has(node) ? lateDefinitionOf(conversion, node, nesting) : []
    default:
      return unknownOf(conversion, node, nesting)
  }
}

/** Returns a paragraph, or its lines if the paragraph is in a container. */
function linesOf(phrasing: readonly Phrasing[], { position }: Nodes, nesting: Nesting): Piece[] {
  const children = trimLines(phrasing)
  if (children.length === 0) return []
  if (nesting === null) return [withPositionOf({ type: 'paragraph', children }, { position })]
  return splitLines(children)
    .map(trimLines)
    .filter((line) => line.length > 0)
}

function headingOf(conversion: Conversion, node: Heading, nesting: Nesting): Piece[] {
  const children = trimLines(phrasingOf(conversion, node.children))
  const { depth, position } = node
  if (children.length === 0) return []
  if ((depth === 1 || depth === 2) && nesting === null) {
    if (splitLines(children).length > 1) report(conversion, 'break-place', node)
    // The result has no break, so the cast holds.
    const line = inOneLine(children) as Exclude<Phrasing, Break>[]
    return [withPositionOf({ type: 'heading', depth, children: line }, { position })]
  }
  report(conversion, nesting === null ? 'heading-depth' : 'heading-place', node)
  return linesOf([{ type: 'strong', children: withoutKind(children, 'strong') }], node, nesting)
}

function quoteOf(conversion: Conversion, node: Blockquote, nesting: Nesting): Piece[] {
  report(conversion, 'quote', node)
  return inQuote(piecesOf(conversion, withAlert(node.children), nesting ?? 0, true))
}

/**
 * Returns a list of the dialect if the list has no numbers and each item is one line. Otherwise returns lines of text, with the
 * marker or number of each item. Tags in an item, except `<br>`, do not count as ends of a line.
 */
function listOf(conversion: Conversion, list: List, nesting: Nesting): Piece[] {
  const inside = (nesting ?? 0) + 1
  const { diagnostics } = conversion
  const earlierCount = diagnostics.length
  const items = list.children.map((item) => {
    const box = boxOf(conversion, item)
    const [only, ...others] = item.children
    if (only?.type !== 'paragraph' || others.length > 0)
      return { item, box, text: null, pieces: piecesOf(conversion, item.children, inside, item.spread ?? false) }
    const text = phrasingOf(conversion, only.children)
    return { item, box, text, pieces: linesOf(text, only, inside) }
  })
  const isFlat =
    nesting === null &&
    !list.ordered &&
    items.every(({ item, text, pieces }) => {
      if (text === null) return pieces.length === 0
      return pieces.length <= 1 || !holdsBreak(conversion, item.children)
    })
  if (isFlat) {
    const flatItems = items.map(({ item, box, text }) => {
      // Unlike split lines, `inOneLine` keeps formatting whole if a line ends in it.
      const line = inOneLine(trimLines(text ?? []))
      return itemOf(line.length > 0 ? withPrefix(box, line) : [], item)
    })
    return flatListOf(flatItems)
  }
  // The diagnostic of a list comes before the diagnostics of its items.
  diagnostics.splice(earlierCount, 0, diagnosticOf(list.ordered ? 'ordered-list' : 'nested-list', positionOf(list)))
  const groups = items.map(({ box, pieces }, index) => {
    const mark = list.ordered ? `${(list.start ?? 1) + index}.` : bulletAt(nesting)
    return inItem(pieces, `${mark} ${box}`)
  })
  return joinGroups(groups, (index) => {
    // Text after code has no indent, so an empty line keeps it apart from the next item.
    return groups[index - 1]?.some(isBlock) || isApart(list.children[index - 1], list.children[index], list)
  })
}

/** Whether an empty line separates two items; without positions, whether the list has any empty line. */
function isApart(before: MdastItem | undefined, after: MdastItem | undefined, { spread }: List): boolean {
  if (before?.position === undefined || after?.position === undefined) return spread ?? false
  return after.position.start.line - before.position.end.line > 1
}

function itemOf(line: Line, { position }: Nodes): ListItem {
  const item: ListItem = { type: 'listItem', spread: false, children: [{ type: 'paragraph', children: [...line] }] }
  return position === undefined ? item : { ...item, position }
}

/** Returns a list of the items that show something. */
function flatListOf(items: readonly ListItem[]): Block[] {
  const children = items.filter((item) => item.children[0].children.length > 0)
  return children.length > 0 ? [{ type: 'list', ordered: false, spread: false, children }] : []
}

/** Returns the box of a task; an empty string if the item is not a task. */
function boxOf(conversion: Conversion, item: MdastItem): string {
  if (typeof item.checked !== 'boolean') return ''
  report(conversion, 'task-item', item)
  return item.checked ? '☑ ' : '☐ '
}

function htmlOf(conversion: Conversion, node: Html, nesting: Nesting): Piece[] {
  const content = conversion.html?.blocksOf(conversion, node) ?? null
  if (content !== null) return piecesOf(conversion, content, nesting, false)
  report(conversion, 'html', node)
  return [codeOf('html', null, node.value.trimEnd(), node)]
}

function tableOf(conversion: Conversion, node: Table, nesting: Nesting): Piece[] {
  report(conversion, 'table', node)
  const rows = rowsOf(conversion, node)
  const code = codeOfRows(rows, node.align ?? [], conversion.rules.tables)
  if (code !== null) return [code]
  const lines = linesOfRows(rows).map(trimLines)
  if (nesting === null) return flatListOf(lines.map((line, index) => itemOf(line, node.children[index + 1] ?? node)))
  return lines.flatMap((line) => inItem([line], `${bulletAt(nesting)} `))
}

/** Returns a definition that came after its reference. The reference is text already, so the definition becomes text, too. */
function lateDefinitionOf(conversion: Conversion, node: Definition | FootnoteDefinition, nesting: Nesting): Piece[] {
  const label = node.label ?? node.identifier
  if (node.type === 'footnoteDefinition') return footnoteOf(conversion, node, `[^${label}]: `)
  const target = linkOf(conversion, node, [], node)
  return linesOf([{ type: 'text', value: `[${label}]: ` }, ...target], node, nesting)
}

/** Returns a footnote as lines after its mark, for example its number. */
function footnoteOf(conversion: Conversion, { children }: FootnoteDefinition, mark: string): Piece[] {
  return inItem(piecesOf(conversion, children, 1, true), mark)
}

/** Returns phrasing among blocks, or the content or the value of a node of another plugin. */
function unknownOf(conversion: Conversion, node: RootContent, nesting: Nesting): Piece[] {
  if (isFormatting(node) || phrasingTypes.has(node.type))
    return linesOf(phrasingOf(conversion, [node as PhrasingContent]), node, nesting)
  report(conversion, String(node.type) === 'math' ? 'math' : 'unknown', node)
  if ('children' in node) return piecesOf(conversion, node.children as RootContent[], nesting, true)
  return 'value' in node && typeof node.value === 'string' ? [codeOf(node.type, null, node.value, node)] : []
}

/** The types of phrasing besides formatting. */
const phrasingTypes: ReadonlySet<string> = new Set(
  'text inlineCode link linkReference image imageReference footnoteReference mention break'.split(' '),
)

function codeOf(lang: string | null, meta: string | null, value: string, { position }: Nodes): Code {
  // The type allows no meta, but `normalize` removes it and reports that.
  const code = { type: 'code', lang, meta, value: value.replace(/\r\n?/g, '\n') } as Code
  return withPositionOf(code, { position })
}

/** Returns the blocks of a quote. GitHub's mark of an alert in its first line, for example `[!NOTE]`, becomes a bold word. */
function withAlert(nodes: Blockquote['children']): Blockquote['children'] {
  const [paragraph, ...blocks] = nodes
  if (paragraph?.type !== 'paragraph') return nodes
  const [first, ...phrasing] = paragraph.children
  const [mark, kind = ''] = first?.type === 'text' ? (ALERT.exec(first.value) ?? []) : []
  // The mark of an alert is alone on its line.
  const isAlone = phrasing.length === 0 || /[\r\n]/.test(mark ?? '')
  if (first?.type !== 'text' || mark === undefined || !isAlone) return nodes
  const label = kind.charAt(0).toUpperCase() + kind.slice(1).toLowerCase()
  const name: PhrasingContent = { type: 'strong', children: [{ type: 'text', value: label }] }
  const rest = { ...first, value: first.value.slice(mark.length) }
  return [{ ...paragraph, children: [name, { type: 'break' }, rest, ...phrasing] }, ...blocks]
}

const ALERT = /^\[!(note|tip|important|warning|caution)\][ \t]*(?:\r\n?|\n|$)/i

/** Returns blocks in normal form. Each change is a diagnostic. */
function normalizeBlocks(conversion: Conversion, children: Block[]): Block[] {
  const convertedTree: Root = { type: 'root', children }
  const { tree, diagnostics } = normalize(convertedTree)
  for (const change of diagnostics) {
    const { type, diagnostic } = inSource(change, convertedTree)
    // Merging adjoining texts is not a loss.
    if (type !== 'text' || change.ruleId !== 'adjacent') conversion.diagnostics.push(diagnostic)
  }
  return tree.children
}

/** Returns a diagnostic with the source position of its node. The path leads to the node in the converted tree. */
function inSource({ path = [], ...message }: Diagnostic, tree: Root): { type: unknown; diagnostic: Diagnostic } {
  let node: unknown = tree
  for (const key of path) {
    node = Reflect.get(Object(node), key)
    Object.assign(message, { place: Reflect.get(Object(node), 'position') ?? message.place })
  }
  return { type: Reflect.get(Object(node), 'type'), diagnostic: printable(message) }
}
