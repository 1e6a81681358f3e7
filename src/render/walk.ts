/** Tells a renderer what a tree holds, node by node. */
import { isFormatting } from '../delimiters.js'
import type { Block, Formatting, Link, Paragraph, Phrasing } from '../tree.js'
import { childrenIn, DEPTH, isBareLink, paragraphOf, refuseCycle, unreachable } from '../tree.js'
import { fileOfParagraph, type RenderOptions, type ShownFile } from './options.js'

/** The nodes that have children. A heading is named with its depth, an item's paragraph apart from the others. */
export type ParentType =
  | 'heading1'
  | 'heading2'
  | 'paragraph'
  | 'list'
  | 'listItem'
  | 'itemParagraph'
  | 'link'
  | Formatting['type']

/** An output that shows a tree. */
export interface Renderer {
  readonly options: RenderOptions
  /** Begins a block that has no parent of its own. */
  startBlock(): void
  /** `url` is a link's, else empty. */
  open(type: ParentType, url: string): void
  close(type: ParentType): void
  text(value: string): void
  inlineCode(value: string): void
  mention(userID: string, label: string | null): void
  bareLink(url: string): void
  break(): void
  file(fileID: string, label: string | null): void
  code(lang: string | null, value: string): void
  /** A file where a block has begun, or in an item. */
  showFile(file: ShownFile): void
}

/** Tells `renderer` of every block. */
export function walk(blocks: readonly Block[], renderer: Renderer): void {
  for (const block of blocks) walkBlock(block, renderer)
}

function walkBlock(block: Block, renderer: Renderer): void {
  switch (block?.type) {
    case 'paragraph':
      walkParagraph(block, renderer, 'paragraph')
      break
    case 'heading': {
      const type = block.depth === 1 ? 'heading1' : 'heading2'
      renderer.open(type, '')
      walkPhrasing(childrenIn(block), renderer)
      renderer.close(type)
      break
    }
    case 'list':
      renderer.open('list', '')
      for (const item of childrenIn(block)) {
        renderer.open('listItem', '')
        walkParagraph(paragraphOf(item), renderer, 'itemParagraph')
        renderer.close('listItem')
      }
      renderer.close('list')
      break
    case 'code':
      renderer.code(block.lang, block.value)
      break
    case 'file':
      renderer.file(block.fileID, block.label)
      break
    default:
      unreachable(block)
  }
}

function walkParagraph(paragraph: Paragraph, renderer: Renderer, type: 'paragraph' | 'itemParagraph'): void {
  const file = fileOfParagraph(paragraph, renderer.options)
  if (file === null) {
    renderer.open(type, '')
    walkPhrasing(childrenIn(paragraph), renderer)
    renderer.close(type)
    return
  }
  if (type === 'paragraph') renderer.startBlock()
  renderer.showFile(file)
}

/** The parents that are open, the innermost first, and where they go on. */
interface Level {
  readonly parent: Formatting | Link
  readonly nodes: readonly Phrasing[]
  readonly index: number
  readonly outer: Level | null
  readonly depth: number
}

function parentsOf(innermost: Level): object[] {
  const parents: object[] = []
  for (let level: Level | null = innermost; level !== null; level = level.outer) parents.push(level.parent)
  return parents
}

/** Without recursion: a tree that somebody else made may be as deep as it likes. */
function walkPhrasing(children: readonly Phrasing[], renderer: Renderer): void {
  let level: Level | null = null
  let nodes = children
  let index = 0
  for (;;) {
    const node = nodes[index]
    if (node === undefined) {
      if (level === null) return
      renderer.close(level.parent.type)
      ;({ nodes, index, outer: level } = level)
      continue
    }
    index += 1
    if (!isParent(node) || (node.type === 'link' && isBareLink(node))) {
      walkLeaf(node, renderer)
      continue
    }
    renderer.open(node.type, node.type === 'link' ? node.url : '')
    level = { parent: node, nodes, index, outer: level, depth: level === null ? 1 : level.depth + 1 }
    if (level.depth % DEPTH === 0) refuseCycle(parentsOf(level))
    nodes = childrenIn(node)
    index = 0
  }
}

function isParent(node: Phrasing): node is Formatting | Link {
  return node?.type === 'link' || isFormatting(node)
}

function walkLeaf(node: Exclude<Phrasing, Formatting>, renderer: Renderer): void {
  switch (node?.type) {
    case 'text':
      renderer.text(node.value)
      break
    case 'inlineCode':
      renderer.inlineCode(node.value)
      break
    case 'mention':
      renderer.mention(node.userID, node.label)
      break
    case 'break':
      renderer.break()
      break
    case 'link':
      renderer.bareLink(node.url)
      break
    default:
      unreachable(node)
  }
}
