/**
 * Streamed Markdown takes work linear in its length, and a push takes work linear in its chunk and in the text that can
 * still change. The tests count steps in an instrumented copy of the package and its dependencies (`linear/meter.ts`).
 */

import { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeOutputs } from '../../bench/outputs.js'
import { isLong, partOf } from '../amount.js'
import { bundle } from '../linear/bundle.js'
import type { Arriving, Steps } from '../linear/markdown-thread.js'
import { families, textOf } from './hostile.js'

let thread: Worker

beforeAll(async () => {
  thread = new Worker(await bundle('markdown-thread.ts'), { eval: true })
})

afterAll(() => thread.terminate())

/** Counts a text in chunks of four characters, as models send them. */
function count(arriving: Partial<Arriving> & Pick<Arriving, 'text'>): Promise<Steps> {
  return new Promise((resolve, reject) => {
    thread.once('error', reject)
    thread.once('message', (steps: Steps) => {
      thread.off('error', reject)
      resolve(steps)
    })
    const asked: Arriving = { before: '', chunkLength: 4, isWatched: false, ...arriving }
    thread.postMessage(asked)
  })
}

const outputs = makeOutputs(60).join('\n\n')

test('a long output takes at most one and a half times the steps of fromMarkdown', async () => {
  const { all, whole } = await count({ text: outputs.slice(0, isLong ? 100_000 : 20_000) })
  expect(all).toBeGreaterThan(whole)
  expect(all).toBeLessThan(1.5 * whole)
})

/**
 * Blocks, and the factor by which twice the text may take more steps if it is shown after each chunk: two, and more for the
 * nodes that each look copies. HTML and footnotes are parsed as a whole at each look.
 */
const blocks: readonly (readonly [name: string, before: string, unit: string, growth: number | null])[] = [
  ['a flat list', '', '- a **b** c\n', 2.3],
  ['a list of numbers', '', '1. a\n\n   b\n', 3],
  ['a list in lists', '- a\n  - b\n', '    - c **d**\n', 2.5],
  ['a table', '| a | b |\n|---|---|\n', '| a | **b** |\n', 2.3],
  ['a quote', '', '> a **b**\n>\n', 2.3],
  ['code', '```js\n', 'const a = b * c\n', 2.3],
  ['HTML', '<div>\n', '<b>a</b> *b*\n', null],
  ['a footnote', '[^1]: a\n', '\n    b *c*\n', null],
  ['paragraphs', '', 'a `b`\nand *more*\n\n', 2.3],
]

describe.each(partOf(blocks, 3))('%s', (_, before, unit, growth) => {
  const text = (length: number): string => unit.repeat(length / unit.length)

  test('twice the length takes twice the steps, and no push takes more', async () => {
    const [half, whole] = [await count({ before, text: text(3_000) }), await count({ before, text: text(6_000) })]
    expect(whole.all).toBeLessThan(2.1 * half.all)
    expect(whole.most).toBeLessThan(1.1 * half.most)
  })

  test.skipIf(growth === null)(
    'twice the length is shown in twice the steps, with a look after each chunk',
    async () => {
      const steps = async (length: number): Promise<number> => {
        const { all } = await count({ before, text: text(length), chunkLength: 20, isWatched: true })
        return all
      }
      const [half, whole] = [await steps(3_000), await steps(6_000)]
      expect(whole).toBeLessThan((growth ?? 0) * half)
    },
  )
})

test('twice the spaces in a heading are shown in twice the steps', async () => {
  const steps = async (length: number): Promise<number> => {
    const text = `# a${' '.repeat(length)}b`
    return (await count({ text, chunkLength: text.length, isWatched: true })).all
  }
  expect(await steps(8_000)).toBeLessThan(2.3 * (await steps(4_000)))
})

test('the test detects faster growth: in the parser for one paragraph, whose length is limited for this reason', async () => {
  const text = (length: number): string => 'a `b` and some more words\n'.repeat(length / 26)
  const [half, whole] = [await count({ text: text(5_000) }), await count({ text: text(10_000) })]
  expect(whole.all).toBeGreaterThan(2.3 * half.all)
})

test('settled blocks cost nothing', async () => {
  const definitions = Array.from({ length: 1_000 }, (_, index) => `[n${index}]: https://a.b\n`).join('')
  const footnotes = Array.from({ length: 200 }, (_, index) => `[^${index}]: a note\n\n`).join('')
  const text = '\n\nSome *words* of it, [a link](https://example.com) and `code`.\n\n- an item\n  - in another\n\n'
  const alone = await count({ text, isWatched: true })
  for (const before of [outputs.slice(0, 50_000), definitions, footnotes]) {
    const { all, most } = await count({ before: `${before}\n\n`, text, isWatched: true })
    expect(all).toBeLessThan(1.1 * alone.all)
    expect(most).toBeLessThan(1.1 * alone.most)
  }
})

test.each(partOf(families, 8))('$name takes at most three times the steps of fromMarkdown', async (family) => {
  const length = isLong ? 5_000 : 2_000
  const { all, whole } = await count({ text: textOf(family, length, length) })
  expect(all).toBeLessThan(3 * whole)
})
