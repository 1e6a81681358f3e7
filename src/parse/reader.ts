/**
 * The state of a parse. Each step fills one of the buffers, and the next one reads it:
 *
 *     load     source → chars    the code units between two line endings, so that offsets count from 1
 *     mark     chars → stops     positions of characters that may be special; lines: the stops that end a line
 *     blocks   lines → blocks    the blocks that the lines form (§2); a leaf is a range of stops, never a copy
 *     inline   stops → tape      the constructs of a leaf (§3, §4), as events; everything between them is text
 *     write    tape → tree, HTML or text
 *
 *     source          a ␠ * b * ⏎ c
 *     chars         ⏎ a ␠ * b * ⏎ c ⏎        chars[at] is source[at - 1]
 *                   0 1 2 3 4 5 6 7 8
 *     stops               3   5 6   8         the delimiters and the line endings
 *     lines                     2   3         stops 2 and 3 end a line
 *     blocks        PARAGRAPH from 1 to 8, with the stops 0 to 3
 *     tape          OPEN 3–4, CLOSE 5–6, BREAK 6–7
 *
 * A reader is borrowed for one call and then given back, because a resolver that is called while HTML is written may call `parse`.
 */
import type { StringTarget } from './load.js'
import { Openers, type Outside } from './openers.js'
import type { Chain } from './run.js'
import { EVENT_SIZE, type SourceBlock, setEvent } from './tape.js'
import type { Trace } from './trace.js'

/** A named link or a forced pair (§3.6). While it is read, it keeps the state of the sequence around it. */
export interface Range {
  /** The index in the table of delimiters, -1 for a link. */
  readonly kind: number
  readonly start: number
  readonly contentStart: number
  /** The end of the content, and the end of the whole range; `end` is 0 until the range is closed. */
  contentEnd: number
  end: number
  /** Whether a link's URL must be examined for its href. */
  isOdd: boolean
  /** The range around this one, the end of the sequence around it, and the openers there. */
  outer: Range | null
  outerEnd: number
  outside: Outside | null
}

export function createRange(kind: number, start: number, contentStart: number): Range {
  return { kind, start, contentStart, contentEnd: 0, end: 0, isOdd: false, outer: null, outerEnd: 0, outside: null }
}

const FIRST_LENGTH = 1 << 9
/** Memory for a longer source is released, so that one long message does not hold it forever. */
const LENGTH_KEPT = 1 << 14

export class Reader {
  source = ''
  length = 0
  /** The source's code units, from index 1, between two line endings; and the same memory as a target for strings. `read` makes it. */
  chars: Uint16Array = new Uint16Array(0)
  target: StringTarget | null = null
  stops: Int32Array = new Int32Array(FIRST_LENGTH)
  stopsEnd = 0
  lines: Int32Array = new Int32Array(FIRST_LENGTH)
  lineCount = 0
  blocks: SourceBlock[] = []
  tape: Int32Array = new Int32Array(FIRST_LENGTH)
  tapeEnd = 0
  /** Whether the source contains `](`, which every named link needs, and a separator, which every forced pair needs. */
  hasTarget = false
  hasSeparator = false
  /** Called where the parser decides, with its reason; null unless `explain` runs. */
  trace: Trace | null = null
  /** The end of the last shrug: two may not share a character. */
  shrugEnd = 0

  // The state of the leaf that is being read.
  firstStop = 0
  lastStop = 0
  /** Named links and forced pairs in the order of their starts, null until they are searched for; and the index of the next one. */
  ranges: readonly Range[] | null = null
  nextRange = 0
  /** The range that is being read, null for the leaf itself; and its end. */
  sequence: Range | null = null
  sequenceEnd = 0
  isInLabel = false
  readonly openers: Openers = new Openers()
  /** The chain of delimiters around the boundary delimiter that was read last. */
  readonly chain: Chain = { start: 0, end: 0, after: 0 }
  /** The number of times that formatting begins. */
  openCount = 0
  /** `lastBackticks` has the end of the last run of each length that starts at or after this position. */
  backticksFrom = 0
  lastBackticks: Map<number, number> | null = null
}

let free: Reader | null = null

/** Takes the pooled reader, or makes one. If the caller throws before `giveBack`, the reader is garbage-collected. */
export function borrowReader(): Reader {
  const reader = free ?? new Reader()
  free = null
  return reader
}

export function giveBack(reader: Reader): void {
  if (reader.length > LENGTH_KEPT) return
  reader.source = ''
  reader.trace = null
  free = reader
}

/** Returns a buffer twice as long, with the same content. */
export function grown(buffer: Int32Array): Int32Array {
  const larger = new Int32Array(buffer.length * 2)
  larger.set(buffer)
  return larger
}

/** Writes the next event. */
export function addEvent(reader: Reader, type: number, start: number, end: number, a: number, b: number): void {
  const event = reader.tapeEnd
  if (event + EVENT_SIZE > reader.tape.length) reader.tape = grown(reader.tape)
  setEvent(reader.tape, event, type, start, end, a, b)
  reader.tapeEnd = event + EVENT_SIZE
}
