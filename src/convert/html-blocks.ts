/** Converts a block of HTML to Markdown's headings, lists, quotes, code, tables and paragraphs. */
import type { AlignType, Html, List, ListItem, PhrasingContent, RootContent, TableRow } from 'mdast'
import { type HtmlReader, isBreak, type MarkdownParser } from './conversion.js'
import { attributeOf, decode, isComment, piecesOf, readTag, type Tag } from './html.js'
import { withBreaks } from './lines.js'
import { withElements } from './tags.js'

/** Maximum length of HTML that is converted. People do not write longer HTML by hand between Markdown. */
const LENGTH_MAX = 20_000
/** Maximum depth of elements. Deeper ones are read as part of the elements around them. */
const DEPTH_MAX = 32

type Parse = MarkdownParser | null

/** An element that arranges blocks. */
interface BlockElement {
  readonly tag: Tag
  readonly source: string
  readonly children: (BlockElement | PhrasingContent)[]
}

/** Returns the reader of HTML in a source whose Markdown `parse` reads. */
export function htmlReader(parse: Parse): HtmlReader {
  return { parse, blocksOf: (html) => blocksOfHtml(html, parse), withElements }
}

function blocksOfHtml(html: Html, parse: Parse): RootContent[] | null {
  const { value, position } = html
  const end = value.indexOf('-->')
  const isAllComment = isComment(value) && (end < 0 || end + 3 === value.trimEnd().length)
  if (isAllComment) return placed([{ type: 'paragraph', children: [{ type: 'html', value: '<!---->' }] }], position)
  const children = value.length > LENGTH_MAX ? null : childrenIn(value)
  if (children !== null) return placed(blocksOf(children, parse), position)
  // A tag that is not HTML's is text.
  return readTag(value) === null ? null : placed([{ type: 'paragraph', children: [html] }], position)
}

/** The elements and the phrasing in HTML; null if there is something that has no counterpart. */
function childrenIn(value: string): BlockElement['children'] | null {
  const outside: BlockElement['children'] = []
  const open: BlockElement[] = []
  for (const piece of piecesOf(value)) {
    const siblings = open.at(-1)?.children ?? outside
    const tag = piece.type === 'tag' ? readTag(piece.value) : null
    // This `<` does not start a tag, so the HTML may not be what it seems.
    if (piece.value === '<') return null
    if (piece.type === 'text') siblings.push({ type: 'text', value: piece.value })
    else if (piece.type === 'comment' || isBreak(piece.value)) siblings.push({ type: 'html', value: piece.value })
    else if (tag === null || (tag.element === null && tag.name !== 'img' && tag.name !== 'hr')) return null
    else if (tag.name === 'hr') siblings.push({ tag, source: piece.value, children: [] })
    else if (!tag.isBlock) siblings.push({ type: 'html', value: piece.value })
    else if (tag.isEnd) close(open, [tag.name])
    else {
      const { names, boundary } = endedBefore[tag.name] ?? { names: [], boundary: [] }
      close(open, names, boundary)
      if (open.length >= DEPTH_MAX) continue
      const element: BlockElement = { tag, source: piece.value, children: [] }
      ;(open.at(-1)?.children ?? outside).push(element)
      open.push(element)
    }
  }
  return outside
}

const cells = ['td', 'th']
/** Elements whose end tag may be missing: those that end before them, unless one of the boundaries is open in between. */
const endedBefore: Readonly<
  Record<string, { readonly names: readonly string[]; readonly boundary: readonly string[] }>
> = {
  li: { names: ['li'], boundary: ['ul', 'ol'] },
  p: { names: ['p'], boundary: ['td', 'th', 'li', 'div', 'blockquote'] },
  dt: { names: ['dt', 'dd'], boundary: ['dl'] },
  dd: { names: ['dt', 'dd'], boundary: ['dl'] },
  td: { names: cells, boundary: ['tr'] },
  th: { names: cells, boundary: ['tr'] },
  tr: { names: ['tr'], boundary: ['table'] },
}

