/** The parts of a message for a product: cut by the product's own measure, with names and files looked up once. */
import { clean, leafOf, type NameOptions, type ProductRules, type TextBlock } from '../convert/names.js'
import { describe } from '../errors.js'
import type { Source } from '../index.js'
import { cutMessage } from '../split/split.js'
import { type Block, type Phrasing, unreachable } from '../tree.js'

/** Options of every conversion. */
export interface MessengerOptions extends NameOptions {
  /** The longest part; the default is the product's own limit. */
  length?: number | undefined
}

/** A product's format. A part is a block as the product shows it. */
export interface Product<Part, Message> {
  /** The limit of a message. */
  readonly length: number
  readonly write: (block: Block, options: MessengerOptions) => Part
  /** The size of a part, 0 if it shows nothing. */
  readonly sizeOf: (part: Part, length: number) => number
  /** Makes a message of the parts of consecutive blocks, at least one. */
  readonly join: (parts: readonly Part[], blocks: readonly Block[]) => Message
}

/** Converts a message, in as few parts as `toBodies` would cut it into. */
export function convert<Part, Message>(
  source: Source,
  options: MessengerOptions,
  { length: lengthMax, write, sizeOf, join }: Product<Part, Message>,
): Message[] {
  const { length = lengthMax } = options ?? {}
  if (typeof length !== 'number' || !(length >= 1))
    throw new TypeError(`length: expected a number of 1 or more, received ${describe(length)}`)
  const { mention, file } = options ?? {}
  const resolvers = { ...(mention && { mention: once(mention) }), ...(file && { file: once(file) }) }
  const parts = new WeakMap<Block, Part>()
  const partOf = (block: Block): Part => {
    const part = parts.get(block) ?? write(block, resolvers)
    parts.set(block, part)
    return part
  }
  const sizeOfBlock = (block: Block): number => sizeOf(partOf(block), length)
  return cutMessage(source, length, sizeOfBlock).map((blocks) => {
    const shown = blocks.filter((block) => sizeOfBlock(block) > 0)
    return join(shown.map(partOf), shown)
  })
}

/** Calls a resolver once for each pair of arguments: a node is written several times while its message is cut. */
function once<Answer>(look: (id: string, label: string | null) => Answer): typeof look {
  const answers = new Map<string, Answer>()
  return (id, label) => {
    const key = JSON.stringify([id, label])
    if (!answers.has(key)) answers.set(key, look(id, label))
    // The line above has set it.
    return answers.get(key) as Answer
  }
}

/** Whether a text shows nothing: products reject a message of white space and invisible characters. */
export function isInvisible(text: string): boolean {
  return /^[\s\p{Z}\p{Cc}\p{Default_Ignorable_Code_Point}\u2800]*$/u.test(text)
}

/** Returns the white space at the start of a text, the text between, and the white space at its end. */
export function edgesOf(text: string): [start: string, content: string, end: string] {
  const content = text.trim()
  const at = text.length - text.trimStart().length
  return [text.slice(0, at), content, text.slice(at + content.length)]
}

/** The parts of a product whose format is text. */
export interface Markup extends ProductRules {
  readonly inline: (nodes: readonly Phrasing[]) => string
  readonly heading: (nodes: readonly Phrasing[], depth: 1 | 2) => string
  readonly paragraph?: (text: string) => string
  /** The default is a line after `- ` for each item. */
  readonly list?: (items: readonly string[]) => string
  readonly code: (value: string, lang: string) => string
}

/** Writes a block. A heading, an item and code that show nothing are left out. */
export function writeBlock(block: Block, options: MessengerOptions, markup: Markup): string {
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

/** Converts a message to strings: blocks that a blank line separates, a heading directly above its text. */
export function convertText(source: Source, options: MessengerOptions, length: number, markup: Markup): string[] {
  return convert(source, options, {
    length,
    write: (block, names) => writeBlock(block, names, markup),
    sizeOf: (text) => (isInvisible(text) ? 0 : text.length),
    join: (texts, blocks) => {
      const lines = texts.map((text, index) => (blocks[index]?.type === 'heading' ? `${text}\n` : `${text}\n\n`))
      return lines.join('').trimEnd()
    },
  })
}

/** Code between fences; word joiners break up its runs of backticks that are as long as a fence. */
export function fenced(value: string, lang = ''): string {
  return `\`\`\`${lang}\n${value.replace(/`(?=``)/g, `\`${WORD_JOINER}`)}\n\`\`\``
}

/** An invisible character between characters that a product would read as markup. */
export const WORD_JOINER = '\u2060'
