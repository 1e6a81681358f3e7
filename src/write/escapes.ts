/** Which characters of a leaf get a backslash (§3.1): what the parser takes for markup and is meant as text, and no other. */
import { SEPARATOR } from '../delimiters.js'
import { CLOSE, CODE, OPEN } from '../parse/tape.js'
import { isDelimiter } from '../parse/units.js'
import { type Character, compare, type Difference, type LeafKind } from './compare.js'
import { spell } from './spell.js'
import { isEnd, isStart, TEXT, type Token } from './token.js'

/** How often escapes are added; what nests deeper is hostile. */
const ROUNDS_MAX = 12

export interface Attempt {
  readonly source: string
  /** Null where it is read as it is meant. */
  readonly difference: Difference | null
}

export function attempt(tokens: readonly Token[], kind: LeafKind): Attempt {
  const source = spell(tokens, kind.prefix)
  return { source, difference: compare(source, tokens, kind) }
}

/**
 * The leaf with the escapes that it needs, as far as escapes are all that it needs; else what was not seen when no more was taken
 * for markup.
 */
export function withEscapes(tokens: readonly Token[], kind: LeafKind): Attempt {
  let last = attempt(tokens, kind)
  let stuck: Attempt | null = null
  let count = 0
  for (let round = 0; last.difference !== null && round < ROUNDS_MAX; round += 1) {
    const { eaten, missing } = last.difference
    if (eaten.length === 0) stuck ??= last
    const ways = eaten.length > 0 ? [() => eaten] : inTheWay
    let added = 0
    for (const find of ways) {
      added = addEscapes(find(tokens, missing))
      if (added > 0) break
    }
    if (added === 0) break
    count += added
    last = attempt(tokens, kind)
  }
  if (last.difference !== null) return stuck ?? last
  return count > 1 ? withoutNeedless(tokens, kind, last) : last
}

/** Finds what may be in the way of markup that is not seen though nothing is seen in its place. */
type Find = (tokens: readonly Token[], missing: readonly Token[]) => readonly Character[]

/** What most likely is, first. */
const inTheWay: readonly Find[] = [
  (tokens, missing) => besideMissing(tokens, missing, true),
  (tokens, missing) => besideMissing(tokens, missing, false),
  aroundMissing,
]

/** The delimiters of text beside those of formatting that is not seen: those of its character, which would be one run with them, or all. */
function besideMissing(tokens: readonly Token[], missing: readonly Token[], isAlike: boolean): Character[] {
  const characters: Character[] = []
  const isMissing = new Set(missing)
  for (const [index, token] of tokens.entries()) {
    if (token.type !== TEXT) continue
    for (const side of [-1, 1] as const) {
      const char = token.value.at(side < 0 ? 0 : -1)
      const isRun = tokens[index + side]?.delimiter?.char === char
      if ((isRun || !isAlike) && adjoinsMissing(tokens, index, side, isMissing))
        addDelimitersAt(characters, token, side)
    }
  }
  return characters
}

/**
 * Brackets in a label that is not seen, backticks where code is not, delimiters of text in formatting of their character, and beside
 * separators.
 */
function aroundMissing(tokens: readonly Token[], missing: readonly Token[]): Character[] {
  const characters: Character[] = []
  const isMissing = new Set(missing)
  const always = missing.some(({ type }) => type === CODE) ? '`' : ''
  /** Of what is not seen and open: the characters that are in its way. */
  const open: string[] = []
  for (const token of tokens) {
    if (isMissing.has(token) && isStart(token)) open.push(token.delimiter?.char ?? '[]')
    if (open.length > 0 && isEnd(token) && token.partner !== null && isMissing.has(token.partner)) open.pop()
    if (token.type !== TEXT) continue
    addCharacters(characters, token, always + open.join(''))
    addDelimitersBesideSeparators(characters, token)
  }
  return characters
}

