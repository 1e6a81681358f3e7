/** Blocks in the text format of another product. */
import { type Block, type Phrasing, unreachable } from '../tree.js'
import { clean, leafOf, type NameOptions, type ProductRules, type TextBlock } from './names.js'

/** The parts of a product's format. */
export interface Markup extends ProductRules {
  readonly inline: (nodes: readonly Phrasing[]) => string
  readonly heading: (nodes: readonly Phrasing[], depth: 1 | 2) => string
  readonly paragraph?: (text: string) => string
  /** The default is a line after `- ` for each item. */
  readonly list?: (items: readonly string[]) => string
  readonly code: (value: string, lang: string) => string
}

/** Writes a block. A heading, an item and code that show nothing are left out. */
export function writeBlock(block: Block, options: NameOptions, markup: Markup): string {
  const write = (leaf: TextBlock) => markup.inline(leafOf(leaf, options, markup))
  switch (block.type) {
    case 'heading':
      return isInvisible(write(block)) ? '' : markup.heading(leafOf(block, options, markup), block.depth)
    case 'paragraph':
    case 'file':
      return markup.paragraph?.(write(block)) ?? write(block)
    case 'list': {
      const items = block.children.map((item) => write(item.children[0])).filter((item) => !isInvisible(item))
      return markup.list?.(items) ?? items.map((item) => `- ${item}`).join('\n')
    }
    case 'code':
      return isInvisible(block.value) ? '' : markup.code(clean(block.value), clean(block.lang ?? ''))
    default:
      return unreachable(block)
  }
}

/** Code between fences; `gap` breaks up its runs of backticks that are as long as a fence. */
export function fenced(value: string, gap: string, lang = ''): string {
  return `\`\`\`${lang}\n${value.replace(/`(?=``)/g, `\`${gap}`)}\n\`\`\``
}

/** Whether a text shows nothing: products reject a message of white space and invisible characters. */
export function isInvisible(text: string): boolean {
  return /^[\s\p{Z}\p{Cc}\p{Default_Ignorable_Code_Point}\u2800]*$/u.test(text)
}

/** Splits a text into the white space at its start, its content, and the white space at its end. */
export function edgesOf(text: string): [start: string, content: string, end: string] {
  const content = text.trim()
  const at = text.length - text.trimStart().length
  return [text.slice(0, at), content, text.slice(at + content.length)]
}
