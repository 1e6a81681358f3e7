/** A file store whose n-th call fails, for every n: acknowledged uploads exist, rejected ones do not, and a retry succeeds. */

import { createHash } from 'node:crypto'
import fs from 'node:fs'
import { readdir } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { StoreError, type StoreFailure } from '../../src/api/store/store.js'
import { createFolderStorage } from '../../src/server/files/folder.js'
import type { ContentStorage } from '../../src/server/files/storage.js'
import { createPostgresStore } from '../../src/server/store/index.js'
import { tidy } from '../../src/server/store/tidy.js'
import { sharedBackend, testFolder, untilLocked } from './support/backends.js'
import { ageFiles, createWorld, type DatabaseWorld, furnish } from './support/world.js'

const { backend } = await sharedBackend()

interface Fault {
  /** The call that fails; 0 for none. */
  at: number
  calls: number
  reason: StoreFailure
}

/** A storage that counts its calls, and fails at one of them. */
function failing(storage: ContentStorage, fault: Fault): ContentStorage {
  const counted = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    fault.calls += 1
    if (fault.calls === fault.at) throw new StoreError(fault.reason)
    return work()
  }
  return {
    async receive(organization, source) {
      const arrived = await counted(() => storage.receive(organization, source))
      return { ...arrived, keep: () => counted(arrived.keep), discard: () => counted(arrived.discard) }
    },
    open: (...given) => counted(() => storage.open(...given)),
    remove: (...given) => counted(() => storage.remove(...given)),
    ready: () => counted(() => storage.ready()),
  }
}

interface Opened {
  readonly world: DatabaseWorld
  readonly contents: ContentStorage
  readonly fault: Fault
  /** Returns the paths of the stored file data. */
  kept(): Promise<string[]>
}

async function open(reason: StoreFailure): Promise<Opened> {
  const folder = await testFolder()
  const fault: Fault = { at: 0, calls: 0, reason }
  const contents = failing(await createFolderStorage(folder), fault)
  const world = await createWorld(backend, folder, { contents })
  const kept = async (): Promise<string[]> => {
    const names = await readdir(`${folder}/${world.organization}`, { recursive: true }).catch(() => [])
    return names.filter((name) => name.includes('/'))
  }
  return { world, contents, fault, kept }
}

async function rowsIn({ database, organization }: DatabaseWorld): Promise<number> {
  const count = 'SELECT count(*)::int AS count FROM files WHERE organization = $1'
  return (await database.run<{ count: number }>(count, [organization])).rows[0]?.count ?? 0
}

describe.each([
  ['unavailable', 'storage_unavailable', '1'],
  ['full', 'storage_full', '60'],
] as const)('%s', (reason, code, seconds) => {
  test('a rejected upload exists once after the same request succeeds', async () => {
    const { world, fault, kept } = await open(reason)
    const bot = await world.bot('First')
    const outcomes: number[] = []
    for (let at = 1; ; at += 1) {
      Object.assign(fault, { at, calls: 0 })
      const [content, key] = [`content ${at}`, { 'idempotency-key': `key ${at}` }]
      const [before, filesBefore] = [await rowsIn(world), (await kept()).length]
      const { status, headers, body } = await bot.upload(content, 'a.txt', key)
      const isReached = fault.calls >= at
      outcomes.push(status)
      fault.at = 0
      if (status === 503) {
        expect([body.error?.code, headers.get('retry-after')]).toEqual([code, seconds])
        // The third call follows the transaction: it checks that the file data was not removed meanwhile.
        const made = at === 3 ? 1 : 0
        expect([at, await rowsIn(world), (await kept()).length]).toEqual([at, before + made, filesBefore + made])
      }
      // After any failure, the repeated request stores the file exactly once.
      expect((await bot.upload(content, 'a.txt', key)).status).toBe(200)
      expect([at, await rowsIn(world)]).toEqual([at, before + 1])
      if (!isReached) break
    }
    // The calls: receive, keep, keep again, discard. A failure to discard does not affect the sender.
    expect(outcomes).toEqual([503, 503, 503, 200, 200])
  })

  test('a file that cannot be opened gets 503 until it can, and so does readiness', async () => {
    const { world, fault } = await open(reason)
    const bot = await world.bot('First')
    for (const path of [(await furnish(bot)).fileURL, '/readyz']) {
      Object.assign(fault, { at: 1, calls: 0 })
      const refused = await world.get(path)
      expect([path, refused.status, refused.headers.get('retry-after')]).toEqual([path, 503, seconds])
      // The service checks its readiness once a second.
      const again = async (): Promise<number> => (await world.get(path)).status
      if (path === '/readyz') await expect.poll(again).toBe(200)
      else expect([path, await again()]).toEqual([path, 200])
    }
  })

  test('a file that could not be removed stays as it was, and is removed the next time', async () => {
    const { world, contents, fault, kept } = await open(reason)
    const bot = await world.bot('First')
    await bot.file('not shown')
    await ageFiles(world)
    Object.assign(fault, { at: 1, calls: 0 })
    await expect(tidy(world.database, contents)).rejects.toThrow()
    expect([await rowsIn(world), (await kept()).length]).toEqual([1, 1])
    expect(await tidy(world.database, contents)).toBe(true)
    expect([await rowsIn(world), (await kept()).length]).toEqual([0, 0])
  })
})

