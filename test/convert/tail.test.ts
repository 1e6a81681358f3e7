/** The visible part of Markdown that is still being written. */

import { describe, expect, test } from 'vitest'
import { hasMarker, textOf } from '../../bench/markers.js'
import { makeOutputs } from '../../bench/outputs.js'
import { createRandom } from '../../bench/random.js'
import { createMarkdownStream, fromMarkdown } from '../../src/convert/index.js'
import { assertTree, type Block, normalize, stringify } from '../../src/index.js'
import { isLong, partOf } from '../amount.js'
import { property } from '../properties/property.js'
import { commonMark } from './common-mark.js'
import { installedReadmes, lines } from './markdown.js'

function tailOf(text: string): string {
  const stream = createMarkdownStream({ mentions: ['7'] })
  stream.push(text)
  return stringify(stream.tail)
}

describe('the tail is parsed as if the author had closed everything that is open', () => {
  test.each([
    // Emphasis
    ['a **b', 'a **b**'],
    ['a **b *c', 'a **b *c***'],
    ['a **b*', 'a **b**'],
    ['a **', 'a'],
    ['a ***b', 'a ***b***'],
    ['a ***b*', 'a ***b***'],
    ['_a', '*a*'],
    ['~~a', '-a-'],
    ['~~a~', '-a-'],
    ['~a', '~a'],
    ['~90 ms and ~15', '~90 ms and ~15'],
    ['~a ~b', '~a ~b'],
    ['~~a ~b', '-a ~b-'],
    ['~a ~~b', '~a -b-'],
    ['2 * 3', '2 * 3'],
    ['snake_case', 'snake_case'],
    ['**a:**b', '**a:**b'],
    ['**注意：**正', '**注意：**正'],
    ['a **b\nc', 'a **b c**'],
    ['*a ~b*', '*a ~b*'],
    // A run that closes formatting is not hidden.
    ['a**b**', 'a**b**'],
    ['2**a**', '2**a**'],
    ['a~~b~~', 'a\u2063-b-\u2063'],
    ['*_a*', '*_a*'],
    ['**a __b**', '**a __b**'],
    ['a **b **', 'a **b**'],
    ['a ~~~b', 'a ~~~b'],
    ['a\\\n**', 'a'],
    ['🚀_a', '🚀_a'],
    ['-_-, ^_^ a ^_', '-_-, ^_^ a ^'],
    // What may stay text
    ['cd ~/projects and', 'cd ~/projects and'],
    ['x**2 + 1 is', 'x**2 + 1 is'],
    ['area = a*b and', 'area = a*b and'],
    ['costs $350–$', 'costs $350–'],
    ['- [Your name', '* [Your name'],
    ['> a\n>\n>= 2', '> a\n>\n> = 2'],
    ['\\begin{align}\na &= b \\', '```math\n\\begin{align}\na &= b\n\\end{align}\n```'],
    // What has ended
    ['> [!NOTE]\n> a\n---\n\n*b [c\n\nd', 'd'],
    ['a *b\n| x | y', 'a *b\n\n```\nx | y\n--+--\n```'],
    // What only the rest of its line may complete stays after a line ending.
    ['see arr[0]\n', 'see arr[0]'],
    ['[Your Name]\n[Your Address]\n', '[Your Name] [Your Address]'],
    ['> [!WARNING]\n', '> **Warning**'],
    ['a *\n', 'a *'],
    ['- a **\n-', '* a **'],
    ['a_\n', 'a_'],
    ['a ~~\n', 'a ~~'],
    ['a !\n', 'a !'],
    ['a &\n', 'a &'],
    ['a $5$\n', 'a `5`'],
    ['| a |\n|---|\n| b *\n', '```\na\n---\nb *\n```'],
    ['a [b](\n', 'a b'],
    ['a [b][\n', 'a b'],
    ['a *b\n', 'a *b*'],
    // Code
    ['a `b', 'a `b`'],
    ['a `', 'a'],
    ['a ``b`', 'a `b`'],
    ['`a` `b*c', '`a` `b*c`'],
    // Links and images
    ['a [', 'a'],
    ['a [b', 'a b'],
    ['a [**b', 'a **b**'],
    ['a [b]', 'a b'],
    ['a [b](', 'a b'],
    ['a [b](https://c', 'a b'],
    ['a [b](https://c.d "e', 'a b'],
    ['a [b](https://c.d)', 'a [b](https://c.d)'],
    ['a [b] c', 'a [b] c'],
    ['a] b', 'a] b'],
    ['a [b](https://c d', 'a [b](https://c d'],
    ['a [b](https://c (d', 'a b'],
    ['a [b](https://c\\_d', 'a b'],
    ['a [b](<https://c', 'a b'],
    ['a [b](<https://c.d>', 'a b'],
    ['a [b](<c\n,', 'a [b](<c ,'],
    ['[![a https://b.c/d](https://e', 'a https://b.c/d'],
    ['[![a https://b.c](https://d.e)](https://f.g) [![h](https://i', '[a https://b.c](https://f.g) h'],
    ['| a | b |\n| --- | --- |\n| [<@1|Ann', '```\na   | b\n----+----\n<@1 | Ann\n```'],
    ['a ![b', 'a b'],
    ['a ![b](https://c', 'a b'],
    ['a !', 'a'],
    ['a!', 'a!'],
    ['a <https://b', 'a'],
    ['https://a.b/c_d', 'https://a.b/c_d'],
    ['[a]: https://b', ''],
    ['[a]: https://b "c', ''],
    ['[a]: https://b\n[c]: https://d', ''],
    ['a\n[b]: https', 'a [b]: https'],
    ['[^', ''],
    ['a[^1', 'a'],
    // HTML, mentions, references, escapes
    ['a <', 'a'],
    ['a < b', 'a < b'],
    ['a <b', 'a'],
    ['a <b>c', 'a **c**'],
    ['a <b>*c', 'a \u2063**\u2063*c*\u2063**\u2063'],
    ['a </b> *c', 'a </b> *c*'],
    // What is open in an element ends with it.
    ['<code>__&#96;a</code> b', '``__`a`` b'],
    ['<b>~~a</b> b', '**~~a** b'],
    ['<i>[a</i> b', '*[a* b'],
    ['<code>`a</code> b', '`` `a `` b'],
    ['<b>\\(a</b> b', '**(a** b'],
    ['<kbd>a</kbd> **b <kbd>c</kbd>', '`a` **b `c`**'],
    ['**Use `</div>` to close', '**Use `</div>` to close**'],
    ['*a </i> b', '*a </i> b*'],
    ['[x </b> y', 'x </b> y'],
    // A bracket before a link is text, because no link contains a link.
    ['[a [b](https://c.d) e', '[a [b](https://c.d) e'],
    ['[[1](https://c.d)]', '[[1](https://c.d)]'],
    ['**a \\</b> c', '**a </b> c**'],
    ['`<b>` **a `</b>` c', '`<b>` **a `</b>` c**'],
    ['- a\n  - <b>', '* a'],
    ['- a\n  - <b>c', '• a\n\u2003\u2003◦ **c**'],
    ['3rd then <span class="a b">limit folder', '3rd then limit folder'],
    ['- a <span class="b">c</span> <small>d', '* a c d'],
    ['> a <font color="red">b <i>c', '> a b *c*'],
    ['| a |\n|---|\n| b <mark>c', '```\na\n---\nb c\n```'],
    ['a <div>b', 'a\nb'],
    ['- a <div> b', '* a b'],
    ['- a <br> b', '• a\n\u2003\u2003b'],
    ['<p>\na <span class="b">c', 'a c'],
    ['a <a href="https://b.c', 'a'],
    ['a <!-- b > c', 'a'],
    ['a <@7|An', 'a'],
    ['a <@7|Ann>', 'a <@7|Ann>'],
    ['a &am', 'a'],
    ['a &amp;', 'a &'],
    ['a \\', 'a'],
    ['a\\\n', 'a'],
    ['<details>\n<summary>a', '**a**'],
    ['<p align="cen', ''],
    ['<!-- a -->', ''],
    ['<p>\na < b', '```html\n<p>\na < b\n```'],
    ['<p>\n<b>a</b> <i>c', '**a** *c*'],
    ['<p>\na</b> <i>c', 'a</b> *c*'],
    // Blocks
    ['#', ''],
    ['# a #', '# a'],
    ['# `a b: ', '# `a b:`'],
    ['a\n=', 'a'],
    ['a\n--', 'a'],
    ['-', ''],
    ['- ', ''],
    ['- [', ''],
    ['- [x]', ''],
    ['- [x] a', '* ☑ a'],
    ['- a\n-', '* a'],
    ['- a\n  - ', '* a'],
    ['1', ''],
    ['1.', ''],
    ['1. a', '1. a'],
    ['> ', ''],
    ['> a\n>', '> a'],
    ['> - **a', '> • **a**'],
    ['``', ''],
    ['```j', ''],
    ['```js\n', '```js\n```'],
    ['```js\na\n``', '```js\na\n```'],
    ['```js\na\nb', '```js\na\nb\n```'],
    ['- ```\n  a\n  `', '•\n\n```\na\n```'],
    ['    a', '```\na\n```'],
    ['* *', ''],
    // Tables
    ['|', ''],
    ['| a', '```\na\n-\n```'],
    ['| a | **b', '```\na | b\n--+--\n```'],
    ['| a \\| **b', '```\na | b\n-----\n```'],
    ['| a | b |\n|--', '```\na | b\n--+--\n```'],
    ['a | b\n--|', '```\na | b\n--+--\n```'],
    ['| a |\n|---|\n| [b](htt', '```\na\n-\nb\n```'],
    ['- a\n\n  ```\n  | b | c |\n  ```', '• a\n\n```\n| b | c |\n```'],
    ['- a\n\n  ```\n  | b | c |\n  ```\n', '• a\n\n```\n| b | c |\n```'],
    ['- ```\n  | b | c |', '•\n\n```\n| b | c |\n```'],
    ['- a\n\n  | b | c |', '• a\n\n```\nb | c\n--+--\n```'],
    ['c\n| a |', 'c\n\n```\na\n-\n```'],
    ['> | x | y |', '```\nx | y\n--+--\n```'],
    ['> a\n>\n> | x | y |\n', '> a\n\n```\nx | y\n--+--\n```'],
    ['> - | x |', '> •\n\n```\nx\n-\n```'],
    ['- > | x |', '•\n\n```\nx\n-\n```'],
    // Math
    ['$', ''],
    ['$$', ''],
    ['$$\n', ''],
    ['$$\nx^2', '```math\nx^2\n```'],
    ['$$\nx^2\n$', '```math\nx^2\n```'],
    ['$$\nx \\\\\n y', '```math\nx \\\\\n y\n```'],
    ['\\[', ''],
    ['\\[ x', '```math\nx\n```'],
    ['a\n\\[\nx\n\\', '```math\nx\n```'],
    ['$$x$$', '```math\nx\n```'],
    ['\\begin{a}\nb\n\\end{a}', '```math\n\\begin{a}\nb\n\\end{a}\n```'],
    ['$$ x\n```\na\n\n*b', '$$ x\n\n```\na\n\n*b\n```'],
    ['a $x^2', 'a `x^2`'],
    ['a $5 or $', 'a $5 or $'],
    ['a $5', 'a $5'],
    ['a $$', 'a'],
    ['a $$x$', 'a `x`'],
    ['a \\(', 'a'],
    ['a \\(x*y\\', 'a `x*y`'],
    ['a \\[b', 'a [b'],
    ['a \\( \\) b', 'a ( ) b'],
    // Tags of models
    ['<thi', ''],
    ['<think>\na **b', 'a **b**'],
    ['> [!NO', ''],
    ['> [!NOTE]', ''],
    ['> [!NOTE]\n> a', '> **Note**\n> a'],
    // Half of a surrogate pair
    ['a \uD83D', 'a'],
    ['', ''],
    ['\n\n', ''],
  ])('%j', (text, expected) => expect(tailOf(text)).toBe(expected))

  test('except a text over a limit, which is shown as typed', () => {
    const text = `**a ${'[ '.repeat(2_000)}b`
    expect(tailOf(text)).toBe(text)
  })

  test.each([
    ['a\n\n<thi', '', ''],
    ['<think>\n**a', '', '> **a**'],
    ['<think>\na\n</thi', '', '> a'],
    ['<think>a</think> b', 'b', '> a\n\nb'],
    ['<think>\na\n\n- b\n</think>\n\n*c', '*c*', '*c*'],
  ])('%j with a tag that is left out, or quoted', (text, dropped, quoted) => {
    for (const [use, expected] of [
      ['drop', dropped],
      ['quote', quoted],
    ] as const) {
      const stream = createMarkdownStream({ tags: { think: use } })
      for (const character of text) stream.push(character)
      expect(stringify(stream.tail), use).toBe(expected)
    }
  })

  test('with any blocks before it', () => {
    const stream = createMarkdownStream()
    stream.push('[a]: https://b.c\n\n> [^1]: d\n\ne [a] **f')
    expect(stringify(stream.tail)).toBe('e [a](https://b.c) **f**')
  })
})

