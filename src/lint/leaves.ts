/** The leaves (§3) of a source that was read, and the parser's reports about them. */
import { startLeaf } from '../parse/inline.js'
import { findRanges, LINK_KIND } from '../parse/ranges.js'
import { read } from '../parse/read.js'
import { giveBack, type Reader } from '../parse/reader.js'
import { BLOCK_SIZE, CODE_BLOCK, FILE } from '../parse/tape.js'
import type { Report } from './reports.js'

/** A leaf: its range, counted from 1, its first stop, and the one after its last. */
export interface Leaf {
  readonly start: number
  readonly end: number
  readonly firstStop: number
  readonly lastStop: number
}

/** A leaf that was read, and the reports of the parser. Positions count from 1. */
export interface Explained {
  readonly reader: Reader
  readonly leaf: Leaf
  readonly reports: readonly Report[]
}

/** A sentence with its section, and the range that it is about. */
export type Explanation = readonly [section: string, message: string, start: number, end: number]

export function* leavesOf({ blocks, blocksEnd }: Reader): Generator<Leaf> {
  for (let block = 0; block < blocksEnd; block += BLOCK_SIZE) {
    const [type, , start = 0, end = 0, firstStop = 0, lastStop = 0] = blocks.subarray(block, block + BLOCK_SIZE)
    if (type !== CODE_BLOCK && type !== FILE) yield { start, end, firstStop, lastStop }
  }
}

/** Returns the offsets of the separators that force a delimiter (§3.6), in a source that contains separators. */
export function forcedSeparators(source: string): number[] {
  const offsets: number[] = []
  const reader = read(source, 1)
  for (const { end, firstStop, lastStop } of leavesOf(reader)) {
    startLeaf(reader, end, firstStop, lastStop)
    for (const range of findRanges(reader)) {
      if (range.kind !== LINK_KIND) offsets.push(range.start - 1, range.end - 2)
    }
  }
  giveBack(reader)
  return offsets
}
