/** Why a character is what it is; the sections are those of `fixtures/`. */

import { describe, expect, test } from 'vitest'
import { isFormatting } from '../src/delimiters.js'
import { parse } from '../src/index.js'
import { explain, type Reason } from '../src/lint/index.js'
import type { AnyNode } from '../src/tree.js'
import { property } from './properties/property.js'
import { source } from './properties/sources.js'
import { expectToBeFast } from './timing.js'

/** Asks for the character behind the mark. */
function ask(marked: string): Reason[] {
  return explain(marked.replace('‸', ''), marked.indexOf('‸'))
}

/** What is said of the character itself: all but where it stands. */
function said(marked: string): string[] {
  return ask(marked)
    .map(({ section, message, place }) => `${section} ${message} ${place.start.offset}-${place.end.offset}`)
    .filter((reason) => !/^\S+ In /.test(reason))
}

/** For each rule of §4, in its order: an input with a mark, and what is said of the character behind it. */
const emphasis: Readonly<Record<string, readonly (readonly [marked: string, ...said: string[]])[]>> = {
  'runs of `_` or `-` longer than one are text': [
    ['‸__init__', '§4 This `__` is text: only one of it is a marker. 0-2'],
    ['npm i -‸-save', '§4 This `--` is text: only one of it is a marker. 6-8'],
  ],
  flanking: [
    [
      'a ‸* b',
      '§4 This `*` can not open: white space stands behind it. 2-3',
      '§4 This `*` can not close: white space stands before it. 2-3',
    ],
    ['‸*a*', '§4 Opens emphasis. 0-1'],
    ['*a‸*', '§4 Closes emphasis. 2-3'],
    ['中‸**文**', '§4 Opens strong. 1-3'],
  ],
  'before and after count an escaped character as itself, a code span by its backtick': [
    ['a‸*\\* b', '§4 This `*` could close, but nothing is open. 1-2'],
    [
      '`a`‸_b_',
      '§4 This `_` can not open: a backtick stands before it. 3-4',
      '§4 This `_` can not close: the letter `b` stands behind it. 3-4',
    ],
  ],
  '`_` and `-` begin where a word can, and end where one can': [
    [
      'snake‸_case',
      '§4 This `_` can not open: the letter `e` stands before it. 5-6',
      '§4 This `_` can not close: the letter `c` stands behind it. 5-6',
    ],
    [
      '10‸-20',
      '§4 This `-` can not open: the digit `0` stands before it. 2-3',
      '§4 This `-` can not close: the digit `2` stands behind it. 2-3',
    ],
    ['‸_a_b', '§4 This `_` could open, but nothing closes it. 0-1'],
    // A vertical tab is no white space (§1).
    [
      '1‸_\v',
      '§4 This `_` can not open: the digit `1` stands before it. 1-2',
      '§4 This `_` can not close: `\v` stands behind it. 1-2',
    ],
    ['😀‸_a_', '§4 Opens underline. 2-3'],
    ['-a‸-', '§4 Closes delete. 2-3'],
  ],
  'a `-` beside a sign of an emoticon, an arrow or a price': [
    [
      '‸-> a-',
      '§4 This `-` can not open: `>` stands behind it. 0-1',
      '§4 This `-` can not close: it stands between the start and `>`. 0-1',
    ],
    [
      '10,‸-',
      '§4 This `-` can not open: it stands between `,` and the end. 3-4',
      '§4 This `-` can not close: `,` stands before it. 3-4',
    ],
    ...['%', '@', '\\', '#'].map((sign): [string, string, string] => [
      `a‸-${sign}`,
      '§4 This `-` can not open: the letter `a` stands before it. 1-2',
      `§4 This \`-\` can not close: \`${sign}\` stands behind it. 1-2`,
    ]),
  ],
  'a `_` or `-` directly before a star': [
    [
      'rm build‸-*',
      '§4 This `-` can not open: it stands between the letter `d` and the end. 8-9',
      '§4 This `-` can not close: a `*` is directly behind it, and none is open. 8-9',
    ],
    [
      '_tls‸_* modules',
      '§4 This `_` can not open: it stands between the letter `s` and white space. 4-5',
      '§4 This `_` can not close: a `*` is directly behind it, and none is open. 4-5',
    ],
    ['*-x‸-*', '§4 Closes delete. 3-4'],
    ['*x‸-*', '§4 This `-` could close, but nothing is open. 2-3'],
    [
      '*-x‸-\\*',
      '§4 This `-` can not open: the letter `x` stands before it. 3-4',
      '§4 This `-` can not close: an escaped `*` stands behind it. 3-4',
    ],
  ],
  '`_` and `-` across a break': [
    ['‸_a\nb_', '§4 This `_` could open, but is open no longer than its line. 0-2'],
    ['_a\nb‸_', '§4 This `_` could close, but what was open ended with its line. 2-5'],
  ],
  'where no run opens or closes': [
    [
      '‸*)a*',
      '§4 This `*` can not open: `)` stands behind it. 0-1',
      '§4 This `*` can not close: the start stands before it. 0-1',
    ],
    [
      '(‸**.md)',
      '§4 This `**` can not open: it stands between `(` and `.`. 1-3',
      '§4 This `**` can not close: `(` stands before it. 1-3',
    ],
    [
      '"‸*"',
      '§4 This `*` can not open: it stands between `"` and `"`. 1-2',
      '§4 This `*` can not close: it stands between `"` and `"`. 1-2',
    ],
  ],
  'one star before a dot': [
    [
      'find ‸*.js,*.ts',
      '§4 This `*` can not open: `.` stands behind it. 5-6',
      '§4 This `*` can not close: white space stands before it. 5-6',
    ],
    ['‸*..a*', '§4 Opens emphasis. 0-1'],
    ['‸**.a**', '§4 Opens strong. 0-2'],
  ],
  'in a word': [
    ['5‸*3', '§4 This `*` is text: it stands alone in a word. 1-2'],
    ['un‸**believ**able', '§4 Opens strong. 2-4'],
    [
      'x**2 + y‸**2',
      '§4 This `**` could open, but nothing closes it. 8-10',
      '§4 `**` and `**` make nothing: one of them is in a word. 1-10',
    ],
  ],
  late: [
    ['**Status:‸**OK', '§4 Closes strong, late. 9-11'],
    ['**a ‸_b!**OK', '§4 This `_` could open, but a pair around it closes first. 0-9'],
    [
      '**!!‸**OK',
      '§4 This `**` could open, but nothing closes it. 4-6',
      '§4 Nor can it close late: no such run is open, or no word is between the two. 4-6',
    ],
  ],
  matching: [
    ['‸**a', '§4 This `**` could open, but nothing closes it. 0-2'],
    ['a‸**', '§4 This `**` could close, but nothing is open. 1-3'],
    [
      '*a‸**b*',
      '§4 This `**` could open, but a pair around it closes first. 0-6',
      '§4 This `**` could close, but not what is open: the rule of three. 2-4',
    ],
    ['‸***a* b', '§4 Left over: the rest of its run has found partners. 0-3'],
    ['***a‸* b', '§4 Closes emphasis. 4-5'],
  ],
  'a word between the two': [
    ['‸_!_', '§4 `_` and `_` make nothing: no word stands between them. 0-3'],
    ['*!‸*', '§4 `*` and `*` make nothing: no word stands between them. 0-3'],
  ],
  'a slash beside a star': [
    ['‸*/a*', '§4 `*` and `*` make nothing: a slash stands beside one of them. 0-4'],
    [
      '/‸*a',
      '§4 This `*` can not open: `/` stands before it. 1-2',
      '§4 This `*` can not close: the letter `a` stands behind it. 1-2',
    ],
  ],
  'normal form': [['**a ‸**b** c**', '§4 Opens strong. 4-6', '§4 Is one with the strong around or beside it. 4-6']],
}

