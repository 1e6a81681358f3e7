/** A delimiter run (§4), as the parser sees it. */
import { endOfRun } from '../../parse/neighbours.js'
import type { Reader } from '../../parse/reader.js'
import { type Chain, flagsOfBoundary, flagsOfFlanking } from '../../parse/run.js'
import { isFlanking } from '../../parse/units.js'

/** From `start` to `end`. */
export interface Run {
  readonly char: number
  readonly start: number
  readonly end: number
  /** What its neighbours let it do, as `parse/run.ts` has it. */
  readonly flags: number
}

/** The run that starts at `start`. */
export function runAt({ chars }: Reader, start: number, chain: Chain): Run {
  const char = chars[start] ?? 0
  const end = endOfRun(chars, start)
  const flags = isFlanking(char) ? flagsOfFlanking(chars, start, end, 0) : flagsOfBoundary(chars, start, chain)
  return { char, start, end, flags }
}

export function newChain(): Chain {
  return { start: 0, end: 0, after: 0 }
}

export function markOf({ char, start, end }: Pick<Run, 'char' | 'start' | 'end'>): string {
  return `\`${String.fromCharCode(char).repeat(end - start)}\``
}
