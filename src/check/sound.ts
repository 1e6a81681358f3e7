/**
 * Whether what is about to be written is there at all: types can not promise it of a tree that came as JSON. What is only
 * left out, as mdast often has it, is null. Where something is amiss `assertTree` says what and where.
 */
import { isFormatting } from '../delimiters.js'
import type { Block, Phrasing, Root } from '../tree.js'

/** Throws where a node holds what would be lost in writing. */
export function refuseUnsound(node: Root | Block | Phrasing): void {
  if (!isSound(node)) throw new TypeError('expected a tree of §5')
}

function isSound(node: Root | Block | Phrasing): boolean {
  switch (node.type) {
    case 'text':
    case 'inlineCode':
      return typeof node.value === 'string'
    case 'root':
    case 'paragraph':
      return Array.isArray(node.children)
    case 'break':
      return true
    case 'mention':
      return typeof node.userID === 'string' && isOptional(node.label)
    case 'link':
      return typeof node.url === 'string' && isNothing(node.title) && Array.isArray(node.children)
    case 'heading':
      return (node.depth === 1 || node.depth === 2) && Array.isArray(node.children)
    case 'list':
      return !node.ordered && node.children.every(isItem)
    case 'code':
      return typeof node.value === 'string' && isOptional(node.lang) && isOptional(node.meta)
    case 'file':
      return typeof node.fileID === 'string' && isOptional(node.label)
    default:
      return isFormatting(node) && Array.isArray(node.children)
  }
}

function isItem(item: unknown): boolean {
  const { type, children } = item as { type?: unknown; children?: unknown }
  if (type !== 'listItem' || !Array.isArray(children) || children.length !== 1) return false
  return children[0].type === 'paragraph' && isSound(children[0])
}

function isNothing(value: unknown): boolean {
  return value === null || value === undefined
}

function isOptional(value: unknown): boolean {
  return isNothing(value) || typeof value === 'string'
}
