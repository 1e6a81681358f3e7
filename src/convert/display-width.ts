/** Measures text in columns, for code and terminals, where a character takes none, one or two columns. */

/** Wide and fullwidth characters of Unicode 17 other than emoji (East_Asian_Width W and F). */
const WIDE =
  /[\u1100-\u115F\u2329\u232A\u2630-\u2637\u268A-\u268F\u2E80-\u303E\u3041-\u3247\u3250-\uA4C6\uA960-\uA97C\uAC00-\uD7A3\uF900-\uFAFF\uFE10-\uFE19\uFE30-\uFE6B\uFF01-\uFF60\uFFE0-\uFFE6\u{16FE0}-\u{18DFF}\u{1AFF0}-\u{1B2FB}\u{1D300}-\u{1D376}\u{1F200}-\u{1F265}\u{20000}-\u{3FFFD}]/u
/** Characters that are shown as emoji, by themselves or because of U+FE0F. */
const EMOJI = /\p{Emoji_Presentation}|\p{Emoji}\uFE0F|\p{Emoji}\uFE0F?\u20E3/u
/** Matches a grapheme without a width. */
const INVISIBLE = /^[\p{M}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]*$/u

let segmenter: Intl.Segmenter | null = null

/**
 * Returns the number of columns that a text takes.
 *
 * @param text - one line
 * @example
 * displayWidth('数量 👩‍💻') // => 7
 */
export function displayWidth(text: string): number {
  // Most text is ASCII. All other text is measured by graphemes, so that an emoji of several code points counts once.
  if (/^[\x20-\x7e]*$/.test(text)) return text.length
  segmenter ??= new Intl.Segmenter('en')
  let width = 0
  for (const { segment } of segmenter.segment(text)) {
    if (!INVISIBLE.test(segment)) width += EMOJI.test(segment) || WIDE.test(segment) ? 2 : 1
  }
  return width
}
