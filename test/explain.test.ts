/** The reasons for the meaning of a character, with sections of `fixtures/`. */

import { describe, expect, test } from 'vitest'
import { isFormatting } from '../src/delimiters.js'
import { parse } from '../src/index.js'
import { explain, type Reason } from '../src/lint/index.js'
import type { AnyNode } from '../src/tree.js'
import { property } from './properties/property.js'
import { source } from './properties/sources.js'
import { expectToBeFast } from './timing.js'

/** Explains the character after the mark. */
function ask(marked: string): Reason[] {
  return explain(marked.replace('‸', ''), marked.indexOf('‸'))
}

/** The reasons of the character itself, without those of the nodes around it. */
function said(marked: string): string[] {
  return ask(marked)
    .map(({ section, message, place }) => `${section} ${message} ${place.start.offset}-${place.end.offset}`)
    .filter((reason) => !/^\S+ In /.test(reason))
}

/** For each rule of §4, in its order: an input with a mark, and the reasons of the character after it. */
const emphasis: Readonly<Record<string, readonly (readonly [marked: string, ...said: string[]])[]>> = {
  'runs of `_` or `-` longer than one are text': [
    ['‸__init__', '§4 This `__` is text: only a single `_` is a delimiter. 0-2'],
    ['npm i -‸-save', '§4 This `--` is text: only a single `-` is a delimiter. 6-8'],
  ],
  flanking: [
    [
      'a ‸* b',
      '§4 This `*` cannot open: white space follows it. 2-3',
      '§4 This `*` cannot close: it follows white space. 2-3',
    ],
    ['‸*a*', '§4 Opens emphasis. 0-1'],
    ['*a‸*', '§4 Closes emphasis. 2-3'],
    ['中‸**文**', '§4 Opens strong. 1-3'],
  ],
  'before and after count an escaped character as itself, a code span by its backtick': [
    ['a‸*\\* b', '§4 This `*` could close, but no opener before it fits. 1-2'],
    [
      '`a`‸_b_',
      '§4 This `_` cannot open: it follows a backtick. 3-4',
      '§4 This `_` cannot close: the letter `b` follows it. 3-4',
    ],
  ],
  '`_` and `-` begin where a word can, and end where one can': [
    [
      'snake‸_case',
      '§4 This `_` cannot open: it follows the letter `e`. 5-6',
      '§4 This `_` cannot close: the letter `c` follows it. 5-6',
    ],
    [
      '10‸-20',
      '§4 This `-` cannot open: it follows the digit `0`. 2-3',
      '§4 This `-` cannot close: the digit `2` follows it. 2-3',
    ],
    ['‸_a_b', '§4 This `_` could open, but nothing after it closes it. 0-1'],
    // A vertical tab is not white space (§1).
    [
      '1‸_\v',
      '§4 This `_` cannot open: it follows the digit `1`. 1-2',
      '§4 This `_` cannot close: `\v` follows it. 1-2',
    ],
    ['😀‸_a_', '§4 Opens underline. 2-3'],
    ['-a‸-', '§4 Closes delete. 2-3'],
  ],
  'a `-` next to a sign of an emoticon, an arrow or a price': [
    [
      '‸-> a-',
      '§4 This `-` cannot open: `>` follows it. 0-1',
      '§4 This `-` cannot close: it is between the start of the text and `>`. 0-1',
    ],
    [
      '10,‸-',
      '§4 This `-` cannot open: it is between `,` and the end of the text. 3-4',
      '§4 This `-` cannot close: it follows `,`. 3-4',
    ],
    ...['%', '@', '\\', '#'].map((sign): [string, string, string] => [
      `a‸-${sign}`,
      '§4 This `-` cannot open: it follows the letter `a`. 1-2',
      `§4 This \`-\` cannot close: \`${sign}\` follows it. 1-2`,
    ]),
  ],
  'a `_` or `-` directly before a star': [
    [
      'rm build‸-*',
      '§4 This `-` cannot open: it is between the letter `d` and `*`. 8-9',
      '§4 This `-` cannot close: `*` follows it. 8-9',
    ],
    [
      '_tls‸_* modules',
      '§4 This `_` cannot open: it is between the letter `s` and `*`. 4-5',
      '§4 This `_` cannot close: `*` follows it. 4-5',
    ],
    ['*-x‸-*', '§4 Closes delete. 3-4'],
    [
      '*x‸-*',
      '§4 This `-` cannot open: it is between the letter `x` and `*`. 2-3',
      '§4 This `-` cannot close: `*` follows it. 2-3',
    ],
    [
      '*-x‸-\\*',
      '§4 This `-` cannot open: it follows the letter `x`. 3-4',
      '§4 This `-` cannot close: an escaped `*` follows it. 3-4',
    ],
  ],
  '`_` and `-` across a break': [
    ['‸_a\nb_', '§4 This `_` could open, but nothing after it closes it. 0-1'],
    ['_a\nb‸_', '§4 This `_` could close, but no opener before it fits. 4-5'],
  ],
  'where no run opens or closes': [
    [
      '‸*)a*',
      '§4 This `*` cannot open: `)` follows it. 0-1',
      '§4 This `*` cannot close: it follows the start of the text. 0-1',
    ],
    [
      '(‸**.md)',
      '§4 This `**` cannot open: it is between `(` and `.`. 1-3',
      '§4 This `**` cannot close: it follows `(`. 1-3',
    ],
    [
      '"‸*"',
      '§4 This `*` cannot open: it is between `"` and `"`. 1-2',
      '§4 This `*` cannot close: it is between `"` and `"`. 1-2',
    ],
  ],
  'one star before a dot': [
    [
      'find ‸*.js,*.ts',
      '§4 This `*` cannot open: `.` follows it. 5-6',
      '§4 This `*` cannot close: it follows white space. 5-6',
    ],
    ['‸*..a*', '§4 Opens emphasis. 0-1'],
    ['‸**.a**', '§4 Opens strong. 0-2'],
  ],
  'in a word': [
    [
      '5‸*3',
      '§4 This `*` cannot open: it follows the digit `5`. 1-2',
      '§4 This `*` cannot close: the digit `3` follows it. 1-2',
    ],
    ['un‸**believ**able', '§4 Opens strong. 2-4'],
    [
      'x**2 + y‸**2',
      '§4 This `**` could open, but nothing after it closes it. 8-10',
      '§4 This `**` could close, but no opener before it fits. 8-10',
    ],
  ],
  late: [
    ['**Status:‸**OK', '§4 Closes strong. 9-11'],
    ['**a ‸_b!**OK', '§4 This `_` could open, but nothing after it closes it. 4-5'],
    [
      '**!!‸**OK',
      '§4 This `**` could open, but nothing after it closes it. 4-6',
      '§4 This `**` could close, but no opener before it fits. 4-6',
    ],
  ],
  matching: [
    ['‸**a', '§4 This `**` could open, but nothing after it closes it. 0-2'],
    ['a‸**', '§4 This `**` could close, but no opener before it fits. 1-3'],
    [
      '*a‸**b*',
      '§4 This `**` could open, but nothing after it closes it. 2-4',
      '§4 This `**` could close, but no opener before it fits. 2-4',
    ],
    ['‸***a* b', '§4 Left over: the rest of its run has partners. 0-3'],
    ['***a‸* b', '§4 Closes emphasis. 4-5'],
  ],
  'a word between the two': [
    ['‸_!_', '§4 This `_` could open, but nothing after it closes it. 0-1'],
    ['*!‸*', '§4 This `*` could close, but no opener before it fits. 2-3'],
  ],
  'a slash next to a star': [
    [
      '‸*/a*',
      '§4 This `*` cannot open: `/` follows it. 0-1',
      '§4 This `*` cannot close: it follows the start of the text. 0-1',
    ],
    [
      '/‸*a',
      '§4 This `*` cannot open: it follows `/`. 1-2',
      '§4 This `*` cannot close: it is between `/` and the letter `a`. 1-2',
    ],
  ],
  'normal form': [['**a ‸**b** c**', '§4 Merged: formatting of the same kind is around it or next to it. 4-5']],
}

