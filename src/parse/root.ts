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
import { createWriter, endOf, phrasingOf, pointOf, startOf, type Writer } from './nodes.js'
import { readLeafOf } from './read.js'
import type { Reader } from './reader.js'
import {
  BLOCK_SIZE,
  blockEnd,
  blockStart,
  blockType,
  CODE_BLOCK,
  contentStart,
  FILE,
  FIRST_ITEM,
  HEADING_1,
  HEADING_2,
  ITEM,
  PARAGRAPH,
} from './tape.js'
import { codeAt, fileAt } from './verbatim.js'

/** Returns the tree of a source whose blocks are known but whose leaves have not been read. */
export function rootOf(reader: Reader, hasPositions: boolean, readLeaf: Writer['readLeaf'] = readLeafOf): Root {
  const writer = createWriter(reader, hasPositions, readLeaf)
  const children: Block[] = []
  const { blocks, blocksEnd } = reader
  for (let block = 0; block < blocksEnd; block += BLOCK_SIZE) {
    // The first item of a list adds the others.
    if (blockType(blocks, block) !== ITEM) children.push(blockOf(writer, block))
  }
  if (!hasPositions) return { type: 'root', children }
  const position = { start: { line: 1, column: 1, offset: 0 }, end: pointOf(writer, reader.length + 1) }
  return { type: 'root', children, position }
}

function blockOf(writer: Writer, block: number): Block {
  const { reader } = writer
  const { blocks } = reader
  const type = blockType(blocks, block)
  switch (type) {
    case PARAGRAPH:
      return paragraphOf(writer, block)
    case HEADING_1:
    case HEADING_2:
      return headingOf(writer, block, type === HEADING_1 ? 1 : 2)
    case FIRST_ITEM:
    case ITEM:
      return listOf(writer, block)
    case CODE_BLOCK: {
      const position = endOf(writer, startOf(writer, blockStart(blocks, block)), blockEnd(blocks, block))
      const { lang, meta, value } = codeAt(reader, block)
      return position === null ? { type: 'code', lang, meta, value } : { type: 'code', lang, meta, value, position }
    }
    case FILE: {
      const position = endOf(writer, startOf(writer, blockStart(blocks, block)), blockEnd(blocks, block))
      const { id: fileID, label } = fileAt(reader, block)
      return position === null ? { type: 'file', fileID, label } : { type: 'file', fileID, label, position }
    }
    default:
      return unreachable(type)
  }
}

function headingOf(writer: Writer, block: number, depth: 1 | 2): Heading {
  const { blocks } = writer.reader
  const start = startOf(writer, blockStart(blocks, block))
  // A heading is one line, so it has no break.
  const children = phrasingOf(writer, block) as PhrasingWithoutBreak[]
  const position = endOf(writer, start, blockEnd(blocks, block))
  return position === null ? { type: 'heading', depth, children } : { type: 'heading', depth, children, position }
}

/** Returns a paragraph, or the paragraph of an item, whose text starts after the marker. */
function paragraphOf(writer: Writer, block: number): Paragraph {
  const { blocks } = writer.reader
  const start = startOf(writer, contentStart(blocks, block))
  const children = phrasingOf(writer, block)
  const position = endOf(writer, start, blockEnd(blocks, block))
  return position === null ? { type: 'paragraph', children } : { type: 'paragraph', children, position }
}

/** Returns the list whose first item is the given block; the other items follow it. */
function listOf(writer: Writer, first: number): List {
  const { blocks, blocksEnd } = writer.reader
  const start = startOf(writer, blockStart(blocks, first))
  const children = [itemOf(writer, first)]
  let end = first + BLOCK_SIZE
  for (; end < blocksEnd && blockType(blocks, end) === ITEM; end += BLOCK_SIZE) children.push(itemOf(writer, end))
  const position = endOf(writer, start, blockEnd(blocks, end - BLOCK_SIZE))
  return position === null
    ? { type: 'list', ordered: false, spread: false, children }
    : { type: 'list', ordered: false, spread: false, children, position }
}

function itemOf(writer: Writer, block: number): ListItem {
  const { blocks } = writer.reader
  const start = startOf(writer, blockStart(blocks, block))
  const paragraph = paragraphOf(writer, block)
  const position = endOf(writer, start, blockEnd(blocks, block))
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