/** Closes the innermost element with one of the names, unless a boundary is open in it. */
function close(open: BlockElement[], names: readonly string[], boundary: readonly string[] = []): void {
  const index = open.findLastIndex(({ tag }) => names.includes(tag.name))
  const limit = open.findLastIndex(({ tag }) => boundary.includes(tag.name))
  if (index > limit) open.length = index
}

/** Returns the blocks of children; phrasing between them is put into paragraphs. */
function blocksOf(children: BlockElement['children'], parse: Parse, isMarkdown = false): RootContent[] {
  const blocks: RootContent[] = []
  let phrasing: PhrasingContent[] = []
  const flush = (): void => {
    const markdown = phrasing.map((node) => ('value' in node ? node.value : '')).join('')
    const trimmed = trimStart(decoded(phrasing, parse))
    if (isMarkdown && parse !== null && trimmed.length > 0) blocks.push(...parse(markdown))
    else if (trimmed.length > 0) blocks.push({ type: 'paragraph', children: trimmed })
    phrasing = []
  }
  for (const child of children) {
    if ('type' in child) phrasing.push(child)
    else {
      flush()
      blocks.push(...blocksOfElement(child, parse))
    }
  }
  flush()
  return blocks
}

function blocksOfElement(element: BlockElement, parse: Parse): RootContent[] {
  const { tag, source, children } = element
  if (
    tag.name !== 'hr' &&
    children.every((child) => 'type' in child && child.type === 'text' && child.value.trim() === '')
  )
    return [{ type: 'paragraph', children: pairOf(element) }]
  switch (tag.name) {
    case 'hr':
      return [{ type: 'thematicBreak' }]
    case 'h1':
    case 'h2':
    case 'h3':
    case 'h4':
    case 'h5':
    case 'h6':
      return [
        { type: 'heading', depth: Number(tag.name[1]) as 1 | 2 | 3 | 4 | 5 | 6, children: phrasingOf(children, parse) },
      ]
    case 'summary':
    case 'dt':
    case 'caption':
      return [{ type: 'paragraph', children: [{ type: 'strong', children: phrasingOf(children, parse) }] }]
    case 'blockquote':
      return [{ type: 'blockquote', children: blocksOf(children, parse) as [] }] // A quote can contain blocks.
    case 'ul':
    case 'ol':
      return [listOf(element, parse)]
    case 'li':
      return [listOf({ tag, source, children: [element] }, parse)]
    case 'pre':
      return [codeOf(element, parse)]
    case 'table':
      return tableOf(element, parse)
    default:
      return [
        { type: 'paragraph', children: pairOf(element) },
        ...blocksOf(children, parse, tag.name === 'details' || tag.name === 'div').map((block) =>
          tag.name === 'details' ? withLineBreaks(block) : block,
        ),
      ]
  }
}

/** Returns a list with an item for each `li`; any other content becomes an item too. */
function listOf({ tag, children }: BlockElement, parse: Parse): List {
  const isOrdered = tag.name === 'ol'
  const start = Number.parseInt(attributeOf(tag, 'start'), 10)
  const items = children.flatMap((child): ListItem[] => {
    const isItem = !('type' in child) && child.tag.name === 'li'
    const blocks = blocksOf(isItem ? child.children : [child], parse)
    return isItem || blocks.length > 0 ? [{ type: 'listItem', spread: false, children: blocks as [] }] : [] // An item can contain blocks, like a quote.
  })
  const list: List = { type: 'list', ordered: isOrdered, spread: false, children: items }
  return isOrdered && start >= 0 ? { ...list, start } : list
}

/** Returns the code of a `pre` element, with the language that it or its `code` element names. */
function codeOf({ tag, children }: BlockElement, parse: Parse): RootContent {
  const tags = [
    tag,
    ...children.flatMap((child) => ('type' in child && child.type === 'html' ? (readTag(child.value) ?? []) : [])),
  ]
  const names = tags.map(
    (each) => attributeOf(each, 'lang') || /\blanguage-(\S+)/.exec(attributeOf(each, 'class'))?.[1],
  )
  const value = decode(textOf(children), parse)
    .replace(/^\r?\n/, '')
    .trimEnd()
  return { type: 'code', lang: names.find((name) => name !== undefined && name !== '') ?? null, meta: null, value }
}

