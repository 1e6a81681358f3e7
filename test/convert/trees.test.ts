/** Trees that no source parses to: our trees as Markdown, and foreign mdast trees in the dialect. */

import type { Root as MdastRoot } from 'mdast'
import { fromMarkdown as readMarkdown } from 'mdast-util-from-markdown'
import { describe, expect, test } from 'vitest'
import { fromMdast } from '../../src/convert/blocks.js'
import { htmlReader } from '../../src/convert/html-blocks.js'
import { fromMarkdown, toMarkdown } from '../../src/convert/index.js'
import { stringify } from '../../src/index.js'
import { toSlack, toSlackBlocks } from '../../src/messengers/index.js'
import type { Phrasing, Root } from '../../src/tree.js'
import { visibleText } from './visible.js'

function paragraphOf(...children: Phrasing[]): Root {
  return { type: 'root', children: [{ type: 'paragraph', children }] }
}

function link(url: string, ...children: Phrasing[]): Phrasing {
  return { type: 'link', url, title: null, children: children as never } // The types do not allow a link in a link.
}

const a: Phrasing = { type: 'text', value: 'a' }
const b: Phrasing = { type: 'text', value: 'b' }

describe('toMarkdown', () => {
  test.each<[name: string, source: string | Root | string[], markdown: string]>([
    ['a mention is its name', '<@7|Ann> <@8>', '@Ann @8'],
    ['a file is its name', '<!7|a.png>\n<!8|>', '[file: a.png]\n\n[file: 8]'],
    ['a file in a line is its name', 'see <!7|a.png>, <!8|> [x', 'see [file: a.png], [file: 8] \\[x'],
    ['a file before what looks like a target is escaped', '<!7|a>(b) <!7|a>: c', '[file: a]\\(b) \\[file: a]: c'],
    ['an e-mail address stays as it is', 'user@example.com', 'user@example.com'],
    ['numbered lines are a list', 'a\n1. b\n2. **c**\nd', 'a\n\n1. b\n2. **c**\n\nd'],
    ['a list may begin anywhere', '7. a\n8. b\n8. c', '7. a\n8. b\n\n8) c'],
    ['a number that a list would change stays text', '01. a\n1.\n1) b', '01\\. a\\\n1.\\\n1\\) b'],
    ['bullets are a list', '• a\n• b', '- a\n- b'],
    [
      'lines in items are in them',
      '1. a\n\u2003\u2003◦ b\n\u2003\u2003c\n\n\u2003\u2003d\n2. e',
      '1. a\n\n   - b\n\n   c\n\n   d\n2. e',
    ],
    ['text after a nested list is not in it', '1. a\n\u2003\u2003◦ b\n\u2003\u2003c', '1. a\n\n   - b\n\n   c'],
    ['lines that start with > are a quote', '> a\n> 1. b\n>\n> c\nd\n> e', '> a\n>\n> 1. b\n>\n> c\n\nd\n\n> e'],
    ['a > with nothing after it is text', '>\na > b\n>c', '\\>\\\na > b\\\n\\>c'],
    ['markers in formatting are text', '**1. a\n2. b**', '**1. a\\\n2\\. b**'],
    ['an underline in emphasis is emphasis once', '*a _b_ c*', '*a b c*'],
    [
      'emphasis next to an underline is one emphasis',
      paragraphOf({ type: 'emphasis', children: [a] }, { type: 'underline', children: [b] }),
      '*ab*',
    ],
    [
      'a link in a link is its label and its url',
      paragraphOf(link('https://c.d', link('https://a.b', a))),
      '[a (https://a.b)](https://c.d)',
    ],
    ['a link without an allowed scheme becomes its text and its URL', '[a](xy:b)', 'a (xy:b)'],
    [
      'a bare link without an allowed scheme is its URL, once',
      paragraphOf(link('xy:a', { type: 'text', value: 'xy:a' })),
      'xy:a',
    ],
    ['blocks are read one by one', ['**a', 'b**'], '\\*\\*a\n\nb\\*\\*'],
  ])('%s', (_, source, markdown) => expect(toMarkdown(source)).toContain(markdown))

  test('leaves lines as they are with the option `literal`', () => {
    const source = 'a\n1. b\n• c\n> d'
    expect(toMarkdown(source, { literal: true })).toBe('a\\\n1\\. b\\\n• c\\\n\\> d')
  })

  test('names users and files, by their ids in the other product if they are known', () => {
    const mention = (id: string) =>
      id === '7' ? { name: 'Ann', id: 'ann' } : id === '8' ? { name: 'Bob', href: '/bob' } : undefined
    expect(toMarkdown('<@7|A> <@8|B> <@9|C> [<@8|B>](https://a.b)', { mention })).toBe(
      '@ann [@Bob](/bob) @C [@Bob](https://a.b)',
    )
    const file = (id: string) =>
      id === '7'
        ? { name: 'a.png', mediaType: 'image/png', href: 'https://a.b/7' }
        : { name: 'b', mediaType: '', href: 'https://a.b/c' }
    expect(toMarkdown('<!7|x>\n<@8>\nsee <!9|y>', { file })).toBe('[a.png](https://a.b/7)\n\n@8\\\nsee [file: b]')
    expect(toMarkdown(['<@8>', '<!7|>'], { file: () => ({ name: 'e', mediaType: '', href: 'javascript:f' }) })).toBe(
      '[file: e]\n\n[file: e]',
    )
  })

  test('throws if a name is a promise', () => {
    expect(() => toMarkdown('<@7|a>', { mention: (async () => ({ name: 'b' })) as never })).toThrow(
      new TypeError('the `mention` callback returned a promise: load names before you render'),
    )
  })

  test('limits the nesting of `•` and `>`', () => {
    const deep = `${'• '.repeat(900)}a`
    expect(visibleText(toMarkdown(deep))).toBe('a')
    expect(visibleText(toMarkdown(`${'> '.repeat(900)}a`))).toBe('a')
  })

  test('throws if the argument is not a source', () => {
    for (const wrong of [7, null, { type: 'text' }]) expect(() => toMarkdown(wrong as never)).toThrow(TypeError)
  })
})

