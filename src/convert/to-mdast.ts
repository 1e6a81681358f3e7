/** Converts the tree of §5 to mdast with the nodes of CommonMark and GFM. */
import type { ListItem, Root as MdastRoot, PhrasingContent, RootContent } from 'mdast'
import type { Source } from '../index.js'
import { isSafeUrl } from '../render/escape.js'
import { treesOf } from '../source.js'
import { type Block, type Formatting, isBareLink, type Link, type Phrasing, unreachable } from '../tree.js'
import { addLines, asTask } from './markers.js'

/** How a message is written for another product. */
export interface WritingOptions {
  /** Returns the name of a mentioned user, and their id in the other product: then that product's own mention is written. */
  mention?:
    | ((userID: string, label: string | null) => { name: string; href?: string; id?: string } | undefined)
    | undefined
  /** Returns the name, type and URL of a file. */
  file?:
    | ((fileID: string, label: string | null) => { name: string; mediaType?: string; href?: string } | undefined)
    | undefined
  /** Whether lines that look like a list or a quote (`1. x`, `> x`, `• x`) stay lines. */
  literal?: boolean | undefined
}

/**
 * Returns a message as an mdast tree that has only CommonMark's and GFM's nodes.
 *
 * @param source - Markdown of the dialect, a tree, or a post's blocks
 * @param options - names of users and files, and what becomes of lines that look like lists
 * @throws {TypeError} if `source` is not a source
 * @throws {BlockmarkError} if a tree is not valid
 */
export function toMdast(source: Source, options: WritingOptions = {}): MdastRoot {
  const children: RootContent[] = []
  for (const tree of treesOf(source)) for (const block of tree.children) addBlock(children, block, options)
  return { type: 'root', children }
}

function addBlock(blocks: RootContent[], block: Block, options: WritingOptions): void {
  switch (block.type) {
    case 'heading':
      blocks.push({ type: 'heading', depth: block.depth, children: phrasingOf(block.children, options) })
      break
    case 'paragraph':
      addParagraph(blocks, block.children, options)
      break
    case 'list':
      blocks.push({
        type: 'list',
        ordered: false,
        spread: false,
        children: block.children.map((item) => itemOf(item.children[0].children, options)),
      })
      break
    case 'code':
      blocks.push({ type: 'code', lang: block.lang, meta: block.meta, value: block.value })
      break
    case 'file':
      blocks.push({ type: 'paragraph', children: [fileOf(block.fileID, block.label, options)] })
      break
    default:
      unreachable(block)
  }
}

function addParagraph(blocks: RootContent[], phrasing: readonly Phrasing[], options: WritingOptions): void {
  const [node, ...others] = phrasing
  // Some services write a file in the form of a mention (§6).
  const isFile = node?.type === 'mention' && others.length === 0 && (node.label ?? null) === null
  const file = isFile ? resolved('file', options.file?.(node.userID, null)) : undefined
  const children = isFile && file !== undefined ? [fileOf(node.userID, null, options)] : phrasingOf(phrasing, options)
  if (options.literal) blocks.push({ type: 'paragraph', children })
  else addLines(blocks, { type: 'paragraph', children })
}

function itemOf(phrasing: readonly Phrasing[], options: WritingOptions): ListItem {
  const children = phrasingOf(phrasing, options)
  return asTask({ type: 'listItem', spread: false, children: [{ type: 'paragraph', children }] })
}

/** CommonMark's counterpart of each kind of formatting; underline becomes emphasis. */
const kinds: Readonly<Record<Formatting['type'], 'strong' | 'emphasis' | 'delete'>> = {
  strong: 'strong',
  emphasis: 'emphasis',
  underline: 'emphasis',
  delete: 'delete',
}

type Kind = 'strong' | 'emphasis' | 'delete' | 'link'

function phrasingOf(nodes: readonly Phrasing[], options: WritingOptions): PhrasingContent[] {
  const result: PhrasingContent[] = []
  for (const node of nodes) addPhrasing(result, node, new Set(), options)
  return result
}

