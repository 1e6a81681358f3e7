/** The URL of a named link (§3.4). */
import { CONTROL, WHITE_SPACE } from '../characters.js'
import { skipEscape } from './escape.js'
import { startOfHttp } from './mark.js'
import { isBlank, traitsAt } from './neighbors.js'
import type { Range, Reader } from './reader.js'
import { BACKSLASH, COLON, codeAt, IN_URL, isPlainInUrl, LESS_THAN } from './units.js'

const NESTED_BRACKETS_MAX = 32

/** Matches the text after link text: the parenthesis, the scheme and its colon. Dashes and the colon may be escaped. */
const scheme = /\([A-Za-z](?:[A-Za-z\d+.]|\\?-){1,31}\\?:/y

/**
 * Ends the link whose link text ends at `labelEnd`, if a URL follows.
 *
 * Cost: linear over all calls. Each call starts after a different bracket and stops at more than 32 nested parentheses, so
 * that at most 33 calls read any one character.
 *
 * @returns whether one follows
 */
export function endLink({ chars, source }: Reader, link: Range, labelEnd: number): boolean {
  if (chars[labelEnd + 1] !== 40 /* ( */ || isBlank(chars, link.contentStart, labelEnd)) return false
  // Most links have one of these schemes.
  const colon = chars[labelEnd + 6] === COLON ? labelEnd + 6 : labelEnd + 7
  let isOdd = chars[colon] !== COLON || startOfHttp(chars, colon) !== labelEnd + 2
  let at = colon + 1
  if (isOdd) {
    scheme.lastIndex = labelEnd
    if (!scheme.test(source)) return false
    at = scheme.lastIndex + 1
  }
  for (let depth = 0; ; ) {
    const code = codeAt(chars, at)
    at += 1
    if (isPlainInUrl(code)) continue
    if (code === 41 /* ) */) {
      depth -= 1
      if (depth >= 0) continue
      link.contentEnd = labelEnd
      link.end = at
      link.isOdd = isOdd
      return true
    }
    if (code === 40) {
      depth += 1
      if (depth > NESTED_BRACKETS_MAX) return false
    } else if (code === BACKSLASH) {
      isOdd = true
      at = skipEscape(chars, at - 1, IN_URL)
    } else if (code === LESS_THAN || (traitsAt(chars, at - 1) & (WHITE_SPACE | CONTROL)) !== 0) return false
    else isOdd = true
  }
}
