/** The matcher of `blockmark/testing`, in vitest itself and next to `node:assert`. */

import assert from 'node:assert/strict'
import { describe, expect, test } from 'vitest'
import { md, paragraph, parse, root, strong } from '../src/index.js'
import { assertSameTree, matchers, type TreeMatchers } from '../src/testing/index.js'

declare module 'vitest' {
  // biome-ignore lint/suspicious/noExplicitAny: vitest's own parameter
  interface Matchers<T = any> extends TreeMatchers<T> {}
}

expect.extend(matchers)

describe('toHaveTreeOf', () => {
  test('passes for the same tree, written in any way or built, and for blocks one by one', () => {
    expect('*a* **b**\n').toHaveTreeOf('  *a* **b**')
    expect(root(paragraph(strong('a')))).toHaveTreeOf('**a**')
    expect(['# a', parse('b')]).toHaveTreeOf([md`# a`, 'b'])
    expect('a').not.toHaveTreeOf('b')
    expect(['# a', '* b\n* c', 'd']).toHaveTreeOf('# a\n* b\n* c\nd')
    expect('a\n\nb\n\nc').toHaveTreeOf(['a\n\nb', 'c'])
    expect(['a', 'b']).not.toHaveTreeOf('a\nb')
    expect(() => expect('a').not.toHaveTreeOf('a')).toThrow('expected two sources with different trees')
  })

  test('marks the first difference in both sources', () => {
    expect(() => expect('one\ncall my_var, please').toHaveTreeOf('one\ncall my_var, _please_')).toThrow(
      [
        'expected "call my_var, ", received "call my_var, please" at /children/0/children/2/value',
        '',
        'received',
        '2 | call my_var, please',
        '  | ^^^^^^^^^^^^^^^^^^^',
        'expected',
        '2 | call my_var, _please_',
        '  | ^^^^^^^^^^^^^',
      ].join('\n'),
    )
  })

  test('names the missing node and its block', () => {
    expect(messageOf(['a', 'b'], ['a', 'b\n\n# c'])).toBe(
      'expected heading, received nothing at /children/1 of block 1\n\nreceived\n1 | b\n  | ^\nexpected\n3 | # c\n  | ^^^',
    )
    expect(messageOf(['a'], ['a', 'b'])).toBe(
      'expected paragraph, received nothing at /children/1\n\nexpected\n1 | b\n  | ^',
    )
    expect(messageOf(root(paragraph('a')), root(paragraph('b')))).toBe(
      'expected "b", received "a" at /children/0/children/0/value',
    )
  })

  test('names the extra node', () => {
    expect(messageOf('a\n\n# b', 'a')).toBe(
      'expected nothing, received heading at /children/1\n\nreceived\n3 | # b\n  | ^^^\nexpected\n1 | a\n  | ^',
    )
  })

  test('marks the difference between a post and its text as one string, in the block of the difference', () => {
    expect(messageOf(['# a', 'b *c*'], '# a\n\nb **c**')).toBe(
      'expected strong, received emphasis at /children/1/children/1\n\nreceived\n1 | b *c*\n  |   ^^^\nexpected\n3 | b **c**\n  |   ^^^^^',
    )
  })

  test('marks wide characters below themselves, and shows invisible ones', () => {
    expect(messageOf('中文 **字**\u200B', '中文 字\u200B')).toContain('1 | 中文 **字**·\n  | ^^^^^')
  })

  function messageOf(...sources: Parameters<typeof matchers.toHaveTreeOf>): string {
    const { pass, message } = matchers.toHaveTreeOf(...sources)
    expect(pass).toBe(false)
    return message()
  }
})

test('assertSameTree throws an AssertionError like those of node:assert', () => {
  assertSameTree('**a**', root(paragraph(strong('a'))))
  assert.throws(() => assertSameTree('a', 'b'), {
    name: 'AssertionError',
    code: 'ERR_ASSERTION',
    operator: 'assertSameTree',
    actual: 'a',
    expected: 'b',
  })
})
