/** Slack's formats: no text notifies users, no text is lost, and hostile input is only input. */
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fromMarkdown } from '../../src/convert/index.js'
import { assertTree, normalize, parse, stringify, toBodies, toText } from '../../src/index.js'
import { fromSlack, toSlack, toSlackBlocks } from '../../src/messengers/index.js'
import { readConversions } from '../convert/examples.js'
import { mostly, property } from '../properties/property.js'
import { same } from '../properties/same.js'
import { hostileText, source } from '../properties/sources.js'
import { expectToBeFast } from '../timing.js'

function samples(sources: fc.Arbitrary<string>): fc.Arbitrary<{ sources: [string] }> {
  return sources.map((input) => ({ sources: [input] }))
}

function hasLink(source: string): boolean {
  return JSON.stringify(parse(source)).includes('"type":"link"')
}

describe('toSlack', () => {
  property(
    'writes no control sequence but links',
    samples(source),
    ({ sources: [input] }) => {
      const mrkdwn = toSlack(input)
      const brackets = mrkdwn.match(/<[^>]*>?/g) ?? []
      expect(brackets.filter((bracket) => !/^<(?:https?|mailto):[^<>]*>$/i.test(bracket))).toEqual([])
      expect(mrkdwn.replace(/<[^>]*>/g, '')).not.toContain('>')
      expect(mrkdwn.replace(/<[^|>]*\|?|```[\s\S]*?```|`[^`]*`/g, '')).not.toMatch(
        /@(?:channel|here|everyone|group)\b/i,
      )
    },
    { cost: 4 },
  )

  property(
    'shows all of the text, in order',
    samples(source),
    ({ sources: [input] }) => {
      // mrkdwn has the URL of a link before its label.
      if (hasLink(input)) return
      const mrkdwn = toSlack(input).replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
      const letters = (text: string): string => text.replace(/[^\p{L}\p{N}]/gu, '')
      expect(letters(mrkdwn)).toBe(letters(toText(input)))
    },
    { cost: 4 },
  )

  test.each([
    ['**bold** *it* _under_ -gone- `code`', '*bold* _it_ _under_ ~gone~ `code`'],
    ['# Deploy\n* one\n* **two**', '*Deploy*\n\n• one\n• *two*'],
    ['<!channel> <@U1|channel> @here & co', '&lt;!channel&gt; @\u200Bchannel @\u200Bhere &amp; co'],
    ['[a|b>c](https://d.e/?f=<g|h>&i=1)', '[a|b&gt;c](<https://d.e/?f=>&lt;g|h&gt;&amp;i=1)'],
    ['[a|b](https://d.e/f|g?h=1&i=2)', '<https://d.e/f%7Cg?h=1&amp;i=2|a|b>'],
    ['https://a.b/c_d', '<https://a.b/c_d>'],
    ['[a](javascript:b)', 'a (javascript:b)'],
    ['un**believ**able', 'un\u200B*believ*\u200Bable'],
    ['\\*no\\* snake_case ~/.bashrc', '*\u200Bno\u200B* snake_case ~/.bashrc'],
    ['**a\nb**', '*a*\n*b*'],
    ['```js\na < b && "```c"\n```', '```\na &lt; b &amp;&amp; "`\u200B``c"\n```'],
    ['<!9|plan.pdf>', '[file: plan.pdf]'],
    ['> quoted\n1. a\n\u2003\u2003◦ b', '&gt; quoted\n1. a\n\u2003\u2003◦ b'],
    ['>not quoted', '\u200B&gt;not quoted'],
    ['`` a`b ``', 'a`b'],
    ['**te\\* xt** `a` \\`b', '*te\u200B* xt* `a` \u200B`\u200Bb'],
    ['**~/.bashrc**', '*~/.bashrc*'],
    ['```\n```\na', 'a'],
  ])('%s', (dialect, mrkdwn) => expect(toSlack(dialect)).toBe(mrkdwn))

  test('rejects a text that Slack would cut off', () => {
    expect(toSlack('a'.repeat(40_000))).toHaveLength(40_000)
    expect(() => toSlack('a'.repeat(40_001))).toThrow('body/too-long: expected a text of 40000 characters at most')
    expect(() => toSlack('a b', { length: 2 })).toThrow('bodyLength: 1, or half of the one that you used')
  })

  test('keeps quotes and lists as text if they are literal', () => {
    expect(toSlack('> a\n1. b', { literal: true })).toBe('\u200B&gt; a\n1. b')
  })

  test('accepts a tree with 500 levels', () => {
    let tree: object = { type: 'text', value: 'a' }
    for (let depth = 0; depth < 497; depth += 1) tree = { type: 'strong', children: [tree] }
    const root = { type: 'root', children: [{ type: 'paragraph', children: [tree] }] } as never
    expect(toSlack(root)).toBe('*a*')
    expect(() => toSlack(7 as never)).toThrow(TypeError)
  })
})

describe('toSlackBlocks', () => {
  test('writes every construct', () => {
    const source =
      '# A *b*\n**c** _d_ -e- `f` ***g***\nh\n\n* i\n* [**j**](https://k.l/?m=|)\n\n```js\nn < o\n```\n<!9|p.pdf>\nhttps://q.r [s](tt:u)'
    const section = (...elements: object[]): object => ({ type: 'rich_text_section', elements })
    const text = (value: string, ...names: string[]): object => ({
      ...{ type: 'text', text: value },
      ...(names.length > 0 && { style: Object.fromEntries(names.map((name) => [name, true])) }),
    })
    expect(toSlackBlocks(source).map(({ elements }) => elements)).toEqual([
      [section(text('A ', 'bold'), text('b', 'bold', 'italic'))],
      [
        section(
          ...[text('c', 'bold'), text(' '), text('d', 'underline'), text(' '), text('e', 'strike'), text(' ')],
          ...[text('f', 'code'), text(' '), text('g', 'bold', 'italic'), text('\nh')],
        ),
      ],
      [
        {
          ...{ type: 'rich_text_list', style: 'bullet' },
          elements: [
            section(text('i')),
            section({ type: 'link', url: 'https://k.l/?m=%7C', text: 'j', style: { bold: true } }),
          ],
        },
      ],
      [{ type: 'rich_text_preformatted', elements: [text('n < o')] }],
      [section(text('[file: p.pdf]'))],
      [section({ type: 'link', url: 'https://q.r', text: 'https://q.r' }, text(' s (tt:u)'))],
    ])
  })

  test('mentions only users with a Slack id', () => {
    const source = '<@1|Ann> <@2|Bob> <!channel> @here [<@1|Ann>](https://a.b)'
    expect(JSON.stringify(toSlackBlocks(source))).not.toMatch(/"type":"(?:user|broadcast|usergroup)"/)
    const asked = toSlackBlocks(source, {
      mention: (userID) => (userID === '1' ? { name: 'Ann', id: 'U1' } : undefined),
    })
    expect(JSON.stringify(asked).match(/"type":"(?:user|broadcast|usergroup)"[^}]*/g)).toEqual([
      '"type":"user","user_id":"U1"',
    ])
    expect(JSON.stringify(asked)).toContain('"text":"@Ann"')
  })

  test('stays within 50 blocks and 12,000 characters, or throws', () => {
    const lines = (count: number): string => Array.from({ length: count }, (_, index) => `# ${index}`).join('\n')
    expect(toSlackBlocks(lines(50))).toHaveLength(50)
    expect(toSlackBlocks(lines(51))).toHaveLength(26)
    const sections = toSlackBlocks('a'.repeat(11_000)).flatMap(({ elements }) => elements)
    const lengths = sections.map(({ elements }) => JSON.stringify(elements).match(/a*(?="\})/)?.[0].length)
    expect(lengths).toEqual([3_000, 3_000, 3_000, 2_000])
    // The JSON around the four texts has 409 characters.
    expect(JSON.stringify(toSlackBlocks('a'.repeat(11_591)))).toHaveLength(12_000)
    expect(() => toSlackBlocks('a'.repeat(11_592))).toThrow('bodyLength: 1000, or half of the one that you used')
    const items = '* **Deploy** of `core_api` by *Ann*\n'.repeat(400)
    expect(toBodies(items, { bodyLength: 1_000 }).map((body) => toSlackBlocks(body)).length).toBeGreaterThan(13)
    expect(toSlackBlocks('')).toEqual([])
    expect(() => toSlackBlocks(7 as never)).toThrow(TypeError)
  })

  test('writes no empty text, which Slack rejects', () => {
    expect(JSON.stringify(toSlackBlocks('```\n```\n**a**b'))).not.toContain('"text":""')
  })

  property(
    'shows all of the text, in order',
    samples(source),
    ({ sources: [input] }) => {
      if (hasLink(input)) return
      const letters = (text: string): string => text.replace(/[^\p{L}\p{N}]/gu, '')
      const shown = toSlackBlocks(input, { literal: true }).flatMap(({ elements }) =>
        elements.map((element) => JSON.stringify(element)),
      )
      const texts = shown.flatMap((element) =>
        [...element.matchAll(/"text":("(?:[^"\\]|\\.)*")/g)].map(([, text = '""']) => JSON.parse(text)),
      )
      expect(letters(texts.join(''))).toBe(letters(toText(input)))
    },
    { cost: 8 },
  )

  test('writes numbered and nested lists and quotes as Slack has them', () => {
    const source = '2. a\n\u2003\u2003◦ b\n\u2003\u2003c\n3. d\ntext\n> e **f**\n>\n> 1. g'
    const section = (text: string) => ({ type: 'rich_text_section', elements: [{ type: 'text', text }] })
    const ordered = { type: 'rich_text_list', style: 'ordered' }
    expect(toSlackBlocks(source)[0]?.elements).toEqual([
      { ...ordered, offset: 1, elements: [section('a')] },
      { type: 'rich_text_list', style: 'bullet', indent: 1, elements: [section('b\nc')] },
      { ...ordered, offset: 2, elements: [section('d')] },
      section('text'),
      {
        type: 'rich_text_quote',
        elements: [
          { type: 'text', text: 'e ' },
          { type: 'text', text: 'f', style: { bold: true } },
          { type: 'text', text: '\n\n1. g' },
        ],
      },
    ])
    expect(toSlackBlocks('> a', { literal: true })[0]?.elements).toEqual([section('> a')])
  })

  test('shows the number 0, which is not a number of Slack’s lists', () => {
    const texts = toSlackBlocks('0. a\n\u2003\u2003◦ b\n1. c')[0]?.elements.map(({ elements }) => elements)
    expect(texts).toEqual([
      [{ type: 'text', text: '0. a\n\u2003\u2003◦ b' }],
      [{ type: 'rich_text_section', elements: [{ type: 'text', text: 'c' }] }],
    ])
  })

  test('keeps the formatting that a whole label has', () => {
    const link = { type: 'link', url: 'https://a.b' }
    expect(toSlackBlocks('[**c *d***](https://a.b)[-e `f`- g](https://a.b)')[0]?.elements[0]?.elements).toEqual([
      { ...link, text: 'c d', style: { bold: true } },
      { ...link, text: 'e f g' },
    ])
  })

  test('is read back by fromSlack', () => {
    const source = '**A** _b_ -c- `d` *e*\n\n* f\n* g\n\n```\nh\n```\n\n[i](https://j.k)'
    expect(stringify(fromSlack(toSlackBlocks(source) as never).tree)).toBe(source)
  })
})

describe('the options of toSlack and toSlackBlocks', () => {
  const mention = (id: string) =>
    ({ 1: { name: 'Ann', id: 'U1' }, 2: { name: 'Bob', id: '!channel' }, 3: { name: 'Cy', href: 'https://e.x/cy' } })[
      id
    ]
  const file = (id: string) => ({
    name: `${id}.pdf`,
    mediaType: 'application/pdf',
    href: id === '9' ? 'https://e.x/9' : '/8',
  })
  const source = '<@1|x> <@2|y> <@3|z> <@4|Di>\n<!9|q>\n<!8|r>'

  test('mention users only by their ids, and link names and files', () => {
    expect(toSlack(source, { mention, file })).toBe(
      '<@U1> @Bob <https://e.x/cy|@Cy> @Di\n\n<https://e.x/9|9.pdf>\n\n[file: 8.pdf]',
    )
    expect(JSON.stringify(toSlackBlocks(source, { mention, file }).map(({ elements }) => elements))).toBe(
      JSON.stringify([
        [
          {
            type: 'rich_text_section',
            elements: [
              { type: 'user', user_id: 'U1' },
              { type: 'text', text: ' @Bob ' },
              { type: 'link', url: 'https://e.x/cy', text: '@Cy' },
              { type: 'text', text: ' @Di' },
            ],
          },
        ],
        [{ type: 'rich_text_section', elements: [{ type: 'link', url: 'https://e.x/9', text: '9.pdf' }] }],
        [{ type: 'rich_text_section', elements: [{ type: 'text', text: '[file: 8.pdf]' }] }],
      ]),
    )
  })

  test('do not mention users in the label of a link', () => {
    expect(toSlack('[<@1|x>](https://e.x/)', { mention })).toBe('<https://e.x/|@Ann>')
    expect(JSON.stringify(toSlackBlocks('[<@1|x>](https://e.x/)', { mention }))).not.toContain('user')
  })
})

describe('fromSlack', () => {
  test('reads markdown blocks with the given reader, else as the dialect', () => {
    const mention = (id: string) => (id === 'U7' ? { name: 'Ann', id: '7' } : undefined)
    const block = { type: 'markdown', text: '**a** [x](https://e.x) ~~b~~ <@U7|ann>\n\n1. one' }
    const read = fromSlack({ blocks: [block] }, { markdown: fromMarkdown, mention })
    expect(stringify(read.tree)).toBe('**a** [x](https://e.x) -b- <@7|Ann>\n\n1. one')
    expect(read.diagnostics.map(({ ruleId, block: index }) => [ruleId, index])).toEqual([['ordered-list', 0]])
    const dialect = fromSlack([block])
    expect(stringify(dialect.tree)).toBe('**a** [x](https://e.x) ~~b~~ @ann\n\n1. one')
    expect(dialect.diagnostics.map(({ ruleId }) => ruleId)).toEqual(['slack-element', 'mention'])
    expect(() => fromSlack([block], { markdown: {} as never })).toThrow(
      new TypeError('fromSlack: markdown: expected fromMarkdown, received object'),
    )
  })

  mostly(
    'returns a tree that stringify writes and parse reads back',
    samples(fc.oneof(source, hostileText)),
    ({ sources: [input] }) => {
      const { tree } = fromSlack(input)
      return isDeepStrictEqual(parse(stringify(tree), { position: false }), tree)
    },
  )

  test('reads what toSlack writes', () => {
    const { tree } = fromSlack(toSlack('# A\n**b** *c* -d- `e`\n* f\n* g\n\n```\nh\n```\n[i](https://j.k/?l=1&m=2)'))
    expect(stringify(tree)).toBe('**A**\n\n**b** *c* -d- `e`\n\n* f\n* g\n\n```\nh\n```\n\n[i](https://j.k/?l=1&m=2)')
  })

  test.each([
    ['1. a\n• b\n- c', '1. a\n\n* b\n\n- c'],
    ['text\n• a\n• b\ntext', 'text\n\n* a\n* b\n\ntext'],
    ['&gt;&gt;&gt; a\nb\n\n- c', '> a\n> b\n\n> - c'],
    ['• a\n◦ b\n▪ c\n• d', '• a\n\u2003\u2003◦ b\n\u2003\u2003\u2003\u2003▪ c\n• d'],
    ['1. a\n• b\n  ◦ c\n  - d\n2. e', '1. a\n\n• b\n\u2003\u2003◦ c\n\u2003\u2003◦ d\n\n2. e'],
    ['a\r\nb\r\n \r\n&gt; c\r\n&gt; d', 'a\nb\n\n> c\n> d'],
    ['- a\r\t- b\r\r- c', '• a\n\u2003\u2003◦ b\n\n- c'],
    ['- a\n\t- b\n> c', '• a\n\u2003\u2003◦ b\n\n> c'],
    ['a\u2028>>> b\nc', 'a\u2028>>> b\nc'],
  ])('reads the lines of %j', (mrkdwn, dialect) => expect(stringify(fromSlack(mrkdwn).tree)).toBe(dialect))

  test('has the positions of marks, items and quotes', () => {
    const { diagnostics } = fromSlack('> a *b*\n1. c\n   - _d_')
    expect(diagnostics.map(({ ruleId, place }) => [ruleId, place])).toMatchObject([
      ['quote', { start: { line: 1, column: 3 }, end: { line: 1, column: 8 } }],
      ['ordered-list', { start: { line: 2, column: 4 } }],
      ['nested-list', { start: { line: 3, column: 6 } }],
    ])
  })

  test.each([
    ['>', '1:1'],
    ['a\n>\nb', '2:1'],
    ['a\n&gt;&gt;&gt;\n', '2:1'],
    ['a\n1. \n  - b', '2:1'],
  ])('has the position of the empty quote or item in %j', (mrkdwn, expected) => {
    const places = fromSlack(mrkdwn).diagnostics.map(({ place }) => place && 'start' in place && place.start)
    expect(places.map((point) => point && `${point.line}:${point.column}`)).toContain(expected)
    expect(places).not.toContain(undefined)
  })

  test('mentions only the users to whom the callback gives an id', () => {
    const mention = (id: string, label: string | null) => (id === 'U7' ? { name: label ?? id, id } : undefined)
    const { tree, diagnostics } = fromSlack('<@U7|ann> <@U7> <@U8> &lt;@U7|ann&gt; <!here>', { mention })
    expect(stringify(tree)).toBe('<@U7|ann> <@U7> @U8 \\<@U7|ann> @here')
    expect(diagnostics.map(({ ruleId }) => ruleId)).toEqual(['mention', 'slack-element'])
  })

  test('names users, channels and shortcodes with the given callbacks', () => {
    const names = {
      mention: (id: string) => ({ U1: { name: 'Ann' }, U2: { name: 'Bob', id: '42' } })[id],
      channel: (id: string, label: string | null) => (id === 'C1' ? 'general' : label?.toUpperCase()),
      emoji: (name: string) => ({ wave: '👋', white_check_mark: '✅', 'c++': '' })[name],
    }
    const source =
      '<@U1> <@U2|x> <@U3|Cy> <#C1> <#C2|dev> :wave::skin-tone-3: :white_check_mark: `:wave:` 10:30:45 https://a.b/:wave: _:wave:_:c++:'
    const { tree, diagnostics } = fromSlack(source, names)
    expect(stringify(tree)).toBe('@Ann <@42|Bob> @Cy #general #DEV 👋🏼 ✅ `:wave:` 10:30:45 https://a.b/:wave: *👋*')
    expect(diagnostics.map(({ ruleId }) => ruleId)).toEqual(['mention', 'mention', 'slack-element', 'slack-element'])
    const elements = [
      { type: 'channel', channel_id: 'C1' },
      { type: 'emoji', name: 'wave', skin_tone: 2 },
      { type: 'user', user_id: 'U2' },
    ]
    const block = { type: 'rich_text', elements: [{ type: 'rich_text_section', elements }] }
    expect(stringify(fromSlack([block], names).tree)).toBe('#general👋🏻<@42|Bob>')
    expect(stringify(fromSlack('<@U1>', { mention: () => ({ name: 'Ann', href: 'https://e.x/ann' }) }).tree)).toBe(
      '[@Ann](https://e.x/ann)',
    )
  })

  test('rejects a result of a callback that is not a name', () => {
    expect(() => fromSlack('<#C1>', { channel: () => 7 as never })).toThrow(
      new TypeError('fromSlack: channel: expected a string, received 7'),
    )
    expect(() => fromSlack(':a:', { emoji: async () => 'a' as never } as never)).toThrow('emoji: expected a string')
    expect(() => fromSlack('<@U1>', { mention: () => 'Ann' as never })).toThrow(TypeError)
  })

  /** The blocks and payloads of the chapter, with a few values removed or replaced by others. */
  const payloads = readConversions().flatMap((entry) =>
    typeof entry !== 'string' && (entry.from === 'blocks' || entry.from === 'payload') ? [entry.input] : [],
  )
  const odd = [null, true, -1, 1.5, 1e21, '', ' ', 'constructor', [], {}, [null], { type: 'constructor' }]
  const value = fc.oneof(fc.constantFrom(undefined, ...odd), source, fc.constantFrom(...payloads).map(JSON.parse))
  const nearPayloads = fc
    .tuple(fc.constantFrom(...payloads), fc.array(fc.tuple(fc.nat({ max: 60 }), value), { maxLength: 3 }))
    .map(([json, changes]) => changes.reduce((text, [at, other]) => withValue(text, at, other), json))

  property(
    'gives a tree of any JSON that can be written, or names what it expected',
    nearPayloads.map((json) => ({ sources: [], json })),
    ({ json }) => {
      const given = JSON.parse(json)
      try {
        const { tree } = fromSlack(given)
        assertTree(tree)
        same(parse(stringify(tree), { position: false }), normalize(tree).tree)
        expect(JSON.stringify(tree)).not.toMatch(/"type":"(?:mention|file)"/)
      } catch (error) {
        const lists = ['blocks', 'attachments', 'files'].map((name) => Object(given)[name])
        const isMessage = typeof Object(given).text === 'string' || lists.some(Array.isArray)
        if (Array.isArray(given) || isMessage || !String(error).startsWith('TypeError: fromSlack: expected '))
          throw error
      }
    },
    { cost: 4 },
  )

  test('accepts blocks with fields of the wrong type', () => {
    const odd = [
      null,
      7,
      'a',
      [],
      {},
      { type: 7 },
      { type: 'constructor' },
      { type: 'rich_text' },
      { type: 'section', text: 7 },
    ]
    const deeper = [
      { type: 'rich_text', elements: [null, { type: 'rich_text_list', elements: [{}, 7], indent: -1, style: null }] },
      {
        type: 'rich_text',
        elements: [{ type: 'rich_text_section', elements: [{ type: 'emoji', unicode: 'zz' }, { type: 'text' }] }],
      },
      { type: 'table', rows: [7, [null, { type: 'rich_text' }]] },
      { type: 'context', elements: [{ type: 'image' }] },
      { type: 'header', text: JSON.parse(`${'{"text":'.repeat(200_000)}"a"${'}'.repeat(200_000)}`) },
      { type: 'section', fields: JSON.parse('['.repeat(200_000) + ']'.repeat(200_000)) },
    ]
    const { tree } = fromSlack([...odd, ...deeper] as never)
    expect(normalize(tree).tree).toEqual(tree)
  })

  test.each([
    ['see https://a.b', ['https://a.b']],
    ['https://a.b/c).', ['https://a.b/c']],
    ['(https://a.b/c_(d))', ['https://a.b/c_(d)']],
    ['*https://a.b/* _https://c.d_', ['https://a.b/', 'https://c.d']],
    ['https://a.b&amp;c <https://d.e>', ['https://a.b&c', 'https://d.e']],
    ['https://a.b/c_ (https://d.e/_f_) _https://g.h/i_', ['https://a.b/c_', 'https://d.e/_f_', 'https://g.h/i']],
    ['見https://a.b。「https://c.d」 éhttps://e.f https://g.h\u200Bi', ['https://a.b', 'https://c.d', 'https://g.h']],
    ['HTTPS://a.b https:// xhttps://a.b `https://a.b`', ['HTTPS://a.b']],
    ['<https://a.b|*c* https://d.e>', ['https://a.b']],
  ])('links bare URLs: %s', (mrkdwn, urls) => {
    expect(JSON.stringify(fromSlack(mrkdwn).tree).match(/(?<="url":")[^"]*/g)).toEqual(urls)
  })

  test('reads a line with more nodes than a call takes arguments', () => {
    const line = '<@U7>a '.repeat(70_000)
    const lengthOf = (source: string) =>
      JSON.stringify(fromSlack(source, { mention: (id) => ({ name: 'Ann', id }) }).tree).length
    for (const mark of ['', '> ', '• ']) expect(lengthOf(mark + line)).toBeGreaterThan(line.length)
  })

  test('reads a value with more paragraphs than a call takes arguments', () => {
    const value = 'a\n\n'.repeat(150_000)
    const section = { type: 'rich_text_section', elements: [{ type: 'text', text: value }] }
    for (const source of [[{ type: 'rich_text', elements: [section] }], { attachments: [{ fields: [{ value }] }] }])
      expect(fromSlack(source).tree.children).toHaveLength(150_000)
  })

  test('reads long code, for which the stack of a regular expression is too small', () => {
    const code = 'a'.repeat(18_000_000)
    const [block] = fromSlack(`\`\`\`${code}\`\`\``).tree.children
    expect(block?.type === 'code' && block.value === code).toBe(true)
  })

  test('accepts a message or an array of blocks, and rejects anything else', () => {
    const section = { type: 'section', text: { type: 'mrkdwn', text: '*a*' } }
    const textOf = (source: unknown): string => stringify(fromSlack(source as never).tree)
    expect(textOf([section])).toBe('**a**')
    expect(textOf({ type: 'message', text: '*a*' })).toBe('**a**')
    expect(textOf({ text: '*a*', mrkdwn: false })).toBe('\\*a*')
    expect(textOf({ text: 'b', blocks: [section] })).toBe('**a**')
    expect(textOf({ text: 'b', blocks: [], attachments: [{ text: '*a*' }, null, 7, { fields: [null] }] })).toBe(
      'b\n\n**a**',
    )
    for (const wrong of [7, null, undefined, {}, { ok: true }, { color: 'danger' }, section])
      expect(() => fromSlack(wrong as never)).toThrow(/^fromSlack: expected a string, an array of blocks, or a message/)
  })

  test.each([
    ['good', '🟩'],
    ['warning', '🟨'],
    ['danger', '🟥'],
    ['#D63232', '🟥'],
    ['36a64f', '🟩'],
    ['#2788CE', '🟦'],
    ['#ff8000', '🟧'],
    ['#ffee00', '🟨'],
    ['#8000ff', '🟪'],
    ['#ff0010', '🟥'],
    ['#000000', '⬛'],
    ['#dddddd', '⬜'],
    ['constructor', ''],
    ['#12', ''],
  ])('shows the color %s before the first line', (color, square) => {
    const { tree } = fromSlack({ attachments: [{ color, text: 'a' }] })
    expect(stringify(tree)).toBe(square === '' ? 'a' : `${square} a`)
  })

  test.each([
    ...[
      '*a ',
      '_*~',
      '<',
      '<@',
      '`a',
      '```',
      '&gt;',
      '\u2028',
      '> \n',
      '• a\n',
      '    ◦ a\n',
      '<a|b>',
      '~a~',
      'https://a ',
    ],
    ...[
      'https://',
      'http://a)',
      '<https://a|*b',
      'https://a。',
      'https://a,',
      'https://a\u200B',
      '_https://a_',
      '  - a\n',
    ],
  ])('takes linear time: %j', (unit) => {
    const read = (length: number) => (): unknown => fromSlack(unit.repeat(length / unit.length))
    expectToBeFast(read(20_000), { milliseconds: 1_000, times: 30, ordinary: read(2_000) })
  })

  test('takes linear time: the URL of an image', () => {
    const read = (length: number) => (): unknown =>
      fromSlack({ attachments: [{ image_url: `https://x.y/${'a'.repeat(length)}/` }] })
    expectToBeFast(read(40_000), { milliseconds: 1_000, times: 30, ordinary: read(4_000) })
  })
})

/** Returns JSON with its value number `at` replaced by another one; `undefined` removes the value. */
function withValue(json: string, at: number, other: unknown): string {
  let count = 0
  const change = (_: string, there: unknown): unknown => (count++ === at ? other : there)
  return JSON.stringify(JSON.parse(json), change) ?? json
}
