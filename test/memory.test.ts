/** A text in the memory of the parser, also in a runtime without Buffer. */

import { afterEach, describe, expect, test, vi } from 'vitest'
import { createMemory, load } from '../src/parse/state.js'

describe('a text is the same code units in memory', () => {
  afterEach(() => {
    vi.unstubAllGlobals()
  })

  test.each([
    ['where Buffer copies it', Buffer],
    ['with a Buffer that cannot copy', { from: () => ({}) }],
    ['without Buffer, for example in a browser', undefined],
  ])('%s', (_, buffer) => {
    vi.stubGlobal('Buffer', buffer)
    const memory = createMemory(102)
    vi.unstubAllGlobals()
    const text = 'a\ud800é😀'.repeat(20)
    load(memory, text)
    expect(memory.target === null).toBe(buffer !== Buffer)
    expect(String.fromCharCode(...memory.chars)).toBe(`\n${text}\n`)
  })
})
