/**
 * Traits of characters (§1): the class, and the sets that the rules of §3 and §4 name. The parser classifies characters only
 * with them. The traits of most characters are computed once and kept in a table, so that one bit operation tests a trait.
 */

// Classes (§1): each character has one of the first four.

/** W: white space. */
export const WHITE_SPACE: number = 1 << 0
/** C: a character that needs no space next to it. */
export const UNSPACED: number = 1 << 1
/** P: punctuation. */
export const PUNCTUATION: number = 1 << 2
/** L: anything else. */
export const LETTER: number = 1 << 3

// Sets of §3 and §4.

/** OPENS_AFTER: `_` and `-` can open after one of these characters (§4). */
export const OPENS_AFTER: number = 1 << 4
/** CLOSES_BEFORE: `_` and `-` can close before one of these characters (§4). */
export const CLOSES_BEFORE: number = 1 << 5
/** Category Ps: opening brackets. */
export const OPENING: number = 1 << 6
/** Category Pe, `,` and `;`: nothing opens before one of these characters (§4). */
export const CLOSING: number = 1 << 7
/** Word characters: at least one must be between an opening delimiter and its closing one (§4). */
export const WORD: number = 1 << 8
/** The characters before which a bare link ends, unless they are escaped (§3.5). */
export const URL_STOP: number = 1 << 9
/** The characters that are trimmed from the end of a bare link (§3.5). */
export const URL_TAIL: number = 1 << 10
/** Letters and numbers: the host of a bare link can begin with one (§3.5). */
export const ALPHANUMERIC: number = 1 << 11
/** Letters, numbers and marks that are not of class C: no bare link begins after one (§3.5). */
export const URL_BARRIER: number = 1 << 12
/** Control characters (§1). */
export const CONTROL: number = 1 << 13
/** `"` `'` `|` `/` `.`: a delimiter between two equal characters of these is text (§4), for example `"*"` and `/-/` */
export const TEXT_BETWEEN_EQUAL: number = 1 << 14
/** `"` `'` `(` `[` `{` `,` `/`: a star between one of these and a dot is part of a glob (§4). */
export const GLOB_START: number = 1 << 15
/** Category Ps, `"` `'` `,`: a run between one of these and a letter does not close (§4), for example `(**a`. */
export const NO_LATE_CLOSE: number = 1 << 16
/** `<` `>` `|` and a backtick: the id and the label of a mention or a file end before one (§2, §3.3). */
export const ENDS_ID_OR_LABEL: number = 1 << 17

/** `，` `、` `。` `：` `；` `！` `？`: `_` and `-` open after one of these, but not between two equal ones: `(；_；)` (§4). */
export const EAST_ASIAN_MARK: number = 1 << 18
/** Category Sk: a star between a parenthesis and one of these is part of an emoticon (§4). */
export const MODIFIER_SYMBOL: number = 1 << 19
/** Category Sm outside ASCII: like MODIFIER_SYMBOL, unless white space follows the symbol. */
export const MATH_SYMBOL: number = 1 << 20
/** Category L: the language of fenced code has at least one of these (§2). */
const ALPHABETIC: number = 1 << 21

/** The traits of characters by their code points. Traits of characters outside ASCII are 0 until they are computed. */
export const traitsTable: Uint32Array = /* @__PURE__ */ createTable()

/** Returns the traits of a code point, which may be a lone surrogate: the sum of the constants above that apply. */
export function traits(codePoint: number): number {
  if (codePoint >= traitsTable.length) return traitsOf(codePoint)
  traitsTable[codePoint] ||= traitsOf(codePoint)
  return traitsTable[codePoint]
}

/** Returns the traits of the character that starts at `at`; both ends of a text count as white space. */
export function traitsAt(text: string, at: number): number {
  const code = at < text.length ? text.charCodeAt(at) : 10
  return code < 128 ? (traitsTable[code] ?? 0) : traits(text.codePointAt(at) ?? 10)
}

