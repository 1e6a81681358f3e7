/** Markdown in chunks, cut anywhere, has the same result as the whole text. */

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { byOffset } from '../../src/convert/blocks.js'
import { createMarkdownStream, fromMarkdown } from '../../src/convert/index.js'
import type { MarkdownOptions } from '../../src/convert/options.js'
import type { Diagnostic } from '../../src/diagnostic.js'
import { type Block, stringify, toText } from '../../src/index.js'
import { partOf } from '../amount.js'
import { property, seeded } from '../properties/property.js'
import { commonMark } from './common-mark.js'
import { installedReadmes, lines, specInputs } from './markdown.js'

interface Outcome {
  blocks: Block[]
  diagnostics: readonly Diagnostic[]
}

function read(chunks: readonly string[], options?: MarkdownOptions, look = false): Outcome {
  const stream = createMarkdownStream(options)
  const blocks: Block[] = []
  for (const chunk of chunks) {
    blocks.push(...stream.push(chunk))
    if (look) stream.tail
  }
  blocks.push(...stream.finish())
  return { blocks, diagnostics: stream.diagnostics }
}

function write(blocks: readonly Block[]): string {
  return stringify({ type: 'root', children: [...blocks] })
}

/** Lengths of chunks, repeated. */
const cuts = fc.array(fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 40 })), { minLength: 1, maxLength: 6 })

function chunksOf(text: string, lengths: readonly number[]): string[] {
  const chunks: string[] = []
  for (let at = 0, index = 0; at < text.length; index += 1) {
    const length = lengths[index % lengths.length] ?? 1
    chunks.push(text.slice(at, at + length))
    at += length
  }
  return chunks
}

/** Expects the blocks and diagnostics of the whole text, unless a reference comes before its definition. */
function expectSame(text: string, lengths: readonly number[], look = false): void {
  const { tree, diagnostics } = fromMarkdown(text)
  const outcome = read(chunksOf(text, lengths), {}, look)
  if (outcome.diagnostics.some(({ ruleId }) => ruleId === 'reference-late')) return
  expect(outcome.blocks, text).toEqual(tree.children)
  expect(outcome.diagnostics.toSorted(byOffset)).toEqual(diagnostics)
}

describe('settled blocks are those of the whole text', () => {
  const samples = (texts: fc.Arbitrary<string>) =>
    fc.record({ sources: fc.tuple(texts), lengths: cuts, look: fc.boolean() })

  property(
    'of lines of all kinds',
    samples(lines),
    ({ sources: [text], lengths, look }) => expectSame(text, lengths, look),
    { cost: 25 },
  )

  property('of CommonMark', samples(commonMark), ({ sources: [text], lengths }) => expectSame(text, lengths), {
    cost: 100,
  })

  test('of the examples of CommonMark and GFM', () => {
    for (const input of specInputs) for (const length of partOf([1, 3, 1_000], 1)) expectSame(input, [length])
  })

  test.each(partOf(installedReadmes(30_000), 12))('of $path', ({ text }) => {
    const [lengths = [4]] = fc.sample(cuts, { numRuns: 1, ...seeded })
    expectSame(text, lengths)
  })

  test('with a line ending or a character cut in half', () => {
    for (const text of ['a\r\n\r\n- b\r\n\r\n\r\n  c\r\n# d', '😀 **漢**😀\n\n```\r\n😀\r\n```', '\uFEFF# a\r\rb']) {
      expectSame(text, [1], true)
      expectSame(text, [2, 1])
    }
  })

  test('with the options of fromMarkdown', () => {
    const text = '**注意：**正文 <@7|Ann> <@8|Bob>'
    for (const options of [{ mentions: ['7'] }, { commonmark: true }] satisfies MarkdownOptions[])
      expect(read([...text], options).blocks).toEqual(fromMarkdown(text, options).tree.children)
  })
})

