/** Blocks in the text format of another product. */
import { type Block, type Phrasing, unreachable } from '../tree.js'
import { isInvisible } from './lines.js'
import { type Container, lineItemsOf } from './markers.js'
import { clean, leafOf, type NameOptions, type ProductRules, type TextBlock } from './names.js'

/** The parts of a product's format. */
export interface Markup extends ProductRules {
  readonly inline: (nodes: readonly Phrasing[]) => string
  readonly heading: (nodes: readonly Phrasing[], depth: 1 | 2) => string
  readonly paragraph?: (text: string) => string
  /** Writes the items of a list, and the lines of a paragraph that look like items or quotes; at least one. */
  readonly lines: (lines: readonly WrittenLine[]) => string
  readonly code: (value: string, lang: string) => string
}

/** A written line without its markers, and the containers around it. An empty line of a quote is ''. */
export interface WrittenLine {
  readonly containers: readonly Container[]
  readonly text: string
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
      const lines = lineItemsOf(block).map((item) => ({ ...item, text: write(item.paragraph) }))
      const shown = lines.filter(({ text, isEmpty }) => isEmpty || !isInvisible(text))
      return shown.length > 0 ? markup.lines(shown) : ''
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

/** Splits a text into the white space at its start, its content, and the white space at its end. */
export function edgesOf(text: string): [start: string, content: string, end: string] {
  const content = text.trim()
  const at = text.length - text.trimStart().length
  return [text.slice(0, at), content, text.slice(at + content.length)]
}
