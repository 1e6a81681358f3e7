/** Streams: what the rest of a message looks like while it is typed, and what a push costs. */

import { describe, expect, test } from 'vitest'
import { type Block, createStream, parse, toHtml, toText } from '../src/index.js'
import { readChapters } from './fixtures/chapter.js'
import { readFamily } from './fixtures/growth.js'
import { leastTimeOf } from './timing.js'

/** The text so far, and the HTML of the tail. */
const tails: Readonly<Record<string, readonly (readonly [source: string, html: string])[]>> = {
  'a delimiter that waits for its partner formats the text after it': [
    ['All **te', '<p>All <strong>te</strong></p>'],
    ['a *b **c', '<p>a <em>b <strong>c</strong></em></p>'],
    ['_un', '<p><u>un</u></p>'],
    ['x -st', '<p>x <del>st</del></p>'],
    ['un**believ', '<p>un<strong>believ</strong></p>'],
    ['中*中**中', '<p>中<em>中<strong>中</strong></em></p>'],
    ['**bold\nmore _x', '<p><strong>bold<br>\nmore <u>x</u></strong></p>'],
    ['* a **b', '<ul>\n<li>a <strong>b</strong></li>\n</ul>'],
    ['# **Ti', '<h1><strong>Ti</strong></h1>'],
    ['**a (', '<p><strong>a (</strong></p>'],
    ['_a:', '<p><u>a:</u></p>'],
    [
      '-https://a.b/c_',
      '<p><del><a href="https://a.b/c_" rel="nofollow noopener noreferrer">https://a.b/c_</a></del></p>',
    ],
  ],
  'half of a marker does not show': [
    ['All **', '<p>All</p>'],
    ['All **b*', '<p>All <strong>b</strong></p>'],
    ['**_a_*', '<p><strong><u>a</u></strong></p>'],
    ['a *', '<p>a</p>'],
    ['a -', '<p>a</p>'],
    ['a\\', '<p>a</p>'],
    ['a\\*', '<p>a*</p>'],
    ['a\\\\*', '<p>a\\</p>'],
    ['\u2063\\', ''],
    ['[[', ''],
  ],
  'characters that are not delimiters show': [
    ['well-', '<p>well-</p>'],
    ['snake_', '<p>snake_</p>'],
    ['--', '<p>--</p>'],
    ['**a_b', '<p><strong>a_b</strong></p>'],
    ['a < b', '<p>a &lt; b</p>'],
    ['List<@NonNull> x', '<p>List&lt;@NonNull> x</p>'],
    ['[1] x', '<p>[1] x</p>'],
    ['handlers[event](payload)', '<p>handlers[event](payload)</p>'],
    ['5 * 3', '<p>5 * 3</p>'],
    ['**a */b', '<p>**a */b</p>'],
    ['https://a.b/c_', '<p><a href="https://a.b/c_" rel="nofollow noopener noreferrer">https://a.b/c_</a></p>'],
    ['http://a*', '<p><a href="http://a*" rel="nofollow noopener noreferrer">http://a*</a></p>'],
  ],
  'forced formatting starts at its opener, and no half of an opener is visible': [
    ['un\u2063', '<p>un</p>'],
    ['un\u2063*', '<p>un</p>'],
    ['un\u2063**', '<p>un</p>'],
    ['un\u2063** ', '<p>un</p>'],
    ['un\u2063**believ', '<p>un<strong>believ</strong></p>'],
    ['un\u2063**believ*', '<p>un<strong>believ</strong></p>'],
    ['un\u2063**believ**', '<p>un<strong>believ</strong></p>'],
    ['un\u2063_believ_', '<p>un<u>believ</u></p>'],
    ['un\u2063**believ**\u2063', '<p>un<strong>believ</strong></p>'],
    ['un\u2063**believ**\u2063able', '<p>un<strong>believ</strong>able</p>'],
    ['\u2063-「a」\nb', '<p><del>「a」<br>\nb</del></p>'],
    ['\u2063**a\u2063_b', '<p><strong>a<u>b</u></strong></p>'],
    ['*a \u2063**b *c', '<p><em>a <strong>b c</strong></em></p>'],
    ['**\u2063_', ''],
    ['\u2063*<@1', ''],
    ['\u2063*`co', '<p><em><code>co</code></em></p>'],
    ['[the \u2063**lo', '<p>the <strong>lo</strong></p>'],
    ['\u2063**the [lo', '<p><strong>the lo</strong></p>'],
    ['[the \u2063**lo**\u2063](htt', '<p>the <strong>lo</strong></p>'],
    ['# \u2063**Ti', '<h1><strong>Ti</strong></h1>'],
    [
      'https://a.b/\u2063_c_',
      '<p><a href="https://a.b/" rel="nofollow noopener noreferrer">https://a.b/</a><u>c</u></p>',
    ],
  ],
  'a separator that can open nothing any more is text': [
    ['a\u2063b', '<p>a\u2063b</p>'],
    ['a\u2063 ', '<p>a\u2063</p>'],
    ['* \u2063**a\n', '<ul>\n<li>\u2063**a</li>\n</ul>'],
    ['[\u2063**a](xx:b) c', '<p>\u2063**a c</p>'],
    ['\\\\\u2063*', '<p>\\</p>'],
    ['a\\\u2063', '<p>a\u2063</p>'],
  ],
  'a code span is one from its first backtick on': [
    ['a `', '<p>a</p>'],
    ['a `co', '<p>a <code>co</code></p>'],
    ['a ``c`', '<p>a <code>c</code></p>'],
    ['a `c```', '<p>a <code>c``` </code></p>'],
    ['a `c\nd', '<p>a <code>c d</code></p>'],
    ['x **a `<@1', '<p>x <strong>a <code>&lt;@1</code></strong></p>'],
  ],
  'a mention shows when it is whole': [
    ['hi <', '<p>hi</p>'],
    ['hi <@12', '<p>hi</p>'],
    ['hi <@ann|An', '<p>hi</p>'],
    ['hi <@ann|Ann ', '<p>hi</p>'],
    ['hi <@ann|Ann\n', '<p>hi &lt;@ann|Ann</p>'],
    ['hi <@12 ', '<p>hi &lt;@12</p>'],
    ['hi **<@ann|An', '<p>hi</p>'],
    ['hi <@1>', '<p>hi <span class="mention" data-user-id="1">@1</span></p>'],
  ],
  'of a named link the label shows, and the link as soon as there is a url': [
    ['see [the lo', '<p>see the lo</p>'],
    ['see [the **lo', '<p>see the <strong>lo</strong></p>'],
    ['see****the[lo](xx:b)**`g', '<p>see<strong>thelo<code>g</code></strong></p>'],
    ['see[_the `lo', '<p>see<u>the <code>lo</code></u></p>'],
    ['_see[*the', '<p><u>see<em>the</em></u></p>'],
    ['*see [a more* lo', '<p><em>see a more* lo</em></p>'],
    ['see [the log]', '<p>see the log</p>'],
    ['see [the log](', '<p>see the log</p>'],
    ['[http://a](', '<p>http://a</p>'],
    ['see [the log](htt', '<p>see the log</p>'],
    [
      'see [the log](http://a.b/(c',
      '<p>see <a href="http://a.b/(c)" rel="nofollow noopener noreferrer">the log</a></p>',
    ],
    ['**a [b](http://x', '<p><strong>a <a href="http://x" rel="nofollow noopener noreferrer">b</a></strong></p>'],
    ['[# x', '<p># x</p>'],
  ],
  'the start of a line shows when it is known what it starts': [
    ['#', ''],
    ['# ', ''],
    ['* ', ''],
    ['* *', ''],
    ['* * ', ''],
    ['text\n##', '<p>text</p>'],
    ['* a\n*', '<ul>\n<li>a</li>\n</ul>'],
    ['<!12|a.pd', ''],
    ['<!12|a>', '<div class="file" data-file-id="12">a</div>'],
    ['<!12|a>**', '<p>&lt;!12|a>**</p>'],
    ['``', ''],
    ['```', '<pre><code></code></pre>'],
    ['```js\nx\n``', '<pre><code class="language-js">x\n</code></pre>'],
  ],
  'a heading and an item end with their line': [
    ['* b **c\n', '<ul>\n<li>b **c</li>\n</ul>'],
    ['* b **c\n  ', '<ul>\n<li>b **c</li>\n</ul>'],
    ['text **x\n# a', '<p>text **x</p>\n<h1>a</h1>'],
  ],
}

