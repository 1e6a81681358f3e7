/** Strings shaped like the dialect, so that random input exercises the dialect's rules. */
import fc from 'fast-check'
import { anyPieces, piece, separator, split } from './pieces.js'

/** Strings made of few different pieces, so that equal pieces are often near each other. */
const repeatedPieces: fc.Arbitrary<string> = fc
  .tuple(fc.array(piece, { minLength: 2, maxLength: 6 }), fc.array(fc.nat({ max: 5 }), { maxLength: 20 }))
  .map(([pieces, choices]) => choices.map((choice) => pieces[choice % pieces.length]).join(''))

/** Many separators, so that they pair, cross and are left open (§3.6). */
const separatorText: fc.Arbitrary<string> = fc
  .array(fc.oneof({ withCrossShrink: true }, { arbitrary: piece, weight: 2 }, { arbitrary: separator, weight: 3 }), {
    maxLength: 16,
  })
  .map((pieces) => pieces.join(''))

const outerConstructs: readonly string[] = split(
  'x **x** *x* ***x*** _x_ -x- "x" (x) `x` **x:** **x**x',
  '\u2063**x**\u2063 \u2063*x*\u2063 \u2063_x_\u2063 \u2063-x-\u2063',
)
const innerConstructs: readonly string[] = [
  ...['x', ' x', 'x '],
  ...split('[x](http://a.b/c) [x](mailto:a_b) [x](http://a/(b\\)c)) [x] <@1|x> http://a/x http://a/(x 「x」 *x**x*'),
]

/** Constructs with constructs in them, most of them well-formed. */
const nestedConstructs: fc.Arbitrary<string> = fc.letrec<{ row: string; node: string }>((tie) => ({
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
    .tuple(fc.constantFrom(...outerConstructs), fc.constantFrom(...innerConstructs), tie('row'))
    .map(([outer, inner, row]) => outer.replaceAll('x', () => inner.replaceAll('x', () => row))),
})).row

const lineStarts: readonly string[] = [
  ...['', '# ', '## ', '#', '##', '###', '* ', '*  ', '*', '*\t', ' * ', '- ', '1. ', '> ', '  ', '\t', '---', 'a'],
  ...['```', '```js', '```js a=1', '````', '  ```', '<!1|>', '<!1|a.pdf>', '<!a b|>', '<@1>'],
]

/** Blocks of all kinds, some of them malformed. */
const blockLines: fc.Arbitrary<string> = fc
  .array(
    fc.tuple(
      fc.constantFrom(...lineStarts),
      fc.oneof(fc.constant(''), anyPieces, nestedConstructs),
      fc.constantFrom('\n', '\n', '\n\n', '\r\n', '\r'),
    ),
    { maxLength: 6 },
  )
  .map((all) => all.map((line) => line.join('')).join(''))

const formattingDelimiters: readonly string[] = ['**', '_', '*', '-']

const word: fc.Arbitrary<string> = fc.constantFrom(
  ...['a', 'b c', 'd_e', '中', '🎉', '`f`', '<@1|g>', '<@2>', 'http://a.b/*', '\\*', '5*3', '(h)'],
)

/** One to four nested levels of formatting around text or a node; sometimes all of it is the text of a link. */
const nestedFormatting: fc.Arbitrary<string> = fc
  .record({
    start: fc.constantFrom('', '', '# ', '* ', 'j ', 'j\n'),
    levels: fc.array(fc.tuple(fc.nat({ max: formattingDelimiters.length - 1 }), word, word), {
      minLength: 1,
      maxLength: 4,
    }),
    inner: fc.constantFrom('i', '`i`', '<@3|i>', 'http://i.j', '_i_', '-i-'),
    isInLink: fc.constantFrom(false, false, true),
  })
  .map(({ start, levels, inner, isInLink }) => {
    let content: string = inner
    let last = -1
    for (const [kind, before, after] of levels) {
      // The kind differs from the kind around it, because formatting of the same kind would be merged.
      last = kind === last ? (kind + 1) % formattingDelimiters.length : kind
      content = `${formattingDelimiters[last]}k${before} ${content} ${after}l${formattingDelimiters[last]}`
    }
    return start + (isInLink ? `[${content}](xx:y)` : content)
  })

/** Any code units at all. */
const anyCodeUnits: fc.Arbitrary<string> = fc
  .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 12 })
  .map((all) => String.fromCharCode(...all))

/**
 * Strings of the dialect that together exercise every rule of §1 to §4. Half of the strings have a node in formatting or in a
 * link. Any string can occur, since all strings parse.
 *
 * @example
 * import fc from 'fast-check'
 *
 * fc.assert(fc.property(anySource, (source) => toHtml(source) === toHtml(parse(source))))
 */
export const anySource: fc.Arbitrary<string> = fc.oneof(
  { withCrossShrink: true },
  { arbitrary: anyPieces, weight: 3 },
  { arbitrary: repeatedPieces, weight: 3 },
  { arbitrary: separatorText, weight: 2 },
  { arbitrary: nestedConstructs, weight: 3 },
  { arbitrary: blockLines, weight: 3 },
  { arbitrary: nestedFormatting, weight: 14 },
  { arbitrary: anyCodeUnits, weight: 1 },
)