/** Returns the traits of the character that ends at `at`; both ends of a text count as white space. */
export function traitsBefore(text: string, at: number): number {
  const code = at > 0 ? text.charCodeAt(at - 1) : 10
  return code < 128 ? (traitsTable[code] ?? 0) : traits(text.codePointAt(at - lengthBefore(text, at)) ?? 10)
}

/** Returns the number of code units of the character that ends at `at`. */
export function lengthBefore(text: string, at: number): 1 | 2 {
  return (text.codePointAt(at - 2) ?? 0) > 0xffff ? 2 : 1
}

/** Whether a code unit is a space (§1): U+0020 or a tab. */
export function isSpace(code: number): boolean {
  return code === 32 || code === 9
}

/** Returns the end of the spaces that begin at `start`, at most `end`. */
export function endOfSpaces(text: string, start: number, end: number): number {
  let at = start
  while (at < end && isSpace(text.charCodeAt(at))) at += 1
  return at
}

/** Whether a text, or a part of it, is empty or only white space (class W), so that it shows nothing. */
export function isBlank(text: string, start = 0, end: number = text.length): boolean {
  return endOfWhiteSpace(text, start, end) === end
}

/** Returns the end of the white space (class W) that begins at `start`, at most `end`. */
export function endOfWhiteSpace(text: string, start: number, end: number): number {
  let at = start
  while (at < end && (traitsAt(text, at) & WHITE_SPACE) !== 0) at += 1
  return at
}

/**
 * Returns the language of fenced code with which a text begins (§2): letters, numbers and `+ # . _ -`, at least one letter. Returns
 * an empty string if the text does not begin with a language.
 */
export function langOf(text: string): string {
  let end = 0
  let hasLetter = false
  for (const char of text) {
    const charTraits = traits(char.codePointAt(0) ?? 0)
    if ((charTraits & ALPHANUMERIC) === 0 && !'+#._-'.includes(char)) break
    hasLetter ||= (charTraits & ALPHABETIC) !== 0
    end += char.length
  }
  return hasLetter ? text.slice(0, end) : ''
}

/** Replaces U+0000 by U+FFFD (§1). */
export function withoutNull(text: string): string {
  return text.indexOf('\0') < 0 ? text : text.replaceAll('\0', '\uFFFD')
}

/** Creates the table without Unicode properties: engines take milliseconds to compile them, and most messages need none. */
function createTable(): Uint32Array {
  // The table covers two planes: half a megabyte, of which the system provides only the pages that are written. Characters of
  // other planes are rare, so their traits are computed each time.
  const table = new Uint32Array(0x20000).fill(PUNCTUATION, 0, 128)
  const control = LETTER | WORD | CONTROL | URL_STOP
  const alphanumeric = LETTER | WORD | ALPHANUMERIC | URL_BARRIER
  const alphabetic = alphanumeric | ALPHABETIC
  table.fill(control, 0, 32).fill(control, 127, 128)
  table.fill(alphanumeric, 48, 58).fill(alphabetic, 65, 91).fill(alphabetic, 97, 123)
  const add = (set: string, bits: number) => {
    for (const char of set) table[char.charCodeAt(0)] = (table[char.charCodeAt(0)] ?? 0) | bits
  }
  const space = WHITE_SPACE | OPENS_AFTER | CLOSES_BEFORE | URL_STOP
  table[32] = space
  for (const code of [9, 10, 12, 13]) table[code] = space | CONTROL
  add('([{', OPENING)
  add(')]},;', CLOSING)
  add('([{-_"\'*|', OPENS_AFTER)
  add(')]}-_!"#%&\'*,./:;?@\\|', CLOSES_BEFORE)
  add('<>"`', URL_STOP)
  add('<>|`', ENDS_ID_OR_LABEL)
  add("?!.,:;'\\", URL_TAIL)
  add('"\'|/.', TEXT_BETWEEN_EQUAL)
  add('"\'([{,/', GLOB_START)
  add('"\'([{,', NO_LATE_CLOSE)
  add('^`', MODIFIER_SYMBOL)
  return table
}

