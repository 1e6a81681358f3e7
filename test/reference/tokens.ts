/**
 * §3.1–3.4 and §3.6: a leaf as a sequence of tokens, read from left to right. A token is a character of text or a construct
 * that binds tighter than a bare link and emphasis: inline code, a mention, a named link with the tokens of its label, a
 * forced pair with the tokens of its content.
 */

import { factsOf } from './characters.js'
import { closeForcedPair, type Delimiter, type ForcedOpener, openForced, separator } from './forced-formatting.js'
import { readReference } from './references.js'
import type { SourceCharacter } from './source.js'

interface Place {
  start: number
  end: number
}

export interface CharacterToken extends Place {
  type: 'character'
  value: string
  isEscaped: boolean
}

export interface CodeToken extends Place {
  type: 'code'
  value: string
}

export interface MentionToken extends Place {
  type: 'mention'
  id: string
  label: string | null
}

export interface LinkToken extends Place {
  type: 'link'
  url: string
  label: Token[]
}

export interface ForcedPairToken extends Place {
  type: 'forced'
  delimiter: Delimiter
  content: Token[]
}

export type Token = CharacterToken | CodeToken | MentionToken | LinkToken | ForcedPairToken

export interface Reader {
  leaf: readonly SourceCharacter[]
  tokens: Token[]
  /** "Pairs are found together with the brackets of named links": what has not met its partner, in the order of the text. */
  openers: (Bracket | ForcedOpener)[]
}

interface Bracket {
  type: 'bracket'
  leafIndex: number
  tokenIndex: number
  isActive: boolean
}

/** Whether a token is this character, unescaped, in text. */
export function isUnescaped(token: Token | undefined, characters: string): boolean {
  return token?.type === 'character' && !token.isEscaped && characters.includes(token.value)
}

export function readTokens(leaf: readonly SourceCharacter[]): Token[] {
  const reader: Reader = { leaf, tokens: [], openers: [] }
  let at = 0
  while (at < leaf.length) {
    at =
      readShrug(reader, at) ??
      readBackslashes(reader, at) ??
      readCode(reader, at) ??
      readMention(reader, at) ??
      readOpeningBracket(reader, at) ??
      readClosingBracket(reader, at) ??
      readSeparator(reader, at) ??
      readText(reader, at, at + 1)
  }
  return reader.tokens
}

export function valueAt(reader: Reader, at: number): string | undefined {
  return reader.leaf[at]?.value
}

export function placeOf(reader: Reader, from: number, to: number): Place {
  return { start: reader.leaf[from]?.start ?? 0, end: reader.leaf[to - 1]?.end ?? 0 }
}

function pushCharacter(reader: Reader, from: number, to: number, isEscaped: boolean): void {
  const value = valueAt(reader, to - 1) ?? ''
  reader.tokens.push({ type: 'character', value, isEscaped, ...placeOf(reader, from, to) })
}

/** Any other character is text. */
function readText(reader: Reader, from: number, to: number): number {
  for (let at = from; at < to; at += 1) pushCharacter(reader, at, at + 1, false)
  return to
}

/** §3.1: "`¯\_(ツ)_/¯`, exactly these characters (two may not share a `¯`), is text, each as if escaped". */
function readShrug(reader: Reader, at: number): number | null {
  const shrug = [...'¯\\_(ツ)_/¯']
  if (!shrug.every((character, index) => valueAt(reader, at + index) === character)) return null
  for (let index = 0; index < shrug.length; index += 1) pushCharacter(reader, at + index, at + index + 1, true)
  return at + shrug.length
}

const escapable = '`*_-[]<#:\u2063'

function lengthOfRun(leaf: readonly SourceCharacter[], at: number): number {
  let length = 1
  while (leaf[at + length]?.value === leaf[at]?.value) length += 1
  return length
}

/**
 * §3.1: before an escapable character "a run of backslashes is read in pairs, each pair as one backslash; a single one
 * left over makes that character text. A run before anything else is text, every backslash of it".
 */
function readBackslashes(reader: Reader, at: number): number | null {
  if (valueAt(reader, at) !== '\\') return null
  const end = at + lengthOfRun(reader.leaf, at)
  const next = valueAt(reader, end)
  if (next === undefined || !escapable.includes(next)) return readText(reader, at, end)
  let from = at
  for (; from + 2 <= end; from += 2) pushCharacter(reader, from, from + 2, false)
  if (from === end) return end
  pushCharacter(reader, from, end + 1, true)
  return end + 1
}

/** §3.2: "backtick runs of equal length, no escapes inside …. A run with no partner is text", and so is an apostrophe. */
function readCode(reader: Reader, at: number): number | null {
  if (valueAt(reader, at) !== '`') return null
  const length = lengthOfRun(reader.leaf, at)
  const contentStart = at + length
  let closing = contentStart
  while (closing < reader.leaf.length) {
    if (valueAt(reader, closing) !== '`') {
      closing += 1
      continue
    }
    const closingLength = lengthOfRun(reader.leaf, closing)
    if (closingLength === length) {
      if (length === 1 && isApostrophe(reader, at, closing)) break
      const end = closing + length
      const value = codeValueOf(reader.leaf.slice(contentStart, closing))
      reader.tokens.push({ type: 'code', value, ...placeOf(reader, at, end) })
      return end
    }
    closing += closingLength
  }
  return readText(reader, at, contentStart)
}

