/** Warnings: that none is false, that each rule is described, that reporters print them. */

import { readFileSync } from 'node:fs'
import { VFile } from 'vfile'
import { reporter } from 'vfile-reporter'
import { describe, expect, test } from 'vitest'
import { corpusNames, makeCorpus } from '../bench/corpora.js'
import { rules } from '../src/check/lint/rules.js'
import { type Linted, report } from '../src/cli/report.js'
import {
  code,
  type LintMessage,
  link,
  lint,
  paragraph,
  parse,
  type RuleId,
  root,
  type Strong,
  strong,
  text,
} from '../src/index.js'
import { readChapters } from './fixtures/chapter.js'
import { printWarnings } from './fixtures/lint-lines.js'
import { mostly, property } from './properties/property.js'
import { source } from './properties/sources.js'
import { leastTimeOf } from './timing.js'

const ruleIds = Object.keys(rules)

function rulesOf(messages: readonly LintMessage[]): RuleId[] {
  return messages.map(({ ruleId }) => ruleId)
}

describe('no false alarm', () => {
  /** The samples that are markup of other dialects; every other one of the chapter has to be silent. */
  const meantElsewhere: Readonly<Record<string, RuleId[]>> = {
    '### Third-level heading': ['heading-depth'],
    '###### Sixth_level': ['heading-depth'],
    '### https://example.com/h3': ['heading-depth'],
    '- item one': ['bullet'],
    '- [ ] write tests': ['bullet'],
    '- [x] done_': ['bullet'],
    '- https://example.com/-one-': ['bullet'],
    '1. first_item': ['ordered-list'],
    '1. https://example.com/one_': ['ordered-list'],
    '> quoted_reply_': ['quote'],
    '> https://example.com/q': ['quote'],
    '~~struck~~ and ~sub~': ['strikethrough'],
    '__bold elsewhere__': ['double-underscore'],
    '![alt_text](img/logo_.png)': ['image'],
    '<https://example.com/a-b>': ['angle-url'],
    '<@everyone> and <@here>': ['mention-id', 'mention-id'],
    '<@user_name>': ['mention-id'],
    '<#general> and <!here>': ['slack-reference'],
    '[docs](./README_de.md)': ['link-target'],
    '[see page 3](#page-3)': ['link-target'],
    '[/path](/other_path)': ['link-target'],
    '[x](www.example.com)': ['link-target'],
    '[](https://example.com/empty)': ['link-target'],
    '<!42|not alone> here': ['file-alone'],
    '`unclosed code': ['unclosed-marker'],
  }

  test('on the chapter of names and urls, line for line', () => {
    const samples = readNames()
    expect(samples.length).toBeGreaterThan(1000)
    const warned = samples.map((sample): [string, RuleId[]] => [sample, rulesOf(lint(sample))])
    expect(Object.fromEntries(warned.filter(([, rules]) => rules.length > 0))).toEqual(meantElsewhere)
  })

  test.each(corpusNames)('on the corpus %s', (name) => {
    const { messages } = makeCorpus(name, 1)
    const found = messages.flatMap((message) => printWarnings(lint(message)).map((warning) => `${warning}: ${message}`))
    expect(found).toEqual([])
    expect(lint(messages, { blocks: messages.length, blockLength: 10_000 })).toEqual([])
  })

  test('in code of any kind', () => {
    const samples = readChapters()
      .filter(({ file }) => file.endsWith('lint.md'))
      .flatMap(({ examples }) => examples.map(({ blocks }) => blocks.join('\n')))
    expect(samples.length).toBeGreaterThan(2 * ruleIds.length)
    for (const sample of samples) {
      const found = rulesOf(lint(`\`\`\`\`\`\`\n${sample}\n\`\`\`\`\`\``))
      expect(found.filter((ruleId) => ruleId !== 'invisible' && ruleId !== 'bidirectional')).toEqual([])
    }
  })

  function readNames(): string[] {
    const blocks = readFileSync('fixtures/names.md', 'utf8').matchAll(/^```` lines .*\n([\s\S]*?)^````$/gm)
    const lines = Array.from(blocks, ([, block = '']) => block.trimEnd().split('\n')).flat()
    // Indented by two spaces are the urls of the sample above them.
    return lines.filter((line) => !line.startsWith('  '))
  }
})

