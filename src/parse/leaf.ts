/**
 * The leaf that is being read (§3): its text, its lines, and its tape of events: what was found where, in the order of
 * the source. What is made of it is known only at its end, when it is clear which delimiters have found a partner.
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

/** Numbers of an event: kind, start, end, a, b, c. */
export const EVENT_SIZE = 6

/** Greater than every offset. */
export const NOWHERE: number = 0x7fffffff

export interface Leaf {
  /**
   * The text from `start` to `end`. Where the source has the leaf's lines as the leaf does, joined by one LF each, this
   * is the source itself; white space then stands on both sides, as it does at the ends of any text.
   */
  readonly text: string
  readonly isSource: boolean
  readonly start: number
  readonly end: number
  /** Its lines as `lines.ts` keeps them, and the number of the first one. */
  readonly lines: readonly number[]
  readonly linesEnd: number
  readonly lineNumber: number
  tape: Int32Array
  tapeEnd: number
  /** Two numbers a match, the first at 2: how many delimiters of each side it takes, the match its opener made before. */
  readonly matches: number[]
  matchesEnd: number
  /** Where the text begins that no event holds yet, and where its source begins. */
  textStart: number
  sourceStart: number
  /** Where the last shrug ends: two may not share a character (§3.1). */
  shrugEnd: number
  /** Where the last run of backticks of each length ends, among all runs from `backticksFrom` on (§3.2). */
  lastBackticks: Map<number, number> | null
  backticksFrom: number
}

/** Writes an event for the range from `start` to `end`, and one before it for the text that led up to it. */
export function addEvent(leaf: Leaf, kind: number, start: number, end: number, a: number): void {
  endText(leaf, start)
  write(leaf, kind, start, end, a)
  startText(leaf, end, end)
}

/** From here on, what no construct takes is text; its source may begin earlier. */
export function startText(leaf: Leaf, start: number, sourceStart: number): void {
  leaf.textStart = start
  leaf.sourceStart = sourceStart
}

/** Writes an event for the text that has no event yet, up to `at`. */
export function endText(leaf: Leaf, at: number): void {
  if (leaf.textStart < at) write(leaf, TEXT, leaf.textStart, at, leaf.sourceStart)
}

function write(leaf: Leaf, kind: number, start: number, end: number, a: number): void {
  const at = leaf.tapeEnd
  if (at + EVENT_SIZE > leaf.tape.length) {
    const { tape } = leaf
    leaf.tape = new Int32Array(tape.length * 2)
    leaf.tape.set(tape)
  }
  const { tape } = leaf
  tape[at] = kind
  tape[at + 1] = start
  tape[at + 2] = end
  tape[at + 3] = a
  tape[at + 4] = 0
  tape[at + 5] = 0
  leaf.tapeEnd = at + EVENT_SIZE
}
