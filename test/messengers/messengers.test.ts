/** Properties of every message of every product, and the rules of each with an input and its output. */

import { parse_html as parseHtml, toHTML as toTelegramHtml } from '@telegraf/entity'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyTree } from '../../src/arbitraries/trees.js'
import {
  BlockmarkError,
  emphasis,
  inlineCode,
  type Link,
  paragraph,
  root,
  type Source,
  strong,
  text,
} from '../../src/index.js'
import {
  type TelegramMessage,
  toDiscord,
  toMatrix,
  toSlack,
  toSlackBlocks,
  toTelegram,
  toWhatsApp,
} from '../../src/messengers/index.js'
import { property } from '../properties/property.js'
import { source } from '../properties/sources.js'
import { expectToBeFast } from '../timing.js'
import {
  type Expectation,
  expected,
  hasLineEnding,
  holdsDelimiters,
  holdsMarks,
  isSpelledOut,
  linesOf,
  type Shown,
  shownByDiscord,
  shownByMatrix,
  shownByWhatsApp,
  shownIn,
  treesOf,
  urlsFound,
  urlsIn,
} from './shown.js'
import { rejectionOf } from './tdlib.js'

/** A string, a tree or an array, and the length of a part. */
interface Message {
  readonly sources: readonly [string]
  readonly message: Source
  readonly length: number
}

const messages: fc.Arbitrary<Message> = fc
  .record({
    text: source,
    tree: fc.option(anyTree, { freq: 4, nil: null }),
    isArray: fc.boolean(),
    length: fc.oneof(fc.constant(4_000), fc.integer({ min: 60, max: 400 })),
  })
  .map(({ text, tree, isArray, length }) => ({
    sources: [text],
    message: isArray ? [text, ...(tree === null ? [] : [tree])] : (tree ?? text),
    length,
  }))

const urls: fc.Arbitrary<{ sources: readonly [string] }> = fc
  .tuple(
    fc.constantFrom('http://', 'https://'),
    fc.constantFrom('', '', 'u:p@', '@', 'a.b@'),
    fc.constantFrom('a.b', 'localhost', '.', '', '[::1]', '[1:2]', '[::', 'a.%41', 'a.%4', '_.-', 'a:b', 'x[::1]'),
    fc.constantFrom('', '', ':80', ':0', ':065535', ':65536', ':', ':a', ':80:80'),
    fc.constantFrom('', '/', '/c.d', '?e.f', '#g.h', '/[i]'),
  )
  .map((parts) => ({ sources: [parts.join('')] }))

/** The parts, or null if something that is never cut is too long for one. */
function partsOf<Part>(convert: (message: Source, options: { length: number }) => Part[], sample: Message) {
  try {
    return convert(sample.message, { length: sample.length })
  } catch (error) {
    if (error instanceof BlockmarkError && error.code === 'body/too-long') return null
    throw error
  }
}

const isWeb = (_label: string | null, url: string) => /^https?:\/\/./i.test(url)

const formatting = ['strong', 'emphasis', 'underline', 'delete']
const telegram: Expectation = {
  kinds: new Set([...formatting, 'link', 'heading']),
  isLink: (_label, url) => isWeb(_label, url) && rejectionOf(url) === null,
  around: (kinds) => new Set(kinds.has('link') ? [...kinds].filter((kind) => kind !== 'code') : ['code']),
}

const matrix: Expectation = {
  kinds: new Set([...formatting, 'link', 'heading']),
  isLink: (_label, url) => /^(?:https?|mailto|ftp|magnet):/i.test(url),
  around: (kinds) => kinds,
}

