/** The output of stringify and the changes of normalize (§8); their properties are in `properties/writing.test.ts`. */

import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { corpusNames, makeCorpus } from '../bench/corpora.js'
import { anySource } from '../src/arbitraries/index.js'
import {
  type Block,
  br,
  code,
  emphasis,
  inlineCode,
  link,
  normalize,
  type Phrasing,
  parse,
  type Root,
  root,
  strike,
  stringify,
  strong,
  text,
  toText,
  underline,
} from '../src/index.js'
import { readChapters } from './fixtures/chapter.js'
import { expectToBeFast, leastTimeOf } from './timing.js'

/** Returns a paragraph of any nodes, also of those that the builders reject. */
function tree(...children: Phrasing[]): Root {
  return { type: 'root', children: [{ type: 'paragraph', children }] }
}

/** Counts the backslashes of a parsed and serialized source, and lists those that can be removed without a change. */
function countBackslashes(source: string): { count: number; free: string[] } {
  const tree = parse(source, { position: false })
  const written = stringify(tree)
  let count = 0
  const free: string[] = []
  for (let at = written.indexOf('\\'); at >= 0; at = written.indexOf('\\', at + 1)) {
    count += 1
    const without = written.slice(0, at) + written.slice(at + 1)
    if (isDeepStrictEqual(parse(without, { position: false }), tree)) free.push(`${written} at ${at}`)
  }
  return { count, free }
}

describe('stringify writes', () => {
  /** The text of each parsed tree; if the same tree has another source, that source too. */
  const written: [name: string, source: string, other?: string][] = [
    ['names as they are', 'snake_case, well-known, 5*3, 2026-11-20, #1'],
    ['delimiters between spaces, and in words of any script', 'a * b - c -- d, x < 5, кто-то, peut-être'],
    ['delimiters that open and meet none that closes', 'the flag is --log, not -j :-) **Zoë:** *.ts (_cache *b'],
    ['a delimiter that would close', 'an \\-a b- or **c**'],
    ['one that would close the formatting around it', '-x\\-: a- b'],
    ['one that would end a bare link', '(\\_b http://c/d_'],
    ['what would be a mention', '<**a** \\<@1> <'],
    ['a name in strong', '**Note:** [a b](xx:y)'],
    ['a star that would open', '\\*a*'],
    ['a backslash in text', 'C:\\Users \\d+ ¯\\_(ツ)_/¯'],
    ['a backslash before a star', '\\\\\\*a*'],
    ['a backslash before markup', '\\\\`a`'],
    ['what would begin a block', '\\# a\n\\* b\n\\```c'],
    ['a star that would not be an item', '* \\*\n* \\* a'],
    ['a file as text', '\\<!1|x>'],
    ['a mention as text', '\\<@1>'],
    ['a mention with and without a pipe', '<@u1> <@ab|>'],
    ['a link as text', '\\[a](bb:c)'],
    ['a url as text', 'http\\://a'],
    ['a bare link', 'http://a.'],
    ['a bare link that would not end', '[http://a](http://a)b'],
    ['a bare link with an escape in it', '[http://a/<b](http://a/\\<b)', 'http://a/\\<b'],
    ['a bare link with a backslash', '[http://a/\\\\<b](http://a/\\\\\\<b)', 'http://a/\\\\\\<b'],
    ['a bare link that would lose its last dash', '-http://a\\--'],
    ['a bare link that would hold its colon', 'http://a\\:'],
    ['what a marker makes a shrug', '_¯\\\\_(ツ)_/¯'],
    ['pairs of parentheses in a URL', '[d](http://a(b)c)'],
    ['parentheses without a partner', '[d](http://a\\(b\\)c\\))'],
    ['brackets in a label', '[b\\]](http://a)'],
    ['backticks in code', '``` `a` `` ```'],
    ['a fence in code', '````\n```\na\n````'],
    ['blocks', '# a\n\n<!7|b>\n\n```js\nc\n```'],
    ['text after a fence', '```\njs d\nc\n```', '```js d\nc```'],
    ['code that would end at a line of it', '````\na```\nb\n````'],
    ['code between letters', 'a``b``c', 'a``b``c'],
    ['code after a letter', 'a`b`, c`d`'],
    ['code with a space at its end after a letter', 'a``b ``'],
    ['an apostrophe', 'don`t, it`s `a`'],
    ['a keycap', '*\uFE0F\u20E3 *a*'],
    ['an emoticon', '(*´ω｀*)'],
    ['two lists', '* a\n\n* b'],
    [
      'strong that begins where another has ended',
      '\u2063*\u2063**.**\u2063<a>\u2063**<b**\u2063*\u2063',
      '***.**<a>****<b***',
    ],
    [
      'emphasis and strong between punctuation',
      '\u2063*\u2063**.**\u2063「a」\u2063**.**\u2063「a」***:*\u2063*',
      '***.***「a」*****.***「a」****:**',
    ],
    ['emphasis around a link in strong', '\u2063**[\u2063*[a](mailto:b)*\u2063c**\u2063', '**[***[a](mailto:b)***c**'],
    ['formatting in a word', 'un\u2063*believ*\u2063able'],
    ['strong around nothing but emphasis', '\u2063**\u2063*a*\u2063**\u2063'],
    ['punctuation next to a delimiter', '\u2063-a,-\u2063 b'],
    ['brackets in a word', 'a\u2063**(b)**\u2063c'],
    ['nothing but punctuation', 'a \u2063_!_\u2063'],
    ['a break in an underline', '\u2063_a\nb_\u2063'],
    ['code next to code in formatting', '_`a`\u2063_`b`_\u2063_'],
    ['a separator that would close', 'a\u2063-*\\\u2063-\u2063*'],
    ['a separator before a dash', '\u2063-a\\\u2063-\u2063b'],
    ['a separator that is a line', '\u2063-*\n\\\u2063-\u2063*'],
    ['a separator and a break', '\u2063-\u2063\n\\\u2063-\u2063'],
    ['separators in strong, and in a label', '**[\u2063](xy:z)*\u2063_a*b_**'],
    ['a separator of text next to a delimiter of text', '\u2063\\*a*\u2063'],
  ]
  for (const [name, source, other = source] of written) {
    test(name, () => {
      const tree = parse(other, { position: false })
      expect(stringify(tree)).toBe(source)
      expect(parse(source, { position: false })).toEqual(tree)
    })
  }
})