describe('emphasis', () => {
  test.each(Object.entries(emphasis))('%s', (_, examples) => {
    for (const [marked, ...expected] of examples) expect(said(marked), marked).toEqual(expected)
  })
})

const SEPARATOR = '\u2063'

/** As in `emphasis`; `|` stands for a separator. */
const hard: Readonly<Record<string, readonly (readonly [marked: string, ...said: string[]])[]>> = {
  'a separator makes a delimiter hard': [
    [
      'un‸|*believ*|able',
      '§3.6 Opens emphasis. 2-4',
      '§3.6 The separator makes the `*` behind it open, whatever stands around it. 2-3',
    ],
    [
      'un|*believ‸*|able',
      '§3.6 Closes emphasis. 10-12',
      '§3.6 The separator makes the `*` before it close, whatever stands around it. 11-12',
    ],
    [
      '**a |‸**b**| c**',
      '§3.6 Opens strong. 4-7',
      '§3.6 The separator makes the `**` behind it open, whatever stands around it. 4-5',
      '§4 Is one with the strong around or beside it. 4-7',
    ],
  ],
  'a hard delimiter is a bracket to those inside it, and needs no space around it': [
    [
      '|_‸* a_|',
      '§4 This `*` can not open: white space stands behind it. 2-3',
      '§4 This `*` can not close: a hard delimiter stands before it. 2-3',
    ],
    ['_a‸_|*b*|', '§4 Closes underline. 2-3'],
  ],
  'a separator without a partner is text': [
    ['a‸|b', '§3.6 This separator is text: no delimiter stands directly beside it. 1-2'],
    ['‸|_c', '§3.6 This separator could open underline, but nothing closes it. 0-1'],
    ['c_‸|', '§3.6 This separator could close, but nothing hard is open. 2-3'],
    ['|**a_‸|', '§3.6 This separator could close, but not the `**` that is open. 5-6'],
    ['|_ _‸|', '§3.6 This separator could close underline, but it would hold no more than white space. 4-5'],
    ['|_‸|', '§3.6 This separator could close underline, but it would hold no more than white space. 2-3'],
    ['|*a\\*‸|', '§3.6 This separator could close emphasis, but the `*` before it is escaped. 5-6'],
    ['[‸|*a](bb:c)*|', '§3.6 This separator could open emphasis, but the link around it ends first. 1-2'],
  ],
}

