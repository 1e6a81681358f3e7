import { expect, test } from 'vitest'
import * as builders from '../src/author/builders.js'
import { md } from '../src/author/template.js'
import type { Child } from '../src/author/values.js'
import { BlockmarkError } from '../src/errors.js'
import { parse } from '../src/parse/index.js'
import { assertTree } from '../src/tree/strict.js'
import type { AnyNode, Phrasing } from '../src/tree.js'

const { br, code, emphasis, file, heading, inlineCode, link, list } = builders
const { mention, paragraph, root, strike, strong, text, underline } = builders

/** Calls from JavaScript, where nothing checks the types. */
const untyped = builders as unknown as Record<string, (...values: unknown[]) => AnyNode>

test('builders make the same tree as parse', () => {
  const source = [
    '# Build *7*',
    '**Failed** in `make_all`, see [the _log_](https://ci.example/7) https://ci.example <@4711|Ann>',
    '-gone-',
    '* one',
    '* **two**',
    '* three: *x*',
    '```ts',
    'a_b',
    '```',
    '<!77|log.txt>',
  ].join('\n')
  const tree = root(
    heading(1, 'Build ', emphasis('7')),
    paragraph(
      [strong('Failed'), ' in ', inlineCode('make_all'), ', see '],
      link('https://ci.example/7', 'the ', underline('log')),
      text(' '),
      link('https://ci.example'),
      ' ',
      mention('4711', 'Ann'),
      br(),
      strike('gone'),
    ),
    list('one', strong('two'), paragraph('three: ', emphasis('x'))),
    code('a_b', 'ts'),
    file('77', 'log.txt'),
  )
  expect(tree).toEqual(parse(source, { position: false }))
  expect(() => assertTree(tree)).not.toThrow()
})

test('a string becomes text, with any content', () => {
  const value = '**a** <@7|> [b](c:) `d`\n# e'
  expect(paragraph(value).children).toEqual([{ type: 'text', value }])
  expect(inlineCode(value)).toEqual({ type: 'inlineCode', value })
  expect(code(value).value).toBe(value)
  expect(list(value).children[0]?.children[0].children).toEqual([{ type: 'text', value }])
})

test('numbers, bigints and dates are text', () => {
  const date = new Date(Date.UTC(2026, 10, 21, 12, 30))
  const values = [0, -1.5, 12n, date, Number.NaN]
  const texts = ['0', '-1.5', '12', '2026-11-21T12:30:00.000Z', 'NaN']
  expect(paragraph(...values).children).toEqual(texts.map((value) => ({ type: 'text', value })))
  expect(values.map((value) => text(value).value)).toEqual(texts)
  expect(values.map((value) => inlineCode(value).value)).toEqual(texts)
  expect(() => text(new Date(Number.NaN))).toThrow(RangeError)
})

test('null, undefined, false and an empty string are left out, and an array is replaced by its values', () => {
  const a = text('a')
  expect(strong(null, undefined, false, '', [], [[a, [null, ['b']]]], 'c').children).toEqual([a, text('b'), text('c')])
  expect(root(null, [false, [paragraph('a')]], undefined).children).toEqual([paragraph('a')])
  expect(heading(2).children).toEqual([])
})

test('a list has an item for each argument that is not left out', () => {
  const texts = list('a', null, false && 'b', ['c', ['d']], 5, '').children.map((item) => item.children[0].children)
  expect(texts).toEqual([[text('a')], [text('c')], [text('d')], [text('5')], []])
})

test('a node as an argument stays the same object', () => {
  const node = mention('7')
  expect(paragraph(node).children[0]).toBe(node)
  const item = paragraph('a')
  expect(list(item).children[0]?.children[0]).toBe(item)
})

test('an argument is not changed', () => {
  const frozen = Object.freeze([Object.freeze(text('a')), 'b'])
  expect(strong(frozen).children).toHaveLength(2)
})