const whatsApp: Expectation = {
  kinds: new Set(['strong', 'emphasis', 'delete', 'heading']),
  isLink: () => false,
  isCode: (value) => !/^`|`$|```/.test(value),
  around: (kinds) => kinds,
}

const discord: Expectation = {
  kinds: new Set([...formatting, 'link', 'heading']),
  isLink: (label, url) => isWeb(label, url) && (label === null ? !/[<>\s]|\]\(/.test(url) : isDiscordLabel(label)),
  // A cut may separate a pair of brackets.
  canCut: (label) => !/[[\]]/.test(label),
  linksShownUrl: (label, url) => label.includes('://') && isWeb(label, url),
  around: (kinds) => kinds,
}

function isDiscordLabel(label: string): boolean {
  return !label.includes('://') && /^(?:\[[^\]]*\]|[^[\]])*$/.test(label)
}

/** Compares the parts with the message. With `mayLack`, the parts may have less formatting, but the same characters. */
function expectShown(
  parts: readonly (readonly Shown[])[],
  sample: Message,
  product: Expectation,
  mayLack = false,
): void {
  const trees = treesOf(sample.message)
  // A link over two lines of a list or a quote is two links.
  if (trees.some((tree) => hasLineEnding(tree, false))) return
  if (parts.length > 1 && trees.some((tree) => isSpelledOut(tree, product))) return
  const all = trees.flatMap((tree) => expected(tree, product))
  const whole = product === telegram || product === whatsApp ? bold(all) : all
  if (mayLack) expectLess(parts.flat(), whole, parts.length > 1)
  else expect(linesOf(parts.flat(), parts.length > 1)).toEqual(linesOf(whole, parts.length > 1))
}

function expectLess(shown: readonly Shown[], all: readonly Shown[], isCut: boolean): void {
  const isOther = ({ char }: Shown) => !(isCut ? '•◦▪->0123456789.' : '•◦▪->').includes(char)
  const whole = all.filter(isOther)
  const others = shown.filter(isOther).map(({ char, kinds }, index) => {
    const most = whole[index]?.kinds ?? new Set()
    return { char, kinds: [...kinds].every((kind) => most.has(kind)) ? most : kinds }
  })
  expect(linesOf(others)).toEqual(linesOf(whole))
}

/** A heading is bold. */
function bold(shown: readonly Shown[]): Shown[] {
  return shown.map(({ char, kinds }) => ({
    char,
    kinds: new Set([...kinds].map((kind) => (kind === 'heading' ? 'strong' : kind))),
  }))
}

const telegramKinds: Readonly<Record<string, string>> = {
  ...{ bold: 'strong', italic: 'emphasis', underline: 'underline', strikethrough: 'delete' },
  ...{ code: 'code', pre: 'code', text_link: 'link', text_mention: 'mention', blockquote: '' },
}

function shownByTelegram({ text, entities }: TelegramMessage): Shown[] {
  return Array.from(text.matchAll(/[\s\S]/gu), ({ 0: char, index }) => {
    const around = entities.filter(({ offset, length }) => offset <= index && index < offset + length)
    const kinds = around.map(({ type }) => telegramKinds[type] ?? type)
    return shownIn(
      char,
      kinds.filter((kind) => kind !== ''),
    )
  }).flat()
}

describe('every conversion', () => {
  const all = [toTelegram, toDiscord, toWhatsApp, toMatrix] as const

  test.each(['', '   ', '\u2060', '* \u200B', '```\n\n```', []])('makes no message of %j', (blank) => {
    expect(all.map((convert) => convert(blank))).toEqual([[], [], [], []])
  })

  test('cuts lists and quotes so that both parts have their own', () => {
    const source = '9. nine\n10. ten\n\u2003\u2003◦ nested one\n11. eleven'
    expect(toDiscord(source, { length: 24 })).toEqual(['9. nine\n10. ten', '    - nested one', '11. eleven'])
    expect(toWhatsApp('> one two three', { length: 9 })).toEqual(['> one two', '> three'])
    expect(toMatrix(source, { length: 130 }).map(({ formatted_body }) => formatted_body)).toEqual([
      '<ol start="9">\n<li>nine</li>\n<li>ten</li>\n</ol>',
      '<ol start="10">\n<li>\n<ul>\n<li>nested one</li>\n</ul>\n</li>\n<li>eleven</li>\n</ol>',
    ])
    expect(toTelegram(source, { length: 24 }).map(({ text }) => text)).toEqual([
      '9. nine\n10. ten',
      '\u2003\u2003◦ nested one',
      '11. eleven',
    ])
  })

  test('keeps the paragraphs and lists of an item in it, and a list with empty lines one list', () => {
    const source = '1. a\n\n\u2003\u2003b\n\n\u2003\u2003◦ c\n\n2. d\n\n\u2003\u2003e\n\n4. f'
    expect(toDiscord(source)).toEqual(['1. a\n   b\n   - c\n\n2. d\n   e\n\n4. f'])
    expect(toWhatsApp(source)).toEqual([source])
    expect(toTelegram(source)).toEqual([{ text: source, entities: [] }])
    expect(toMatrix(source).map(({ body, formatted_body }) => [body, formatted_body])).toEqual([
      [
        source,
        '<ol>\n<li>a\n<p>b</p>\n<ul>\n<li>c</li>\n</ul>\n</li>\n<li>d\n<p>e</p>\n</li>\n</ol>\n<ol start="4">\n<li>f</li>\n</ol>',
      ],
    ])
    expect(toMatrix('> a\n\n> b\n> 1. c\n>\n> \u2003\u2003d')[0]?.formatted_body).toBe(
      '<blockquote>\n<p>a</p>\n</blockquote>\n<blockquote>\n<p>b</p>\n<ol>\n<li>c\n<p>d</p>\n</li>\n</ol>\n</blockquote>',
    )
    const sections = (...texts: string[]) =>
      texts.map((text) => ({ type: 'rich_text_section', elements: [{ type: 'text', text }] }))
    expect(toSlackBlocks(source).flatMap(({ elements }) => elements)).toEqual([
      { type: 'rich_text_list', style: 'ordered', elements: sections('a\nb') },
      { type: 'rich_text_list', style: 'bullet', indent: 1, elements: sections('c') },
      { type: 'rich_text_list', style: 'ordered', offset: 1, elements: sections('d\ne') },
      { type: 'rich_text_list', style: 'ordered', offset: 3, elements: sections('f') },
    ])
  })

  test('keeps the depth of items after code', () => {
    const source = '1. a\n\u2003\u2003◦ b\n```\nc\n```\n\u2003\u2003◦ d\n2. e'
    expect(toDiscord(source)).toEqual(['1. a\n   - b\n\n```\nc\n```\n\n   - d\n2. e'])
    expect(toMatrix(source)[0]?.formatted_body.replaceAll('\n', '')).toBe(
      '<ol><li>a<ul><li>b</li></ul></li></ol><pre><code>c</code></pre><ol><li><ul><li>d</li></ul></li><li>e</li></ol>',
    )
  })

  test('keeps an empty line of a quote in the item around it', () => {
    const source = '• > a\n\u2003\u2003>\n\u2003\u2003> b'
    const typed = source.replace('>\n', '> \n')
    expect(toTelegram(source)).toEqual([{ text: typed, entities: [] }])
    expect(toWhatsApp(source)).toEqual([typed.replace('•', '-')])
    expect(toSlack(source)).toBe(typed.replaceAll('>', '&gt;'))
    expect(toMatrix(source).map(({ body }) => body)).toEqual([typed])
  })

  test('cuts as toBodies does: between blocks, lines, sentences, words', () => {
    const text = '# Plan\nFirst sentence. Second one is **longer, in bold**.\n\n* item one\n* item two'
    expect(toDiscord(text, { length: 30 })).toEqual([
      '# Plan\nFirst sentence. Second',
      'one is **longer, in bold**.',
      '- item one\n- item two',
    ])
  })

  test.each(['word **bold** `c` ', '* item *x*\n', '*a _b ~c [', '`a` <@7|b> '])('takes linear time: %j', (unit) => {
    const convertAll = (length: number) => () => {
      const text = unit.repeat(length / unit.length)
      // A text that fits into one message would not be cut.
      for (const convert of all) convert(text, { length: 4_000 })
    }
    expectToBeFast(convertAll(40_000), { milliseconds: 1_500, times: 15, ordinary: convertAll(8_000) })
  })

  test('rejects a length, a source and a promise that it cannot use', () => {
    for (const convert of all) {
      expect(() => convert('a', { length: 0 })).toThrow(
        new TypeError('length: expected a number of 1 or more, received 0'),
      )
      expect(() => convert(null as never)).toThrow(TypeError)
      expect(() => convert('<@7|a>', { mention: (async () => ({ name: 'a' })) as never })).toThrow('promise')
      expect(() => convert(`https://e.x/${'a'.repeat(90)}`, { length: 50 })).toThrow(BlockmarkError)
    }
  })

  test('names the block that does not fit into a message, also if it continues a list', () => {
    const url = `https://e.x/${'a'.repeat(90)}`
    const link: Link = { type: 'link', url, title: null, children: [text(url)] }
    const tree = root(paragraph('2. b'), paragraph('3. ', link))
    for (const [source, path] of [
      [['ok', `1. x ${url}`], '/1'],
      [['ok', '1. x', tree], '/2/children/1'],
    ] as const)
      for (const convert of all) expect(() => convert([...source], { length: 80 })).toThrow(`at ${path}`)
  })
})