describe('hard formatting', () => {
  test.each(Object.entries(hard))('%s', (_, examples) => {
    for (const [marked, ...expected] of examples) {
      expect(said(marked.replaceAll('|', SEPARATOR)), marked).toEqual(expected)
    }
  })
})

const LINK = '§3.4 Text: a link is `[label](url)`; its label is not blank, its url has a scheme and no space.'
const ANGLE = '§3.3 Text: a mention is `<@id|label>`, or `<@id>` with a digit; a file is alone on its line.'
const URL = '§3.5 Text: a url begins behind no letter or number, and its host with one.'
const NO_BLOCK = '§2 Begins no block: `* ` is an item, and there are no numbers or quotations.'

test.each([
  ['\\‸*a*', '§3.1 Text: it is escaped. 1-2'],
  ['¯\\_(ツ)‸_/¯', '§3.1 Text: part of a shrug. 6-7'],
  ['a ‸`b`', '§3.2 Inline code: nothing in it is read. 2-5'],
  ['‸`a', '§3.2 Text: no run of as many is left for it. 0-1'],
  ['‸<@1>', '§3.3 A mention: nothing in it is read. 0-4'],
  ['‸<@ann>', `${ANGLE} 0-1`],
  ['x ‸<!1|2>', `${ANGLE} 2-3`],
  ['‸[a](bb:c)', '§3.4 Begins the label of a link. 0-9'],
  ['[a‸](bb:c)', '§3.4 Ends the label of a link, before its url. 2-9'],
  ['‸[a](b)', `${LINK} 0-1`],
  ['https://a.b/‸_c_', '§3.5 A bare link: markers in it are its own. 0-15'],
  ['(https://a.b‸)', '§3.5 Trimmed from the end of a url. 12-13'],
  ['[‸https://a.b](cc:d)', '§3.5 Text: a url in the label of a link. 1-12'],
  ['x‸https://a.b', `${URL} 1-2`],
  ['a‸\nb', '§3.8 A break. 1-2'],
  ['a‸ \r\n b', '§1 The end of a line: spaces there do not matter. 1-2'],
  ['* a‸\n* b', '§1 The end of a line: spaces there do not matter. 3-4'],
  ['a\n‸\nb', '§2 A blank line ends a paragraph or a list. 2-3'],
  ['‸### a', '§2 No heading: that takes `#` or `##`, a space, and a character. 0-3'],
  ['‸1. a', `${NO_BLOCK} 0-2`],
  ['‸> a', `${NO_BLOCK} 0-1`],
  ['‸<!1|2>', '§2 A file. 0-6'],
  ['‸```\na\n```', '§2 Opens fenced code. 0-9'],
  ['```\n‸a\n```', '§2 Fenced code: nothing in it is read. 0-9'],
  ['```\na\n‸```', '§2 Closes fenced code. 0-9'],
  ['https://a.b ‸* c', '§4 This `*` can not open: white space stands behind it. 12-13'],
])('other constructs: %s', (marked, expected) => {
  expect(said(marked)).toContain(expected)
})