describe('emphasis', () => {
  test.each(Object.entries(emphasis))('%s', (_, examples) => {
    for (const [marked, ...expected] of examples) expect(said(marked), marked).toEqual(expected)
  })
})

const SEPARATOR = '\u2063'
const NO_PAIR = '§3.6 Text: a U+2063 forces the delimiter next to it only if an equal pair is around visible text. '

/** Cases in the form of `emphasis`; `|` is written for U+2063. */
const forced: Readonly<Record<string, readonly (readonly [marked: string, ...said: string[]])[]>> = {
  'a U+2063 forces a delimiter': [
    ['un‸|*believ*|able', '§3.6 Opens emphasis. 2-4'],
    ['un|*believ‸*|able', '§3.6 Closes emphasis. 10-12'],
    ['**a |‸**b**| c**', '§4 Merged: formatting of the same kind is around it or next to it. 5-6'],
    ['**a ‸|**b**| c**', '§4 Merged: formatting of the same kind is around it or next to it. 4-5'],
  ],
  'a delimiter needs no space next to a forced one': [['_a‸_|*b*|', '§4 Closes underline. 2-3']],
  'a U+2063 without a partner is text': [
    ['a‸|b', `${NO_PAIR}1-2`],
    ['‸|_c', `${NO_PAIR}0-1`],
    ['c_‸|', `${NO_PAIR}2-3`],
    ['|**a_‸|', `${NO_PAIR}5-6`],
    ['|_ _‸|', `${NO_PAIR}4-5`],
    ['|_‸|', `${NO_PAIR}2-3`],
    ['[‸|*a](bb:c)*|', `${NO_PAIR}1-2`],
  ],
}

