/** The options of `fromMarkdown`, and the forms of Markdown that models write. */
import { describe, expect, test } from 'vitest'
import { createMarkdownStream, fromMarkdown } from '../../src/convert/index.js'
import type { MarkdownOptions } from '../../src/convert/options.js'
import { type Diagnostic, stringify } from '../../src/index.js'

function convert(markdown: string, options?: MarkdownOptions): string {
  return stringify(fromMarkdown(markdown, options).tree)
}

function rulesOf(markdown: string, options?: MarkdownOptions): string[] {
  return fromMarkdown(markdown, options).diagnostics.map(({ ruleId }) => ruleId)
}

test.each<[string, unknown]>([
  ["math: expected 'code' or 'text', received \"x\"", { math: 'x' }],
  ["tables: expected 'auto', 'code' or 'items', received 1", { tables: 1 }],
  ['commonmark: expected a boolean, received "x"', { commonmark: 'x' }],
  ['breaks: expected a boolean, received 1', { breaks: 1 }],
  ['startsIn: expected a name in `tags`, received "think"', { startsIn: 'think' }],
  ["tags.think: expected 'drop' or 'quote', received \"hide\"", { tags: { think: 'hide' } }],
  ['tags: expected names of tags, received "<a>"', { tags: { '<a>': 'drop' } }],
  ['tags: expected an object, received array', { tags: [] }],
  ['mentions: expected \'none\' or an array of ids, received "7"', { mentions: '7' }],
  ["mentions: expected 'none' or an array of ids, received array", { mentions: [7] }],
  ['options: expected an object, received null', null],
])('an option with a wrong value throws: %s', (message, options) => {
  for (const call of [() => fromMarkdown('a', options as never), () => createMarkdownStream(options as never)])
    expect(call).toThrow(new TypeError(message))
})

test.each<[string, string, object, string[]]>([
  ['by its id and place', 'Hello <@8|Bob> and <@9|Eve>', {}, ['1:7-1:15 8', '1:20-1:28 9']],
  ['on any line', 'a **b <@8|Bob F>\nc**\n<@9>', {}, ['1:7-1:17 8', '3:1-3:5 9']],
  ['with breaks', 'a\n<@8> <@7>\n<@9>', { breaks: true, mentions: ['7'] }, ['2:1-2:5 8', '3:1-3:5 9']],
  ['in a text with an escape', 'a\\* <@8> \\<@8>', {}, ['1:5-1:9 8']],
])('a diagnostic names the user who may not be mentioned, %s', (_, source, options, expected) => {
  const { diagnostics } = fromMarkdown(source, options)
  const named = diagnostics.filter(({ ruleId }) => ruleId === 'mention')
  expect(named.map((each) => `${placeOf(each)} ${/: (\w+)$/.exec(each.reason)?.[1]}`)).toEqual(expected)
})

function placeOf({ place }: Diagnostic): string {
  const { start, end } = place !== undefined && 'start' in place ? place : { start: place, end: place }
  return `${start?.line}:${start?.column}-${end?.line}:${end?.column}`
}

describe('math', () => {
  test.each([
    ['$$x$$', '```math\nx\n```'],
    ['$$\na\n\nb\n$$', '```math\na\n\nb\n```'],
    ['\\[\n  x\n\\]', '```math\n  x\n```'],
    ['a\n$$\nx\n$$\nb', 'a\n\n```math\nx\n```\n\nb'],
    ['> $$\n> x\n> $$', '```math\nx\n```'],
    ['- $$\n  x\n  $$', '•\n\n```math\nx\n```'],
    ['a $$x\ny$$.', 'a `x y`.'],
    ['| $a$ | b |\n|-|-|\n| $c|d$ |', '```\na  | b\n---+---\n$c | d$\n```'],
    ['**$x$** _a_ $y$', '**`x`** *a* `y`'],
    ['$\\$5$ \\$x$', '`\\$5` $x$'],
  ])('%j is code', (markdown, expected) => expect(convert(markdown)).toBe(expected))

  test.each([
    'It costs $5 or $6.',
    'from $5 to 10$',
    '$3-$4',
    'US$5 and C$6$',
    '$HOME/$USER',
    'a $ b $ c',
    '$x $',
    '$$',
    '`$x$`',
    'a $$ b',
    '$a`b$`',
  ])('%j is not math', (markdown) => {
    expect(rulesOf(markdown)).toEqual([])
    expect(convert(markdown)).toBe(markdown)
  })

  test.each([
    ['$$ a\n- b\n\n# c', '$$ a\n\n* b\n\n# c'],
    ['\\[\na\n\n\n\nb\n\nc\n\n$$\nd\n$$', '[ a\n\nb\n\nc\n\n```math\nd\n```'],
    ['- \\[ a\n  b\n- c', '* [ a b\n* c'],
    ['> $$\n> a\nb', '> $$ a b'],
    ['\\[file: a]\nb', '[file: a] b'],
  ])('%j, which has no end, is parsed as if its delimiter were text', (markdown, expected) => {
    expect(convert(markdown)).toBe(expected)
  })

  test('stays as typed, without a loss, if math is text', () => {
    const markdown = 'a $b*c*d$ \\(e_f_\\)\n\n$$\n\\{g\\} \\\\\nh * i\n$$'
    expect(convert(markdown, { math: 'text' })).toBe(markdown)
    expect(rulesOf(markdown, { math: 'text' })).toEqual([])
  })
})

