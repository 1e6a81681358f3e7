import { expect, test } from 'vitest'
import { BlockmarkError } from '../src/errors.js'
import { parse } from '../src/parse/index.js'
import { assertTree } from '../src/tree/strict.js'
import { content, type NodeType, type Root, typesOf, unreachable } from '../src/tree.js'

/** One valid node of each type. The compiler reports a missing type. */
const samples: Record<NodeType, () => Record<string, unknown>> = {
  root: () => ({ type: 'root', children: [] }),
  heading: () => ({ type: 'heading', depth: 1, children: [] }),
  paragraph: () => ({ type: 'paragraph', children: [] }),
  list: () => ({ type: 'list', ordered: false, spread: false, children: [] }),
  listItem: () => ({ type: 'listItem', spread: false, children: [{ type: 'paragraph', children: [] }] }),
  code: () => ({ type: 'code', lang: null, meta: null, value: '' }),
  file: () => ({ type: 'file', fileID: '7', label: null }),
  text: () => ({ type: 'text', value: '' }),
  inlineCode: () => ({ type: 'inlineCode', value: '' }),
  strong: () => ({ type: 'strong', children: [] }),
  emphasis: () => ({ type: 'emphasis', children: [] }),
  underline: () => ({ type: 'underline', children: [] }),
  delete: () => ({ type: 'delete', children: [] }),
  link: () => ({ type: 'link', url: '', title: null, children: [] }),
  mention: () => ({ type: 'mention', userID: '7', label: null }),
  break: () => ({ type: 'break' }),
}
const types = Object.keys(samples) as NodeType[]

/** The direct children that §5 allows, written out a second time to check the table. */
const allowed: Partial<Record<NodeType, string>> = {
  root: 'heading paragraph list code file',
  heading: 'text inlineCode strong emphasis underline delete link mention',
  paragraph: 'text inlineCode strong emphasis underline delete link mention break',
  list: 'listItem',
  listItem: 'paragraph',
  strong: 'text inlineCode strong emphasis underline delete link mention break',
  emphasis: 'text inlineCode strong emphasis underline delete link mention break',
  underline: 'text inlineCode strong emphasis underline delete link mention break',
  delete: 'text inlineCode strong emphasis underline delete link mention break',
  link: 'text inlineCode strong emphasis underline delete mention break',
}

test.each(types)('%s contains the types that §5 allows, and no others', (parent) => {
  for (const child of types) {
    const node = { ...samples[parent](), children: [samples[child]()] }
    const isAllowed = allowed[parent]?.split(' ').includes(child) ?? true // A leaf's `children` is an extra field.
    expect(codesOf(within(parent, node)), child).toEqual(isAllowed ? [] : ['tree/child'])
  }
})

/** Values that the fields of §5 can have, and values that they cannot have. */
const fields: Record<string, { right: unknown[]; wrong: unknown[] }> = {
  depth: { right: [1, 2], wrong: [0, 3, '1', 1.5, null, undefined] },
  ordered: { right: [false, null, undefined], wrong: [true, 0, 'false'] },
  spread: { right: [false, null, undefined], wrong: [true, 0, 'false'] },
  lang: { right: [null, undefined, '', 'ts', 'a b'], wrong: [7, {}] },
  meta: { right: [null, undefined, '', 'a b'], wrong: [7, []] },
  value: { right: ['', 'a', '\0', '\ud800'], wrong: [undefined, null, 7] },
  label: { right: [null, undefined, '', 'a|b', 'a'.repeat(257)], wrong: [7, true] },
  url: { right: ['', 'no url', 'javascript:alert(1)'], wrong: [undefined, null, new URL('https://a.b')] },
  title: { right: [null, undefined, '', 'title'], wrong: [7, false] },
}
const id = {
  right: ['7', 'a'.repeat(127), 'a'.repeat(128), '😀'.repeat(128), 'ä\\*_', '\ud800', '\u200b'],
  wrong: ['', 'a'.repeat(129), '😀'.repeat(129), 'a b', 'a\u00a0', 'a\n', '\0', '\x85', '<', '>', 'a|', '`', 7, null],
}
fields['userID'] = fields['fileID'] = id

test.each(types)('the fields of %s are checked', (type) => {
  const node = samples[type]()
  const names = Object.keys(node).filter((name) => name !== 'type' && name !== 'children')
  expect(names).toEqual(Object.keys(content[type].fields))
  for (const name of names) {
    const { right, wrong } = fields[name] ?? { right: [], wrong: [] }
    expect(right.length * wrong.length, name).toBeGreaterThan(0)
    for (const value of right) expect(codesOf(within(type, { ...node, [name]: value })), `${value}`).toEqual([])
    for (const value of wrong) {
      const [problem, ...others] = problemsOf(within(type, { ...node, [name]: value }))
      expect(problem, `${name}: ${value}`).toMatchObject({ code: 'tree/field' })
      expect(problem?.path.at(-1)).toBe(name)
      expect(others).toEqual([])
    }
  }
})

