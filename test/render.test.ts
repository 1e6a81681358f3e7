/** Values that the types forbid: foreign trees, and results of callbacks. */
import { toHtml as hastToHtml } from 'hast-util-to-html'
import { expect, test } from 'vitest'
import {
  type ListItem,
  type Phrasing,
  parse,
  type RenderOptions,
  type Root,
  referencesOf,
  toHast,
  toHtml,
  toText,
} from '../src/index.js'

const hostile: unknown = ['<img src=x onerror=alert(1)>']
const renderers = [toHtml, toHast, toText]

/** Makes a tree with one node of any form, without a check by the types. */
function treeWith(node: unknown): Root {
  return { type: 'root', children: [{ type: 'paragraph', children: [node as Phrasing] }] }
}

test('an array instead of a string does not bypass the escapes', () => {
  for (const node of [
    { type: 'text', value: hostile },
    { type: 'inlineCode', value: hostile },
    { type: 'mention', userID: hostile, label: null },
    { type: 'mention', userID: '7', label: hostile },
    { type: 'link', url: hostile, title: null, children: [{ type: 'text', value: hostile }] },
  ])
    expect(() => toHtml(treeWith(node)), node.type).toThrow(/^tree\/field: expected (?:string|id).*, received array at/)
})

test('an array as a name from a callback does not bypass the escapes', () => {
  const resolved = { name: hostile as string, mediaType: '', href: '/7' }
  const options: RenderOptions = { mention: () => ({ name: resolved.name }), file: () => resolved }
  for (const source of ['<@7|Ann>', 'by <@7>', '<@7>', '<!7|a>']) {
    expect(() => toHtml(source, options), source).toThrow(/^(?:mention|file): name: expected a string, received array$/)
  }
})

test('plain text has one kind of line ending and no U+0000, also from a built tree', () => {
  const hello = { type: 'text', value: 'a\rb\r\nc\nd\0' }
  expect(toText(treeWith(hello))).toBe('a\nb\nc\nd\ufffd')
  const named = (label: string | null) => ({ type: 'mention', userID: 'i\0d', label })
  expect(['A\0nn', '', null].map((label) => toText(treeWith(named(label))))).toEqual([
    '@A\ufffdnn',
    '@i\ufffdd',
    '@i\ufffdd',
  ])
  expect(toText(treeWith(named('Ann')), { mention: () => ({ name: 'B\0ob' }) })).toBe('@B\0ob')
})

test('a callback that returns a promise throws: look names up first', () => {
  const later = { mention: async () => ({ name: 'Ann' }) }
  for (const render of renderers) {
    expect(() => render('<@7>', later as never)).toThrow('the `mention` callback returned a promise')
    const file = async () => ({ name: 'a', mediaType: '', href: '/a' })
    for (const source of ['<!7|a>', '<@7>', '* <@7>']) {
      for (const given of [source, parse(source)]) {
        expect(() => render(given, { file } as never)).toThrow('the `file` callback returned a promise')
      }
    }
  }
})

test('a callback that does not return an object throws, unless the user, file or link is not known', () => {
  for (const [name, source] of Object.entries({ mention: '<@7>', file: '<!7|a>', link: 'https://a.b' })) {
    for (const render of renderers.filter((render) => render !== toText || name !== 'link')) {
      for (const given of [source, parse(source)]) {
        const rendered = (result: unknown) => render(given, { [name]: () => result })
        expect(() => rendered('Ann')).toThrow(
          new TypeError(`the \`${name}\` callback returned "Ann": return an object, or undefined if it is not known`),
        )
        for (const result of [5, true, '']) expect(() => rendered(result)).toThrow(TypeError)
        for (const result of [undefined, null]) expect(rendered(result)).toEqual(render(given))
        expect(() => render(given, { [name]: 'Ann' })).toThrow(
          new TypeError(`${name}: expected a function, received "Ann"`),
        )
      }
    }
  }
  expect(() => toHtml('<@7>', { mention: () => ({ name: 5 }) } as never)).toThrow(
    new TypeError('mention: name: expected a string, received 5'),
  )
})

