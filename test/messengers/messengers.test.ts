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
import { type TelegramMessage, toDiscord, toMatrix, toTelegram, toWhatsApp } from '../../src/messengers/index.js'
import { property } from '../properties/property.js'
import { source } from '../properties/sources.js'
import { expectToBeFast } from '../timing.js'
import {
  type Expectation,
  expected,
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
  isLink: isWeb,
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
  around: (kinds) => kinds,
}

function isDiscordLabel(label: string): boolean {
  return !label.includes('://') && /^(?:\[[^\]]*\]|[^[\]])*$/.test(label)
}

/** Compares the parts with the message, or only its characters and that nothing more is formatted if the product may lack some. */
function expectShown(
  parts: readonly (readonly Shown[])[],
  sample: Message,
  product: Expectation,
  mayLack = false,
): void {
  const trees = treesOf(sample.message)
  if (parts.length > 1 && trees.some((tree) => isSpelledOut(tree, product))) return
  const all = trees.flatMap((tree) => expected(tree, product))
  const whole = product === telegram || product === whatsApp ? bold(all) : all
  if (mayLack) expectLess(parts.flat(), whole)
  else expect(linesOf(parts.flat())).toEqual(linesOf(whole))
}

function expectLess(shown: readonly Shown[], all: readonly Shown[]): void {
  const isOther = ({ char }: Shown) => !'•-'.includes(char)
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
  ...{ code: 'code', pre: 'code', text_link: 'link', text_mention: 'mention' },
}

function shownByTelegram({ text, entities }: TelegramMessage): Shown[] {
  return Array.from(text.matchAll(/[\s\S]/gu), ({ 0: char, index }) => {
    const around = entities.filter(({ offset, length }) => offset <= index && index < offset + length)
    return shownIn(
      char,
      around.map(({ type }) => telegramKinds[type] ?? type),
    )
  }).flat()
}

describe('every conversion', () => {
  const all = [toTelegram, toDiscord, toWhatsApp, toMatrix] as const

  test.each(['', '   ', '\u2060', '* \u200B', '```\n\n```', []])('makes no message of %j', (blank) => {
    expect(all.map((convert) => convert(blank))).toEqual([[], [], [], []])
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
        for (const [index, { type, offset, length }] of entities.entries()) {
          expect(text.slice(offset, offset + length).trim()).not.toBe('')
          expect(offset + length).toBeLessThanOrEqual(text.length)
          for (const other of entities.slice(index + 1)) {
            const isNested = offset <= other.offset && other.offset + other.length <= offset + length
            expect(other.offset >= offset + length || isNested).toBe(true)
            if (isNested) expect([type, other.type].filter((each) => ['code', 'pre'].includes(each))).toEqual([])
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
    ['- a\n1. b\n> c\n### d\n-# e', '\\- a\n1\\. b\n\\> c\n\\### d\n\\-# e'],
    ['@everyone <@&1>', '@\u2060everyone \\<@\u2060&1>'],
    [
      '[log](https://e.x/a_(b)) https://e.x/c_d, (https://e.x/e)',
      '[log](https://e.x/a_%28b%29) <https://e.x/c_d>, (<https://e.x/e>)',
    ],
    ['see https://e.x/a_b now', 'see https://e.x/a_b now'],
    ['[a \\[ b](https://e.x/) [m](mailto:a@e.x)', 'a \\[ b (<https://e.x/>) m (mailto:a@e.x)'],
    ['``a`b`` `` ` ``', '``a`b`` `` ` ``'],
    ['[[a](https://b.c)](https://b.c)', '\\[[a](https://b.c)]\\(<https://b.c>)'],
    ['[a](https://b.c)(https://d.e)](f)', '[a](https://b.c)(https\\://d.e)]\\(f)'],
    ['**a**\f*b*', '**a** *b*'],
    ['````js\nlet a = "```"\n````\n* x\n* y', '```js\nlet a = "`\u2060``"\n```\n\n- x\n- y'],
    ['<@7|Ann> <!9|a_b.png>\n<!9|a_b.png>', '@Ann \\<!9\\|a\\_b.png>\n\n\\[file: a\\_b.png]'],
  ])('writes %j', (input, output) => {
    expect(toDiscord(input)).toEqual([output])
  })

  test('mentions by ids, links names and files, and looks each up once', () => {
    const asked: string[] = []
    const mention = (id: string) => {
      asked.push(id)
      return { 1: { name: 'Ann', id: '80351110224678912' }, 2: { name: 'Bob', href: 'https://e.x/bob' } }[id]
    }
    const file = () => ({ name: 'a.pdf', mediaType: 'application/pdf', href: 'https://e.x/a.pdf' })
    const source = '<@1|x> <@2|y> <@3|z> [at <@1|x>](https://e.x/)\n<!9|q>'
    expect(toDiscord(source, { mention, file })).toEqual([
      '<@80351110224678912> [@Bob](https://e.x/bob) @z [at @Ann](https://e.x/)\n\n[a.pdf](https://e.x/a.pdf)',
    ])
    expect(asked).toEqual(['1', '2', '3'])
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
    ['# Plan **x**\ntext', '*Plan x*\ntext'],
    ['**bold** *it* _under_ -gone- `code`', '*bold* _it_ under ~gone~ `code`'],
    ['**a\nb** un**believ**able', '*a*\n*b* un\u2060*believ*\u2060able'],
    ['snake_case_name \\*no\\* 2*3*4 a_', 'snake_case_name *\u2060no\u2060* 2*3*4 a\u2060_'],
    ['one * star', 'one * star'],
    ['- a\n1. b\n> c', '-\u2060 a\n1.\u2060 b\n>\u2060 c'],
    ['[log](https://e.x/a_b) https://e.x/_c_', 'log (https://e.x/a_b) https://e.x/_c_'],
    ['* x\n* **y**\n```js\nlet a\n```', '- x\n- *y*\n\n```\nlet a\n```'],
    ['``a`b`` <@7|Ann>', '```a`b``` @Ann'],
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
