/**
 * The examples of the CommonMark specification that are about constructs of this dialect. A CommonMark parser decides, not
 * this project's: an example is in scope if the dialect has each of its nodes and writes it in the same way.
 */

import type { Nodes } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'

/**
 * Checks whether an example is in scope.
 *
 * @param markdown - the example's source
 * @returns true if the dialect has all constructs that CommonMark finds in the example
 */
export function isInScope(markdown: string): boolean {
  const open: Nodes[] = [fromMarkdown(markdown)]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (!isShared(node, markdown)) return false
    if ('children' in node) open.push(...node.children)
  }
  return true
}

function isShared(node: Nodes, markdown: string): boolean {
  const [start, end] = [node.position?.start.offset ?? 0, node.position?.end.offset ?? 0]
  const slice = markdown.slice(start, end)
  switch (node.type) {
    case 'root':
    case 'paragraph':
    case 'inlineCode':
      return true
    case 'text':
      return !hasReference(slice, node.value) && !hasOtherEscape(markdown.slice(start, end + 1))
    case 'heading':
      return node.depth <= 2 && slice.startsWith('#') // not underlined
    case 'code':
      return /^`+[^\n&\\]*(?:\n|$)/.test(slice)
    case 'list':
      return slice.startsWith('*') && node.spread !== true
    case 'listItem':
      return node.spread !== true && node.children.length < 2 && node.children.every(isParagraph)
    case 'emphasis':
    case 'strong':
      return slice.startsWith('*')
    case 'link':
      return isInlineLink(slice, node.url) && node.title == null
    default:
      return false // quotes, thematic breaks, HTML, images, references, definitions, hard line breaks
  }
}

function isParagraph(node: Nodes): boolean {
  return node.type === 'paragraph'
}

/** `[label](url)` with an absolute URL that is written without angle brackets. */
function isInlineLink(slice: string, url: string): boolean {
  return slice.startsWith('[') && /^[a-z][a-z0-9+.-]{1,31}:/i.test(url) && slice.endsWith(`](${url})`)
}

/** A character reference, whose value differs from its source. */
function hasReference(slice: string, value: string): boolean {
  return Array.from(slice.matchAll(/&[#\w]+;/g)).some(([reference]) => !value.includes(reference))
}

/** An escape that this dialect does not have: a run of backslashes escapes before nine characters only (§3.1). */
function hasOtherEscape(slice: string): boolean {
  return /\\[!-/:-@[-`{-~]/.test(slice.replace(/\\+[`*_\-[\]<#:]/g, ''))
}