describe('forced formatting', () => {
  test.each(Object.entries(forced))('%s', (_, examples) => {
    for (const [marked, ...expected] of examples) {
      expect(said(marked.replaceAll('|', SEPARATOR)), marked).toEqual(expected)
    }
  })
})

const LINK = '§3.4 Text: a link is `[text](url)`; its text is not blank, its URL has a scheme and no space.'
const ANGLE = '§3.3 Text: a mention is `<@id|label>`, or `<@id>` with a digit; a file is alone on its line.'
const URL =
  '§3.5 Text: a URL starts only after a character that is not a letter or digit, and its host must start with a letter or digit.'
const NO_BLOCK = '§2 Not a block: a list item starts with `* `, and there are no numbered lists or quotes.'

test.each([
  ['\\‸*a*', '§3.1 Text: it is escaped. 1-2'],
  ['¯\\_(ツ)‸_/¯', '§3.1 Text: part of a shrug. 0-9'],
  ['a ‸`b`', '§3.2 Inline code: its content is not parsed. 2-5'],
  [
    '‸`a',
    '§3.2 Text: no backtick run of the same length follows, or it is an apostrophe after a letter (two backticks never are). 0-1',
  ],
  ['‸<@1>', '§3.3 A mention: its content is not parsed. 0-4'],
  ['‸<@ann>', `${ANGLE} 0-1`],
  ['x ‸<!1|2>', `${ANGLE} 2-3`],
  ['‸[a](bb:c)', '§3.4 Starts the text of a link. 0-9'],
  ['[a‸](bb:c)', '§3.4 Ends the text of a link, before its URL. 2-9'],
  ['‸[a](b)', `${LINK} 0-1`],
  ['https://a.b/‸_c_', '§3.5 A bare link: delimiters in it are part of the URL. 0-15'],
  ['x‸https://a.b', `${URL} 1-9`],
  ['a‸\nb', '§3.8 A break. 1-2'],
  ['* a‸\n* b', '§2 The end of a line. 3-4'],
  ['a\n‸\nb', '§2 A blank line ends a paragraph or a list. 2-3'],
  ['‸### a', '§2 Not a heading: a heading is `#` or `##`, a space, and a character. 0-3'],
  ['‸1. a', `${NO_BLOCK} 0-2`],
  ['‸> a', `${NO_BLOCK} 0-1`],
  ['‸<!1|2>', '§2 A file. 0-6'],
  ['```\n‸a\n```', '§2 Fenced code: between its fences nothing is parsed. 0-9'],
  ['https://a.b ‸* c', '§4 This `*` cannot open: white space follows it. 12-13'],
])('other constructs: %s', (marked, expected) => {
  expect(said(marked)).toContain(expected)
})