test.each(types.filter((type) => content[type].children !== null))('the children of %s are an array', (type) => {
  for (const children of [undefined, null, 'text', {}, { length: 0 }]) {
    expect(problemsOf(within(type, { ...samples[type](), children }))).toMatchObject([
      { code: 'tree/field', valid: 'array' },
    ])
  }
})

test('an item has exactly one paragraph', () => {
  const paragraph = samples.paragraph()
  const item = (...children: unknown[]) => within('listItem', { type: 'listItem', spread: false, children })
  expect(codesOf(item(paragraph))).toEqual([])
  const expected = {
    code: 'tree/field',
    path: ['children', 0, 'children', 0, 'children'],
    valid: 'exactly 1 paragraph',
  }
  expect(problemsOf(item())).toEqual([{ ...expected, received: '0 children' }])
  expect(problemsOf(item(paragraph, paragraph))).toEqual([{ ...expected, received: '2 children' }])
})

test.each([
  ['heading', 'break'],
  ['listItem', 'break'],
  ['link', 'link'],
] as const)('%s holds no %s at any depth', (outer, inner) => {
  for (const depth of [0, 1, 2, 100]) {
    let node: unknown = samples[inner]()
    for (let level = 0; level < depth; level += 1) node = { type: 'strong', children: [node] }
    const children = outer === 'listItem' ? [{ type: 'paragraph', children: [node] }] : [node]
    const [problem, ...others] = problemsOf(within(outer, { ...samples[outer](), children }))
    expect(problem).toMatchObject({ code: 'tree/child', valid: `phrasing without ${inner}`, received: inner })
    expect(others).toEqual([])
  }
})

test('a type that is forbidden around a link is forbidden in it, up to the end of the parent', () => {
  const link = { type: 'link', url: 'x:', title: null, children: [{ type: 'break' }, { type: 'strong', children: [] }] }
  expect(problemsOf(within('heading', { type: 'heading', depth: 1, children: [link] }))).toMatchObject([
    { valid: 'phrasing without break or link', received: 'break' },
  ])
  const heading = { type: 'heading', depth: 1, children: [] }
  const paragraph = { type: 'paragraph', children: [link, link, { type: 'break' }] }
  expect(problemsOf({ type: 'root', children: [heading, paragraph] })).toEqual([])
})

test('all problems are reported, in the order of the tree', () => {
  const tree = {
    type: 'root',
    children: [
      { type: 'heading', depth: 3, children: [{ type: 'text' }, { type: 'break' }] },
      { type: 'text', value: 'a' },
      { type: 'list', ordered: true, children: [{ type: 'paragraph', children: [] }] },
      null,
      { type: 'paragraph', position: { start: 1 }, children: [{ type: 'mention', userID: 'a b' }] },
    ],
  }
  const error = errorOf(tree)
  expect(error?.problems.map(({ code, path, received }) => `${code} /${path.join('/')} ${received}`)).toEqual([
    'tree/field /children/0/depth 3',
    'tree/field /children/0/children/0/value undefined',
    'tree/child /children/0/children/1 break',
    'tree/child /children/1 text',
    'tree/field /children/2/ordered true',
    'tree/child /children/2/children/0 paragraph',
    'tree/child /children/3 null',
    'tree/field /children/4/position object',
    'tree/field /children/4/children/0/userID "a b"',
  ])
  expect(error?.message).toBe('tree/field: expected 1 or 2, received 3 at /children/0/depth (and 8 more)')
})

test.each([
  [undefined, 'undefined'],
  [null, 'null'],
  ['# text', '"# text"'],
  [[], 'array'],
  [{}, 'object'],
  [{ type: 'paragraph', children: [] }, 'paragraph'],
  [{ type: 'toString', children: [] }, 'toString'],
  [{ type: '__proto__', children: [] }, '__proto__'],
  [{ type: ['root'], children: [] }, 'object'],
])('a root is not %o', (value, received) => {
  expect(problemsOf(value)).toEqual([{ code: 'tree/child', path: [], valid: 'root', received }])
})

test('fields that §5 does not name are ignored', () => {
  const text = { type: 'text', value: 'a', data: { hName: 'b' }, children: 'none' }
  expect(codesOf({ type: 'root', data: null, children: [{ type: 'paragraph', align: 1, children: [text] }] })).toEqual(
    [],
  )
})

test('a position has a start and an end with counted lines and columns', () => {
  const start = { line: 1, column: 1, offset: 0 }
  const end = { line: 2, column: 3, offset: 7 }
  const rootAt = (position: unknown) => codesOf({ type: 'root', children: [], position })
  expect(rootAt({ start, end, indent: [] })).toEqual([])
  expect(rootAt({ start: { line: 1, column: 1 }, end: { ...end, offset: undefined } })).toEqual([])
  expect(rootAt(undefined)).toEqual([])
  for (const point of [
    { ...end, line: 0 },
    { ...end, column: 0 },
    { ...end, offset: -1 },
    { ...end, offset: 0.5 },
    { ...end, line: '1' },
    { line: 1 },
    null,
    undefined,
  ]) {
    expect(rootAt({ start, end: point }), JSON.stringify(point)).toEqual(['tree/field'])
    expect(rootAt({ start: point, end }), JSON.stringify(point)).toEqual(['tree/field'])
  }
  for (const position of [null, 7, [], {}]) expect(rootAt(position)).toEqual(['tree/field'])
})

