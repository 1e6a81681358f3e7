/**
 * Writes the tokens of a leaf as source, in at most three tries (§8). The first uses plain delimiters. The second forces the
 * formatting that the parser read differently. The third forces all formatting and escapes every special character: its result
 * always reads back as the same leaf.
 */
import { BACKSLASHES, SHRUG } from '../parse/escape.js'
import { BARE_LINK, CLOSE, CODE, LINK, LINK_END, OPEN } from '../parse/tape.js'
import { isDelimiter, isEscapable } from '../parse/units.js'
import { type Character, compare, type Difference, type LeafKind } from './compare.js'
import { hasEscapableEnd, targetOf } from './constructs.js'
import { spell } from './spell.js'
import { createToken, NO_ESCAPES, pair, TEXT, type Token } from './token.js'

interface Attempt {
  readonly tokens: readonly Token[]
  readonly source: string
  /** The difference; null if the source reads back as the same tokens. */
  readonly difference: Difference | null
}

/** Returns the source of a leaf. */
export function writeTokens(tokens: readonly Token[], kind: LeafKind): string {
  const plain = withEscapes(tokens, kind, escapeLinks)
  if (plain.difference === null) return plain.source
  force(plain.difference.missing)
  for (const token of tokens) token.escapes = NO_ESCAPES
  const forced = withEscapes(tokens, kind, nameLinks)
  return forced.difference === null ? forced.source : writeLiterally(tokens, kind)
}

function force(tokens: readonly Token[]): void {
  for (const token of tokens) {
    if ((token.type === OPEN || token.type === CLOSE) && token.partner !== null) {
      token.isForced = token.partner.isForced = true
    }
  }
}

function writeLiterally(tokens: readonly Token[], kind: LeafKind): string {
  const named = nameLinks(tokens, tokens) ?? tokens
  force(named)
  addEscapes(escapables(named))
  return withoutNeedless(attempt(named, kind), kind).source
}

/** Writes missing bare links in another way; null if no bare link is missing. */
type Respell = (tokens: readonly Token[], missing: readonly Token[]) => readonly Token[] | null

/**
 * Adds the escapes that a leaf needs: in the first two rounds for characters that are read as markup, then also for those that
 * could be, then for all special characters. If escapes no longer help, links are written in another way.
 */
function withEscapes(row: readonly Token[], kind: LeafKind, respell: Respell): Attempt {
  let tokens = row
  let isRespelled = false
  for (let round = 0; ; round += 1) {
    const last = attempt(tokens, kind)
    const { difference } = last
    if (difference === null) return withoutNeedless(last, kind)
    if (addEscapes(charactersFor(round, tokens, difference)) > 0) continue
    const respelled = isRespelled ? null : respell(tokens, difference.missing)
    if (respelled === null) return last
    tokens = respelled
    isRespelled = true
  }
}

function attempt(tokens: readonly Token[], kind: LeafKind): Attempt {
  const source = spell(tokens, kind.prefix)
  return { tokens, source, difference: compare(source, tokens, kind) }
}

function charactersFor(round: number, tokens: readonly Token[], { eaten, inert, missing }: Difference): Character[] {
  if (eaten.length === 0) return inTheWay(tokens, missing)
  if (round < 2) return eaten
  return round === 2 ? [...eaten, ...inert] : escapables(tokens)
}

/** Returns the characters that may keep the parser from finding the missing tokens: brackets in link text, backticks, and delimiters next to it. */
function inTheWay(tokens: readonly Token[], missing: readonly Token[]): Character[] {
  const characters: Character[] = []
  const isMissing = new Set(missing)
  const always = missing.some(({ type }) => type === CODE) ? '`' : ''
  let inLabel = ''
  for (const [index, token] of tokens.entries()) {
    if (token.type === LINK && isMissing.has(token)) inLabel = '[]'
    if (token.type === LINK_END) inLabel = ''
    if (token.type !== TEXT) continue
    const { value } = token
    const isNext = (beside: Token | undefined) => beside?.delimiter != null && isMissing.has(beside)
    const start = isNext(tokens[index - 1]) ? endOfDelimiters(value) : 0
    const end = isNext(tokens[index + 1]) ? startOfDelimiters(value) : value.length
    for (let offset = 0; offset < value.length; offset += 1) {
      const isBeside = offset < start || offset >= end
      if (isBeside || (always + inLabel).includes(value.charAt(offset))) characters.push({ token, offset })
    }
  }
  return characters
}

