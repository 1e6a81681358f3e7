/** The parts of a message for a product: cut by the product's own measure. */

import { linesAsItems } from '../convert/markers.js'
import { type Markup, writeBlock } from '../convert/markup.js'
import type { WritingOptions } from '../convert/names.js'
import { describe } from '../errors.js'
import type { Source } from '../index.js'
import { sizeOfBlocks } from '../split/pack.js'
import { cutMessage } from '../split/split.js'
import type { Block } from '../tree.js'

/** Options of every conversion. */
export interface MessengerOptions extends WritingOptions {
  /** The longest part; the default is the product's own limit. */
  length?: number | undefined
}

/** A product's format. A part is a block as the product shows it. */
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
  return cutMessage(source, { limit, sizeOf, formOf: literal ? undefined : linesAsItems }).map((blocks) =>
    join(
      partsOf(blocks),
      blocks.filter((block) => partOf(block) !== null),
    ),
  )
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

/** An invisible character between characters that a product would read as markup. */
export const WORD_JOINER = '\u2060'
