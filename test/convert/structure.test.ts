/** The blocks that are found line by line are those that the parser finds in the whole. */

import { isDeepStrictEqual } from 'node:util'
import type { Nodes } from 'mdast'
import { describe, expect, test } from 'vitest'
import { commonMark } from '../../src/arbitraries/arbitraries.js'
import { parseMarkdown } from '../../src/convert/read/document.js'
import { partOf } from '../amount.js'
import { mostly } from '../properties/property.js'
import { isTakenAmiss } from './amiss.js'
import { installedReadmes, lines, parseAtOnce, specInputs } from './markdown.js'

describe('every block is what CommonMark and GFM say', () => {
  test.each(specInputs.map((input, index) => [index + 1, input] as const))('in example %i', (_, input) => {
    expect(shapesOf(parseMarkdown(input, 'commonmark').tree.children)).toEqual(shapesOf(parseAtOnce(input)))
  })

  test.each(partOf(installedReadmes(100_000), 12))('in $path', ({ text }) => {
    expect(shapesOf(parseMarkdown(text, 'commonmark').tree.children)).toEqual(shapesOf(parseAtOnce(text)))
  })

  mostly(
    'in lines of all kinds',
    lines.filter((some) => !isTakenAmiss(some)).map((some) => ({ sources: [some] as const })),
    ({ sources: [input] }) =>
      isDeepStrictEqual(shapesOf(parseMarkdown(input, 'commonmark').tree.children), shapesOf(parseAtOnce(input))),
    // What is taken amiss by the library in another place than those above.
    { cost: 20, share: 1 / 500 },
  )

  mostly(
    'in CommonMark',
    commonMark.filter((some) => !isTakenAmiss(some)).map((some) => ({ sources: [some] as const })),
    ({ sources: [input] }) =>
      isDeepStrictEqual(shapesOf(parseMarkdown(input, 'commonmark').tree.children), shapesOf(parseAtOnce(input))),
    { cost: 50, share: 1 / 200 },
  )
})

test('blocks stand where they do in the source', () => {
  const markdown = '> - **a**\n>   b\n\n1. c\n\n   | d |\n   |---|\n   | e |\n\n  # f\n```\ng\n```\n'
  expect(placesOf(parseMarkdown(markdown, 'commonmark').tree.children)).toEqual(placesOf(parseAtOnce(markdown)))
})

describe('references', () => {
  const filler = 'Some *words* in a paragraph.\n\n'.repeat(300)

  test('know what is defined anywhere', () => {
    const { tree } = parseMarkdown(`[a] and[^1]\n\n${filler}> [a]: https://b.c\n\n[^1]: d`, 'commonmark')
    expect(tree.children[0]).toMatchObject({
      children: [{ type: 'linkReference' }, { type: 'text' }, { type: 'footnoteReference' }],
    })
  })

  test('may be very many', () => {
    const definitions = Array.from({ length: 1_000 }, (_, index) => `[${index}]: https://a.b/${index} "a *title*"`)
    const { tree, messages } = parseMarkdown(`[999] [0]\n\n${definitions.join('\n')}\n`, 'commonmark')
    expect(tree.children[0]).toMatchObject({ children: [{ identifier: '999' }, { type: 'text' }, { identifier: '0' }] })
    expect(tree.children).toHaveLength(1_001)
    expect(messages).toEqual([])
  })
})

/** Where nodes begin. */
function placesOf(nodes: readonly Nodes[]): unknown[] {
  return nodes.map((node) => [node.type, node.position?.start, ...('children' in node ? placesOf(node.children) : [])])
}

/** What nodes are, without places. */
function shapesOf(nodes: readonly Nodes[]): unknown[] {
  return nodes.map(shapeOf)
}

function shapeOf(node: Nodes): unknown {
  const { position: _position, data: _data, ...fields }: Nodes & { spread?: unknown } = node
  const shape: Record<string, unknown> = { ...fields }
  // Of a list it follows from its items.
  if (node.type === 'list') delete shape['spread']
  // Whether what has no end holds the line ending behind it differs.
  if (node.type === 'code' || node.type === 'html') shape['value'] = node.value.replace(/\r\n?/g, '\n').trimEnd()
  else if ('value' in node) shape['value'] = node.value.replace(/\r\n?/g, '\n')
  if ('alt' in node) shape['alt'] = node.alt?.replace(/\r\n?/g, '\n')
  if ('children' in node) shape['children'] = node.children.map(shapeOf)
  return shape
}
