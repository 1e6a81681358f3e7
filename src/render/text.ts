/** A message as plain text (§7). */
import { blocksOf, type Source } from '../source.js'
import type { Block, Phrasing } from '../tree.js'
import { unreachable } from '../tree.js'
import { fileOfParagraph, type RenderOptions, type ShownFile, showFile, showMention } from './options.js'
import { type PhrasingWriter, writePhrasing } from './phrasing.js'

/**
 * Renders a message as plain text (§7): formatting is dropped, everything else can be read.
 *
 * @param source - markdown, a tree, or a post's blocks
 * @param options - who is mentioned, and which files are shown
 * @returns the text: blocks separated by a blank line
 * @throws {TypeError} when the source is none; whatever a resolver throws
 * @example
 * toText('* **done**, see [log](https://example.com/log)') // => '• done, see log (https://example.com/log)'
 */
export function toText(source: Source, options: RenderOptions = {}): string {
  return blocksOf(source)
    .map((block) => writeBlock(block, options))
    .join('\n\n')
}

function writeBlock(block: Block, options: RenderOptions): string {
  switch (block.type) {
    case 'paragraph': {
      const file = fileOfParagraph(block, options)
      return file === null ? writePhrasing(block.children, writer, options) : writeFile(file)
    }
    case 'heading':
      return writePhrasing(block.children, writer, options)
    case 'list':
      return block.children.map((item) => `• ${writePhrasing(item.children[0].children, writer, options)}`).join('\n')
    case 'code':
      return block.value
    case 'file':
      return writeFile(showFile(block, options))
    default:
      return unreachable(block)
  }
}

function writeFile(file: ShownFile): string {
  return `[file: ${file.name}]`
}

const writer: PhrasingWriter<RenderOptions> = {
  before(node, options) {
    switch (node.type) {
      case 'text':
      case 'inlineCode':
        return node.value
      case 'mention':
        return `@${showMention(node, options).name}`
      case 'break':
        return '\n'
      default:
        return ''
    }
  },
  after(node) {
    return node.type === 'link' && !isBare(node.children, node.url) ? ` (${node.url})` : ''
  },
}

/** A bare link is a link whose only child is a text equal to its url (§5). */
function isBare(children: readonly Phrasing[], url: string): boolean {
  const [child] = children
  return children.length === 1 && child?.type === 'text' && child.value === url
}
