/** Reads a block of HTML: its headings, lists, quotes, code, tables and paragraphs. */
import type {
  AlignType,
  BlockContent,
  Heading,
  Html,
  ListItem,
  PhrasingContent,
  RootContent,
  TableCell,
  TableRow,
} from 'mdast'
import { type Conversion, type HtmlReader, isBreak, type MarkdownParser, report, textIn } from './conversion.js'
import { attributeOf, decode, isText, piecesOf, readTag, type Tag } from './html.js'
import { isUrl, withElements } from './tags.js'

/** Maximum length of HTML that is converted. People do not write longer HTML by hand between Markdown. */
const LENGTH_MAX = 20_000
/** Maximum depth of elements. Deeper ones are read as part of the elements around them. */
const DEPTH_MAX = 32

/** A block-level HTML element with its content. */
interface BlockElement {
  readonly tag: Tag
  readonly children: Child[]
}

/** An element, or a piece of HTML: text, a comment, or a tag of phrasing. */
type Child = BlockElement | string

/**
 * Returns a reader of HTML.
 *
 * @param parse - the parser for Markdown and character references inside HTML; if null, a block of HTML stays as typed
 */
export function htmlReader(parse: MarkdownParser | null): HtmlReader {
  return { parse, blocksOf: blocksOfHtml, withElements }
}

function blocksOfHtml(conversion: Conversion, html: Html): RootContent[] | null {
  const { position } = html
  const value = html.value.trimEnd()
  const parse = conversion.html?.parse
  const isOpenComment = value.startsWith('<!--') && !value.includes('-->')
  const children = value.length > LENGTH_MAX ? null : childrenIn(isOpenComment ? `${value}-->` : value)
  // A tag that is not one of HTML's becomes text.
  if (children === null && readTag(value) !== null)
    return withPosition([{ type: 'paragraph', children: [{ ...html, value }] }], position)
  if (children === null || !parse) return null
  return withPosition(blocksIn({ parse, reportTag: () => report(conversion, 'html-tag', html) }, children), position)
}

/** Returns the elements and the phrasing in HTML; null if any of it has no counterpart. */
function childrenIn(value: string): Child[] | null {
  const topChildren: Child[] = []
  const open: BlockElement[] = []
  for (const piece of piecesOf(value)) {
    const tag = isText(piece) ? null : readTag(piece)
    if (tag?.isBlock && tag.isEnd) close(open, tag.name)
    else if (tag?.isBlock || tag?.name === 'hr') {
      if (ENDS_LIKE.test(tag.name)) close(open, tag.name, BOUNDARY)
      if (open.length >= DEPTH_MAX) continue
      const element: BlockElement = { tag, children: [] }
      ;(open.at(-1)?.children ?? topChildren).push(element)
      if (tag.isBlock) open.push(element)
    } else if (piece !== '<' && (tag === null || tag.element !== null || /^(?:br|img)$/.test(tag.name)))
      (open.at(-1)?.children ?? topChildren).push(piece)
    // A lone `<`, or a tag with an unknown name, has no counterpart.
    else return null
  }
  return topChildren
}

/** Elements whose end tags are optional: each ends before the next element of the same kind. */
const ENDS_LIKE = /^(?:li|p|d[dt]|t[dhr])$/
/** Elements whose content does not end elements around them, for example `ul`: an `li` in it does not end an `li` around it. */
const BOUNDARY = /^(?:[dou]l|table|blockquote|div)$/

/** Closes the innermost element of a kind, unless a boundary is open in it. */
function close(open: BlockElement[], name: string, boundary?: RegExp): void {
  const kindOf = (each: string): string => each.replace('dd', 'dt').replace('th', 'td')
  const index = open.findLastIndex(({ tag }) => kindOf(tag.name) === kindOf(name))
  const limit = open.findLastIndex(({ tag }) => boundary?.test(tag.name))
  if (index > limit) open.length = index
}

interface Reader {
  /** The parser of Markdown, which knows all character references. */
  readonly parse: MarkdownParser
  /** Reports an element that only arranges its content. */
  readonly reportTag: () => void
}

