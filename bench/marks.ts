/**
 * Characters that a parser of the dialect cannot skip: `&` and `<`, a backslash, a backtick, an opening bracket, a line ending,
 * the colon of `://`, and a `*`, `_` or `-` unless it is between ASCII letters or digits.
 */
const mark = /[\\`<&[\n\r]|:(?=\/\/)|(?<![A-Za-z\d])[*_-]|[*_-](?![A-Za-z\d])/g

/** Counts the characters that may be markup. */
export function countMarks(text: string): number {
  return text.match(mark)?.length ?? 0
}
