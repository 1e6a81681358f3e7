/** Markdown that is parsed by sections has the same blocks as Markdown that is parsed at once. */
import { expect, test } from 'vitest'
import { fromMdast } from '../../src/convert/blocks.js'
import { htmlReader } from '../../src/convert/html-blocks.js'
import { fromMarkdown } from '../../src/convert/index.js'
import { sectionsOf } from '../../src/convert/markdown/elements.js'
import { createContext, parserOf, parseSource } from '../../src/convert/markdown/read.js'
import { sourceAt } from '../../src/convert/markdown/source.js'
import { rulesFrom } from '../../src/convert/options.js'
import type { Block } from '../../src/index.js'
import { lineStartsOf } from '../../src/search.js'
import { partOf } from '../amount.js'
import { property } from '../properties/property.js'
import { gfmLines, installedReadmes, specInputs } from './markdown.js'

const rules = rulesFrom({})

function parsedAtOnce(text: string): Block[] {
  const children = parseSource(sourceAt(0, text), createContext(rules, lineStartsOf(text)))
  return fromMdast({ type: 'root', children }, {}, [], htmlReader(parserOf(rules))).tree.children
}

test('in the examples of CommonMark and GFM', () => {
  for (const input of specInputs) expect(fromMarkdown(input).tree.children, input).toEqual(parsedAtOnce(input))
})

test.each(partOf(installedReadmes(30_000), 12))('in $path', ({ text }) => {
  expect(fromMarkdown(text).tree.children).toEqual(parsedAtOnce(text))
})

test('in a long table, list or quote before a blank line', () => {
  const repeated: [string, string][] = [
    ['| a |\n|---|\n', '| b |\n'],
    ['', '- a\n'],
    ['', '> a\n>\n'],
    ['', '> > a and words\n>\n> - b and words\n'],
    [`> ${'a '.repeat(300)}\n>\n`, `>= ${'b'.repeat(1_000)}\n`],
  ]
  for (const [before, unit] of repeated) {
    const text = `${before}${unit.repeat(1_500 / unit.length)}\nc`
    expect(fromMarkdown(text).tree.children, unit).toEqual(parsedAtOnce(text))
  }
})

test('in items with several blank lines', () => {
  const texts = [
    '- a\n\n\n\n  - b',
    '1. a\n\n\n\n   b',
    '- - a\n\n\n\n    b',
    '> - a\n>\n>\n>\n>   b',
    '- ```\n\n\n  ```\n\n\n  b',
  ]
  for (const text of [...texts, '-\n\n\n  a', '- a\n\n\n\nb'])
    expect(fromMarkdown(text).tree.children, text).toEqual(parsedAtOnce(text))
})

test('in HTML directly after an item, and after formulas without an end', () => {
  const formulas = ['$$ x', '\\[', '\\begin{a}'].flatMap((start) =>
    [
      '```\na\n\nb\n```\nc',
      '- a\n\n- b\n\nc',
      '<!--\n\n-->\n*c*',
      '1. ```\n   a\n\n   b\n   ```\nc',
      '> ```\n\n> b',
    ].flatMap((rest) => [`${start}\n${rest}`, `> ${start}\n${rest}`.replaceAll('\n', '\n> ')]),
  )
  for (const text of [...formulas, '<details>\n\n- a\n</details>\n\nb', '> - a\n> </details>\n'])
    expect(parsedAtOnce(text)).toEqual(fromMarkdown(text).tree.children)
})

property(
  'in tables, tasks and footnotes',
  gfmLines.map((text) => ({ sources: [text] as const })),
  ({ sources: [text] }) => {
    expect(fromMarkdown(text).tree.children).toEqual(parsedAtOnce(text))
  },
  { cost: 50 },
)

test.each<[string, string[]]>([
  ['a\nb\n\nc', ['a\nb\n\n', 'c']],
  ['- a\n\n  b\n- c\n\nd', ['- a\n\n  b\n- c\n\n', 'd']],
  ['- a\nb\n+ c', ['- a\nb\n', '+ c']],
  ['> a\nb\n> c\n# d\ne', ['> a\nb\n> c\n', '# d\n', 'e']],
  ['```\n\n# a\n```\nb', ['```\n\n# a\n```\n', 'b']],
  ['| a |\n|---|\n| b |\n- c', ['| a |\n|---|\n| b |\n', '- c']],
  ['a\n===\nb\n---\n', ['a\n===\n', 'b\n---\n']],
  ['    a\n2. b\n\nc', ['    a\n', '2. b\n\n', 'c']],
  ['- <b>\nc\n===\nd', ['- <b>\n', 'c\n===\n', 'd']],
  ['- ```\n  a\n```\nb', ['- ```\n  a\n', '```\nb']],
  ['> - a\nb\n> c\n---\nd', ['> - a\nb\n> c\n', '---\n', 'd']],
  // A formula without an end is text, and the blocks after it are not part of it.
  ['$$ x\n```\na\n\nb\n```\nc', ['$$ x\n```\na\n\nb\n```\n', 'c']],
  ['\\[\n- a\n\n\n\n\n- b\n\nc', ['\\[\n- a\n\n\n\n\n- b\n\n', 'c']],
  ['$$ x\n<!--\n\ny -->\nz', ['$$ x\n<!--\n\ny -->\n', 'z']],
  ['$$ x\n\ny', ['$$ x\n\n', 'y']],
  ['> [!NOTE]\n> a\n---\nb', ['> [!NOTE]\n> a\n', '---\n', 'b']],
  ['> | a |\n> |---|\n---\nb', ['> | a |\n> |---|\n', '---\n', 'b']],
  // After a line without the marker of its quote, the rows are text.
  ['> a\nb | c\n> |---|\nmore', ['> a\nb | c\n> |---|\nmore']],
  ['- a\nlazy | x\n  |---|\nmore', ['- a\nlazy | x\n  |---|\nmore']],
  ['- | a |\n  |---|\nb', ['- | a |\n  |---|\nb']],
  ['> [a]\n2. b\n\nc', ['> [a]\n', '2. b\n\n', 'c']],
  ['> $$ a\n---\nb', ['> $$ a\n', '---\n', 'b']],
  // An underline without the marker of the item continues the text of the item.
  ['- [a]: b\nc\n===\nd', ['- [a]: b\nc\n===\nd']],
])('%j is cut into %j', (text, sections) => {
  expect(sectionsOf(text, rules).map((section) => 'source' in section && section.source.text)).toEqual(sections)
})
