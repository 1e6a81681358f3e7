/** Tests for a cluster of servers (Citus), besides those that run on every database. */

import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createFolderStorage } from '../../src/server/files/folder.js'
import { createBotKey, listKeys, revokeKey } from '../../src/server/operator/keys.js'
import { removeOrganization } from '../../src/server/operator/organizations.js'
import { exportTo, importFrom, readManifest } from '../../src/server/operator/transfer.js'
import { type Database, openDatabase } from '../../src/server/store/database.js'
import { migrate } from '../../src/server/store/migrate.js'
import { sql } from '../../src/server/store/sql.js'
import { distributeTables, freePort, openEmbedded, sharedFolder } from './support/backends.js'
import { type Cluster, declaredTables, startCitus } from './support/citus.js'
import { citusPrograms } from './support/programs.js'
import { type Bot, createWorld, type DatabaseWorld, furnish, SITE } from './support/world.js'

describe.skipIf(citusPrograms() === null)('on Citus (no Citus, no CITUS_PROGRAMS)', () => {
  const folder = sharedFolder()
  let cluster: Cluster
  let database: Database

  beforeAll(async () => {
    cluster = await startCitus(folder, [await freePort(), await freePort(), await freePort()])
    database = await openDatabase({
      connection: { connectionString: cluster.url },
      ...{ areStatementsNamed: false, connectionsMax: 20, isPatient: true },
    })
    await migrate(database)
    await distributeTables(database)
  })

  afterAll(async () => {
    await database.close()
    await cluster.stop()
  })

  /** An organization in the cluster. */
  const world = (files = folder): Promise<DatabaseWorld> =>
    createWorld({ database, connection: { connectionString: cluster.url }, close: async () => undefined }, files)
  const ask = async (question: string, values: readonly unknown[] = []): Promise<Record<string, unknown>[]> =>
    (await database.run(question, values)).rows

  test('the README’s commands distribute every table', async () => {
    const found = await ask(`SELECT logicalrelid::text AS name, partmethod AS method FROM pg_dist_partition ORDER BY 1`)
    const { distributed, onEveryServer } = await declaredTables()
    const expected = [
      ...distributed.map((name) => ({ name, method: 'h' })),
      ...onEveryServer.map((name) => ({ name, method: 'n' })),
    ]
    expect(found).toEqual(expected.toSorted((one, other) => (one.name < other.name ? -1 : 1)))
  })

  test('an export of a single server is imported, and its URLs work', async () => {
    const single = await openEmbedded()
    onTestFinished(() => single.close())
    const here = await createWorld(single, join(folder, 'single'))
    const bot = await here.bot('First')
    const fileID = await bot.file('a file')
    await bot.call('createChannel', { name: 'c' })
    const blocks = [`<!${fileID}|>`, 'from **one** server']
    const { threadURL } = await bot.make('postThread', { channel: 'c', blocks })
    const from = join(folder, 'moved')
    await exportTo(single.database, await createFolderStorage(join(folder, 'single')), null, from)
    const files = await createFolderStorage(join(folder, 'cluster'))
    await importFrom(database, files, from, await readManifest(from))
    const there = await world(join(folder, 'cluster'))
    const page = await there.fetch(new Request(threadURL))
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('from <strong>one</strong> server')])
  })

  test('a post is a transaction on one server, and no transaction is prepared', async () => {
    const here = await world()
    const bot = await here.bot('First')
    await bot.call('createChannel', { name: 'c' })
    const prepared = async (): Promise<unknown> =>
      (await ask('SELECT count(*)::int AS count FROM pg_dist_transaction'))[0]
    const before = await prepared()
    for (let count = 0; count < 5; count += 1) {
      const { threadID } = (
        await bot.call('postThread', { channel: 'c', blocks: ['x'] }, { 'idempotency-key': `${count}` })
      ).body.result
      expect((await bot.call('postComment', { threadID, blocks: ['x'] })).status).toBe(200)
    }
    expect(await prepared()).toEqual(before)
  })

  test('a list queries one server', async () => {
    const organization = crypto.randomUUID()
    const plans = { channels: ['1', '0', 10], users: ['0', 10], filesSeen: [['1'], '1'], threads: ['1', '9', 10, 1000] }
    for (const [name, values] of Object.entries(plans)) {
      const text = sql[name as keyof typeof sql]
      const plan = await ask(`EXPLAIN ${text}`, [organization, ...values])
      expect([
        name,
        plan.map((row) => Object.values(row)[0]).find((line) => String(line).includes('Task Count')),
      ]).toEqual([name, '  Task Count: 1'])
    }
  })

  test('a removed organization leaves no rows on any server', async () => {
    const here = await world()
    await furnish(await here.bot('First'))
    await removeOrganization(database, await createFolderStorage(folder), here.organization)
    for (const table of ['organizations', 'users', 'api_keys', 'channels', 'threads', 'comments', 'messages', 'files'])
      expect([table, await ask(`SELECT 1 FROM ${table} WHERE organization = $1`, [here.organization])]).toEqual([
        table,
        [],
      ])
  })

  test('if a server is lost, only its organizations stop, and their responses say when to try again', async () => {
    const all: { readonly bot: Bot; readonly organization: string }[] = []
    for (let count = 0; count < 16; count += 1) {
      const here = await world()
      const bot = await here.bot('First')
      await bot.call('createChannel', { name: 'c' })
      all.push({ bot, organization: here.organization })
    }
    await cluster.workers[0]?.kill()
    const statuses = new Set<number>()
    for (const { bot, organization } of all) {
      const reply = await bot.call('postThread', { channel: 'c', blocks: ['x'] }, { 'idempotency-key': 'k' })
      statuses.add(reply.status)
      if (reply.status === 503) expect(reply.headers.get('retry-after')).toMatch(/^\d+$/)
      if (reply.status !== 200) continue
      const [key] = await listKeys(database.run, organization)
      await revokeKey(database.run, organization, key?.id ?? '')
      expect((await bot.get('ping')).status).toBe(401)
    }
    expect([...statuses].toSorted()).toEqual([200, 503])
    expect(
      await createBotKey(database.run, { organization: 'x', bot: 'x', siteUrl: SITE }).catch(() => 'refused'),
    ).toBe('refused')
  })
})
