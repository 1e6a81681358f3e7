/** The slots of the buffers of blocks and of events. */

/** Types of blocks. */
export const PARAGRAPH = 1
export const HEADING_1 = 2
export const HEADING_2 = 3
/** The first item of a list, and one that goes on with it. */
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
 * Slots of a block: its type; its start, the start of its content, its end; its first stop, and the one after
 * its last. The content of code begins at the end of its info string; in place of stops it has its first line and the one after
 * its last.
 */
export const BLOCK_SIZE = 6

/** A run that has found no partner: it is text. */
export const INERT = 0
/** Formatting begins and ends; `a` is its row in the table of delimiters. */
export const OPEN = 1
export const CLOSE = 2
/** A run of several matches, or of which some is left over: `a` is its newest match as an opener, `b` its first as a closer, `c` how many it closes. Not in normal form. */
export const RUN = 3
/** Delimiters of formatting that is one with the formatting around or next to it. In normal form only. */
export const CANCELLED = 4
/** Backslashes that are dropped. */
export const DROPPED = 5
/** `&` and `<`, which HTML escapes. */
export const AMPERSAND = 6
export const LESS_THAN_SIGN = 7
/** A code span; `a` counts its backticks, `b` holds {@link HOLDS_MARKUP} and {@link HOLDS_LINE_ENDING}. */
export const CODE = 8
/** A mention; `a` is the place of its pipe, 0 without one, and `b` is not 0 if an attribute must escape something in it. */
export const MENTION = 9
/** A bare link, and a url in a label; `a` holds {@link URL_AMPERSAND} and {@link URL_ODD}. */
export const BARE_LINK = 10
export const LABEL_URL = 11
/** A named link up to its end; `a` is the end of its label, `b` as `a` of a bare link. Then, after its label, its end. */
export const LINK = 12
export const LINK_END = 13
/** From the spaces before a line ending to the end of those after it; `a` is the place of the line ending. */
export const BREAK = 14

export const HOLDS_MARKUP = 1
export const HOLDS_LINE_ENDING = 2
/** The URL is its own href except for `&`; or it must be examined. */
export const URL_AMPERSAND = 1
export const URL_ODD = 2

/** Numbers of an event: what it is, where it starts and ends, and `a`, `b`, `c`. */
export const EVENT_SIZE = 6

// The slots by name. Nothing else reads a buffer by number, and engines inline such calls.

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

/** The first stop; of code the first line. */
export function blockFirst(blocks: Int32Array, block: number): number {
  return blocks[block + 4] as number
}

/** The stop after the last one; of code the line after the last one. */
export function blockLast(blocks: Int32Array, block: number): number {
  return blocks[block + 5] as number
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
