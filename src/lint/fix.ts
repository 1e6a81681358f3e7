/** Applies the corrections that are certain. */
import { describe } from '../describe.js'
import type { Diagnostic } from '../diagnostic.js'
import { effectOf } from './find.js'
import { type LintOptions, lint } from './lint.js'
import { type RuleId, rules } from './rules.js'

/** Maximum number of rounds. A correction inside another one needs its own round: `<b>a ~~x~~ b</b>`. */
const ROUNDS_MAX = 8

/**
 * Applies every correction that the author certainly meant. {@link lint} still reports the other warnings.
 *
 * @param source - one block or body
 * @param options - the rules to turn off, and limits that differ from the service's
 * @returns the corrected source
 * @throws {TypeError} if `source` is not a string, or a limit is not a number of 1 or more
 * @example
 * fix('### Done\n- __all__ of ~~it~~') // => '## Done\n- __all__ of -it-'
 */
export function fix(source: string, options: LintOptions = {}): string {
  if (typeof source !== 'string') throw new TypeError(`fix: expected a string, received ${describe(source)}`)
  let fixedSource = source
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const previousSource = fixedSource
    const certainDiagnostics = lint(fixedSource, options).filter(
      ({ ruleId, expected }) => rules[ruleId].isCertain && expected !== undefined,
    )
    // The first characters of a line decide its kind, so they are corrected before the rest.
    const lineCorrections = certainDiagnostics.filter(({ ruleId }) => rules[ruleId].isText)
    fixedSource = apply(fixedSource, lineCorrections.length > 0 ? lineCorrections : certainDiagnostics)
    if (fixedSource === previousSource) break
  }
  return fixedSource
}

/** Applies corrections that change nothing else in their paragraph. If two corrections touch, the second waits for the next round. */
function apply(source: string, diagnostics: readonly Diagnostic<RuleId>[]): string {
  let fixedSource = source
  let last = -1
  for (const { ruleId, place, expected: [replacement = ''] = [] } of diagnostics) {
    const [start = 0, end = 0] = place !== undefined && 'start' in place ? [place.start.offset, place.end.offset] : []
    if (start <= last) continue
    const growth = fixedSource.length - source.length
    const [from, to] = [start + growth, end + growth]
    if (!rules[ruleId].isText && !effectOf(fixedSource, from, to, replacement, Infinity).keepsRest) continue
    fixedSource = fixedSource.slice(0, from) + replacement + fixedSource.slice(to)
    last = end
  }
  return fixedSource
}