test('what ends a url is not said to be trimmed from it', () => {
  for (const end of ['"', ' ', '“', '」']) {
    expect(said(`https://a.b.‸${end}c`), end).toEqual([])
    expect(said(`https://a.b‸.${end}c`), end).toEqual(['§3.5 Trimmed from the end of a url. 11-12'])
  }
})

test('what a character stands in comes last, the innermost first', () => {
  const within = (marked: string) => ask(marked).map(({ message }) => message)
  expect(within('* **a [‸b](cc:d)**')).toEqual(['In a link.', 'In strong.', 'In an item of a list.'])
  expect(within('a\u2063**b‸b**\u2063a')).toEqual(['In strong.', 'In a paragraph.'])
  expect(within('# ‸a')).toEqual(['In a heading.'])
  expect(within('a\n\nb‸c')).toEqual(['In a paragraph.'])
  expect(within('a‸')).toEqual([])
})

test('a long line is read in time that grows with its length', () => {
  const explainBehind = (length: number) => (): unknown =>
    explain(`${'a          '.repeat(length)}\nb`, 11 * length + 1)
  expectToBeFast(explainBehind(40_000), { milliseconds: 200, times: 30, ordinary: explainBehind(4_000) })
})

test('places are lines and columns of the source', () => {
  const [reason] = ask('a\r\n  b ‸* c')
  expect(reason?.place).toEqual({ start: { line: 2, column: 5, offset: 7 }, end: { line: 2, column: 6, offset: 8 } })
})

test('a bare link is told of once', () => {
  expect(explain('see http://a.b', 6).map(({ message }) => message)).toEqual([
    'A bare link: markers in it are its own.',
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
  'what opens a node is said to open it, and what closes it to close it',
  source.map((each) => ({ sources: [each] as const })),
  ({ sources: [input] }) => {
    for (const node of formattingIn(parse(input))) {
      const start = node.position?.start.offset ?? 0
      const end = node.position?.end.offset ?? 0
      expect(messagesAt(input, start)).toContain(`Opens ${node.type}.`)
      expect(messagesAt(input, end - 1)).toMatch(new RegExp(`Closes ${node.type}(?:, late)?\\.`))
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
