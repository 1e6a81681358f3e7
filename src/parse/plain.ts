/** The first look at a source: the place of the first character that may be special (§2, §3). */
import { anyDelimiter, SEPARATOR } from '../delimiters.js'

/** Every character that `mark` stops at, for HTML too. Delimiters in a word of ASCII do not match: most delimiters are such. */
const special = new RegExp(
  `[\\\\\`<&[\\n\\r\\0${SEPARATOR}]|:\\/\\/|${anyDelimiter}(?![A-Za-z\\d])|(?<![A-Za-z\\d])${anyDelimiter}`,
  'g',
)

// V8 compiles an expression for the second text that it reads, for narrow and for wide ones, and counts that one's
// characters: if half of them were stars, all texts after it would be read at a third of the speed.
for (const text of ['a', 'a', '\u2014a', '\u2014a']) special.test(text)

/** All of the source is the text of one paragraph, without a change. */
export const PLAIN = 0

/** The place from which a source must be read, counted from 1; {@link PLAIN} if it need not be read. */
export function firstSpecial(source: string): number {
  const { length } = source
  if (length === 0) return 1
  special.lastIndex = 0
  if (special.test(source)) {
    const end = special.lastIndex
    // Of `://` the colon is looked for.
    return source.charCodeAt(end - 1) === 47 /* / */ ? end - 2 : end
  }
  return source.charCodeAt(0) > 35 /* # */ && source.charCodeAt(length - 1) > 32 ? PLAIN : length + 1
}
