/** A shard that does not respond, a server that is down, clocks that differ: simulated, without a cluster. */

import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { StoreError } from '../../src/api/store/store.js'
import { openBackend } from '../../src/server/backend.js'
import { type Config, ConfigError, readConfig } from '../../src/server/config.js'
import { createOperations } from '../../src/server/operation-pages.js'
import { createFirstKey } from '../../src/server/operator/keys.js'
import { organizations } from '../../src/server/operator/organizations.js'
import { type Database, openDatabase, type Run, STATEMENT_MILLISECONDS } from '../../src/server/store/database.js'
import { createPostgresStore } from '../../src/server/store/index.js'
import { dataFolder, sharedBackend } from './support/backends.js'
import { createWorld, SITE } from './support/world.js'

/** Waits with `setTimeout`, which fake timers replace. */
const sleep = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))

const CONNECTIONS = 20

/** A cluster of two servers with one pool. Organizations whose name begins with `b` are on the second server. */
class Cluster {
  isHung = false
  /** Statements that waited for the second server. */
  waited = 0
  #open = 0
  readonly #waiting: (() => void)[] = []

  readonly database: Database = {
    run: ((text: string, values: readonly unknown[] = []) => this.#connected(() => this.#answer(text, values))) as Run,
    transact: (work) =>
      this.#connected(() =>
        work(((text: string, values: readonly unknown[] = []) => this.#answer(text, values)) as Run),
      ),
    onOwnConnection: () => Promise.reject(new Error('exports are not simulated')),
    connectionsMax: CONNECTIONS,
    connections: () => this.#open,
    close: async () => undefined,
  }

  async #connected<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#open >= CONNECTIONS) {
      let isLate = false
      const free = new Promise<void>((resolve) => this.#waiting.push(resolve))
      await Promise.race([free, sleep(200).then(() => (isLate = true))])
      if (isLate) throw new StoreError('unavailable', new Error('timeout exceeded when trying to connect'))
    }
    this.#open += 1
    try {
      return await work()
    } finally {
      this.#open -= 1
      this.#waiting.shift()?.()
    }
  }

  async #answer(text: string, values: readonly unknown[]): Promise<{ rows: unknown[]; count: number }> {
    const rows = (...found: object[]): { rows: unknown[]; count: number } => ({ rows: found, count: found.length })
    if (text.includes('to_regclass')) return rows({ found: true })
    if (text.includes('FROM pg_dist_partition')) return rows({ name: 'organizations', method: 'h' })
    const isSecond = String(values[0]).startsWith('b')
    if (text.includes('get_shard_id')) return rows({ name: isSecond ? 'second:5432' : 'first:5432' })
    await sleep(5)
    if (!isSecond || !this.isHung) return rows({ id: '1' })
    this.waited += 1
    await sleep(STATEMENT_MILLISECONDS)
    throw new StoreError('unavailable', new Error('no response'))
  }
}

describe('a server of a cluster that hangs', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  test('makes only the requests of its own organizations fail', async () => {
    const cluster = new Cluster()
    const store = createPostgresStore(cluster.database)
    const post = (organization: string): Promise<number> =>
      store
        .write(organization, (rows) => rows.thread('1', '2'))
        .then(
          () => 200,
          () => 503,
        )
    const posts = async (names: readonly string[], milliseconds: number): Promise<Set<number>[]> => {
      const statuses = names.map((): Promise<number>[] => [])
      for (let passed = 0; passed < milliseconds; passed += 15) {
        for (const [index, name] of names.entries()) statuses[index]?.push(post(`${name}${(passed / 15) % 21}`))
        await vi.advanceTimersByTimeAsync(15)
      }
      await vi.advanceTimersByTimeAsync(2 * STATEMENT_MILLISECONDS)
      return Promise.all(statuses.map(async (each) => new Set(await Promise.all(each))))
    }
    expect(await posts(['a', 'b'], 100)).toEqual([new Set([200]), new Set([200])])
    cluster.isHung = true
    expect(await posts(['a', 'b'], 3 * STATEMENT_MILLISECONDS)).toEqual([new Set([200]), new Set([503])])
    // Of 1,000 requests to the second server, only those wait that arrive before the first one times out.
    expect(cluster.waited).toBeLessThan(CONNECTIONS)
    cluster.isHung = false
    await vi.advanceTimersByTimeAsync(3000)
    expect(await posts(['b'], 15)).toEqual([new Set([200])])
    expect(await posts(['b'], 100)).toEqual([new Set([200])])
  })
})

const { backend, folder } = await sharedBackend()

