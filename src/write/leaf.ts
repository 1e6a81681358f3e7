/**
 * From the tokens of a leaf to its source with few escapes and as little hard formatting as it takes (§8). The parser reads the
 * leaf as it could stand: with plain delimiters and without an escape. What it takes for markup and is meant as text gets a
 * backslash, until there is no more of that; then formatting that it has not seen is written hard, the innermost first, since
 * what is around it may have failed because of it.
 *
 * That ends with every leaf of people's messages in a turn or two. What takes longer is written with all escapes that there can
 * be, and hard: so it is always read as it is meant.
 */
import { BACKSLASHES, SHRUG } from '../parse/escape.js'
import { BARE_LINK, CLOSE, LINK, LINK_END, OPEN } from '../parse/tape.js'
import { isEscapable } from '../parse/units.js'
import { findPlain, standAside } from './aside.js'
import type { Report } from './change.js'
import type { LeafKind } from './compare.js'
import { hasEscapableEnd, targetOf } from './constructs.js'
import { type Attempt, attempt, withEscapes, withoutNeedless } from './escapes.js'
import { harden } from './hard.js'
import { dropSeparators } from './separators.js'
import { copyTokens, createToken, NO_ESCAPES, pair, TEXT, type Token } from './token.js'

/** How often formatting or links are respelled. */
const TURNS_MAX = 12

/** The source of a leaf. What can only be written without some separators is as it would be if they had never been there. */
export function writeTokens(tokens: readonly Token[], kind: LeafKind, report: Report): string {
  const first = withEscapes(tokens, kind)
  // Most are read as they are meant between plain delimiters.
  return first.difference === null ? first.source : respell(tokens, first, kind, report)
}

function respell(tokens: readonly Token[], first: Attempt, kind: LeafKind, report: Report): string {
  let row = tokens
  let plain = findPlain(row)
  let { source, missing } = writeRow(row, first, plain, kind)
  while (source === null) {
    const rest = dropSeparators(row, missing, report)
    const plainRest = findPlain(rest)
    if (plainRest.size === plain.size) return writeLiterally(rest, kind, report)
    row = rest
    plain = plainRest
    for (const token of row) {
      token.isHard = false
      token.escapes = NO_ESCAPES
    }
    ;({ source, missing } = writeRow(row, withEscapes(row, kind), plain, kind))
  }
  return source
}

/** The source of a leaf, of which a first attempt was made; null where it is not read as it is meant, and what is not seen then. */
function writeRow(
  tokens: readonly Token[],
  first: Attempt,
  plain: ReadonlySet<Token>,
  kind: LeafKind,
): { source: string | null; missing: ReadonlySet<Token> } {
  let row = tokens
  let last = first
  let missing: ReadonlySet<Token> = new Set()
  for (let turn = 0; turn < TURNS_MAX; turn += 1) {
    const { source, difference } = last
    if (difference === null) return { source, missing }
    missing = new Set(difference.missing)
    const respelled = escapeLinks(row, missing) || harden(row, missing, plain) ? row : nameLinks(row, missing)
    if (respelled === null) break
    row = respelled
    for (const token of row) token.escapes = NO_ESCAPES
    last = withEscapes(row, kind)
  }
  if (plain.size === 0) return { source: null, missing }
  return { source: writeAside(row, plain, kind) ?? writeAside(withNames(row), plain, kind), missing }
}

/** So many ways of standing aside are tried. Only hostile leaves, which few people write and no program, take more than three. */
const WAYS_MAX = 64

/** The leaf with all standing aside for what has to be plain; null where it is not read as it is meant. */
function writeAside(tokens: readonly Token[], plain: ReadonlySet<Token>, kind: LeafKind): string | null {
  const openers = tokens.filter(({ type }) => type === OPEN)
  for (let way = 0; way < Math.min(2 ** openers.length, WAYS_MAX); way += 1) {
    const copies = copyTokens(tokens)
    const isOther = new Set(openers.filter((_, index) => ((way >> index) & 1) === 1))
    const setOf = (has: (token: Token) => boolean) =>
      new Set(openers.filter(has).map((token) => copies.get(token) ?? token))
    const row = standAside(
      [...copies.values()],
      setOf((token) => plain.has(token) || isOther.has(token)),
      setOf((token) => plain.has(token) && isOther.has(token)),
    )
    const { source, difference } = withEscapes(row, kind)
    if (difference === null) return source
  }
  return null
}

/** A bare link that is not seen, or stands beside a delimiter that is not, gets an escape at its end: no delimiter is seen past that. */
function escapeLinks(tokens: readonly Token[], isMissing: ReadonlySet<Token>): boolean {
  let isRespelled = false
  for (const [index, token] of tokens.entries()) {
    if (token.type !== BARE_LINK || token.isHard || !hasEscapableEnd(token.value)) continue
    const beside = [tokens[index - 1], token, tokens[index + 1]]
    if (!beside.some((each) => each !== undefined && isMissing.has(each))) continue
    token.isHard = true
    isRespelled = true
  }
  return isRespelled
}

/** The leaf with every bare link named that is not seen; null where there is none. */
function nameLinks(tokens: readonly Token[], isMissing: ReadonlySet<Token>): Token[] | null {
  const isNamed = tokens.some((token) => token.type === BARE_LINK && isMissing.has(token))
  return isNamed ? withNames(tokens, isMissing) : null
}

/** The leaf with bare links named: those that are not seen, or all. */
function withNames(tokens: readonly Token[], isMissing?: ReadonlySet<Token>): Token[] {
  return tokens.flatMap((token) => {
    return token.type === BARE_LINK && isMissing?.has(token) !== false ? named(token) : [token]
  })
}

/** A bare link as one whose label is its url. */
function named({ node, value }: Token): Token[] {
  const opener = createToken(LINK, node, value)
  const closer = createToken(LINK_END, node, targetOf(value) ?? value)
  pair(opener, closer)
  return [opener, createToken(TEXT, node, value), closer]
}

/** The leaf with all formatting hard, all links named and an escape wherever one could matter. */
function writeLiterally(tokens: readonly Token[], kind: LeafKind, report: Report): string {
  const links = withNames(tokens)
  for (const token of links) if (token.type === OPEN || token.type === CLOSE) token.isHard = true
  const all = dropSeparators(links, new Set(links), report)
  for (const token of all) if (token.type === TEXT) token.escapes = escapablesOf(token.value)
  return withoutNeedless(all, kind, attempt(all, kind)).source
}

/** Every character of a text that an escape could keep from being markup; a shrug is as if it were escaped (§3.1). */
function escapablesOf(value: string): number[] {
  const escapes: number[] = []
  const shrugs = Array.from(value.matchAll(BACKSLASHES)).filter(([run]) => run === SHRUG)
  let shrug = 0
  for (let at = 0; at < value.length; at += 1) {
    if (at === shrugs[shrug]?.index) {
      at += SHRUG.length - 1
      shrug += 1
    } else if (isEscapable(value.charCodeAt(at))) escapes.push(at)
  }
  return escapes
}
