/**
 * A sequence of tokens that is always in normal form (§8): formatting and lines do not start or end with white space, and adjoining
 * formatting of the same kind is merged.
 */

import { endOfSpaces, endOfWhiteSpace, isSpace, lengthBefore, traitsBefore, WHITE_SPACE } from '../characters.js'
import type { Delimiter } from '../delimiters.js'
import { BREAK, CLOSE, OPEN } from '../parse/events.js'
import type { Formatting } from '../tree.js'
import { createToken, type OnChange, pairTokens, TEXT, type Token } from './token.js'

export interface Sequence {
  readonly isParagraph: boolean
  readonly onChange: OnChange
  readonly tokens: Token[]
  /** The openers of formatting that is still open. They are replaced while link text is added. */
  openers: Token[]
  isInLabel: boolean
}

export function createSequence(isParagraph: boolean, onChange: OnChange): Sequence {
  return { isParagraph, onChange, tokens: [], openers: [], isInLabel: false }
}

/** Opens formatting. If formatting of the same kind has just ended, removes that end instead, so that the two become one. */
export function addOpener({ tokens, onChange }: Sequence, node: Formatting, delimiter: Delimiter): Token {
  const last = tokens.at(-1)
  if (last?.type === CLOSE && last.delimiter === delimiter && last.partner !== null) {
    tokens.pop()
    onChange(node, 'adjacent')
    return last.partner
  }
  const opener = createToken(OPEN, node, '', delimiter)
  tokens.push(opener)
  return opener
}

export function addCloser(sequence: Sequence, node: Formatting, opener: Token): void {
  const { tokens, onChange } = sequence
  const movedTokens = takeWhiteSpace(tokens)
  if (tokens.at(-1) === opener) {
    tokens.pop()
    onChange(node, 'empty')
  } else {
    const closer = createToken(CLOSE, node, '', opener.delimiter)
    pairTokens(opener, closer)
    tokens.push(closer)
    if (movedTokens.length > 0 || opener.isMoved) onChange(node, 'outside')
  }
  addRemoved(sequence, movedTokens)
}

/** Removes the white space and breaks at the end of the tokens, and returns them. */
function takeWhiteSpace(tokens: Token[]): Token[] {
  const removedTokens: Token[] = []
  for (let last = tokens.at(-1); last?.type === BREAK || last?.type === TEXT; last = tokens.at(-1)) {
    const { type, node, value } = last
    const start = type === TEXT ? startOfWhiteSpace(value) : 0
    if (start < value.length) removedTokens.push(createToken(TEXT, node, value.slice(start)))
    if (type === BREAK) removedTokens.push(last)
    last.value = value.slice(0, start)
    if (start > 0) break
    tokens.pop()
  }
  return removedTokens.reverse()
}

/** Returns the start of the white space at the end of a text. */
function startOfWhiteSpace(text: string): number {
  let at = text.length
  while (at > 0 && (traitsBefore(text, at) & WHITE_SPACE) !== 0) at -= lengthBefore(text, at)
  return at
}

/** Adds texts and breaks that were removed from the sequence. */
export function addRemoved(sequence: Sequence, tokens: readonly Token[]): void {
  for (const token of tokens) {
    if (token.type === BREAK) addBreak(sequence, token)
    else addText(sequence, token.node, token.value)
  }
}

/** Adds text. White space at the start of formatting is moved before it, and spaces at the start of a line are removed. */
export function addText(sequence: Sequence, node: object, value: string): void {
  const { tokens, onChange } = sequence
  const last = tokens.at(-1)
  let text = value
  if (last?.type === OPEN) {
    const start = endOfWhiteSpace(value, 0, value.length)
    if (start > 0) addBeforeOpeners(sequence, () => addText(sequence, node, value.slice(0, start)))
    text = value.slice(start)
  } else if (last === undefined || last.type === BREAK) {
    text = value.slice(endOfSpaces(value, 0, value.length))
    if (text !== value) onChange(node, 'space')
  }
  if (text === '') return
  if (last?.type === TEXT) last.value += text
  else tokens.push(createToken(TEXT, node, text))
}

/** Calls `add` while the openers at the end of the sequence are removed, so that the tokens that it adds come before these openers. */
function addBeforeOpeners({ tokens }: Sequence, add: () => void): void {
  const openers: Token[] = []
  for (let last = tokens.at(-1); last?.type === OPEN; last = tokens.at(-1)) {
    openers.push(last)
    last.isMoved = true
    tokens.pop()
  }
  add()
  tokens.push(...openers.reverse())
}

/** Adds a break and removes the spaces before the break. If the line before it is blank, adds no break. */
export function addBreak(sequence: Sequence, token: Token): void {
  const { tokens, onChange } = sequence
  if (tokens.at(-1)?.type === OPEN) {
    addBeforeOpeners(sequence, () => addBreak(sequence, token))
    return
  }
  endLine(sequence)
  const last = tokens.at(-1)
  if (last === undefined || last.type === BREAK) onChange(token.node, 'space')
  else tokens.push(token)
}

function endLine({ tokens, onChange }: Sequence): void {
  const last = tokens.at(-1)
  if (last?.type !== TEXT) return
  const text = last.value.slice(0, startOfSpaces(last.value))
  if (text === last.value) return
  onChange(last.node, 'space')
  last.value = text
  if (text === '') tokens.pop()
}

function startOfSpaces(text: string): number {
  let at = text.length
  while (at > 0 && isSpace(text.charCodeAt(at - 1))) at -= 1
  return at
}

export function endSequence(sequence: Sequence): void {
  const { tokens, onChange } = sequence
  endLine(sequence)
  for (let last = tokens.at(-1); last?.type === BREAK; last = tokens.at(-1)) {
    onChange(last.node, 'space')
    tokens.pop()
    endLine(sequence)
  }
}
