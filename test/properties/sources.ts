/**
 * Sources for the properties: strings shaped like the dialect, so that random input meets its rules. All shrink to short
 * strings. Characters that cannot be seen are spelled as in `fixtures/`.
 */

import fc from 'fast-check'
import { readChapters } from '../fixtures/chapter.js'
import { fromVisible } from '../fixtures/invisible.js'

function split(...rows: string[]): string[] {
  return rows.flatMap((row) => row.split(' ').map(fromVisible))
}

/** One and all of what the rules of §1 to §4 look at. */
const markers = split('* _ - ` \\ [ ] ( ) < > @ ! | # : /')
const letters = split('a b Z 0 7 é ß Ω ж א م ⟦U+0301⟧ ⟦U+093F⟧')
const whiteSpace = split('␠ ␠ ␉ ⟦U+000A⟧ ␍ ␍⟦U+000A⟧ ⟦U+00A0⟧ ⟦U+2028⟧ ⟦U+3000⟧ ⟦U+000C⟧')
const punctuation = split(`. , ; " ' = ~ ? { } + & % $ ^ “ ” „ ‘ « » ¡ … – — ‿ € ´`)
const unspaced = split('中 の カ ー ・ 한 ก 。 、 「 」 （ ： ＊ ＿ － ℃ ① ㋐')
const emoji = split(
  '✅ 🎉 👍🏽 👩⟦U+200D⟧💻 1⟦U+FE0F⟧⟦U+20E3⟧ 🇩🇪 ⟦U+FE0F⟧ ⟦U+200D⟧ ⟦U+200B⟧ ⟦U+200F⟧ ⟦U+00AD⟧ ⟦U+FEFF⟧ ⟦U+E0062⟧',
)
const odd = split('␀ ⟦U+0007⟧ ⟦U+000B⟧ ⟦U+0085⟧ ⟦U+D83D⟧ ⟦U+DE00⟧ ⟦U+FFFF⟧ ⟦U+FFFD⟧ ⟦U+10FFFF⟧ ⟦U+00B6⟧')

/** Several characters that mean something together, or nearly do. */
const tokens = split(
  '** *** **** __ -- `` ``` ```` \\* \\_ \\\\ \\` \\[ \\: \\( # ## ### *␠ ␠* #␠ ␠␠ ⟦U+000A⟧⟦U+000A⟧ ⟦U+000A⟧*␠ ⟦U+000A⟧``` ⟦U+000A⟧#␠',
  '<@ <@1 <@1> <@1|> <@a|b> <@1|*> <@a> <! <!1|> <!1|a.pdf> |> ]( ](x: ](x:y) ](http://a) [a](x:y) [] [](x:y) [a](y)',
  'http:// https:// HTTP:// http://a https://a.b/_c_ http://a/* http://a) http://[::1] http\\:// mailto:a javascript:a',
  'snake_case -5 10-20 :-) -_- ^_^ ¯\\_(ツ)_/¯ ¯ (ツ) *.js **/ /* */ -> <- &amp; &#42; <b> </p> <br> --> <!-- "*" \'-\'',
)

const character: fc.Arbitrary<string> = fc.oneof(
  { arbitrary: fc.constantFrom(...markers), weight: 8 },
  { arbitrary: fc.constantFrom(...letters), weight: 4 },
  { arbitrary: fc.constantFrom(...whiteSpace), weight: 3 },
  { arbitrary: fc.constantFrom(...punctuation), weight: 2 },
  { arbitrary: fc.constantFrom(...unspaced), weight: 1 },
  { arbitrary: fc.constantFrom(...emoji), weight: 1 },
  { arbitrary: fc.constantFrom(...odd), weight: 1 },
  { arbitrary: fc.constantFrom(...tokens), weight: 4 },
)

/** An alphabet soup. */
const soup: fc.Arbitrary<string> = fc.array(character, { maxLength: 24 }).map((characters) => characters.join(''))

/** Few different pieces, so that the same ones meet again and again. */
const narrow: fc.Arbitrary<string> = fc
  .tuple(fc.array(character, { minLength: 2, maxLength: 6 }), fc.array(fc.nat({ max: 5 }), { maxLength: 20 }))
  .map(([pieces, choices]) => choices.map((choice) => pieces[choice % pieces.length]).join(''))

