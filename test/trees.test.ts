/** One definition of a tree (§5): all functions that take a tree accept the same trees and report the same problems. */
import { describe, expect, test } from 'vitest'
import { toMarkdown } from '../src/convert/index.js'
import {
  assertTree,
  BlockmarkError,
  normalize,
  type Root,
  stringify,
  toBlocks,
  toBodies,
  toHast,
  toHtml,
  toText,
  truncate,
} from '../src/index.js'
import { lint } from '../src/lint/lint.js'
import { toSlack, toSlackBlocks } from '../src/messengers/index.js'

const functions: Readonly<Record<string, (tree: Root) => unknown>> = {
  assertTree: (tree) => assertTree(tree),
  lint: (tree) => lint(tree),
  normalize,
  stringify,
  toBlocks: (tree) => toBlocks(tree),
  toBodies: (tree) => toBodies(tree),
  toHast: (tree) => toHast(tree),
  toHtml: (tree) => toHtml(tree),
  toMarkdown: (tree) => toMarkdown(tree),
  toSlack: (tree) => toSlack(tree),
  toSlackBlocks: (tree) => toSlackBlocks(tree),
  toText: (tree) => toText(tree),
  truncate: (tree) => truncate(tree, { length: 1 }),
}

const text = { type: 'text', value: 'a' }

function rootOf(...children: unknown[]): unknown {
  return { type: 'root', children }
}

function paragraphOf(...children: unknown[]): unknown {
  return rootOf({ type: 'paragraph', children })
}

function listOf(fields: object, ...paragraphs: unknown[]): unknown {
  return rootOf({ type: 'list', children: [{ type: 'listItem', children: paragraphs }], ...fields })
}

function nested(levels: number): unknown {
  let node: unknown = text
  for (let level = 3; level < levels; level += 1) node = { type: 'strong', children: [node] }
  return paragraphOf(node)
}

function cycle(): unknown {
  const strong: { type: 'strong'; children: unknown[] } = { type: 'strong', children: [text] }
  strong.children.push({ type: 'emphasis', children: [strong] })
  return paragraphOf(strong)
}

/** Returns a tree of 60 levels in which each node contains the next one twice: 2^60 texts. */
function thicket(): unknown {
  let node: unknown = text
  for (let level = 0; level < 60; level += 1) node = { type: 'strong', children: [node, node] }
  return paragraphOf(node)
}

function throwing(): never {
  throw new TypeError('of the getter')
}

function revoked(value: object): object {
  const { proxy, revoke } = Proxy.revocable(value, {})
  revoke()
  return proxy
}

const sparse: unknown[] = [text]
sparse.length = 3

const wrong: readonly [name: string, tree: unknown, code: string, path: string][] = [
  ['an unknown block', rootOf({ type: 'blockquote', children: [] }), 'tree/child', '/children/0'],
  ['an unknown phrasing node', paragraphOf({ type: 'image', url: 'a' }), 'tree/child', '/children/0/children/0'],
  ['text in the root', rootOf(text), 'tree/child', '/children/0'],
  ['null children', paragraphOf(text, null), 'tree/child', '/children/0/children/1'],
  ['undefined children', rootOf(undefined), 'tree/child', '/children/0'],
  [
    'a sparse array',
    paragraphOf({ type: 'strong', children: sparse }),
    'tree/child',
    '/children/0/children/0/children/1',
  ],
  ['an inherited name as a type', paragraphOf({ type: 'constructor' }), 'tree/child', '/children/0/children/0'],
  ['an array as a type', paragraphOf({ type: ['text'], value: 'a' }), 'tree/child', '/children/0/children/0'],
  ['an item without a paragraph', listOf({}, text), 'tree/child', '/children/0/children/0/children/0'],
  ['no children', rootOf({ type: 'paragraph' }), 'tree/field', '/children/0/children'],
  ['a root without children', { type: 'root' }, 'tree/field', '/children'],
  ['children that are not an array', { type: 'root', children: { length: 0 } }, 'tree/field', '/children'],
  ['an empty item', listOf({}), 'tree/field', '/children/0/children/0/children'],
  ['a text without a value', paragraphOf({ type: 'text' }), 'tree/field', '/children/0/children/0/value'],
  ['a number as a value', paragraphOf({ type: 'inlineCode', value: 7 }), 'tree/field', '/children/0/children/0/value'],
  ['an array as a value', rootOf({ type: 'code', value: ['a'] }), 'tree/field', '/children/0/value'],
  ['a number as a language', rootOf({ type: 'code', lang: 7, value: '' }), 'tree/field', '/children/0/lang'],
  [
    'a second paragraph in an item',
    listOf({}, { type: 'paragraph', children: [text] }, { type: 'paragraph', children: [text] }),
    'tree/field',
    '/children/0/children/0/children',
  ],
  ['a number as an id', rootOf({ type: 'file', fileID: 7 }), 'tree/field', '/children/0/fileID'],
  ['a third depth', rootOf({ type: 'heading', depth: 3, children: [text] }), 'tree/field', '/children/0/depth'],
  [
    'an ordered list',
    listOf({ ordered: true }, { type: 'paragraph', children: [text] }),
    'tree/field',
    '/children/0/ordered',
  ],
  ['a number as a label', rootOf({ type: 'file', fileID: '7', label: 7 }), 'tree/field', '/children/0/label'],
  [
    'a number as a title',
    paragraphOf({ type: 'link', url: 'a:', title: 7, children: [] }),
    'tree/field',
    '/children/0/children/0/title',
  ],
  ['a link without a URL', paragraphOf({ type: 'link', children: [] }), 'tree/field', '/children/0/children/0/url'],
  ['a mention without an id', paragraphOf({ type: 'mention' }), 'tree/field', '/children/0/children/0/userID'],
  ['a cycle', cycle(), 'tree/cycle', '/children/0/children/0/children/1/children/0'],
  ['a node in very many places', thicket(), 'tree/cycle', ''],
  ['501 levels', nested(501), 'tree/depth', ''],
  ['a million levels', nested(1_000_000), 'tree/depth', ''],
  [
    'a getter that throws',
    paragraphOf({
      type: 'text',
      get value() {
        return throwing()
      },
    }),
    'tree/child',
    '/children/0/children/0',
  ],
  [
    'a type that throws',
    {
      get type() {
        return throwing()
      },
    },
    'tree/child',
    '/',
  ],
  ['a revoked proxy', paragraphOf(revoked(text)), 'tree/child', '/children/0/children/0'],
  ['a revoked proxy as children', rootOf({ type: 'paragraph', children: revoked([]) }), 'tree/child', '/children/0'],
  ['a proxy whose traps throw', rootOf(new Proxy({}, { get: throwing, has: throwing })), 'tree/child', '/children/0'],
]

