/** Rate limits of very many bots: their requests, and the cost of the buckets. */

import { expect, test } from 'vitest'
import { ApiError } from '../../src/api/contract/errors.js'
import { RateLimits } from '../../src/api/rules/rate.js'

const start = Date.parse('2026-01-01T00:00:00Z')

/** Counts the requests of a bot before one is rejected. */
function taken(limits: RateLimits, bot: string, at: number): number {
  for (let count = 0; ; count += 1) {
    try {
      limits.take(bot, false, new Date(at))
    } catch {
      return count
    }
  }
}

test('a bot that used up its requests is not forgotten, however many others come meanwhile', () => {
  const limits = new RateLimits(100, 5)
  expect(taken(limits, 'busy', start)).toBe(200)
  for (let bot = 0; bot < 30_000; bot += 1) limits.take(`bot ${bot}`, false, new Date(start))
  expect(taken(limits, 'busy', start)).toBe(0)
  for (let bot = 0; bot < 30_000; bot += 1) limits.take(`bot ${bot}`, false, new Date(start + 100))
  expect(taken(limits, 'busy', start + 100)).toBe(10)
  expect(taken(limits, 'busy', start + 1100)).toBe(100)
  // After two seconds every bucket is full again, whether the limiter still stores the bot or not.
  expect(taken(limits, 'bot 0', start + 2000)).toBe(200)
  expect(taken(limits, 'bot 29999', start + 2000)).toBe(200)
})

test('a bot within its limits keeps its tokens if the clock is set back by seconds', () => {
  const limits = new RateLimits(100, 5)
  limits.take('one', false, new Date(start + 12_000))
  // 50 requests a second
  for (let at = 0; at < 12_000; at += 20) limits.take('one', false, new Date(start + at))
})

test('the cost of a bot’s requests is limited to one second per second, besides their number', () => {
  const limits = new RateLimits(100, 5)
  const waits = (at: number): unknown => {
    try {
      return limits.take('one', false, new Date(start + at)) && 0
    } catch (error) {
      return error instanceof ApiError ? error.headers['retry-after'] : error
    }
  }
  expect(waits(0)).toBe(0)
  for (let count = 0; count < 100; count += 1) limits.charge('one', new Date(start), 9)
  limits.charge('one', new Date(start), 1000)
  // The cost of a long list is charged in parts.
  limits.charge('one', new Date(start), 1500, 1000)
  expect(waits(0)).toBe(0)
  limits.charge('one', new Date(start), 2000, 1000)
  expect([waits(0), waits(490), waits(510)]).toEqual(['1', '1', 0])
  limits.charge('one', new Date(start), 60_000)
  expect([waits(600), waits(3600)]).toEqual(['3', 0])
})
