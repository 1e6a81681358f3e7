/**
 * Writes the tokens of a leaf as source (§8) in at most three ways: with plain delimiters; then with forced delimiters for the
 * formatting that the parser did not find; then with all formatting forced, all links named and every special character escaped.
 * The parser always reads the third result as the same leaf.
 */
import { SHRUG } from '../parse/constructs.js'
import { BARE_LINK, CLOSE, LINK, LINK_END, OPEN } from '../parse/events.js'
import { isEscapable } from '../parse/units.js'
import { type Character, compare, type Difference, type LeafKind } from './compare.js'
import { linkTarget } from './constructs.js'
import { spell } from './spell.js'
import { createToken, pairTokens, TEXT, type Token } from './token.js'

interface Attempt {
  readonly source: string
  /** The difference; null if the source reads back as the same tokens. */
  readonly difference: Difference | null
}

export function writeTokens(originalTokens: readonly Token[], kind: LeafKind): string {
  let tokens = originalTokens
  let last = withEscapes(tokens, kind)
  if (last.difference !== null) {
    tokens = respell(tokens, last.difference.missing)
    for (const token of tokens) token.escapes = null
    last = withEscapes(tokens, kind)
  }
  if (last.difference !== null) {
    for (const token of tokens.filter(isFormatting)) forceToken(token)
    tokens = withNamedLinks(tokens, tokens)
    addEscapes(escapableCharacters(tokens))
    last = tryTokens(tokens, kind)
  }
  return withoutNeedlessEscapes(last, tokens, kind).source
}

/** Changes the tokens that the parser did not find. A bare link often needs only an escape of its last character. */
function respell(tokens: readonly Token[], missing: readonly Token[]): readonly Token[] {
  const trimmedLinks = missing.filter(({ type, value }) => {
    return type === BARE_LINK && isEscapable(value.charCodeAt(value.length - 1))
  })
  const formatting = missing.filter(isFormatting)
  for (const token of trimmedLinks.length > 0 ? trimmedLinks : formatting) forceToken(token)
  return trimmedLinks.length + formatting.length > 0 ? tokens : withNamedLinks(tokens, missing)
}

function isFormatting({ type }: Token): boolean {
  return type === OPEN || type === CLOSE
}

function forceToken(token: Token): void {
  token.isForced = true
  if (token.partner !== null) token.partner.isForced = true
}

/** Turns bare links into named links with the URL as link text. */
function withNamedLinks(tokens: readonly Token[], links: readonly Token[]): readonly Token[] {
  const bareLinks = new Set(links.filter(({ type }) => type === BARE_LINK))
  return bareLinks.size > 0 ? tokens.flatMap((token) => (bareLinks.has(token) ? namedLink(token) : [token])) : tokens
}

function namedLink({ node, value }: Token): Token[] {
  const opener = createToken(LINK, node, value)
  const closer = createToken(LINK_END, node, linkTarget(value) ?? value)
  pairTokens(opener, closer)
  return [opener, createToken(TEXT, node, value), closer]
}

/** Maximum number of rounds of escapes. A round escapes what the parser misread, which may reveal markup, for example a link's URL. */
const ROUNDS_MAX = 3

/** Adds the escapes that a leaf needs: for the characters that are read as markup; if that does not help, for all special characters. */
function withEscapes(tokens: readonly Token[], kind: LeafKind): Attempt {
  let last = tryTokens(tokens, kind)
  for (let round = 0; round < ROUNDS_MAX && last.difference?.misread.length; round += 1) {
    addEscapes(last.difference.misread)
    last = tryTokens(tokens, kind)
  }
  if (last.difference === null) return last
  addEscapes(escapableCharacters(tokens))
  return tryTokens(tokens, kind)
}

function tryTokens(tokens: readonly Token[], kind: LeafKind): Attempt {
  const source = spell(tokens, kind.prefix)
  return { source, difference: compare(source, tokens, kind) }
}

/** Returns every character of text that a backslash can escape, except the characters of a shrug, which never start markup (§3.1). */
function escapableCharacters(tokens: readonly Token[]): Character[] {
  const characters: Character[] = []
  for (const token of tokens) {
    const value = token.type === TEXT ? token.value.replaceAll(SHRUG, ' '.repeat(SHRUG.length)) : ''
    for (let offset = 0; offset < value.length; offset += 1) {
      if (isEscapable(value.charCodeAt(offset))) characters.push({ token, offset })
    }
  }
  return characters
}

function addEscapes(characters: readonly Character[]): void {
  for (const { token, offset } of characters) {
    token.escapes ??= new Set()
    token.escapes.add(offset)
  }
}

function removeEscapes(characters: readonly Character[]): void {
  for (const { token, offset } of characters) token.escapes?.delete(offset)
}

/** The maximum number of times that a group of escapes is halved to find needless ones. More halvings help only with hostile text. */
const HALVINGS = 4

/** Removes needless escapes: tests every second escape, then the others, so that most are tested next to an escaped character. */
function withoutNeedlessEscapes(correctAttempt: Attempt, tokens: readonly Token[], kind: LeafKind): Attempt {
  if (tokens.every(({ escapes }) => escapes === null)) return correctAttempt
  const allEscapes = tokens.flatMap((token) =>
    Array.from(token.escapes ?? [], (offset): Character => ({ token, offset })),
  )
  let bestAttempt = correctAttempt
  if (allEscapes.length < 2) return bestAttempt
  for (const parity of [0, 1]) {
    const everySecond = allEscapes.filter((_, index) => index % 2 === parity)
    bestAttempt = dropNeedlessEscapes(bestAttempt, tokens, kind, everySecond, HALVINGS)
  }
  return bestAttempt
}

/** Removes a group of escapes if all are needless; otherwise tests halves of the group. Misread characters keep their escapes. */
function dropNeedlessEscapes(
  correctAttempt: Attempt,
  tokens: readonly Token[],
  kind: LeafKind,
  escapes: readonly Character[],
  halvings: number,
): Attempt {
  if (escapes.length === 0) return correctAttempt
  removeEscapes(escapes)
  const shorterAttempt = tryTokens(tokens, kind)
  if (shorterAttempt.difference === null) return shorterAttempt
  addEscapes(escapes)
  if (escapes.length === 1 || halvings === 0) return correctAttempt
  removeEscapes(shorterAttempt.difference.misread)
  const doubtfulEscapes = escapes.filter(({ token, offset }) => token.escapes?.has(offset))
  addEscapes(escapes)
  const half = doubtfulEscapes.length >> 1
  const first = dropNeedlessEscapes(correctAttempt, tokens, kind, doubtfulEscapes.slice(0, half), halvings - 1)
  return dropNeedlessEscapes(first, tokens, kind, doubtfulEscapes.slice(half), halvings - 1)
}
