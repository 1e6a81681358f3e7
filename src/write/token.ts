/**
 * A leaf as a row of tokens, between its nodes and its source: text, and the events that the parser must find there
 * (`parse/tape.ts`), in normal form (§8).
 */
import type { Delimiter } from '../delimiters.js'
import type { BARE_LINK, BREAK, CANCELLED, CLOSE, CODE, LINK, LINK_END, MENTION, OPEN } from '../parse/tape.js'

/** Text is not an event: it lies between two of them. */
export const TEXT = 0

export type TokenType =
  | typeof TEXT
  | typeof OPEN
  | typeof CANCELLED
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
  /** Of text and code the value, of a mention and a cancelled delimiter the source, of a link the URL, of the end of a named link its target. */
  value: string
  /** Of formatting. */
  readonly delimiter: Delimiter | null
  /** The other end of formatting or of a named link. */
  partner: Token | null
  /** Whether formatting is forced (§3.6); of a bare link, whether its last character is escaped, so that it is not trimmed. */
  isForced: boolean
  /** Its place in the source that was spelled last. */
  start: number
  end: number
  /** Of text: the characters that get a backslash, as rising offsets in the value. */
  escapes: readonly number[]
  /** All backslashes that it was spelled with, each as the offset of the character after it. */
  backslashes: readonly number[]
}

export function createToken(type: TokenType, node: object, value: string, delimiter: Delimiter | null = null): Token {
  return {
    type,
    node,
    value,
    delimiter,
    partner: null,
    isForced: false,
    start: 0,
    end: 0,
    escapes: NO_ESCAPES,
    backslashes: NO_ESCAPES,
  }
}

export const NO_ESCAPES: readonly number[] = []

/** Makes two tokens the ends of one node. */
export function pair(start: Token, end: Token): void {
  start.partner = end
  end.partner = start
}

/** Why a node cannot be written as it is. */
export type Change =
  | 'adjacent'
  | 'break'
  | 'character'
  | 'empty'
  | 'info'
  | 'nested'
  | 'outside'
  | 'reference'
  | 'space'
  | 'title'
  | 'url'

/** Called for every node that does not stay as it is. */
export type Report = (node: object, change: Change) => void
