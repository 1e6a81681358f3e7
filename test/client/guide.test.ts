/** The programs of the guide to models' output run, with the results that it shows. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { compile, examplesOfMarkdown, run } from '../examples.js'
import { top } from '../source.js'

const path = 'src/api/client/README.md'
const programs = examplesOfMarkdown(path, readFileSync(join(top, path), 'utf8'))

test('there are three, and they compile', async () => {
  expect(programs).toHaveLength(3)
  expect(await compile(programs)).toBe('')
})

test.each(programs)('line $line', async (program) => {
  const comparisons = await run(program)
  expect(comparisons.length).toBeGreaterThan(0)
  for (const { line, actual, expected } of comparisons) expect(actual, `${path}:${line}`).toStrictEqual(expected)
})