function textOf(children: BlockElement['children']): string {
  return children
    .map((child) => {
      if (!('type' in child)) return textOf(child.children)
      return child.type === 'text' ? child.value : child.type === 'html' && isBreak(child.value) ? '\n' : ''
    })
    .join('')
}

/** Returns a table. Its first row is the head if it has `th` cells; otherwise the head is empty. */
function tableOf(table: BlockElement, parse: Parse): RootContent[] {
  const rows = elementsIn(table, ['tr']).map((row) => elementsIn(row, cells))
  const captions = elementsIn(table, ['caption'])
  const captionBlocks = captions.flatMap((caption) => blocksOfElement(caption, parse))
  const [first = []] = rows
  if (first.length === 0) {
    const others = table.children.filter(
      (child): child is BlockElement => !('type' in child) && !captions.includes(child),
    )
    return [...captionBlocks, ...others.flatMap(({ children }) => blocksOf(children, parse))]
  }
  const content = rows.map((row) => row.map(({ children }) => phrasingOf(children, parse)))
  if (!first.some(({ tag }) => tag.name === 'th')) content.unshift(first.map(() => []))
  const children = content.map((row): TableRow => {
    return { type: 'tableRow', children: row.map((cell) => ({ type: 'tableCell', children: cell })) }
  })
  const align = first.map(({ tag }): AlignType => {
    const name = attributeOf(tag, 'align').toLowerCase()
    return name === 'left' || name === 'right' || name === 'center' ? name : null
  })
  return [...captionBlocks, { type: 'table', align, children }]
}

/** Returns the descendants with one of the names, except those in nested tables. */
function elementsIn({ children }: BlockElement, names: readonly string[]): BlockElement[] {
  return children.flatMap((child) => {
    if ('type' in child || child.tag.name === 'table') return []
    return names.includes(child.tag.name) ? [child] : elementsIn(child, names)
  })
}

/** Returns the phrasing in elements; the tags begin new lines. */
function phrasingOf(children: BlockElement['children'], parse: Parse): PhrasingContent[] {
  return trimStart(decoded(tagged(children), parse))
}

function tagged(children: BlockElement['children']): PhrasingContent[] {
  return children.flatMap((child): PhrasingContent[] => {
    if ('type' in child) return [child]
    return [
      { type: 'html', value: child.source },
      ...tagged(child.children),
      { type: 'html', value: `</${child.tag.name}>` },
    ]
  })
}

/** Resolves the character references in texts. */
function decoded(nodes: readonly PhrasingContent[], parse: Parse): PhrasingContent[] {
  return nodes.map((node) => (node.type === 'text' ? { ...node, value: decode(node.value, parse) } : node))
}

/** The tags of an element that shows only its content: they are reported where it begins. */
function pairOf({ tag, source }: BlockElement): PhrasingContent[] {
  return [
    { type: 'html', value: source },
    { type: 'html', value: `</${tag.name}>` },
  ]
}

/** Makes line endings breaks: in `details`, lines of output often come without a fence. */
function withLineBreaks(block: RootContent): RootContent {
  if (block.type !== 'paragraph') return block
  const children = block.children.flatMap((node): PhrasingContent[] =>
    node.type === 'text' ? withBreaks(node.value.split('\n')) : [node],
  )
  return { ...block, children }
}

/** Removes white space at the start. */
function trimStart([first, ...others]: PhrasingContent[]): PhrasingContent[] {
  if (first?.type !== 'text') return first === undefined ? [] : [first, ...others]
  const value = first.value.trimStart()
  return value === '' ? trimStart(others) : [{ type: 'text', value }, ...others]
}

/** Gives nodes and their descendants the position of the HTML. */
function placed(nodes: RootContent[], position: Html['position']): RootContent[] {
  if (position === undefined) return nodes
  return nodes.map((node) => {
    const children = 'children' in node ? placed(node.children as RootContent[], position) : undefined
    return (children === undefined ? { ...node, position } : { ...node, children, position }) as RootContent // The node keeps its type.
  })
}
