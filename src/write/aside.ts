/**
 * Formatting that has to be plain, because a separator of text stands directly before its end: with the delimiter behind it that
 * would open, and nothing around it could be closed (§3.6). All else in its leaf stands aside for it: other formatting is written hard,
 * and what such formatting holds gets guards. Then its delimiters have U+2063 beside them, which suits every rule of §4, wherever
 * the leaf's own text does not stand there.
 */
import { isBlank, lengthBefore, traitsBefore, WORD } from '../characters.js'
import { type Delimiter, delimiterText, SEPARATOR } from '../delimiters.js'
import { BREAK, CANCELLED, CLOSE, LINK, LINK_END, OPEN } from '../parse/tape.js'
import { isFlanking } from '../parse/units.js'
import { takeSeparators, withoutSeparators } from './guard.js'
import { createGuard, createToken, isEnd, isStart, TEXT, type Token } from './token.js'

/** The formatting that has to be plain, by the tokens that open it. */
export function findPlain(tokens: readonly Token[]): ReadonlySet<Token> {
  const plain = new Set<Token>()
  const open: Token[] = []
  for (const [index, token] of tokens.entries()) {
    if (token.type === OPEN || token.type === LINK) open.push(token)
    if (token.type !== CLOSE && token.type !== LINK_END) continue
    const opener = open.pop()
    if (opener === undefined || token.type === LINK_END) continue
    const last = tokens[index - 1]
    if (last?.type === TEXT && last.value.endsWith(SEPARATOR)) plain.add(opener)
    // What opens in a label is forgotten where its link ends.
    const outer = open.at(-1)
    if (plain.has(opener) && outer?.type === OPEN) plain.add(outer)
  }
  return plain
}

/** A leaf, a label, or formatting that has to be plain. */
interface Frame {
  /** Of formatting. */
  readonly opener: Token | null
  readonly done: Token[]
  /** A delimiter of text that follows it, and that some delimiters close only before where another such is open (§4). */
  readonly charBehind: string
  /** What has come since the last formatting in it that has to be plain. */
  readonly stretch: Token[]
}

/** The tokens with all standing aside for what has to be plain; some of that in two parts. */
export function standAside(
  tokens: readonly Token[],
  plain: ReadonlySet<Token>,
  inTwo: ReadonlySet<Token>,
): readonly Token[] {
  const leaf: Frame = { opener: null, done: [], charBehind: '', stretch: [] }
  const frames: Frame[] = []
  const charsBehind = findCharsBehind(tokens)
  let frame = leaf
  const enter = (token: Token, opener: Token | null): void => {
    frames.push(frame)
    const charBehind = frame.opener === null ? (charsBehind.get(token) ?? '') : ''
    frame = { opener, done: [token], charBehind, stretch: [] }
  }
  const leave = (token: Token): readonly Token[] => {
    endStretch(frame, inTwo)
    const { done } = frame
    done.push(token)
    frame = frames.pop() ?? leaf
    return done
  }
  for (const token of tokens) {
    const isPlain = plain.has(token) || (token.partner !== null && plain.has(token.partner))
    if (token.type === OPEN || token.type === CLOSE) token.isHard = !isPlain
    if (token.type === LINK) enter(token, null)
    else if (token.type === LINK_END) {
      const link = leave(token)
      addAll(frame.stretch, link)
    } else if (!isPlain) frame.stretch.push(token)
    else if (token.type === OPEN) {
      endStretch(frame, inTwo)
      enter(token, token)
    } else {
      const formatting = leave(token)
      addAll(frame.done, formatting)
    }
  }
  endStretch(leaf, inTwo)
  return leaf.done
}

function findCharsBehind(tokens: readonly Token[]): ReadonlyMap<Token, string> {
  const chars = new Map<Token, string>()
  for (const [index, { type, value }] of tokens.entries()) {
    const opener = tokens[index - 1]?.partner
    if (type === TEXT && opener && isFlanking(value.charCodeAt(0))) chars.set(opener, value.charAt(0))
  }
  return chars
}

