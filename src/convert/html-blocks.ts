/** Writes a block of HTML as Markdown, so that the parser reads its headings, lists, quotes, code, tables and paragraphs. */
import type { Html, RootContent } from 'mdast'
import { type Conversion, type HtmlReader, isBreak, type MarkdownParser, report } from './conversion.js'
import { attributeOf, decode, escapeMarkdown, type HtmlPiece, isComment, piecesOf, readTag, type Tag } from './html.js'
import { withElements } from './tags.js'

/** Maximum length of HTML that is converted. People do not write longer HTML by hand between Markdown. */
const LENGTH_MAX = 20_000
/** Maximum depth of elements. Deeper ones are read as part of the elements around them. */
const DEPTH_MAX = 32

/** An element that arranges blocks. */
interface BlockElement {
  readonly tag: Tag
  readonly source: string
  readonly children: Child[]
}

type Child = BlockElement | HtmlPiece

/**
 * Returns a reader of HTML.
 *
 * @param parse - the parser of the Markdown around it; without one, a block of HTML stays as typed
 */
export function htmlReader(parse: MarkdownParser | null): HtmlReader {
  return { parse, blocksOf: (conversion, html) => blocksOfHtml(conversion, html, parse), withElements }
}

function blocksOfHtml(conversion: Conversion, html: Html, parse: MarkdownParser | null): RootContent[] | null {
  const { value, position } = html
  const isOpenComment = isComment(value) && !value.includes('-->')
  const children = value.length > LENGTH_MAX ? null : childrenIn(isOpenComment ? `${value}-->` : value)
  // A tag that is not HTML's is text.
  if (children === null && readTag(value) !== null)
    return placed([{ type: 'paragraph', children: [{ ...html }] }], position)
  if (children === null || parse === null) return null
  const writer = { parse, reportTag: () => report(conversion, 'html-tag', html) }
  return placed(parse(blocksIn(writer, children)), position)
}

/** The elements and the phrasing in HTML; null if there is something that has no counterpart. */
function childrenIn(value: string): Child[] | null {
  const outside: Child[] = []
  const open: BlockElement[] = []
  for (const piece of piecesOf(value)) {
    const tag = piece.type === 'tag' ? readTag(piece.value) : null
    const isPhrasing =
      piece.type !== 'tag' || tag?.name === 'br' || tag?.name === 'img' || (tag?.element ?? null) !== null
    if (tag?.isBlock && tag.isEnd) close(open, tag.name)
    else if (tag?.isBlock || tag?.name === 'hr') {
      if (ENDS_LIKE.test(tag.name)) close(open, tag.name, BOUNDARY)
      if (open.length >= DEPTH_MAX) continue
      const element: BlockElement = { tag, source: piece.value, children: [] }
      ;(open.at(-1)?.children ?? outside).push(element)
      if (tag.isBlock) open.push(element)
    } else if (isPhrasing && piece.value !== '<') (open.at(-1)?.children ?? outside).push(piece)
    // A `<` that does not start a tag: the block may not be HTML.
    else return null
  }
  return outside
}

/** Elements whose end tags are optional: each ends before another element of its kind. */
const ENDS_LIKE = /^(?:li|p|d[dt]|t[dhr])$/
/** Elements inside which an element of the same kind is nested and does not end the outer one, for example `ul` in `li`. */
const BOUNDARY = /^(?:[dou]l|table|blockquote|div)$/

/** Closes the innermost element of a kind, unless a boundary is open in it. */
function close(open: BlockElement[], name: string, boundary?: RegExp): void {
  const kindOf = (each: string): string => each.replace('dd', 'dt').replace('th', 'td')
  const index = open.findLastIndex(({ tag }) => kindOf(tag.name) === kindOf(name))
  const limit = open.findLastIndex(({ tag }) => boundary?.test(tag.name))
  if (index > limit) open.length = index
}

interface Writer {
  /** The parser of Markdown, which knows all character references. */
  readonly parse: MarkdownParser
  /** Reports an element that only arranges its content. */
  readonly reportTag: () => void
}

/** Writes children as blocks; `paragraphOf` writes the phrasing between elements. */
function blocksIn(writer: Writer, children: readonly Child[], paragraphOf = paragraphIn): string {
  const blocks: string[] = []
  let pieces: HtmlPiece[] = []
  const add = (block: string): void => {
    if (block.trim() !== '') blocks.push(block)
  }
  for (const child of children) {
    if ('type' in child) pieces.push(child)
    else {
      add(paragraphOf(pieces))
      pieces = []
      add(blockOf(writer, child, blocks.length))
    }
  }
  add(paragraphOf(pieces))
  return blocks.join('\n\n')
}

/** Writes an element; `index` is the number of blocks before it. */
function blockOf(writer: Writer, { tag, source, children }: BlockElement, index: number): string {
  const { name } = tag
  if (/^h\d$/.test(name)) return `${'#'.repeat(Number(name[1]))} ${inline(children)}`
  switch (name) {
    case 'hr':
      return '***'
    case 'summary':
    case 'dt':
    case 'caption':
      return `<b>${inline(children)}</b>`
    case 'blockquote':
      return prefixed(blocksIn(writer, children), '> ')
    case 'ul':
    case 'ol':
      return listOf(writer, tag, children, index)
    case 'li':
      return listOf(writer, tag, [{ tag, source, children }], index)
    case 'pre':
      return codeOf(tag, children, decode(textOf(children), writer.parse))
    case 'table':
      return tableOf(writer, children)
    default:
      writer.reportTag()
      return blocksIn(writer, children, { details: markdownLines, div: markdownIn }[name])
  }
}

