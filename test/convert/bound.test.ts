/** No Markdown takes longer than somebody would wait, and only what is far too much is plain text. */

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fromMarkdown } from '../../src/convert/markdown.js'
import { parse, stringify, toText } from '../../src/index.js'
import { property } from '../properties/property.js'
import { expectToBeFast } from '../timing.js'
import { type Family, families, pieces, textOf } from './hostile.js'

const LENGTH = 100_000
const MILLISECONDS_MAX = 2_000

const ordinary = 'Some *words* and a `word`.\n\n'.repeat(LENGTH / 28)
const limit = { milliseconds: MILLISECONDS_MAX, times: 4, ordinary: () => fromMarkdown(ordinary) }

/** A few pieces in a row, again and again; behind some of them something else. */
const few = fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 4 }).map((some) => some.join(''))
const family = fc.record<Family>({
  unit: few,
  before: fc.oneof(fc.constant(''), few),
  after: fc.oneof(fc.constant(''), few),
})
const blockLength = fc.constantFrom(LENGTH, LENGTH, 19_990, 5_000, 1_000, 100)
// The whole input is too long to be printed.
const inputs = fc.record({ sources: fc.constant([]), family, blockLength })

describe(`100 KB take at most ${MILLISECONDS_MAX} ms`, () => {
  test.each(families)('in one block: $name', (family) => {
    expectToBeFast(() => fromMarkdown(textOf(family, LENGTH, LENGTH)), limit)
  })

  // The worst size for what grows with the square is that of the largest block that is still read.
  const delimiters = families.filter(({ unit }) => ['a*', '*a ', '~~a ~b', ']', '[a](', '`a', '> ', ' '].includes(unit))
  test.each(delimiters)('in blocks of the largest size: $name', (family) => {
    const delimiterCount = family.unit.match(/[*_~[\]<`]/g)?.length ?? 0.1
    const length = Math.min(19_990, Math.floor((1_990 / delimiterCount) * family.unit.length))
    expectToBeFast(() => fromMarkdown(textOf(family, LENGTH, length)), limit)
  })

  property(
    'whatever is put together and repeated, in blocks of whatever length',
    inputs,
    ({ family, blockLength }) => {
      expectToBeFast(() => fromMarkdown(textOf(family, LENGTH, blockLength)), limit)
    },
    { cost: 16_000 },
  )
})

describe('a block that is too much', () => {
  const rules = (markdown: string): string[] => fromMarkdown(markdown).messages.map(({ ruleId }) => ruleId)

  test('is one with more than 2,000 delimiters', () => {
    expect(rules(`${'*a* '.repeat(1_000)}`)).toEqual([])
    expect(rules(`${'*a* '.repeat(1_000)}*`)).toEqual(['block-limit'])
  })

  test('is one with more than 20,000 characters', () => {
    expect(rules('a'.repeat(20_000))).toEqual([])
    expect(rules('a'.repeat(20_001))).toEqual(['block-limit'])
  })

  test('is no long list, code or document', () => {
    expect(rules('* *item* and words\n'.repeat(1_200))).toEqual([])
    expect(rules(`\`\`\`\n${'*a* [b](c)\n'.repeat(2_000)}\`\`\``)).toEqual([])
    expect(rules('A *paragraph* with a [link](https://example.com).\n\n'.repeat(600))).toEqual([])
  })

  test('keeps its characters and its lines, and its neighbours their formatting', () => {
    const line = '*a* [b](https://c.d) <b> `e` # | > \\* &amp; 1. www.f.g'
    const markdown = `**before**\n\n${`${line}\n`.repeat(400)}\n> **after**\n`
    const { tree, messages } = fromMarkdown(markdown)
    const text = toText(tree)
    expect(text).toBe(`before\n\n${Array.from({ length: 400 }, () => line).join('\n')}\n\n> after`)
    expect(messages.map(({ ruleId }) => ruleId)).toEqual(['block-limit', 'quote'])
    expect(messages[0]?.place).toMatchObject({ start: { line: 3, column: 1 }, end: { line: 402 } })
    expect(tree.children[0]).toMatchObject({ children: [{ type: 'strong' }] })
  })

  test('is one of many that are nearly so', () => {
    const block = '*a* '.repeat(900)
    const { messages } = fromMarkdown(`${`${block}\n\n`.repeat(20)}# *end*`)
    expect(messages.map(({ ruleId }) => ruleId)).toEqual(Array.from({ length: 17 }, () => 'block-limit'))
  })

  test('stays text where every character of private use occurs', () => {
    const all = Array.from({ length: 6_400 }, (_, index) => String.fromCharCode(0xe000 + index)).join('')
    const { tree } = fromMarkdown(`${all}\n\n${'*a* '.repeat(2_000)}`)
    expect(toText(tree)).toBe(`${all}\n\n${'*a* '.repeat(2_000).trim()}`)
  })
})

test('quotes and lists that are too deep are cut there, and nothing is lost', () => {
  const deep = fromMarkdown(`${'> '.repeat(5_000)}**a**\n\n${'- '.repeat(500)}b`)
  expect(toText(deep.tree).replace(/[^ab]/g, '')).toBe('ab')
  expect(parse(stringify(deep.tree), { position: false })).toEqual(deep.tree)
})
