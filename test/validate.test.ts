import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isBlank } from '../src/characters.js'
import { lengthOf } from '../src/check/limits.js'
import { validate } from '../src/check/validate.js'
import type { Problem } from '../src/errors.js'
import { seeded } from './properties/property.js'

/** The checks of messages that arrive at a service. */
const validateUnknown = validate as unknown as (message: unknown, options?: unknown) => Problem[]

test('a message that the service takes has no problem', () => {
  expect(validate({ blocks: ['# Deployed', 'to *eu*', '* a\n* b', '<!7|>'] })).toEqual([])
  expect(validate({ body: 'Hello 😀' })).toEqual([])
})

test.each(['a', '😀', '😀a', '\n'])('a block has 1 to 4,000 characters: %o', (unit) => {
  for (const [length, codes] of [
    [3_999, []],
    [4_000, []],
    [4_001, ['blocks/too-long']],
  ] as const) {
    const text = `x${unit.repeat(length)}`
    const block = Array.from(text).slice(0, length).join('')
    expect(codesOf(validate({ blocks: ['a', block] })), `${length}`).toEqual(codes)
  }
})

test('a body has 1 to 40,000 characters', () => {
  const texts = [39_999, 40_000, 40_001].map((length) => '😀'.repeat(length))
  expect(texts.map((body) => codesOf(validate({ body })))).toEqual([[], [], ['body/too-long']])
  expect(validate({ body: texts[2] ?? '' })).toEqual([
    { code: 'body/too-long', path: ['body'], valid: '1 to 40000 characters', received: '40001' },
  ])
})

test('a post has 1 to 100 blocks', () => {
  const posts = [0, 1, 99, 100, 101].map((length) => Array.from({ length }, () => 'a'))
  expect(posts.map((blocks) => codesOf(validate({ blocks })))).toEqual([['blocks/count'], [], [], [], ['blocks/count']])
  expect(validate({ blocks: [] })).toEqual([
    { code: 'blocks/count', path: ['blocks'], valid: '1 to 100 blocks', received: '0' },
  ])
})

test('other limits replace the defaults', () => {
  const limits = { blockLength: 3, blocks: 2, bodyLength: 1 }
  expect(validate({ blocks: ['abc', '😀😀😀'] }, limits)).toEqual([])
  expect(codesOf(validate({ blocks: ['abcd', 'a', 'abcd'] }, limits))).toEqual([
    'blocks/count',
    'blocks/too-long',
    'blocks/too-long',
  ])
  expect(codesOf(validate({ body: 'ab' }, limits))).toEqual(['body/too-long'])
  const many = Array.from({ length: 5_000 }, () => 'a'.repeat(5_000))
  expect(validate({ blocks: many }, { blocks: Infinity, blockLength: Infinity })).toEqual([])
  expect(codesOf(validateUnknown({ body: 'a'.repeat(40_001) }, { bodyLength: undefined }))).toEqual(['body/too-long'])
  expect(codesOf(validateUnknown({ body: 'a'.repeat(40_001) }, null))).toEqual(['body/too-long'])
})

test.each(['blockLength', 'blocks', 'bodyLength'])('%s is a number of 1 or more', (name) => {
  for (const limit of [0, 0.5, -1, Number.NaN, '7', null, 7n]) {
    expect(() => validateUnknown({ body: 'a' }, { [name]: limit }), `${limit}`).toThrow(TypeError)
  }
  expect(() => validateUnknown({ body: 'a' }, { [name]: 0 })).toThrow(
    `${name}: expected a number of 1 or more, received 0`,
  )
})

test.each(['', ' ', '\t', '\n\r\n', ' \n \f', '\u00a0', '\u3000\u2028'])('%o is blank', (text) => {
  expect(isBlank(text)).toBe(true)
  expect(validate({ blocks: ['a', text] })).toEqual([
    {
      code: 'blocks/blank',
      path: ['blocks', 1],
      valid: 'a character that is not white space',
      received: JSON.stringify(text),
    },
  ])
  expect(codesOf(validate({ body: text }))).toEqual(['body/blank'])
})

test.each(['a', ' a', '```\n```', '\u200b', '\u0001', '\ufeff', '*', '\u3000\n.'])('%o is not blank', (text) => {
  expect(isBlank(text)).toBe(false)
  expect(validate({ blocks: [text] })).toEqual([])
})

test('a blank text can be too long as well', () => {
  expect(codesOf(validate({ body: ' '.repeat(40_001) }))).toEqual(['body/blank', 'body/too-long'])
})

test('each U+0000 and each lone surrogate is reported with its position', () => {
  const text = 'a\0\r\n😀\ud800\n\r\udfff\ud83d\rb'
  expect(validate({ blocks: ['a', text] })).toEqual(
    [
      { received: 'U+0000', place: { line: 1, column: 2, offset: 1 } },
      { received: 'U+D800', place: { line: 2, column: 3, offset: 6 } },
      { received: 'U+DFFF', place: { line: 4, column: 1, offset: 9 } },
      { received: 'U+D83D', place: { line: 4, column: 2, offset: 10 } },
    ].map((problem) => ({
      code: 'blocks/character',
      path: ['blocks', 1],
      valid: 'no U+0000 and no lone surrogate',
      ...problem,
    })),
  )
  expect(codesOf(validate({ body: '\0' }))).toEqual(['body/character'])
})

