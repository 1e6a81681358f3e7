/** UUIDv7: ids are in order, with any clock. */

import { expect, test } from 'vitest'
import { nextUUID } from '../../src/api/store/memory.js'

const start = new Date('2026-01-01T00:00:00Z')
/** The start of all ids of that millisecond. */
const first = '019b76da-a800'

test('an id has version 7 and variant 10, and consists of its time, its count and random bits', () => {
  const ids = Array.from({ length: 100 }, () => nextUUID('', start))
  for (const id of ids) expect(id).toMatch(new RegExp(`^${first}-7000-[89ab][\\da-f]{3}-[\\da-f]{12}$`))
  expect(new Set(ids).size).toBe(100)
})

test('ids increase with more than 4,096 in a millisecond', () => {
  const ids = ['']
  for (let count = 0; count < 10_000; count += 1) ids.push(nextUUID(ids.at(-1) ?? '', start))
  expect(ids).toEqual(ids.toSorted())
  expect(new Set(ids).size).toBe(ids.length)
})

test.each([
  ['a clock that was set back', '019b76da-abe8-7000-8000-000000000000', '019b76da-abe8-7001'],
  ['an earlier millisecond', '0000ffff-ffff-7fff-8fff-ffffffffffff', `${first}-7000`],
  ['the same millisecond', `${first}-7abc-8000-000000000000`, `${first}-7abd`],
  ['the last count of a millisecond', `${first}-7fff-8000-000000000000`, '019b76da-a801-7000'],
  ['another version', 'ffffffff-ffff-4fff-8fff-ffffffffffff', `${first}-7000`],
  ['a time that is not an exact number', 'ffffffff-ffff-7fff-8fff-ffffffffffff', `${first}-7000`],
  ['no id', '7', `${first}-7000`],
])('the id after another: %s', (_, latest, next) => {
  expect(nextUUID(latest, start).slice(0, 18)).toBe(next)
})