describe('rules', () => {
  test('have a section each, with an example that is warned of and one that is not', () => {
    const [chapter] = readChapters().filter(({ file }) => file.endsWith('lint.md'))
    const headings = chapter?.content.flatMap((line) =>
      typeof line === 'string' ? (/^## (.+)/.exec(line)?.[1] ?? []) : [],
    )
    expect(headings).toEqual(ruleIds)
    let section = ''
    const warned = new Set<string>()
    const silent = new Set<string>()
    for (const entry of chapter?.content ?? []) {
      if (typeof entry === 'string') section = /^## (.+)/.exec(entry)?.[1] ?? section
      else for (const { lines } of entry.parts) (lines.length > 0 ? warned : silent).add(section)
    }
    expect([...warned]).toEqual(ruleIds)
    expect([...silent]).toEqual(ruleIds)
  })

  test.each(ruleIds)('%s can be switched off', (ruleId) => {
    const [example] = readChapters().flatMap(({ examples }) => examples.filter(({ name }) => name === `lint-${ruleId}`))
    const blocks = example?.blocks ?? []
    const limits = { blockLength: 4, blocks: 2 }
    const options = ruleId === 'limit' ? limits : {}
    const input = ruleId === 'limit' ? blocks : (blocks[0] ?? '')
    expect(rulesOf(lint(input, options))).toContain(ruleId)
    expect(rulesOf(lint(input, { ...options, rules: { [ruleId]: true } }))).toContain(ruleId)
    expect(rulesOf(lint(input, { ...options, rules: { [ruleId]: false } }))).not.toContain(ruleId)
  })

  test('say what was meant in a sentence of one line, without what was typed', () => {
    for (const { reason } of Object.values(rules)) expect(reason).toMatch(/^[A-Z][\x20-\x7e]+[^ ]$/)
  })
})

describe('messages', () => {
  test('have the fields of vfile-message', () => {
    expect(lint('a\n<@ann>')).toEqual([
      {
        reason: 'Probably a mention: an id without a digit needs a `|` behind it.',
        message: 'Probably a mention: an id without a digit needs a `|` behind it.',
        ruleId: 'mention-id',
        source: 'blockmark',
        fatal: false,
        line: 2,
        column: 1,
        place: { start: { line: 2, column: 1, offset: 2 }, end: { line: 2, column: 7, offset: 8 } },
        expected: ['<@ann|>'],
        url: 'fixtures/lint.md#mention-id',
      },
    ])
  })

  test('name the block of an array, and count lines in it', () => {
    const messages = lint(['fine', 'a\r\n<@ann>\r<@bob>', parse('<@eve>'), '### x'])
    expect(messages.map(({ block, line, ruleId }) => [block, line, ruleId])).toEqual([
      [1, 2, 'mention-id'],
      [1, 3, 'mention-id'],
      [3, 1, 'heading-depth'],
    ])
  })

  test('are printed by vfile-reporter', () => {
    const printed = reporter([fileOf('message.md', lint('### a\n~~b~~ <@ann>'), false)], { color: false })
    expect(printed).toBe(`message.md
1:1-1:4  warning Probably a heading: it has \`#\` or \`##\`.                          heading-depth blockmark
2:1-2:6  warning Probably struck text: it is \`-x-\`.                               strikethrough blockmark
2:7-2:13 warning Probably a mention: an id without a digit needs a \`|\` behind it. mention-id    blockmark

⚠ 3 warnings`)
  })

  test('look the same where blockmark itself prints them', () => {
    const files: Linted[] = [
      { path: 'b.md', messages: lint(`${'\n'.repeat(99)}### x <@ann> ~~y~~\n- b\n- c`), isWritten: false },
      { path: 'a.md', messages: [], isWritten: false },
      { path: undefined, messages: lint('😀'.repeat(40_001)), isWritten: false },
      { path: 'ä/c.md', messages: lint('`a` <b>x</b> `b'), isWritten: true },
      { path: 'd.md', messages: [], isWritten: true },
    ]
    for (const hasColors of [true, false]) {
      for (let start = 0; start < files.length; start += 1) {
        for (let end = start + 1; end <= files.length; end += 1) {
          const some = files.slice(start, end)
          const expected = reporter(
            some.map(({ path, messages, isWritten }) => fileOf(path, messages, isWritten)),
            { color: hasColors },
          )
          expect(report(some, hasColors)).toBe(`${expected}\n`)
        }
      }
    }
  })

  function fileOf(path: string | undefined, messages: readonly LintMessage[], isStored: boolean): VFile {
    const file = new VFile(path === undefined ? {} : { path })
    // A reporter reads fields; it asks for no class.
    file.messages.push(...(messages as unknown as VFile['messages']))
    if (isStored) Object.assign(file, { stored: true })
    return file
  }

  test('measure bodies and blocks in code points', () => {
    expect(lint('😀'.repeat(40_000))).toEqual([])
    expect(lint('😀'.repeat(40_001)).map(({ reason }) => reason)).toEqual([
      'The service takes 1 to 40000 characters, not 40001.',
    ])
    expect(lint(['😀'.repeat(4_000)])).toEqual([])
    expect(lint(['a', '😀'.repeat(4_001)]).map(({ block, reason }) => [block, reason])).toEqual([
      [1, 'The service takes 1 to 4000 characters, not 4001.'],
    ])
    expect(rulesOf(lint(Array.from({ length: 101 }, () => 'a')))).toEqual(['limit'])
    expect(rulesOf(lint(Array.from({ length: 101 }, () => root())))).toEqual(['limit'])
  })

  test('of trees are not about their text, which can not be misread', () => {
    expect(lint(parse('### x <@ann> **y'))).toEqual([])
    expect(lint(root())).toEqual([])
  })

  test('of trees name the node by its path, and its place where it has one', () => {
    const tree = root(paragraph('a', strong('b', link('javascript:c', 'd'))), code('e\u202Ef\u200B'))
    expect(lint(tree).map(({ ruleId, path, place }) => [ruleId, path, place])).toEqual([
      ['link-scheme', ['children', 0, 'children', 1, 'children', 1], undefined],
      ['bidirectional', ['children', 1], undefined],
      ['invisible', ['children', 1], undefined],
    ])
    const [message] = lint(['a', parse('b\n[c](dd:e)')])
    expect([message?.block, message?.line, message?.column, message?.path]).toEqual([
      1,
      2,
      1,
      ['children', 0, 'children', 2],
    ])
  })

  test('of trees take linear time, however deep', () => {
    let deep: Strong = { type: 'strong', children: [text('\u200B')] }
    for (let depth = 0; depth < 100_000; depth += 1) deep = { type: 'strong', children: [deep] }
    const [message] = lint(root({ type: 'paragraph', children: [deep] }))
    expect(message?.path).toHaveLength(2 * 100_003)
  })
})

test('what is not sure to be markup among its neighbours is not offered in place of them', () => {
  const doubtful = [
    ...['<code>`</code>', '<b>a</b><b>b</b>', '**y**<b>x</b>', '*y*<i>x</i>', '*x*<b>a</b>', '__*x*__**y**'],
    ...['<b>a</b>_b_', '<a href="javascript:x">x</a>'],
  ]
  for (const source of doubtful) {
    const messages = lint(source)
    expect(messages.length, source).toBeGreaterThan(0)
    for (const { expected } of messages) expect(expected, source).toBeUndefined()
  }
  const readOn = ['~~old~~\\[1]', '**a <b>c</b> d**', '[](http://a.b)](http://c.d)', '~~http://a.b~~']
  for (const source of [...readOn, '<a href="http://a.b/?c=&lt;">d</a>', '<code>&lt;b&gt;</code>', '<!date^1^x|`f`>']) {
    expect(
      lint(source).map(({ expected }) => expected),
      source,
    ).toEqual([undefined])
  }
  expect(lint('<b>a</b>, <i>b</i>').map(({ expected }) => expected)).toEqual([['**a**'], ['*b*']])
})

test('a url that is offered ends where it is meant to', () => {
  const meant: [source: string, expected: string][] = [
    ...['<http://a.b>', '(<http://a.b>)', 'See <http://a.b>.', '<http://a.b>, too'].map((source): [string, string] => [
      source,
      'http://a.b',
    ]),
    ...[
      "<http://a.b>'s page",
      'See <http://a.b>.Next',
      '<http://a.b>.**c**',
      '**c**<http://a.b>',
      '*c*[](http://a.b)',
    ].map((source): [string, string] => [source, '[http://a.b](http://a.b)']),
    ['<http://a.b/?c=1&amp;d=2|e>', '[e](http://a.b/?c=1&d=2)'],
    ['<a href="http://a.b/?c=1&amp;d=2">e</a>', '[e](http://a.b/?c=1&d=2)'],
  ]
  for (const [source, expected] of meant) expect(lint(source)[0]?.expected, source).toEqual([expected])
  expect(lint('<http://a.b>,<http://c.d>').map((each) => each.expected)).toEqual([
    ['[http://a.b](http://a.b)'],
    ['[http://c.d](http://c.d)'],
  ])
})

test('wrong arguments are TypeErrors', () => {
  const wrong: unknown[] = [null, undefined, 7, {}, { type: 'paragraph' }, [null], ['a', 7]]
  for (const input of wrong) expect(() => lint(input as string)).toThrow(TypeError)
  expect(() => lint('a', { bodyLength: 0 })).toThrow(TypeError)
})

property(
  'lint never throws; places lie in the source, in order',
  source.map((each) => ({ sources: [each] as const })),
  ({ sources: [input] }) => {
    let before = 0
    for (const { place } of lint(input)) {
      if (place === undefined || !('start' in place)) throw new Error('a warning without a place')
      const { start, end } = place
      expect(start.offset).toBeGreaterThanOrEqual(before)
      expect(end.offset).toBeGreaterThan(start.offset ?? 0)
      expect(end.offset).toBeLessThanOrEqual(input.length)
      before = start.offset ?? 0
    }
  },
  { cost: 4 },
)

// What is put right may show another warning behind it, where markup stands in markup.
mostly(
  'what is offered is a warning of its rule less',
  source.map((each) => ({ sources: [each] as const })),
  ({ sources: [input] }) => {
    const countOf = (source: string, ruleId: RuleId) => rulesOf(lint(source)).filter((each) => each === ruleId).length
    return lint(input).every(({ place, ruleId, expected: [instead] = [] }) => {
      if (instead === undefined || place === undefined || !('start' in place)) return true
      const fixed = input.slice(0, place.start.offset) + instead + input.slice(place.end.offset)
      return countOf(fixed, ruleId) < countOf(input, ruleId)
    })
  },
)

test('lint takes time linear in the length of the message', () => {
  const pieces = [
    '- ',
    '- a\n',
    '- a:\n\n',
    '+ a\n- b\n',
    '1. a ',
    '1. ',
    '> ',
    '> a\n',
    '### ',
    '#',
    '|-',
    '|\n|-|-',
    '~~a',
    '~~',
    '__a',
    '__ ',
    '**a ',
    '** ',
    '*',
    '_',
    '~',
    '*x',
    '`a ',
    '`',
    '<b>',
    '<b>a',
    '<a href="',
    '<br',
    '![',
    '![a](',
    '[a](',
    '[a](<',
    '[](',
    '[a]("b',
    '[a](.md#',
    '[a](b c',
    '<@a',
    '<@',
    '<!a',
    '<!a|',
    '<!here',
    '<#C1234|',
    '<mailto:a',
    '<https://a.b|',
    'https://a.b ',
    '\\',
    '\\*',
    '\u200B',
    '\u202E',
    ' ',
    '\t',
    '\n',
    '\r\n',
    '\r',
    ' \n',
    ':\n',
    'a',
    '* a\n',
    '# a\n',
    '```\n',
    '**a**',
    '**a** **b ',
    '*a *',
    '¯\\_(ツ)_/¯',
  ]
  const slow = pieces.filter((piece) => {
    const long = piece.repeat(Math.ceil(2 ** 16 / piece.length))
    const lintBoth = () => [lint(long), lint(`- a${long}x`)]
    return leastTimeOf(lintBoth, { enough: 2_000 }) > 2_000
  })
  expect(slow).toEqual([])
})
