/** A part of a text as a leaf, for those who ask the parser what stands in it, or what is open at its end. */
import { EVENT_SIZE, type Leaf, NOWHERE } from './leaf.js'

/** A leaf whose text goes on with `rest` behind its end. */
export function leafOf(text: string, rest: string): Leaf {
  const lines: number[] = []
  for (const line of text.split('\n')) lines.push(0, 0, line.length, line.length)
  return {
    text: text + rest,
    isSource: false,
    start: 0,
    end: text.length,
    lines,
    linesEnd: lines.length,
    lineNumber: 1,
    tape: new Int32Array(16 * EVENT_SIZE),
    tapeEnd: 0,
    matches: [],
    matchesEnd: 2,
    textStart: 0,
    sourceStart: 0,
    shrugEnd: 0,
    lastBackticks: null,
    backticksFrom: NOWHERE,
  }
}