const outputs = makeOutputs(isLong ? 4 : 2)

test('no prefix of an output shows a delimiter, a delimiter row, half a link or half a tag', () => {
  const raw: string[] = []
  for (const output of outputs) {
    expect(hasMarker(textOf(fromMarkdown(output).tree.children))).toBe(false)
    const stream = createMarkdownStream()
    for (let at = 0; at < output.length; at += 3) {
      stream.push(output.slice(at, at + 3))
      const shown = textOf(stream.tail.children)
      if (hasMarker(shown)) raw.push(`${output.slice(Math.max(0, at - 30), at + 3)} → ${shown.slice(-30)}`)
    }
  }
  expect(raw).toEqual([])
})

test('a README file, cut anywhere, shows no more delimiters than after its next blocks have ended', () => {
  const signsOf = (blocks: readonly Block[]): Map<string, number> => {
    const signs = new Map<string, number>()
    for (const [sign] of textOf(blocks).matchAll(/[*_~`|[\]<>#\\]/g)) signs.set(sign, (signs.get(sign) ?? 0) + 1)
    return signs
  }
  const random = createRandom(1)
  const raw: string[] = []
  for (const { path, text } of partOf(installedReadmes(100_000), 20)) {
    for (let cut = 0; cut < 2; cut += 1) {
      const end = 1 + random(Math.min(text.length, 10_000) - 1)
      const stream = createMarkdownStream()
      const settled = stream.push(text.slice(0, end))
      const shown = signsOf([...settled, ...stream.tail.children])
      const next = text.split('\n\n', text.slice(0, end).split('\n\n').length + 2).join('\n\n')
      settled.push(...stream.push(next.slice(end)), ...stream.finish())
      const ended = signsOf(settled)
      const more = [...shown].filter(([sign, count]) => count > (ended.get(sign) ?? 0))
      if (more.length > 0) raw.push(`${path}, ${end}: ${more}`)
    }
  }
  expect(raw).toEqual([])
})

test('at the end of a line, the tail shows all of the output', () => {
  const letters = (blocks: readonly Block[]): string => textOf(blocks).replace(/[^\p{L}\p{N}]/gu, '')
  for (const output of outputs) {
    const stream = createMarkdownStream()
    const settled: Block[] = []
    let text = ''
    for (const line of output.split(/(?<=\n)/)) {
      text += line
      settled.push(...stream.push(line))
      // Excluded: a link text that continues in the next line, and unfinished fences and HTML, which may be shown or hidden.
      if (/\]\([^)]*$|<[^>]*$/.test(text)) continue
      expect(letters([...settled, ...stream.tail.children]), text).toBe(letters(fromMarkdown(text).tree.children))
    }
  }
})

property(
  'the tail of any text is a tree that can be written',
  commonMark.map((text) => ({ sources: [text] as const })),
  ({ sources: [text] }) => {
    const stream = createMarkdownStream()
    for (let at = 0; at < text.length; at += 7) {
      stream.push(text.slice(at, at + 7))
      const { tail } = stream
      assertTree(tail)
      expect(normalize(tail).tree).toEqual(tail)
    }
  },
  { cost: 2_000 },
)

property(
  'the tail of lines of all kinds is a tree',
  lines.map((text) => ({ sources: [text] as const })),
  ({ sources: [text] }) => {
    const stream = createMarkdownStream()
    for (const character of text) {
      stream.push(character)
      assertTree(stream.tail)
    }
  },
  { cost: 200 },
)
