/** Converts a message for a product, and cuts it into messages by the product's limit. */

import { isInvisible } from '../convert/lines.js'
import { isVisible, type Line, linesAsItems, linesOf } from '../convert/markers.js'
import { clean, leafOf, type NameOptions, type ProductRules, type WritingOptions } from '../convert/names.js'
import { describe } from '../errors.js'
import type { Source } from '../index.js'
import { sizeOfBlocks } from '../split/pack.js'
import { cutMessage } from '../split/split.js'
import type { Block, Phrasing } from '../tree.js'

/** Options of `toTelegram`, `toDiscord`, `toWhatsApp`, `toMatrix` and `toSlack`. */
export interface MessengerOptions extends WritingOptions {
  /** Maximum length of a message; the default is the product's limit. */
  length?: number | undefined
}

/** The functions that write blocks and messages for a product, and the product's limit. */
export interface ProductWriter<Part, Message> extends ProductRules {
  /** The limit of a message. */
  readonly length: number
  /** Writes a heading; by default it is a bold paragraph. */
  readonly heading?: (nodes: readonly Phrasing[], depth: 1 | 2) => Part
  /** Writes the lines of a paragraph or a list, at least one line. Each line has the items and quotes around it. */
  readonly lines: (lines: readonly Line<readonly Phrasing[]>[]) => Part
  readonly code: (value: string, lang: string) => Part
  /** Returns the size of the parts of a message, in the unit of `limit`. */
  readonly sizeOf: (parts: readonly Part[], limit: number) => number
  /** Creates a message from the parts of consecutive blocks, at least one part. */
  readonly join: (parts: readonly Part[], blocks: readonly Block[]) => Message
}

/** Converts a message, in as few parts as `toBodies` would cut it into. */
export function convert<Part, Message>(
  source: Source,
  options: MessengerOptions,
  writer: ProductWriter<Part, Message>,
): Message[] {
  const { length: limit = writer.length, literal } = options ?? {}
  if (typeof limit !== 'number' || !(limit >= 1))
    throw new TypeError(`length: expected a number of 1 or more, received ${describe(limit)}`)
  const partByBlock = new WeakMap<Block, Part | null>()
  const partOf = (block: Block): Part | null => {
    const part = partByBlock.get(block) ?? writeBlock(block, options ?? {}, writer)
    partByBlock.set(block, part)
    return part
  }
  const partsOf = (blocks: readonly Block[]): Part[] => blocks.map(partOf).filter((part) => part !== null)
  const sizeOf = (blocks: readonly Block[]): number => writer.sizeOf(partsOf(blocks), limit)
  return cutMessage(source, { limit, sizeOf, formsOf: literal ? undefined : linesAsItems }).map((blocks) => {
    const visibleBlocks = blocks.filter((block) => partOf(block) !== null)
    return writer.join(partsOf(visibleBlocks), visibleBlocks)
  })
}

/** Writes a block, without items that show nothing. Returns null if the whole block shows nothing. */
function writeBlock<Part>(block: Block, options: NameOptions, writer: ProductWriter<Part, unknown>): Part | null {
  if (block.type === 'code')
    return isInvisible(block.value) ? null : writer.code(clean(block.value), clean(block.lang ?? ''))
  if (block.type === 'list') {
    const lines = linesOf(block).map((line) => ({
      ...line,
      content: line.content && leafOf(line.content, options, writer),
    }))
    const visibleLines = lines.filter(({ content }) => content === null || content.some(isVisible))
    return visibleLines.length > 0 ? writer.lines(visibleLines) : null
  }
  const nodes = leafOf(block, options, writer)
  if (!nodes.some(isVisible)) return null
  if (block.type === 'heading' && writer.heading) return writer.heading(nodes, block.depth)
  const content: Phrasing[] = block.type === 'heading' ? [{ type: 'strong', children: nodes }] : nodes
  return writer.lines([{ containers: [], continuedCount: 0, content }])
}

/** Joins blocks for products that show text: a blank line separates blocks, but a heading is directly above its text. */
export const asText: Pick<ProductWriter<string, string>, 'sizeOf' | 'join'> = {
  sizeOf: (texts) => sizeOfBlocks(texts.map(({ length }) => length)),
  join: (texts, blocks) => {
    const lines = texts.map((text, index) => (blocks[index]?.type === 'heading' ? `${text}\n` : `${text}\n\n`))
    return lines.join('').trimEnd()
  },
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

/** An invisible character, written between characters that a product would read as markup. */
export const WORD_JOINER = '\u2060'
