/** Conversion takes time linear in the length of any Markdown, and only texts far over a limit stay plain text. */

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fromMarkdown } from '../../src/convert/index.js'
import { parse, stringify, toText } from '../../src/index.js'
import { isLong, partOf } from '../amount.js'
import { property } from '../properties/property.js'
import { expectToBeFast } from '../timing.js'
import { type Family, families, pieces, textOf } from './hostile.js'

const LENGTH = isLong ? 100_000 : 20_000

/** Expects Markdown of twice the length to take at most 2.5 times the time. */
function expectGrowth(family: Family, blockLength: (length: number) => number, length = LENGTH): void {
  const [whole, quarter] = [length, length / 4].map((each) => textOf(family, each, blockLength(each))) as [
    string,
    string,
  ] // Of two.
  fromMarkdown(quarter)
  expectToBeFast(() => fromMarkdown(whole), { milliseconds: 2, times: 8, ordinary: () => fromMarkdown(quarter) })
}

/** A few pieces, repeated; sometimes with another text after them. */
const few = fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 4 }).map((some) => some.join(''))
const family = fc.record<Family>({
  unit: few,
  before: fc.oneof(fc.constant(''), few),
  after: fc.oneof(fc.constant(''), few),
})
const blockLength = fc.constantFrom(LENGTH, LENGTH, 19_990, 5_000, 1_000, 100)
// The whole input is too long to be printed.
const inputs = fc.record({ sources: fc.constant([]), family, blockLength })

