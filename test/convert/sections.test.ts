/** Cutting Markdown into sections changes nothing of what it is. */

import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import type { Nodes } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'
import { describe, expect, test } from 'vitest'
import { parseMarkdown } from '../../src/convert/parse-markdown.js'
import { sectionsOf } from '../../src/convert/sections.js'
import { mostly, property } from '../properties/property.js'

/** What lines begin with, hold and end with: all but definitions, which change what other sections are. */
const starts = ['', '', '', ' ', '   ', '    ', '\t', '- ', '* ', '1. ', '2. ', '10) ', '> ', '-    ', '- - ', '> - ']
const contents = ['', 'a', '*c*', '# h', '```', '```js', '~~~', '````', '<div>', '<!--', '-->', '<!-- x -->', '<?php']
  .concat(['?>', '<script>', '</script>', '---', '- - -', '***', '===', '|a|b|', '|-|-|', '2. y'])
  .concat(['', 'a', 'b', '# h', '```'])
const endings = ['\n', '\n', '\n\n', '\r\n', '\r', '\n \n']

const lines = fc
  .tuple(fc.constantFrom(...starts), fc.constantFrom(...contents), fc.constantFrom(...endings))
  .map((parts) => parts.join(''))

const documents = fc
  .array(lines, { minLength: 2, maxLength: 9 })
  .map((some) => some.join(''))
  // Behind indented code the parser takes for text what could not interrupt a paragraph.
  .filter((some) => !/(?:^|[\r\n])(?: {4}|\t)/.test(some) || !/[-*\d]|<\//.test(some))
  .map((some) => ({ sources: [some] as const }))

describe('sections', () => {
  property('are all of it in a row', documents, ({ sources: [input] }) => {
    const sections = sectionsOf(input)
    expect(sections.map(({ start, end }) => input.slice(start, end)).join('')).toBe(input)
  })

  // Behind a quote or an item without text, and a line that may go on with it or not, a section may be taken amiss.
  mostly(
    'are alone what they are in the whole',
    documents,
    ({ sources: [input] }) => {
      const parts = sectionsOf(input).flatMap(({ start, end }) => blocksOf(input.slice(start, end)))
      return isDeepStrictEqual(parts, blocksOf(input))
    },
    { cost: 50, share: 1 / 500 },
  )

  test('begin with blocks, items and headings, and with nothing in fenced code or HTML', () => {
    const starts = (markdown: string): number[] => sectionsOf(markdown).map(({ line }) => line)
    expect(starts('a\nb\n\nc\n# d\ne')).toEqual([1, 4, 5, 6])
    expect(starts('- a\n  - b\n\n  c\n- d\nlazy\n\n- e\n\nf')).toEqual([1, 5, 8, 10])
    expect(starts('```\n# a\n\nb\n```\nc')).toEqual([1, 6])
    expect(starts('<!-- a\n\n# b\n-->\nc')).toEqual([1, 5])
    expect(starts('- ```\n  # a\n\n  b\n  ```\n\nc')).toEqual([1, 7])
  })
})

describe('parts of a long document', () => {
  const filler = 'Some *words* in a paragraph.\n\n'.repeat(300)

  test('know what the others define, wherever it stands', () => {
    const { tree } = parseMarkdown(`[a] and[^1]\n\n${filler}> [a]: https://b.c\n\n[^1]: d`)
    expect(tree.children[0]).toMatchObject({
      children: [{ type: 'linkReference' }, { type: 'text' }, { type: 'footnoteReference' }],
    })
  })

  test('are one list where its items go on', () => {
    const { tree } = parseMarkdown(`${filler}${'1. a\n\n   b\n'.repeat(500)}2) c`)
    expect(tree.children.slice(300)).toMatchObject([
      { type: 'list', children: Array.from({ length: 500 }, () => ({ type: 'listItem' })) },
      { type: 'list', start: 2 },
    ])
  })

  test('stand where they do in the whole', () => {
    const markdown = `${filler}${'- a\n- b\n'.repeat(100)}\n${filler}`
    const options = { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] }
    expect(parseMarkdown(markdown).tree.children).toEqual(fromMarkdown(markdown, options).children)
  })
})

/** What a document is made of, without places; items without their list, which may be cut. */
function blocksOf(markdown: string): unknown[] {
  const tree = fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] })
  return tree.children.flatMap((node) => (node.type === 'list' ? node.children.map(shapeOf) : [shapeOf(node)]))
}

function shapeOf(node: Nodes): unknown {
  const children = 'children' in node ? node.children.map(shapeOf) : []
  // Whether code in an item that has ended holds the line ending behind it differs.
  return [node.type, 'value' in node ? node.value.trimEnd() : '', ...children]
}
