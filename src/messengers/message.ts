/** Messages for a product: blocks in its format, cut by its own measure. */

import { isInvisible } from '../convert/lines.js'
import { isVisible, type Line, linesAsItems, linesOf } from '../convert/markers.js'
import { clean, leafOf, type ProductRules, type WritingOptions } from '../convert/names.js'
import { describe } from '../errors.js'
import type { Source } from '../index.js'
import { sizeOfBlocks } from '../split/pack.js'
import { cutMessage } from '../split/split.js'
import { type Block, type Phrasing, unreachable } from '../tree.js'

/** Options of every conversion. */
export interface MessengerOptions extends WritingOptions {
  /** The longest part; the default is the product's own limit. */
  length?: number | undefined
}

/** A product's format: how it writes phrasing, and blocks that contain it. */
export interface Markup<Inline = string, Part = Inline> extends ProductRules {
  readonly inline: (nodes: readonly Phrasing[]) => Inline
  readonly heading: (nodes: readonly Phrasing[], depth: 1 | 2) => Part
  readonly paragraph: (inline: Inline) => Part
  /** Writes the items of a list, and the lines of a paragraph that look like items or quotes; at least one. */
  readonly lines: (lines: readonly Line<Inline>[]) => Part
  readonly code: (value: string, lang: string) => Part
}

/** The messages of a product. */
export interface Product<Part, Message> {
  /** The limit of a message. */
  readonly length: number
  /** Writes a block; null if it shows nothing. */
  readonly write: (block: Block, options: MessengerOptions) => Part | null
  readonly lengthOf: (part: Part) => number
  /** A second limit of a message: the number of something that the parts contain. */
  readonly count?: { readonly of: (part: Part) => number; readonly max: number }
  /** Makes a message of the parts of consecutive blocks, at least one. */
  readonly join: (parts: readonly Part[], blocks: readonly Block[]) => Message
}

/** Converts a message, in as few parts as `toBodies` would cut it into. */
export function convert<Part, Message>(
  source: Source,
  options: MessengerOptions,
  { length: lengthMax, write, lengthOf, count, join }: Product<Part, Message>,
): Message[] {
  const { length: limit = lengthMax, literal, mention, file } = options ?? {}
  if (typeof limit !== 'number' || !(limit >= 1))
    throw new TypeError(`length: expected a number of 1 or more, received ${describe(limit)}`)
  const names = { ...(mention && { mention }), ...(file && { file }) }
  const written = new WeakMap<Block, Part | null>()
  const partOf = (block: Block): Part | null => {
    const part = written.get(block) ?? write(block, names)
    written.set(block, part)
    return part
  }
  const partsOf = (blocks: readonly Block[]): Part[] => blocks.map(partOf).filter((part) => part !== null)
  const sizeOf = (blocks: readonly Block[]): number => {
    const parts = partsOf(blocks)
    const length = sizeOfBlocks(parts.map(lengthOf))
    if (count === undefined) return length
    // Both limits count on their own: a message that fits both is not cut.
    const counted = parts.reduce((sum, part) => sum + count.of(part), 0)
    return Math.max(length, (counted * limit) / count.max)
  }
  return cutMessage(source, { limit, sizeOf, formsOf: literal ? undefined : linesAsItems }).map((blocks) => {
    const shown = blocks.filter((block) => partOf(block) !== null)
    return join(partsOf(shown), shown)
  })
}

/** Converts a message to strings: blocks that a blank line separates, a heading directly above its text. */
export function convertText(source: Source, options: MessengerOptions, length: number, markup: Markup): string[] {
  return convert(source, options, {
    length,
    write: (block, names) => writeBlock(block, names, markup),
    lengthOf: (text) => text.length,
    join: (texts, blocks) => {
      const lines = texts.map((text, index) => (blocks[index]?.type === 'heading' ? `${text}\n` : `${text}\n\n`))
      return lines.join('').trimEnd()
    },
  })
}

/** Writes a block; null if it shows nothing. Items that show nothing are left out. */
export function writeBlock<Inline, Part>(
  block: Block,
  options: WritingOptions,
  markup: Markup<Inline, Part>,
): Part | null {
  switch (block.type) {
    case 'heading':
    case 'paragraph':
    case 'file': {
      const nodes = leafOf(block, options, markup)
      if (!nodes.some(isVisible)) return null
      return block.type === 'heading' ? markup.heading(nodes, block.depth) : markup.paragraph(markup.inline(nodes))
    }
    case 'list': {
      const lines = linesOf(block).flatMap((line): Line<Inline>[] => {
        if (line.content === null) return [{ ...line, content: null }]
        const nodes = leafOf(line.content, options, markup)
        return nodes.some(isVisible) ? [{ ...line, content: markup.inline(nodes) }] : []
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

/** An invisible character between characters that a product would read as markup. */
export const WORD_JOINER = '\u2060'
