/** No acknowledged post is ever lost, with any process killed at any time. */

import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { startEmbedded } from '../../src/server/embedded/index.js'
import { isThorough } from '../amount.js'
import { freePort, testFolder } from './support/backends.js'
import { postgresOf, startServer } from './support/server.js'

const WRITERS = 8
const environment: { KILLS?: string } = process.env
/** The number of kills. `KILLS=50` is for an idle machine. */
const ROUNDS = Number(environment.KILLS ?? (isThorough ? 6 : 3))

test('server and database are killed in rounds while eight write: every acknowledged post exists exactly once', async () => {
  const folder = join(await testFolder(), 'data')
  const start = async (): Promise<Awaited<ReturnType<typeof startServer>>> => startServer({ DATA: folder, PORT: port })
  const port = String(await freePort())
  const first = await start()
  let server = first
  let isOver = false
  onTestFinished(() => {
    isOver = true
  })
  /** Calls an endpoint; false if there is no response, or an error. */
  const call = async (name: string, body: object, key: string): Promise<boolean> => {
    try {
      const answer = await first.call(name, body, { 'idempotency-key': key })
      return answer.status === 200 && (await answer.text()) !== ''
    } catch {
      return false
    }
  }
  expect(await call('createChat', { name: 'crash' }, 'chat')).toBe(true)
  const acknowledged: string[] = []
  /** Posts one message after the other, each with its own idempotency key, and repeats it until there is a response. */
  const writing = Array.from({ length: WRITERS }, async (_, writer) => {
    for (let index = 0; !isOver; index += 1) {
      const body = `${writer}-${index}`
      while (!isOver) {
        if (await call('postChatMessage', { chat: 'crash', body }, body)) {
          acknowledged.push(body)
          break
        }
        await sleep(20)
      }
    }
  })
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = acknowledged.length
    // Each kill interrupts writes: the server has just acknowledged 50.
    await expect.poll(() => acknowledged.length).toBeGreaterThan(before + 50)
    const kills = ['server', 'database', 'both'][round % 3]
    if (kills !== 'server') process.kill(postgresOf(folder), 'SIGKILL')
    if (kills !== 'database') {
      server.child.kill('SIGKILL')
      await server.ended
      server = await start()
    }
    const isBack = (): Promise<boolean> => call('createChat', { name: 'x' }, `round ${round}`)
    await expect.poll(isBack, { message: `round ${round}: ${kills}` }).toBe(true)
  }
  const before = acknowledged.length
  await expect.poll(() => acknowledged.length).toBeGreaterThan(before + 50)
  isOver = true
  await Promise.all(writing)
  await server.stop()
  const embedded = await startEmbedded(folder)
  const client = new pg.Client({ ...embedded.address })
  await client.connect()
  const { rows } = await client.query<{ body: string }>('SELECT body FROM messages')
  await client.end()
  await embedded.stop()
  const kept = rows.map(({ body }) => body)
  const distinct = new Set(kept)
  const [lost, twice] = [acknowledged.filter((body) => !distinct.has(body)), kept.length - distinct.size]
  console.log(`${ROUNDS} kills, ${acknowledged.length} messages answered, ${kept.length} rows`)
  expect([lost, twice]).toEqual([[], 0])
  expect(acknowledged.length).toBeGreaterThan(100)
})
