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

  test('names the first difference', () => {
    expect(messageOf('one\ncall my_var, please', 'one\ncall my_var, _please_')).toBe(
      'expected "call my_var, ", received "call my_var, please" at /children/0/children/2/value',
    )
    expect(messageOf(['# a', 'b *c*'], '# a\n\nb **c**')).toBe(
      'expected strong, received emphasis at /children/1/children/1',
    )
  })

  test('names the missing or the extra node', () => {
    expect(messageOf(['a', 'b'], ['a', 'b\n\n# c'])).toBe('expected heading, received nothing at /children/2')
    expect(messageOf('a\n\n# b', 'a')).toBe('expected nothing, received heading at /children/1')
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
