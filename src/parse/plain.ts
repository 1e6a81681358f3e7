/** Finds the first character of a source that may be special (§2, §3). */
import { anyDelimiter, SEPARATOR } from '../delimiters.js'
import { isEscapable } from './units.js'

/** Matches every character at which `mark` stops. Delimiters inside an ASCII word, as most delimiters are, do not match. */
const special = new RegExp(
  `[\\\\\`<&[\\n\\r\\0${SEPARATOR}]|:\\/\\/|${anyDelimiter}(?![A-Za-z\\d])|(?<![A-Za-z\\d])${anyDelimiter}`,
  'g',
)

// V8 compiles a regular expression when it is used the second time, separately for one-byte and two-byte strings, and tunes it
// to that string. If half of its characters were stars, all later texts would be read at a third of the speed.
for (const text of ['a', 'a', '\u2014a', '\u2014a']) special.test(text)

/** The result if the whole source is the text of one paragraph, unchanged. */
export const PLAIN = 0

/** Returns the position from which a source must be parsed, counted from 1; {@link PLAIN} if it need not be parsed. */
export function firstSpecial(source: string): number {
  const { length } = source
  if (length === 0) return 1
  special.lastIndex = 0
  if (special.test(source)) {
    const end = special.lastIndex
    // The stop of `://` is its colon.
    return source.charCodeAt(end - 1) === 47 /* / */ ? end - 2 : end
  }
  const first = source.charCodeAt(0)
  // Every character of a block's marker can be escaped.
  return first > 32 && !isEscapable(first) && source.charCodeAt(length - 1) > 32 ? PLAIN : length + 1
}
