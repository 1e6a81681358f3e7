/** A message as a hast tree: the table of §6, line for line, as nodes. */
import { delimiterOf, isFormatting } from '../delimiters.js'
import { blocksOf, type Source } from '../source.js'
import type { Block, Code, Formatting, Link, List, Mention, Phrasing, Position } from '../tree.js'
import { childrenIn, DEPTH, paragraphOf, refuseCycle, unreachable } from '../tree.js'
import { encodeUrl, isSafeUrl } from './escape.js'
import {
  fileOfParagraph,
  isImage,
  isSize,
  isVideo,
  type RenderOptions,
  type ResolvedFile,
  type ShownFile,
  shownFile,
  shownMention,
} from './options.js'

/** The properties that the table of §6 needs, by hast's names. */
export type HastProperties = Record<string, string | number | boolean | string[]>

export interface HastText {
  type: 'text'
  value: string
  position?: Position
}

export interface HastElement {
  type: 'element'
  tagName: string
  properties: HastProperties
  children: HastContent[]
  position?: Position
}

export type HastContent = HastElement | HastText

export interface HastRoot {
  type: 'root'
  children: HastContent[]
}

/**
 * Renders a message as a hast tree (§6), for rehype plugins and for hast-util-to-html.
 *
 * @param source - markdown, a tree, or a post's blocks
 * @param options - who is mentioned, and which files are shown
 * @returns the tree; elements and texts stand where their nodes do, if those say so
 * @throws {TypeError} when the source is none; whatever a resolver throws
 * @example
 * toHast('**done**').children
 * // => [{ type: 'element', tagName: 'p', properties: {}, children: [{ type: 'element', tagName: 'strong', properties: {}, children: [{ type: 'text', value: 'done' }] }] }]
 */
export function toHast(source: Source, options: RenderOptions = {}): HastRoot {
  const children: HastContent[] = []
  for (const block of blocksOf(source)) {
    if (children.length > 0) children.push(textOf('\n'))
    children.push(placed(blockOf(block, options), block.position))
  }
  return { type: 'root', children }
}

function blockOf(block: Block, options: RenderOptions): HastElement {
  switch (block?.type) {
    case 'paragraph': {
      const file = fileOfParagraph(block, options)
      return file === null ? elementOf('p', {}, childrenOf(block, options)) : fileOf(file)
    }
    case 'heading':
      return elementOf(block.depth === 1 ? 'h1' : 'h2', {}, childrenOf(block, options))
    case 'list':
      return listOf(block, options)
    case 'code':
      return elementOf('pre', {}, [codeOf(block)])
    case 'file':
      return fileOf(shownFile(block.fileID, block.label, options))
    default:
      return unreachable(block)
  }
}

function listOf(list: List, options: RenderOptions): HastElement {
  const children: HastContent[] = [textOf('\n')]
  for (const item of childrenIn(list)) {
    const paragraph = paragraphOf(item)
    const file = fileOfParagraph(paragraph, options)
    const content = file === null ? childrenOf(paragraph, options) : [fileOf(file)]
    children.push(placed(elementOf('li', {}, content), item.position), textOf('\n'))
  }
  return elementOf('ul', {}, children)
}

/** What holds phrasing. */
type Parent = { readonly type: string; readonly children: readonly Phrasing[] }

interface Level {
  nodes: readonly Phrasing[]
  index: number
  target: HastContent[]
  isInAnchor: boolean
}

/** Without recursion: a tree that somebody else made may be as deep as it likes. */
function childrenOf(parent: Parent, options: RenderOptions): HastContent[] {
  const children: HastContent[] = []
  const levels: Level[] = []
  let level: Level = { nodes: childrenIn(parent), index: 0, target: children, isInAnchor: false }
  for (;;) {
    const node = level.nodes[level.index]
    if (node === undefined) {
      const outer = levels.pop()
      if (outer === undefined) return children
      level = outer
      continue
    }
    level.index += 1
    const { target, isInAnchor } = level
    if (node?.type !== 'link' && !isFormatting(node)) {
      addLeaf(target, node, options, isInAnchor)
      continue
    }
    const isBare = node.type === 'link' && (isInAnchor || !isSafeUrl(node.url))
    const element = isBare ? null : placed(parentOf(node), node.position)
    if (element !== null) target.push(element)
    levels.push(level)
    if (levels.length % DEPTH === 0) refuseCycle(levels.map(({ nodes }) => nodes))
    level = {
      nodes: childrenIn(node),
      index: 0,
      target: element?.children ?? target,
      isInAnchor: isInAnchor || (node.type === 'link' && !isBare),
    }
  }
}

function parentOf(node: Formatting | Link): HastElement {
  if (node.type !== 'link') return elementOf(delimiterOf(node.type).element, {}, [])
  return elementOf('a', { href: encodeUrl(node.url), rel: ['nofollow', 'noopener', 'noreferrer'] }, [])
}

function addLeaf(
  target: HastContent[],
  node: Exclude<Phrasing, Formatting | Link>,
  options: RenderOptions,
  isInAnchor: boolean,
): void {
  switch (node?.type) {
    case 'text':
      target.push(placed(textOf(node.value), node.position))
      break
    case 'inlineCode':
      target.push(placed(elementOf('code', {}, [textOf(node.value)]), node.position))
      break
    case 'mention':
      target.push(placed(mentionOf(node, options, isInAnchor), node.position))
      break
    case 'break':
      target.push(placed(elementOf('br', {}, []), node.position), textOf('\n'))
      break
    default:
      unreachable(node)
  }
}

function mentionOf(node: Mention, options: RenderOptions, isInAnchor: boolean): HastElement {
  const { name, href } = shownMention(node.userID, node.label, options)
  const children = [textOf(`@${name}`)]
  const dataUserId = node.userID
  if (href === null || isInAnchor) return elementOf('span', { className: ['mention'], dataUserId }, children)
  return elementOf('a', { className: ['mention'], href: encodeUrl(href), dataUserId }, children)
}

function codeOf({ lang, value }: Code): HastElement {
  const properties = lang === null || lang === '' ? {} : { className: [`language-${lang}`] }
  return elementOf('code', properties, value === '' ? [] : [textOf(`${value}\n`)])
}

/** One element for every file; what it holds depends on what is known. */
function fileOf({ fileID, name, resolved }: ShownFile): HastElement {
  const content = resolved === null ? textOf(name) : contentOf(name, resolved)
  return elementOf('div', { className: ['file'], dataFileId: fileID }, [content])
}

function contentOf(name: string, { mediaType, href, width, height }: ResolvedFile): HastElement {
  const src = encodeUrl(href)
  if (isImage(mediaType)) {
    const size = { ...(isSize(width) ? { width } : {}), ...(isSize(height) ? { height } : {}) }
    return elementOf('img', { src, alt: name, ...size, loading: 'lazy' }, [])
  }
  if (isVideo(mediaType)) return elementOf('video', { src, controls: true, preload: 'metadata', title: name }, [])
  return elementOf('a', { href: src, download: name }, [textOf(name)])
}

function elementOf(tagName: string, properties: HastProperties, children: HastContent[]): HastElement {
  return { type: 'element', tagName, properties, children }
}

function textOf(value: string): HastText {
  return { type: 'text', value }
}

/** A hast node stands where its mdast node does. */
function placed<Node extends HastContent>(node: Node, position: Position | undefined): Node {
  if (position !== undefined) node.position = { start: { ...position.start }, end: { ...position.end } }
  return node
}