describe('references', () => {
  test('in an element that becomes a quote use all definitions in it', () => {
    const text = '<think>\na[^b] [c]\n\n- d\n\n[^b]: e\n\n[c]: https://f.g\n</think>\nh'
    const options: MarkdownOptions = { tags: { think: 'quote' } }
    const { tree, diagnostics } = fromMarkdown(text, options)
    const outcome = read([...text], options)
    expect(outcome.blocks).toEqual(tree.children)
    expect(outcome.diagnostics.toSorted(byOffset)).toEqual(diagnostics)
  })

  test('use what was defined before them', () => {
    const text = '[a]: https://b.c\n[^1]: A note.\n\nSee [a] and[^1].\n'
    expect(write(read([...text]).blocks)).toBe('See [a](https://b.c) and[1].\n\n[1] A note.')
    expectSame(text, [1])
  })

  test('stay text before their definitions, which stay too, so that nothing is lost', () => {
    const text = 'See [a], [b][a] and[^1].\n\n[a]: https://b.c "t"\n[^1]: A *note*.\n\nBut [a] and[^1].\n'
    const { blocks, diagnostics } = read([...text])
    expect(write(blocks)).toBe(
      'See [a], [b][a] and[^1].\n\n[a]: https://b.c\n\n[^1]: A *note*.\n\nBut [a](https://b.c) and[1].\n\n[1] A *note*.',
    )
    const late = diagnostics.filter(({ ruleId }) => ruleId === 'reference-late')
    expect(late.map(({ place }) => place && 'start' in place && place.start.line)).toEqual([3, 4])
    for (const lengths of [[2], [7, 1], [1_000]]) expect(read(chunksOf(text, lengths)).blocks).toEqual(blocks)
  })

  test('with a URL as their label stay text, too', () => {
    const { diagnostics } = read([...'[https://a.b][c] *[https://d.e][f]* g\n\n[c]: https://h.i\n[f]: https://j.k\n'])
    const places = diagnostics.map(({ ruleId, place }) => [ruleId, place && 'start' in place && place.start.line])
    expect(places).toEqual([
      ['reference-late', 3],
      ['reference-late', 4],
    ])
  })

  test('in the text of an image are late like all others', () => {
    const { blocks, diagnostics } = read([...'![![a][b]](https://c.d) e\n\n[b]: https://f.g\n'])
    expect(write(blocks)).toBe('[![a][b]](https://c.d) e\n\n[b]: https://f.g')
    expect(diagnostics.map(({ ruleId }) => ruleId).sort()).toEqual(['image', 'reference-late'])
  })

  test('before a definition in a footnote are late, although no reference shows the footnote', () => {
    const { blocks, diagnostics } = read([...'[c]\n[^a]: [c]: http://x.y "t"\n\n\n'])
    expect(write(blocks)).toBe('[c]')
    expect(diagnostics.map(({ ruleId }) => ruleId)).toEqual(['reference-late'])
  })

  test('are not definitions, URLs of links or code', () => {
    const text = '[a](https://b.c) `[b]` \n\n[a]: https://d.e\n[b]: https://f.g\n'
    const { blocks, diagnostics } = read([...text])
    expect(write(blocks)).toBe('[a](https://b.c) `[b]`')
    expect(diagnostics).toEqual([])
  })

  test.each([
    ['code', '```js\narr[0]\n```', '0'],
    ['indented code', '    arr[0]', '0'],
    ['code over two lines', '`arr[0]\nb` c', '0'],
    ['code in a list', '- ```\n  arr[0]\n  ```', '0'],
    ['a formula', '$x[i]$', 'i'],
    ['a link with a title', 'a [docs](https://a.b "t") b', 'docs'],
    ['a link with space around its URL', '[docs]( https://a.b\n)', 'docs'],
    ['a link with parentheses in its URL', '[wiki](https://en.wikipedia.org/wiki/A_(b))', 'wiki'],
    ['a task', '- [x] done', 'x'],
    ['HTML', '<pre>\narr[0]\n</pre>', '0'],
    ['a table', '| a |\n|---|\n| `arr[0]` |', '0'],
  ])('are not brackets in or of %s', (_, before, name) => {
    const text = `${before}\n\n[${name}]: https://x.y\n\nSee [${name}].\n`
    const { tree, diagnostics } = fromMarkdown(text)
    const outcome = read([...text])
    expect(outcome.blocks).toEqual(tree.children)
    expect(write(outcome.blocks)).toMatch(`See [${name}](https://x.y).`)
    expect(outcome.diagnostics.toSorted(byOffset)).toEqual(diagnostics)
  })

  test('in a long list use all definitions in it', () => {
    const items = '- A few words that are no reference.\n'.repeat(40)
    const text = `- [a]\n${items}- b\n\n  [a]: https://c.d\n\ne\n`
    const { tree, diagnostics } = fromMarkdown(text)
    const outcome = read([...text])
    expect(write(outcome.blocks)).toContain('[a](https://c.d)')
    expect(outcome.blocks).toEqual(tree.children)
    expect(outcome.diagnostics.toSorted(byOffset)).toEqual(diagnostics)
  })
})

