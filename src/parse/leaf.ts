/** Reads a text as one leaf: which constructs are open at its end, and how it is parsed if all of them are completed (§3). */
import { addBlock } from './blocks.js'
import { NO_FAILED_SEARCH } from './code.js'
import { closeAll } from './emphasis.js'
import { endRange, readStops, startLeaf } from './inline.js'
import { isEscaped } from './neighbors.js'
import { toNormalForm } from './normal-form.js'
import { endRanges, findOpen, type Open } from './ranges.js'
import { loadSource } from './read.js'
import { giveBack, type Reader } from './reader.js'
import { blockEnd, blockFirst, blockLast, contentStart, PARAGRAPH } from './tape.js'
import { BACKTICK } from './units.js'

/** Loads a text as one leaf, without looking for blocks. The reader has one block; the caller gives the reader back. */
export function loadLeaf(text: string): Reader {
  const reader = loadSource(text, 1)
  const end = text.length + 1
  reader.blocksEnd = 0
  // The last stop is the line ending after the text.
  addBlock(reader, PARAGRAPH, 1, 1, end, 0, reader.stopsEnd - 1)
  return reader
}

/** Offsets count from 1. */
export interface LeafEnd extends Omit<Open, 'reader' | 'inactiveCount'> {
  /** The start of the first backticks without a partner, or 0 if all have one. */
  readonly codeStart: number
  /** Whether the text ends with a backslash that would escape the next character. */
  readonly isEscaping: boolean
}

/** Returns the constructs that are open at the end of a leaf. Brackets are included only if they may still begin a link. */
export function openIn(text: string): LeafEnd {
  const reader = loadLeaf(text)
  startLeafOf(reader, 0)
  const { begun, brackets, pairs, inactiveCount, tighterEnd } = findOpen(reader)
  const codeStart = startOfCode(reader)
  const isEscaping = isEscaped(reader.chars, text.length + 1)
  giveBack(reader)
  return { begun, brackets: brackets.slice(inactiveCount), pairs, tighterEnd, codeStart, isEscaping }
}

function startOfCode({ chars, backticksFrom }: Reader): number {
  if (backticksFrom === NO_FAILED_SEARCH) return 0
  let start = backticksFrom
  while (chars[start - 1] === BACKTICK && !isEscaped(chars, start - 1)) start -= 1
  return start
}

/** Reads the leaf of a block that breaks off; the runs that are open at its end stay open. */
export function readOpenLeaf(reader: Reader, block: number, isInLabel: boolean): void {
  startLeafOf(reader, block)
  reader.ranges = endRanges(reader, isInLabel)
  readStops(reader, contentStart(reader.blocks, block), reader.firstStop, reader.lastStop)
}

/** Reads the leaf of a block as if everything that is open at its end were closed. */
export function readLeafClosingAll(reader: Reader, block: number, isInLabel: boolean): void {
  readOpenLeaf(reader, block, isInLabel)
  closeAll(reader)
  while (reader.sequence !== null) {
    endRange(reader)
    closeAll(reader)
  }
  toNormalForm(reader)
}

function startLeafOf(reader: Reader, block: number): void {
  const { blocks } = reader
  startLeaf(reader, blockEnd(blocks, block), blockFirst(blocks, block), blockLast(blocks, block))
}
