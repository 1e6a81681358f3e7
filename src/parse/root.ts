/** Builds the tree from the blocks (§5). */
import {
  type Block,
  type Heading,
  type List,
  type ListItem,
  type Paragraph,
  type PhrasingWithoutBreak,
  type Position,
  type Root,
  type Text,
  unreachable,
} from '../tree.js'
import { referenceAt } from './mention.js'
import { createWriter, endOf, phrasingOf, pointOf, startOf, type Writer } from './nodes.js'
import { readLeafOf } from './read.js'
import type { Reader } from './reader.js'
import type { SourceBlock } from './tape.js'
import { codeAt } from './verbatim.js'

/** Returns the tree of a source whose blocks are known but whose leaves have not been read. */
export function rootOf(reader: Reader, hasPositions: boolean, readLeaf: Writer['readLeaf'] = readLeafOf): Root {
  const writer = createWriter(reader, hasPositions, readLeaf)
  const nodes: Block[] = []
  let index = 0
  for (const block of reader.blocks) {
    // The first item of a list adds the others.
    if (block.type !== 'item') nodes.push(blockOf(writer, block, index))
    index += 1
  }
  // An array grown by `push` has room for 17.
  const children = nodes.slice()
  if (!hasPositions) return { type: 'root', children }
  const position = { start: { line: 1, column: 1, offset: 0 }, end: pointOf(writer, reader.length + 1) }
  return { type: 'root', children, position }
}

function blockOf(writer: Writer, block: SourceBlock, index: number): Block {
  const { reader } = writer
  const { type, start, end } = block
  switch (type) {
    case 'paragraph':
      return paragraphOf(writer, block)
    case 'heading1':
    case 'heading2':
      return headingOf(writer, block, type === 'heading1' ? 1 : 2)
    case 'firstItem':
    case 'item':
      return listOf(writer, index)
    case 'code': {
      const position = endOf(writer, startOf(writer, start), end)
      const { lang, meta, value } = codeAt(reader, block)
      return position === null ? { type, lang, meta, value } : { type, lang, meta, value, position }
    }
    case 'file': {
      const position = endOf(writer, startOf(writer, start), end)
      const { id: fileID, label } = referenceAt(reader, start, end)
      return position === null ? { type, fileID, label } : { type, fileID, label, position }
    }
    default:
      return unreachable(type)
  }
}

function headingOf(writer: Writer, block: SourceBlock, depth: 1 | 2): Heading {
  const start = startOf(writer, block.start)
  // A heading is one line, so it has no break.
  const children = phrasingOf(writer, block) as PhrasingWithoutBreak[]
  const position = endOf(writer, start, block.end)
  return position === null ? { type: 'heading', depth, children } : { type: 'heading', depth, children, position }
}

/** Returns a paragraph, or the paragraph of an item, whose text starts after the marker. */
function paragraphOf(writer: Writer, block: SourceBlock): Paragraph {
  const start = startOf(writer, block.contentStart)
  const children = phrasingOf(writer, block)
  const position = endOf(writer, start, block.end)
  return position === null ? { type: 'paragraph', children } : { type: 'paragraph', children, position }
}

/** Returns the list whose first item has the given index; the other items follow it. */
function listOf(writer: Writer, first: number): List {
  const { blocks } = writer.reader
  let end = first + 1
  while (blocks[end]?.type === 'item') end += 1
  const children = blocks.slice(first, end).map((item) => itemOf(writer, item))
  const from = children[0]?.position
  const to = children.at(-1)?.position
  return from === undefined || to === undefined
    ? { type: 'list', ordered: false, spread: false, children }
    : {
        type: 'list',
        ordered: false,
        spread: false,
        children,
        position: { start: { ...from.start }, end: { ...to.end } },
      }
}

function itemOf(writer: Writer, block: SourceBlock): ListItem {
  const start = startOf(writer, block.start)
  const paragraph = paragraphOf(writer, block)
  const position = endOf(writer, start, block.end)
  return position === null
    ? { type: 'listItem', spread: false, children: [paragraph] }
    : { type: 'listItem', spread: false, children: [paragraph], position }
}

/** Returns the tree of a source that is the text of one paragraph and nothing else. */
export function plainRoot(value: string, hasPositions: boolean): Root {
  if (!hasPositions) return { type: 'root', children: [{ type: 'paragraph', children: [{ type: 'text', value }] }] }
  const text: Text = { type: 'text', value, position: positionOfLine(value) }
  const paragraph: Paragraph = { type: 'paragraph', children: [text], position: positionOfLine(value) }
  return { type: 'root', children: [paragraph], position: positionOfLine(value) }
}

/** Returns the position of the whole source, if it is one line. */
function positionOfLine({ length }: string): Position {
  return { start: { line: 1, column: 1, offset: 0 }, end: { line: 1, column: length + 1, offset: length } }
}