describe('tags', () => {
  const drop = { tags: { think: 'drop' } } as const
  const quote = { tags: { Think: 'quote' } } as const

  test.each([
    ['<think>\n*a*\n\n- b\n```\nc\n</think>\nd', 'd', '> *a*\n>\n> • b\n\n```\nc\n```\n\nd'],
    ['<think>a</think> b', 'b', '> a\n\nb'],
    ['<THINK>a\n</Think >b', 'b', '> a\n\nb'],
    ['- a\n<think>\nb\n</think>\n- c', '* a\n* c', '* a\n\n> b\n\n* c'],
    ['<think>a</think><think>b</think>c', 'c', '> a\n\n> b\n\nc'],
    ['<think>a\n\n# b', '', '> a\n>\n> **b**'],
    ['a <think>b</think> c', 'a c', 'a\n\n> b\n\nc'],
    ['`<think>` a', '`<think>` a', '`<think>` a'],
    ['```\n<think>\n```', '```\n<think>\n```', '```\n<think>\n```'],
    ['</think> a', '</think> a', '</think> a'],
  ])('%j is left out, or quoted', (markdown, dropped, quoted) => {
    expect(convert(markdown, drop)).toBe(dropped)
    expect(convert(markdown, quote)).toBe(quoted)
  })

  test('that are left out are a loss, with the position', () => {
    const { diagnostics } = fromMarkdown('a\n\n<think>\nb\n</think>c ![d](https://e.f)\n\nd <think>e</think>', drop)
    expect(diagnostics.map(({ ruleId, place }) => [ruleId, place])).toMatchObject([
      ['tag', { start: { line: 3, column: 1, offset: 3 }, end: { line: 5, column: 9, offset: 21 } }],
      ['image', { start: { line: 5, column: 11, offset: 23 } }],
      ['tag', { start: { line: 7, column: 3 } }],
    ])
  })
})

describe('tables', () => {
  const table = '| a | b |\n|---|--:|\n| 1 | **2** |'

  test('are code or items, as the option says', () => {
    expect(convert(table)).toBe('```\na | b\n--+--\n1 | 2\n```')
    expect(convert(table, { tables: 'items' })).toBe('* **a:** 1 · **b:** **2**')
    expect(convert(`${table}\n| [c](https://d.e) | |`, { tables: 'code' })).toContain('c (https://d.e)')
  })

  test('are items from 61 columns on', () => {
    const wide = (length: number): string => `| a | b |\n|---|---|\n| c | ${'d'.repeat(length)} |`
    expect(convert(wide(56))).toContain('```')
    expect(convert(wide(57))).not.toContain('```')
  })

  test('lose no header: that of an empty column is in the first item', () => {
    expect(convert('| a | b |\n|---|---|\n| 1 | |\n| 2 | |', { tables: 'items' })).toBe(
      '* **a:** 1 · **b**\n* **a:** 2',
    )
    expect(convert('| a | b |\n|---|---|', { tables: 'items' })).toBe('* **a** · **b**')
  })
})

describe('breaks', () => {
  test.each([
    ['[Your Name]\n[City, ZIP]', '[Your Name]\n[City, ZIP]'],
    ['> a\n> — b', '> a\n> — b'],
    ['- a\n  b', '• a\n\u2003\u2003b'],
    ['**a\nb**', '**a\nb**'],
    ['a\nb\n===', '# a b'],
  ])('%j keeps its lines', (markdown, expected) => {
    expect(convert(markdown, { breaks: true })).toBe(expected)
  })
})

test('commonmark follows the letter', () => {
  const convertToTheLetter = (markdown: string): string => convert(markdown, { commonmark: true })
  expect(convertToTheLetter('3~5~7')).toBe('3\u2063-5-\u20637')
  expect(convertToTheLetter('a*b*c')).toBe('a\u2063*b*\u2063c')
  expect(convertToTheLetter('**注意：**正文')).toBe('*\\*注意：**正文')
})

