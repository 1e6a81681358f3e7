/** A target of the fuzzer: a function that takes text from outside, and its properties for every text. */

/** One input. */
export interface Input {
  readonly text: string
  /** Another choice, for example the position at which a text is cut: an integer of 0 or more. */
  readonly knob: number
}

export interface Target {
  readonly name: string
  /** The form of inputs, which decides how they are changed. */
  readonly form: 'text' | 'json'
  /** Returns the first inputs. */
  readonly seeds: () => readonly string[]
  /**
   * Throws if a property is violated; the message begins with the property and a colon. Returns the kinds of the result, in a
   * few words each: an input with a new kind is kept.
   */
  readonly check: (input: Input) => readonly string[] | Promise<readonly string[]>
  /** An input as an example for a chapter, or in its most readable form. */
  readonly show: (input: Input) => string
  /** Work that is linear in the length of its text; null if the time is bounded in another way. */
  readonly work: ((text: string) => unknown) | null
}

/** Throws an error that names the violated property and the values. */
export function fail(property: string, ...found: readonly unknown[]): never {
  const said = found.map((each) => (typeof each === 'string' ? each : JSON.stringify(each)))
  throw new Error(`${property}: ${said.join('\n  is not ')}`)
}
