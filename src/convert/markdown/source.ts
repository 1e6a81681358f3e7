/** A text that is made from parts of a document, and the positions of its characters in the document. */
import type { Nodes } from 'mdast'

/** A point of unist with its offset. */
export interface Point {
  readonly line: number
  readonly column: number
  readonly offset: number
}

export interface Source {
  readonly text: string
  /** The starts of the parts. */
  readonly origins: readonly Origin[]
  /** The point of the document after the text. */
  readonly end: Point
}

/** The start of a part: `at` in the text, `point` in the document. `before` is the document's end of the part before it. */
interface Origin {
  readonly at: Point
  readonly point: Point
  readonly before: Point
}

export const START: Point = { line: 1, column: 1, offset: 0 }

/** Returns a text that starts at a point of the document. */
export function sourceAt(point: Point, text = ''): Source {
  return { text, origins: [{ at: START, point, before: point }], end: pointAfter(point, text) }
}

/** Returns the point after a text that starts at a point. */
export function pointAfter(start: Point, text: string): Point {
  if (text === '') return start
  const lines = text.split(/\r\n?|\n/)
  return movedBy({ line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1, offset: text.length }, start)
}

/** Returns a point of a text as a point of a longer text, in which the text starts at `start`. */
function movedBy({ line, column, offset }: Point, start: Point): Point {
  return {
    line: start.line + line - 1,
    column: line === 1 ? start.column + column - 1 : column,
    offset: start.offset + offset,
  }
}

/** Returns a source with another one after it. */
export function joined(one: Source, other: Source): Source {
  if (one.text === '') return other
  const text = one.text + other.text
  const { at, point } = one.origins.at(-1) ?? { at: START, point: START }
  const isContiguous = other.origins[0]?.point.offset === point.offset + one.text.length - at.offset
  const added = isContiguous ? other.origins.slice(1) : other.origins
  if (added.length === 0) return { text, origins: one.origins, end: other.end }
  const origins = [...one.origins, ...originsAfter(one.text, added)]
  if (!isContiguous) origins[one.origins.length] = { ...(origins[one.origins.length] as Origin), before: one.end } // Added above.
  return { text, origins, end: other.end }
}

/** Returns the origins of a text after another text was put before it. */
export function originsAfter(before: string, origins: readonly Origin[]): Origin[] {
  const start = pointAfter(START, before)
  return origins.map((origin) => ({ ...origin, at: movedBy(origin.at, start) }))
}

/** Returns a part of a source. */
export function sliced({ text, origins }: Source, start: number, end: number = text.length): Source {
  const point = pointAfter(START, text.slice(0, start))
  const part = text.slice(start, end)
  const later = origins.filter(({ at }) => at.offset > start && at.offset < end)
  return {
    text: part,
    origins: [
      { at: START, point: inDocument(origins, point), before: point },
      ...later.map((origin) => ({ ...origin, at: pointAfter(START, text.slice(start, origin.at.offset)) })),
    ],
    end: inDocument(origins, pointAfter(point, part), true),
  }
}

/** Returns the point of the document for a point of a text. At the start of a part, an end belongs to the part before it. */
export function inDocument(origins: readonly Origin[], { line, column, offset }: Point, isEnd = false): Point {
  const origin = origins.findLast(({ at }) => at.offset <= offset) ?? origins[0]
  if (origin === undefined) return { line, column, offset }
  const { at, point, before } = origin
  if (isEnd && at.offset === offset && at.offset > 0) return before
  return {
    line: point.line + line - at.line,
    column: line === at.line ? point.column + column - at.column : column,
    offset: point.offset + offset - at.offset,
  }
}

/** Moves the positions of a node and its descendants from a text to the document. */
export function moveToDocument(node: Nodes, origins: readonly Origin[]): void {
  if (node.position !== undefined) {
    const { start, end } = node.position
    // The parser gives every point an offset.
    node.position = {
      start: inDocument(origins, start as Point),
      end: inDocument(origins, end as Point, true),
    }
  }
  if ('children' in node) for (const child of node.children) moveToDocument(child, origins)
}
