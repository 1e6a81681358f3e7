/** The leaves (§3) of a source that was read, and the parser's reports about them. */
import { parseBlocks } from '../parse/blocks.js'
import type { SourceBlock } from '../parse/events.js'
import { startLeaf } from '../parse/inline.js'
import { findRanges, LINK_KIND } from '../parse/links.js'
import { type ParseState, releaseState } from '../parse/state.js'
import type { Report } from './reports.js'

/** A leaf that was read, and the reports of the parser. Positions count from 1. */
export interface Explained {
  readonly state: ParseState
  readonly leaf: SourceBlock
  readonly reports: readonly Report[]
}

/** A sentence with its section, and the range that it is about. */
export type Explanation = readonly [section: string, message: string, start: number, end: number]

export function leavesOf({ blocks }: ParseState): readonly SourceBlock[] {
  return blocks.filter(({ type }) => type !== 'code' && type !== 'file')
}

/** Returns the offsets of the separators that force a delimiter (§3.6), in a source that contains separators. */
export function forcedSeparators(source: string): number[] {
  const offsets: number[] = []
  const state = parseBlocks(source, 1)
  for (const leaf of leavesOf(state)) {
    startLeaf(state, leaf)
    for (const range of findRanges(state)) {
      if (range.kind !== LINK_KIND) offsets.push(range.start - 1, range.end - 2)
    }
  }
  releaseState(state)
  return offsets
}