test.each([
  ['[docs](https://example.com/?a=1&b=2)', '[docs](https://example.com/?a=1&b=2)'],
  ['As shown in [1] and [2]. R&D &amp;', 'As shown in [1] and [2]. R&D \\&amp;'],
  ['#general is open', '#general is open'],
  ['one\n\n---\n\ntwo', 'one\n\n---\n\ntwo'],
  ['**注意：**正文', '**注意：** 正文'],
  ['**Status:**OK', '**Status:** OK'],
  ['ann@example.com [a]: b', 'ann@example.com \\[a]: b'],
])('toMarkdown writes %j with few escapes', (source, markdown) => expect(toMarkdown(source)).toBe(markdown))

describe('fromMarkdown', () => {
  test('accepts only a string', () => {
    for (const wrong of [7, null, undefined]) expect(() => fromMarkdown(wrong as never)).toThrow(TypeError)
  })

  test('decodes the common character references of HTML', () => {
    const { tree } = fromMarkdown('<img src="https://a.b" alt="&#65;&#x42;&#0;&#9999999;&amp;&nope;">')
    expect(stringify(tree)).toBe('[AB\uFFFD\uFFFD&&nope;](https://a.b)')
  })
})

describe('foreign trees', () => {
  const convert = (...children: unknown[]): { source: string; rules: string[] } => {
    const parse = (markdown: string) => readMarkdown(markdown).children
    const { tree, diagnostics } = fromMdast({ type: 'root', children } as MdastRoot, {}, [], htmlReader(parse)) // Nodes of plugins have no type here.
    return { source: stringify(tree), rules: diagnostics.map(({ ruleId }) => ruleId) }
  }

  test('an unknown node becomes its content, or its value', () => {
    const odd = (field: object): object => ({ type: 'paragraph', children: [{ type: 'odd', ...field }] })
    expect(convert(odd({ children: [a] }), odd({ value: 7 }), odd({}))).toEqual({
      source: 'a\n\n7',
      rules: ['unknown', 'unknown', 'unknown'],
    })
    const paragraph = { type: 'paragraph', children: [a] }
    const blocks = [{ type: 'odd', children: [paragraph, b] }, { type: 'odd', value: 'c\r\nd' }, { type: 'odd' }]
    expect(convert(...blocks)).toEqual({
      source: 'a\n\nb\n\n```odd\nc\nd\n```',
      rules: ['unknown', 'unknown', 'unknown'],
    })
  })

  test('phrasing among blocks becomes a paragraph', () => {
    expect(convert(a, { type: 'strong', children: [b] }).source).toBe('a\n\n**b**')
  })

  test('a reference to a missing footnote becomes text, with its label or its name', () => {
    const reference = { type: 'footnoteReference', identifier: 'x' }
    const children = [reference, a, { ...reference, label: 'X' }]
    expect(convert({ type: 'paragraph', children }).source).toBe('[^x]a[^X]')
  })

  test('a link without a definition becomes its text', () => {
    const reference = { type: 'linkReference', referenceType: 'full', identifier: 'x', children: [a] }
    expect(convert({ type: 'paragraph', children: [reference, b] }).source).toBe('ab')
  })

  test('tags need no position', () => {
    const html = { type: 'html', value: '<p>a<br>b</p>' }
    expect(convert(html, { type: 'paragraph', children: [a, { type: 'html', value: '<br>' }, b] }).source).toBe(
      'a\nb\n\na\nb',
    )
  })

  test('diagnostics whose position has no offset come first', () => {
    const at = (line: number, offset?: number): object => ({
      start: { line, column: 1, offset },
      end: { line, column: 2 },
    })
    const rule = (line: number, offset?: number): object => ({ type: 'thematicBreak', position: at(line, offset) })
    const { diagnostics } = fromMdast({ type: 'root', children: [rule(1, 4), rule(2)] } as MdastRoot)
    expect(diagnostics.map(({ place }) => place)).toEqual([at(2), at(1, 4)])
  })

  test('formatting inside its own kind is its content, at any depth', () => {
    let nodes: object[] = [a, { type: 'strong', children: [b] }]
    for (let depth = 0; depth < 1_000; depth += 1) nodes = [{ type: 'emphasis', children: nodes }]
    expect(convert({ type: 'paragraph', children: nodes }).source).toBe('*a**b***')
  })

  test('an image without a description becomes its URL; a list without a start begins with one', () => {
    const image = { type: 'image', url: 'https://a.b', alt: null }
    const item = { type: 'listItem', children: [{ type: 'paragraph', children: [image] }] }
    expect(convert({ type: 'list', ordered: true, start: null, children: [item] }).source).toBe('1. https://a.b')
  })
})

describe('toSlack and toSlackBlocks', () => {
  const elementsOf = (source: string | Root): unknown => JSON.parse(JSON.stringify(toSlackBlocks(source)))[0].elements

  test('a file without a label becomes its id', () => {
    expect(toSlack('<!7|>')).toBe('[file: 7]')
    expect(elementsOf('<!7|>')).toEqual([
      { type: 'rich_text_section', elements: [{ type: 'text', text: '[file: 7]' }] },
    ])
  })

  test('a link becomes one text, with a style if all of it has that style', () => {
    expect(elementsOf('**[a _b_ `c`](https://d.e)**')).toEqual([
      {
        type: 'rich_text_section',
        elements: [{ type: 'link', url: 'https://d.e', text: 'a b c', style: { bold: true } }],
      },
    ])
  })

  test('a link without an allowed scheme becomes its text and its URL', () => {
    expect(toSlack(paragraphOf(link('xy:a', { type: 'text', value: 'xy:a' })))).toBe('xy:a')
    const shown = JSON.stringify(elementsOf(paragraphOf(link('xy:a', { type: 'text', value: 'xy:a' }))))
    expect(shown).toContain('"text":"xy:a"')
  })
})
