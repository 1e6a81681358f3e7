/** The HTML of a tree (§6): the same bytes as `html.ts` writes for a source. */

import { isFormatting } from '../delimiters.js'
import { treeOf } from '../source.js'
import { fieldsFit, LEVELS_MAX, SHARING_MAX } from '../tree/check.js'
import type { Block, Link, ListItem, Paragraph, Phrasing, Root } from '../tree.js'
import { anchorStart, codeElement, elementEnds, elementStarts, fileElement, mentionElement } from './elements.js'
import { escapeText } from './escape.js'
import { fileOfParagraph, type RenderOptions, shownFile, shownLink, shownMention } from './options.js'

/** The state of one rendering. */
interface Rendering {
  readonly tree: Root
  readonly options: RenderOptions
  /** The number of nodes after which the whole tree is checked, so that a node in too many places does not take forever. */
  nodesLeft: number
  /** Whether an `a` is open: HTML does not allow an `a` inside another. */
  isInAnchor: boolean
}

/**
 * Renders a tree and checks it on the way, since a check before would take a fifth of the time. On any invalid
 * node the functions below throw some error, and `assertTree` then finds the problem.
 */
export function treeToHtml(tree: Root, options: RenderOptions): string {
  const rendering: Rendering = { tree, options, nodesLeft: SHARING_MAX, isInAnchor: false }
  try {
    if (tree.type !== 'root') refuse()
    let html = ''
    for (const block of nodesOf(tree.children, rendering)) {
      html = writeBlock(html === '' ? '' : `${html}\n`, block, rendering)
    }
    return html
  } catch (error) {
    treeOf(tree)
    throw error
  }
}

function writeBlock(before: string, block: Block, rendering: Rendering): string {
  if (block.type !== 'paragraph' && !fieldsFit(block)) refuse()
  switch (block.type) {
    case 'paragraph':
      return writeParagraph(before, '<p>', block, '</p>', rendering)
    case 'heading': {
      const name = block.depth === 1 ? 'h1>' : 'h2>'
      return `${writePhrasing(`${before}<${name}`, block.children, rendering, 3)}</${name}`
    }
    case 'list': {
      let html = `${before}<ul>\n`
      // An item's paragraph has no tags.
      for (const item of nodesOf(block.children, rendering)) {
        html = writeParagraph(`${html}<li>`, '', paragraphOf(item), '</li>\n', rendering)
      }
      return `${html}</ul>`
    }
    case 'code':
      return before + codeElement(block.lang, block.value)
    case 'file':
      return before + fileElement(shownFile(block.fileID, block.label, rendering.options))
    default:
      return refuse(block)
  }
}

function refuse(_unreachable?: never): never {
  throw new TypeError('expected a tree of §5')
}

function nodesOf<Node>(children: readonly Node[], rendering: Rendering): readonly Node[] {
  if (!Array.isArray(children)) refuse()
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
  if (!isItem || children[0].type !== 'paragraph') refuse()
  return children[0]
}

function writeParagraph(
  before: string,
  start: string,
  paragraph: Paragraph,
  end: string,
  rendering: Rendering,
): string {
  const file = fileOfParagraph(paragraph, rendering.options)
  if (file !== null) return before + fileElement(file) + (start === '' ? end : '')
  return writePhrasing(before + start, paragraph.children, rendering, start === '' ? 5 : 3) + end
}

/** Writes the nodes of a level. */
function writePhrasing(before: string, nodes: readonly Phrasing[], rendering: Rendering, level: number): string {
  if (level > LEVELS_MAX && nodes.length > 0) refuse()
  let html = before
  const { length } = nodesOf(nodes, rendering)
  for (let index = 0; index < length; index += 1) {
    // For a hole in the array, reading `type` throws.
    const node = nodes[index] as Phrasing
    switch (node.type) {
      case 'text':
        html += escapeText(node.value)
        break
      case 'inlineCode':
        html = `${html}<code>${escapeText(node.value)}</code>`
        break
      case 'break':
        html += '<br>\n'
        break
      case 'mention':
        if (!fieldsFit(node)) refuse()
        html += mentionElement(
          node.userID,
          shownMention(node.userID, node.label, rendering.options),
          rendering.isInAnchor,
        )
        break
      case 'link':
        if (!fieldsFit(node)) refuse()
        html = writeLink(html, node, rendering, level)
        break
      default:
        if (!isFormatting(node)) refuse(node)
        html =
          writePhrasing(html + elementStarts[node.type], node.children, rendering, level + 1) + elementEnds[node.type]
    }
  }
  return html
}

function writeLink(before: string, link: Link, rendering: Rendering, level: number): string {
  const shown = rendering.isInAnchor ? null : shownLink(link.url, rendering.options)
  if (shown === null) return writePhrasing(before, link.children, rendering, level + 1)
  rendering.isInAnchor = true
  const html = `${writePhrasing(before + anchorStart(shown), link.children, rendering, level + 1)}</a>`
  rendering.isInAnchor = false
  return html
}
