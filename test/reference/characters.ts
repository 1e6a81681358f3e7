/**
 * §1, characters: the properties of one character that the dialect uses, by their Unicode properties. The empty string
 * is the start or the end of a leaf's text.
 */

export type CharacterClass = 'W' | 'C' | 'P' | 'L'

/** The properties of one character. */
export interface Facts {
  class: CharacterClass
  /** The general category if §3 or §4 uses it (`Ps`, `Pe`, …), otherwise empty. */
  category: string
  isControl: boolean
  isLetter: boolean
  isLetterOrNumber: boolean
  isMark: boolean
  isEastAsianPunctuation: boolean
  isOutsideAscii: boolean
  isEastAsianMark: boolean
  isBeginner: boolean
  isWord: boolean
}

/** The properties of each character, computed once. */
export function factsOf(character: string): Facts {
  const known = cache.get(character)
  if (known !== undefined) return known
  const facts: Facts = {
    class: classOf(character),
    category: categoryOf(character),
    isControl: isControl(character),
    isLetter: /^\p{L}$/u.test(character),
    isLetterOrNumber: /^[\p{L}\p{N}]$/u.test(character),
    isMark: /^\p{M}$/u.test(character),
    isEastAsianPunctuation: isEastAsianPunctuation(character),
    isOutsideAscii: /^[^\u0000-\u007F]$/u.test(character),
    isEastAsianMark: isEastAsianMark(character),
    isBeginner: isBeginner(character),
    isWord: isWord(character),
  }
  cache.set(character, facts)
  return facts
}

const cache = new Map<string, Facts>()

/** §1: "Every character has one class, the first that fits". */
function classOf(character: string): CharacterClass {
  if (isWhiteSpace(character)) return 'W'
  if (needsNoSpace(character)) return 'C'
  if (/^[\p{P}\p{Sc}\p{Sk}\p{Sm}]$/u.test(character)) return 'P'
  return 'L'
}

/** §1, W: "general category Z, tab, LF, FF or CR. The start and the end of a leaf's text count as W." */
function isWhiteSpace(character: string): boolean {
  return character === '' || /^[\p{Z}\t\n\f\r]$/u.test(character)
}

/** §1, C: a letter, mark, number or other symbol of the scripts named, East Asian punctuation, an emoji character. */
function needsNoSpace(character: string): boolean {
  const isOfScript =
    /^[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Bopomofo}]$/u.test(character) ||
    /^[\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]$/u.test(character)
  if (isOfScript && /^[\p{L}\p{M}\p{N}\p{So}]$/u.test(character)) return true
  return isEastAsianPunctuation(character) || isEmojiCharacter(character)
}

/** §1: "category P or S in U+3000–303F, U+30FB, U+FE10–FE1F, U+FE30–FE4F or U+FF00–FFEF". */
function isEastAsianPunctuation(character: string): boolean {
  const isInRange = /^[\u3000-\u303F\u30FB\uFE10-\uFE1F\uFE30-\uFE4F\uFF00-\uFFEF]$/u.test(character)
  return isInRange && /^[\p{P}\p{S}]$/u.test(character)
}

/** §1: "Extended_Pictographic, Regional_Indicator, category Cf, U+20E3, U+FE0E, U+FE0F or U+1F3FB–1F3FF". */
function isEmojiCharacter(character: string): boolean {
  if (/^[\p{Extended_Pictographic}\p{Regional_Indicator}\p{Cf}]$/u.test(character)) return true
  return /^(?:\u20E3|\uFE0E|\uFE0F|[\u{1F3FB}-\u{1F3FF}])$/u.test(character)
}

/** The categories of punctuation, of format characters, and of two kinds of symbols. */
function categoryOf(character: string): string {
  if (/^\p{Ps}$/u.test(character)) return 'Ps'
  if (/^\p{Pe}$/u.test(character)) return 'Pe'
  if (/^\p{Pi}$/u.test(character)) return 'Pi'
  if (/^\p{Pf}$/u.test(character)) return 'Pf'
  if (/^\p{Pd}$/u.test(character)) return 'Pd'
  if (/^\p{Pc}$/u.test(character)) return 'Pc'
  if (/^\p{Po}$/u.test(character)) return 'Po'
  if (/^\p{Cf}$/u.test(character)) return 'Cf'
  if (/^\p{Sk}$/u.test(character)) return 'Sk'
  if (/^\p{Sm}$/u.test(character)) return 'Sm'
  return ''
}

/** §1: "A control character is U+0000–001F or U+007F–009F." */
function isControl(character: string): boolean {
  return /^[\u0000-\u001F\u007F-\u009F]$/u.test(character)
}

/** §4: "`，` `、` `。` `：` `；` `！` `？`". */
function isEastAsianMark(character: string): boolean {
  return character !== '' && '，、。：；！？'.includes(character)
}

/** §4: "class W, emoji characters, …, categories Ps, Pi, Pf, Pd, Pc, and `"` `'` `*` `|` `¿` `¡`". */
function isBeginner(character: string): boolean {
  if (isWhiteSpace(character) || isEmojiCharacter(character)) return true
  if (isEastAsianMark(character)) return true
  if (['Ps', 'Pi', 'Pf', 'Pd', 'Pc'].includes(categoryOf(character))) return true
  return ['"', "'", '*', '|', '¿', '¡'].includes(character)
}

/** §4, a word: "a character that is neither white space, nor of category P or Cf, nor ASCII punctuation". */
function isWord(character: string): boolean {
  if (isWhiteSpace(character) || /^[\p{P}\p{Cf}]$/u.test(character)) return false
  return !/^[!-/:-@[-`{-~]$/u.test(character)
}
