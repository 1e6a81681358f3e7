/** The HTML of a tree (§6): the same bytes as `html.ts` writes for a source. */
import { type Block, isBareLink, type Link, type Paragraph, type Phrasing, type Root, unreachable } from '../tree.js'
import { anchorStart, codeElement, elementEnds, elementStarts, fileElement, mentionElement } from './elements.js'
import { escapeText } from './escape.js'
import { fileOfParagraph, type RenderOptions, shownFile, shownLink, shownMention } from './options.js'

export function treeToHtml(tree: Root, options: RenderOptions): string {
  let html = ''
  for (const block of tree.children) html = writeBlock(html === '' ? '' : `${html}\n`, block, options)
  return html
}

function writeBlock(before: string, block: Block, options: RenderOptions): string {
  switch (block.type) {
    case 'paragraph':
      return writeParagraph(before, '<p>', block, '</p>', options)
    case 'heading': {
      const name = block.depth === 1 ? 'h1>' : 'h2>'
      return `${writePhrasing(`${before}<${name}`, block.children, options, false)}</${name}`
    }
    case 'list': {
      let html = `${before}<ul>\n`
      // An item's paragraph has no tags.
      for (const { children } of block.children)
        html = writeParagraph(`${html}<li>`, '', children[0], '</li>\n', options)
      return `${html}</ul>`
    }
    case 'code':
      return before + codeElement(block.lang, block.value)
    case 'file':
      return before + fileElement(shownFile(block.fileID, block.label, options))
    default:
      return unreachable(block)
  }
}

function writeParagraph(
  before: string,
  start: string,
  paragraph: Paragraph,
  end: string,
  options: RenderOptions,
): string {
  const file = fileOfParagraph(paragraph, options)
  if (file !== null) return before + fileElement(file) + (start === '' ? end : '')
  return writePhrasing(before + start, paragraph.children, options, false) + end
}

function writePhrasing(
  before: string,
  nodes: readonly Phrasing[],
  options: RenderOptions,
  isInAnchor: boolean,
): string {
  let html = before
  for (const node of nodes) {
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
        html += mentionElement(node.userID, shownMention(node.userID, node.label, options), isInAnchor)
        break
      case 'link':
        html = writeLink(html, node, options, isInAnchor)
        break
      case 'strong':
      case 'emphasis':
      case 'underline':
      case 'delete':
        html =
          writePhrasing(html + elementStarts[node.type], node.children, options, isInAnchor) + elementEnds[node.type]
        break
      default:
        unreachable(node)
    }
  }
  return html
}

/** HTML has no `a` in another. */
function writeLink(before: string, link: Link, options: RenderOptions, isInAnchor: boolean): string {
  const shown = isInAnchor ? null : shownLink(link.url, options)
  if (shown === null) return writePhrasing(before, link.children, options, isInAnchor)
  const start = before + anchorStart(shown)
  // Most links are bare.
  const html = isBareLink(link) ? start + escapeText(link.url) : writePhrasing(start, link.children, options, true)
  return `${html}</a>`
}