/** Constructs with constructs in them, most well-formed. */
const nested: fc.Arbitrary<string> = fc.letrec<{ row: string; node: string }>((tie) => ({
  row: fc
    .array(
      fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        fc.constantFrom('a', ' ', 'b c', '.'),
        character,
        tie('node'),
      ),
      {
        minLength: 1,
        maxLength: 4,
      },
    )
    .map((parts) => parts.join('')),
  node: fc
    .tuple(
      fc.constantFrom('**x**', '*x*', '***x***', '_x_', '-x-', ' x ', '"x"', '(x)', '`x`', '**x:**'),
      fc.constantFrom('x', '[x](http://a.b/c)', '[x](mailto:a_b)', '[x]', '<@1|x>', 'http://a/x', '「x」', ' x', 'x '),
      tie('row'),
    )
    .map(([outer, inner, row]) => outer.replace('x', () => inner.replace('x', () => row))),
})).row

const lineStart: fc.Arbitrary<string> = fc.constantFrom(
  ...split(
    '# ## ### #␠ ##␠ *␠ *␠␠ * *␉ *␠* -␠ 1.␠ >␠ ␠␠ ␉ ``` ```js ```js␠a=1 ```` ␠␠``` <!1|> <!1|a.pdf> <!a␠b|> <@1|> --- a',
  ),
  '',
)

/** Blocks of all kinds, or nearly. */
const lines: fc.Arbitrary<string> = fc
  .array(
    fc.tuple(lineStart, fc.oneof(fc.constant(''), soup, nested), fc.constantFrom('\n', '\n', '\r\n', '\r', '\n\n')),
    {
      maxLength: 6,
    },
  )
  .map((all) => all.map((line) => line.join('')).join(''))

/** What the chapters give as examples, with a few characters taken out, put in, doubled or exchanged. */
const nearExamples: fc.Arbitrary<string> = fc
  .tuple(
    fc.constantFrom(...readChapters().flatMap(({ examples }) => examples.flatMap(({ blocks }) => blocks))),
    fc.array(
      fc.record({ at: fc.nat({ max: 400 }), removed: fc.nat({ max: 2 }), added: fc.oneof(fc.constant(''), character) }),
      {
        maxLength: 3,
      },
    ),
  )
  .map(([example, edits]) => {
    const characters = [...example]
    for (const { at, removed, added } of edits) characters.splice(at % (characters.length + 1), removed, added)
    return characters.join('')
  })

/** Any code units at all. */
const anything: fc.Arbitrary<string> = fc
  .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 12 })
  .map((units) => String.fromCharCode(...units))

/** A string shaped like the dialect. */
export const source: fc.Arbitrary<string> = fc.oneof(
  { arbitrary: soup, weight: 3 },
  { arbitrary: narrow, weight: 4 },
  { arbitrary: nested, weight: 3 },
  { arbitrary: lines, weight: 3 },
  { arbitrary: nearExamples, weight: 3 },
  { arbitrary: anything, weight: 1 },
)

/** A short text that may hold anything: a name, a label, a url as somebody else stored it. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  soup,
  fc.constantFrom(
    ...split(
      "\"><script>alert(1)</script> '␠onload=alert(1)␠x=' <!-- --> ]]> </p> </a> </code></pre> <img␠src=x␠onerror=alert(1)> &quot; &#x22;",
      '`onclick=alert(1)` \\"; download ␀ ⟦U+D800⟧ ⟦U+202E⟧gpj.exe @everyone **bold** javascript:alert(1)',
    ),
    '',
    ' ',
  ),
)

/** Where somebody wants a link to lead. */
export const hostileHref: fc.Arbitrary<string> = fc.oneof(
  hostileText,
  fc.constantFrom(
    ...split(
      '/ /files/1 /a?b=c&d="e" // //evil.example /\\evil.example \\\\evil.example ./a ../a a #a ?a http: http:a http://a https://a/%zz%41é',
      'HTTPS://A mailto:a@b.c mailto:a?subject="x" javascript:alert(1) JaVaScRiPt:alert(1) ␠javascript:alert(1) ⟦U+0001⟧javascript:a',
      'java⟦U+000A⟧script:a java␉script:a data:text/html,<script> vbscript:a file:///etc/passwd blob:a ftp://a /␉/evil.example /⟦U+000A⟧/evil.example',
    ),
  ),
)
