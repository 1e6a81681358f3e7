/**
 * A leaf as a row of tokens, which is what it is between a tree and its source: text, and the events that a parser has to find
 * there (`parse/tape.ts`), in normal form (§8).
 */
import { type Delimiter, delimiterText, SEPARATOR } from '../delimiters.js'
import {
  type BARE_LINK,
  type BREAK,
  CANCELLED,
  CLOSE,
  type CODE,
  LINK,
  LINK_END,
  type MENTION,
  OPEN,
} from '../parse/tape.js'

/** Text: no event, as what lies between two of them. */
export const TEXT = 0

export type TokenType =
  | typeof TEXT
  | typeof OPEN
  | typeof CLOSE
  | typeof CANCELLED
  | typeof CODE
  | typeof MENTION
  | typeof BARE_LINK
  | typeof LINK
  | typeof LINK_END
  | typeof BREAK

export interface Token {
  readonly type: TokenType
  readonly node: object
  /** Of text and code the value, of half a guard its source, of a mention its source, of a link the url, of the end of a named one its target; else nothing. */
  value: string
  /** Of formatting. */
  readonly delimiter: Delimiter | null
  /** Where formatting or a link ends, or the token that begins it. */
  partner: Token | null
  /** Whether formatting is written hard (§3.6); of a bare link, whether its last character is escaped, so that it is not trimmed. */
  isHard: boolean
  /** Where it stands in the source that was spelled last. */
  start: number
  end: number
  /** Of text: the characters that a backslash stands before, by their offsets in the value. */
  escapes: readonly number[]
  /** All the backslashes that it was spelled with, by what they stand before. */
  backslashes: readonly number[]
}

export function createToken(type: TokenType, node: object, value: string, delimiter: Delimiter | null = null): Token {
  return {
    type,
    node,
    value,
    delimiter,
    partner: null,
    isHard: false,
    start: 0,
    end: 0,
    escapes: NO_ESCAPES,
    backslashes: NO_ESCAPES,
  }
}

/** Copies of tokens without escapes, in the same order, each by what it is a copy of. */
export function copyTokens(tokens: readonly Token[]): Map<Token, Token> {
  const copies = new Map(tokens.map((token) => [token, { ...token, escapes: NO_ESCAPES }]))
  for (const copy of copies.values()) if (copy.partner !== null) copy.partner = copies.get(copy.partner) ?? null
  return copies
}

export const NO_ESCAPES: readonly number[] = []

/**
 * A guard: hard formatting inside another of its kind, of which nothing is left in the tree (§4). It keeps apart what would be read
 * as one, and holds the spaces at the ends of a line.
 */
export function createGuard(delimiter: Delimiter, node: object): [start: Token, end: Token] {
  const text = delimiterText(delimiter)
  const start = createToken(CANCELLED, node, SEPARATOR + text, delimiter)
  const end = createToken(CANCELLED, node, text + SEPARATOR, delimiter)
  pair(start, end)
  return [start, end]
}

/** Makes one token the end of another. */
export function pair(start: Token, end: Token): void {
  start.partner = end
  end.partner = start
}

/** Whether a token begins what has an end, and whether it ends it. */
export function isStart({ type, value }: Token): boolean {
  return type === OPEN || type === LINK || (type === CANCELLED && value.startsWith(SEPARATOR))
}

export function isEnd({ type, value }: Token): boolean {
  return type === CLOSE || type === LINK_END || (type === CANCELLED && value.endsWith(SEPARATOR))
}
