/** What the parser makes of a spelled draft, against what is meant. */
import type { Draft } from './draft.js'
import { isLiteral, spell } from './escapes.js'
import { BARE_LINK, BREAK, CLOSE, LINK, LINK_END, MARK_SIZE, readMarks } from './marks.js'

export interface Attempt {
  readonly source: string
  /** Whether the source is read as it is meant. */
  readonly isRight: boolean
  /** Characters that are meant as text and begin markup. */
  readonly eaten: readonly number[]
  /** The marks that are meant and not there, by their index. */
  readonly missing: readonly number[]
}

/** Reads a draft with escapes before the characters at those places. */
export function attempt(draft: Draft, escapes: readonly number[]): Attempt {
  const { source, backslashes } = spell(draft, escapes)
  const { marks, words } = readMarks(source)
  const eaten: number[] = []
  const missing: number[] = []
  const meant = draft.marks
  let next = 0
  let shift = 0
  let found = 0
  while (next < meant.length || found < marks.length) {
    const start = meant[next] ?? Infinity
    while (shift < backslashes.length && (backslashes[shift] ?? 0) <= start) shift += 1
    const foundStart = marks[found] ?? Infinity
    const isSame = start + shift === foundStart
    if (isSame && isSameMark(meant, next, marks, found, shift)) {
      next += MARK_SIZE
      found += MARK_SIZE
    } else if (foundStart < start + shift) {
      addEaten(eaten, draft, marks, found, backslashes)
      found += MARK_SIZE
    } else {
      missing.push(next / MARK_SIZE)
      next += MARK_SIZE
    }
  }
  // Formatting inside another of its kind leaves no mark (§4), but takes its markers out of the text.
  const isRight = eaten.length === 0 && missing.length === 0 && words === draft.words
  return { source, isRight, eaten, missing }
}

function isSameMark(
  meant: readonly number[],
  next: number,
  marks: readonly number[],
  found: number,
  shift: number,
): boolean {
  return (meant[next + 1] ?? 0) + shift === marks[found + 1] && meant[next + 2] === marks[found + 2]
}

/** Notes what has to be escaped so that the mark at `found` is not found again: what it begins with, where that is text. */
function addEaten(
  eaten: number[],
  draft: Draft,
  marks: readonly number[],
  found: number,
  backslashes: readonly number[],
): void {
  const [start = 0, end = 0, kind = 0, partner = 0] = marks.slice(found, found + MARK_SIZE)
  const at = draftPlace(backslashes, start)
  if (kind < LINK) {
    // Of two delimiters that are both text the first is enough.
    if (kind >= CLOSE && isLiteral(draft, draftPlace(backslashes, partner))) return
    for (let offset = 0; offset < end - start; offset += 1) if (isLiteral(draft, at + offset)) eaten.push(at + offset)
  } else if (kind === BARE_LINK) {
    const colon = draft.text.indexOf(':', at)
    if (isLiteral(draft, colon)) eaten.push(colon)
  } else if (kind !== LINK_END && kind !== BREAK && isLiteral(draft, at)) eaten.push(at)
}

/** The place in the draft of a place in its source. */
function draftPlace(backslashes: readonly number[], place: number): number {
  let low = 0
  let high = backslashes.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((backslashes[middle] ?? 0) + middle < place) low = middle + 1
    else high = middle
  }
  return place - low
}
