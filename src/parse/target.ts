/** The URL of a named link (§3.4). */
import { CONTROL, WHITE_SPACE } from '../characters.js'
import { skipEscape } from './escape.js'
import { isBlank, traitsAt } from './neighbors.js'
import type { Range, Reader } from './reader.js'
import { URL_AMPERSAND, URL_ODD } from './tape.js'
import { BACKSLASH, codeAt, isPlainInUrl, LESS_THAN } from './units.js'

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
  let at = endOfHttp(chars, labelEnd + 2)
  let flags = 0
  if (at === 0) {
    scheme.lastIndex = labelEnd
    if (!scheme.test(source)) return false
    at = scheme.lastIndex + 1
    flags = URL_ODD
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
      link.urlFlags = flags
      return true
    }
    if (code === 40) {
      depth += 1
      if (depth > NESTED_BRACKETS_MAX) return false
    } else if (code === BACKSLASH) {
      flags |= URL_ODD
      at = skipEscape(chars, at - 1, 2)
    } else if (code === LESS_THAN || (traitsAt(chars, at - 1) & (WHITE_SPACE | CONTROL)) !== 0) return false
    else flags |= flagOf(chars, at - 1)
  }
}

/** Returns the flags for the href that a character of a URL sets. The character is not a backslash and does not end the URL. */
export function flagOf(chars: Uint16Array, at: number): number {
  switch (chars[at]) {
    case 38 /* & */:
      return URL_AMPERSAND
    case 40 /* ( */:
    case 41 /* ) */:
      return 0
    case 37 /* % */:
      return isHex(codeAt(chars, at + 1)) && isHex(codeAt(chars, at + 2)) ? 0 : URL_ODD
    default:
      return URL_ODD
  }
}

function isHex(code: number): boolean {
  return (code >= 48 && code <= 57) || ((code | 32) >= 97 && (code | 32) <= 102)
}

/** Returns the end of the `http:` or `https:`, in any case, that begins at `at`, or 0 for another scheme. Few links have another one. */
function endOfHttp(chars: Uint16Array, at: number): number {
  const isHttp =
    (codeAt(chars, at) | 32) === 104 &&
    (codeAt(chars, at + 1) | 32) === 116 &&
    (codeAt(chars, at + 2) | 32) === 116 &&
    (codeAt(chars, at + 3) | 32) === 112
  if (!isHttp) return 0
  const end = (codeAt(chars, at + 4) | 32) === 115 ? at + 5 : at + 4
  return chars[end] === 58 /* : */ ? end + 1 : 0
}
