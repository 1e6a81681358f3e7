/** Converted blocks in normal form (§8): emphasis in emphasis, for example, is one. */

import { type Diagnostic, printable } from '../diagnostic.js'
import { normalize } from '../index.js'
import type { Block, ListItem, Position, Root } from '../tree.js'
import type { Conversion } from './conversion.js'
import { joinTexts } from './lines.js'

/** Returns a block in normal form; none if it has nothing visible. Each change is a diagnostic. */
export function normalized<Kind extends Block>(conversion: Conversion, block: Kind): Kind[] {
  if (block.type === 'paragraph' || block.type === 'heading') {
    const [text, ...others] = block.children
    // Most text needs no change.
    if (text?.type === 'text' && others.length === 0 && /^[!-~](?:[ -~]*[!-~])?$/.test(text.value))
      return [withoutPosition(block, text.value)]
  }
  const converted: Root = { type: 'root', children: [joined(block)] }
  const { tree, diagnostics } = normalize(converted)
  for (const change of diagnostics) conversion.diagnostics.push(inSource(change, converted))
  // `normalize` does not change the type of a block.
  return tree.children as Kind[]
}

/** Returns a diagnostic with the position of its node: its path leads through the converted tree, whose nodes have source positions. */
function inSource({ path = [], ...message }: Diagnostic, tree: Root): Diagnostic {
  let node: unknown = tree
  for (const key of path) {
    node = Reflect.get(Object(node), key)
    const place = placeOf(node)
    if (place !== undefined) message.place = place
  }
  return printable(message)
}

function placeOf(node: unknown): Position | undefined {
  const hasPlace = typeof node === 'object' && node !== null && 'position' in node
  // Every value on the path is a node.
  return hasPlace ? (node.position as Position | undefined) : undefined
}

function joined(block: Block): Block {
  if (block.type === 'paragraph') return { ...block, children: joinTexts(block.children) }
  // A heading has no break before or after.
  if (block.type === 'heading') return { ...block, children: joinTexts(block.children) as typeof block.children }
  if (block.type !== 'list') return block
  const items = block.children.map((item): ListItem => {
    const [paragraph] = item.children
    return { ...item, children: [{ ...paragraph, children: joinTexts(paragraph.children) }] }
  })
  return { ...block, children: items }
}

/** Returns a paragraph or heading with one text. */
function withoutPosition<Kind extends Block>(block: Kind, value: string): Kind {
  const { position: _position, ...fields } = block
  return { ...fields, children: [{ type: 'text', value }] } as unknown as Kind // as the block was, with a new text
}
