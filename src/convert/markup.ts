/** Blocks in the format of another product. */
import { type Block, type Phrasing, unreachable } from '../tree.js'
import { isInvisible } from './lines.js'
import { type Container, isVisible, lineItemsOf } from './markers.js'
import { clean, leafOf, type NameOptions, type ProductRules } from './names.js'

/** The parts of a product's format: how it writes phrasing, and blocks that contain it. */
export interface Markup<Inline = string, Written = Inline> extends ProductRules {
  readonly inline: (nodes: readonly Phrasing[]) => Inline
  readonly heading: (nodes: readonly Phrasing[], depth: 1 | 2) => Written
  readonly paragraph: (inline: Inline) => Written
  /** Writes the items of a list, and the lines of a paragraph that look like items or quotes; at least one. */
  readonly lines: (lines: readonly WrittenLine<Inline>[]) => Written
  readonly code: (value: string, lang: string) => Written
}

/** A written line without its markers, and the containers around it. */
export interface WrittenLine<Inline = string> {
  readonly containers: readonly Container[]
  readonly inline: Inline
  /** Whether it is an empty line in a quote. */
  readonly isEmpty: boolean
}

/** Writes a block; null if it shows nothing. Items that show nothing are left out. */
export function writeBlock<Inline, Written>(
  block: Block,
  options: NameOptions,
  markup: Markup<Inline, Written>,
): Written | null {
  switch (block.type) {
    case 'heading':
    case 'paragraph':
    case 'file': {
      const nodes = leafOf(block, options, markup)
      if (!nodes.some(isVisible)) return null
      return block.type === 'heading' ? markup.heading(nodes, block.depth) : markup.paragraph(markup.inline(nodes))
    }
    case 'list': {
      const lines = lineItemsOf(block).flatMap(({ containers, paragraph, isEmpty }) => {
        const nodes = leafOf(paragraph, options, markup)
        return isEmpty || nodes.some(isVisible) ? [{ containers, inline: markup.inline(nodes), isEmpty }] : []
      })
      return lines.length > 0 ? markup.lines(lines) : null
    }
    case 'code':
      return isInvisible(block.value) ? null : markup.code(clean(block.value), clean(block.lang ?? ''))
    default:
      return unreachable(block)
  }
}

/** Writes code between fences; `gap` breaks up runs of backticks in the code that are as long as a fence. */
export function fenced(value: string, gap: string, lang = ''): string {
  return `\`\`\`${lang}\n${value.replace(/`(?=``)/g, `\`${gap}`)}\n\`\`\``
}

/** Splits a text into the white space at its start, its content, and the white space at its end. */
export function edgesOf(text: string): [start: string, content: string, end: string] {
  const content = text.trim()
  const at = text.length - text.trimStart().length
  return [text.slice(0, at), content, text.slice(at + content.length)]
}