test('every other character is accepted', () => {
  const body = Array.from({ length: 0x3000 }, (_, code) => String.fromCharCode(code + 1)).join('')
  expect(validate({ body: `${body}\ue000\uffff😀\u{10ffff}` })).toEqual([])
})

test('all problems are reported at once, in the order of the message', () => {
  const blocks = ['ok', 7, '', null, 'a'.repeat(4_001).concat('\0'), undefined]
  expect(validateUnknown({ blocks }, { blocks: 5 })).toEqual([
    { code: 'blocks/count', path: ['blocks'], valid: '1 to 5 blocks', received: '6' },
    { code: 'blocks/type', path: ['blocks', 1], valid: 'string', received: '7' },
    { code: 'blocks/blank', path: ['blocks', 2], valid: 'a character that is not white space', received: '""' },
    { code: 'blocks/type', path: ['blocks', 3], valid: 'string', received: 'null' },
    { code: 'blocks/too-long', path: ['blocks', 4], valid: '1 to 4000 characters', received: '4002' },
    {
      code: 'blocks/character',
      path: ['blocks', 4],
      place: { line: 1, column: 4_002, offset: 4_001 },
      valid: 'no U+0000 and no lone surrogate',
      received: 'U+0000',
    },
    { code: 'blocks/type', path: ['blocks', 5], valid: 'string', received: 'undefined' },
  ])
})

test('values of the wrong type are problems', () => {
  const typeOf = (path: unknown[], valid: string, received: string) => [
    { code: `${path[0]}/type`, path, valid, received },
  ]
  expect(validateUnknown({})).toEqual(typeOf(['blocks'], 'array of strings', 'undefined'))
  expect(validateUnknown({ blocks: 'text' })).toEqual(typeOf(['blocks'], 'array of strings', '"text"'))
  expect(validateUnknown({ blocks: { 0: 'a', length: 1 } })).toEqual(typeOf(['blocks'], 'array of strings', 'object'))
  expect(validateUnknown({ body: undefined })).toEqual(typeOf(['body'], 'string', 'undefined'))
  expect(validateUnknown({ body: ['a'] })).toEqual(typeOf(['body'], 'string', 'array'))
  expect(codesOf(validateUnknown({ blocks: new Array(2) }))).toEqual(['blocks/type', 'blocks/type'])
  expect(codesOf(validateUnknown({ body: '', blocks: 7 }))).toEqual(['body/blank', 'blocks/type'])
})

test.each([undefined, null, 'text', 7, () => 'text'])('%o is not a message', (message) => {
  expect(() => validateUnknown(message)).toThrow(/^expected an object with blocks or body, received /)
  expect(() => validateUnknown(message)).toThrow(TypeError)
})

test('the message is not changed', () => {
  const message = Object.freeze({ blocks: Object.freeze(['a', '', '\0']) })
  expect(codesOf(validate(message))).toEqual(['blocks/blank', 'blocks/character'])
})

// If any step took quadratic time, the test would time out.
test('hostile messages have at most 1,000 problems, found in linear time', () => {
  const body = '\0\n'.repeat(4_000_000)
  const blanks = new Array(3_000_000).fill('')
  expect(validate({ body })).toHaveLength(1_000)
  expect(validate({ blocks: blanks })).toHaveLength(1_000)
  expect(validate({ blocks: Array.from({ length: 100 }, () => '\0'.repeat(4_000)) })).toHaveLength(1_000)
  expect(validateUnknown({ blocks: new Array(2 ** 32 - 1) })).toHaveLength(1_000)
})

test('lengths count code points', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('a', '\ud83d', '\ude00', '😀', 'é', '\n') }), (text) => {
      expect(lengthOf(text)).toBe(Array.from(text).length)
    }),
    seeded,
  )
})

test('each forbidden character is found, at its position', () => {
  const unit = fc.constantFrom('a', '\0', '\ud83d', '\ude00', '😀', '\r', '\n')
  fc.assert(
    fc.property(fc.string({ unit, minLength: 1 }), (tail) => {
      const body = `x${tail}`
      const problems = validate({ body })
      for (const { place, received } of problems) {
        const lines = body.slice(0, place?.offset).split(/\r\n|\r|\n/)
        expect(place).toMatchObject({ line: lines.length, column: (lines.at(-1) ?? '').length + 1 })
        expect(String.fromCharCode(Number.parseInt(received.slice(2), 16))).toBe(body.charAt(place?.offset ?? -1))
      }
      const wrong = Array.from(body).filter((char) => char === '\0' || /^[\ud800-\udfff]$/.test(char))
      expect(problems).toHaveLength(wrong.length)
    }),
    seeded,
  )
})

function codesOf(problems: readonly Problem[]): string[] {
  return problems.map(({ code }) => code)
}