test('callbacks are called as methods of the options, and null is no callback', () => {
  class Names {
    readonly names = new Map([['7', 'Ann']])
    readonly links: unknown[] = []
    mention(id: string) {
      return { name: this.names.get(id) ?? id }
    }
    file(id: string) {
      return { name: this.names.get(id) ?? id, mediaType: '', href: '/f' }
    }
    link(...values: unknown[]) {
      this.links.push(...values)
      return undefined
    }
  }
  for (const given of ['<@7>!\n<!7|a>\nhttps://a.b', parse('<@7>!\n<!7|a>\nhttps://a.b')]) {
    const names = new Names()
    expect(toHtml(given, names)).toContain('@Ann')
    expect(names.links).toEqual(['https://a.b'])
    expect(toText(given, names)).toContain('@Ann')
    for (const render of renderers)
      expect(render(given, { mention: null, file: null, link: null } as never)).toEqual(render(given))
  }
})

test('a file is an image or a video if its media type begins with that word, in any case', () => {
  const html = (mediaType: string) => toHtml('<!7|a>', { file: () => ({ name: 'a', mediaType, href: '/7' }) })
  const tags = ['VIDEO/mp4', 'x-video/mp4', 'application/video/mp4', 'Image/png', 'x-image/png', 'image/svg+xml']
  expect(tags.map((mediaType) => /<(?:video|img|a)/.exec(html(mediaType))?.[0])).toEqual([
    ...['<video', '<a', '<a', '<img', '<a', '<a'],
  ])
})

test('a media type that is not a string throws, and no media type is a download', () => {
  const show = (mediaType: unknown) => {
    const file = () => ({ name: 'a', mediaType: mediaType as string, href: '/a' })
    return [() => toHtml('<!1|>', { file }), () => toHast('<!1|>', { file })]
  }
  const message = 'file: mediaType: expected a string, received Symbol(image)'
  for (const render of show(Symbol('image'))) expect(render).toThrow(new TypeError(message))
  expect(show(undefined)[0]?.()).toContain('download="a"')
})

test('null instead of the options counts as no options', () => {
  const none = null as never
  for (const source of ['<@7|Ann>', parse('<@7|Ann>')]) {
    expect(toHtml(source, none)).toBe(toHtml(source))
    expect(toHast(source, none)).toEqual(toHast(source))
    expect(toText(source, none)).toBe('@Ann')
  }
})

test('a tree of 500 levels is rendered', () => {
  let node: Phrasing = { type: 'text', value: 'a' }
  for (let depth = 0; depth < 497; depth += 1)
    node = { type: depth % 2 === 0 ? 'strong' : 'emphasis', children: [node] }
  expect(toText(treeWith(node))).toBe('a')
  expect(toHtml(treeWith(node))).toHaveLength(
    '<p></p>a'.length + 249 * '<strong></strong>'.length + 248 * '<em></em>'.length,
  )
  let depth = 0
  for (let [element] = toHast(treeWith(node)).children; element?.type === 'element'; [element] = element.children)
    depth += 1
  expect(depth).toBe(498)
})

test('a download without a name has an attribute without a value', () => {
  const file = (name: string) => toHtml('<!7|>', { file: () => ({ name, mediaType: 'text/plain', href: '/7' }) })
  expect(file('')).toBe('<div class="file" data-file-id="7"><a href="/7" download></a></div>')
  expect(file('download')).toBe('<div class="file" data-file-id="7"><a href="/7" download>download</a></div>')
})

test('an address is shown once in plain text if the text of the label is it, formatted or not', () => {
  for (const label of ['`https://a.b`', '*https://a.b*']) {
    expect(toText(`[${label}](https://a.b)`), label).toBe('https://a.b')
  }
  // A mention is shown with an `@`, so its name is not the address.
  expect(toText('[<@7|https://a.b>](https://a.b)')).toBe('@https://a.b (https://a.b)')
})

test('a percent sign stays before two hexadecimal digits, and before nothing else', () => {
  for (const one of '/09:@AFGafg') {
    for (const other of '/09:@AFGafg') {
      const percent = /^[\da-f]{2}$/i.test(one + other) ? '%' : '%25'
      const href = `href="https://b.c/${percent}${one}${other}d"`
      for (const source of [`[a](https://b.c/%${one}${other}d)`, `https://b.c/%${one}${other}d`])
        expect(toHtml(source), source).toContain(href)
    }
  }
})

