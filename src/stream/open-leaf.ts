/** Reads a text as one leaf (§3): finds the constructs that are open at its end, or parses the leaf as if they were closed. */

import { loadSource } from '../parse/blocks.js'
import { NO_FAILED_SEARCH } from '../parse/constructs.js'
import { matches, nearestOpener, open } from '../parse/emphasis.js'
import { CLOSE, type SourceBlock } from '../parse/events.js'
import { endRange, readStops, startLeaf, toNormalForm } from '../parse/inline.js'
import { findOpen, type OpenRanges } from '../parse/links.js'
import { addEvent, createRun, type InlineRange, NONE, type ParseState, type Run, releaseState } from '../parse/state.js'
import { BACKTICK, isEscaped, kindOf, OPENING_BRACKET } from '../parse/units.js'

/** A text that was loaded as one leaf, without looking for blocks. */
interface LoadedLeaf {
  readonly state: ParseState
  readonly leaf: SourceBlock
}

/** Loads a text as one leaf. The caller must release the state. */
function loadLeaf(text: string): LoadedLeaf {
  const state = loadSource(text, 1)
  // The last stop is the line ending after the text.
  const last = state.stopsEnd - 1
  return { state, leaf: { type: 'paragraph', start: 1, contentStart: 1, end: text.length + 1, first: 0, last } }
}

/** The constructs that are open at the end of a leaf. Offsets count from 1. */
export interface LeafEnd extends Pick<OpenRanges, 'openBracket' | 'opener' | 'link' | 'tighterEnd'> {
  /** The start of the first backticks without a partner, or 0 if all backticks have a partner. */
  readonly codeStart: number
  /** Whether the text ends with a backslash that would escape the next character. */
  readonly isEscaping: boolean
}

/** Returns the constructs that are open at the end of a leaf. */
export function openConstructsIn(text: string): LeafEnd {
  const { state, leaf } = loadLeaf(text)
  startLeaf(state, leaf)
  const { openBracket, opener, link, tighterEnd } = findOpen(state)
  const codeStart = startOfCode(state)
  const isEscaping = isEscaped(state.chars, text.length + 1)
  releaseState(state)
  return { openBracket, opener, link, tighterEnd, codeStart, isEscaping }
}

/** Returns the open ranges of a kind that started after a link, the latest one first. Other brackets cannot become links. */
export function rangesAfter(link: InlineRange | null, latest: InlineRange | null): InlineRange[] {
  const ranges: InlineRange[] = []
  for (let range = latest; range !== null && range.start > (link?.start ?? 0); range = range.below) ranges.push(range)
  return ranges
}

function startOfCode({ chars, backticksFrom }: ParseState): number {
  if (backticksFrom === NO_FAILED_SEARCH) return 0
  let start = backticksFrom
  while (chars[start - 1] === BACKTICK && !isEscaped(chars, start - 1)) start -= 1
  return start
}

/** Reads a text as an unfinished leaf. The caller must release the state. */
export function readOpenText(text: string): ParseState {
  const { state, leaf } = loadLeaf(text)
  readOpenLeaf(state, leaf)
  return state
}

/** Reads the unfinished leaf of a block. The runs that are open at its end stay open. */
function readOpenLeaf(state: ParseState, leaf: SourceBlock): void {
  startLeaf(state, leaf)
  endRanges(state)
  readStops(state, leaf)
}

/** Reads the leaf of a block as if everything that is open at its end were closed. */
export function readLeafClosingAll(state: ParseState, leaf: SourceBlock): void {
  readOpenLeaf(state, leaf)
  closeAllOpeners(state)
  while (state.sequence !== null) {
    endRange(state)
    closeAllOpeners(state)
  }
  toNormalForm(state)
}

/**
 * Finds the ranges of an unfinished leaf. Open forced formatting ends with the leaf. Brackets that may still begin a link are
 * marked as open, and the rest of the leaf is the link text of the last one.
 */
function endRanges(state: ParseState): void {
  const { openBracket, opener, link } = findOpen(state)
  const activeBrackets = rangesAfter(link, openBracket)
  for (const bracket of activeBrackets) bracket.end = NONE
  const [label] = activeBrackets
  if (label !== undefined) label.contentEnd = state.sequenceEnd
  for (const pair of rangesAfter(null, opener)) {
    pair.contentEnd = pair.end = state.sequenceEnd
    state.chars[pair.contentStart - 1] = OPENING_BRACKET
  }
}

/**
 * Closes all openers of the current sequence, as if a word and closers of the right lengths followed at its end. Text
 * that is still being typed probably continues like this.
 */
function closeAllOpeners(state: ParseState): void {
  const { openers, sequenceEnd: at } = state
  state.lastWord = state.wordMark = at
  for (let index = state.openerCount - 1; index >= state.base; index -= 1) {
    const opener = openers[index]
    // Only the nearest opener can be closed: an opener that cannot be closed may hide the openers below it.
    while (opener !== undefined && isNearest(state, opener, index)) {
      const { char, left } = opener
      const size = left > 1 ? 2 : 1
      const kind = kindOf(char, size)
      if (!matches(state, opener, createRun(char, at, at + left, 0), kind)) break
      open(state, opener, index, size, kind)
      addEvent(state, CLOSE, at, at, kind)
    }
  }
}

/** Whether a closer would match this opener. Two lengths of closers are tried, because the rule of three may exclude one. */
function isNearest(state: ParseState, { char, left }: Run, index: number): boolean {
  return nearestOpener(state, char, left, false) === index || nearestOpener(state, char, left + 1, false) === index
}
