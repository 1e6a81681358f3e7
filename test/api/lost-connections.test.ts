/** A connection is not used again if its server cannot write or has gone. */

import { Socket } from 'node:net'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type Database, openDatabase } from '../../src/server/store/database.js'
import { type OpenBackend, openEmbedded } from './support/backends.js'

let backend: OpenBackend
let database: Database

beforeAll(async () => {
  backend = await openEmbedded()
  // The pool has a single connection: the next statement uses it again, unless it was discarded.
  database = await openDatabase({ connection: backend.connection, areStatementsNamed: false, connectionsMax: 1 })
})

afterAll(async () => {
  await database.close()
  await backend.close()
})

const pid = async (): Promise<number> =>
  (await database.run<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows[0]?.pid ?? 0

const raising = (code: string, message: string): string =>
  `DO $$BEGIN RAISE EXCEPTION '${message}' USING ERRCODE = '${code}'; END$$`

const lost: Readonly<Record<string, readonly string[]>> = {
  'a standby that answers where the primary was': ['SET TRANSACTION READ ONLY', 'CREATE TABLE x ()'],
  'a server that stops': [raising('57P01', 'terminating connection due to administrator command')],
  'a server that crashed': [raising('57P02', 'terminating connection because of crash')],
  'a connection that broke': [raising('08006', 'connection failure')],
  'a node of a cluster that was lost': [raising('XX000', 'connection to the remote node x:5432 failed')],
  'a connection that is ended': ['SELECT pg_terminate_backend(pg_backend_pid())'],
}

for (const [name, statements] of Object.entries(lost)) {
  test(`${name} is unavailable, and its connection is discarded`, async () => {
    const before = await pid()
    const work = database.transact(async (run) => {
      for (const statement of statements) await run(statement)
    })
    await expect(work).rejects.toMatchObject({ reason: 'unavailable' })
    expect(await pid()).not.toBe(before)
  })
}

test('a connection on which only a statement failed is kept', async () => {
  const failing = [raising('23505', 'duplicate key'), raising('XX000', 'a bug of the service'), 'SELECT 1 / 0']
  for (const statement of failing) {
    const before = await pid()
    await expect(database.transact((run) => run(statement))).rejects.toThrow()
    expect([statement, await pid()]).toEqual([statement, before])
  }
})

test('a connection that breaks while it is being closed is counted once', async () => {
  const sockets: Socket[] = []
  const stream = (): Socket => {
    const socket = new Socket()
    sockets.push(socket)
    return socket
  }
  const counted = await openDatabase({
    connection: { ...backend.connection, stream },
    areStatementsNamed: false,
    connectionsMax: 2,
  })
  onTestFinished(() => counted.close())
  await expect(counted.transact((run) => run(raising('57P01', 'stopping')))).rejects.toThrow()
  sockets[0]?.emit('error', new Error('broken'))
  await expect.poll(() => counted.connections(), { timeout: 10_000 }).toBe(0)
  await counted.run('SELECT 1')
  expect(counted.connections()).toBe(1)
})

test('a transaction that a deadlock ended is repeated, but not forever', async () => {
  let attempts = 0
  const failing = (count: number): Promise<string> =>
    database.transact(async (run) => {
      attempts += 1
      if (attempts <= count) await run(raising(attempts % 2 === 0 ? '40001' : '40P01', 'try again'))
      return 'done'
    })
  expect([await failing(4), attempts]).toEqual(['done', 5])
  attempts = 0
  await expect(failing(5)).rejects.toMatchObject({ reason: 'unavailable' })
  expect(attempts).toBe(5)
})
