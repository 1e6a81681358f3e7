/** UUIDv7: ids are in order, with any clock. */

import { expect, test } from 'vitest'
import { createUUIDs } from '../../src/api/rules/uuid.js'

const start = new Date('2026-01-01T00:00:00Z')
/** The start of all ids of that millisecond. */
const first = '019b76da-a800'

test('an id has version 7 and variant 10, and consists of its time, its count and random bits', () => {
  const ids = Array.from({ length: 100 }, () => createUUIDs().at(start))
  for (const id of ids) expect(id).toMatch(new RegExp(`^${first}-7000-[89ab][\\da-f]{3}-[\\da-f]{12}$`))
  expect(new Set(ids).size).toBe(100)
})

test('ids increase, also with more than 4,096 in a millisecond, and if the clock goes back', () => {
  const ids = createUUIDs()
  const made = Array.from({ length: 10_000 }, () => ids.at(start))
  const later = new Date(start.getTime() + 1000)
  made.push(ids.at(later), ids.at(start))
  expect(made).toEqual(made.toSorted())
  expect(new Set(made).size).toBe(made.length)
  expect([made[1], made[4096], made[10_001]].map((id) => id?.slice(0, 18))).toEqual([
    ...[`${first}-7001`, '019b76da-a801-7000', '019b76da-abe8-7001'],
  ])
})

test.each([
  ['a later one', `${first}-7abc-8000-000000000000`, `${first}-7abd`],
  ['one that a count ends with', `${first}-7fff-8000-000000000000`, '019b76da-a801-7000'],
  ['an earlier one', '0000ffff-ffff-7fff-8000-000000000000', `${first}-7001`],
  ['another version', 'ffffffff-ffff-4fff-8fff-ffffffffffff', `${first}-7001`],
  ['a time that is not an exact number', 'ffffffff-ffff-7fff-8fff-ffffffffffff', `${first}-7001`],
  ['no id', '7', `${first}-7001`],
])('the next id after a known id: %s', (_, known, next) => {
  const ids = createUUIDs()
  ids.at(start)
  ids.continueAfter(known)
  expect(ids.at(start).slice(0, 18)).toBe(next)
})