/**
 * "A run of one backtick directly after a character of class L is an apostrophe … if W follows it, W is before its partner, or a
 * character of class L follows its partner."
 */
function isApostrophe(reader: Reader, at: number, partner: number): boolean {
  const classAt = (index: number) => factsOf(valueAt(reader, index) ?? '').class
  if (classAt(at - 1) !== 'L') return false
  return classAt(at + 1) === 'W' || classAt(partner - 1) === 'W' || classAt(partner + 1) === 'L'
}

/**
 * §3.2: "a line ending inside reads as a space, one U+0020 stripped from both ends where both are there and not all is
 * U+0020".
 */
function codeValueOf(content: readonly SourceCharacter[]): string {
  const value = content.map((character) => (character.value === '\n' ? ' ' : character.value)).join('')
  const isPadded = value.startsWith(' ') && value.endsWith(' ') && /[^ ]/.test(value)
  return isPadded ? value.slice(1, -1) : value
}

/** §3.3: "`<@` id `|` label `>` …. Inside the angle brackets nothing else binds". */
function readMention(reader: Reader, at: number): number | null {
  if (valueAt(reader, at) !== '<' || valueAt(reader, at + 1) !== '@') return null
  const reference = readReference(reader.leaf, at + 2)
  if (reference === null) return null
  const { id, label, end } = reference
  reader.tokens.push({ type: 'mention', id, label, ...placeOf(reader, at, end) })
  return end
}

function readOpeningBracket(reader: Reader, at: number): number | null {
  if (valueAt(reader, at) !== '[') return null
  reader.openers.push({ type: 'bracket', leafIndex: at, tokenIndex: reader.tokens.length, isActive: true })
  return readText(reader, at, at + 1)
}

/**
 * §3.4: "Brackets pair as in CommonMark (the innermost link wins; no link inside a link; …)". §3.6: "A `]` takes the
 * nearest open bracket, whatever forced openers are open after it."
 */
function readClosingBracket(reader: Reader, at: number): number | null {
  if (valueAt(reader, at) !== ']') return null
  // CommonMark, "look for link or image": whatever comes of it, the opening bracket is off the stack.
  const index = reader.openers.findLastIndex(({ type }) => type === 'bracket')
  const bracket = index < 0 ? undefined : reader.openers.splice(index, 1)[0]
  if (bracket?.type !== 'bracket' || !bracket.isActive) return readText(reader, at, at + 1)
  const target = valueAt(reader, at + 1) === '(' ? readUrl(reader, at + 2) : null
  if (target === null || isWhiteSpace(reader.leaf.slice(bracket.leafIndex + 1, at))) return readText(reader, at, at + 1)
  const label = reader.tokens.slice(bracket.tokenIndex + 1)
  reader.tokens.length = bracket.tokenIndex
  reader.tokens.push({ type: 'link', url: target.url, label, ...placeOf(reader, bracket.leafIndex, target.end) })
  // §3.6: "what is left open inside either is as if never found".
  reader.openers.length = index
  for (const outer of reader.openers) if (outer.type === 'bracket') outer.isActive = false
  return target.end
}

/** §3.4: "nothing but white space (as written)", or nothing at all. */
export function isWhiteSpace(characters: readonly SourceCharacter[]): boolean {
  return characters.every(({ value }) => factsOf(value).class === 'W')
}

/**
 * §3.6: a U+2063 closes "the nearest forced opener that is still open" if it can; "any other U+2063 opens if a delimiter
 * follows".
 */
function readSeparator(reader: Reader, at: number): number | null {
  if (valueAt(reader, at) !== separator) return null
  if (closeForcedPair(reader, at)) return at + 1
  openForced(reader, at)
  return readText(reader, at, at + 1)
}

const depthMax = 32

/**
 * §3.4: "In the url are no white space, no control character, no unescaped `<`, and unescaped parentheses balanced (at most
 * 32 deep inside the outer pair)". `end` is the index after the `)` that ends it.
 */
function readUrl(reader: Reader, start: number): { url: string; end: number } | null {
  let url = ''
  let depth = 0
  let at = start
  for (;;) {
    const character = valueAt(reader, at)
    if (character === undefined) return null
    if (character === '\\') {
      const read = readUrlBackslashes(reader, at)
      url += read.value
      at = read.end
      continue
    }
    if (factsOf(character).class === 'W' || factsOf(character).isControl || character === '<') return null
    if (character === ')' && depth === 0) return hasScheme(url) ? { url, end: at + 1 } : null
    if (character === '(') depth += 1
    if (character === ')') depth -= 1
    if (depth > depthMax) return null
    url += character
    at += 1
  }
}

/** §3.1: "in the url of a named link also `(` and `)`". */
function readUrlBackslashes(reader: Reader, at: number): { value: string; end: number } {
  const length = lengthOfRun(reader.leaf, at)
  const end = at + length
  const next = valueAt(reader, end)
  if (next === undefined || !`${escapable}()`.includes(next)) return { value: '\\'.repeat(length), end }
  const pairs = '\\'.repeat(Math.floor(length / 2))
  return length % 2 === 0 ? { value: pairs, end } : { value: pairs + next, end: end + 1 }
}

/** §3.4: "begins with a scheme (an ASCII letter, 1 to 31 of letters, digits, `+`, `.`, `-`, then `:`)". */
function hasScheme(url: string): boolean {
  return /^[A-Za-z][A-Za-z0-9+.-]{1,31}:/.test(url)
}