test('a link callback has the same effect in all three outputs', () => {
  const options: RenderOptions = { link: (url) => (url.endsWith('7') ? { href: '/7', target: '_blank' } : undefined) }
  const source = '[a](https://b.c/7) https://b.c/7 [https://b.c/7](https://b.c/8)'
  const html = toHtml(source, options)
  expect(html.match(/target="_blank"/g)).toHaveLength(2)
  expect(toHtml(parse(source), options)).toBe(html)
  expect(hastToHtml(toHast(source, options) as never, { characterReferences: { useNamedReferences: true } })).toBe(html)
  for (const render of [toHtml, toHast]) {
    expect(() => render(source, { link: async () => ({ href: '/' }) } as never)).toThrow(
      'the `link` callback returned a promise',
    )
    expect(() => render(source, { link: () => ({ href: '/', rel: 5 }) } as never)).toThrow(
      new TypeError('link: rel: expected a string, received 5'),
    )
    expect(() =>
      render(parse(source), {
        link: () => {
          throw new RangeError('no')
        },
      }),
    ).toThrow(RangeError)
    const odd = { link: () => ({ href: ['javascript:alert(1)'], target: '"><img>' }) } as never
    expect(JSON.stringify(render(source, odd))).not.toMatch(/script|img/)
  }
})

test('a callback that throws in the middle of a message does not affect the next one', () => {
  const options: RenderOptions = {
    mention: () => {
      throw new RangeError('not known')
    },
  }
  for (const source of ['**a _b <@7>_ c**', '*a* [b **<@7>**](https://x.y)', '# *<@7>*', 'a\u2063*b <@7>*\u2063c']) {
    for (const render of renderers) expect(() => render(source, options), source).toThrow(RangeError)
    expect(toHtml('**a** *b* _c_ -d-')).toBe('<p><strong>a</strong> <em>b</em> <u>c</u> <del>d</del></p>')
    expect(toHtml(parse('* **a**'))).toBe('<ul>\n<li><strong>a</strong></li>\n</ul>')
  }
})

test('an empty language counts as none', () => {
  const tree: Root = { type: 'root', children: [{ type: 'code', lang: '', meta: null, value: 'a' }] }
  expect(toHtml(tree)).toBe('<pre><code>a\n</code></pre>')
  const code = { type: 'element', tagName: 'code', properties: {}, children: [{ type: 'text', value: 'a\n' }] }
  expect(toHast(tree).children).toEqual([{ type: 'element', tagName: 'pre', properties: {}, children: [code] }])
})

test('an element has a copy of the position of its node', () => {
  const tree = parse('a **b**')
  const [paragraph] = tree.children
  const [element] = toHast(tree).children
  expect(element?.position).toEqual(paragraph?.position)
  expect(element?.position?.start).not.toBe(paragraph?.position?.start)
  expect(toHast(tree)).toMatchObject({ children: [{ children: [{}, { position: { start: { column: 3 } } }] }] })
})

test('an item without visible content has no bullet', () => {
  const item = (value: string): ListItem => {
    return { type: 'listItem', spread: false, children: [{ type: 'paragraph', children: [{ type: 'text', value }] }] }
  }
  const children = ['', ' \t', 'a', '\r\n ', 'b'].map(item)
  expect(toText({ type: 'root', children: [{ type: 'list', ordered: false, spread: false, children }] })).toBe(
    '• a\n• b',
  )
})

test('referencesOf lists the ids that renderers pass to the callbacks, each once', () => {
  const blocks = ['by <@7|Ann> and <@9>, <@7>', '<!42|a.png>', '<@5>', parse('* [<@8>](https://a.b)\n* <!42|>')]
  expect(referencesOf(blocks)).toEqual({ userIDs: ['7', '9', '5', '8'], fileIDs: ['42', '5'] })
  expect(referencesOf('`<@7>` \\<@8>')).toEqual({ userIDs: [], fileIDs: [] })
  for (const render of renderers) {
    const seen = { mention: new Set<string>(), file: new Set<string>() }
    render(blocks, { mention: (id) => void seen.mention.add(id), file: (id) => void seen.file.add(id) })
    expect({ userIDs: [...seen.mention], fileIDs: [...seen.file] }).toEqual(referencesOf(blocks))
  }
  expect(() => referencesOf(7 as never)).toThrow(TypeError)
})