describe('on PostgreSQL', () => {
  /** A database whose statements to all shards fail, as in a cluster with a server that is down. */
  const away = (database: Database): Database => ({
    ...database,
    async run(text, values) {
      const rows = (...found: object[]): { rows: never[]; count: number } => ({ rows: found as never[], count: 1 })
      if (text.includes('to_regclass(')) return rows({ found: true })
      if (text.includes('FROM pg_dist_partition')) return rows({ name: 'organizations', method: 'h' })
      if (text.includes('run_command_on_shards')) {
        return rows(
          { found: [] },
          { found: [{ organization: 'x', name: 'z' }] },
          { found: [{ organization: 'y', name: 'a' }] },
        )
      }
      if (/FROM (?:organizations|threads|chats|messages)\b(?![\s\S]*organization = \$1)/.test(text)) {
        throw new StoreError('unavailable', new Error('connection to the remote node failed'))
      }
      return database.run(text, values)
    },
  })

  test('a server starts while a shard is down, and the operator sees the other shards’ organizations', async () => {
    const here = await createWorld(backend, folder)
    expect((await organizations(away(backend.database).run)).map(({ name }) => name)).toEqual(['a', 'z'])
    expect(await createFirstKey(away(backend.database), SITE)).toBeNull()
    const bot = await here.bot('First')
    expect((await bot.get('ping')).status).toBe(200)
  })

  test('the clock of the database is compared with the clock of the process', async () => {
    const off = (milliseconds: number): Run =>
      (async (text: string, values?: readonly unknown[]) => {
        const { rows, count } = await backend.database.run<{ now: Date }>(text, values)
        return { rows: rows.map((row) => ({ ...row, now: new Date(row.now.getTime() + milliseconds) })), count }
      }) as Run
    const readyz = async (milliseconds: number): Promise<string> => {
      const store = createPostgresStore(backend.database, { ...backend.database, run: off(milliseconds) })
      const contents = { ready: async () => undefined }
      const answer = await createOperations({ store, contents, siteUrl: SITE } as never)['/readyz']?.()
      return String(answer?.body)
    }
    expect(await readyz(0)).toBe('ready\n')
    expect(await readyz(-60_000)).toMatch(/^ready\nthe clock of this server is \d\d\.\d s ahead of the database's/)
  })

  test('a request’s statement may take five seconds; after that, its organization is rejected at once', async () => {
    const database = await openDatabase({ connection: backend.connection, areStatementsNamed: true, connectionsMax: 2 })
    onTestFinished(() => database.close())
    let count = 0
    const sleeping: Database = {
      ...database,
      transact: () => {
        count += 1
        return database.transact((run) => run('SELECT pg_sleep(600)').then(() => undefined as never))
      },
    }
    const store = createPostgresStore(sleeping)
    const refused = (): Promise<void> =>
      expect(store.write('a', async () => 1)).rejects.toMatchObject({ reason: 'unavailable' })
    await refused()
    await refused()
    expect(count).toBe(1)
    const another = createPostgresStore(database)
    expect(await another.write('b', async () => 1)).toBe(1)
    // The embedded server cancels the statement, too.
    const running = `SELECT FROM pg_stat_activity WHERE query LIKE '%pg_sleep(600)%' AND state = 'active' AND pid <> pg_backend_pid()`
    await expect.poll(async () => (await backend.database.run(running)).count).toBe(0)
  })

  test('DATABASE_CONNECTIONS raises the limit of the embedded server; another server must allow as many', async () => {
    const config = (data: string, more: Record<string, string>): Config =>
      readConfig({ DATA: data, LOG_LEVEL: 'silent', ...more })
    const own = await openBackend(config(await dataFolder(join(folder, 'own')), { DATABASE_CONNECTIONS: '200' }))
    const most = `SELECT current_setting('max_connections')::int AS most`
    expect((await own.database.run<{ most: number }>(most)).rows[0]?.most).toBeGreaterThan(200)
    await own.close()
    const { host } = backend.connection
    const databaseUrl = `postgres://blockmark@/postgres?host=${encodeURIComponent(host ?? '')}`
    const other = config(folder, { DATABASE_CONNECTIONS: '1000' })
    const another = openBackend({ ...other, databaseUrl })
    await expect(another).rejects.toThrow(
      /^DATABASE_CONNECTIONS=1000: the PostgreSQL server allows at most \d\d\d; raise its max_connections$/,
    )
    await expect(another).rejects.toBeInstanceOf(ConfigError)
  })

  test('the check of readiness has its own connection, which no request uses', async () => {
    const open = (connectionsMax: number): Promise<Database> =>
      openDatabase({ connection: backend.connection, areStatementsNamed: true, connectionsMax })
    const [requests, probe] = [await open(2), await open(1)]
    onTestFinished(async () => {
      await Promise.all([requests.close(), probe.close()])
    })
    const store = createPostgresStore(requests, probe)
    let end: () => void = () => undefined
    const held = new Promise<void>((resolve) => {
      end = resolve
    })
    let begun = 0
    const holding = [1, 2].map((count) =>
      store.write(`${count}`, () => {
        begun += 1
        return held
      }),
    )
    await expect.poll(() => begun).toBe(2)
    await expect(store.ready()).resolves.toMatchObject({ isReadOnly: false })
    // All connections are in use until `end()`, so this request gives up after two seconds.
    await expect(store.write('3', async () => 1)).rejects.toMatchObject({ reason: 'unavailable' })
    end()
    await Promise.all(holding)
  })
})
