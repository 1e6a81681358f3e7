/** The rules of `dialectPrompt` are true, and all of its examples are in the chapter. */

import { describe, expect, test } from 'vitest'
import { dialectPrompt, parse, toHtml, toText } from '../src/index.js'
import { lint } from '../src/lint/index.js'
import { readChapters } from './fixtures/chapter.js'

const chapter = readChapters().find(({ file }) => file.endsWith('prompt.md'))
const [lines = '', message = ''] = dialectPrompt.split('\n\nA message:\n\n')
const examples = Array.from(lines.matchAll(/^(.+?) → (.+)$/gm), ([, source = '', html = '']) => ({ source, html }))
/** The text in backticks in the sentences between the examples. */
const quoted = Array.from(lines.replace(/^.* → .*$/gm, '').matchAll(/`([^`]+)`/g), ([, source = '']) => source)

test('has at most 1,200 characters', () => expect([...dialectPrompt].length).toBeLessThanOrEqual(1_200))

describe('an example', () => {
  test.each(examples)('$source', ({ source, html }) => {
    const shown = toHtml(source).replace(/ rel="[^"]*"/, '')
    expect(shown.replace(/^<p>(.*)<\/p>$/, '$1')).toBe(html)
  })

  test.each(quoted.filter((source) => source !== '* '))('shows as typed: %s', (source) => {
    expect(parse(source, { position: false }).children).toEqual([
      { type: 'paragraph', children: [{ type: 'text', value: source }] },
    ])
  })

  test('of a whole message has the constructs that the sentences before it name', () => {
    const { children } = parse(message)
    expect(children.map(({ type }) => type)).toEqual(['heading', 'paragraph', 'list', 'code'])
    expect(toText(message)).toContain('@Ann')
    expect(lint(message)).toEqual([])
  })

  test('of a whole message is in the chapter', () => {
    const inputs = chapter?.examples.flatMap(({ blocks }) => blocks) ?? []
    expect(examples.length).toBeGreaterThan(8)
    expect(inputs).toEqual([...examples.map(({ source }) => source), expect.any(String), message])
    const asTyped = inputs.at(-2)?.split(/\n\n|, /) ?? []
    expect(asTyped).toEqual(quoted.slice(1))
  })
})

test('every type of node has an example', () => {
  const types = new Set<string>()
  JSON.stringify(parse(`${examples.map(({ source }) => source).join('\n\n')}\n\n${message}`), (key, value) => {
    if (key === 'type') types.add(String(value))
    return value
  })
  expect([...types].sort()).toEqual(
    'code delete emphasis heading inlineCode link list listItem mention paragraph root strong text underline'.split(
      ' ',
    ),
  )
})