test('push returns a block as soon as nothing can change it', () => {
  const stream = createMarkdownStream()
  const settled = (chunk: string): string => write(stream.push(chunk))
  expect(settled('# a\nb')).toBe('# a')
  expect(settled('\n\n- c\n')).toBe('b')
  expect(settled('- d\n\n')).toBe('')
  expect(settled('e\n')).toBe('* c\n* d')
  expect(settled('===\n')).toBe('# e')
  expect(settled('```js\n\nf\n')).toBe('')
  expect(settled('```\n')).toBe('```js\n\nf\n```')
  expect(write(stream.finish())).toBe('')
})

test('a push throws if its chunk is not a string, or after the end', () => {
  const stream = createMarkdownStream()
  expect(() => stream.push(7 as never)).toThrow(new TypeError('push: expected a string, received 7'))
  stream.push('a')
  expect(write(stream.finish())).toBe('a')
  expect(stream.finish()).toEqual([])
  expect(() => stream.push('b')).toThrow('push: the stream is finished')
})

test('reading tail and diagnostics does not change a stream', () => {
  const text = '[a]: https://b.c\n\n| [a] | [d] |\n|---|---|\n| [^1] | e |\n\n[^1]: f\n\n- [ ] g\n  - h [a]\n\ni'
  expect(read([...text], {}, true)).toEqual(read([...text]))
  expect(toText(createMarkdownStream().tail)).toBe('')
})

test.each([
  [
    '| x | y | z |',
    '|---|---|---|',
    '| 1 |  | [a](https://b.c) |',
    '| 2 |  | d |',
    '| 3 | e |  |',
    '| 4 | f | g |  | h |',
  ],
  // Lines of one paragraph.
  ['> **a', '> b** c', '> *d* [e](https://f.g) `h`', '> | **i**  ', '> j\\', '> $k^2$', '> > l'],
  ['- [x] *a*', '  b **c**', '', '  d', '  - e'],
  // The start of the next line decides whether a line is closed.
  ['> > \\', '> > a'],
  ['[a]', '> - '],
  // A space that is not ASCII is hidden until its line ends.
  ['> - *a* \u3000', '> - b *c* and words', '> - d'],
  ['> - b', '> | *c* | d |', '> | --- |', '> | *e*'],
  // A definition in an item that has ended.
  ['- [^a]: b', '- c[^a] d', '- e[^a] f'],
  // An item gets an empty line after its first blocks.
  ['> - [x] > > a', '>   > > ---', '>   > > 2) b', '>   ', '>   c'],
])('the tail of %j and its next lines does not depend on earlier reads of it', (...lines) => {
  const text = lines.join('\n')
  const stream = createMarkdownStream()
  for (const [index, char] of [...text].entries()) {
    stream.push(char)
    const fresh = createMarkdownStream()
    fresh.push(text.slice(0, index + 1))
    expect(stream.tail, text.slice(0, index + 1)).toEqual(fresh.tail)
  }
})

test('backticks without a partner before the unfinished text are text in the tail', () => {
  const tails = ['a ````\n- |*b', '| a``b|*'].map((text) => {
    const stream = createMarkdownStream()
    stream.push(text)
    return toText(stream.tail)
  })
  expect(tails).toEqual(['a ````\n\n•\n\nb\n-', 'a``b |\n-----+--'])
})
