/** UUIDv7: ids are in order, with any clock. */

import { expect, test } from 'vitest'
import { createUUIDs } from '../../src/api/rules/uuid.js'

const start = new Date('2026-01-01T00:00:00Z')
/** The start of all ids of that millisecond. */
const first = '019b76da-a800'

test('an id has version 7 and variant 10, and consists of its time, its count and random bits', () => {
  const id = createUUIDs().at(start)
  expect(id).toMatch(new RegExp(`^${first}-7000-[89ab][\\da-f]{3}-[\\da-f]{12}$`))
  const others = Array.from({ length: 100 }, () => createUUIDs().at(start).slice(19))
  expect(new Set(others).size).toBe(100)
  expect(new Set(others.map((other) => other[0]))).toEqual(new Set(['8', '9', 'a', 'b']))
})

test('ids increase, also within a millisecond, with 4,096 ids in one, and if the clock goes back', () => {
  const ids = createUUIDs()
  const made = Array.from({ length: 10_000 }, () => ids.at(start))
  expect(made).toEqual(made.toSorted())
  expect(new Set(made).size).toBe(made.length)
  expect([made[1], made[4095], made[4096]].map((id) => id?.slice(0, 18))).toEqual([
    `${first}-7001`,
    `${first}-7fff`,
    '019b76da-a801-7000',
  ])
  const later = ids.at(new Date(start.getTime() + 1000))
  const back = ids.at(start)
  expect([later.slice(0, 18), back.slice(0, 18)]).toEqual(['019b76da-abe8-7000', '019b76da-abe8-7001'])
})

test.each([
  ['a later one', `${first}-7abc-8000-000000000000`, `${first}-7abd`],
  ['one that a count ends with', `${first}-7fff-8000-000000000000`, '019b76da-a801-7000'],
  ['an earlier one', '0000ffff-ffff-7fff-8000-000000000000', `${first}-7001`],
  ['the latest itself', `${first}-7000-8000-000000000000`, `${first}-7001`],
  ['another version', 'ffffffff-ffff-4fff-8fff-ffffffffffff', `${first}-7001`],
  ['a time that is not an exact number', 'ffffffff-ffff-7fff-8fff-ffffffffffff', `${first}-7001`],
  ['the last exact number', '01ffffff-ffff-7fff-8000-000000000000', `${first}-7001`],
  ['the one before it', '01ffffff-ffff-7ffe-8000-000000000000', '01ffffff-ffff-7fff'],
  ['an id with something before it', `0${first}-7fff-8000-000000000000`, `${first}-7001`],
  ['no id', '7', `${first}-7001`],
])('the next id after a known id: %s', (_, known, next) => {
  const ids = createUUIDs()
  ids.at(start)
  ids.continueAfter(known)
  expect(ids.at(start).slice(0, 18)).toBe(next)
})
