/** What can be fuzzed: something that takes text from outside, and what has to hold for every text. */

/** One input. */
export interface Input {
  readonly text: string
  /** What else there is to choose, such as where a text is cut: any whole number from 0. */
  readonly knob: number
}

export interface Target {
  readonly name: string
  /** What inputs are, which says how one is changed into another. */
  readonly form: 'text' | 'json'
  /** What the first inputs are. */
  readonly seeds: () => readonly string[]
  /**
   * Throws where something does not hold; the message begins with what, up to a colon. What it gives is what the result
   * looks like, in a few words each: an input with a new one is worth keeping, too.
   */
  readonly check: (input: Input) => readonly string[] | Promise<readonly string[]>
  /** An input as an example for a chapter, or as whatever shows it best. */
  readonly show: (input: Input) => string
  /** What takes time in proportion to the length of its text; null where that is bounded in another way. */
  readonly work: ((text: string) => unknown) | null
}

/** Throws what does not hold. */
export function fail(law: string, ...found: readonly unknown[]): never {
  const said = found.map((each) => (typeof each === 'string' ? each : JSON.stringify(each)))
  throw new Error(`${law}: ${said.join('\n  is not ')}`)
}
