/** The leaf at an offset, and its tape. Offsets in its text are called `at`, those in the source `offset`. */
import { read } from '../../parse/index.js'
import { readLeaf } from '../../parse/inline.js'
import { EVENT_SIZE, type Leaf, TEXT } from '../../parse/leaf.js'
import { LINE_SIZE } from '../../parse/lines.js'
import { createSpecials } from '../../parse/specials.js'
import { TreeOutput } from '../../parse/tree-output.js'

/** One entry of the tape, as `parse/leaf.ts` describes it. */
export type Event = readonly [kind: number, start: number, end: number, a: number, b: number, c: number]

/** What a rule says, and the offsets of what it is about. */
export type Told = readonly [section: string, message: string, start: number, end: number]

export interface ReadLeaf {
  /** Before it was read. */
  readonly leaf: Leaf
  readonly events: readonly Event[]
  readonly matches: readonly number[]
}

/** The leaf that holds the character at an offset. */
export function findLeaf(input: string, offset: number): ReadLeaf | null {
  const found: Leaf[] = []
  const output = new TreeOutput(false)
  output.enter = (leaf) => {
    const { lines, linesEnd } = leaf
    if ((lines[1] ?? 0) <= offset && offset < (lines[linesEnd - 2] ?? 0)) found.push(copyOf(leaf))
  }
  read(input, output)
  const leaf = found.at(-1)
  return leaf === undefined ? null : reread(leaf)
}

/** A leaf as it is before it is read. */
export function copyOf(leaf: Leaf): Leaf {
  return { ...leaf, lines: leaf.lines.slice(0, leaf.linesEnd), tape: new Int32Array(EVENT_SIZE), matches: [] }
}

function reread(unread: Leaf): ReadLeaf {
  const leaf = copyOf(unread)
  readLeaf(leaf, createSpecials(leaf.text))
  const events: Event[] = []
  for (let at = 0; at < leaf.tapeEnd; at += EVENT_SIZE) {
    const [kind = 0, start = 0, end = 0, a = 0, b = 0, c = 0] = leaf.tape.slice(at, at + EVENT_SIZE)
    events.push([kind, start, end, a, b, c])
  }
  if (events.length === 0) events.push([TEXT, leaf.start, leaf.end, leaf.start, 0, 0])
  return { leaf: unread, events, matches: leaf.matches }
}

/** Where a character of the source is in the leaf; what stands between two lines is the line ending between them. */
export function atOf(leaf: Leaf, offset: number): number {
  let at = leaf.start
  for (const [contentStart, contentEnd] of linesOf(leaf)) {
    if (offset < contentEnd) return Math.max(at - 1, at + offset - contentStart)
    at += contentEnd - contentStart + 1
  }
  return at
}

/** Where a character of the leaf is in the source. */
export function offsetOf(leaf: Leaf, at: number): number {
  let lineStart = leaf.start
  for (const [contentStart, contentEnd] of linesOf(leaf)) {
    if (at <= lineStart + contentEnd - contentStart) return contentStart + at - lineStart
    lineStart += contentEnd - contentStart + 1
  }
  return at
}

function* linesOf({ lines }: Leaf): Generator<[contentStart: number, contentEnd: number]> {
  for (let line = 0; line < lines.length; line += LINE_SIZE) yield [lines[line + 1] ?? 0, lines[line + 2] ?? 0]
}