/** The traits of each general category. Any other character is `LETTER | WORD`. */
const traitsOfCategory: Readonly<Record<string, number>> = {
  Z: WHITE_SPACE | OPENS_AFTER | CLOSES_BEFORE | URL_STOP,
  Ps: PUNCTUATION | OPENING | NO_LATE_CLOSE | OPENS_AFTER,
  Pe: PUNCTUATION | CLOSING | CLOSES_BEFORE | URL_TAIL,
  Pi: PUNCTUATION | OPENS_AFTER | CLOSES_BEFORE | URL_TAIL,
  Pf: PUNCTUATION | OPENS_AFTER | CLOSES_BEFORE | URL_TAIL,
  Pd: PUNCTUATION | OPENS_AFTER | CLOSES_BEFORE,
  Pc: PUNCTUATION | OPENS_AFTER | CLOSES_BEFORE,
  Po: PUNCTUATION | CLOSES_BEFORE | URL_TAIL,
  Sc: PUNCTUATION | WORD,
  Sk: PUNCTUATION | WORD | MODIFIER_SYMBOL,
  Sm: PUNCTUATION | WORD | MATH_SYMBOL,
  L: LETTER | WORD | ALPHANUMERIC | URL_BARRIER | ALPHABETIC,
  N: LETTER | WORD | ALPHANUMERIC | URL_BARRIER,
  M: LETTER | WORD | URL_BARRIER,
  Cf: LETTER | URL_STOP,
}

function traitsOf(codePoint: number): number {
  pattern ??= createPattern()
  const char = String.fromCodePoint(codePoint)
  const [, emoji, eastAsian, unspaced, ...categories] = pattern.exec(char) ?? []
  let traits = Object.values(traitsOfCategory)[categories.indexOf(char)] ?? LETTER | WORD
  if ('，、。：；！？'.includes(char)) traits |= EAST_ASIAN_MARK | OPENS_AFTER
  if ('¿¡'.includes(char)) traits |= OPENS_AFTER
  if ((traits & WHITE_SPACE) !== 0) return traits
  if (codePoint < 0xa0) return traits | CONTROL | URL_STOP
  // East Asian dashes and symbols do not stop a URL, and neither does the dot between Japanese names.
  if ('“”„'.includes(char) || (eastAsian && (traits & (OPENING | URL_TAIL)) !== 0 && char !== '・')) traits |= URL_STOP
  // The joiners inside words of some scripts do not stop a URL.
  if ('\u200C\u200D'.includes(char)) traits = LETTER
  if (!emoji && !eastAsian && !unspaced) return traits
  return (traits & ~(PUNCTUATION | LETTER | URL_BARRIER)) | UNSPACED | CLOSES_BEFORE | (emoji ? OPENS_AFTER : 0)
}

let pattern: RegExp | null = null

/** Creates the pattern only when it is needed, because engines take milliseconds to compile it, even as an unused literal. */
function createPattern(): RegExp {
  const emoji = '[\\p{ExtPict}\\p{RI}\\p{Cf}\\u20E3\\uFE0E\\uFE0F\\u{1F3FB}-\\u{1F3FF}]'
  const eastAsian = '(?=[\\p{P}\\p{S}])[\\u3000-\\u303F\\u30FB\\uFE10-\\uFE1F\\uFE30-\\uFE4F\\uFF00-\\uFFEF]'
  const scripts = ['Han', 'Hira', 'Kana', 'Hang', 'Bopo', 'Thai', 'Laoo', 'Khmr', 'Mymr']
  const unspaced = `(?=[\\p{L}\\p{M}\\p{N}\\p{So}])[${scripts.map((script) => `\\p{scx=${script}}`).join('')}]`
  const categories = Object.keys(traitsOfCategory).map((name) => `(\\p{${name}})|`)
  return new RegExp(`(?=(${emoji})?)(?=(${eastAsian})?)(?=(${unspaced})?)(?:${categories.join('')})`, 'u')
}
