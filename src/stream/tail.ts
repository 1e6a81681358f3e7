/** The rest of a message that is still being written, as it would look if it ended well. */
import { delimiterChars } from '../delimiters.js'
import { parse } from '../parse/index.js'
import { readEndedLeaf } from '../parse/leaf.js'
import { read, readLeafOf } from '../parse/read.js'
import { giveBack } from '../parse/reader.js'
import { rootOf } from '../parse/root.js'
import { BLOCK_SIZE, blockType, CODE_BLOCK, FILE, PARAGRAPH } from '../parse/tape.js'
import type { Point, Root } from '../tree.js'
import { trimEnd } from './break-off.js'
import { complete } from './complete.js'
import { backticksOf } from './fence.js'
import { nodesOf, type Origin, shift } from './place.js'

/** The unsettled text. */
export interface Rest {
  /** Where it begins. */
  readonly origin: Origin
  /** The lines of the open block that have ended, and the one that has not. */
  readonly lines: string
  readonly line: string
  /** How many backticks the fence has that is open, 0 without one. */
  readonly fence: number
}

/** The tree of a source that ends well, and where in that begins what was made up. */
interface Way {
  readonly tree: Root
  readonly end: number
}

/** Continuations of a mention, a file, a heading and an item. */
const BLOCK_RESTS: readonly string[] = [' x', 'x', '>', '|>', '1|>', '!1|>']

/** Returns the tree of the rest, with the positions of the whole source; an open node ends at the end of the source. */
export function readTail(rest: Rest): Root {
  const { origin, lines, line, fence } = rest
  const source = isHalfTyped(rest) ? lines : lines + line
  const ways = fence > 0 ? [plain(source)] : endWell(source, lines.length)
  const { tree, end } = ways.reduce((best, way) => (marksIn(way.tree) < marksIn(best.tree) ? way : best))
  for (const block of tree.children) shift(block, origin, end)
  return {
    type: 'root',
    children: tree.children,
    position: { start: { ...origin, column: 1 }, end: endOf(lines + line, origin) },
  }
}

/** Where a text ends that begins at a line's start. */
function endOf(text: string, { line, offset }: Origin): Point {
  const lines = text.split(/\r\n?|\n/)
  return { line: line + lines.length - 1, column: (lines.at(-1)?.length ?? 0) + 1, offset: offset + text.length }
}

/** How many marks show as text. */
function marksIn(tree: Root): number {
  let count = 0
  for (const node of nodesOf(tree)) {
    if (node.type === 'text') for (const char of node.value) if (delimiterChars.includes(char)) count += 1
  }
  return count
}

/** Whether the last line is the unfinished start of a block that is not a paragraph. */
function isHalfTyped({ line, fence }: Rest): boolean {
  if (fence > 0) return backticksOf(line) > 0 && backticksOf(line) < fence
  const text = line.slice(0, trimEnd(line, line.length))
  // Only the start of a file is longer than two characters.
  if (!/^[ \t]*</.test(text) && text.replace(/[ \t]+/g, '').length > 2) return false
  return typeOf(text) === 'paragraph' && BLOCK_RESTS.some((rest) => typeOf(text + rest) !== 'paragraph')
}

function typeOf(line: string): string | undefined {
  return parse(line, { position: false }).children[0]?.type
}

function plain(source: string): Way {
  return { tree: parse(source), end: source.length }
}

/** Ends the leaf at the end of the source, if it has not ended with its line; the ways in which it may. */
function endWell(source: string, lineStart: number): Way[] {
  const reader = read(source, 1)
  const [type, start = 0, contentStart = 0, end = 0] = reader.blocks.subarray(
    reader.blocksEnd - BLOCK_SIZE,
    reader.blocksEnd,
  )
  giveBack(reader)
  const hasLeaf = type !== undefined && type !== CODE_BLOCK && type !== FILE
  if (!hasLeaf || (type !== PARAGRAPH && start <= lineStart)) return [plain(source)]
  const before = source.slice(0, contentStart - 1)
  return complete(source.slice(contentStart - 1, end - 1), source.slice(end - 1)).map((completion) => {
    const shown = before + source.slice(contentStart - 1, contentStart - 1 + completion.end)
    // A block without content does not show.
    if (completion.end === 0) return plain(source.slice(0, start - 1))
    const tree = endedTree(shown + completion.ending, type, completion.isInLabel)
    return tree === null ? plain(source) : { tree, end: shown.length }
  })
}

/** The tree of a source whose last leaf breaks off, as if it ended well; null where it no longer is of this type: `<!1|a>` without a `**`. */
function endedTree(source: string, type: number, isInLabel: boolean): Root | null {
  const reader = read(source, 1)
  const last = reader.blocksEnd - BLOCK_SIZE
  if (blockType(reader.blocks, last) !== type) {
    giveBack(reader)
    return null
  }
  const tree = rootOf(reader, true, (reader, block) => {
    if (block === last) readEndedLeaf(reader, block, isInLabel)
    else readLeafOf(reader, block)
  })
  giveBack(reader)
  return tree
}
