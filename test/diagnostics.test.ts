/** All diagnostics have the same shape, and `String` prints them. */
import { expect, test } from 'vitest'
import { fromMarkdown } from '../src/convert/index.js'
import { normalize, type Root, validate } from '../src/index.js'
import { lint } from '../src/lint/index.js'
import { fromSlack } from '../src/messengers/index.js'

const strong = { type: 'strong', children: [{ type: 'text', value: ' ' }] }
const titled = { type: 'link', url: 'http://a', title: 'b', children: [{ type: 'text', value: 'c' }] }
const tree = { type: 'root', children: [{ type: 'paragraph', children: [titled, strong] }] } as unknown as Root

const diagnostics = {
  fromMarkdown: fromMarkdown('a\n\n### b <q>c\n\n![d](e)\n\n1. f **\u00a0g** \u0000').diagnostics,
  fromSlack: fromSlack({ blocks: [{ type: 'header', text: { type: 'plain_text', text: 'a' } }, { type: 'video' }] })
    .diagnostics,
  lint: [...lint('Done:\n- a list'), ...lint(['a', '### b']), ...lint(tree), ...lint('a'.repeat(40_001))],
  normalize: normalize(tree).diagnostics,
  validate: [...validate({ blocks: ['a', 'b\nc\0', ' '] }), ...validate({ body: '' })],
}

test.each(Object.entries(diagnostics))('%s returns diagnostics that print', (name, list) => {
  if (name !== 'fromSlack') expect(list.length).toBeGreaterThan(0)
  for (const each of list) {
    expect(each.reason).toMatch(/\S/)
    expect('ruleId' in each ? each.ruleId : each.code).toMatch(/^[a-z/-]+$/)
    expect(String(each)).toMatch(/^(?:(?:block \d+)?(?:, )?(?:\d+:\d+|(?:\/\w+)+)?: )?\S/)
    expect(String(each).endsWith(each.reason as string)).toBe(true)
    expect(String(each)).not.toContain('[object Object]')
    expect(Object.keys(each)).not.toContain('toString')
  }
})

test('a diagnostic begins with its position, else with its path', () => {
  const problems = validate({ blocks: ['a', 'b\nc\0', ' '] })
  expect(problems.map(String)).toEqual([
    '2:2: expected no U+0000 and no lone surrogate, received U+0000',
    '/blocks/2: expected a character that is not white space, received " "',
  ])
  expect(JSON.parse(JSON.stringify(problems[1]))).toEqual({ ...problems[1] })
  expect(String(normalize(tree).diagnostics[0])).toMatch(/^\/children\/0\/children\/0: /)
  expect(String(fromMarkdown('a\n\n### b').diagnostics[0])).toMatch(/^3:1: /)
})
