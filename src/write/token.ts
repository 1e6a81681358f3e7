/**
 * The tokens of a leaf, the step between its nodes and its source: text, and the events that the parser must find there
 * (`parse/events.ts`), in normal form (§8).
 */

import type { Delimiter } from '../delimiters.js'
import type { BARE_LINK, BREAK, CANCELED, CLOSE, CODE, LINK, LINK_END, MENTION, OPEN } from '../parse/events.js'

/** The type of text tokens, for which the parser has no event. TEXT may have the same number as INERT, because no token is INERT. */
export const TEXT = 0

export type TokenType =
  | typeof TEXT
  | typeof OPEN
  | typeof CANCELED
  | typeof CLOSE
  | typeof CODE
  | typeof MENTION
  | typeof BARE_LINK
  | typeof LINK
  | typeof LINK_END
  | typeof BREAK

export interface Token {
  readonly type: TokenType
  readonly node: object
  /**
   * The value of text and code; the source of a mention or a canceled delimiter; the URL of a link; for the end of a named link, the
   * URL as written.
   */
  value: string
  /** The delimiter of formatting; null for other tokens. */
  readonly delimiter: Delimiter | null
  /** The other end of formatting or of a named link. */
  partner: Token | null
  /** Whether formatting is forced (§3.6); for a bare link, whether its last character is escaped, so that it is not trimmed. */
  isForced: boolean
  /** For an opener: whether white space was moved out of its formatting. */
  isMoved: boolean
  /** The token's position in the latest source. */
  start: number
  end: number
  /** For text: the offsets in the value of the characters that get a backslash; null if there are none. */
  escapes: Set<number> | null
  /** All backslashes that the latest source adds, each as the offset in `value` of the character after it, ascending. */
  backslashes: readonly number[]
}

/** The empty list that tokens without backslashes share: an array for each of them would take a fifth of the time. */
export const NO_OFFSETS: readonly number[] = []

export function createToken(type: TokenType, node: object, value: string, delimiter: Delimiter | null = null): Token {
  return {
    type,
    node,
    value,
    delimiter,
    partner: null,
    isForced: false,
    isMoved: false,
    start: 0,
    end: 0,
    escapes: null,
    backslashes: NO_OFFSETS,
  }
}

/** Makes two tokens the ends of one node. */
export function pairTokens(start: Token, end: Token): void {
  start.partner = end
  end.partner = start
}

/** The reason why a node cannot be written unchanged. */
export type Change =
  | 'adjacent'
  | 'break'
  | 'character'
  | 'empty'
  | 'encoded'
  | 'info'
  | 'nested'
  | 'outside'
  | 'reference'
  | 'space'
  | 'title'
  | 'url'

/** Called for every change of a node. */
export type OnChange = (node: object, change: Change) => void
