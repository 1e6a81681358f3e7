/** A primary is lost, and its standby is promoted at the same IP address: writes succeed again without intervention. */

import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../src/server/store/database.js'
import { migrate } from '../../src/server/store/migrate.js'
import { isThorough } from '../amount.js'
import { freePort, sharedFolder } from './support/backends.js'
import { isDebianInstalled, startDebian, startStandby } from './support/debian.js'
import { createWorld } from './support/world.js'

describe.skipIf(!isThorough || !isDebianInstalled)(
  'two servers of Debian’s PostgreSQL (if CI is set and it is installed)',
  () => {
    const folder = sharedFolder()

    test('a promoted standby at the IP address of the primary accepts writes, and has every acknowledged post once', async () => {
      // A response means that both servers show the row. Without `remote_apply` the standby may not have the tables yet.
      const settings = ['synchronous_standby_names=standby', 'synchronous_commit=remote_apply']
      const primary = await startDebian(folder, await freePort(), settings)
      const standby = await startStandby(folder, primary, await freePort())
      const connection = { connectionString: primary.url }
      const database = await openDatabase({ connection, areStatementsNamed: false, connectionsMax: 8 })
      onTestFinished(() => database.close())
      await migrate(database)
      const here = await createWorld({ database, connection, close: async () => undefined }, folder)
      const bot = await here.bot('First')
      await bot.call('createChat', { name: 'c' })
      const [statuses, acknowledged]: [number[], string[]] = [[], []]
      let isOver = false
      /** Repeats each message until its response. */
      const writing = Array.from({ length: 8 }, async (_, writer) => {
        for (let index = 0; !isOver; index += 1) {
          const body = `${writer}-${index}`
          for (let status = 0; status !== 200 && !isOver; ) {
            status = (await bot.call('postChatMessage', { chat: 'c', body }, { 'idempotency-key': body })).status
            statuses.push(status)
            if (status === 200) acknowledged.push(body)
            await sleep(status === 200 ? 5 : 20)
          }
        }
      })
      await expect.poll(() => statuses.length).toBeGreaterThan(50)
      await primary.kill()
      // First the standby only reads at this IP address, so writes on its connections fail; then it is promoted.
      const promoted = await standby.moveTo(primary.port)
      onTestFinished(() => promoted.stop())
      await expect.poll(() => statuses.at(-1)).toBe(503)
      promoted.promote()
      const before = statuses.length
      await expect.poll(() => statuses.slice(before).filter((status) => status === 200).length).toBeGreaterThan(50)
      isOver = true
      await Promise.all(writing)
      const { rows } = await database.run<{ body: string }>('SELECT body FROM messages')
      const kept = rows.map(({ body }) => body)
      expect(new Set(kept).size).toBe(kept.length)
      expect(acknowledged.filter((body) => !kept.includes(body))).toEqual([])
      expect(new Set(statuses)).toEqual(new Set([200, 503]))
    })
  },
)
