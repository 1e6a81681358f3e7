/** A primary is lost and its standby promoted, at the same IP address: writes succeed again without intervention. */

import { rm } from 'node:fs/promises'
import { connect, createServer, type Server as NetServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { type Database, openDatabase } from '../../src/server/store/database.js'
import { migrate } from '../../src/server/store/migrate.js'
import { isThorough } from '../amount.js'
import { freePort, temporaryFolder } from './support/backends.js'
import { isDebianInstalled, type Server, startDebian, startStandby } from './support/debian.js'
import { type Bot, createWorld, type DatabaseWorld } from './support/world.js'

/** An address that forwards to one server or the other; existing connections keep their server. */
async function openAddress(first: Server): Promise<{ url: string; lead(to: Server): void; close(): void }> {
  let target = first
  const sockets = new Set<Socket>()
  const proxy: NetServer = createServer((client) => {
    const server = connect(target.port, '127.0.0.1')
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.add(one)
      one.on('error', () => other.destroy())
      one.on('close', () => other.destroy())
      one.pipe(other)
    }
  })
  const port = await freePort()
  await new Promise<void>((resolve) => proxy.listen(port, '127.0.0.1', resolve))
  return {
    url: `postgres://blockmark@127.0.0.1:${port}/postgres`,
    lead: (to) => {
      target = to
    },
    close() {
      proxy.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

describe.skipIf(!isThorough || !isDebianInstalled)(
  'two servers of Debian’s PostgreSQL (if CI is set and it is installed)',
  () => {
    let folder = ''
    let primary: Server
    let standby: Server
    let address: Awaited<ReturnType<typeof openAddress>>
    let database: Database
    let here: DatabaseWorld
    let bot: Bot

    beforeEach(async () => {
      folder = await temporaryFolder()
      // A response means that both servers show the row. Without `remote_apply` the standby may not have the tables yet.
      const settings = ['synchronous_standby_names=standby', 'synchronous_commit=remote_apply']
      primary = await startDebian(folder, await freePort(), settings)
      standby = await startStandby(folder, primary, await freePort())
      address = await openAddress(primary)
      database = await openDatabase({
        connection: { connectionString: address.url },
        areStatementsNamed: false,
        connections: 8,
      })
      await migrate(database)
      const backend = { database, connection: { connectionString: address.url }, close: async () => undefined }
      here = await createWorld(backend, folder)
      bot = await here.bot('First')
      await bot.call('createChat', { name: 'c' })
    })

    afterEach(async () => {
      await database.close()
      address.close()
      await primary.kill()
      await standby.stop()
      await rm(folder, { recursive: true, force: true })
    })

    /** Posts until stopped, repeats each message until its response, and returns the acknowledged ones. */
    function write(): { stop(): Promise<string[]>; statuses: number[] } {
      const statuses: number[] = []
      let isOver = false
      const writing = Array.from({ length: 8 }, async (_, writer) => {
        const answered: string[] = []
        for (let index = 0; !isOver; index += 1) {
          const body = `${writer}-${index}`
          for (let status = 0; status !== 200 && !isOver; ) {
            status = (await bot.call('postChatMessage', { chat: 'c', body }, { 'idempotency-key': body })).status
            statuses.push(status)
            if (status === 200) answered.push(body)
            await sleep(status === 200 ? 5 : 20)
          }
        }
        return answered
      })
      return {
        statuses,
        async stop() {
          isOver = true
          return (await Promise.all(writing)).flat()
        },
      }
    }

    const until = (isSo: () => boolean): Promise<void> => expect.poll(isSo).toBe(true)

    test('after a while with the standby only, writes succeed again with the primary', async () => {
      const { statuses, stop } = write()
      onTestFinished(() => stop().then(() => undefined))
      address.lead(standby)
      // Existing connections keep their server until they end.
      await database
        .run('', 'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()', [])
        .catch(() => undefined)
      await until(() => statuses.slice(-8).every((status) => status === 503) && statuses.length > 16)
      address.lead(primary)
      await until(() => statuses.slice(-8).every((status) => status === 200))
      expect(new Set(statuses)).toEqual(new Set([200, 503]))
    })

    test('a promoted standby accepts writes, and has every acknowledged post once', async () => {
      const { statuses, stop } = write()
      await until(() => statuses.length > 50)
      await primary.kill()
      address.lead(standby)
      await until(() => statuses.at(-1) === 503)
      standby.promote()
      const before = statuses.length
      await until(() => statuses.slice(before).filter((status) => status === 200).length > 50)
      const answered = await stop()
      const { rows } = await database.run<{ body: string }>('', 'SELECT body FROM messages WHERE organization = $1', [
        here.organization,
      ])
      const kept = rows.map(({ body }) => body)
      expect(new Set(kept).size).toBe(kept.length)
      expect(answered.filter((body) => !kept.includes(body))).toEqual([])
      expect(new Set(statuses)).toEqual(new Set([200, 503]))
    })
  },
)