test('a mention takes an id or a user', () => {
  const node = (label: string | null) => ({ type: 'mention', userID: '7', label })
  expect(mention('7')).toEqual(node(null))
  expect(mention('7', 'Ann')).toEqual(node('Ann'))
  expect(mention('7', '')).toEqual(node(null))
  expect(mention({ userID: '7' })).toEqual(node(null))
  expect(mention({ userID: '7', name: 'Ann' })).toEqual(node('Ann'))
  expect(mention({ userID: '7', name: 'Ann' }, 'Bea')).toEqual(node('Bea'))
  expect(mention({ userID: '7', name: 'Ann' }, null)).toEqual(node(null))
  expect(mention({ userID: '7', name: 'Ann | Ops' })).toEqual(node('Ann | Ops'))
})

test('an absent argument gives null', () => {
  expect(code('a')).toEqual({ type: 'code', lang: null, meta: null, value: 'a' })
  expect(code('a', '')).toEqual(code('a'))
  expect(file('7')).toEqual({ type: 'file', fileID: '7', label: null })
  expect(file('7', '')).toEqual(file('7'))
})

test('a link without a label is a bare link', () => {
  const bare = { type: 'link', url: 'https://a.b', title: null, children: [{ type: 'text', value: 'https://a.b' }] }
  expect(link('https://a.b')).toEqual(bare)
  expect(link('https://a.b', null, '', [])).toEqual(bare)
  expect(link(new URL('https://a.b'), 'c')).toEqual(link('https://a.b/', 'c'))
})

/** Calls that throw. The types reject them too, unless the problem is in a deeper node. */
const refused: [string, () => unknown, string][] = [
  ['heading', () => untyped['heading']?.(3, 'a'), 'tree/field: expected 1 or 2, received 3 at /depth'],
  ['heading', () => untyped['heading']?.('a'), 'tree/field: expected 1 or 2, received "a" at /depth'],
  ['heading', () => untyped['heading']?.(1, br()), 'phrasing without break, received break at /children/0'],
  ['heading', () => heading(1, 'a', strong(br())), 'phrasing without break, received break at /children/1/children/0'],
  [
    'list',
    () => untyped['list']?.(br()),
    'phrasing without break, received break at /children/0/children/0/children/0',
  ],
  ['list', () => list(link('x:', emphasis(br()))), 'phrasing without break or link, received break'],
  ['list', () => list(paragraph('a', br())), 'phrasing without break, received break'],
  ['list', () => untyped['list']?.(list('a')), 'expected phrasing without break, received list'],
  ['list', () => untyped['list']?.('a', 'b', true), 'received true at /children/2/children/0/children/0'],
  ['list', () => untyped['list']?.('a', { type: 'image' }), 'received image at /children/1/children/0/children/0'],
  ['link', () => untyped['link']?.('x:', link('y:')), 'phrasing without link, received link at /children/0'],
  ['link', () => link('x:', strong('a', link('y:'))), 'phrasing without link, received link at /children/0/children/1'],
  ['link', () => untyped['link']?.({ href: 'https://a.b' }), 'tree/field: expected string, received object at /url'],
  ['mention', () => mention('no id'), 'tree/field: expected id (1 to 128 characters'],
  ['mention', () => mention('a'.repeat(129)), 'received "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…" at /userID'],
  ['mention', () => untyped['mention']?.({}), 'received undefined at /userID'],
  ['mention', () => untyped['mention']?.(null), 'received undefined at /userID'],
  ['mention', () => untyped['mention']?.(7), 'received 7 at /userID'],
  ['mention', () => untyped['mention']?.('7', 8), 'expected string or null, received 8 at /label'],
  ['file', () => file(''), 'received "" at /fileID'],
  ['file', () => untyped['file']?.(7), 'received 7 at /fileID'],
  ['code', () => untyped['code']?.('a', 7), 'expected string or null, received 7 at /lang'],
  ['text', () => untyped['text']?.(), 'tree/field: expected string, received undefined at /value'],
  ['text', () => untyped['text']?.(true), 'tree/field: expected string, received true at /value'],
  ['inlineCode', () => untyped['inlineCode']?.(text('a')), 'tree/field: expected string, received text at /value'],
  ['paragraph', () => untyped['paragraph']?.(true), 'tree/child: expected phrasing, received true at /children/0'],
  ['paragraph', () => untyped['paragraph']?.(paragraph('a')), 'expected phrasing, received paragraph at /children/0'],
  ['paragraph', () => untyped['paragraph']?.({ userID: '7' }), 'expected phrasing, received object at /children/0'],
  ['strong', () => untyped['strong']?.(br), 'expected phrasing, received function at /children/0'],
  ['root', () => untyped['root']?.('# a'), 'tree/child: expected block, received "# a" at /children/0'],
  ['root', () => untyped['root']?.(strong('a')), 'tree/child: expected block, received strong at /children/0'],
]

