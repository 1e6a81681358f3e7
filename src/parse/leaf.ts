/** Reads a text as one leaf: which constructs are open at its end, and how it is parsed if all of them are completed (§3). */
import { NO_FAILED_SEARCH } from './code.js'
import { closeAll } from './emphasis.js'
import { endRange, readStops, startLeaf } from './inline.js'
import { isEscaped } from './neighbors.js'
import { toNormalForm } from './normal-form.js'
import { endRanges, findOpen, type Open } from './ranges.js'
import { loadSource } from './read.js'
import { giveBack, type Reader } from './reader.js'
import type { SourceBlock } from './tape.js'
import { BACKTICK } from './units.js'

/** A text that was loaded as one leaf, without looking for blocks. */
interface Loaded {
  readonly reader: Reader
  readonly leaf: SourceBlock
}

/** Loads a text as one leaf. The caller gives the reader back. */
function loadLeaf(text: string): Loaded {
  const reader = loadSource(text, 1)
  // The last stop is the line ending after the text.
  const last = reader.stopsEnd - 1
  return { reader, leaf: { type: 'paragraph', start: 1, contentStart: 1, end: text.length + 1, first: 0, last } }
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
  const { reader, leaf } = loadLeaf(text)
  startLeaf(reader, leaf)
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

/** Reads a text as a leaf that breaks off. The caller gives the reader back. */
export function readOpenText(text: string, isInLabel: boolean): Reader {
  const { reader, leaf } = loadLeaf(text)
  readOpenLeaf(reader, leaf, isInLabel)
  return reader
}

/** Reads the leaf of a block that breaks off; the runs that are open at its end stay open. */
function readOpenLeaf(reader: Reader, leaf: SourceBlock, isInLabel: boolean): void {
  startLeaf(reader, leaf)
  reader.ranges = endRanges(reader, isInLabel)
  readStops(reader, leaf)
}

/** Reads the leaf of a block as if everything that is open at its end were closed. */
export function readLeafClosingAll(reader: Reader, leaf: SourceBlock, isInLabel: boolean): void {
  readOpenLeaf(reader, leaf, isInLabel)
  closeAll(reader)
  while (reader.sequence !== null) {
    endRange(reader)
    closeAll(reader)
  }
  toNormalForm(reader)
}
