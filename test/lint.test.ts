/** Diagnostics: no false positives, a section for each rule, and reporters that print them. */

import { readFileSync } from 'node:fs'
import { VFile } from 'vfile'
import { reporter } from 'vfile-reporter'
import { describe, expect, test } from 'vitest'
import { corpusNames, makeCorpus } from '../bench/corpora.js'
import type { Diagnostic } from '../src/diagnostic.js'
import { code, link, paragraph, parse, root, type Strong, strong, text } from '../src/index.js'
import { fix, lint, type RuleId } from '../src/lint/index.js'
import { ruleIds, rules } from '../src/lint/rules.js'
import { partOf } from './amount.js'
import { readChapters } from './fixtures/chapter.js'
import { printWarnings } from './fixtures/lint-lines.js'
import { mostly, property } from './properties/property.js'
import { source } from './properties/sources.js'
import { leastTimeOf } from './timing.js'

function rulesOf(messages: readonly Diagnostic<RuleId>[]): RuleId[] {
  return messages.map(({ ruleId }) => ruleId)
}

describe('lint reports nothing', () => {
  /** The samples that are markup of other dialects. All others of the chapter must not be reported. */
  const meantElsewhere: Readonly<Record<string, RuleId[]>> = {
    '### Third-level heading': ['heading-depth'],
    '###### Sixth_level': ['heading-depth'],
    '### https://example.com/h3': ['heading-depth'],
    '- item one': ['bullet'],
    '- [ ] write tests': ['bullet'],
    '- [x] done_': ['bullet'],
    '- https://example.com/-one-': ['bullet'],
    '> quoted_reply_': ['quote'],
    '> https://example.com/q': ['quote'],
    '~~struck~~ and ~sub~': ['strikethrough'],
    '__bold elsewhere__': ['double-underscore'],
    'www.example.com/_foo_/bar': ['www-url'],
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
    '---': ['thematic-break'],
    '***': ['thematic-break'],
    ___: ['thematic-break'],
  }

  test('about delimiters that the normal form removes, with or without an escape beside them', () => {
    for (const source of ['**a **b** c**', '**a \\* **b** c**', '**a \\\\\\* **b** c**'])
      expect(lint(source)).toEqual([])
    expect(rulesOf(lint('a \\_ **b c'))).toEqual(['unclosed-marker'])
  })

  test('in the chapter of names and URLs, line for line', () => {
    const samples = readNames()
    expect(samples.length).toBeGreaterThan(1000)
    const warned = samples.map((sample): [string, RuleId[]] => [sample, rulesOf(lint(sample))])
    expect(Object.fromEntries(warned.filter(([, rules]) => rules.length > 0))).toEqual(meantElsewhere)
  })

  test.each(corpusNames)('in the corpus %s', (name) => {
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
    // Lines indented by two spaces are the URLs of the sample above.
    return lines.filter((line) => !line.startsWith('  '))
  }
})

describe('rules', () => {
  test('have a section each, with an example that is reported and one that is not', () => {
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

  test('have a reason of one line', () => {
    for (const [ruleId, { reason }] of Object.entries(rules)) {
      if (ruleId === 'limit') continue
      for (const there of ['x', '###', '[a](b.md)', '\u202E', '`', '\u{1F600}\n`', 'a'.repeat(1000), '']) {
        expect([ruleId, reason(there)]).toEqual([ruleId, expect.stringMatching(/^[A-Z`][\x20-\x7e]{10,120}[^ ]$/)])
      }
    }
  })

  // The printed diagnostic of each rule.
  test.each([
    ['heading-depth', '### x', '1:1: `###` does not start a heading here: use `#` or `##`.'],
    ['heading-space', '##Title', '1:1: `##` does not start a heading: add a space after it.'],
    ['thematic-break', '---', '1:1: `---` does not draw a line here: it is shown as typed.'],
    ['bullet', '- x', '1:1: `-` does not start a list item here: use `*` and a space.'],
    ['ordered-list', '1. x\n2. y', '1:1: `1.` does not start a numbered list here: the line is shown as typed.'],
    ['quote', '> x', '1:1: `>` does not start a quote here: it is shown as typed.'],
    ['table', '|a|b|\n|-|-|', '2:1: Tables are not supported here: put the rows into fenced code to keep the columns.'],
    ['strikethrough', '~~x~~', '1:1: `~~` does not strike text through here: write `-x-`.'],
    ['double-underscore', '__an x__', '1:1: `__` does not make text bold here: write `**x**`.'],
    ['html', '<b>x</b>', '1:1: `<b>` has no effect here: tags are shown as typed.'],
    ['html', '<img alt="ä">', '1:1: This tag has no effect here: tags are shown as typed.'],
    ['image', '![a](b.png)', '1:1: `![` does not show an image here: upload it, and put `<!id|>` on a line by itself.'],
    [
      'angle-url',
      '<https://a.b>',
      '1:1: `<` and `>` are not part of a link here: write the URL alone, or `[text](url)`.',
    ],
    ['mention-id', '<@ann>', '1:1: `<@ann>` is not a mention: add a `|` after an id without a digit.'],
    [
      'slack-reference',
      '<!here>',
      '1:1: `<!here>` works only in Slack: it does not notify people or link to a channel here.',
    ],
    [
      'link-target',
      '[a](b.md)',
      '1:1: This is not a link: its text is not blank, and its URL has a scheme, no space, no `<` and no title.',
    ],
    ['link-scheme', '[a](tel:1)', '1:1: `tel:` is not shown as a link: only http, https and mailto are.'],
    [
      'link-text',
      '[https://a.b](https://c.d)',
      '1:1: The text of this link is another URL than the one that it leads to.',
    ],
    ['www-url', 'www.a.b', '1:1: `www.a.b` is not a link here: write `https://` before it.'],
    ['file-alone', 'a <!4|b>', '1:3: `<!4|b>` does not show a file here: put it on a line by itself.'],
    ['pair', 'a:_b_', '1:3: This pair of `_` is shown as typed: add a space before and after it.'],
    ['fence-alone', 'a ```\nb', '1:3: This fence does not open code: start a line with it.'],
    ['unclosed-marker', '**a', '1:1: This `**` is text: it has no closing partner.'],
    ['unclosed-marker', '`a', '1:1: This backtick is text: it has no closing partner.'],
    ['unclosed-fence', '```', '1:1: This fence is not closed: everything after it is code.'],
    ['bidirectional', 'a\u202Eb', '1:2: U+202E changes the order in which the text around it is shown.'],
    ['invisible', 'a\u200Bb', '1:2: U+200B is invisible.'],
  ] as const)('%s of %j says: %s', (ruleId, input, said) => {
    expect(
      lint(input)
        .filter((each) => each.ruleId === ruleId)
        .map(String)[0],
    ).toBe(said)
  })

  test('have the note of their section', () => {
    const chapter = readFileSync('fixtures/lint.md', 'utf8').split(/^## /m).slice(1)
    const said = chapter.map((section) => {
      const [ruleId = '', ...lines] = section.replace(/^(`{4,})[\s\S]*?^\1$/gm, '').split('\n')
      return [ruleId, lines.join(' ').replace(/\s+/g, ' ').trim()]
    })
    expect(ruleIds.map((ruleId) => [ruleId, rules[ruleId].note])).toEqual(said)
    expect(lint('<@ann>')[0]?.note).toBe(rules['mention-id'].note)
  })
})

describe('diagnostics', () => {
  test('have the fields of vfile-message', () => {
    expect(lint('a\n<@ann>')).toEqual([
      {
        reason: '`<@ann>` is not a mention: add a `|` after an id without a digit.',
        message: '`<@ann>` is not a mention: add a `|` after an id without a digit.',
        ruleId: 'mention-id',
        source: 'blockmark',
        fatal: false,
        line: 2,
        column: 1,
        place: { start: { line: 2, column: 1, offset: 2 }, end: { line: 2, column: 7, offset: 8 } },
        expected: ['<@ann|>'],
        note: 'The id of a mention without a `|` contains a digit (§3.3), so `List<@NonNull>` is not a mention.',
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
    const file = new VFile({ path: 'message.md' })
    // A reporter reads only fields, and does not check the class.
    file.messages.push(...(lint('### a\n~~b~~ <@ann>') as unknown as VFile['messages']))
    expect(reporter([file], { color: false })).toBe(`message.md
1:1-1:4  warning \`###\` does not start a heading here: use \`#\` or \`##\`.             heading-depth blockmark
2:1-2:6  warning \`~~\` does not strike text through here: write \`-x-\`.              strikethrough blockmark
2:7-2:13 warning \`<@ann>\` is not a mention: add a \`|\` after an id without a digit. mention-id    blockmark

⚠ 3 warnings`)
  })

  test('measure bodies and blocks in code points', () => {
    expect(lint('😀'.repeat(40_000))).toEqual([])
    expect(lint('😀'.repeat(40_001)).map(({ reason }) => reason)).toEqual([
      'A body may have 1 to 40000 characters, but this one has 40001.',
    ])
    expect(lint(['😀'.repeat(4_000)])).toEqual([])
    expect(lint(['a', '😀'.repeat(4_001)]).map(({ block, reason }) => [block, reason])).toEqual([
      [1, 'A block may have 1 to 4000 characters, but this one has 4001.'],
    ])
    expect(rulesOf(lint(Array.from({ length: 101 }, () => 'a')))).toEqual(['limit'])
    expect(rulesOf(lint(Array.from({ length: 101 }, () => root())))).toEqual(['limit'])
  })

  test('about limits are only for strings, with any number of trees before them', () => {
    expect(lint(parse('a tree'), { bodyLength: 1 })).toEqual([])
    expect(lint([parse('a tree')], { blockLength: 1 })).toEqual([])
    const trees = Array.from({ length: 1_000 }, () => root())
    expect(lint([...trees, 'ab'], { blocks: 1_001, blockLength: 1 }).map(({ block }) => block)).toEqual([1_000])
  })

  test('convert to strings with block, position and reason', () => {
    expect(lint(['a', 'b\n~~c~~']).map(String)).toEqual([
      'block 1, 2:1: `~~` does not strike text through here: write `-x-`.',
    ])
    expect(lint(['a'], { blockLength: 1, blocks: 1 }).map(String)).toEqual([])
    expect(`${lint('ab', { bodyLength: 1 })[0]}`).toBe('A body may have 1 to 1 characters, but this one has 2.')
    expect(JSON.parse(JSON.stringify(lint('~~c~~')[0])).reason).toBe(
      '`~~` does not strike text through here: write `-x-`.',
    )
  })

  test('of trees do not report text nodes, which are not parsed', () => {
    expect(lint(parse('### x <@ann> **y'))).toEqual([])
    expect(lint(root())).toEqual([])
  })

  test('of trees name the node by its path, and by its position if it has one', () => {
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

  test('of trees reach every allowed depth', () => {
    let deep: Strong = { type: 'strong', children: [text('\u200B')] }
    for (let depth = 0; depth < 490; depth += 1) deep = { type: 'strong', children: [deep] }
    const [message] = lint(root({ type: 'paragraph', children: [deep] }))
    expect(message?.path).toHaveLength(2 * 493)
  })
})

describe('fix', () => {
  test('leaves a correction out that would close something far away, and applies the others', () => {
    const far = 'word '.repeat(30)
    expect(fix(`a \`b ${far}<code>c</code>`)).toBe(`a \`b ${far}<code>c</code>`)
    expect(fix(`a \`b\n<code>c</code>`)).toBe(`a \`b\n<code>c</code>`)
    expect(fix(`~~d~~ \`b ${far}<code>c</code> __e f__`)).toBe(`-d- \`b ${far}<code>c</code> **e f**`)
  })

  test('applies replacements repeatedly until none is left', () => {
    expect(fix('### a\n- one\n- <b>or ~~two~~ of</b>\n\n> it <@ann>')).toBe(
      '## a\n* one\n* **or -two- of**\n\n> it <@ann>',
    )
  })

  test('keeps uncertain text, text of disabled rules, and correct text', () => {
    for (const source of ['#Title\nx', '---', '<@ann>', 'grep -v foo- b', '**a', 'fine', '']) {
      expect(fix(source)).toBe(source)
    }
    expect(fix('~~a~~ __b c__', { rules: { strikethrough: false } })).toBe('~~a~~ **b c**')
  })

  test('checks text next to a replacement again', () => {
    // Two adjacent backticks would be one run.
    const source = '<code>a</code><code>b</code>'
    expect(lint(source).map(({ expected }) => expected)).toEqual([['`a`'], ['`b`']])
    expect(fix(source)).toBe('`a`<code>b</code>')
  })

  test('stops after eight rounds, and keeps deeper nesting', () => {
    const nested = (depth: number, opening: string, closing: string) =>
      `${`${opening}a `.repeat(depth)}b${` c${closing}`.repeat(depth)}`
    expect(fix(nested(8, '<b>', '</b>'))).toBe(nested(8, '**', '**'))
    expect(fix(nested(9, '<b>', '</b>'))).toBe(`<b>a ${nested(8, '**', '**')} c</b>`)
  })

  test('accepts only a string', () => {
    for (const input of [null, undefined, 7, ['a'], root()]) {
      expect(() => fix(input as unknown as string)).toThrow(TypeError)
    }
  })

  mostly(
    'changes nothing the second time',
    source.map((each) => ({ sources: [each] as const })),
    ({ sources: [input] }) => fix(fix(input)) === fix(input),
  )
})

test('a replacement is not offered if its neighbors could change its meaning', () => {
  const doubtful = [
    ...['<code>`</code>', '**y**<b>x</b>', '*y*<i>x</i>', '*x*<b>a</b>', '__*x*__**y**'],
    ...['<a href="javascript:x">x</a>', '<b>a *b* </b>'],
  ]
  for (const source of doubtful) {
    const messages = lint(source)
    expect(messages.length, source).toBeGreaterThan(0)
    for (const { expected } of messages) expect(expected, source).toBeUndefined()
  }
  const readOn = ['~~old~~\\[1]', '**a <b>c</b> d**', '[](http://a.b)](http://c.d)']
  for (const source of [...readOn, '<a href="http://a.b/?c=&lt;">d</a>', '<code>&lt;b&gt;</code>', '<!date^1^x|`f`>']) {
    expect(
      lint(source).map(({ expected }) => expected),
      source,
    ).toEqual([undefined])
  }
  for (const between of [', ', '']) {
    expect(lint(`<b>a</b>${between}<b>b</b>`).map(({ expected }) => expected)).toEqual([['**a**'], ['**b**']])
  }
  expect(fix('<b>a</b><b>b</b>')).toBe('**a**<b>b</b>')
})

test('an invisible character is not removed if formatting depends on it', () => {
  const expectedOf = (source: string) => lint(source).map(({ ruleId, expected }) => [ruleId, expected])
  for (const source of ['_a_\u200Bb', '\u2063*\u00AD*\u2063', '\u2063**\u2063*\u2063\u00AD*\u2063']) {
    expect(expectedOf(source), source).toContainEqual(['invisible', undefined])
  }
  for (const source of ['_a_ \u200Bb', '\u2063*a\u00AD*\u2063']) {
    expect(expectedOf(source), source).toEqual([['invisible', ['']]])
  }
})

test('a URL in a replacement ends at its intended end', () => {
  const meant: readonly (readonly [source: string, ...expected: string[]])[] = [
    ['<http://a.b>', 'http://a.b'],
    ['(<http://a.b>)', 'http://a.b'],
    ['See <http://a.b>.', 'http://a.b'],
    ['<http://a.b>, too', 'http://a.b'],
    ['<http://a.b|>', 'http://a.b'],
    ['<http://a.b/?c=1&amp;d=2|e>', '[e](http://a.b/?c=1&d=2)'],
    ['<a href="http://a.b/?c=1&amp;d=2">e</a>', '[e](http://a.b/?c=1&d=2)'],
    ['<http://a.b>,<http://c.d>', 'http://a.b', 'http://c.d'],
  ]
  for (const [source, ...expected] of meant) {
    expect(
      lint(source).flatMap((each) => each.expected),
      source,
    ).toEqual(expected)
  }
  for (const source of ["<http://a.b>'s page", 'See <http://a.b>.Next']) {
    expect(
      lint(source).map((each) => each.expected),
      source,
    ).toEqual([undefined])
  }
})

describe('lint distinguishes markup from text that looks like it', () => {
  const names = ['- Ann', '-  Ann', '- Ann Bond', '- Ann  Bond', '- Ann\n', '- Élodie Åsund\n\n']
  const items = ['one: a b c d', 'two: e f g h']
  interface Case {
    readonly name: string
    /** Each of these sources is reported by these rules. */
    readonly reported: readonly string[]
    readonly ruleIds: readonly RuleId[]
    readonly quiet?: readonly string[]
  }
  const cases: readonly Case[] = [
    { name: 'three dashes are a thematic break', reported: ['abc\n---'], ruleIds: ['thematic-break'] },
    {
      name: 'dashes start items in consecutive lines',
      reported: [
        ...['\n  ', '\n\n', '\r\n'].map((between) => items.map((item) => `- ${item}`).join(between)),
        ...[`Both:\n- ${items.join('\n- ')}`, `+ ${items.join('\n+ ')}`],
      ],
      ruleIds: ['bullet', 'bullet'],
      quiet: ['Ann - Bob\n- one: a b c d'],
    },
    {
      name: 'a dash starts an item after a colon or before a few words',
      reported: ['Done.\n\n- fix login', '-  fix login', '- fix  login', 'To do:\n\n- one: a b c d'],
      ruleIds: ['bullet'],
      quiet: ['Done.  \n- fix login', '-    fix login'],
    },
    {
      name: 'a dash before a name at the end starts a signature',
      reported: ['- Ann', 'Thank you!\n\n- Ann\n\nand Bob', 'Thank you!\n\n- Ann Bond called'],
      ruleIds: ['bullet'],
      quiet: names.flatMap((name) => [`Thank you!\n\n${name}`, `${'Thank you! '.repeat(10)}\n\n${name}`]),
    },
    {
      name: 'a line of dashes and pipes makes a table of the line above',
      reported: ['|-|-|', '  |-|-|', '| - | - |', '- | -', ':- | -:', '\t|---|:-:|'].map((row) => `|a|b|\n${row}`),
      ruleIds: ['table'],
      quiet: ['x|-|-|', '|-x|-|', '|-|-|x', '| |-|', '-'].map((row) => `|a|b|\n${row}`),
    },
    {
      name: 'paths, files and hosts are the URLs of links',
      reported: [
        ...['a.md', 'a.htm', 'a.html', 'a.pdf', 'a.txt', 'a.png', 'a.jpg', 'a.jpeg', 'a.md#b'],
        ...['a.com', 'a.org', 'a.net', 'a.io', 'a.dev', 'a.com/b', 'www.a.b'],
        ...['/a', './a', '../a', '#a', 'a/b'],
      ].map((target) => `[x](${target})`),
      ruleIds: ['link-target'],
      quiet: ['C:\\docs\\a.md', 'a', 'a.b', 'see a.md', 'a.md b'].map((target) => `[x](${target})`),
    },
  ]
  test.each(cases)('$name', ({ reported, ruleIds, quiet = [] }) => {
    for (const source of reported) expect(rulesOf(lint(source)), source).toEqual(ruleIds)
    for (const source of quiet) expect(lint(source), source).toEqual([])
  })
})

test('characters that a URL cannot contain are left out or percent-encoded', () => {
  const meant: readonly (readonly [target: string, url: string])[] = [
    ['http://a "b"', 'http://a'],
    ['http://a "b" ', 'http://a'],
    ["http://a 'b'", 'http://a'],
    ['<http://a>', 'http://a'],
    ['http://a/<c>', 'http://a/%3Cc%3E'],
  ]
  for (const [target, url] of meant) {
    expect(lint(`[x](${target})`), target).toMatchObject([{ ruleId: 'link-target', expected: [`[x](${url})`] }])
  }
})

test('words before a URL are not reported as a link target', () => {
  expect(lint('[a](see http://b)').map(({ ruleId }) => ruleId)).not.toContain('link-target')
  expect(lint('<http://a.b c>')).toEqual([])
  expect(lint('[a](http://b c)')).toMatchObject([{ ruleId: 'link-target', expected: ['[a](http://b%20c)'] }])
})

test('a limit of 0 is a TypeError', () => {
  expect(() => lint('a', { bodyLength: 0 })).toThrow(TypeError)
})

property(
  'lint never throws, and its positions are in the source, in order',
  source.map((each) => ({ sources: [each] as const })),
  ({ sources: [input] }) => {
    let before = 0
    for (const { place } of lint(input)) {
      if (place === undefined || !('start' in place)) throw new Error('a diagnostic without a position')
      const { start, end } = place
      expect(start.offset).toBeGreaterThanOrEqual(before)
      expect(end.offset).toBeGreaterThan(start.offset ?? 0)
      expect(end.offset).toBeLessThanOrEqual(input.length)
      before = start.offset ?? 0
    }
  },
  { cost: 4 },
)

// A replacement can reveal another diagnostic if markup is inside markup.
mostly(
  'a replacement removes one diagnostic of its rule',
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
    ...['- ', '- a\n', '- a:\n\n', '+ a\n- b\n', '1. a ', '1. ', '> ', '> a\n', '### ', '#', '|-', '|\n|-|-'],
    ...['~~a', '~~', '~~~\n', '~~~\na\n', '---\n', 'a\n===\n\n', '[a]: http://b\n', '[a][b]', '  * a\n'],
    ...['#A', '#Ab\n', ' -v a-', '__a', '__ ', '**a ', '** ', '*', '_', '~', '*x', '`a ', '`', '<b>', '<b>a'],
    ...['<a href="', '<br', '![', '![a](', '[a](', '[a](<', '[](', '[a]("b', '[a](.md#', '[a](b c', '<@a'],
    ...['<@', '<!a', '<!a|', '<!here', '<#C1234|', '<mailto:a', '<https://a.b|', 'https://a.b ', '\\', '\\*'],
    ...['\u200B', '\u202E', ' ', '\t', '\n', '\r\n', '\r', ' \n', ':\n', 'a', '* a\n', '# a\n', '```\n'],
    ...['**a**', '**a** **b ', '*a *', '¯\\_(ツ)_/¯'],
  ]
  const slow = partOf(pieces, 12).filter((piece) => {
    const long = piece.repeat(Math.ceil(2 ** 16 / piece.length))
    const lintBoth = () => [lint(long), lint(`- a${long}x`)]
    return leastTimeOf(lintBoth, { enough: 2_000 }) > 2_000
  })
  expect(slow).toEqual([])
})
