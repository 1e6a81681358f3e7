/**
 * The state of a parse. Each step fills one of the buffers, and the next one reads it:
 *
 *     load     source → chars    the code units between two line endings, so that offsets count from 1
 *     mark     chars → stops     positions of characters that may be special; lines: the stops that end a line
 *     blocks   lines → blocks    the blocks that the lines form (§2); a leaf is a range of stops, never a copy
 *     inline   stops → events    the constructs of a leaf (§3, §4), as events; everything between them is text
 *     output   events → tree, HTML or text
 *
 *     source          a ␠ * b * ⏎ c
 *     chars         ⏎ a ␠ * b * ⏎ c ⏎        chars[at] is source[at - 1]
 *                   0 1 2 3 4 5 6 7 8
 *     stops               3   5 6   8         the delimiters and the line endings
 *     lines                     2   3         stops 2 and 3 end a line
 *     blocks        PARAGRAPH from 1 to 8, with the stops 0 to 3
 *     events        OPEN 3–4, CLOSE 5–6, BREAK 6–7
 *
 * A state is acquired for one call and then released, because a callback that is called while HTML is written may call `parse`.
 */
import { WHITE_SPACE, WORD } from '../characters.js'
import { EVENT_SIZE, type SourceBlock, setEvent } from './events.js'
import { LINE_FEED, lengthBefore, traitsBefore } from './units.js'

/** A named link (§3.4) or a forced pair (§3.6). While a range is read, it keeps the state of the sequence around it. */
export interface InlineRange {
  /** The index in the table of delimiters, -1 for a link. */
  readonly kind: number
  readonly start: number
  readonly contentStart: number
  contentEnd: number
  /** The end of the range; 0 until the range is closed, {@link NONE} for a link that the next chunk of a stream may complete. */
  end: number
  /** Whether the range is a link whose href is known to be the same as its URL. */
  isPlain: boolean
  /** The next range that starts in the leaf. */
  next: InlineRange | null
  /** The range of the same kind, a link or forced, that was open when this range started. */
  readonly below: InlineRange | null
  outside: Outside | null
}

/** A delimiter run (§4). */
export interface Run {
  readonly char: number
  readonly start: number
  readonly end: number
  /** The flags that the neighbors of the run give it (`emphasis.ts`). */
  readonly flags: number
  /** The offset of the run's first event. */
  event: number
  /** The number of delimiters without a partner so far. */
  left: number
  /** The value of `left` when the run became an opener. */
  opened: number
  /** The list of openers that contains the run, and the opener below the run in that list. */
  list: number
  below: number
}

export function createRun(char: number, start: number, end: number, flags: number): Run {
  return { char, start, end, flags, event: 0, left: end - start, opened: 0, list: 0, below: NONE }
}

export const NONE = -1

/** Each ASCII character has six lists of openers: three by length modulo three, then three for openers that can also close. */
export const LIST_COUNT = 6
export const CAN_CLOSE = 3

/** The state of the sequence around a range, while the range is read. */
export type Outside = Pick<ParseState, 'sequence' | 'sequenceEnd' | 'base' | 'lineBase' | 'lastSpace' | 'spaceMark'>

const FIRST_LENGTH = 1 << 9
/** Memory for a longer source is not pooled, so that one long message does not occupy memory forever. */
const POOLED_LENGTH_MAX = 1 << 14

export class ParseState {
  source = ''
  length = 0
  /** The source's code units, from index 1, between two line endings; and the same memory as a target for strings. */
  chars: Uint16Array = new Uint16Array(0)
  target: StringTarget | null = null
  stops: Int32Array = new Int32Array(FIRST_LENGTH)
  stopsEnd = 0
  lines: Int32Array = new Int32Array(FIRST_LENGTH)
  lineCount = 0
  blocks: SourceBlock[] = []
  events: Int32Array = new Int32Array(FIRST_LENGTH)
  eventsEnd = 0
  /** The end of the last shrug, because two shrugs cannot share a character. */
  shrugEnd = 0

