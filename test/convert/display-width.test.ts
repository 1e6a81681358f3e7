/** The column width of a text, compared with another package. */

import stringWidth from 'string-width'
import { expect, test } from 'vitest'
import { displayWidth } from '../../src/convert/display-width.js'

test.each([
  ['', 0],
  ['abc', 3],
  ['é', 1],
  ['e\u0301', 1],
  ['数量', 4],
  ['ｶﾅ', 2],
  ['Ａ１', 4],
  ['한글', 4],
  ['👩\u200D💻', 2],
  ['👍🏽', 2],
  ['🇩🇪', 2],
  ['1\uFE0F\u20E3', 2],
  ['✔\uFE0F ✔', 4],
  ['a\u200Bb', 2],
])('%j takes %i', (text, width) => {
  expect(displayWidth(text)).toBe(width)
  expect(stringWidth(text)).toBe(width)
})

test('equals that of string-width for letters of every script', () => {
  const different: string[] = []
  for (let code = 0x20; code < 0x20000; code += 1) {
    const character = String.fromCodePoint(code)
    if (!/^[\p{L}\p{N}\p{P}]$/u.test(character)) continue
    if (displayWidth(character) !== stringWidth(character)) different.push(code.toString(16))
  }
  expect(different).toEqual([])
})