test('a node inside itself is a cycle, a node in two places is not', () => {
  const strong: { type: 'strong'; children: unknown[] } = { type: 'strong', children: [] }
  const emphasis = { type: 'emphasis', children: [{ type: 'text', value: 'a' }, strong] }
  const tree = { type: 'root', children: [{ type: 'paragraph', children: [strong, strong] }] }
  expect(codesOf(tree)).toEqual([])
  strong.children.push(emphasis)
  expect(problemsOf(tree)).toEqual(
    [0, 1].map((at) => ({
      code: 'tree/cycle',
      path: ['children', 0, 'children', at, 'children', 0, 'children', 1],
      valid: 'tree',
      received: 'strong inside itself',
    })),
  )
})

test('a tree has at most 500 levels, and a problem on the last one has its path', () => {
  // 497 levels, and the root, the paragraph and the text.
  expect(codesOf(nested(497, { type: 'text', value: 'a' }))).toEqual([])
  const error = errorOf(nested(497, { type: 'text', value: 7 }))
  expect(error?.problems).toHaveLength(1)
  expect(error?.problems[0].path).toHaveLength(2 * 499 + 1)
  expect(error?.message.length).toBeLessThan(400)
  for (const depth of [498, 1_000_000]) {
    expect(problemsOf(nested(depth, { type: 'text', value: 7 }))).toMatchObject([
      { code: 'tree/depth', valid: 'at most 500 levels', path: { length: 2 * 500 } },
    ])
  }
})

test('a problem on each level of a wide tree does not fill the memory', () => {
  const deep = nested(400, { type: 'text', value: 'a' }, { position: null }) as Root
  const problems = problemsOf({ type: 'root', children: Array.from({ length: 1_000 }, () => deep.children[0]) })
  expect(problems.length).toBeGreaterThan(100)
  expect(problems.reduce((keys, { path }) => keys + path.length, 0)).toBeLessThan(2_000_000)
})

test('only the first half a million problems are reported', () => {
  const children = Array.from({ length: 500_001 }, () => null)
  expect(problemsOf({ type: 'root', children })).toHaveLength(500_000)
})

test('a million siblings are checked', () => {
  const children = Array.from({ length: 1_000_000 }, () => ({ type: 'paragraph', children: [] }))
  expect(codesOf({ type: 'root', children })).toEqual([])
})

test('assertTree narrows the type of its argument, and does not change it', () => {
  const value: unknown = Object.freeze({ type: 'root', children: Object.freeze([]) })
  assertTree(value)
  const tree: Root = value
  expect(tree.children).toHaveLength(0)
})

test.each(['# a *b*\n* c `d`\n* <@7|e>\n\n```ts f\ng\n```\n<!8|>\n[h](i:) https://j.k **_-l-_**\nm', '', '\0 \ud800'])(
  'parse returns a tree: %o',
  (source) => {
    expect(codesOf(parse(source))).toEqual([])
    expect(codesOf(parse(source, { position: false }))).toEqual([])
  },
)

test('a group consists of its types, and a type of itself', () => {
  expect(typesOf('block')).toEqual(['heading', 'paragraph', 'list', 'code', 'file'])
  expect(typesOf('listItem')).toEqual(['listItem'])
})

test('unreachable names the unexpected type', () => {
  expect(() => unreachable({ type: 'blockquote' } as never)).toThrow(
    new TypeError('expected a node of §5, received blockquote'),
  )
})

/** Returns a root that contains the node, with the parents that its type requires. */
function within(type: NodeType, node: unknown): unknown {
  if (type === 'root') return node
  if (type === 'listItem') return within('list', { ...samples.list(), children: [node] })
  const isBlock = typesOf('block').includes(type)
  return { type: 'root', children: [isBlock ? node : { type: 'paragraph', children: [node] }] }
}

function nested(depth: number, innermost: unknown, fields: object = {}): unknown {
  let node = innermost
  for (let level = 0; level < depth; level += 1) node = { type: 'strong', children: [node], ...fields }
  return { type: 'root', children: [{ type: 'paragraph', children: [node] }] }
}

function errorOf(value: unknown): BlockmarkError | undefined {
  try {
    assertTree(value)
    return undefined
  } catch (error) {
    if (error instanceof BlockmarkError) return error
    throw error
  }
}

function problemsOf(value: unknown): BlockmarkError['problems'] | [] {
  return errorOf(value)?.problems ?? []
}

function codesOf(value: unknown): string[] {
  return problemsOf(value).map(({ code }) => code)
}