describe('formatting that is difficult to spell is forced', () => {
  const sources: readonly [name: string, source: string][] = [
    ['an emoticon at the end of a deletion', '*-*a:*-*'],
    ['an emoticon, in strong', '**-**h:**-_-::_b)**'],
    ['an emoticon, with an arrow', '*-*b<*-*'],
    ['strong that closes after a colon, in a deletion', '-_-a-**:**-'],
    ['emphasis before a quotation mark, in underline', '_(_a_*"c*_'],
    ['emphasis before a slash, in a deletion', '-*-/a-*-'],
    ['a star before strong that needs three', 'a*****a/***@1***'],
    ['a star after strong', '\u000b**http://a******「a」*c*'],
    ['strong and emphasis that overlap in the source', '**t:****@1*」******b*'],
    ['strong that ends and begins inside itself', 'ß**h!******. a***'],
    ['strong in a word, with white space', 'a****℃.******_ a**h'],
    ['a bare link that a star without a partner ends', '*http://a(**[.](to:)**c\\*'],
    ['a bare link that a less-than sign ends', '**http://a(***<c>***c**'],
    ['a bare link that a dash without a partner ends', '-[a\\](http://c)-:(-<1-'],
    ['bare links in formatting, of which one would lose its last character', '_http://a/(\\*_ -http://a\\_-'],
    ['code between stars that are text', '*http://a(**`b)**a **(***b)***a**'],
    ['a backslash after stars', '**(***b)***b**\\'],
    ['a deletion in which a star is text', '*-***c:*-*'],
    ['a backslash in a url and in code', '*-*a:*-* [x](http://b\\c) `a\\b` <@1|\\a>'],
  ]
  for (const [name, source] of sources) {
    test(name, () => {
      const written = stringify(parse(source))
      expect(parse(written, { position: false })).toEqual(parse(source, { position: false }))
      expect(countBackslashes(source).free).toEqual([])
    })
  }

  const forced: readonly [name: string, nodes: Phrasing[]][] = [
    ['formatting in words', [text('note'), { type: 'underline', children: [text('s')] }]],
    ['formatting of marks', [text(' and '), { type: 'emphasis', children: [text('...')] }]],
    ['marks in formatting of one kind', [{ type: 'emphasis', children: [text('.')] }]],
  ]
  test.each(forced)('%s, in one leaf, takes time in proportion to its length', (_, nodes) => {
    const write = (count: number) => (): unknown =>
      stringify(tree(...Array.from({ length: count }, () => nodes).flat()))
    expectToBeFast(write(8_000), { milliseconds: 1_000, times: 30, ordinary: write(800) })
  })
})

