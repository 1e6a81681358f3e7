/** The store in memory behaves like PostgreSQL: both run the same random stories. */

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createMemoryStore } from '../../src/api/store/memory.js'
import { seeded } from '../properties/property.js'
import { sharedBackend } from './support/backends.js'
import { everything, kinds, type Step, stories, tell } from './support/stories.js'
import { createMemoryWorld, createWorld } from './support/world.js'

const { backend, folder } = await sharedBackend()

/** Runs a story on both, and returns the equal responses. */
async function tellBoth(story: readonly Step[]): Promise<string[]> {
  const now = new Date('2026-01-01T00:00:00Z')
  const inMemory = await tell(await createMemoryWorld(createMemoryStore(), { now: () => now }), story)
  const onDisk = await tell(await createWorld(backend, folder, { now: () => now }), story)
  expect(inMemory).toEqual(onDisk)
  return inMemory
}

// A fixed story, so that each kind of request succeeds at least once.
test('a story with every kind of request succeeds in memory and on PostgreSQL, with the same responses', async () => {
  expect(new Set(everything.map(({ endpoint }) => endpoint))).toEqual(new Set(kinds))
  const answers = await tellBoth(everything)
  expect(answers.filter((answer) => answer.split(' ', 2)[1] !== '200')).toEqual([])
})

test('any story has the same responses in memory and on PostgreSQL', async () => {
  const property = fc.asyncProperty(stories, async (story) => {
    await tellBoth(story)
  })
  await fc.assert(property, { numRuns: 20, endOnFailure: true, ...seeded })
})