/** Writes an item for each `li` and for any other content. Adjoining lists get different markers, so that they do not merge. */
function listOf(writer: Writer, tag: Tag, children: readonly Child[], index: number): string {
  const start = Number.parseInt(attributeOf(tag, 'start') || '1', 10)
  const [bullet, delimiter] = index % 2 === 0 ? ['-', '.'] : ['+', ')']
  const items = children.flatMap((child) => {
    const isItem = 'tag' in child && child.tag.name === 'li'
    const item = blocksIn(writer, isItem ? child.children : [child])
    return isItem || item !== '' ? [item] : []
  })
  return items
    .map((item, at) => {
      const marker = tag.name === 'ol' ? `${start + at}${delimiter} ` : `${bullet} `
      return prefixed(item, marker, ' '.repeat(marker.length))
    })
    .join('\n')
}

/** Writes code, with the language that the `pre` or its `code` element names. */
function codeOf(tag: Tag, children: readonly Child[], value: string): string {
  const tags = [tag, ...children.flatMap((child) => ('type' in child ? (readTag(child.value) ?? []) : []))]
  const names = tags.map(
    (each) => attributeOf(each, 'lang') || /\blanguage-(\S+)/.exec(attributeOf(each, 'class'))?.[1],
  )
  const fence = '`'.repeat(Math.max(3, ...Array.from(value.matchAll(/`+/g), ([run]) => run.length + 1)))
  return `${fence}${names.find(Boolean) ?? ''}\n${value.replace(/^\r?\n/, '').trimEnd()}\n${fence}`
}

function textOf(children: readonly Child[]): string {
  return children
    .map((child) => {
      if (!('type' in child)) return textOf(child.children)
      return child.type === 'text' ? child.value : isBreak(child.value) ? '\n' : ''
    })
    .join('')
}

/** Writes a table after its captions. The first row is the head if it has `th` cells; otherwise the head is empty. */
function tableOf(writer: Writer, children: readonly Child[]): string {
  const captions = elementsIn(children, /^caption$/).map((caption) => blockOf(writer, caption, 0))
  const rows = elementsIn(children, /^tr$/).map((row) => elementsIn(row.children, /^t[dh]$/))
  const [first = []] = rows
  const columns = Array.from({ length: Math.max(0, ...rows.map((row) => row.length)) }, (_, column) => column)
  const rowOf = (row: readonly (string | undefined)[]) =>
    `| ${columns.map((column) => row[column] ?? '').join(' | ')} |`
  const align = columns.map(
    (column) => delimiters[first[column] ? attributeOf(first[column].tag, 'align').toLowerCase() : ''] ?? '-',
  )
  const written = rows.map((row) => rowOf(row.map((cell) => inline(cell.children).replaceAll('|', '&#124;'))))
  if (!first.some(({ tag }) => tag.name === 'th')) written.unshift(rowOf([]))
  written.splice(1, 0, rowOf(align))
  return [...captions, ...(columns.length > 0 ? [written.join('\n')] : [])].join('\n\n')
}

const delimiters: Readonly<Record<string, string>> = { left: ':-', center: ':-:', right: '-:' }

/** Returns the descendants with a name, except those in nested tables. */
function elementsIn(children: readonly Child[], names: RegExp): BlockElement[] {
  return children.flatMap((child) => {
    if ('type' in child || child.tag.name === 'table') return []
    return names.test(child.tag.name) ? [child] : elementsIn(child.children, names)
  })
}

/** Writes phrasing on one line. The tags of block elements in it begin new lines when they are read. */
function inline(children: readonly Child[]): string {
  const written = children.map((child): string => {
    if ('type' in child) return child.type === 'text' ? escapeMarkdown(child.value) : child.value
    return child.source + inline(child.children) + (child.tag.name === 'hr' ? '' : `</${child.tag.name}>`)
  })
  return written
    .join('')
    .replace(/[ \t\r\n\f]+/g, ' ')
    .trim()
}

/** Writes a paragraph. A space before a tag keeps it from starting a block of HTML. */
function paragraphIn(pieces: readonly HtmlPiece[]): string {
  return inline(pieces).replace(/^(?=<)/, '&#32;')
}

/** Returns text that is Markdown already. */
function markdownIn(pieces: readonly HtmlPiece[]): string {
  return pieces.map(({ value }) => value).join('')
}

/** Returns Markdown whose line endings are breaks: in `details`, lines of output often come without a fence. */
function markdownLines(pieces: readonly HtmlPiece[]): string {
  const isFence = /^\n {0,3}[`~]{3}/
  return pieces.map(({ value }) => (isFence.test(value) ? value : value.replace(/(?<=\S)\n/g, '  \n'))).join('')
}

function prefixed(block: string, first: string, rest = first): string {
  return first + block.replaceAll('\n', `\n${rest}`)
}

/** Gives nodes and their descendants the position of the HTML. Items are not spread: elements have no empty lines. */
function placed(nodes: RootContent[], position: Html['position']): RootContent[] {
  return nodes.map(({ position: _position, ...node }) => {
    const children = 'children' in node && { children: placed(node.children as RootContent[], position) }
    const spread = 'spread' in node && { spread: false }
    return { ...node, ...children, ...spread, ...(position && { position }) } as RootContent // The node keeps its type.
  })
}
