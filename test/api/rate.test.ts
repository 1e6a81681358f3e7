/** Rate limits of very many bots: what each may do, and what it costs to remember. */

import { expect, test } from 'vitest'
import { createLimit, createRateLimits, type RateLimits } from '../../src/api/service/rate.js'
import { leastTimeOf } from '../timing.js'

const start = Date.parse('2026-01-01T00:00:00Z')

/** The requests of a bot that are taken before one is refused. */
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
  const limits = createRateLimits(100, 5)
  expect(taken(limits, 'busy', start)).toBe(200)
  for (let bot = 0; bot < 30_000; bot += 1) limits.take(`bot ${bot}`, false, new Date(start))
  expect(taken(limits, 'busy', start)).toBe(0)
  expect(taken(limits, 'busy', start + 1000)).toBe(100)
  // Those that were away long enough have all of theirs again, forgotten or not.
  expect(taken(limits, 'bot 0', start + 2000)).toBe(200)
  expect(taken(limits, 'bot 29999', start + 2000)).toBe(200)
})

test('a charge is of somebody who asked, and of nobody else', () => {
  const limit = createLimit({ name: 'pages', rate: 1, burst: 9 })
  const left = (who: string): string | undefined => limit.take(who, new Date(start))['ratelimit']
  limit.charge('nobody yet', 5)
  expect(left('nobody yet')).toContain(';r=8;')
  limit.charge('nobody yet', 5)
  expect(left('nobody yet')).toContain(';r=2;')
})

test('eight times as many bots at one moment take nothing like 64 times as long', () => {
  const timeOf = (bots: number): number =>
    leastTimeOf(() => {
      const limits = createRateLimits(100, 5)
      for (let bot = 0; bot < bots; bot += 1) limits.take(`bot ${bot}`, false, new Date(start))
    })
  const few = timeOf(15_000)
  expect(timeOf(120_000) / few).toBeLessThan(32)
})
