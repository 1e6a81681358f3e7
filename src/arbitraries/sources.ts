/** Strings shaped like the dialect, so that random input meets its rules. */
import fc from 'fast-check'
import { piece, separator, soup, split } from './pieces.js'

/** Few different pieces, so that equal ones are often near each other. */
const narrow: fc.Arbitrary<string> = fc
  .tuple(fc.array(piece, { minLength: 2, maxLength: 6 }), fc.array(fc.nat({ max: 5 }), { maxLength: 20 }))
  .map(([pieces, choices]) => choices.map((choice) => pieces[choice % pieces.length]).join(''))

/** Many separators, so that they pair, cross and are left open (§3.6). */
const forced: fc.Arbitrary<string> = fc
  .array(fc.oneof({ withCrossShrink: true }, { arbitrary: piece, weight: 2 }, { arbitrary: separator, weight: 3 }), {
    maxLength: 16,
  })
  .map((pieces) => pieces.join(''))

const outers: readonly string[] = split(
  'x **x** *x* ***x*** _x_ -x- "x" (x) `x` **x:** **x**x',
  '\u2063**x**\u2063 \u2063*x*\u2063 \u2063_x_\u2063 \u2063-x-\u2063',
)
const inners: readonly string[] = [
  ...['x', ' x', 'x '],
  ...split('[x](http://a.b/c) [x](mailto:a_b) [x](http://a/(b\\)c)) [x] <@1|x> http://a/x http://a/(x 「x」 *x**x*'),
]

/** Constructs with constructs in them, most of them well-formed. */
const nested: fc.Arbitrary<string> = fc.letrec<{ row: string; node: string }>((tie) => ({
  row: fc
    .array(
      fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        fc.constantFrom('a', ' ', 'b c', '.'),
        piece,
        tie('node'),
      ),
      { minLength: 1, maxLength: 4 },
    )
    .map((parts) => parts.join('')),
  node: fc
    .tuple(fc.constantFrom(...outers), fc.constantFrom(...inners), tie('row'))
    .map(([outer, inner, row]) => outer.replaceAll('x', () => inner.replaceAll('x', () => row))),
})).row

const lineStarts: readonly string[] = [
  ...['', '# ', '## ', '#', '##', '###', '* ', '*  ', '*', '*\t', ' * ', '- ', '1. ', '> ', '  ', '\t', '---', 'a'],
  ...['```', '```js', '```js a=1', '````', '  ```', '<!1|>', '<!1|a.pdf>', '<!a b|>', '<@1>'],
]

/** Blocks of all kinds, some of them malformed. */
const lines: fc.Arbitrary<string> = fc
  .array(
    fc.tuple(
      fc.constantFrom(...lineStarts),
      fc.oneof(fc.constant(''), soup, nested),
      fc.constantFrom('\n', '\n', '\n\n', '\r\n', '\r'),
    ),
    { maxLength: 6 },
  )
  .map((all) => all.map((line) => line.join('')).join(''))

/** Any code units at all. */
const units: fc.Arbitrary<string> = fc
  .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 12 })
  .map((all) => String.fromCharCode(...all))

/**
 * A string shaped like the dialect: it meets every rule of §1 to §4, most of them often. It may be any string, since all strings
 * parse.
 */
export const anySource: fc.Arbitrary<string> = fc.oneof(
  { arbitrary: soup, weight: 3 },
  { arbitrary: narrow, weight: 4 },
  { arbitrary: forced, weight: 2 },
  { arbitrary: nested, weight: 3 },
  { arbitrary: lines, weight: 3 },
  { arbitrary: units, weight: 1 },
)
