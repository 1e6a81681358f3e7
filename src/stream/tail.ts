/** Previews the unfinished rest of a message: its tree as if all open constructs were closed. */

import { closingFence, parseBlocks } from '../parse/blocks.js'
import type { BlockType, SourceBlock } from '../parse/events.js'
import { parse, rootOf } from '../parse/index.js'
import { parseLeaf } from '../parse/inline.js'
import { type ParseState, releaseState } from '../parse/state.js'
import type { AnyNode, Point, Root } from '../tree.js'
import { trimEnd } from './break-off.js'
import { complete } from './complete.js'
import { readLeafClosingAll } from './open-leaf.js'

/** The start of a part of a source, at the start of a line. */
export interface Origin {
  /** The line, counted from 1. */
  line: number
  offset: number
}

/** The unsettled text. */
export interface UnsettledText {
  /** The start of the unsettled text. */
  readonly origin: Origin
  /** The finished lines of the open block, and the unfinished line. */
  readonly lines: string
  readonly line: string
  /** The number of backticks of the open fence, or 0. */
  readonly fence: number
}

/** The tree of the completed source, and the offset at which the added text begins. */
interface CompletedTree {
  readonly tree: Root
  readonly end: number
}

/** Texts that can complete the start of a heading, an item or a file. */
const BLOCK_RESTS: readonly string[] = [' x', 'x', '>', '|>', '1|>', '!1|>']

/** Returns the tree of the rest, with the positions of the whole source. An open node ends at the end of the visible text. */
export function readTail(rest: UnsettledText): Root {
  const { origin, lines, line, fence } = rest
  const source = fence > 0 ? lines + codeOf(line, fence) : isHalfTyped(rest) ? lines : lines + line
  const { tree, end } = fence > 0 ? parseUnchanged(source) : completeLastLeaf(source, lines.length)
  for (const block of tree.children) shiftPositions(block, origin, end)
  return {
    type: 'root',
    children: tree.children,
    position: { start: { ...origin, column: 1 }, end: endOf(lines + line, origin) },
  }
}

/** Returns the end of a text that begins at the start of a line. */
function endOf(text: string, { line, offset }: Origin): Point {
  const lines = text.split(/\r\n?|\n/)
  return { line: line + lines.length - 1, column: (lines.at(-1)?.length ?? 0) + 1, offset: offset + text.length }
}

/** Whether the last line is the unfinished start of a block that is not a paragraph. */
function isHalfTyped({ line }: UnsettledText): boolean {
  const text = line.slice(0, trimEnd(line, line.length))
  // Only the half-typed start of a file (`<!1`) can have more than two characters, so longer lines of other kinds are not tested.
  if (!/^[ \t]*</.test(text) && text.replace(/[ \t]+/g, '').length > 2) return false
  return typeOf(text) === 'paragraph' && BLOCK_RESTS.some((rest) => typeOf(text + rest) !== 'paragraph')
}

function typeOf(line: string): string | undefined {
  return parse(line, { position: false }).children[0]?.type
}

function parseUnchanged(source: string): CompletedTree {
  return { tree: parse(source), end: source.length }
}

/** Returns the unfinished line of fenced code without a half-typed closing fence (§2). */
function codeOf(line: string, fence: number): string {
  let start = line.length
  while (line[start - 1] === '`') start -= 1
  const missingCount = fence - (line.length - start)
  if (start === line.length || missingCount <= 0) return line
  const closedLine = line + '`'.repeat(missingCount)
  if (closingFence(closedLine, 0, closedLine.length, fence) < 0) return line
  const code = line.slice(0, start)
  return /[^ \t]/.test(code) ? code : ''
}

/** Completes the last leaf, unless it has ended with its line. */
function completeLastLeaf(source: string, lineStart: number): CompletedTree {
  const state = parseBlocks(source, 1)
  const last = state.blocks.at(-1)
  releaseState(state)
  if (last === undefined || last.type === 'code' || last.type === 'file') return parseUnchanged(source)
  const { type, start, contentStart, end } = last
  if (type !== 'paragraph' && start <= lineStart) return parseUnchanged(source)
  const content = source.slice(contentStart - 1, end - 1)
  const { end: shownEnd, ending } = complete(content, source.slice(end - 1))
  // A block without content is not shown.
  if (shownEnd === 0) return parseUnchanged(source.slice(0, start - 1))
  const visibleSource = source.slice(0, contentStart - 1) + content.slice(0, shownEnd)
  const tree = closedTree(visibleSource + ending, type)
  return tree === null ? parseUnchanged(source) : { tree, end: visibleSource.length }
}

/**
 * Returns the tree of a source as if everything open in its last leaf were closed. Returns null if the last block no longer has this
 * type, for example because `<!1|a>` is left after `**` was hidden.
 */
function closedTree(source: string, type: BlockType): Root | null {
  const state = parseBlocks(source, 1)
  const last = state.blocks.at(-1)
  const tree = last?.type === type ? rootOf(state, true, readLeaf) : null
  releaseState(state)
  return tree
}

function readLeaf(state: ParseState, block: SourceBlock): void {
  if (block === state.blocks.at(-1)) readLeafClosingAll(state, block)
  else parseLeaf(state, block)
}

/**
 * Adds the origin of a part to the positions of a node and its descendants, which were parsed from that part alone. Positions
 * after `end` become `end`, because the text after it is not in the source.
 */
export function shiftPositions(node: AnyNode, origin: Origin, end: number): void {
  const { position } = node
  for (const point of position === undefined ? [] : [position.start, position.end]) {
    // The default is unused: parsed points have offsets. Added text is on the last line, so the column shrinks as much as the offset.
    const { offset = 0 } = point
    const surplus = Math.max(0, offset - end)
    point.line += origin.line - 1
    point.column -= surplus
    point.offset = offset - surplus + origin.offset
  }
  if ('children' in node) for (const child of node.children) shiftPositions(child, origin, end)
}