describe('toTelegram', () => {
  test('does not join halves of a character that different nodes hold', () => {
    const tree = root(paragraph({ type: 'mention', userID: '\ud83d', label: null }, text('\ude00')))
    expect(toTelegram(tree)[0]?.text).toBe('@\ufffd\ufffd')
  })

  test('keeps code apart from other formatting, and the indentation of code', () => {
    expect(toTelegram('**a `b` c**\n```py\n  if x:\n```')).toEqual([
      {
        text: 'a b c\n\n  if x:',
        entities: [
          { type: 'bold', offset: 0, length: 2 },
          { type: 'code', offset: 2, length: 1 },
          { type: 'bold', offset: 3, length: 2 },
          { type: 'pre', language: 'py', offset: 7, length: 7 },
        ],
      },
    ])
  })

  test('leaves out an item that shows nothing, and its entities', () => {
    expect(toTelegram('* a\n* -`\u2060`-')).toEqual([{ text: '• a', entities: [] }])
  })

  test('is one message if its text and its entities fit', () => {
    const items = Array.from({ length: 90 }, (_, index) => `* \`${index}\``).join('\n')
    const [message, ...others] = toTelegram(`${items}\n\n${'word '.repeat(700)}`)
    expect([message?.entities.length, message?.text.length, others]).toEqual([90, 3_940, []])
    expect(toTelegram(`${items}\n\n${'**a** '.repeat(11)}`).map(({ entities }) => entities.length)).toEqual([90, 11])
  })

  test.each([
    ['http://jira/browse/7', 'http://jira/browse/7'],
    ['[q](http://prometheus:9090/g)', 'q (http://prometheus:9090/g)'],
    ['[q](http://a.b:0/) [r](http://a.b:65536)', 'q (http://a.b:0/) r (http://a.b:65536)'],
    ['[q](http://[::g]/) [r](https://[1:2:3])', 'q (http://[::g]/) r (https://[1:2:3])'],
    ['[q](http://u:p@h/?a.b) [r](http://.)', 'q (http://u:p@h/?a.b) r (http://.)'],
    ['[a@b.c](mailto:a@b.c) [www.a.b](http://www.a.b/)', 'a@b.c www.a.b'],
  ])('does not link where Telegram would reject the message: %s', (source, text) => {
    const [message] = toTelegram(source)
    expect(message?.text).toBe(text)
    expect(message?.entities.filter((entity) => 'url' in entity && rejectionOf(entity.url) !== null)).toEqual([])
  })

  test.each([
    'http://[::1]:8080/',
    'http://[1:2:3:4:5:6:7:8]',
    'https://a.b:65535/c[d]',
    'https://u:p@münchen.de',
    'http://_a.%41',
  ])('links %s', (url) => {
    const [message] = toTelegram(`[a](${url})`)
    const linked = message?.entities.flatMap((entity) => ('url' in entity ? [entity.url] : [])) ?? []
    expect([message?.text, linked.map(rejectionOf)]).toEqual(['a', [null]])
  })

  property('links exactly the URLs that Telegram accepts', urls, ({ sources: [url = ''] }) => {
    const link: Link = { type: 'link', url, title: null, children: [text('a')] }
    const [message] = toTelegram(root(paragraph(link)))
    const linked = message?.entities.flatMap((entity) => ('url' in entity ? [entity.url] : [])) ?? []
    if (linked.length > 0) expect(linked.map(rejectionOf)).toEqual([null])
    else expect(rejectionOf(url)).not.toBe(null)
  })

  test('writes quotes as entities, cut ones too, and keeps the lines of lists', () => {
    const source = '> a **b**\n> > c\n> 1. `d`\ne\n\n1. f\n\u2003\u2003◦ g\n\u2003\u2003> h'
    expect(toTelegram(source)).toEqual([
      {
        text: 'a b\n> c\n1. d\ne\n\n1. f\n\u2003\u2003◦ g\n\u2003\u2003> h',
        entities: [
          { type: 'blockquote', offset: 0, length: 12 },
          { type: 'bold', offset: 2, length: 1 },
          { type: 'code', offset: 11, length: 1 },
        ],
      },
    ])
    expect(toTelegram('> one two **three four**', { length: 14 })).toEqual([
      {
        text: 'one two three',
        entities: [
          { type: 'blockquote', offset: 0, length: 13 },
          { type: 'bold', offset: 8, length: 5 },
        ],
      },
      {
        text: 'four',
        entities: [
          { type: 'blockquote', offset: 0, length: 4 },
          { type: 'bold', offset: 0, length: 4 },
        ],
      },
    ])
    expect(toTelegram('> a', { literal: true })).toEqual([{ text: '> a', entities: [] }])
  })

  test('mentions by ids', () => {
    expect(toTelegram('*hi <@7|x>*', { mention: () => ({ name: 'Ann', id: '42' }) })).toEqual([
      {
        text: 'hi @Ann',
        entities: [
          { type: 'italic', offset: 0, length: 7 },
          { type: 'text_mention', offset: 3, length: 4, user: { id: 42, is_bot: false, first_name: 'Ann' } },
        ],
      },
    ])
  })

  property(
    'shows every visible character with its formatting, in parts within the limit',
    messages,
    (sample) => {
      const parts = partsOf(toTelegram, sample)
      if (parts === null) return
      for (const { text } of parts)
        expect([text.length <= sample.length, shownIn(text).length > 0]).toEqual([true, true])
      expectShown(parts.map(shownByTelegram), sample, telegram)
    },
    { cost: 4 },
  )

  property(
    'has entities as the Bot API requires them',
    messages,
    (sample) => {
      for (const { text, entities } of partsOf(toTelegram, sample) ?? []) {
        expect(text).toBe(text.trimEnd())
        expect(entities.length).toBeLessThanOrEqual(100)
        for (const [index, { type, offset, length, ...fields }] of entities.entries()) {
          if ('url' in fields) expect(rejectionOf(fields.url)).toBe(null)
          expect(text.slice(offset, offset + length).trim()).not.toBe('')
          expect(offset + length).toBeLessThanOrEqual(text.length)
          for (const other of entities.slice(index + 1)) {
            const isNested = offset <= other.offset && other.offset + other.length <= offset + length
            expect(other.offset >= offset + length || isNested).toBe(true)
            if (isNested && type !== 'blockquote')
              expect([type, other.type].filter((each) => ['code', 'pre'].includes(each))).toEqual([])
            if (isNested) expect(type).not.toBe(other.type)
          }
        }
      }
    },
    { cost: 4 },
  )

  test('is the result of another library that writes the entities as HTML and parses it', () => {
    const source =
      '# Build\n**bold _both_ `code`** [a *link*](https://a.example/?b=1&c=2) un**believ**able 🎉\n```js\nlet a\n```'
    const [message] = toTelegram(source)
    const again = parseHtml(toTelegramHtml(message as never))
    expect(again.text).toBe(message?.text)
    expect(shownByTelegram(again as TelegramMessage)).toEqual(shownByTelegram(message as TelegramMessage))
  })
})

