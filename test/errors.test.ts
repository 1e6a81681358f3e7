import { expect, test } from 'vitest'
import { validate } from '../src/check/validate.js'
import {
  BlockmarkError,
  describe as describeValue,
  type ErrorCode,
  type Problem,
  throwProblems,
} from '../src/errors.js'
import { problemsOf } from '../src/tree/strict.js'
import type { Root } from '../src/tree.js'

const ring: Root = { type: 'root', children: [] }
const strong: { type: 'strong'; children: unknown[] } = { type: 'strong', children: [] }
strong.children.push(strong)

function nested(depth: number, innermost: unknown): unknown {
  return depth === 0 ? innermost : { type: 'strong', children: [nested(depth - 1, innermost)] }
}

/** One input for each code; leave one out and the compiler names it. */
const inputs: Record<ErrorCode, () => Problem[]> = {
  'tree/child': () => problemsOf({ type: 'root', children: [{ type: 'break' }] }, 'root'),
  'tree/field': () => problemsOf({ type: 'text', value: 7 }, 'text'),
  'tree/cycle': () => problemsOf({ type: 'paragraph', children: [strong] }, 'paragraph'),
  'tree/depth': () => problemsOf(nested(500, { type: 'text', value: 'a' }), 'strong'),
  'blocks/type': () => validate({ blocks: 'text' as unknown as string[] }),
  'blocks/count': () => validate({ blocks: [] }),
  'blocks/blank': () => validate({ blocks: [' '] }),
  'blocks/too-long': () => validate({ blocks: ['ab'] }, { blockLength: 1 }),
  'blocks/character': () => validate({ blocks: ['a\0'] }),
  'body/type': () => validate({ body: 7 as unknown as string }),
  'body/blank': () => validate({ body: ' ' }),
  'body/too-long': () => validate({ body: 'ab' }, { bodyLength: 1 }),
  'body/character': () => validate({ body: 'a\0' }),
}

test.each(Object.entries(inputs))('an input causes %s', (code, problems) => {
  expect(problems().map((problem) => problem.code)).toEqual([code])
})

test('the error has the code of its first problem, all problems and the cause', () => {
  const cause = new Error('why')
  const first: Problem = { code: 'tree/field', path: ['depth'], valid: '1 or 2', received: '3' }
  const second: Problem = { code: 'tree/child', path: ['children', 0], valid: 'phrasing', received: 'list' }
  const error = new BlockmarkError([first, second], { cause })
  expect(error).toBeInstanceOf(Error)
  expect(error).toMatchObject({ name: 'BlockmarkError', code: 'tree/field', problems: [first, second], cause })
  expect(error.message).toBe('tree/field: expected 1 or 2, received 3 at /depth (and 1 more)')
  expect(String(error)).toBe(`BlockmarkError: ${error.message}`)
})

test('an error without a cause has none', () => {
  const error = new BlockmarkError([{ code: 'blocks/count', path: [], valid: '1 to 100 blocks', received: '0' }])
  expect('cause' in error).toBe(false)
  expect(error.message).toBe('blocks/count: expected 1 to 100 blocks, received 0')
})

test('the message names the position inside a string', () => {
  expect(() => throwProblems(validate({ blocks: ['a', 'b\nc\0'] }))).toThrow(
    'blocks/character: expected no U+0000 and no lone surrogate, received U+0000 at /blocks/1, line 2, column 2',
  )
})

test('without problems, nothing is thrown', () => {
  expect(() => throwProblems([])).not.toThrow()
  expect(() => throwProblems(problemsOf(ring, 'root'))).not.toThrow()
})

test.each([
  ['text', '"text"'],
  ['', '""'],
  ['a\n"b"', '"a\\n\\"b\\""'],
  [null, 'null'],
  [undefined, 'undefined'],
  [true, 'true'],
  [Number.NaN, 'NaN'],
  [12n, '12'],
  [Symbol('s'), 'Symbol(s)'],
  [[1], 'array'],
  [() => 'source', 'function'],
  [{ type: 'blockquote' }, 'blockquote'],
  [{ type: 7 }, 'object'],
  [Object.create(null), 'object'],
])('a value is described: %o', (value, expected) => {
  expect(describeValue(value)).toBe(expected)
})

test('an error message contains neither an API key nor a whole input', () => {
  const key = `wsk_${'k'.repeat(43)}chksum`
  for (const value of [key, { type: key }, BigInt('7'.repeat(1000)), Symbol(key)]) {
    expect(describeValue(value).length).toBeLessThan(40)
    expect(describeValue(value)).toContain('…')
    expect(describeValue(value)).not.toContain(key)
  }
})

test('a long path is shortened in the message and whole in the problem', () => {
  const path = Array.from({ length: 100_000 }, (_, index) => (index % 2 === 0 ? 'children' : 0))
  const error = new BlockmarkError([{ code: 'tree/child', path, valid: 'phrasing', received: 'list' }])
  expect(error.message.length).toBeLessThan(400)
  expect(error.problems[0].path).toHaveLength(100_000)
})