function addPhrasing(
  siblings: PhrasingContent[],
  node: Phrasing,
  around: ReadonlySet<Kind>,
  options: WritingOptions,
): void {
  switch (node.type) {
    case 'text':
      addText(
        siblings,
        node.value.replace(FILE, (_, id: string, label: string) => fileText(id, label, options)),
      )
      break
    case 'mention':
      addMention(siblings, node.userID, node.label, around, options)
      break
    case 'inlineCode':
      siblings.push({ type: 'inlineCode', value: node.value })
      break
    case 'break':
      siblings.push({ type: 'break' })
      break
    case 'link':
      addLink(siblings, node, around, options)
      break
    default:
      addFormatting(siblings, node, around, options)
  }
}

/** A file inside a line, which is text in the dialect. */
const FILE = /<!([^<>|\\\p{Z}\p{Cc}]{1,128})\|([^<>|`\p{Cc}]{0,256})>/gu

function fileText(id: string, label: string | null | undefined, options: WritingOptions): string {
  return `[file: ${resolved('file', options.file?.(id, label || null))?.name ?? (label || id)}]`
}

/** A file as an image or a link if its URL is known. */
function fileOf(id: string, label: string | null | undefined, options: WritingOptions): PhrasingContent {
  const { name, href, mediaType = '' } = resolved('file', options.file?.(id, label ?? null)) ?? {}
  if (name === undefined || href === undefined || !isSafe(href))
    return { type: 'text', value: fileText(id, label, options) }
  if (/^image\/(?!svg)/i.test(mediaType)) return { type: 'image', url: href, alt: name }
  return { type: 'link', url: href, children: [{ type: 'text', value: name }] }
}

/** The user's id in the other product, or a name, with a link if there is one. */
function addMention(
  siblings: PhrasingContent[],
  userID: string,
  label: string | null | undefined,
  around: ReadonlySet<Kind>,
  options: WritingOptions,
): void {
  const { name, href, id } = resolved('mention', options.mention?.(userID, label ?? null)) ?? {}
  const text = `@${id ?? name ?? (label || userID)}`
  if (id !== undefined || href === undefined || around.has('link') || !isSafe(href)) addText(siblings, text)
  else siblings.push({ type: 'link', url: href, children: [{ type: 'text', value: text }] })
}

/** Returns the result of a callback, which must not be a promise. */
function resolved<Value>(name: string, value: Value | undefined): Value | undefined {
  if (typeof value === 'object' && value !== null && 'then' in value)
    throw new TypeError(`${name}: expected an object or undefined, received a promise: look names up before the call`)
  return value ?? undefined
}

function isSafe(href: string): boolean {
  return isSafeUrl(href) || /^\/(?!\/)/.test(href)
}

function addText(siblings: PhrasingContent[], value: string): void {
  const last = siblings.at(-1)
  if (last?.type === 'text') last.value += value
  else if (value !== '') siblings.push({ type: 'text', value })
}

/** Two of a kind side by side, or inside each other, are one, or their markers would run into each other. */
function addFormatting(
  siblings: PhrasingContent[],
  node: Formatting,
  around: ReadonlySet<Kind>,
  options: WritingOptions,
): void {
  const kind = kinds[node.type]
  const last = siblings.at(-1)
  let target = siblings
  if (!around.has(kind)) {
    const parent = last?.type === kind ? last : { type: kind, children: [] }
    if (parent !== last) siblings.push(parent)
    target = parent.children
  }
  for (const child of node.children) addPhrasing(target, child, new Set(around).add(kind), options)
}

function addLink(siblings: PhrasingContent[], node: Link, around: ReadonlySet<Kind>, options: WritingOptions): void {
  const isLink = !around.has('link') && isSafeUrl(node.url)
  const target: PhrasingContent[] = isLink ? [] : siblings
  if (isLink) siblings.push({ type: 'link', url: node.url, title: null, children: target })
  for (const child of node.children) addPhrasing(target, child, isLink ? new Set(around).add('link') : around, options)
  if (!isLink && !isBareLink(node)) addText(siblings, ` (${node.url})`)
}