function endOfDelimiters(text: string): number {
  let at = 0
  while (isDelimiter(text.charCodeAt(at))) at += 1
  return at
}

function startOfDelimiters(text: string): number {
  let at = text.length
  while (isDelimiter(text.charCodeAt(at - 1))) at -= 1
  return at
}

/** Escapes the last character of each bare link that is missing or next to a missing token, so that the link is not trimmed. */
function escapeLinks(tokens: readonly Token[], missing: readonly Token[]): readonly Token[] | null {
  const isMissing = new Set(missing)
  const links = tokens.filter((token, index) => {
    if (token.type !== BARE_LINK || !hasEscapableEnd(token.value)) return false
    return [tokens[index - 1], token, tokens[index + 1]].some((each) => each !== undefined && isMissing.has(each))
  })
  for (const link of links) link.isForced = true
  return links.length > 0 ? tokens : null
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

/** Returns every character of text that a backslash can escape, except those of a shrug, which never start markup (§3.1). */
function escapables(tokens: readonly Token[]): Character[] {
  return tokens.flatMap((token) => {
    if (token.type !== TEXT) return []
    const shrugs = new Set(
      Array.from(token.value.matchAll(BACKSLASHES), ({ 0: run, index }) => (run === SHRUG ? index : -1)),
    )
    const characters: Character[] = []
    for (let offset = 0; offset < token.value.length; offset += 1) {
      if (shrugs.has(offset)) offset += SHRUG.length - 1
      else if (isEscapable(token.value.charCodeAt(offset))) characters.push({ token, offset })
    }
    return characters
  })
}

/** Adds escapes, and returns how many are new. */
function addEscapes(characters: readonly Character[]): number {
  let count = 0
  for (const [token, added] of offsetsOf(characters)) {
    const offsets = new Set([...token.escapes, ...added])
    count += offsets.size - token.escapes.length
    token.escapes = [...offsets].sort((one, other) => one - other)
  }
  return count
}

function offsetsOf(characters: readonly Character[]): Map<Token, Set<number>> {
  const offsets = new Map<Token, Set<number>>()
  for (const { token, offset } of characters) {
    const own = offsets.get(token) ?? new Set()
    offsets.set(token, own.add(offset))
  }
  return offsets
}

/** Removes needless escapes. Most escapes are needed: their characters become markup even if all other escapes are removed. */
function withoutNeedless(right: Attempt, kind: LeafKind): Attempt {
  const all = right.tokens.flatMap((token) => token.escapes.map((offset) => ({ token, offset })))
  if (all.length < 2) return right
  let best = right
  const doubtful: Character[] = []
  for (const parity of [0, 1]) {
    const without = all.filter((_, index) => index % 2 === parity)
    const tried = tryWithout(best, kind, without)
    if (tried.difference === null) best = tried
    else {
      const eaten = offsetsOf(tried.difference.eaten)
      doubtful.push(...without.filter(({ token, offset }) => eaten.get(token)?.has(offset) !== true))
    }
  }
  return dropNeedless(best, kind, doubtful, HALVINGS)
}

/** The number of times that a group of escapes is halved to find the needless ones. More helps only with hostile text. */
const HALVINGS = 4

function dropNeedless(right: Attempt, kind: LeafKind, escapes: readonly Character[], halvings: number): Attempt {
  if (escapes.length === 0) return right
  const tried = tryWithout(right, kind, escapes)
  if (tried.difference === null) return tried
  if (escapes.length === 1 || halvings === 0) return right
  const half = escapes.length >> 1
  const first = dropNeedless(right, kind, escapes.slice(0, half), halvings - 1)
  return dropNeedless(first, kind, escapes.slice(half), halvings - 1)
}

/** Removes some escapes, and restores them if the leaf then reads differently. */
function tryWithout({ tokens }: Attempt, kind: LeafKind, escapes: readonly Character[]): Attempt {
  const before = new Map(escapes.map(({ token }) => [token, token.escapes]))
  for (const [token, offsets] of offsetsOf(escapes))
    token.escapes = token.escapes.filter((offset) => !offsets.has(offset))
  const tried = attempt(tokens, kind)
  if (tried.difference !== null) for (const [token, own] of before) token.escapes = own
  return tried
}