/** Returns the blocks in an element; `parent` is its name. */
function blocksIn(reader: Reader, children: readonly Child[], parent = ''): BlockContent[] {
  const blocks: BlockContent[] = []
  let pieces: string[] = []
  for (const child of [...children, null]) {
    if (typeof child === 'string') pieces.push(child)
    else {
      if (pieces.some((piece) => piece.trim() !== '')) blocks.push(...blocksOfText(reader, pieces, parent))
      pieces = []
      if (child !== null) blocks.push(...blocksOf(reader, child))
    }
  }
  return blocks
}

/** Reads the text between elements: in `details` and `div` it is Markdown. */
function blocksOfText(reader: Reader, pieces: readonly string[], parent: string): BlockContent[] {
  if (parent !== 'details' && parent !== 'div') return [{ type: 'paragraph', children: phrasingIn(reader, pieces) }]
  const markdown = pieces.map((piece) => {
    // In `details`, lines of output often come without a fence, so each line ending is a break.
    return parent === 'details' && !/^\n {0,3}[`~]{3}/.test(piece) ? piece.replace(/(?<=\S)\n/g, '  \n') : piece
  })
  return reader.parse(withoutIndent(markdown.join(''))) as BlockContent[] // All other nodes are definitions, and become nothing.
}

/** Removes the indent that all lines share, because an indent in HTML does not make code. */
function withoutIndent(text: string): string {
  const indents = Array.from(text.matchAll(/^[ \t]*(?=\S)/gm), ([indent]) => indent.length)
  return text.replace(new RegExp(`^[ \\t]{${Math.min(...indents)}}`, 'gm'), '')
}

function blocksOf(reader: Reader, { tag, children }: BlockElement): BlockContent[] {
  const { name } = tag
  if (/^h\d$/.test(name)) {
    const depth = Number(name[1]) as Heading['depth'] // `html.ts` has the names h1 to h6.
    return [{ type: 'heading', depth, children: phrasingIn(reader, children) }]
  }
  switch (name) {
    case 'hr':
      return [{ type: 'thematicBreak' }]
    case 'summary':
    case 'dt':
    case 'caption':
      return [{ type: 'paragraph', children: [{ type: 'strong', children: phrasingIn(reader, children) }] }]
    case 'blockquote':
      return [{ type: 'blockquote', children: blocksIn(reader, children) }]
    case 'ul':
    case 'ol':
      return [listOf(reader, tag, children)]
    case 'li':
      return [listOf(reader, tag, [{ tag, children }])]
    case 'pre':
      return [codeOf(reader, tag, children)]
    case 'table':
      return tableOf(reader, children)
    default:
      reader.reportTag()
      return blocksIn(reader, children, name)
  }
}

/** Returns a list with an item for each `li` and for any other content. */
function listOf(reader: Reader, tag: Tag, children: readonly Child[]): BlockContent {
  const items = children.flatMap((child): ListItem[] => {
    const isItem = typeof child !== 'string' && child.tag.name === 'li'
    const blocks = blocksIn(reader, isItem ? child.children : [child])
    return isItem || blocks.length > 0 ? [{ type: 'listItem', children: blocks }] : []
  })
  const start = Number.parseInt(attributeOf(tag, 'start'), 10)
  return { type: 'list', ordered: tag.name === 'ol', start: Number.isNaN(start) ? 1 : start, children: items }
}

/** Returns code, with the language that the `pre` or its `code` element names. */
function codeOf({ parse }: Reader, tag: Tag, children: readonly Child[]): BlockContent {
  const tags = [tag, ...children.flatMap((child) => (typeof child === 'string' ? (readTag(child) ?? []) : []))]
  const names = tags.map(
    (each) => attributeOf(each, 'lang') || /\blanguage-(\S+)/.exec(attributeOf(each, 'class'))?.[1],
  )
  const value = decode(textOf(children), parse)
    .replace(/^\r?\n/, '')
    .trimEnd()
  return { type: 'code', lang: names.find(Boolean) ?? null, value }
}

function textOf(children: readonly Child[]): string {
  return children
    .map((child) => {
      if (typeof child !== 'string') return textOf(child.children)
      return isText(child) ? child : isBreak(child) ? '\n' : ''
    })
    .join('')
}

/** Returns a table after its captions. The first row is the head if it has `th` cells; otherwise the head is empty. */
function tableOf(reader: Reader, children: readonly Child[]): BlockContent[] {
  const captions = elementsIn(children, /^caption$/).flatMap((caption) => blocksOf(reader, caption))
  const cells = elementsIn(children, /^tr$/).map((row) => elementsIn(row.children, /^t[dh]$/))
  const [first = []] = cells
  if (cells.flat().length === 0) return captions
  const rows = cells.map((row): TableRow => {
    const children = row.map((cell): TableCell => ({ type: 'tableCell', children: phrasingIn(reader, cell.children) }))
    return { type: 'tableRow', children }
  })
  if (!first.some(({ tag }) => tag.name === 'th')) rows.unshift({ type: 'tableRow', children: [] })
  const align = first.map(({ tag }) => alignments[attributeOf(tag, 'align').toLowerCase()] ?? null)
  return [...captions, { type: 'table', align, children: rows }]
}

const alignments: Readonly<Record<string, AlignType>> = { left: 'left', center: 'center', right: 'right' }

/** Returns the descendants with a name, except those in nested tables. */
function elementsIn(children: readonly Child[], names: RegExp): BlockElement[] {
  return children.flatMap((child) => {
    if (typeof child === 'string' || child.tag.name === 'table') return []
    return names.test(child.tag.name) ? [child] : elementsIn(child.children, names)
  })
}

/** Returns phrasing without spaces at its ends. The tags of block elements in it begin new lines when they are read. */
function phrasingIn(reader: Reader, children: readonly Child[]): PhrasingContent[] {
  const nodes = nodesIn(reader, children)
  const [first, last] = [nodes[0], nodes.at(-1)]
  if (first?.type === 'text') first.value = first.value.trimStart()
  if (last?.type === 'text') last.value = last.value.trimEnd()
  return nodes
}

function nodesIn(reader: Reader, children: readonly Child[]): PhrasingContent[] {
  return children.flatMap((child): PhrasingContent[] => {
    if (typeof child !== 'string') {
      const { name } = child.tag
      const start: Html = { type: 'html', value: `<${name}>` }
      return name === 'hr'
        ? [start]
        : [start, ...nodesIn(reader, child.children), { type: 'html', value: `</${name}>` }]
    }
    return isText(child) ? textsIn(reader, child) : [{ type: 'html', value: child }]
  })
}

/** Returns text and the links of the URLs and e-mail addresses in it. Markdown after a URL stays as typed. */
function textsIn({ parse }: Reader, text: string): PhrasingContent[] {
  const parts = text.replace(/[ \t\r\n\f]+/g, ' ').split(ADDRESS)
  const blocks = parts.length > 1 ? parse(parts.filter((_, index) => index % 2 === 1).join('\n\n')) : []
  return parts.flatMap((part, index): PhrasingContent[] => {
    const block = index % 2 === 1 ? blocks[(index - 1) / 2] : undefined
    const nodes: PhrasingContent[] = []
    let end = 0
    for (const node of block?.type === 'paragraph' ? block.children : []) {
      const label = textIn(node)
      const start = part.indexOf(label, end)
      if (start < 0 || !isUrl(node)) continue
      nodes.push({ type: 'text', value: decode(part.slice(end, start), parse) }, node)
      end = start + label.length
    }
    return [...nodes, { type: 'text', value: decode(part.slice(end), parse) }]
  })
}

/** Matches a URL or an e-mail address. The parser decides where it ends. */
const ADDRESS = /(https?:\/\/[^ ]+|www\.[^ ]+|(?<![\w.+-])[\w.+-]+@[\w.-]+)/i

/** Gives nodes and their descendants the position of the HTML. Items are not spread: elements have no empty lines. */
function withPosition(nodes: RootContent[], position: Html['position']): RootContent[] {
  return nodes.map(({ position: _position, ...node }) => {
    const children = 'children' in node && { children: withPosition(node.children as RootContent[], position) }
    const spread = 'spread' in node && { spread: false }
    return { ...node, ...children, ...spread, ...(position && { position }) } as RootContent // The node keeps its type.
  })
}
