/**
 * Writes the tokens of a leaf as source (§8): first with plain delimiters. If the parser reads them differently, the formatting that it
 * missed is forced, and the bare links that it missed are written in other ways. Last, all formatting is forced and every special
 * character is escaped: that always reads back as the same leaf.
 */
import { SHRUG } from '../parse/escape.js'
import { BARE_LINK, CLOSE, LINK, LINK_END, OPEN } from '../parse/tape.js'
import { isEscapable } from '../parse/units.js'
import { type Character, compare, type Difference, type LeafKind } from './compare.js'
import { targetOf } from './constructs.js'
import { spell } from './spell.js'
import { createToken, pair, TEXT, type Token } from './token.js'

interface Attempt {
  readonly source: string
  /** The difference; null if the source reads back as the same tokens. */
  readonly difference: Difference | null
}

/** Returns the source of a leaf. */
export function writeTokens(given: readonly Token[], kind: LeafKind): string {
  let tokens = given
  let last = withEscapes(tokens, kind)
  for (const respell of [escapeLinks, force, nameLinks]) {
    if (last.difference === null) return last.source
    const respelled = respell(tokens, last.difference.missing)
    if (respelled === null) continue
    tokens = respelled
    last = withEscapes(tokens, kind)
  }
  return last.difference === null ? last.source : writeLiterally(tokens, kind)
}

function writeLiterally(tokens: readonly Token[], kind: LeafKind): string {
  const named = nameLinks(tokens, tokens) ?? tokens
  force(named, named)
  addEscapes(escapables(named))
  return withoutNeedless(attempt(named, kind), named, kind).source
}

/** Escapes the last character of each bare link that is missing or next to a missing token, so that the link is not trimmed. */
function escapeLinks(tokens: readonly Token[], missing: readonly Token[]): readonly Token[] | null {
  const isMissing = new Set<Token | undefined>(missing)
  const links = tokens.filter((token, index) => {
    if (token.type !== BARE_LINK || !isEscapable(token.value.charCodeAt(token.value.length - 1))) return false
    return [tokens[index - 1], token, tokens[index + 1]].some((each) => isMissing.has(each))
  })
  for (const link of links) link.isForced = true
  return links.length > 0 ? tokens : null
}

/** Forces missing formatting. */
function force(tokens: readonly Token[], missing: readonly Token[]): readonly Token[] | null {
  const formatting = missing.filter(({ type }) => type === OPEN || type === CLOSE)
  for (const token of formatting) {
    token.isForced = true
    if (token.partner !== null) token.partner.isForced = true
  }
  return formatting.length > 0 ? tokens : null
}

/** Turns missing bare links into named links with the URL as link text. */
function nameLinks(tokens: readonly Token[], missing: readonly Token[]): readonly Token[] | null {
  const links = new Set(missing.filter(({ type }) => type === BARE_LINK))
  return links.size > 0 ? tokens.flatMap((token) => (links.has(token) ? named(token) : [token])) : null
}

function named({ node, value }: Token): Token[] {
  const opener = createToken(LINK, node, value)
  const closer = createToken(LINK_END, node, targetOf(value) ?? value)
  pair(opener, closer)
  return [opener, createToken(TEXT, node, value), closer]
}

/** The number of rounds in which only characters that are read as markup are escaped. */
const ROUNDS = 3

/** Adds the escapes that a leaf needs: for characters that are read as markup; if that does not help, for all special characters. */
function withEscapes(tokens: readonly Token[], kind: LeafKind): Attempt {
  for (const { escapes } of tokens) escapes.clear()
  for (let round = 0; ; round += 1) {
    const last = attempt(tokens, kind)
    if (last.difference === null) return withoutNeedless(last, tokens, kind)
    const { misread } = last.difference
    if (addEscapes(round < ROUNDS && misread.length > 0 ? misread : escapables(tokens)) === 0) return last
  }
}

function attempt(tokens: readonly Token[], kind: LeafKind): Attempt {
  const source = spell(tokens, kind.prefix)
  return { source, difference: compare(source, tokens, kind) }
}

/** Returns every character of text that a backslash can escape, except those of a shrug, which never start markup (§3.1). */
function escapables(tokens: readonly Token[]): Character[] {
  const characters: Character[] = []
  for (const token of tokens) {
    const value = token.type === TEXT ? token.value.replaceAll(SHRUG, ' '.repeat(SHRUG.length)) : ''
    for (let offset = 0; offset < value.length; offset += 1) {
      if (isEscapable(value.charCodeAt(offset))) characters.push({ token, offset })
    }
  }
  return characters
}

/** Adds escapes, and returns how many are new. */
function addEscapes(characters: readonly Character[]): number {
  let count = 0
  for (const { token, offset } of characters) {
    if (!token.escapes.has(offset)) count += 1
    token.escapes.add(offset)
  }
  return count
}

function removeEscapes(characters: readonly Character[]): void {
  for (const { token, offset } of characters) token.escapes.delete(offset)
}

/** The number of times that a group of escapes is halved to find the needless ones. More helps only with hostile text. */
const HALVINGS = 4

/** Drops the escapes that are not needed. Every other one is tried first: next to them, most characters are read as they will be. */
function withoutNeedless(right: Attempt, tokens: readonly Token[], kind: LeafKind): Attempt {
  const all = tokens.flatMap((token) => Array.from(token.escapes, (offset): Character => ({ token, offset })))
  let best = right
  if (all.length < 2) return best
  for (const parity of [0, 1]) {
    const some = all.filter((_, index) => index % 2 === parity)
    best = dropNeedless(best, tokens, kind, some, HALVINGS)
  }
  return best
}

/** Drops a group of escapes, or else those of its halves that can be dropped. Characters that are misread without them need them. */
function dropNeedless(
  right: Attempt,
  tokens: readonly Token[],
  kind: LeafKind,
  escapes: readonly Character[],
  halvings: number,
): Attempt {
  if (escapes.length === 0) return right
  removeEscapes(escapes)
  const tried = attempt(tokens, kind)
  if (tried.difference === null) return tried
  addEscapes(escapes)
  if (escapes.length === 1 || halvings === 0) return right
  removeEscapes(tried.difference.misread)
  const doubtful = escapes.filter(({ token, offset }) => token.escapes.has(offset))
  addEscapes(escapes)
  const half = doubtful.length >> 1
  const first = dropNeedless(right, tokens, kind, doubtful.slice(0, half), halvings - 1)
  return dropNeedless(first, tokens, kind, doubtful.slice(half), halvings - 1)
}