describe('toMatrix', () => {
  test.each([
    [
      '1. a\n\u2003\u2003◦ b\n\u2003\u2003c\n2. d',
      '<ol>\n<li>a\n<ul>\n<li>b</li>\n</ul>\n<p>c</p>\n</li>\n<li>d</li>\n</ol>',
    ],
    [
      '> a\n> b\n>\n> 3. c\nd',
      '<blockquote>\n<p>a<br>\nb</p>\n<ol start="3">\n<li>c</li>\n</ol>\n</blockquote>\n<p>d</p>',
    ],
  ])('writes the lines %j', (source, html) => {
    const [message] = toMatrix(source)
    expect([message?.formatted_body, message?.body]).toEqual([html, source.replace('\n>\n', '\n> \n')])
    expect(toMatrix(source, { literal: true })[0]?.formatted_body).not.toMatch(/<(?!p>|\/p>|br>)/)
  })

  test('mentions users by their ids, and no others', () => {
    const mention = (id: string) => (id === '7' ? { name: 'Ann <b>', id: '@ann:example.org' } : { name: 'Bob' })
    const [message] = toMatrix('<@7|x> and <@8|y> @room', { mention })
    expect(message).toEqual({
      msgtype: 'm.text',
      body: '@Ann <b> and @Bob @room',
      format: 'org.matrix.custom.html',
      formatted_body: '<p><a href="https://matrix.to/#/%40ann%3Aexample.org">@Ann &lt;b></a> and @Bob @room</p>',
      'm.mentions': { user_ids: ['@ann:example.org'] },
    })
    expect(toMatrix('@room')[0]?.['m.mentions']).toEqual({})
  })

  property(
    'shows every visible character with its formatting, in elements that Matrix allows',
    messages,
    (sample) => {
      const parts = partsOf(toMatrix, { ...sample, length: 2_000 })
      if (parts === null) return
      for (const part of parts)
        expect([JSON.stringify(part).length < 3_000, part.body.trim() !== '']).toEqual([true, true])
      const shown = parts.map(({ formatted_body }) => shownByMatrix(formatted_body))
      expectShown(shown, sample, matrix)
    },
    { cost: 4 },
  )
})