  // The state of the leaf that is being read.
  firstStop = 0
  lastStop = 0
  /** The next range of the leaf; null after the last range, undefined before the search for ranges. */
  nextRange: InlineRange | null | undefined = undefined
  /** The range that is being read; null outside all ranges. */
  sequence: InlineRange | null = null
  /** The end of `sequence`, or of the leaf if `sequence` is null. */
  sequenceEnd = 0
  isInLabel = false
  /** The runs that are open, and the number of them. */
  readonly openers: Run[] = []
  openerCount = 0
  /** The index of the topmost opener of each list, or {@link NONE}. */
  readonly heads: Int32Array = new Int32Array(128 * LIST_COUNT).fill(NONE)
  /** The indexes of the first opener of the sequence, and of the first one of the line, for delimiters that match only in one line. */
  base = 0
  lineBase = 0
  /** The end of the last word before `wordMark`. */
  lastWord = 0
  wordMark = 0
  /** The end of the last white space of text before `spaceMark`. The mark is {@link NONE} while no opener needs it. */
  lastSpace = 0
  spaceMark: number = NONE
  /** The end of the last link. A URL in link text does not count, because it is not a link. */
  linkEnd = 0
  /** The latest chain of adjoining unescaped delimiters: for `_` and `-`, the characters around the whole chain count as neighbors. */
  chainStart = 0
  chainEnd = 0
  /** The position of the character after the chain; if that is escaped, of the character without its backslash. */
  chainAfter = 0
  /** The number of OPEN events. */
  openCount = 0
  /** `lastBackticks` has the end of the last run of each length that starts at or after this position. */
  backticksFrom = 0
  lastBackticks: Map<number, number> | null = null
}

let pooledState: ParseState | null = null

/** Takes the pooled state, or creates one. If the caller throws before `releaseState`, the state is garbage-collected. */
export function acquireState(): ParseState {
  const state = pooledState ?? new ParseState()
  pooledState = null
  return state
}

export function releaseState(state: ParseState): void {
  if (state.length > POOLED_LENGTH_MAX) return
  state.source = ''
  pooledState = state
}

/** Returns a buffer twice as long, with the same content. */
export function grow(buffer: Int32Array): Int32Array {
  const largerBuffer = new Int32Array(buffer.length * 2)
  largerBuffer.set(buffer)
  return largerBuffer
}

export function addEvent(state: ParseState, type: number, start: number, end: number, a: number): void {
  const event = state.eventsEnd
  if (event + EVENT_SIZE > state.events.length) state.events = grow(state.events)
  setEvent(state.events, event, type, start, end, a)
  state.eventsEnd = event + EVENT_SIZE
}

/** Records code, a mention or a link. Each counts as a word, and the white space in it does not count. */
export function passConstruct(state: ParseState, start: number, end: number): void {
  if (state.openerCount === 0) return
  state.lastWord = state.wordMark = end
  if (state.spaceMark === NONE) return
  spaceBefore(state, start)
  state.spaceMark = end
}

/** Returns the end of the last word before `at`. Cost: linear over all calls. */
export function wordBefore(state: ParseState, at: number): number {
  state.lastWord = lastOf(WORD, state.chars, at, state.wordMark) || state.lastWord
  state.wordMark = at
  return state.lastWord
}

/** Returns the end of the last white space of text before `at`. Cost: linear over all calls. */
export function spaceBefore(state: ParseState, at: number): number {
  state.lastSpace = lastOf(WHITE_SPACE, state.chars, at, state.spaceMark) || state.lastSpace
  state.spaceMark = at
  return state.lastSpace
}

/** Returns the end of the last character between two positions that has a trait, or 0. */
function lastOf(trait: number, chars: Uint16Array, end: number, start: number): number {
  let at = end
  while (at > start && (traitsBefore(chars, at) & trait) === 0) at -= lengthBefore(chars, at)
  return at > start ? at : 0
}

/** Memory for the code units of a text and the line endings around it. */
export interface Memory {
  /** `chars[at]` is the text's code unit at `at - 1`. */
  readonly chars: Uint16Array
  /** The same memory, if the runtime can copy a string into it in one call. */
  readonly target: StringTarget | null
}

/** A method of Node's and Bun's `Buffer`, which copies a string faster than `write`, because it checks nothing. */
export interface StringTarget {
  ucs2Write(text: string, start: number, byteCount: number): number
}

/** The global of Node and Bun, which browsers do not have. */
declare const Buffer: { from(memory: ArrayBuffer): Partial<StringTarget> } | undefined

/** Maximum length of a text that a loop copies as fast as the runtime's own copy. */
const LOOP_LENGTH_MAX = 40

export function createMemory(length: number): Memory {
  const memory = new ArrayBuffer(2 * length)
  const buffer = typeof Buffer === 'undefined' ? {} : Buffer.from(memory)
  const target = typeof buffer.ucs2Write === 'function' ? (buffer as StringTarget) : null
  return { chars: new Uint16Array(memory), target }
}

/** Copies a text into memory that is large enough for the text. */
export function load({ chars, target }: Memory, text: string): void {
  const { length } = text
  if (target !== null && length > LOOP_LENGTH_MAX) target.ucs2Write(text, 2, 2 * length)
  else for (let at = 0; at < length; at += 1) chars[at + 1] = text.charCodeAt(at)
  chars[0] = LINE_FEED
  chars[length + 1] = LINE_FEED
}
