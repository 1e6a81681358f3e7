/** The leaves (§3) of a source that was read, and the parser's reports about them. */
import { read } from '../parse/blocks.js'
import type { SourceBlock } from '../parse/events.js'
import { startLeaf } from '../parse/inline.js'
import { findRanges, LINK_KIND } from '../parse/links.js'
import { giveBack, type Reader } from '../parse/state.js'
import type { Report } from './reports.js'

/** A leaf that was read, and the reports of the parser. Positions count from 1. */
export interface Explained {
  readonly reader: Reader
  readonly leaf: SourceBlock
  readonly reports: readonly Report[]
}

/** A sentence with its section, and the range that it is about. */
export type Explanation = readonly [section: string, message: string, start: number, end: number]

export function leavesOf({ blocks }: Reader): readonly SourceBlock[] {
  return blocks.filter(({ type }) => type !== 'code' && type !== 'file')
}

/** Returns the offsets of the separators that force a delimiter (§3.6), in a source that contains separators. */
export function forcedSeparators(source: string): number[] {
  const offsets: number[] = []
  const reader = read(source, 1)
  for (const leaf of leavesOf(reader)) {
    startLeaf(reader, leaf)
    for (const range of findRanges(reader)) {
      if (range.kind !== LINK_KIND) offsets.push(range.start - 1, range.end - 2)
    }
  }
  giveBack(reader)
  return offsets
}
