/** An arbitrary of CommonMark and GFM as people and language models write them, some of it malformed. */
import fc from 'fast-check'
import { anyPieces } from '../../src/arbitraries/pieces.js'

const words: fc.Arbitrary<string> = fc.constantFrom(
  ...[
    'a',
    'b c',
    'snake_case',
    '2 * 3',
    '1.',
    'A & B',
    '&amp;',
    '&#42;',
    '<b>',
    'x < y',
    '中文',
    '🎉',
    'a|b',
    '\\*',
    '\\',
  ],
  ...[
    'https://a.b/c_d',
    'www.a.b',
    'a@b.c',
    '<https://a.b>',
    '<a@b.c>',
    ':-)',
    '"q"',
    '[^1]',
    '<@1|Ann>',
    '<!channel>',
  ],
)

const wrappers: readonly string[] = [
  ...['x', '*x*', '_x_', '**x**', '__x__', '***x***', '~~x~~', '~x~', '`x`', '`` x ``', '[x](http://a "t")'],
  ...[
    '[x](<a b>)',
    '[x][r]',
    '[x][]',
    '[x]',
    '![x](http://a/i.png)',
    '![x][r]',
    '<b>x</b>',
    'x\\\nx',
    'x  \nx',
    'x\nx',
  ],
]

/** A few words with formatting in and around them. */
const inline: fc.Arbitrary<string> = fc.letrec<{ row: string; node: string }>((tie) => ({
  row: fc
    .array(fc.oneof({ depthSize: 'small', withCrossShrink: true }, words, tie('node'), anyPieces), {
      minLength: 1,
      maxLength: 3,
    })
    .map((parts) => parts.join(' ')),
  node: fc.tuple(fc.constantFrom(...wrappers), tie('row')).map(([wrapper, row]) => wrapper.replaceAll('x', () => row)),
})).row

const oneLine: fc.Arbitrary<string> = inline.map((text) => text.replace(/\s+/g, ' '))

const leaves: fc.Arbitrary<string> = fc.oneof(
  { withCrossShrink: true },
  inline,
  fc.tuple(fc.constantFrom('#', '##', '###', '######'), oneLine).map((parts) => parts.join(' ')),
  fc.tuple(oneLine, fc.constantFrom('===', '---')).map((parts) => parts.join('\n')),
  fc
    .tuple(fc.constantFrom('```', '~~~', '````', '```js x'), anyPieces)
    .map(([fence, text]) => `${fence}\n${text}\n${fence.slice(0, 4)}`),
  anyPieces.map((text) => `    ${text}`),
  fc.constantFrom('---', '* * *', '<div>\n*a*\n</div>', '<!-- a -->', '[r]: http://a.b "t"', '[^1]: note'),
  fc
    .tuple(
      fc.array(oneLine, { minLength: 1, maxLength: 3 }),
      fc.array(oneLine, { maxLength: 6 }),
      fc.constantFrom('---', ':-:', '--:'),
    )
    .map(([head, cells, rule]) => tableOf(head, cells, rule)),
)

function tableOf(head: readonly string[], cells: readonly string[], rule: string): string {
  const rows = [head, head.map(() => rule)]
  for (let at = 0; at < cells.length; at += head.length) rows.push(cells.slice(at, at + head.length))
  return rows.map((row) => `| ${row.join(' | ')} |`).join('\n')
}

const markers: readonly string[] = ['- ', '* ', '+ ', '1. ', '2) ', '10. ', '- [ ] ', '- [x] ']

/** Blocks, in quotes and in lists. */
const blocks: fc.Arbitrary<string> = fc.letrec<{ rows: string; block: string }>((tie) => ({
  rows: fc
    .tuple(
      fc.array(fc.oneof({ depthSize: 'small', withCrossShrink: true }, leaves, tie('block')), {
        minLength: 1,
        maxLength: 3,
      }),
      fc.constantFrom('\n\n', '\n'),
    )
    .map(([rows, between]) => rows.join(between)),
  block: fc.oneof(
    tie('rows').map((rows) => rows.replace(/^/gm, '> ')),
    fc
      .tuple(fc.constantFrom(...markers), fc.array(tie('rows'), { minLength: 1, maxLength: 3 }))
      .map(([marker, items]) => items.map((item) => marker + item.replace(/\n/g, '\n  ')).join('\n')),
  ),
})).rows

/** A message in CommonMark with GFM: every construct of both, nested, most of them well-formed. */
export const commonMark: fc.Arbitrary<string> = blocks
