/** Renders a message as a hast tree, by the table of §6. */
import { delimiterOf, isFormatting } from '../delimiters.js'
import { blocksOf, type Source } from '../source.js'
import {
  type Block,
  type Code,
  type Link,
  type List,
  type Mention,
  type Phrasing,
  type Position,
  unreachable,
} from '../tree.js'
import { encodeUrl } from './escape.js'
import {
  fileOfParagraph,
  isImage,
  isKnownSize,
  isVideo,
  type RenderOptions,
  type ResolvedFile,
  resolveFile,
  resolveLink,
  resolveMention,
  type ShownFile,
} from './options.js'

/** The properties of an element, under hast's names. */
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
 * @param source - text in the dialect, a tree, or a post's blocks
 * @param options - the callbacks for names, files and links
 * @returns the tree; elements and texts have the positions of their nodes
 * @throws {TypeError} if `source` is not a string, a tree or an array of both; also throws any error of a callback
 * @throws {BlockmarkError} `tree/child`, `tree/field`, `tree/cycle` or `tree/depth` if a tree is not valid (§5)
 * @example
 * toHast('**done**').children
 * // => [{ type: 'element', tagName: 'p', properties: {}, children: [{ type: 'element', tagName: 'strong', properties: {}, children: [{ type: 'text', value: 'done' }] }] }]
 */
export function toHast(source: Source, options?: RenderOptions): HastRoot {
  const callbacks = options ?? {}
  const children: HastContent[] = []
  for (const block of blocksOf(source)) {
    if (children.length > 0) children.push(textOf('\n'))
    children.push(withPosition(blockOf(block, callbacks), block.position))
  }
  return { type: 'root', children }
}

function blockOf(block: Block, options: RenderOptions): HastElement {
  switch (block.type) {
    case 'paragraph': {
      const file = fileOfParagraph(block, options)
      return file === null ? elementOf('p', {}, contentOf(block.children, options)) : fileOf(file)
    }
    case 'heading':
      return elementOf(block.depth === 1 ? 'h1' : 'h2', {}, contentOf(block.children, options))
    case 'list':
      return listOf(block, options)
    case 'code':
      return elementOf('pre', {}, [codeOf(block)])
    case 'file':
      return fileOf(resolveFile(block.fileID, block.label, options))
    default:
      return unreachable(block)
  }
}

function listOf(list: List, options: RenderOptions): HastElement {
  const children: HastContent[] = [textOf('\n')]
  for (const item of list.children) {
    const [paragraph] = item.children
    const file = fileOfParagraph(paragraph, options)
    const content = file === null ? contentOf(paragraph.children, options) : [fileOf(file)]
    children.push(withPosition(elementOf('li', {}, content), item.position), textOf('\n'))
  }
  return elementOf('ul', {}, children)
}

function contentOf(nodes: readonly Phrasing[], options: RenderOptions, isInAnchor = false): HastContent[] {
  return nodes.flatMap((node) => {
    switch (node.type) {
      case 'text':
        return withPosition(textOf(node.value), node.position)
      case 'inlineCode':
        return withPosition(elementOf('code', {}, [textOf(node.value)]), node.position)
      case 'break':
        return [withPosition(elementOf('br', {}, []), node.position), textOf('\n')]
      case 'mention':
        return withPosition(mentionOf(node, options, isInAnchor), node.position)
      case 'link':
        return linkOf(node, options, isInAnchor)
      default: {
        if (!isFormatting(node)) return unreachable(node)
        const { element } = delimiterOf(node.type)
        return withPosition(elementOf(element, {}, contentOf(node.children, options, isInAnchor)), node.position)
      }
    }
  })
}

/** Returns a link's element, or only its children if it is inside another `a`, which HTML does not allow. */
function linkOf(node: Link, options: RenderOptions, isInAnchor: boolean): HastContent[] {
  const link = isInAnchor ? null : resolveLink(node.url, options)
  if (link === null) return contentOf(node.children, options, isInAnchor)
  const { href, rel, target } = link
  const properties: HastProperties = { href: encodeUrl(href), rel: rel.split(' ') }
  if (target !== null) properties['target'] = target
  return [withPosition(elementOf('a', properties, contentOf(node.children, options, true)), node.position)]
}

function mentionOf(node: Mention, options: RenderOptions, isInAnchor: boolean): HastElement {
  const { name, href } = resolveMention(node.userID, node.label, options)
  const children = [textOf(`@${name}`)]
  const dataUserId = node.userID
  if (href === null || isInAnchor) return elementOf('span', { className: ['mention'], dataUserId }, children)
  return elementOf('a', { className: ['mention'], href: encodeUrl(href), dataUserId }, children)
}

function codeOf({ lang, value }: Code): HastElement {
  const properties = lang ? { className: [`language-${lang}`] } : {}
  return elementOf('code', properties, value === '' ? [] : [textOf(`${value}\n`)])
}

/** Returns the `div` of a file. Its content depends on the result of the caller's callback. */
function fileOf({ fileID, name, resolved }: ShownFile): HastElement {
  const content = resolved === null ? textOf(name) : fileContent(name, resolved)
  return elementOf('div', { className: ['file'], dataFileId: fileID }, [content])
}

function fileContent(name: string, { mediaType, href, width, height }: ResolvedFile): HastElement {
  const src = encodeUrl(href)
  if (isImage(mediaType)) {
    const size = { ...(isKnownSize(width) ? { width } : {}), ...(isKnownSize(height) ? { height } : {}) }
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

/** Gives a hast node the position of its mdast node. */
function withPosition<Node extends HastContent>(node: Node, position: Position | undefined): Node {
  if (position) node.position = { start: { ...position.start }, end: { ...position.end } }
  return node
}
