/** Any faults in any order: every successful post exists once, and every failed one has a reason. */

import fc from 'fast-check'
import { afterEach, expect, test, vi } from 'vitest'
import { BlockmarkApiError } from '../../src/api/client/index.js'
import { seeded } from '../properties/property.js'
import { createWaitingPair } from './support.js'

afterEach(() => {
  vi.useRealTimers()
})

type Fault = readonly [kind: 'none' | 'response' | 'request' | 'failed', status: number]

const fault: fc.Arbitrary<Fault> = fc.tuple(
  fc.constantFrom('none', 'response', 'request', 'failed'),
  fc.constantFrom(429, 500, 502, 503, 504, 409, 401, 422),
)

test('every post that succeeds exists once, and no post exists twice', async () => {
  vi.useFakeTimers()
  const given = fc.record({
    faults: fc.array(fault, { maxLength: 30 }),
    retryFor: fc.constantFrom(0, 500, 30_000),
    rateLimit: fc.constantFrom(0, 2, 50),
    delay: fc.constantFrom(0, 10, 2_000),
    posts: fc.integer({ min: 1, max: 8 }),
    atOnce: fc.boolean(),
  })
  await fc.assert(
    fc.asyncProperty(given, async ({ faults, retryFor, rateLimit, delay, posts, atOnce }) => {
      const { bot, service } = createWaitingPair({ retryFor, timeout: 1_000 }, { rateLimit })
      for (const [kind, status] of faults) {
        if (kind === 'failed') service.fail(status)
        else if (kind === 'none') service.lose(0, { after: 1 })
        else service.lose(1, { of: kind })
      }
      service.delay(delay)
      const work = async (index: number): Promise<string | null> => {
        const posted = bot.postThread({ channel: 'c', blocks: [`post ${index}`] })
        return posted.then(
          ({ threadID }) => threadID,
          (error) => {
            expect(error).toBeInstanceOf(BlockmarkApiError)
            return null
          },
        )
      }
      const all = (async () => {
        if (atOnce) return Promise.all(Array.from({ length: posts }, (_, index) => work(index)))
        const ids: (string | null)[] = []
        for (let index = 0; index < posts; index += 1) ids.push(await work(index))
        return ids
      })()
      await vi.runAllTimersAsync()
      const ids = await all
      const texts = service.threads.map(({ text }) => text)
      expect(new Set(texts).size).toBe(texts.length)
      ids.forEach((id, index) => {
        if (id === null) return
        expect(service.threads.find(({ threadID }) => threadID === id)?.text).toBe(`post ${index}`)
      })
      expect(vi.getTimerCount()).toBe(0)
    }),
    { numRuns: 150, ...seeded },
  )
})
