/**
 * What a reader of the dialect can not pass over: `&` and `<`, a backslash, a backtick, an opening bracket, a line ending,
 * the colon of `://`, and a `*`, `_` or `-` unless ASCII letters or digits stand on both sides of it.
 */
const mark = /[\\`<&[\n\r]|:(?=\/\/)|(?<![A-Za-z\d])[*_-]|[*_-](?![A-Za-z\d])/g

/** Counts the characters that may mean something. */
export function countMarks(text: string): number {
  return text.match(mark)?.length ?? 0
}