describe('toDiscord', () => {
  test.each([
    ['# Plan\n## Next\ntext', '# Plan\n## Next\ntext'],
    ['**bold** *it* _under_ -gone- `code`', '**bold** *it* __under__ ~~gone~~ `code`'],
    ['***both*** un**believ**able', '_**both**_ un**believ**able'],
    ['*use `my_var`* **use `**k`**', '*use `my_var`* **use** `**k`'],
    [
      'snake_case \\*no\\* ~~x~~ ||y|| <t:1> :100:',
      'snake\\_case \\*no\\* \\~\\~x\\~\\~ \\|\\|y\\|\\| \\<t:1> \\:100:',
    ],
    ['- a\n1. b\n> c\n### d\n-# e', '\\- a\n1. b\n> c\n\\### d\n\\-# e'],
    ['@everyone <@&1>', '@\u2060everyone \\<@\u2060&1>'],
    [
      '[log](https://e.x/a_(b)) https://e.x/c_d, (https://e.x/e)',
      '[log](https://e.x/a_%28b%29) https://e.x/c_d, (https://e.x/e)',
    ],
    ['see https://e.x/a_b now', 'see https://e.x/a_b now'],
    ['[a \\[ b](https://e.x/) [m](mailto:a@e.x)', 'a \\[ b (https://e.x/) m (mailto:a@e.x)'],
    ['``a`b`` `` ` ``', '``a`b`` `` ` ``'],
    ['[[a](https://b.c)](https://b.c)', '\\[[a](https://b.c)]\\(https://b.c)'],
    ['[a](https://b.c)(https://d.e)](f)', '[a](https://b.c)(https\\://d.e)]\\(f)'],
    ['**a**\f*b*', '**a** *b*'],
    ['````js\nlet a = "```"\n````\n* x\n* y', '```js\nlet a = "`\u2060``"\n```\n\n- x\n- y'],
    ['<@7|Ann> <!9|a_b.png>\n<!9|a_b.png>', '@Ann \\<!9\\|a\\_b.png>\n\n\\[file: a\\_b.png]'],
    ['1. a\n\u2003\u2003◦ b\n\u2003\u2003\u2003\u20031. c\n\u2003\u2003d\n2. e', '1. a\n   - b\n     1. c\n   d\n2. e'],
    ['> a\n>\n> 1. b\n> > c', '> a\n> \n> 1. b\n> > c'],
    // Discord counts the items itself.
    ['1. a\n1. b\n0. c\n• d\n1. e', '1. a\n1\\. b\n0\\. c\n- d\n1\\. e'],
    [
      'https://e.x/a. https://e.x/b。 [https://e.x/c] **https://e.x/d** https://e.x/(e)',
      'https://e.x/a. <https://e.x/b>。 \\[https://e.x/c] **<https://e.x/d>** <https://e.x/(e)>',
    ],
    ['\\_https://e.x/g `<https://e.x/h> `', '\\_\u2060https://e.x/g `<https://e.x/h> `'],
    [
      '[https://e.x](https://e.x/) [www.e.x](https://www.e.x) [a@b.c](mailto:a@b.c)',
      'https://e.x/ [www.e.x](https://www.e.x) a@b.c',
    ],
  ])('writes %j', (input, output) => {
    expect(toDiscord(input)).toEqual([output])
  })

  test('keeps lists and quotes as text if they are literal', () => {
    expect(toDiscord('1. a\n> b', { literal: true })).toEqual(['1\\. a\n\\> b'])
  })

  test('mentions by ids, and links names and files', () => {
    const mention = (id: string) =>
      ({ 1: { name: 'Ann', id: '80351110224678912' }, 2: { name: 'Bob', href: 'https://e.x/bob' } })[id]
    const file = () => ({ name: 'a.pdf', mediaType: 'application/pdf', href: 'https://e.x/a.pdf' })
    const source = '<@1|x> <@2|y> <@3|z> [at <@1|x>](https://e.x/)\n<!9|q>'
    expect(toDiscord(source, { mention, file })).toEqual([
      '<@80351110224678912> [@Bob](https://e.x/bob) @z [at @Ann](https://e.x/)\n\n[a.pdf](https://e.x/a.pdf)',
    ])
  })

  property(
    'shows every visible character, formatted as in the tree, in parts within the limit',
    messages,
    (sample) => {
      const parts = partsOf(toDiscord, sample)
      if (parts === null) return
      for (const part of parts) expect([part.length <= sample.length, shownIn(part).length > 0]).toEqual([true, true])
      const mayLack = treesOf(sample.message).some((tree) => holdsDelimiters(tree))
      expectShown(parts.map(shownByDiscord), sample, discord, mayLack)
    },
    { cost: 4 },
  )
})

