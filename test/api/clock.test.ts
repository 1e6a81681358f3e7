/** A clock that jumps: messages stay in their order, and no request waits for a future time. */

import { expect, test } from 'vitest'
import { Limit } from '../../src/api/rules/rate.js'
import { SIGN_IN_POLICY } from '../../src/server/http/app.js'
import { sharedBackend } from './support/backends.js'
import { createWorld } from './support/world.js'

const YEAR = 365 * 24 * 3_600_000
const { backend, folder } = await sharedBackend()

test('after failed sign-ins with a clock a year ahead, signing in is possible when the clock is right', () => {
  const limit = new Limit(SIGN_IN_POLICY)
  const at = (time: string): unknown => limit.take('203.0.113.7', new Date(time))
  for (let count = 0; count < 10; count += 1) at('2027-01-01T00:00:00Z')
  expect(() => at('2027-01-01T00:00:01.500Z')).toThrow('try again in 5 s')
  expect(() => at('2026-01-01T00:00:00Z')).toThrow('try again in 5 s')
  expect(() => at('2026-01-01T00:00:06Z')).not.toThrow()
})

test('a clock that jumps a year ahead and back changes no order, idempotency key or permission', async () => {
  let ahead = 0
  const now = (): Date => new Date(Date.now() + ahead)
  const { make, call } = await (await createWorld(backend, folder, { now, rateLimit: 100 })).bot('First')
  const { chatID } = await make('createChat', { name: 'c' })
  const said: string[] = []
  const say = async (body: string): Promise<void> => {
    const reply = await call('postChatMessage', { chatID, body }, { 'idempotency-key': body })
    expect([body, reply.status]).toEqual([body, 200])
    const { chatMessageID } = reply.body.result
    if (reply.headers.has('idempotent-replayed')) expect(said).toContain(chatMessageID)
    else said.push(chatMessageID)
  }
  for (const [index, jump] of [0, YEAR, 0, -YEAR, 60_000, 0].entries()) {
    ahead = jump
    for (let count = 0; count < 30; count += 1) await say(`${index}-${count}`)
  }
  expect(said).toEqual(said.toSorted())
  // The age of stored responses is measured by the database's clock, even if their date is in the future.
  for (const index of [0, 1, 2, 5]) await say(`${index}-0`)
  expect(said).toHaveLength(180)
})