describe('trees that cannot be written unchanged', () => {
  const changed: readonly [name: string, tree: Root, source: string, ruleIds: string[]][] = [
    [
      'one kind in itself',
      tree(strong(text('a '), { type: 'emphasis', children: [strong('b')] })),
      '**a *b***',
      ['nested'],
    ],
    ['two of a kind', tree(strong('a'), strong('b')), '**ab**', ['adjacent']],
    ['a break in an item', { type: 'root', children: [item(text('a'), br(), text('b'))] }, '* a b', ['break']],
    ['an empty text', tree({ type: 'text', value: '' }), '', ['empty', 'empty']],
    ['empty lines', tree(text('a\n\nb')), 'a\nb', ['break', 'space']],
    ['a label with a pipe', tree({ type: 'mention', userID: '1', label: 'a|b' }), '@a|b', ['reference']],
    ['an id with a space', tree({ type: 'mention', userID: '1 2', label: null }), '@1 2', ['reference']],
    [
      'a file whose id has a space',
      { type: 'root', children: [{ type: 'file', fileID: '1 2', label: null }] },
      '[file: 1 2]',
      ['reference'],
    ],
    [
      'a line ending of code other than LF',
      { type: 'root', children: [{ type: 'code', lang: null, meta: null, value: 'a\r\nb\rc' }] },
      '```\na\nb\nc\n```',
      ['break'],
    ],
    [
      'a url with a space',
      tree({ type: 'link', url: 'http://a b', title: null, children: [text('c')] }),
      '[c](http://a%20b)',
      ['encoded'],
    ],
    [
      'a bare url with white space and a control character',
      tree({ type: 'link', url: 'http://a\u3000b\u0007', title: null, children: [text('http://a\u3000b\u0007')] }),
      'http://a%E3%80%80b%07',
      ['encoded', 'encoded'],
    ],
    [
      'a bare url with a space and quotation marks',
      tree({ type: 'link', url: 'http://a?b="c d"', title: null, children: [text('http://a?b="c d"')] }),
      'http://a?b=%22c%20d%22',
      ['encoded', 'encoded'],
    ],
    [
      'a url with a space before its scheme',
      tree({ type: 'link', url: ' http://a', title: null, children: [text('c')] }),
      'c ( http\\://a)',
      ['url'],
    ],
    [
      'a URL that begins with a link',
      tree({ type: 'link', url: '[a](xx:b', title: null, children: [text('c')] }),
      'c (\\[a](xx:b)',
      ['url'],
    ],
    ['white space at the ends of formatting', tree(text('a'), strong(' b ')), 'a **b**', ['outside', 'space']],
    ['a no-break space in formatting', tree(text('a'), underline('\u00a0b')), 'a\u00a0_b_', ['outside']],
    [
      'white space at the ends of formatting in formatting',
      tree(strong(emphasis(' a '), text('b')), text('c')),
      '***a* b**c',
      ['outside', 'outside', 'space'],
    ],
    [
      'breaks at the ends of formatting',
      tree(text('a'), strike(br(), text('b'), br()), text('c')),
      'a\n-b-\nc',
      ['outside'],
    ],
    [
      'formatting of white space',
      tree(text('a'), strong(text(' '), emphasis('\t')), text('b')),
      'a \tb',
      ['empty', 'empty'],
    ],
    ['white space between strong and strong', tree(strong('a '), strong(' b')), '**a**  **b**', ['outside', 'outside']],
    [
      'spaces next to a break in formatting',
      tree(strong(text('a '), br(), text(' b'))),
      '**a\nb**',
      ['space', 'space'],
    ],
    ['an empty line in formatting', tree(strong(text('a'), br(), br(), text('b'))), '**a\nb**', ['space']],
    ['neighboring code', tree(inlineCode('a'), inlineCode('b')), '`ab`', ['adjacent']],
    [
      'an info string with a backtick',
      { type: 'root', children: [{ type: 'code', lang: 'a`', meta: null, value: '' }] },
      '```a\n```',
      ['info'],
    ],
  ]
  for (const [name, tree, source, ruleIds] of changed) {
    test(name, () => {
      expect(stringify(tree)).toBe(source)
      const { diagnostics } = normalize(tree)
      expect(diagnostics.map(({ ruleId }) => ruleId)).toEqual(ruleIds)
    })
  }

  function item(...children: Phrasing[]): Block {
    const content: Root['children'][number] = { type: 'paragraph', children }
    return {
      type: 'list',
      ordered: false,
      spread: false,
      children: [{ type: 'listItem', spread: false, children: [content] }],
    }
  }

  test('stars that are text stay text, whatever stars code next to code needs', () => {
    const stars = strong(
      text('**'),
      { type: 'emphasis', children: [text('//a'), inlineCode('a')] },
      inlineCode('a'),
      inlineCode('b'),
    )
    expect(toText(stringify(tree(stars)))).toBe('**//aaab')
    expect(toText(stringify(tree(strong(inlineCode('a'), inlineCode('b'), text('**')))))).toBe('ab**')
  })

  test('U+0000 is written as U+FFFD', () => {
    expect(toText(tree(text('a\0b')))).toBe('a\uFFFDb')
    expect(stringify(tree(text('a\0b')))).toBe('a\uFFFDb')
    expect(toText(tree({ type: 'mention', userID: '1', label: 'a\0b' }))).toBe('@a\uFFFDb')
    expect(toText({ type: 'root', children: [{ type: 'file', fileID: '1\0', label: null }] })).toBe('[file: 1\uFFFD]')
    const bare: Phrasing = { type: 'link', url: 'https://a/\0', title: null, children: [text('https://a/\0')] }
    expect(normalize(tree(bare)).diagnostics.map(({ ruleId }) => ruleId)).toEqual(['encoded', 'encoded'])
  })

  test('a bare link needs no name if the formatting around it is forced', () => {
    const link: Phrasing = { type: 'link', url: 'http://a.b/c', title: null, children: [text('http://a.b/c')] }
    expect(stringify(tree(strong(text(']('), link, text(')')), text('"a"aa')))).toBe(
      '\u2063**](http://a.b/c)**\u2063"a"aa',
    )
  })

  test('a link whose text is its URL in pieces is a bare link', () => {
    const links = Array.from({ length: 20_000 }, (): Phrasing => {
      return { type: 'link', url: 'http://a', title: null, children: [text('http://'), text('a')] }
    })
    expect(stringify(tree(...links.flatMap((link) => [link, text(' ')])))).toMatch(/^(?:http:\/\/a ?){20000}$/)
  })

  test('a message names the node by its path', () => {
    const { diagnostics } = normalize(tree(text('a '), strong({ type: 'text', value: ' ' })))
    expect(diagnostics.map(({ path }) => path?.join('/'))).toEqual(['children/0/children/0', 'children/0/children/1'])
  })

  test('strong and emphasis in turn, deep or side by side, take time in proportion to their number', () => {
    const deep = (depth: number, last: number): Phrasing => {
      let node: Phrasing = text('a')
      for (let level = 0; level < depth; level += 1)
        node = { type: level % 2 === last ? 'strong' : 'emphasis', children: [node] }
      return node
    }
    const wide = (count: number): Root => tree(...Array.from({ length: count }, () => strong(emphasis('a'))))
    const thick =
      (last: number) =>
      (count: number): Root =>
        tree(...Array.from({ length: count / 50 }, () => [deep(400, last), text('b')]).flat())
    for (const make of [thick(0), thick(1), wide]) {
      const write = (count: number) => (): unknown => stringify(make(count))
      expectToBeFast(write(8_000), { milliseconds: 1_000, times: 30, ordinary: write(800) })
    }
  })

  test('named links take time in proportion to their number', () => {
    const links = (count: number): Root =>
      tree(...Array.from({ length: count }, () => [text('a '), link('http://a.b/c', text('d'))]).flat())
    const write = (count: number) => (): unknown => stringify(links(count))
    expectToBeFast(write(40_000), { milliseconds: 500, times: 30, ordinary: write(4_000) })
  })

  test('a language that cannot be written takes time in proportion to its length', () => {
    const write = (count: number) => (): unknown => stringify(root(code('a', `c${'#'.repeat(count)} d`)))
    expectToBeFast(write(40_000), { milliseconds: 500, times: 30, ordinary: write(4_000) })
  })

  test('a long chain of delimiters takes time in proportion to its length', () => {
    const chain = (count: number): Root => tree(text(`a_${'_-'.repeat(count)}b`))
    const write = (count: number) => (): unknown => stringify(chain(count))
    expectToBeFast(write(40_000), { milliseconds: 500, times: 30, ordinary: write(4_000) })
  })

  test('a tree may be 500 levels deep', () => {
    let node: Phrasing = text('a')
    for (let depth = 0; depth < 497; depth += 1)
      node = { type: depth % 2 === 0 ? 'strong' : 'emphasis', children: [node] }
    expect(parse(stringify(tree(node)), { position: false })).toEqual(tree(strong(emphasis('a'))))
    expect(normalize(tree(node)).diagnostics.length).toBe(495)
  })
})

