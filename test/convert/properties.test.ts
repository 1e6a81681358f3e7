/** Properties of every Markdown, and of every message that is written as Markdown. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fromMarkdown, toMarkdown } from '../../src/convert/index.js'
import { assertTree, parse, stringify, toText } from '../../src/index.js'
import { property } from '../properties/property.js'
import { source } from '../properties/sources.js'
import { commonMark } from './common-mark.js'
import { gfmLines } from './markdown.js'
import { hasCharacters, isSubsequence, visibleText } from './visible.js'

function samples(...arbitraries: fc.Arbitrary<string>[]): fc.Arbitrary<{ sources: [string] }> {
  // A file inside a line becomes text in the dialect, and its name in other formats: `trees.test.ts` has examples.
  return fc.oneof(...arbitraries).map((input) => ({ sources: [input.replace(/<!(?=[^<>|]*\|)/g, '<')] }))
}

describe('fromMarkdown', () => {
  function survives(input: string): void {
    for (const commonmark of [false, true]) {
      const { tree } = fromMarkdown(input, { commonmark })
      expect(parse(stringify(tree), { position: false })).toEqual(tree)
    }
  }

  test.each(['> **a <br> b**', '- *a  \n  b*\n\n  c', '**a\fb \f**'])(
    'gives a tree that survives being written: %j',
    survives,
  )

  property(
    'gives a tree that survives being written',
    samples(commonMark, source),
    ({ sources: [input] }) => survives(input),
    { cost: 120 },
  )

  property(
    'returns a tree of §5, and diagnostics with a rule and a reason',
    samples(commonMark, source),
    ({ sources: [input] }) => {
      const { tree, diagnostics } = fromMarkdown(input)
      assertTree(tree)
      for (const { reason, ruleId } of diagnostics) expect(`${ruleId}: ${reason}`).toMatch(/^[a-z-]+: .+/)
    },
    { cost: 120 },
  )

  property(
    'shows everything that the parser for CommonMark shows, and so does toMarkdown of the result',
    samples(commonMark, source),
    ({ sources: [input] }) => {
      const [shown, ours] = [visibleText(input), visibleText(toMarkdown(fromMarkdown(input, { tables: 'code' }).tree))]
      expect(isSubsequence(shown, ours), `${shown}\n${ours}`).toBe(true)
    },
    { cost: 120 },
  )

  property(
    'shows everything that the parser for GFM shows, and so does toMarkdown of the result',
    samples(gfmLines),
    ({ sources: [input] }) => {
      const shown = visibleText(input)
      const inCode = visibleText(toMarkdown(fromMarkdown(input, { tables: 'code' }).tree))
      expect(isSubsequence(shown, inCode), `${shown}\n${inCode}`).toBe(true)
      const inItems = visibleText(toMarkdown(fromMarkdown(input, { tables: 'items' }).tree))
      expect(hasCharacters(inItems, shown), inItems).toBe(true)
    },
    { cost: 120 },
  )

  property(
    'mentions no user',
    samples(commonMark, source),
    ({ sources: [input] }) => {
      expect(JSON.stringify(fromMarkdown(input).tree)).not.toMatch(/"type":"(?:mention|file)"/)
    },
    { cost: 120 },
  )
})

describe('toMarkdown', () => {
  test('writes no text that GFM would make a URL of, in capitals or not', () => {
    expect(toMarkdown('7HTTP://a<br>')).toBe('7HTTP\\://a\\<br>')
    expect(visibleText(toMarkdown('7HTTPS://a<br> WWW.a.b<br>'))).toBe('7HTTPSabrWWWabbr')
  })

  property(
    'shows all of the text, in order',
    samples(source),
    ({ sources: [input] }) => {
      const tree = parse(input)
      // Plain text shows the URL of a link, a rendered page does not.
      if (JSON.stringify(tree).includes('"type":"link"')) return
      const text = toText(tree)
        .normalize('NFKD')
        .replace(/[^\p{L}\p{N}\p{Extended_Pictographic}☐☑]|[•◦▪]/gu, '')
      expect(visibleText(toMarkdown(input)), toMarkdown(input)).toBe(text)
    },
    { cost: 120 },
  )
})
