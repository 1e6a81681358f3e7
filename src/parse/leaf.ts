/**
 * The leaf that is being read (§3): its text, its lines, and its tape of events: what was found where, in the order of
 * the source. The tree is made of the tape afterwards, when it is known which delimiters have found a partner.
 */

// An event's kind. Its `start` and `end` are offsets in the leaf's text.
export const TEXT = 0 // a: where its source begins, which is before `start` where backslashes were dropped
export const BREAK = 1
export const CODE = 2 // a: the number of backticks at each end
export const MENTION = 3
export const BARE_LINK = 4
export const LABEL_URL = 5 // a url in a link's label: text
export const LINK = 6 // a: where its label ends; the events of the label follow, then LINK_END
export const LINK_END = 7
export const RUN = 8 // a: its newest match as an opener, b: its first match as a closer, c: how often it closes

/** Greater than every offset. */
export const NOWHERE: number = 0x7fffffff

/** Numbers of one event: kind, start, end, a, b, c. */
export const EVENT_SIZE = 6

/** Numbers of one line: where it starts in the text, where that is in the source, where the source's line starts. */
export const LINE_SIZE = 3

export interface Leaf {
  /**
   * The text from `start` to `end`. Where the source has the leaf's lines as the leaf does, joined by one LF each, it is
   * the source itself; white space then stands on both sides, as it does at the ends of any text.
   */
  text: string
  start: number
  end: number
  lines: number[]
  linesEnd: number
  /** The number of the first line in the source. */
  lineNumber: number
  tape: Int32Array
  tapeEnd: number
  /** Where the text begins that no event holds yet, and where its source begins. */
  textStart: number
  sourceStart: number
  /** Where the last shrug ends: two may not share a character (§3.1). */
  shrugEnd: number
  /** Where the last run of backticks of each length ends, among all runs from `backticksFrom` on (§3.2). */
  lastBackticks: Map<number, number>
  backticksFrom: number
}

export function createLeaf(): Leaf {
  return {
    text: '',
    start: 0,
    end: 0,
    lines: [],
    linesEnd: 0,
    lineNumber: 1,
    tape: new Int32Array(64 * EVENT_SIZE),
    tapeEnd: 0,
    textStart: 0,
    sourceStart: 0,
    shrugEnd: 0,
    lastBackticks: new Map(),
    backticksFrom: NOWHERE,
  }
}

/** Begins the tape of the leaf that is the text from `start` to `end`; its lines are known already. */
export function startLeaf(leaf: Leaf, text: string, start: number, end: number): void {
  leaf.text = text
  leaf.start = start
  leaf.end = end
  leaf.tapeEnd = 0
  leaf.textStart = start
  leaf.sourceStart = start
  leaf.shrugEnd = start
  if (leaf.backticksFrom !== NOWHERE || leaf.lastBackticks.size > 0) leaf.lastBackticks.clear()
  leaf.backticksFrom = NOWHERE
}

/** Adds a line to the leaf that comes next; the first one has `number`. */
export function addLine(leaf: Leaf, start: number, sourceStart: number, lineStart: number): void {
  const { lines, linesEnd } = leaf
  lines[linesEnd] = start
  lines[linesEnd + 1] = sourceStart
  lines[linesEnd + 2] = lineStart
  leaf.linesEnd = linesEnd + LINE_SIZE
}

/** Writes an event for the range from `start` to `end`, and one before it for the text that led up to it. */
export function addEvent(leaf: Leaf, kind: number, start: number, end: number, a: number): void {
  endText(leaf, start)
  write(leaf, kind, start, end, a)
  leaf.textStart = end
  leaf.sourceStart = end
}

/** Writes an event for the text that has no event yet, up to `at`. */
export function endText(leaf: Leaf, at: number): void {
  if (leaf.textStart < at) write(leaf, TEXT, leaf.textStart, at, leaf.sourceStart)
}

function write(leaf: Leaf, kind: number, start: number, end: number, a: number): void {
  const at = leaf.tapeEnd
  if (at + EVENT_SIZE > leaf.tape.length) leaf.tape = grown(leaf.tape)
  const { tape } = leaf
  tape[at] = kind
  tape[at + 1] = start
  tape[at + 2] = end
  tape[at + 3] = a
  tape[at + 4] = 0
  tape[at + 5] = 0
  leaf.tapeEnd = at + EVENT_SIZE
}

/** A copy with twice the room. */
export function grown(numbers: Int32Array): Int32Array {
  const larger = new Int32Array(numbers.length * 2)
  larger.set(numbers)
  return larger
}
