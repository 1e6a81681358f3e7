/** The rules of `dialectPrompt` are true, and all of its examples are in the chapter. */

import { describe, expect, test } from 'vitest'
import { dialectPrompt, parse, toText } from '../src/index.js'
import { lint } from '../src/lint/index.js'
import { readChapters } from './fixtures/chapter.js'

const chapter = readChapters().find(({ file }) => file.endsWith('prompt.md'))
const [rules = '', message = ''] = dialectPrompt.split('\n\nA message:\n\n')
const [, lines = '', ...sentences] = rules.split('\n\n')
const examples = lines.split('\n')
/** The text in backticks in the sentences after the examples. */
const quoted = Array.from(sentences.join('\n').matchAll(/`([^`]+)`/g), ([, source = '']) => source)
/** The text that is not an example of markup. */
const plain = quoted.filter((source) => source !== '* ' && source !== '<@7|Ann>')

test('has at most 1,000 characters', () => expect([...dialectPrompt].length).toBeLessThanOrEqual(1_000))

describe('an example', () => {
  test.each(plain)('shows as typed: %s', (source) => {
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

  test('of a construct is in the chapter, which shows its HTML', () => {
    const inputs = chapter?.examples.flatMap(({ blocks }) => blocks) ?? []
    expect(examples.length).toBeGreaterThan(8)
    expect(inputs).toEqual([...examples, expect.any(String), message])
    const asTyped = inputs.at(-2)?.split(/\n\n|, /) ?? []
    expect(asTyped).toEqual(plain)
  })
})

test('every type of node has an example', () => {
  const types = new Set<string>()
  JSON.stringify(parse(`${examples.join('\n\n')}\n\n${message}`), (key, value) => {
    if (key === 'type') types.add(String(value))
    return value
  })
  expect([...types].sort()).toEqual(
    'code delete emphasis heading inlineCode link list listItem mention paragraph root strong text underline'.split(
      ' ',
    ),
  )
})