describe(`${LENGTH / 1_000} KB take at most eight times the time of a quarter of it`, () => {
  test.each(partOf(families, 8))('in one block: $name', (family) => {
    expectGrowth(family, (length) => length)
  })

  // Work that grows with the square is slowest in the largest block that is still parsed.
  const delimiters = families.filter(({ unit }) => ['a*', '*a ', '~~a ~b', ']', '[a](', '`a', '> ', ' '].includes(unit))
  test.each(partOf(delimiters, 2))('in blocks of the largest size: $name', (family) => {
    const delimiterCount = family.unit.match(/[*_~[\]<`]/g)?.length ?? 0.1
    const blockLength = Math.min(19_990, Math.floor((1_990 / delimiterCount) * family.unit.length))
    expectGrowth(family, () => blockLength, 2 * LENGTH)
  })

  property(
    'any pieces, repeated, in blocks of any length',
    inputs,
    ({ family, blockLength }) => expectGrowth(family, () => blockLength, 2 * LENGTH),
    { cost: 16_000 },
  )

  test('finds growth with the square', () => {
    const square = (length: number) => () => {
      let sum = 0
      for (let at = 0; at < length ** 2; at += 1) sum += at % 7
      return sum
    }
    const limit = { milliseconds: 2, times: 8, ordinary: square(2_000) }
    expect(() => expectToBeFast(square(8_000), limit)).toThrow(/multiple of the ordinary time/)
  })
})

describe('a block that is too much', () => {
  const rules = (markdown: string): string[] => fromMarkdown(markdown).diagnostics.map(({ ruleId }) => ruleId)

  test('has more than 2,000 delimiters', () => {
    expect(rules(`${'*a* '.repeat(1_000)}`)).toEqual([])
    expect(rules(`${'*a* '.repeat(1_000)}*`)).toEqual(['block-limit'])
  })

  test.each(['<!-- ', '<? ', '<!a ', '<![CDATA['])(
    'has hundreds of %j, each of which may go on to its end',
    (opener) => {
      expect(rules(`a ${`${opener}b `.repeat(200)}`)).toEqual(['block-limit'])
      expect(rules(`a ${`${opener}b `.repeat(100)}`)).toEqual([])
    },
  )

  test('has more than 20,000 characters, unless it can contain only text', () => {
    expect(rules(`*${'a'.repeat(19_998)}`)).toEqual([])
    expect(rules(`*${'a'.repeat(19_999)}`)).toEqual([])
    expect(rules(`*${'a'.repeat(20_000)}`)).toEqual(['block-limit'])
    expect(rules('a'.repeat(20_001))).toEqual([])
    expect(rules(`https://a.b/c ${'plain words and '.repeat(1_600)}`)).toEqual([])
  })

  test('has more than 2,000 lines', () => {
    expect(rules(`*a*\n${'b\n'.repeat(1_999)}`)).toEqual([])
    expect(rules(`*a*\n${'b\n'.repeat(2_000)}`)).toEqual(['block-limit'])
  })

  test('is in a quote, or continues one without its marker', () => {
    expect(rules(`> ${'*a* '.repeat(1_001)}`)).toEqual(['block-limit'])
    expect(rules('> *a* b *c*\n'.repeat(501))).toEqual(['block-limit'])
    expect(rules(`> a\n${'*a* b *c*\n'.repeat(501)}`)).toEqual(['block-limit'])
  })

  test.each(['$$ x ', '\\[ x ', '\\begin{a} x ', '$$ x\n'])('begins like a formula that has no end: %j', (start) => {
    for (const marker of ['', '> ']) {
      const text = (start + '*a**b '.repeat(667)).replace('\n', `\n${marker}`)
      expect(rules(marker + text)).toEqual(['block-limit'])
      const lines = start.trimEnd() + `\n${marker}*a**b`.repeat(667)
      expect(rules(marker + lines)).toEqual(['block-limit'])
    }
  })

  test('comes after a formula without an end, so that it seems to be code or items', () => {
    const markers = '*a**b '.repeat(667)
    expect(rules(`> $$ x\n> \`\`\`\n>\n> \`\`\`\n> ${markers}`)).toEqual(['block-limit'])
    expect(rules(`- $$ x\n  \`\`\`\n\n  \`\`\`\n  ${markers}`)).toContain('block-limit')
    const items = '> 2. *a**b\n'.repeat(667)
    expect(rules(`> $$ x\n> \`\`\`\n>\n> <!--\n> \`\`\`\n> a\n> -->\n${items}`)).toEqual(['block-limit'])
  })

  test('has lines that only look like fences or items', () => {
    expect(rules(`a\n    \`\`\`\n${'*a* '.repeat(1_001)}`)).toEqual(['block-limit'])
    expect(rules(`> - \`\`\`\n> ${'*a* '.repeat(1_001)}`)).toEqual(['block-limit'])
    expect(rules(`a\n${'2. *a* b *c*\n'.repeat(501)}`)).toEqual(['block-limit'])
  })

  test('does not limit lists, quotes, code or documents', () => {
    expect(rules(`1. a\n\n   \`\`\`\n${'   {\n     b\n   }\n'.repeat(200)}   \`\`\`\n`)).not.toContain('block-limit')
    expect(rules('* *item* and words\n'.repeat(1_200))).toEqual([])
    expect(rules(`\`\`\`\n${'*a* [b](c)\n'.repeat(2_000)}\`\`\``)).toEqual([])
    expect(rules('A *paragraph* with a [link](https://example.com).\n\n'.repeat(600))).toEqual([])
    expect(rules('> A *paragraph*.\n>\n'.repeat(1_200))).toEqual(['quote'])
  })

  test('does not limit a long list after a formula without an end', () => {
    expect(rules(`$$ x\n${'- a *b*\n\n'.repeat(400)}`)).not.toContain('block-limit')
  })

  test('limits only some rows of a long table', () => {
    const rows = Array.from({ length: 1_500 }, (_, index) => `| ${index} | **b** |`)
    const hard = `| ${'*'.repeat(2_001)} | [c](https://d.e) |`
    const markdown = ['| a | b |', '|---|--:|', ...rows, hard, ...rows].join('\n')
    const { tree, diagnostics } = fromMarkdown(markdown, { tables: 'code' })
    expect(tree.children.map(({ type }) => type)).toEqual(['code', 'paragraph', 'code'])
    const text = toText(tree)
    for (const row of [hard, '0 |', '1499 |']) expect(text.split(row).length, row).toBeGreaterThan(1)
    expect(diagnostics.map(({ ruleId }) => ruleId)).toEqual(['block-limit', 'table', 'table'])
  })

  test('has many lines that close a container in others', () => {
    expect(rules('> > > a\n> >\n'.repeat(150))).not.toContain('block-limit')
    expect(rules('- b\n  > > a\n  >\n'.repeat(1_000))).not.toContain('block-limit')
    const text = `- ${'> > a\n  >\n  '.repeat(1_000).trim()}`
    const { tree, diagnostics } = fromMarkdown(`**b**\n\n${text}\n\n**c**`)
    expect(toText(tree)).toBe(`b\n\n${text.replaceAll('\n  ', '\n')}\n\nc`)
    expect(diagnostics.map(({ ruleId }) => ruleId)).toEqual(['block-limit'])
  })

  test('keeps its characters and its lines, and its neighbors their formatting', () => {
    const line = '*a* [b](https://c.d) <b> `e` # | > \\* &amp; 1. www.f.g'
    const markdown = `**before**\n\n${`${line}\n`.repeat(400)}\n> **after**\n`
    const { tree, diagnostics } = fromMarkdown(markdown)
    const text = toText(tree)
    expect(text).toBe(`before\n\n${Array.from({ length: 400 }, () => line).join('\n')}\n\n> after`)
    expect(diagnostics.map(({ ruleId }) => ruleId)).toEqual(['block-limit', 'quote'])
    expect(diagnostics[0]?.place).toMatchObject({ start: { line: 3, column: 1 }, end: { line: 402 } })
    expect(tree.children[0]).toMatchObject({ children: [{ type: 'strong' }] })
  })

  test('stays text if every character of private use occurs', () => {
    const all = Array.from({ length: 6_400 }, (_, index) => String.fromCharCode(0xe000 + index)).join('')
    const { tree } = fromMarkdown(`${all}\n\n${'*a* '.repeat(2_000)}`)
    expect(toText(tree)).toBe(`${all}\n\n${'*a* '.repeat(2_000).trim()}`)
  })
})

test('quotes and lists keep their depth; those over a limit stay as typed, and nothing is lost', () => {
  expect(toText(fromMarkdown(`${'> '.repeat(100)}a`).tree)).toBe(`${'> '.repeat(100)}a`)
  const deep = fromMarkdown(`${'> '.repeat(5_000)}**a**\n\n${'- '.repeat(500)}b`)
  expect(toText(deep.tree).replace(/[^ab]/g, '')).toBe('ab')
  expect(toText(fromMarkdown(`${'>'.repeat(10_000)}a`).tree)).toBe(`${'>'.repeat(10_000)}a`)
  expect(parse(stringify(deep.tree), { position: false })).toEqual(deep.tree)
})
