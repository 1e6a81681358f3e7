/** The first steps of a parse, up to the blocks. Each output reads the leaves that it needs, one by one. */

import { withoutNull } from '../characters.js'
import { findBlocks } from './blocks.js'
import { readLeaf } from './inline.js'
import { createMemory, load } from './load.js'
import { mark } from './mark.js'
import { toNormalForm } from './normal-form.js'
import { borrowReader, giveBack, type Reader } from './reader.js'
import type { SourceBlock } from './tape.js'

/**
 * Reads a source: its stops, lines and blocks.
 *
 * @param from - the position of the first character that may be special, counted from 1
 * @returns a reader, which the caller gives back
 */
export function read(source: string, from: number): Reader {
  const reader = loadSource(source, from)
  findBlocks(reader)
  return reader
}

/** Loads a source and finds its stops and lines. */
export function loadSource(source: string, from: number): Reader {
  const reader = borrowReader()
  const { length } = source
  reader.source = source
  reader.length = length
  // Marking looks eight characters ahead. Larger memory also has room for a longer source.
  if (length + 10 > reader.chars.length) Object.assign(reader, createMemory(2 * length + 512))
  load(reader, source)
  reader.shrugEnd = 0
  reader.chain.end = 0
  if (!mark(reader, from)) {
    giveBack(reader)
    return loadSource(withoutNull(source), 1)
  }
  return reader
}

/** Reads the leaf of a block. The tape is in normal form; it has no event if all of the leaf is plain text. */
export function readLeafOf(reader: Reader, block: SourceBlock): void {
  reader.tapeEnd = 0
  if (block.first === block.last) return
  readLeaf(reader, block)
  toNormalForm(reader)
}
