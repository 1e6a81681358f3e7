/** Writes the tokens of a leaf as source, with plain or forced delimiters as each token says, and with the requested backslashes. */

import { delimiterText, SEPARATOR } from '../delimiters.js'
import { BACKSLASHES, SHRUG } from '../parse/constructs.js'
import { BARE_LINK, BREAK, CLOSE, CODE, LINK, LINK_END, OPEN } from '../parse/events.js'
import { isEscapable } from '../parse/units.js'
import { firstIndex } from '../search.js'
import { writeCode, writeCodeBetween } from './constructs.js'
import { NO_OFFSETS, TEXT, type Token } from './token.js'

/** Returns the prefix and the source of the tokens. Sets the position of each token. */
export function spell(tokens: readonly Token[], prefix: string): string {
  let source = prefix
  for (let index = 0; index < tokens.length; index += 1) {
    const token = tokens[index]
    if (token === undefined) break
    token.start = source.length
    source += spellToken(source, token, tokens[index + 1])
    token.end = source.length
    // The first token of a named link covers the whole link.
    if (token.type === LINK_END && token.partner !== null) token.partner.end = token.end
  }
  return source
}

function spellToken(before: string, token: Token, next: Token | undefined): string {
  if (token.type === TEXT) return spellText(token, next)
  if (token.type !== CODE) return spellMarkup(token)
  return writeCodeBetween(
    before,
    token.value,
    next === undefined || next.type === TEXT ? (next?.value ?? '') : spellMarkup(next),
  )
}

/** A shrug without its backslash. If only its first `_` were escaped, the text would be read as a whole shrug (§3.1). */
const BARE_SHRUG = /* @__PURE__ */ SHRUG.replace('\\', '')

/** Returns text with the requested backslashes. Backslashes of the text that would be read as escapes are doubled (§3.1). */
function spellText(token: Token, next: Token | undefined): string {
  const { value, escapes } = token
  if (escapes === null && !value.includes('\\')) {
    token.backslashes = NO_OFFSETS
    return value
  }
  const requestedOffsets = [...(escapes ?? [])]
  const shrugs = requestedOffsets.flatMap((at) => (at > 0 && value.startsWith(BARE_SHRUG, at - 1) ? [at + 4] : []))
  const doubles = value.includes('\\') ? doubledBackslashes(value, next) : []
  token.backslashes = [...new Set([...requestedOffsets, ...shrugs, ...doubles])].sort((one, other) => one - other)
  let source = ''
  let from = 0
  for (const at of token.backslashes) {
    source += `${value.slice(from, at)}\\`
    from = at
  }
  return source + value.slice(from)
}

/** Returns the offsets of the backslashes of a text that would escape the next character, or be read in pairs. */
function doubledBackslashes(value: string, following: Token | undefined): number[] {
  const offsets: number[] = []
  for (const { 0: run, index } of value.matchAll(BACKSLASHES)) {
    const end = index + run.length
    const next = end < value.length ? value.charCodeAt(end) : firstUnit(following)
    if (run === SHRUG || !isEscapable(next)) continue
    for (let at = index; at < end; at += 1) offsets.push(at)
  }
  return offsets
}

function firstUnit(token: Token | undefined): number {
  return token === undefined ? 0 : spellMarkup(token).charCodeAt(0)
}

/** Returns the offset in the text of a token for a position in the source. An added backslash counts as the character after it. */
export function offsetOf({ start, backslashes }: Token, position: number): number {
  const at = position - start
  return at - firstIndex(backslashes.length, (index) => (backslashes[index] ?? 0) + index >= at)
}

function spellMarkup({ type, value, delimiter, isForced }: Token): string {
  switch (type) {
    case OPEN:
      return (isForced ? SEPARATOR : '') + textOf(delimiter)
    case CLOSE:
      return textOf(delimiter) + (isForced ? SEPARATOR : '')
    case CODE:
      return writeCode(value)
    case LINK:
      return '['
    case LINK_END:
      return `](${value})`
    case BREAK:
      return '\n'
    case BARE_LINK:
      return isForced ? `${value.slice(0, -1)}\\${value.slice(-1)}` : value
    default:
      return value
  }
}

function textOf(delimiter: Token['delimiter']): string {
  return delimiter === null ? '' : delimiterText(delimiter)
}
