/** Applies the corrections that are certain. */
import { describe } from '../describe.js'
import { type LintMessage, type LintOptions, lint } from './lint.js'
import { rules } from './rules.js'

/** A correction may be inside another one, which the next round applies: `<b>a ~~x~~ b</b>`. */
const ROUNDS_MAX = 8

/**
 * Applies every correction that {@link lint} is sure of. Other warnings stay for `lint` to report.
 *
 * @param source - one block or body
 * @param options - the rules to turn off
 * @returns the corrected source
 * @throws {TypeError} if `source` is not a string
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

/** Applies the sure corrections. If two overlap or touch, only the first: the next round checks the other again. */
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
