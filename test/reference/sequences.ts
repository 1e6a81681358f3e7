/**
 * A sequence of tokens in which emphasis pairs: a leaf, a named link's label (§4, "A named link's label is a separate
 * sequence"), or the content of a forced pair (§3.6). This file has its state during parsing, and the questions about
 * neighbors.
 */

import { type FormattingType, separator } from './forced-formatting.js'
import { isUnescaped, type Token } from './tokens.js'

/** A delimiter run (§4). Closing takes delimiters from its left end, opening from its right. */
export interface Run {
  delimiter: '*' | '_' | '-'
  /** The whole run, as token indexes. */
  start: number
  end: number
  /** The part of the run that is still available. */
  from: number
  to: number
  before: string
  after: string
  canOpen: boolean
  canClose: boolean
  isInWord: boolean
}

/** A matched pair of delimiters in text, as token indexes. */
export interface Match {
  type: FormattingType
  openingStart: number
  openingEnd: number
  closingStart: number
  closingEnd: number
}

/** A URL found in text (§3.5), as token indexes. */
export interface Url {
  start: number
  end: number
}

/** `label` is a label, and the content of a forced pair in a label; `forced` is the content of any other forced pair. */
export type SequenceKind = 'leaf' | 'label' | 'forced'

export interface Sequence {
  tokens: readonly Token[]
  kind: SequenceKind
  /** Runs that can open and are still open, in the order of the text. */
  openers: Run[]
  matches: Match[]
  urls: Url[]
}

export function newSequence(tokens: readonly Token[], kind: SequenceKind): Sequence {
  return { tokens, kind, openers: [], matches: [], urls: [] }
}

/** §4, *before*: "the characters next to the run in the source", here to the left of a token. */
export function characterBefore(sequence: Sequence, index: number): string {
  // "the ends of a label as `[` and `]`", and those of a forced pair's content; §1: "The start and the end of a leaf's text
  // count as W."
  if (index === 0) return sequence.kind === 'leaf' ? '' : '['
  const token = sequence.tokens[index - 1]
  if (token?.type === 'character') return token.value
  // "a code span, mention or named link by its outermost character"
  if (token?.type === 'code') return '`'
  // §3.6: "From outside it is seen as U+2063".
  if (token?.type === 'forced') return separator
  return token?.type === 'mention' ? '>' : ')'
}

/** §4, *after*: the same to the right of the last token before `index`. */
export function characterAfter(sequence: Sequence, index: number): string {
  if (index >= sequence.tokens.length) return sequence.kind === 'leaf' ? '' : ']'
  const token = sequence.tokens[index]
  if (token?.type === 'character') return token.value
  if (token?.type === 'code') return '`'
  if (token?.type === 'forced') return separator
  return token?.type === 'mention' ? '<' : '['
}

/** Whether a bare link ends directly before a token; a URL in a label is not a link. */
export function isAfterBareLink({ kind, urls }: Sequence, index: number): boolean {
  return kind !== 'label' && urls.some(({ end }) => end === index)
}

/** Returns the index of the first one of consecutive unescaped characters of this set before `index`. */
export function skipBackward(sequence: Sequence, index: number, characters: string): number {
  let start = index
  while (start > 0 && isUnescaped(sequence.tokens[start - 1], characters)) start -= 1
  return start
}

/** Returns the index after the last one of consecutive unescaped characters of this set from `index`. */
export function skipForward(sequence: Sequence, index: number, characters: string): number {
  let end = index
  while (end < sequence.tokens.length && isUnescaped(sequence.tokens[end], characters)) end += 1
  return end
}
