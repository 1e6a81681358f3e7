/** A preview of the unfinished rest of a message: its tree as if all open constructs were closed. */

import { delimiterChars } from '../delimiters.js'
import { closingFence, parseBlocks } from '../parse/blocks.js'
import type { BlockType } from '../parse/events.js'
import { parse, rootOf } from '../parse/index.js'
import { parseLeaf } from '../parse/inline.js'
import { releaseState } from '../parse/state.js'
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
export interface Rest {
  /** The start of the unsettled text. */
  readonly origin: Origin
  /** The finished lines of the open block, and the unfinished line. */
  readonly lines: string
  readonly line: string
  /** The number of backticks of the open fence, or 0. */
  readonly fence: number
}

/** A possible tree of the completed source, and the position after which text was added to the source. */
interface Candidate {
  readonly tree: Root
  readonly end: number
}

/** Continuations of a mention, a file, a heading and an item. */
const BLOCK_RESTS: readonly string[] = [' x', 'x', '>', '|>', '1|>', '!1|>']

/** Returns the tree of the rest, with the positions of the whole source; an open node ends at the end of the source. */
export function readTail(rest: Rest): Root {
  const { origin, lines, line, fence } = rest
  const source = fence > 0 ? lines + codeOf(line, fence) : isHalfTyped(rest) ? lines : lines + line
  const candidates = fence > 0 ? [plain(source)] : completions(source, lines.length)
  const { tree, end } = candidates.reduce((best, candidate) =>
    countDelimiters(candidate.tree) < countDelimiters(best.tree) ? candidate : best,
  )
  for (const block of tree.children) shift(block, origin, end)
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

/** Returns the number of delimiters that are shown as text. */
function countDelimiters(tree: Root): number {
  let count = 0
  for (const node of nodesOf(tree)) {
    if (node.type === 'text') for (const char of node.value) if (delimiterChars.includes(char)) count += 1
  }
  return count
}

/** Whether the last line is the unfinished start of a block that is not a paragraph. */
function isHalfTyped({ line }: Rest): boolean {
  const text = line.slice(0, trimEnd(line, line.length))
  // Only the start of a file is longer than two characters.
  if (!/^[ \t]*</.test(text) && text.replace(/[ \t]+/g, '').length > 2) return false
  return typeOf(text) === 'paragraph' && BLOCK_RESTS.some((rest) => typeOf(text + rest) !== 'paragraph')
}

function typeOf(line: string): string | undefined {
  return parse(line, { position: false }).children[0]?.type
}

function plain(source: string): Candidate {
  return { tree: parse(source), end: source.length }
}

/** Returns the unfinished line of fenced code without a half-typed closing fence (§2.6). */
function codeOf(line: string, fence: number): string {
  let start = line.length
  while (line[start - 1] === '`') start -= 1
  const missing = fence - (line.length - start)
  if (start === line.length || missing <= 0) return line
  const closed = line + '`'.repeat(missing)
  if (closingFence(closed, 0, closed.length, fence) < 0) return line
  const code = line.slice(0, start)
  return /[^ \t]/.test(code) ? code : ''
}

/** Completes the last leaf, unless it has ended with its line. Returns all ways to complete it. */
function completions(source: string, lineStart: number): Candidate[] {
  const state = parseBlocks(source, 1)
  const last = state.blocks.at(-1)
  releaseState(state)
  if (last === undefined || last.type === 'code' || last.type === 'file') return [plain(source)]
  const { type, start, contentStart, end } = last
  if (type !== 'paragraph' && start <= lineStart) return [plain(source)]
  const before = source.slice(0, contentStart - 1)
  return complete(source.slice(contentStart - 1, end - 1), source.slice(end - 1)).map((completion) => {
    const shown = before + source.slice(contentStart - 1, contentStart - 1 + completion.end)
    // A block without content does not show.
    if (completion.end === 0) return plain(source.slice(0, start - 1))
    const tree = endedTree(shown + completion.ending, type, completion.isInLabel)
    return tree === null ? plain(source) : { tree, end: shown.length }
  })
}

/**
 * Returns the tree of a source as if everything open in its last leaf were closed. Returns null if the last block is no longer of this
 * type, for example `<!1|a>` after a hidden `**`.
 */
function endedTree(source: string, type: BlockType, isInLabel: boolean): Root | null {
  const state = parseBlocks(source, 1)
  const last = state.blocks.at(-1)
  if (last?.type !== type) {
    releaseState(state)
    return null
  }
  const tree = rootOf(state, true, (state, block) => {
    if (block === last) readLeafClosingAll(state, block, isInLabel)
    else parseLeaf(state, block)
  })
  releaseState(state)
  return tree
}

/** Moves the positions of a node and its descendants to the part they were parsed from. Text after `end` was added to the source. */
export function shift(node: AnyNode, { line, offset }: Origin, end: number): void {
  const move = (point: Point): void => {
    // Every parsed node has offsets. The added text is on the last line.
    const { offset: at = 0 } = point
    const surplus = Math.max(0, at - end)
    point.line += line - 1
    point.column -= surplus
    point.offset = at - surplus + offset
  }
  for (const { position } of nodesOf(node)) {
    if (position === undefined) continue
    move(position.start)
    move(position.end)
  }
}

/** Yields a node and its descendants. */
function* nodesOf(node: AnyNode): Generator<AnyNode> {
  yield node
  if ('children' in node) for (const child of node.children) yield* nodesOf(child)
}
