/** Parsing line by line finds the same blocks as the parser for the whole text. */

import type { Nodes } from 'mdast'
import { describe, expect, test } from 'vitest'
import type { ReadingRules } from '../../src/convert/options.js'
import { parseMarkdown } from '../../src/convert/read/document.js'
import { partOf } from '../amount.js'
import { property } from '../properties/property.js'
import { commonMark } from './common-mark.js'
import { judge, shapesOf as shapesOfMarkdown, withoutGfm, withoutText } from './judge.js'
import { gfmLines, installedReadmes, lines, parseAtOnce, specInputs } from './markdown.js'

/** CommonMark and GFM, exactly as specified. */
const toTheLetter: ReadingRules = { emphasis: 'commonmark', math: 'none', tags: new Map(), isOnlyHtml: false }

describe('every block is the block of CommonMark and GFM', () => {
  test.each(specInputs.map((input, index) => [index + 1, input] as const))('in example %i', (_, input) => {
    expect(shapesOf(parseMarkdown(input, toTheLetter).tree.children)).toEqual(shapesOf(parseAtOnce(input)))
  })

  test.each(partOf(installedReadmes(100_000), 12))('in $path', ({ text }) => {
    expect(shapesOf(parseMarkdown(text, toTheLetter).tree.children)).toEqual(shapesOf(parseAtOnce(text)))
  })

  property(
    'in lines of all kinds, as the reference implementation of CommonMark says',
    lines.map((text) => ({ sources: [withoutGfm(text)] as const })),
    ({ sources: [input] }) => {
      expect(shapesOfMarkdown(parseMarkdown(input, toTheLetter).tree.children)).toEqual(judge(input))
    },
    { cost: 10 },
  )

  property(
    'in CommonMark, as its reference implementation says, except for the content of paragraphs',
    commonMark.map((text) => ({ sources: [withoutGfm(text)] as const })),
    ({ sources: [input] }) => {
      const found = shapesOfMarkdown(parseMarkdown(input, toTheLetter).tree.children)
      expect(found.map(withoutText)).toEqual(judge(input).map(withoutText))
    },
    { cost: 25 },
  )

  property(
    'in lines with tables, footnotes and tasks, as the parser for GFM says',
    gfmLines.map((text) => ({ sources: [text] as const })),
    ({ sources: [input] }) => {
      expect(shapesOf(parseMarkdown(input, toTheLetter).tree.children)).toEqual(shapesOf(parseAtOnce(input)))
    },
    { cost: 20 },
  )
})

test.each([
  '> - **a**\n>   b\n\n1. c\n\n   | d |\n   |---|\n   | e |\n\n  # f\n```\ng\n```\n',
  // Positions within the columns of a tab.
  '>\t<p>a\n',
])('blocks have their positions in the source: %j', (markdown) => {
  expect(positionsOf(parseMarkdown(markdown, toTheLetter).tree.children)).toEqual(positionsOf(parseAtOnce(markdown)))
})

test.each([
  ['indented code is not one', 'a\n    | b |\n|---|\n'],
  ['the last line of a text may be one', 'a\n| b |\n|---|\n| c |\n'],
])('the header rows of tables: %s', (_, markdown) => {
  expect(shapesOf(parseMarkdown(markdown, toTheLetter).tree.children)).toEqual(shapesOf(parseAtOnce(markdown)))
})

describe('references', () => {
  const filler = 'Some *words* in a paragraph.\n\n'.repeat(300)

  test('use definitions at any position', () => {
    const { tree } = parseMarkdown(`[a] and[^1]\n\n${filler}> [a]: https://b.c\n\n[^1]: d`, toTheLetter)
    expect(tree.children[0]).toMatchObject({
      children: [{ type: 'linkReference' }, { type: 'text' }, { type: 'footnoteReference' }],
    })
  })

  test('may be very many', () => {
    const definitions = Array.from({ length: 1_000 }, (_, index) => `[${index}]: https://a.b/${index} "a *title*"`)
    const { tree, diagnostics } = parseMarkdown(`[999] [0]\n\n${definitions.join('\n')}\n`, toTheLetter)
    expect(tree.children[0]).toMatchObject({ children: [{ identifier: '999' }, { type: 'text' }, { identifier: '0' }] })
    expect(tree.children).toHaveLength(1_001)
    expect(diagnostics).toEqual([])
  })

  test('match names as they were typed: an escape is part of a name', () => {
    const markdown = `[a\\]b] [c&amp;d]\n\n${filler}[a\\]b]: https://e.f\n\n[c&amp;d]: https://g.h "i"`
    expect(shapesOf(parseMarkdown(markdown, toTheLetter).tree.children)).toEqual(shapesOf(parseAtOnce(markdown)))
  })

  test('do not use a definition at the start of a paragraph of very many lines before that paragraph has ended', () => {
    const definition = `[a]: https://b.c "d"\n${'e\n'.repeat(130)}`
    const { tree } = parseMarkdown(`[a]\n\n${filler}${definition}\n[a]`, toTheLetter)
    const last = tree.children.at(-1)
    expect(tree.children[0]).toMatchObject({ children: [{ type: 'text', value: '[a]' }] })
    expect(last).toMatchObject({ children: [{ type: 'linkReference', identifier: 'a' }] })
  })
})

/** Returns the starts of nodes. */
function positionsOf(nodes: readonly Nodes[]): unknown[] {
  return nodes.map((node) => [
    node.type,
    node.position?.start,
    ...('children' in node ? positionsOf(node.children) : []),
  ])
}

/** Returns nodes without positions. */
function shapesOf(nodes: readonly Nodes[]): unknown[] {
  return nodes.map(shapeOf)
}

function shapeOf(node: Nodes): unknown {
  const { position: _position, data: _data, ...fields }: Nodes & { spread?: unknown } = node
  const shape: Record<string, unknown> = { ...fields }
  // Not compared: GFM's parser makes it depend on footnotes in the item. The reference implementation judges it instead.
  delete shape['spread']
  // Parsers differ in whether an unclosed block includes the line ending after it.
  if (node.type === 'code' || node.type === 'html') shape['value'] = node.value.replace(/\r\n?/g, '\n').trimEnd()
  else if ('value' in node) shape['value'] = node.value.replace(/\r\n?/g, '\n')
  if ('alt' in node) shape['alt'] = node.alt?.replace(/\r\n?/g, '\n')
  if ('children' in node) shape['children'] = node.children.map(shapeOf)
  return shape
}