function addAll(tokens: Token[], added: readonly Token[]): void {
  for (const token of added) tokens.push(token)
}

/** What formatting holds gets a guard, but for the separators at its end. */
function endStretch({ opener, done, charBehind, stretch }: Frame, inTwo: ReadonlySet<Token>): void {
  const delimiter = opener?.delimiter ?? null
  if (opener === null || delimiter === null) addAll(done, stretch)
  else {
    const content = [...stretch]
    const start = inTwo.has(opener) && done.length === 1 ? startOfLastWord(content) : 0
    if (start > 0) {
      opener.isHard = true
      addAll(done, content.slice(0, start))
      addAll(done, seam(delimiter, opener))
      addAll(done, content.slice(start))
    } else if (!guardAround(done, content, delimiter, opener, charBehind)) guard(done, content, delimiter, opener)
  }
  stretch.length = 0
}

/** Whether there is more than white space in it, as a pair has to have (§3.6). */
function isWritten({ type, value }: Token): boolean {
  return type !== BREAK && (type !== TEXT || !isBlank(value))
}

/** Puts a guard around tokens, but for the separators at their end: those would open with its delimiter. */
function guard(done: Token[], content: Token[], delimiter: Delimiter, { node }: Token): void {
  const separators = takeSeparators(content)
  if (content.some(isWritten)) {
    const [start, end] = createGuard(delimiter, node)
    done.push(start)
    addAll(done, content)
    done.push(end)
  } else addAll(done, content)
  addAll(done, separators)
}

/** Guards what stands before and behind a character of text, which can open then whatever it is. Whether there is such a one. */
function guardAround(done: Token[], content: Token[], delimiter: Delimiter, opener: Token, char: string): boolean {
  let depth = 0
  for (const [index, token] of content.entries()) {
    if (isStart(token)) depth += 1
    if (isEnd(token)) depth -= 1
    const at = token.type === TEXT && depth === 0 && char !== '' ? token.value.indexOf(char) : -1
    if (at < 0) continue
    const pieceOf = (from: number, to?: number): Token => createToken(TEXT, token.node, token.value.slice(from, to))
    const before = [...content.slice(0, index), ...(at > 0 ? [pieceOf(0, at)] : [])]
    guard(done, before, delimiter, opener)
    done.push(pieceOf(at, at + 1))
    guard(
      done,
      [...(at + 1 < token.value.length ? [pieceOf(at + 1)] : []), ...content.slice(index + 1)],
      delimiter,
      opener,
    )
    return true
  }
  return false
}

/** The end of hard formatting and the beginning of plain formatting of its kind, which are one (§4). */
function seam(delimiter: Delimiter, { node }: Token): Token[] {
  const text = delimiterText(delimiter)
  return [createToken(CANCELLED, node, text + SEPARATOR), createToken(CANCELLED, node, text)]
}

/** Which token the last word begins, that it is made to begin; 0 where nothing is written before it. */
function startOfLastWord(tokens: Token[]): number {
  let at = tokens.length - 1
  for (; at >= 0; at -= 1) {
    const token = tokens[at]
    if (token === undefined || token.type === BREAK) continue
    const start = token.type === TEXT ? startOfWord(token.value) : 0
    if (token.partner !== null) at = tokens.indexOf(token.partner)
    if (start < 0) continue
    if (start > 0) {
      at += 1
      tokens.splice(at, 0, createToken(TEXT, token.node, token.value.slice(start)))
      token.value = token.value.slice(0, start)
    }
    break
  }
  return tokens.slice(0, Math.max(at, 0)).some(isWritten) ? at : 0
}

/** Where the last character of a word stands, or separators before it; -1 where there is none. */
function startOfWord(text: string): number {
  for (let end = text.length; end > 0; end -= lengthBefore(text, end)) {
    if ((traitsBefore(text, end) & WORD) === 0) continue
    return withoutSeparators(text.slice(0, end - lengthBefore(text, end))).length
  }
  return -1
}
