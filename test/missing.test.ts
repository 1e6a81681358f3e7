/** Missing packages, whose error says what to install, and a runtime without Buffer. */

import { afterEach, describe, expect, test, vi } from 'vitest'
import { orInstall } from '../src/missing.js'
import { createMemory, load } from '../src/parse/state.js'

describe('an entry whose package fails to load', () => {
  const failing = async (cause: unknown, packages: string[], ...options: string[]) =>
    Promise.reject(cause).catch(orInstall('blockmark/some', packages, ...options))

  test('names the missing packages, and keeps the cause', async () => {
    const cause = new Error("Cannot find package 'two' imported from here")
    await expect(failing(cause, ['one', 'two'])).rejects.toMatchObject({
      message: 'blockmark/some needs packages that are not here: npm install one two',
      cause,
    })
    await expect(failing(cause, ['two'], '--save-dev')).rejects.toThrow(
      'blockmark/some needs the package two: npm install --save-dev two',
    )
  })

  test('keeps any other error', async () => {
    const cause = new Error('out of memory')
    await expect(failing(cause, ['one'])).rejects.toBe(cause)
    await expect(failing('two', ['two'])).rejects.toBe('two')
  })
})

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
