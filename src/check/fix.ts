/** Writes what was meant, where that is certain. */

import { describe } from '../describe.js'
import { rules } from './lint/rules.js'
import { type LintMessage, type LintOptions, lint } from './lint.js'

/** What one round puts right may be inside of what the next one does: `<b>a ~~x~~ b</b>`. */
const ROUNDS_MAX = 8

/**
 * Writes what a writer meant: all that {@link lint} is sure of is applied. What it is not sure of stays, for it to name.
 *
 * @param source - one block or body
 * @param options - rules to switch off
 * @returns the source, with what was meant in the place of what stood there
 * @throws {TypeError} where `source` is no string
 * @example
 * fix('### Done\n- __all__ of ~~it~~') // => '## Done\n- __all__ of -it-'
 */
export function fix(source: string, options: LintOptions = {}): string {
  if (typeof source !== 'string') throw new TypeError(`fix: expected a string, received ${describe(source)}`)
  let fixed = source
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const before = fixed
    fixed = apply(fixed, lint(fixed, options))
    if (fixed === before) break
  }
  return fixed
}

/** Applies what is sure; of two that overlap or touch, the first: what the other becomes is asked once more. */
function apply(source: string, messages: readonly LintMessage[]): string {
  let fixed = ''
  let end = 0
  for (const { ruleId, place, expected } of messages) {
    const [instead, ...others] = expected ?? []
    if (rules[ruleId].isSure !== true || instead === undefined || others.length > 0) continue
    if (place === undefined || !('start' in place)) continue
    const [from = 0, to = 0] = [place.start.offset, place.end.offset]
    if (from < end || (from === end && end > 0)) continue
    fixed += source.slice(end, from) + instead
    end = to
  }
  return fixed + source.slice(end)
}