describe.each(Object.entries(functions))('%s', (_name, call) => {
  test.each(wrong)('reports %s', (_problem, tree, code, path) => {
    const error = errorOf(() => call(tree as Root))
    expect(error).toBeInstanceOf(BlockmarkError)
    const {
      problems: [problem],
    } = error as BlockmarkError
    expect(problem.code).toBe(code)
    if (path !== '') expect(`/${problem.path.join('/')}`).toBe(path)
  })

  test('accepts optional fields that are absent, undefined or null, and 500 levels', () => {
    for (const value of [{}, undefined, null]) {
      const optional = (name: string): object => (value === undefined || value === null ? { [name]: value } : {})
      const tree = rootOf(
        { type: 'code', value: 'a', ...optional('lang'), ...optional('meta') },
        { type: 'file', fileID: '7', ...optional('label') },
        {
          type: 'list',
          children: [{ type: 'listItem', children: [{ type: 'paragraph', children: [text] }], ...optional('spread') }],
          ...optional('ordered'),
          ...optional('spread'),
        },
        {
          type: 'paragraph',
          children: [
            { type: 'mention', userID: '7', ...optional('label') },
            { type: 'link', url: 'http://a', children: [text], ...optional('title') },
          ],
        },
      )
      const exact = rootOf(
        { type: 'code', lang: null, meta: null, value: 'a' },
        { type: 'file', fileID: '7', label: null },
        {
          type: 'list',
          ordered: false,
          spread: false,
          children: [{ type: 'listItem', spread: false, children: [{ type: 'paragraph', children: [text] }] }],
        },
        {
          type: 'paragraph',
          children: [
            { type: 'mention', userID: '7', label: null },
            { type: 'link', url: 'http://a', title: null, children: [text] },
          ],
        },
      )
      const [output, expected] = [tree, exact].map((each) => call(each as Root))
      if (_name !== 'truncate') expect(output).toEqual(expected)
    }
    expect(() => call(nested(500) as Root)).not.toThrow()
  })
})

test('a tree has any number of nodes, but a large one has each parent in one place only', () => {
  const many = { type: 'paragraph', children: new Array(2 ** 20).fill(text) }
  const [first, second] = [
    { type: 'paragraph', children: [text] },
    { type: 'paragraph', children: [text] },
  ]
  expect(toHtml(rootOf(many, first, second) as Root)).toHaveLength(2 ** 20 + '<p></p>\n<p>a</p>\n<p>a</p>'.length)
  expect(errorOf(() => toHtml(rootOf(many, first, second, first) as Root))).toMatchObject({
    problems: [
      { code: 'tree/cycle', path: ['children', 3], received: 'paragraph in several places of more than 1048576 nodes' },
    ],
  })
})

test('only assertTree looks at positions', () => {
  for (const position of [null, 7, { start: 1 }, { start: { line: 1 }, end: null }]) {
    const tree = rootOf({ type: 'paragraph', children: [{ ...text, value: '\u200B', position }], position }) as Root
    for (const [name, call] of Object.entries(functions)) {
      if (name === 'assertTree') expect(() => call(tree), name).toThrow(/^tree\/field: expected start and end/)
      else expect(() => call(tree), name).not.toThrow()
    }
  }
})

test('a link may have a title: renderers ignore it, normalize drops it and says so', () => {
  const titled = paragraphOf({ type: 'link', url: 'http://a', title: 'b', children: [text] }) as Root
  expect(toHtml(titled)).toBe('<p><a href="http://a" rel="nofollow noopener noreferrer">a</a></p>')
  const { tree, diagnostics } = normalize(titled)
  expect(tree).toEqual(paragraphOf({ type: 'link', url: 'http://a', title: null, children: [text] }))
  expect(diagnostics.map(({ ruleId, path }) => [ruleId, path])).toEqual([['title', ['children', 0, 'children', 0]]])
})

test('a value that is not a source throws a TypeError with a hint', () => {
  const holes: unknown[] = ['a']
  holes.length = 2
  const { assertTree, normalize, stringify, ...readers } = functions
  for (const value of [undefined, null, 7, {}, text, [text], [undefined], ['a', 7], holes, [['a']], revoked([])]) {
    for (const [name, call] of Object.entries(readers)) {
      expect(() => call(value as never), name).toThrow(/a tree or an array of them|^tree\/child: expected root/)
    }
  }
})

function errorOf(call: () => unknown): unknown {
  try {
    return call()
  } catch (error) {
    return error
  }
}
