/** Renders a tree as HTML (§6): the same bytes as `html.ts` writes for the source of the tree. */
import { delimiterOf, isFormatting } from '../delimiters.js'
import { treeOf } from '../source.js'
import { fieldsFit, LEVELS_MAX, SHARING_MAX } from '../tree/check.js'
import { type Block, type Link, type ListItem, type Paragraph, type Phrasing, type Root, unreachable } from '../tree.js'
import { codeElement, fileElement, linkStart, mentionElement } from './elements.js'
import { escapeText } from './escape.js'
import { fileOfParagraph, type RenderOptions, resolveFile, resolveMention } from './options.js'

/** The state of one rendering. */
interface Rendering {
  readonly tree: Root
  readonly options: RenderOptions
  /** The number of nodes to render before the tree is checked, because a tree that repeats its nodes may be too large to render. */
  nodesLeft: number
  /** Whether an `a` is open: HTML does not allow an `a` inside another. */
  isInAnchor: boolean
}

/**
 * Renders a tree and checks it at the same time, because a separate check would take a third of the time. If a node is
 * invalid, the functions below may throw any error, and `treeOf` then throws the error that names the problem.
 */
export function treeToHtml(tree: Root, options: RenderOptions): string {
  const rendering: Rendering = { tree, options, nodesLeft: SHARING_MAX, isInAnchor: false }
  try {
    if (tree.type !== 'root') fail()
    let html = ''
    for (const block of nodesOf(rendering, tree.children)) {
      if (html !== '') html += '\n'
      html += blockHtml(rendering, block)
    }
    return html
  } catch (error) {
    treeOf(tree)
    throw error
  }
}

function blockHtml(rendering: Rendering, block: Block): string {
  if (block.type !== 'paragraph' && !fieldsFit(block)) fail()
  switch (block.type) {
    case 'paragraph':
      return paragraphHtml(rendering, block, '<p>', '</p>')
    case 'heading':
      return `<h${block.depth}>${phrasingHtml(rendering, block.children, 3)}</h${block.depth}>`
    case 'list': {
      let html = '<ul>\n'
      for (const item of nodesOf(rendering, block.children)) {
        html += `<li>${paragraphHtml(rendering, paragraphOf(item), '', '')}</li>\n`
      }
      return `${html}</ul>`
    }
    case 'code':
      return codeElement(block.lang, block.value)
    case 'file':
      return fileElement(resolveFile(block.fileID, block.label, rendering.options))
    default:
      return fail(block)
  }
}

/** Throws, to end the rendering. The compiler reports a node type that a `switch` misses. */
function fail(node?: never): never {
  return unreachable(node as never)
}

function nodesOf<Node>(rendering: Rendering, children: readonly Node[]): readonly Node[] {
  if (!Array.isArray(children)) fail()
  rendering.nodesLeft -= children.length
  if (rendering.nodesLeft < 0) {
    treeOf(rendering.tree)
    rendering.nodesLeft = Number.POSITIVE_INFINITY
  }
  return children
}

function paragraphOf(item: ListItem): Paragraph {
  const { type, children } = item
  const isItem = type === 'listItem' && fieldsFit(item) && Array.isArray(children) && children.length === 1
  if (!isItem || children[0].type !== 'paragraph') fail()
  return children[0]
}

/** Renders a paragraph between its tags, which are empty in an item. */
function paragraphHtml(rendering: Rendering, paragraph: Paragraph, start: string, end: string): string {
  const file = fileOfParagraph(paragraph, rendering.options)
  if (file !== null) return fileElement(file)
  return start + phrasingHtml(rendering, paragraph.children, start === '' ? 5 : 3) + end
}

/** Renders inline nodes, which are on the given level of the tree. */
function phrasingHtml(rendering: Rendering, nodes: readonly Phrasing[], level: number): string {
  if (level > LEVELS_MAX && nodes.length > 0) fail()
  let html = ''
  for (const node of nodesOf(rendering, nodes)) {
    switch (node.type) {
      case 'text':
        html += escapeText(node.value)
        break
      case 'inlineCode':
        html += `<code>${escapeText(node.value)}</code>`
        break
      case 'break':
        html += '<br>\n'
        break
      case 'mention': {
        if (!fieldsFit(node)) fail()
        const { userID, label } = node
        html += mentionElement(userID, resolveMention(userID, label, rendering.options), rendering.isInAnchor)
        break
      }
      case 'link':
        if (!fieldsFit(node)) fail()
        html += linkHtml(rendering, node, level + 1)
        break
      default: {
        if (!isFormatting(node)) fail(node)
        const { element } = delimiterOf(node.type)
        html += `<${element}>${phrasingHtml(rendering, node.children, level + 1)}</${element}>`
      }
    }
  }
  return html
}

function linkHtml(rendering: Rendering, { url, children }: Link, level: number): string {
  const start = rendering.isInAnchor ? '' : linkStart(url, rendering.options)
  if (start === '') return phrasingHtml(rendering, children, level)
  rendering.isInAnchor = true
  const html = `${start}${phrasingHtml(rendering, children, level)}</a>`
  rendering.isInAnchor = false
  return html
}
