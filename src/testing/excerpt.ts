/** A line of a source with a caret below a position. */
import { displayWidth } from '../convert/display-width.js'
import type { Point, Position } from '../tree.js'

/** Characters that would change or break a line. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u

/**
 * Shows a position in a source as compilers do, in two lines: the source's with its number, and the carets. Of a position,
 * only the first line is marked.
 */
export function excerpt(source: string, place: Point | Position): string {
  const start = 'start' in place ? place.start : place
  const end = 'start' in place ? place.end : place
  const line = lineOf(source, start.line)
  const widthOf = (from: number, to: number): number => displayWidth(shown(line.slice(from, to)))
  const from = start.column - 1
  const to = end.line > start.line ? line.length : Math.max(from + 1, end.column - 1)
  const number = String(start.line)
  const carets = '^'.repeat(Math.max(1, widthOf(from, to)))
  return `${number} | ${shown(line)}\n${' '.repeat(number.length)} | ${' '.repeat(widthOf(0, from))}${carets}`
}

function lineOf(source: string, number: number): string {
  return source.split(/\r\n|\r|\n/)[number - 1] ?? ''
}

function shown(line: string): string {
  return Array.from(line, (char) => (INVISIBLE.test(char) ? '·' : char)).join('')
}