describe('tags wherever they begin', () => {
  const drop = { tags: { think: 'drop' } } as const
  test.each([
    ['Let me see <think>one\n\ntwo\n</think>\n\nAnswer', 'Let me see\n\nAnswer'],
    ['<think>a <think>b</think> c</think>d', 'd'],
    ['- a <think>b\n\nc</think> d\n- e', '* a d\n* e'],
    ['> ```\n> <think>\n> ```', '```\n<think>\n```'],
    ['a `<think>` b', 'a `<think>` b'],
  ])('%j', (markdown, expected) => expect(convert(markdown, drop)).toBe(expected))

  test('a text can start in an element', () => {
    const options = { ...drop, startsIn: 'think' }
    expect(convert('short</think>It is 4.', options)).toBe('It is 4.')
    expect(convert('<think>short</think>It is 4.', options)).toBe('It is 4.')
    const stream = createMarkdownStream(options)
    stream.push('short')
    expect(stringify(stream.tail)).toBe('')
    stream.push('</think>It')
    expect(stringify(stream.tail)).toBe('It')
  })

  test.each([
    ['a</think>b', '> a\n\nb'],
    ['<think>a</think>b', '> a\n\nb'],
    ['a\n\n<think>b</think>\n- c</think>*d*', '> a\n>\n> > b\n>\n> • c\n\n*d*'],
    ['', ''],
    ['\n\n</think>\n\nb', 'b'],
    ['a', '> a'],
  ])('%j can start in an element that becomes a quote, whole or in a stream', (markdown, expected) => {
    const options = { tags: { think: 'quote' }, startsIn: 'think' } as const
    expect(convert(markdown, options)).toBe(expected)
    const stream = createMarkdownStream(options)
    const blocks = [...markdown].flatMap((character) => {
      expect(stringify(stream.tail)).not.toContain('<')
      return stream.push(character)
    })
    expect(stringify({ type: 'root', children: [...blocks, ...stream.finish()] })).toBe(expected)
  })

  test('have positions in the document after them', () => {
    const { diagnostics } = fromMarkdown('a <think>b\nc</think> ![d](https://e.f)', drop)
    expect(diagnostics.map(({ ruleId, place }) => [ruleId, place])).toMatchObject([
      ['tag', { start: { line: 1, column: 3, offset: 2 }, end: { line: 2, column: 10, offset: 20 } }],
      ['image', { start: { line: 2, column: 11, offset: 21 } }],
    ])
  })
})

test.each([
  [
    '<https://a.b/c|the docs> or <mailto:ann@example.com|Ann>',
    '[the docs](https://a.b/c) or [Ann](mailto:ann@example.com)',
  ],
  ['<h2>Caf&eacute; &check;</h2>', '## Café ✓'],
  ['<p>See https://a.b/c_d, www.e.f.</p>', 'See https://a.b/c_d, [www.e.f](http://www.e.f).'],
  ['<ul><li>a_b@c.d</li><li><code>https://e.f</code> @g</li></ul>', '* [a_b@c.d](mailto:a_b@c.d)\n* `https://e.f` @g'],
  [
    'https://a.b/?c&amp;d <https://e.f/?g&amp;h> www.i.j/?k&amp;l',
    'https://a.b/?c&d https://e.f/?g&h [www.i.j/?k&l](http://www.i.j/?k&l)',
  ],
  ['[https://a.b/?c&amp;d](https://a.b/?c&amp;d) [&amp;amp;](https://e.f)', 'https://a.b/?c&d [&amp;](https://e.f)'],
  ['<p>https://a.b/?c&amp;d</p>', 'https://a.b/?c&d'],
  [
    '<p>https://a.b。\\*c*&amp;[x](y) https://e.f,https://g.h</p>',
    'https://a.b。\\\\\\*c*&[x](y) https://e.f,https://g.h',
  ],
  ['[![License](https://a.b/c.svg)](LICENSE)', 'License (LICENSE)'],
  ['<sub>Tip: see *a*</sub>', 'Tip: see *a*'],
  ['<sub>small print</sub> a b<sup>note</sup>', 'small print a b (note)'],
  ['a **<sub>small n</sub>** b [](#c)', 'a **small n** b'],
  ['<sub><sup>a</sup></sub> b<sub><sup>c d</sup></sub>e', 'a b (c d)e'],
  ['<sub>small</sub>x <b>a <sup>b</sup></b>', '(small)x **a (b)**'],
  ['a<b><sub>b</sub></b> <u><sub>c</sub></u>d', 'a\u2063**(b)**\u2063 \u2063_(c)_\u2063d'],
  ['<sup>a</sup><sup>b</sup><br><sub>c</sub><br><sub>[d]</sub><sub>e</sub>', '(a) (b)\nc\n[d] (e)'],
  [
    '<table><tr><td><sup>note</sup>text</td><td><a href="https://a.b"><sub>c</sub></a></td></tr></table>',
    '* (note)text · [c](https://a.b)',
  ],
  ['<p>\n<sup>\n<a href="https://a.b">c</a>\n</sup>\n</p>', '[c](https://a.b)'],
  ['<div>5&deg;C &times; 2 &euro;10</div>', '5°C × 2 €10'],
  ['- a <div>b</div> c\n- d', '* a b c\n* d'],
  ['- a<hr>b', '* a --- b'],
  ['- [x] **a<p>b</p>**', '* ☑ **a b**'],
  ['- *a <div>b* c</div> d', '* *a <div>b* c</div> d'],
  ['- a<br>b', '• a\n\u2003\u2003b'],
  ['how www and https://a.b work', 'how www and https://a.b work'],
])('%j becomes %j', (markdown, expected) => expect(convert(markdown)).toBe(expected))
