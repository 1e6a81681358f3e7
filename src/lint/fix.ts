/** Applies the corrections that are certain. */
import { describe } from '../describe.js'
import type { Diagnostic } from '../diagnostic.js'
import { nodesOf, outside } from './find.js'
import type { Range } from './lines.js'
import { type LintOptions, lint } from './lint.js'
import { type RuleId, rules } from './rules.js'

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

interface Correction {
  readonly range: Range
  readonly instead: string
  /** Whether it changes only a part of a line. The others change the kinds of lines, so they come first. */
  readonly isInline: boolean
}

function apply(source: string, diagnostics: readonly Diagnostic<RuleId>[]): string {
  const corrections = correctionsOf(diagnostics)
  const ofLines = corrections.filter(({ isInline }) => !isInline)
  return replace(source, ofLines.length > 0 ? ofLines : safeOnes(source, corrections, HALVINGS))
}

/** Returns the sure corrections. If two overlap or touch, only the first: the next round checks the other again. */
function correctionsOf(diagnostics: readonly Diagnostic<RuleId>[]): Correction[] {
  const corrections: Correction[] = []
  for (const { ruleId, place, expected } of diagnostics) {
    const { isSure, isText, pattern } = rules[ruleId]
    const [instead, ...others] = expected ?? []
    if (isSure !== true || instead === undefined || others.length > 0) continue
    if (place === undefined || !('start' in place)) continue
    const [start = 0, end = 0] = [place.start.offset, place.end.offset]
    const isInline = pattern !== undefined && isText !== true
    if (start > (corrections.at(-1)?.range[1] ?? -1)) corrections.push({ range: [start, end], instead, isInline })
  }
  return corrections
}

function replace(source: string, corrections: readonly Correction[]): string {
  let from = 0
  const pieces = corrections.map(({ range: [start, end], instead }) => {
    const piece = source.slice(from, start) + instead
    from = end
    return piece
  })
  return pieces.join('') + source.slice(from)
}

/** The number of times that corrections are halved to find those that change something else. */
const HALVINGS = 5

/** Returns the corrections that change nothing else, also far away: `lint` parses only the text near each of them. */
function safeOnes(source: string, corrections: readonly Correction[], halvings: number): readonly Correction[] {
  if (corrections.length === 0 || changesNothingElse(source, corrections)) return corrections
  const half = corrections.length >> 1
  if (half === 0 || halvings === 0) return []
  const first = safeOnes(source, corrections.slice(0, half), halvings - 1)
  const both = [...first, ...safeOnes(source, corrections.slice(half), halvings - 1)]
  return changesNothingElse(source, both) ? both : first
}

function changesNothingElse(source: string, corrections: readonly Correction[]): boolean {
  let growth = 0
  const after = corrections.map(({ range: [start, end], instead }): Range => {
    const from = start + growth
    growth += instead.length - (end - start)
    return [from, from + instead.length]
  })
  const was = outside(
    nodesOf(source),
    corrections.map(({ range }) => range),
  )
  return was.join() === outside(nodesOf(replace(source, corrections)), after).join()
}