describe('the tail', () => {
  for (const [name, rows] of Object.entries(tails)) {
    test(name, () => {
      const shown = rows.map(([source]) => [source, htmlOfTail(source)])
      expect(shown).toEqual(rows)
    })
  }

  test('shows no delimiter if all delimiters of the message are markup, wherever it is cut off', () => {
    const message =
      '# All **good _now_** here\n\nSee [the *whole* log](https://ci.test/b) by <@7|Ann>, `code`, **bold *both***\nand -gone- **next\nline** [x](xx:b)\n' +
      '* one **two**\n* `three` <@8>\n\n```js\nconst x\n```\n\n<!9|a.png>\n\n*a* _b_ ``c``'
    for (let length = 0; length <= message.length; length += 1) {
      const stream = createStream()
      stream.push(message.slice(0, length))
      const urls = / \(https?:[^ ]*\)| \(xx:b?\)|\[file: a.png\]/g
      expect(toText(stream.tail).replace(urls, ''), message.slice(0, length)).not.toMatch(/[*_\-[\]<`#()]/)
    }
  })

  test('has the positions of the whole text', () => {
    const stream = createStream()
    stream.push('# a\r\n\r\n  b\r\nsee [x **y')
    expect(stream.tail.position).toEqual({ start: point(3, 1, 7), end: point(4, 11, 22) })
    const [paragraph] = stream.tail.children
    expect(paragraph?.position).toEqual({ start: point(3, 3, 9), end: point(4, 11, 22) })
    const strong = paragraph?.type === 'paragraph' ? paragraph.children.at(-1) : undefined
    expect([strong?.type, strong?.position]).toEqual(['strong', { start: point(4, 8, 19), end: point(4, 11, 22) }])
  })

  function point(line: number, column: number, offset: number): object {
    return { line, column, offset }
  }
})

function htmlOfTail(source: string): string {
  const stream = createStream()
  stream.push(source)
  return toHtml(stream.tail)
}

describe('blocks', () => {
  test('settle with the line that ends them', () => {
    const stream = createStream()
    const types = (blocks: readonly Block[]) => blocks.map(({ type }) => type)
    expect(types(stream.push('# a'))).toEqual([])
    expect(types(stream.push('\n* b\n* c\n'))).toEqual(['heading'])
    expect(types(stream.push('d\n'))).toEqual(['list'])
    expect(types(stream.push('e\n\r'))).toEqual(['paragraph'])
    expect(types(stream.push('```\nf\n\n# g\n``'))).toEqual([])
    expect(types(stream.push('`\r\n<!1|>\n'))).toEqual(['code', 'file'])
    expect(types(stream.push('h'))).toEqual([])
    expect(types(stream.finish())).toEqual(['paragraph'])
    expect(stream.tail.children).toEqual([])
  })

  test('have the positions of the whole text, wherever a chunk is cut, with empty chunks too', () => {
    const stream = createStream()
    const blocks = ['# a\r', '', '\n# b\n', ''].flatMap((chunk) => stream.push(chunk))
    expect([...blocks, ...stream.finish()]).toEqual(parse('# a\r\n# b\n').children)
    const end = { line: 3, column: 1, offset: 9 }
    expect(stream.tail).toEqual({ type: 'root', children: [], position: { start: end, end } })
  })

  test('contain a forced opener as text if it is not closed', () => {
    const stream = createStream()
    stream.push('\u2063**a')
    expect(toHtml(stream.tail)).toBe('<p><strong>a</strong></p>')
    expect(toHtml({ type: 'root', children: stream.push('\n\nb**\u2063') })).toBe('<p>\u2063**a</p>')
  })

  test('come from strings only, and not after the end', () => {
    const stream = createStream()
    // @ts-expect-error a chunk is a string
    expect(() => stream.push(new Uint8Array(1))).toThrow(new TypeError('push: expected a string, received object'))
    expect(stream.finish()).toEqual([])
    expect(stream.finish()).toEqual([])
    expect(() => stream.push('')).toThrow('finished')
  })
})

/** Texts of `count` pieces, one for each kind of long block. */
const long: Readonly<Record<string, (count: number) => string>> = {
  'one line': (count) => 'some **words** and '.repeat(count),
  'a paragraph': (count) => 'some **words** and\n'.repeat(count),
  'a list': (count) => '* some **words** and\n'.repeat(count),
  'fenced code': (count) => `\`\`\`\n${'some words and\n'.repeat(count)}`,
  paragraphs: (count) => 'some **words** and\n\n'.repeat(count),
  'blank lines': (count) => '\r\n \r\n\t\r'.repeat(count),
}

describe('in four characters at a time', () => {
  for (const [name, build] of Object.entries(long)) {
    test(`${name}: takes far less time than if each push parsed the open block`, () => {
      const source = build(5000)
      // If each push parsed the open block, this would take half a minute.
      expect(leastTimeOf(() => pushAll(source), { enough: 2000 })).toBeLessThan(2000)
    })
  }
})

function pushAll(source: string): void {
  const stream = createStream()
  let count = 0
  for (let at = 0; at < source.length; at += 4) count += stream.push(source.slice(at, at + 4)).length
  expect(count + stream.finish().length).toBe(parse(source, { position: false }).children.length)
}

test('the tail of the worst cases takes linear time', () => {
  const slow: string[] = []
  for (const { name, parts } of readChapters().flatMap(({ examples }) => examples)) {
    const growth = parts.find((part) => part.name === 'growth')
    if (growth === undefined) continue
    const family = readFamily(growth.lines.join(''))
    const source = family(Math.ceil(2 ** 12 / (family(3).length - family(2).length)))
    const time = leastTimeOf(
      () => {
        const stream = createStream()
        stream.push(source)
        expect(stream.tail.type).toBe('root')
      },
      { enough: 1500 },
    )
    if (time > 1500) slow.push(name)
  }
  expect(slow).toEqual([])
})