function addCharacters(characters: Character[], token: Token, unwanted: string): void {
  if (unwanted === '') return
  for (let offset = 0; offset < token.value.length; offset += 1) {
    if (unwanted.includes(token.value.charAt(offset))) characters.push({ token, offset })
  }
}

/** Notes the delimiters directly before or behind a separator, with which it would close or open (§3.6). */
function addDelimitersBesideSeparators(characters: Character[], token: Token): void {
  const { value } = token
  for (let at = value.indexOf(SEPARATOR); at >= 0; at = value.indexOf(SEPARATOR, at + 1)) {
    for (const offset of [at - 1, at + 1]) {
      if (isDelimiter(value.charCodeAt(offset))) characters.push({ token, offset })
    }
  }
}

/** Whether of the delimiters that stand in a row at one end of a token some are not seen. */
function adjoinsMissing(tokens: readonly Token[], at: number, side: -1 | 1, isMissing: ReadonlySet<Token>): boolean {
  for (let index = at + side; ; index += side) {
    const token = tokens[index]
    if (token === undefined || isMissing.has(token)) return token !== undefined
    if (token.isHard || (token.type !== OPEN && token.type !== CLOSE)) return false
  }
}

/** Notes the delimiters at one end of a text. */
function addDelimitersAt(characters: Character[], token: Token, side: -1 | 1): void {
  const { value } = token
  let offset = side < 0 ? 0 : value.length - 1
  while (isDelimiter(value.charCodeAt(offset))) {
    characters.push({ token, offset })
    offset -= side
  }
}

/** Adds escapes, and says how many are new. */
function addEscapes(characters: readonly Character[]): number {
  const added = new Map<Token, Set<number>>()
  for (const { token, offset } of characters) {
    const offsets = added.get(token) ?? new Set(token.escapes)
    added.set(token, offsets.add(offset))
  }
  let count = 0
  for (const [token, offsets] of added) {
    count += offsets.size - token.escapes.length
    token.escapes = [...offsets].sort((one, other) => one - other)
  }
  return count
}

/** So many escapes are tried one by one, in a long leaf as many as read so many code units together. */
const TRIES_MAX = 40
const TRIED_UNITS_MAX = 400_000

/**
 * Takes away the escapes that can go. Most are needed, and show it when every other one is taken away; only the rest is tried
 * alone.
 */
export function withoutNeedless(tokens: readonly Token[], kind: LeafKind, right: Attempt): Attempt {
  const all = tokens.flatMap((token) => token.escapes.map((offset) => ({ token, offset })))
  const doubtful: Character[] = []
  for (const parity of [0, 1]) {
    const without = all.filter((_, index) => index % 2 === parity)
    const eaten = new Map<Token, Set<number>>()
    for (const { token, offset } of tryWithout(tokens, kind, without).difference?.eaten ?? []) {
      eaten.set(token, (eaten.get(token) ?? new Set()).add(offset))
    }
    for (const character of without)
      if (eaten.get(character.token)?.has(character.offset) !== true) doubtful.push(character)
  }
  let best = right
  const tries = Math.min(TRIES_MAX, Math.ceil(TRIED_UNITS_MAX / right.source.length))
  for (const character of doubtful.slice(0, tries)) {
    const { token } = character
    const tried = tryWithout(tokens, kind, [character])
    if (tried.difference !== null) continue
    token.escapes = token.escapes.filter((offset) => offset !== character.offset)
    best = tried
  }
  return best
}

/** The leaf without some escapes, which are there again afterwards. */
function tryWithout(tokens: readonly Token[], kind: LeafKind, characters: readonly Character[]): Attempt {
  const before = new Map<Token, readonly number[]>()
  const without = new Map<Token, Set<number>>()
  for (const { token, offset } of characters) {
    before.set(token, token.escapes)
    without.set(token, (without.get(token) ?? new Set()).add(offset))
  }
  for (const [token, offsets] of without) token.escapes = token.escapes.filter((offset) => !offsets.has(offset))
  const tried = attempt(tokens, kind)
  for (const [token, escapes] of before) token.escapes = escapes
  return tried
}
