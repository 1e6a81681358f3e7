/** How a worst case is written down, and how an input of any length is made of it. */

/** `before`, then `unit` again and again, then as often `closer`, then `after`. */
export interface WorstCase {
  before: string
  unit: string
  /** Empty where nothing nests. */
  closer: string
  after: string
}

/** Builds an input of about, and not more than, a length; at least one unit long. */
export function buildInput({ before, unit, closer, after }: WorstCase, length: number): string {
  const count = Math.max(1, Math.floor((length - before.length - after.length) / (unit.length + closer.length)))
  // Through JSON: the engine would put the pieces of a repeated string together only in the measured run.
  return JSON.parse(JSON.stringify(before + unit.repeat(count) + closer.repeat(count) + after))
}
