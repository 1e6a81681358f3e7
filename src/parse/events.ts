/** The blocks of a source (§2), and the layout of the events of a leaf. */

export type BlockType = 'paragraph' | 'heading1' | 'heading2' | 'firstItem' | 'item' | 'code' | 'file'

/** A block of a source. Positions count from 1. */
export interface SourceBlock {
  readonly type: BlockType
  readonly start: number
  /** The start of the text after the marker or the opening fence. */
  readonly contentStart: number
  end: number
  /** The indexes of the first stop and of the stop at the end. For fenced code: the ends of the first line and of the content. */
  readonly first: number
  last: number
}

/** A character of a delimiter that is text, or the second character of a delimiter whose event is OPEN or CLOSE. */
export const INERT = 0
/** The start and the end of formatting; `a` is the index in the table of delimiters. */
export const OPEN = 1
export const CLOSE = 2
/** A delimiter of formatting that is merged with equal formatting around or next to it; or the `[` of an unfinished link. */
export const CANCELED = 3
/** A URL in link text, which is not a link. This event and the next three are parts of text. */
export const LABEL_URL = 4
/** Backslashes that are dropped. */
export const DROPPED = 5
/** `&` and `<`, which HTML escapes. */
export const AMPERSAND = 6
export const LESS_THAN_SIGN = 7
/** A code span; `a` is 1 if no character between its backticks could be special. */
export const CODE = 8
export const MENTION = 9
/** A bare link; `a` is 1 if the href is the same as the text. */
export const BARE_LINK = 10
/** A whole named link. `a` is twice the end of its link text, plus 1 if its href is known to be its URL. LINK_END follows the text. */
export const LINK = 11
export const LINK_END = 12
/** A break, including the spaces before and after its line ending; `a` is the position of the line ending. */
export const BREAK = 13

/** The number of slots of an event: its type, start and end, and `a`. */
export const EVENT_SIZE = 4

// Accessors for the slots. Engines inline them. No other code uses a slot number.

export function setEvent(events: Int32Array, event: number, type: number, start: number, end: number, a: number): void {
  events[event] = type
  events[event + 1] = start
  events[event + 2] = end
  events[event + 3] = a
}

export function setType(events: Int32Array, event: number, type: number): void {
  events[event] = type
}

export function eventType(events: Int32Array, event: number): number {
  return events[event] as number
}

export function eventStart(events: Int32Array, event: number): number {
  return events[event + 1] as number
}

export function eventEnd(events: Int32Array, event: number): number {
  return events[event + 2] as number
}

export function eventA(events: Int32Array, event: number): number {
  return events[event + 3] as number
}
