/** §3.5, bare links: where one begins, how far it runs, what is trimmed from its end. */

import { factsOf } from './characters.js'
import { characterBefore, type Sequence, skipBackward } from './sequences.js'
import { isUnescaped, type Token } from './tokens.js'

/** The index after the bare link that begins at `start`, or null. The delimiter runs that are open before it decide. */
export function endOfBareLink(sequence: Sequence, start: number): number | null {
  const schemeLength = lengthOfScheme(sequence, start)
  if (schemeLength === null) return null
  if (!canFollowScheme(sequence.tokens[start + schemeLength])) return null
  if (!canStandBefore(characterBefore(sequence, skipBackward(sequence, start, '*')))) return null
  let end = start
  while (end < sequence.tokens.length && !endsBareLink(sequence.tokens[end]) && !isBeforeUrl(sequence, end)) end += 1
  return trim(sequence, start, end)
}

/** "`http://` or `https://` (any case, unescaped)". */
function lengthOfScheme(sequence: Sequence, start: number): number | null {
  for (const scheme of ['http://', 'https://']) {
    const isThere = [...scheme].every((character, index) => {
      const token = sequence.tokens[start + index]
      return isUnescaped(token, character) || isUnescaped(token, character.toUpperCase())
    })
    if (isThere) return scheme.length
  }
  return null
}

/**
 * "followed by a letter or number or an unescaped `[` that begins no named link" (one that does is not a character here).
 */
function canFollowScheme(token: Token | undefined): boolean {
  if (token?.type !== 'character') return false
  return factsOf(token.value).isLetterOrNumber || isUnescaped(token, '[')
}

/** "the character before, past any unescaped `*`, is not a letter, number or mark, unless of class C". */
function canStandBefore(before: string): boolean {
  const { class: characterClass, isLetterOrNumber, isMark } = factsOf(before)
  return characterClass === 'C' || !(isLetterOrNumber || isMark)
}

/**
 * "It runs on to white space, a control character, a code span, mention or named link, or an unescaped `<`, …, character of
 * category Cf other than U+200C and U+200D"; §3.6: "a bare link ends at a pair as at a named link".
 */
function endsBareLink(token: Token | undefined): boolean {
  if (token?.type !== 'character') return true
  const { class: characterClass, isControl, isEastAsianPunctuation, category } = factsOf(token.value)
  if (characterClass === 'W' || isControl) return true
  if (token.isEscaped) return false
  if ('<>"`“”„'.includes(token.value)) return true
  if (category === 'Cf') return token.value !== '\u200C' && token.value !== '\u200D'
  return isEastAsianPunctuation && ['Ps', 'Pe', 'Pi', 'Pf', 'Po'].includes(category) && token.value !== '・'
}

/** "an unescaped `,`, `;` or `|` directly before the `http://` or `https://` … of a further URL, a letter or number after it". */
function isBeforeUrl(sequence: Sequence, at: number): boolean {
  const schemeLength = isUnescaped(sequence.tokens[at], ',;|') ? lengthOfScheme(sequence, at + 1) : null
  if (schemeLength === null) return false
  const host = sequence.tokens[at + 1 + schemeLength]
  return host?.type === 'character' && factsOf(host.value).isLetterOrNumber
}

/** "Then the end is trimmed, again and again while one of these fits". */
function trim(sequence: Sequence, start: number, end: number): number {
  let trimmed = end
  for (;;) {
    const next = trimOnce(sequence, start, trimmed)
    if (next === trimmed) return trimmed
    trimmed = next
  }
}

function trimOnce(sequence: Sequence, start: number, end: number): number {
  const last = sequence.tokens[end - 1]
  // "an escaped character is never trimmed"
  if (last?.type !== 'character' || last.isEscaped) return end
  if (isFinalPunctuation(last.value)) return end - 1
  if (isSurplusBracket(sequence.tokens.slice(start, end), last.value)) return end - 1
  if ('*_-'.includes(last.value) && isOpen(sequence, last.value)) return skipBackward(sequence, end, last.value)
  return end
}

/** "a final `?` `!` `.` `,` `:` `;` `'` `\` (one that a pair of backslashes gave, too) or a character of category Pe, Pi, Pf or Po outside ASCII goes". */
function isFinalPunctuation(character: string): boolean {
  if ("?!.,:;'\\".includes(character)) return true
  const { category, isOutsideAscii } = factsOf(character)
  return isOutsideAscii && ['Pe', 'Pi', 'Pf', 'Po'].includes(category)
}

/** "a final `)`, `]` or `}` goes if the url holds more of it than of its opening partner (escaped ones count)". */
function isSurplusBracket(url: readonly Token[], closing: string): boolean {
  const partners: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' }
  const opening = partners[closing]
  return opening !== undefined && count(url, closing) > count(url, opening)
}

function count(url: readonly Token[], character: string): number {
  return url.filter((token) => token.type === 'character' && token.value === character).length
}

/**
 * "a delimiter run of that character that can open, and is still open, is before the link in the same sequence of text".
 */
function isOpen(sequence: Sequence, delimiter: string): boolean {
  return sequence.openers.some((run) => run.delimiter === delimiter)
}
