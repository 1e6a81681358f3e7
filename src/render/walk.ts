/** Tells a renderer what a tree holds, as a parse tells of a source. */
import type { Output } from '../parse/index.js'
import { blocksOf, type Source } from '../source.js'
import type { Block, Formatting, Link, Paragraph, Phrasing } from '../tree.js'
import { childrenIn, DEPTH, isBareLink, paragraphOf, refuseCycle, unreachable } from '../tree.js'
import { fileOfParagraph, type RenderOptions, type ShownFile } from './options.js'

/** An output that shows a message. Offsets mean nothing to it. */
export interface Renderer extends Output {
  readonly options: RenderOptions
  /** Begins a block that has no parent of its own. */
  startBlock(): void
  /** A file where a block has begun, or in an item. */
  showFile(file: ShownFile): void
}

/** Tells `renderer` of every block of the source, node by node. */
export function walk(source: Source, renderer: Renderer): void {
  for (const block of blocksOf(source)) walkBlock(block, renderer)
}

function walkBlock(block: Block, renderer: Renderer): void {
  switch (block?.type) {
    case 'paragraph':
      walkParagraph(block, renderer, 'paragraph')
      break
    case 'heading': {
      const type = block.depth === 1 ? 'heading1' : 'heading2'
      renderer.open(type, 0, '')
      walkPhrasing(childrenIn(block), renderer)
      renderer.close(type, 0)
      break
    }
    case 'list':
      renderer.open('list', 0, '')
      for (const item of childrenIn(block)) {
        renderer.open('listItem', 0, '')
        walkParagraph(paragraphOf(item), renderer, 'itemParagraph')
        renderer.close('listItem', 0)
      }
      renderer.close('list', 0)
      break
    case 'code':
      renderer.code(block.lang, block.meta, block.value, 0)
      break
    case 'file':
      renderer.file(block.fileID, block.label, 0, 0)
      break
    default:
      unreachable(block)
  }
}

function walkParagraph(paragraph: Paragraph, renderer: Renderer, type: 'paragraph' | 'itemParagraph'): void {
  const file = fileOfParagraph(paragraph, renderer.options)
  if (file === null) {
    renderer.open(type, 0, '')
    walkPhrasing(childrenIn(paragraph), renderer)
    renderer.close(type, 0)
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
      renderer.close(level.parent.type, 0)
      ;({ nodes, index, outer: level } = level)
      continue
    }
    index += 1
    switch (node?.type) {
      case 'text':
        renderer.text(node.value, 0, 0)
        break
      case 'inlineCode':
        renderer.inlineCode(node.value, 0, 0)
        break
      case 'mention':
        renderer.mention(node.userID, node.label, 0, 0)
        break
      case 'break':
        renderer.break(0)
        break
      case 'strong':
      case 'emphasis':
      case 'underline':
      case 'delete':
      case 'link':
        if (node.type === 'link' && isBareLink(node)) {
          renderer.bareLink(node.url, 0, 0)
          break
        }
        renderer.open(node.type, 0, node.type === 'link' ? node.url : '')
        level = { parent: node, nodes, index, outer: level, depth: level === null ? 1 : level.depth + 1 }
        if (level.depth % DEPTH === 0) refuseCycle(parentsOf(level))
        nodes = childrenIn(node)
        index = 0
        break
      default:
        unreachable(node)
    }
  }
}