describe('no escape can be removed', () => {
  test('from the serialized messages of the fixtures and the benchmark', () => {
    const examples = readChapters().flatMap(({ examples }) => examples.flatMap(({ blocks }) => blocks))
    const messages = corpusNames.flatMap((name) => makeCorpus(name, 0.05).messages)
    const all = [...examples, ...messages].filter(({ length }) => length < 10_000).map(countBackslashes)
    const count = all.reduce((sum, each) => sum + each.count, 0)
    expect(count).toBeGreaterThan(200)
    expect(all.flatMap(({ free }) => free)).toEqual([])
  })

  test('from serialized hostile strings, in 95 of 100 cases', () => {
    let count = 0
    let free = 0
    for (const source of fc.sample(anySource, { numRuns: 5000, seed: 8 })) {
      const counted = countBackslashes(source)
      count += counted.count
      free += counted.free.length
    }
    console.log(`${count} backslashes, ${free} of them can be removed`)
    expect(count).toBeGreaterThan(1000)
    expect(free / count).toBeLessThan(0.05)
  })
})

test('a text that looks like markup is written in linear time', () => {
  const units = ['*_', '*a* ', '_a ', '[', '`', '<@', 'http://a.b/((((', '[a](x:y) ', '**_', '# a\n', '\\*', '-a- *']
  for (const unit of units) {
    const [once, twice] = [10_000, 20_000].map((length) => {
      const tree = parse(unit.repeat(length / unit.length))
      return leastTimeOf(() => stringify(tree))
    })
    expect(twice, unit).toBeLessThan(6 * Math.max(once ?? 0, 5))
  }
})