test.each(refused)('%s throws if the tree would be invalid: $2', (_, call, message) => {
  expect(call).toThrow(BlockmarkError)
  expect(call).toThrow(message)
})

test('ids have at most 128 characters', () => {
  expect(mention('😀'.repeat(128)).userID).toHaveLength(256)
  expect(() => mention('😀'.repeat(129))).toThrow(BlockmarkError)
})

test('every problem of a foreign node is reported', () => {
  const foreign = { type: 'paragraph', children: [{ type: 'text' }, { type: 'mention' }] }
  expect(() => untyped['root']?.(foreign)).toThrow(/at \/children\/0\/children\/0\/value \(and 1 more\)$/)
})

test('an invalid date throws', () => {
  expect(() => text(new Date(Number.NaN))).toThrow(RangeError)
  expect(() => md`on ${new Date(Number.NaN)}`).toThrow(RangeError)
})

test('arrays may be 500 levels deep, but not inside themselves', () => {
  const nested = (levels: number): Child<string> => {
    return levels === 0 ? 'a' : [nested(levels - 1)]
  }
  expect(paragraph(nested(500))).toEqual(paragraph('a'))
  expect(md`${nested(500)}`).toEqual(root(paragraph('a')))
  expect(() => paragraph(nested(501))).toThrow('tree/depth: expected at most 500 levels, received array on level 501')
  expect(() => md`${nested(502)}`).toThrow(/^tree\/depth.* at \/values\/0/)
  const cycle: Child<string>[] = ['a']
  cycle.push([cycle])
  expect(() => paragraph(cycle)).toThrow(/^tree\/cycle: expected tree, received array inside itself/)
  expect(() => md`${cycle}`).toThrow(/^tree\/cycle: expected tree, received array inside itself at \/values\/0/)
})

test('a tree has at most 500 levels', () => {
  const nested = (depth: number) => {
    let node: Phrasing = text('a')
    for (let level = 0; level < depth; level += 1) node = strong(node)
    return root(paragraph(node))
  }
  expect(nested(497).children).toHaveLength(1)
  expect(() => nested(498)).toThrow(/^tree\/depth/)
})

test('reports values that cannot be read, with BlockmarkError', () => {
  const revoked = (value: object): never => {
    const { proxy, revoke } = Proxy.revocable(value, {})
    revoke()
    return proxy as never
  }
  const throwError = (): never => {
    throw new TypeError('of a trap')
  }
  const throwing = new Proxy({}, { get: () => throwError(), getPrototypeOf: () => throwError() }) as never
  for (const value of [revoked({}), revoked([]), throwing]) {
    const calls = [builders.root, builders.paragraph, builders.list, builders.strong, builders.mention]
    for (const call of calls) expect(() => call(value), call.name).toThrow(BlockmarkError)
    expect(() => md`a ${value}`).toThrow(BlockmarkError)
    expect(() => md`\`${value}\``).toThrow(/^md: expected text at \/values\/0/)
  }
})