test.each<[time: string, receive: ContentStorage['receive']]>([
  ['at once', () => fail()],
  ['before the data', async () => fail()],
  [
    'in the data',
    async (_, source) => {
      for await (const _part of source) fail()
      return fail()
    },
  ],
])('an unexpected failure of an upload is 500: %s', async (_, receive) => {
  const folder = await testFolder()
  const contents = { ...(await createFolderStorage(folder)), receive }
  const { upload } = await (await createWorld(backend, folder, { contents })).bot('First')
  for (const content of ['x', 'x'.repeat(900_000)]) {
    expect(await upload(content)).toMatchObject({ status: 500, body: { error: { code: 'internal' } } })
  }
})

function fail(): never {
  throw new TypeError('a fault of the server')
}

test('tidying waits for an upload of the same content, and leaves the content to it', async () => {
  const folder = await testFolder()
  const contents = await createFolderStorage(folder)
  const here = await createWorld(backend, folder, { contents })
  const bot = await here.bot('First')
  await bot.file('the same')
  const hash = createHash('sha256').update('the same').digest('hex')
  await ageFiles(here)
  let tidying = Promise.resolve(false)
  await createPostgresStore(here.database).write(here.organization, async (rows) => {
    await rows.addFile({
      ...{ hash, size: 8, mediaType: 'text/plain', name: 'a', uploaderID: bot.userID, createdAt: new Date() },
      ...{ width: null, height: null },
    })
    tidying = tidy(here.database, contents)
    await untilLocked(here.database)
  })
  expect([await tidying, await rowsIn(here)]).toEqual([true, 1])
  const content = await contents.open(here.organization, hash, null)
  expect(await new Response(content).text()).toBe('the same')
})

test('file data is flushed to the disk before it gets its name; then its name and new folders are', async () => {
  const folder = await testFolder()
  const contents = await createFolderStorage(folder)
  const hash = createHash('sha256').update('kept').digest('hex')
  const path = join(folder, 'organization', hash.slice(0, 2), hash)
  const synced: [kind: string, isNamed: boolean][] = []
  const { fsync } = fs
  const spy = vi.spyOn(fs, 'fsync').mockImplementation((descriptor, done) => {
    const kind = fs.fstatSync(descriptor).isDirectory() ? fs.readlinkSync(`/proc/self/fd/${descriptor}`) : 'content'
    synced.push([kind, fs.existsSync(path)])
    fsync(descriptor, done)
  })
  // The file storage imports the function by its name.
  syncBuiltinESMExports()
  onTestFinished(() => {
    spy.mockRestore()
    syncBuiltinESMExports()
  })
  const arrived = await contents.receive('organization', Readable.from([Buffer.from('kept')]))
  expect(synced).toEqual([['content', false]])
  await arrived.keep()
  const parents = [dirname(path), dirname(dirname(path)), folder]
  expect(synced.slice(1)).toEqual(parents.map((each) => [each, true]))
})