test('the nodes around a character come last, the innermost first', () => {
  const within = (marked: string) => ask(marked).map(({ message }) => message)
  expect(within('* **a [‸b](cc:d)**')).toEqual(['In a link.', 'In strong.', 'In a list item.'])
  expect(within('a\u2063**b‸b**\u2063a')).toEqual(['In strong.', 'In a paragraph.'])
  expect(within('# ‸a')).toEqual(['In a heading.'])
  expect(within('a\n\nb‸c')).toEqual(['In a paragraph.'])
  expect(within('a‸')).toEqual([])
})

test('a long line takes time linear in its length', () => {
  const explainEnd = (length: number) => (): unknown => explain(`${'a          '.repeat(length)}\nb`, 11 * length + 1)
  expectToBeFast(explainEnd(40_000), { milliseconds: 200, times: 30, ordinary: explainEnd(4_000) })
})

test('positions are lines and columns of the source', () => {
  const [reason] = ask('a\r\n  b ‸* c')
  expect(reason?.place).toEqual({ start: { line: 2, column: 5, offset: 7 }, end: { line: 2, column: 6, offset: 8 } })
})

test('a bare link is explained once', () => {
  expect(explain('see http://a.b', 6).map(({ message }) => message)).toEqual([
    'A bare link: delimiters in it are part of the URL.',
    'In a paragraph.',
  ])
})

test('wrong arguments are TypeErrors', () => {
  for (const offset of [-1, 2, 0.5, Number.NaN]) {
    const said = `explain: expected an offset from 0 to 1, received ${offset}`
    expect(() => explain('a', offset)).toThrow(new TypeError(said))
  }
  expect(() => explain('a', '0' as unknown as number)).toThrow(TypeError)
  const said = 'explain: expected a string, received null'
  expect(() => explain(null as unknown as string, 0)).toThrow(new TypeError(said))
})

property(
  'the reasons of an opener say that it opens, and those of its closer that it closes',
  source.map((each) => ({ sources: [each] as const })),
  ({ sources: [input] }) => {
    for (const node of formattingIn(parse(input))) {
      const start = node.position?.start.offset ?? 0
      const end = node.position?.end.offset ?? 0
      expect(messagesAt(input, start)).toContain(`Opens ${node.type}.`)
      expect(messagesAt(input, end - 1)).toContain(`Closes ${node.type}.`)
    }
  },
  { cost: 20 },
)

property(
  'explain gives reasons inside the source for every character, and never throws',
  source.map((each) => ({ sources: [each] as const })),
  ({ sources: [input] }) => {
    for (let offset = 0; offset < input.length; offset += 1) {
      const reasons = explain(input, offset)
      if (reasons.length === 0) throw new Error(`nothing is said of ${offset}`)
      for (const { section, place } of reasons) {
        expect(section).toMatch(/^§(?:[124]|3\.[1-8])$/)
        expect(place.start.offset).toBeGreaterThanOrEqual(0)
        expect(place.end.offset).toBeGreaterThan(place.start.offset ?? 0)
        expect(place.end.offset).toBeLessThanOrEqual(input.length)
      }
    }
  },
  { cost: 50 },
)

function messagesAt(input: string, offset: number): string {
  return explain(input, offset)
    .map(({ message }) => message)
    .join(' ')
}

function formattingIn(node: AnyNode): AnyNode[] {
  const inner = 'children' in node ? node.children.flatMap(formattingIn) : []
  return isFormatting(node) ? [node, ...inner] : inner
}
