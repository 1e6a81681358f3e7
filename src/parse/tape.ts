/** The layout of the buffers of blocks and of events. */

/** Types of blocks. */
export const PARAGRAPH = 1
export const HEADING_1 = 2
export const HEADING_2 = 3
/** The first item of a list, and any further item. */
export const FIRST_ITEM = 4
export const ITEM = 5
export const CODE_BLOCK = 6
export const FILE = 7

export type BlockType =
  | typeof PARAGRAPH
  | typeof HEADING_1
  | typeof HEADING_2
  | typeof FIRST_ITEM
  | typeof ITEM
  | typeof CODE_BLOCK
  | typeof FILE

/**
 * The number of slots of a block: its type, its start, the start of its content, its end, its first stop, and the stop after its
 * last. The content of fenced code starts at the end of its info string; instead of stops it has its first line and the line after
 * its last.
 */
export const BLOCK_SIZE = 6

/** A delimiter that is text: it has no partner, or is the second one of OPEN or CLOSE. */
export const INERT = 0
/** Formatting begins and ends; `a` is its row in the table of delimiters. */
export const OPEN = 1
export const CLOSE = 2
/** Delimiters that are dropped, because their formatting is merged with the same formatting around or next to it. In normal form only. */
export const CANCELED = 3
/** Backslashes that are dropped. */
export const DROPPED = 5
/** `&` and `<`, which HTML escapes. */
export const AMPERSAND = 6
export const LESS_THAN_SIGN = 7
/** A code span; `a` counts its backticks. */
export const CODE = 8
/** A mention. */
export const MENTION = 9
/** A bare link, and a URL in link text; `a` is 1 if its href must be computed: else it is the URL. */
export const BARE_LINK = 10
export const LABEL_URL = 11
/** A whole named link: `a` is the end of its link text, `b` what a bare link has in `a`. After the link text, LINK_END. */
export const LINK = 12
export const LINK_END = 13
/** From the spaces before a line ending to the end of those after it; `a` is the position of the line ending. */
export const BREAK = 14

/** The number of slots of an event: its type, start and end, and `a`, `b`. */
export const EVENT_SIZE = 5

/** The markers of blocks; a space comes after each. Bundlers inline the constants above only if they come before the table. */
export const markers: Readonly<Record<BlockType, string>> = {
  [PARAGRAPH]: '',
  [HEADING_1]: '#',
  [HEADING_2]: '##',
  [FIRST_ITEM]: '*',
  [ITEM]: '*',
  [CODE_BLOCK]: '',
  [FILE]: '',
}

// Accessors for the slots. Engines inline them. No other code uses a slot number.

export function setBlock(
  blocks: Int32Array,
  block: number,
  type: BlockType,
  start: number,
  contentStart: number,
  end: number,
  first: number,
  last: number,
): void {
  blocks[block] = type
  blocks[block + 1] = start
  blocks[block + 2] = contentStart
  blocks[block + 3] = end
  blocks[block + 4] = first
  blocks[block + 5] = last
}

export function extendBlock(blocks: Int32Array, block: number, end: number, last: number): void {
  blocks[block + 3] = end
  blocks[block + 5] = last
}

export function blockType(blocks: Int32Array, block: number): BlockType {
  return blocks[block] as BlockType
}

export function blockStart(blocks: Int32Array, block: number): number {
  return blocks[block + 1] as number
}

export function contentStart(blocks: Int32Array, block: number): number {
  return blocks[block + 2] as number
}

export function blockEnd(blocks: Int32Array, block: number): number {
  return blocks[block + 3] as number
}

/** Returns the first stop; for code, the first line. */
export function blockFirst(blocks: Int32Array, block: number): number {
  return blocks[block + 4] as number
}

/** Returns the stop after the last one; for code, the line after the last one. */
export function blockLast(blocks: Int32Array, block: number): number {
  return blocks[block + 5] as number
}

export function setEvent(
  tape: Int32Array,
  event: number,
  type: number,
  start: number,
  end: number,
  a: number,
  b: number,
): void {
  tape[event] = type
  tape[event + 1] = start
  tape[event + 2] = end
  tape[event + 3] = a
  tape[event + 4] = b
}

export function setType(tape: Int32Array, event: number, type: number): void {
  tape[event] = type
}

export function eventType(tape: Int32Array, event: number): number {
  return tape[event] as number
}

export function eventStart(tape: Int32Array, event: number): number {
  return tape[event + 1] as number
}

export function eventEnd(tape: Int32Array, event: number): number {
  return tape[event + 2] as number
}

export function eventA(tape: Int32Array, event: number): number {
  return tape[event + 3] as number
}

export function eventB(tape: Int32Array, event: number): number {
  return tape[event + 4] as number
}
