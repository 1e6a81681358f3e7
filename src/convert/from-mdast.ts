/** From mdast, GFM's nodes and our own among them, to the tree of §5: what Markdown and every remark plugin share. */
import type { Root as MdastRoot } from 'mdast'
import { normalize } from '../index.js'
import type { Message } from '../message.js'
import type { Block, ListItem, Position, Root } from '../tree.js'
import { addBlocks } from './blocks.js'
import { type Conversion, createConversion, report } from './conversion.js'
import { joinTexts } from './lines.js'
import type {} from './mdast.js'
import type { ConversionOptions, Converted } from './options.js'
import { Outline } from './outline.js'

/**
 * Makes a tree that the dialect can write of any mdast tree. Nothing that can be seen is lost: what the dialect has no
 * construct for is degraded in the way that loses least, and each loss is a message.
 *
 * @param mdast - the tree; it is not changed
 * @param options - who may be mentioned
 * @param messages - what was said about it before
 */
export function fromMdast(
  mdast: MdastRoot,
  options: ConversionOptions = {},
  messages: readonly Message[] = [],
): Converted {
  const conversion = createConversion(mdast, options)
  const outline = new Outline()
  addBlocks(conversion, outline, mdast.children, 'blank')
  addFootnotes(conversion, outline)
  reportUnused(conversion)
  return finish(outline.blocks, [...messages, ...conversion.messages])
}

/** The footnotes in the order of their numbers; one may refer to further ones. */
function addFootnotes(conversion: Conversion, outline: Outline): void {
  // A map that grows while it is walked is walked to its end.
  for (const [name, number] of conversion.numbers) {
    const footnote = conversion.footnotes.get(name)
    if (footnote === undefined) continue
    outline.separate('blank')
    outline.within({ kind: 'item', first: `[${number}] `, rest: '\u2003\u2003' }, () =>
      addBlocks(conversion, outline, footnote.children, 'blank'),
    )
  }
}

function reportUnused(conversion: Conversion): void {
  const { definitions, used, footnotes, numbers } = conversion
  for (const [name, definition] of definitions) if (!used.has(name)) report(conversion, 'definition-unused', definition)
  for (const [name, footnote] of footnotes) if (!numbers.has(name)) report(conversion, 'footnote-unused', footnote)
}

/** Makes of it what the dialect can write: emphasis in the middle of a word, say, is none there (§8). */
function finish(children: Block[], messages: readonly Message[]): Converted {
  const converted: Root = { type: 'root', children: children.map(joined) }
  const { tree, messages: changes } = normalize(converted)
  const all = [...messages, ...changes.map((change) => inSource(change, converted))]
  return { tree, messages: all.toSorted((one, other) => offsetOf(one) - offsetOf(other)) }
}

/** The path of a change leads through a tree that nobody has; what is on it knows where it comes from. */
function inSource({ path = [], ...message }: Message, tree: Root): Message {
  let node: unknown = tree
  for (const key of path) {
    node = typeof node === 'object' && node !== null ? Reflect.get(node, key) : undefined
    const place = placeOf(node)
    if (place !== undefined) message.place = place
  }
  return message
}

function placeOf(node: unknown): Position | undefined {
  const hasPlace = typeof node === 'object' && node !== null && 'position' in node
  // Every node on the way is one of a tree.
  return hasPlace ? (node.position as Position | undefined) : undefined
}

function joined(block: Block): Block {
  if (block.type === 'paragraph') return { ...block, children: joinTexts(block.children) }
  // What was without a break stays so.
  if (block.type === 'heading') return { ...block, children: joinTexts(block.children) as typeof block.children }
  if (block.type !== 'list') return block
  const items = block.children.map((item): ListItem => {
    const [paragraph] = item.children
    return { ...item, children: [{ ...paragraph, children: joinTexts(paragraph.children) }] }
  })
  return { ...block, children: items }
}

function offsetOf({ place }: Message): number {
  if (place === undefined) return 0
  return ('start' in place ? place.start.offset : place.offset) ?? 0
}
