/** The examples of the chapter of conversions, and the properties of each. `UPDATE=1` writes the current results. */

import { afterAll, describe, expect, test } from 'vitest'
import { conversionRules } from '../../src/convert/conversion.js'
import { fromMarkdown, toMarkdown } from '../../src/convert/index.js'
import type { Diagnostic } from '../../src/diagnostic.js'
import { assertTree, parse, stringify } from '../../src/index.js'
import { fromSlack } from '../../src/messengers/index.js'
import { type Conversion, readConversions, writeConversions } from './examples.js'
import { hasCharacters, isSubsequence, visibleText } from './visible.js'

const isUpdate = process.env['UPDATE'] !== undefined
const content = readConversions()
const examples = content.filter((entry) => typeof entry !== 'string')

function convert({ from, input }: Conversion): ReturnType<typeof fromMarkdown> {
  return from === 'markdown' ? fromMarkdown(input) : fromSlack(from === 'slack' ? input : JSON.parse(input))
}

function lineOf({ ruleId, place, block, path, reason }: Diagnostic): string {
  const [name] = ruleId.startsWith('slack-') ? (/(?<=: )[\w.-]+$/.exec(reason) ?? []) : []
  const what = name === undefined ? ruleId : `${ruleId} (${name})`
  if (block !== undefined) return `${what} block ${block}`
  if (path !== undefined) return `${what} ${path.join('/')}`
  const point = place !== undefined && 'start' in place ? place.start : place
  return point === undefined ? ruleId : `${ruleId} ${point.line}:${point.column}`
}

describe.each(examples)('$from $name', (example) => {
  const { tree, diagnostics } = convert(example)

  test('becomes the tree of the chapter', () => {
    const actual = { dialect: stringify(tree), lost: diagnostics.map(lineOf) }
    if (isUpdate) Object.assign(example, actual)
    const { dialect, lost } = example
    expect(actual, `fixtures/conversions.md:${example.line}`).toEqual({ dialect, lost })
  })

  test('can be written and parsed without a change', () => {
    assertTree(tree)
    expect(parse(stringify(tree), { position: false })).toEqual(tree)
  })

  if (example.from !== 'markdown') return

  test('shows all of it in Markdown', () => {
    // A file typed within a line is written as its name.
    const input = example.input.replace(/<!\w+\|([^>]+)>/g, '[file: $1]')
    const shown = [visibleText(input), visibleText(toMarkdown(tree))]
    // GitHub shows the kind of an alert as a word.
    const [before = '', after = ''] = /\[!/.test(example.input) ? shown.map((text) => text.toLowerCase()) : shown
    // A URL or a tag that was not visible before may be visible, because it has no other place.
    const isMore = diagnostics.some(({ ruleId }) =>
      ['link-target', 'link-label', 'html', 'html-tag', 'image', 'math'].includes(ruleId),
    )
    // The header cells of a table come first, or before each cell of their column.
    if (diagnostics.some(({ ruleId }) => ruleId === 'table')) expect(hasCharacters(after, before)).toBe(true)
    else if (isMore) expect(isSubsequence(before, after), `${before}\n${after}`).toBe(true)
    else expect(after).toBe(before)
  })
})

test('every rule has an example', () => {
  const shown = new Set(examples.flatMap(({ lost }) => lost.map((line) => line.split(' ')[0])))
  // Only a stream can find a late definition, and only an option drops tags.
  const elsewhere = ['block-limit', 'unknown', 'html', 'reference-late', 'tag']
  expect(Object.keys(conversionRules).filter((rule) => !shown.has(rule) && !elsewhere.includes(rule))).toEqual([])
})

afterAll(() => {
  if (isUpdate) writeConversions(content)
})