describe('toWhatsApp', () => {
  test.each([
    ['<!1| >', '[file: ]'],
    ['# Plan **x**\ntext', '*Plan x*\ntext'],
    ['**bold** *it* _under_ -gone- `code`', '*bold* _it_ under ~gone~ `code`'],
    ['**a\nb** un**believ**able', '*a*\n*b* un\u2060*believ*\u2060able'],
    ['กี**กี**กี ❤️**a**', 'กี\u2060*กี*\u2060กี ❤️*a*'],
    ['snake_case_name \\*no\\* 2*3*4 a_', 'snake_case_name *\u2060no\u2060* 2*3*4 a\u2060_'],
    ['one * star', 'one * star'],
    ['- a\n1. b\n> c', '-\u2060 a\n1. b\n> c'],
    ['[log](https://e.x/a_b) https://e.x/_c_', 'log (https://e.x/a_b) https://e.x/_c_'],
    ['* x\n* **y**\n```js\nlet a\n```', '- x\n- *y*\n\n```\nlet a\n```'],
    ['``a`b`` <@7|Ann>', '```a`b``` @Ann'],
    ['1. a\n\u2003\u2003◦ b\n• c\n> d\n> 1. *e*', '1. a\n\u2003\u2003◦ b\n- c\n> d\n> 1. _e_'],
  ])('writes %j', (input, output) => {
    expect(toWhatsApp(input)).toEqual([output])
  })

  test('formats visible text next to white space', () => {
    const link: Link = { type: 'link', url: 'http://a', title: null, children: [] }
    expect(toWhatsApp(root(paragraph(strong(emphasis(text('\v')), link))))).toEqual(['\v *(http://a)*'])
    expect(toWhatsApp('**http://a/\ufeff**')).toEqual(['*http://a/*'])
    expect(toWhatsApp(root(paragraph(text('a'), strong(text(' b ')), text('c'))))).toEqual(['a *b* c'])
    expect(toWhatsApp(root(paragraph(strong(inlineCode(' a```b ')))))).toEqual([
      ' *a\u2060`\u2060\u2060`\u2060\u2060`\u2060b*',
    ])
  })

  test('mentions by phone numbers', () => {
    expect(toWhatsApp('<@7|Ann>', { mention: () => ({ name: 'Ann', id: '+49151' }) })).toEqual(['@49151'])
  })

  property(
    'shows every visible character, formatted as in the tree, in parts within the limit',
    messages,
    (sample) => {
      const parts = partsOf(toWhatsApp, sample)
      if (parts === null) return
      for (const part of parts) expect([part.length <= sample.length, shownIn(part).length > 0]).toEqual([true, true])
      const mayLack = treesOf(sample.message).some((tree) => holdsMarks(tree, parts.length > 1))
      const urls = treesOf(sample.message).flatMap(urlsIn)
      // Skipped if a text equals the URL of another link, because the two cannot be distinguished.
      if (urlsFound(parts.join('\n'), urls).join() !== urls.join()) return
      const shown = parts.map((part) => shownByWhatsApp(part, urls))
      expectShown(shown, sample, whatsApp, mayLack)
    },
    { cost: 4 },
  )
})
