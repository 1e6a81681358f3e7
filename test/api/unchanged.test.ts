/**
 * The responses to random requests with a fixed seed do not change by a byte, except ids and tokens. Clients know the sentences, so
 * every change must be intended. `unchanged.json` has a line for each story, with two characters for each response. `UPDATE=1` writes
 * the current ones. Other tests check the responses themselves; `alike.test.ts` compares them with those of the database.
 */

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { test } from 'vitest'
import { createMemoryStore } from '../../src/api/store/memory/index.js'
import { isThorough } from '../amount.js'
import { failChanged, isUpdate, signOf } from '../kept.js'
import { top } from '../source.js'
import { stories, tell } from './support/stories.js'
import { createMemoryWorld } from './support/world.js'

const path = join(top, 'test', 'api', 'unchanged.json')
/** All stories if the tests run in full, otherwise the first ones. */
const STORIES = isThorough || isUpdate ? 60 : 20

test(`${STORIES} stories have unchanged responses`, async () => {
  const kept: readonly string[] = JSON.parse(readFileSync(path, 'utf8'))
  const store = createMemoryStore()
  const lines: string[] = []
  for (const [index, story] of fc.sample(stories, { numRuns: STORIES, seed: 1 }).entries()) {
    const now = new Date('2026-01-01T00:00:00Z')
    const answers = await tell(await createMemoryWorld(store, { now: () => now }), story)
    const signs = answers.map(signOf)
    const changed = signs.findIndex((sign, at) => sign !== kept[index]?.slice(at * 2, at * 2 + 2))
    if (!isUpdate && changed !== -1) failChanged(story[changed], answers[changed] ?? '')
    lines.push(signs.join(''))
  }
  if (isUpdate) writeFileSync(path, `${JSON.stringify(lines, null, 2)}\n`)
})
