/**
 * The entry `blockmark/arbitraries`: fast-check arbitraries of the dialect, to fuzz a bot or a renderer. They are in
 * `arbitraries.ts`; this file says what to install if fast-check is missing.
 */
import type { Arbitrary } from 'fast-check'
import { orInstall } from '../missing.js'
import type { Root } from '../tree.js'

const arbitraries: typeof import('./arbitraries.js') = await import('./arbitraries.js').catch(
  orInstall('blockmark/arbitraries', ['fast-check'], '--save-dev'),
)

/**
 * A string shaped like the dialect: it meets every rule of §1 to §4. It may be any string, since all strings parse.
 *
 * @example
 * import fc from 'fast-check'
 *
 * fc.assert(fc.property(anySource, (source) => toHtml(source) === toHtml(parse(source))))
 */
export const anySource: Arbitrary<string> = arbitraries.anySource

/** Any tree of §5, without positions and with any values in its fields. It passes `assertTree`. */
export const anyTree: Arbitrary<Root> = arbitraries.anyTree

/** A tree that can be written as it is (§8): `parse(stringify(tree), { position: false })` equals it. */
export const writableTree: Arbitrary<Root> = arbitraries.writableTree

/** A short text that may contain markup, HTML, control characters and lone surrogates. */
export const hostileText: Arbitrary<string> = arbitraries.hostileText
