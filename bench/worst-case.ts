/** The format of a worst case, and how an input of any length is made from it. */

/** `before`, then `unit` repeated, then `closer` the same number of times, then `after`. */
export interface WorstCase {
  before: string
  unit: string
  /** Empty if the units do not nest. */
  closer: string
  after: string
}

/** Builds an input of at most the given length, with as many units as fit, at least one. */
export function buildInput({ before, unit, closer, after }: WorstCase, length: number): string {
  const count = Math.max(1, Math.floor((length - before.length - after.length) / (unit.length + closer.length)))
  // Through JSON: otherwise the engine would join the pieces of the repeated string in the measured run.
  return JSON.parse(JSON.stringify(before + unit.repeat(count) + closer.repeat(count) + after))
}
