/** The embedded PostgreSQL: finding, starting, adopting and restarting it, and never two at once. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, statSync } from 'node:fs'
import { chmod, mkdir, readdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { build } from 'esbuild'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { openBackend } from '../../src/server/backend.js'
import { type Account, accountFor } from '../../src/server/embedded/account.js'
import { findBinaries } from '../../src/server/embedded/binaries.js'
import { ensureCluster } from '../../src/server/embedded/cluster.js'
import { type Embedded, hasRoomForSocket, startEmbedded } from '../../src/server/embedded/index.js'
import { findPostmaster, isAlive, stopPostmaster } from '../../src/server/embedded/postmaster.js'
import { temporaryFolder } from './support/backends.js'

let folder = ''
const running: Embedded[] = []

beforeEach(async () => {
  folder = await temporaryFolder()
})

afterEach(async () => {
  for (const embedded of running.splice(0)) await embedded.stop()
  await rm(folder, { recursive: true, force: true })
})

async function start(data = folder): Promise<Embedded> {
  const embedded = await startEmbedded(data)
  running.push(embedded)
  return embedded
}

async function ask(embedded: Embedded, question: string): Promise<string> {
  const client = new pg.Client({ ...embedded.address })
  await client.connect()
  try {
    return String(Object.values((await client.query(question)).rows[0])[0])
  } finally {
    await client.end()
  }
}

test('a real PostgreSQL 18 runs in an empty folder, unprivileged, on a socket that only its user can open', async () => {
  const embedded = await start()
  expect(await ask(embedded, 'SHOW server_version')).toMatch(/^18\./)
  expect(await ask(embedded, 'SHOW listen_addresses')).toBe('')
  expect(await ask(embedded, 'SHOW fsync')).toBe('on')
  const cluster = statSync(join(folder, 'postgres'))
  expect(cluster.mode & 0o777).toBe(0o700)
  const status = await readFile(`/proc/${embedded.pid}/status`, 'utf8')
  expect(status).not.toMatch(/^Uid:\s+0\b/m)
  expect(await readdir(folder)).toEqual(['postgres', 'postgres.log', 'postgres.users'])
  await embedded.stop()
  expect(isAlive(embedded.pid)).toBe(false)
})

test('it works below a folder that its user cannot open, and in a path that is too long for a socket', async () => {
  const data = join(folder, 'closed', 'long-'.repeat(30))
  await mkdir(join(folder, 'closed'), { mode: 0o700 })
  expect(await ask(await start(data), 'SELECT 1')).toBe('1')
})

test.each([
  ['Linux', 107, undefined],
  ['macOS', 103, 103],
])('the folder of the socket is one whose path fits: on %s %i bytes', (_, bytesMax, given) => {
  const folder = (bytes: number): string => `/${'ü'.repeat(20)}${'x'.repeat(bytes - 41)}`
  const room = bytesMax - '/.s.PGSQL.5432'.length
  expect([room - 1, room, room + 1].map((bytes) => hasRoomForSocket(folder(bytes), given))).toEqual([true, true, false])
})

test('rows survive a stop and a start', async () => {
  const first = await start()
  await ask(first, 'CREATE TABLE kept AS SELECT 7 AS value').catch(() => undefined)
  await first.stop()
  expect(await ask(await start(), 'SELECT value FROM kept')).toBe('7')
})

test('waits for a server that is already starting', async () => {
  const first = await start()
  const lock = join(folder, 'postgres/postmaster.pid')
  const ready = await readFile(lock, 'utf8')
  await writeFile(lock, ready.replace('ready', 'starting'))
  let isThere = false
  const second = start().then((embedded) => {
    isThere = true
    return embedded
  })
  await sleep(200)
  expect(isThere).toBe(false)
  await writeFile(lock, ready)
  expect(await second).toMatchObject({ pid: first.pid, wasRunning: true })
})

test('a server that ends before it is ready is started again', async () => {
  await (await start()).stop()
  const settings = join(folder, 'postgres/postgresql.conf')
  const right = await readFile(settings, 'utf8')
  await writeFile(settings, `${right}\nno setting\n`)
  const starting = start()
  while (!/contains errors/.test(await readFile(join(folder, 'postgres.log'), 'utf8'))) await sleep(10)
  await writeFile(settings, right)
  expect(await ask(await starting, 'SELECT 1')).toBe('1')
})

test('the log of the server starts again if it is large', async () => {
  const log = join(folder, 'postgres.log')
  await writeFile(log, 'x'.repeat(11_000_000))
  await start()
  expect(statSync(log).size).toBeLessThan(1_000_000)
})

test('a server that is gone is stopped, and one that does not end is left alone', async () => {
  expect(await stopPostmaster(999_999_999, 0)).toBe(true)
  const stubborn = spawn('/bin/sh', ['-c', 'trap "" INT; echo ready; sleep 60 & wait'], {
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  })
  await once(stubborn.stdout, 'data')
  expect(await stopPostmaster(stubborn.pid ?? 0, 20)).toBe(false)
  process.kill(-(stubborn.pid ?? 0), 'SIGKILL')
})

/** The account of this process. */
const own: Account = { uid: process.geteuid?.() ?? 0, gid: process.getegid?.() ?? 0, switches: false, identity: {} }

test('a user other than root runs PostgreSQL itself', () => {
  const effective = vi.spyOn(process, 'geteuid').mockReturnValue(1000)
  expect(accountFor([folder])).toEqual({ uid: 1000, gid: process.getegid?.(), switches: false, identity: {} })
  effective.mockRestore()
})

test('a cluster that cannot be created reports the reason of initdb', async () => {
  const initdb = join(folder, 'initdb')
  const complaint = async (script: string): Promise<unknown> => {
    await writeFile(initdb, `#!/bin/sh\n${script}\n`, { mode: 0o755 })
    return ensureCluster(join(folder, 'cluster'), { initdb, postgres: '', major: '18' }, own).catch(String)
  }
  expect(await complaint('echo "initdb: error: no space" >&2; echo "tidied up" >&2; exit 1')).toBe(
    'Error: initdb failed: initdb: error: no space',
  )
  expect(await complaint('echo strange >&2; exit 1')).toBe('Error: initdb failed: strange')
  expect(await complaint('exit 3')).toBe('Error: initdb failed: exit code 3')
  expect(await readdir(folder)).toEqual(['initdb'])
})

describe('the programs of PostgreSQL', () => {
  /** A package whose library `two` is a link to `one`. Without a folder `lib`, no program can write into that. */
  async function installed(name: string, libraries: string): Promise<string> {
    const path = join(folder, name)
    await mkdir(join(path, 'native', libraries), { recursive: true })
    await writeFile(join(path, 'package.json'), '{"version":"18.1.0-test"}')
    const links = [{ source: `native/${libraries}/one`, target: `native/${libraries}/two` }]
    await writeFile(join(path, 'native/pg-symlinks.json'), JSON.stringify(links))
    await writeFile(join(path, 'native', libraries, 'one'), 'a library')
    return path
  }

  test('are run in place by a user who can read them, and then have their links', async () => {
    const path = await installed('open', 'lib')
    const programs = {
      initdb: join(path, 'native/bin/initdb'),
      postgres: join(path, 'native/bin/postgres'),
      major: '18',
    }
    for (let time = 0; time < 2; time += 1) {
      expect(await findBinaries(own, folder, path)).toEqual(programs)
      expect(await readFile(join(path, 'native/lib/two'), 'utf8')).toBe('a library')
    }
    // The owner and the group have their own rights.
    const { uid, gid } = own
    await chmod(folder, 0o750)
    for (const account of [own, { ...own, uid: 12_345 }])
      expect(await findBinaries({ ...account, switches: true }, folder, path)).toEqual(programs)
    expect(statSync(folder)).toMatchObject({ uid, gid })
  })

  test('are copied once if their links cannot be created', async () => {
    const path = await installed('closed', 'libraries')
    const copy = join(folder, 'postgresql-18.1.0-test')
    const initdb = join(copy, 'native/bin/initdb')
    expect(await findBinaries(own, folder, path)).toMatchObject({ initdb })
    expect(await readFile(join(copy, 'native/libraries/two'), 'utf8')).toBe('a library')
    const { ino } = statSync(copy)
    expect(await findBinaries(own, folder, path)).toMatchObject({ initdb })
    expect(statSync(copy).ino).toBe(ino)
    expect((await readdir(folder)).toSorted()).toEqual(['closed', 'postgresql-18.1.0-test'])
  })

  test('are not copied to a folder that others can write to, nor over files of others', async () => {
    const path = await installed('closed', 'libraries')
    const copy = join(folder, 'postgresql-18.1.0-test')
    await mkdir(copy)
    await writeFile(join(copy, 'trap'), '')
    await chmod(copy, 0o777)
    const refused = /^PostgreSQL's programs in .* cannot be run by uid \d+: install them elsewhere$/
    await expect(findBinaries(own, folder, path)).rejects.toThrow(refused)
    await rm(copy, { recursive: true })
    await chmod(folder, 0o777)
    await expect(findBinaries(own, folder, path)).rejects.toThrow(refused)
    expect(await readdir(folder)).toEqual(['closed'])
  })

  test('need their links: another process may create one at the same moment, but a failed link is an error', async () => {
    const path = await installed('open', 'lib')
    await symlink('nothing', join(path, 'native/lib/two'))
    expect(await findBinaries(own, folder, path)).toMatchObject({ major: '18' })
    const links = [{ source: 'native/lib/one', target: 'native/nowhere/two' }]
    await writeFile(join(path, 'native/pg-symlinks.json'), JSON.stringify(links))
    await expect(findBinaries(own, folder, path)).rejects.toThrow('ENOENT')
  })
})

test('two starts at once, and a later one, share one server; the last one stops it', async () => {
  const [first, second] = await Promise.all([start(), start()])
  expect(second.pid).toBe(first.pid)
  expect([first.wasRunning, second.wasRunning].toSorted()).toEqual([false, true])
  await second.stop()
  expect(await ask(first, 'SELECT 1')).toBe('1')
  await first.stop()
  expect(isAlive(first.pid)).toBe(false)
})

test('a command that runs next to a server leaves the server’s database running', async () => {
  const first = await start()
  const backend = await openBackend({
    ...{ data: folder, databaseUrl: null, connections: 2, files: null, uploadBytesMax: 1 },
  })
  await backend.close()
  expect(isAlive(first.pid)).toBe(true)
  expect(await ask(first, 'SELECT 1')).toBe('1')
})

test('the registration of a killed process keeps no server running, even if another process has its number', async () => {
  const users = join(folder, 'postgres.users')
  await mkdir(users)
  await writeFile(join(users, '999999999-1-left'), '')
  await writeFile(join(users, `${process.pid}-1-left`), '')
  const embedded = await start()
  await embedded.stop()
  expect(isAlive(embedded.pid)).toBe(false)
  expect(await readdir(users)).toEqual([])
})

test('a stop at any moment after the server died ends, and leaves no server running', async () => {
  for (const milliseconds of [0, 20, 60, 120, 250]) {
    const embedded = await start()
    process.kill(embedded.pid, 'SIGKILL')
    await sleep(milliseconds)
    await embedded.stop()
    const left = findPostmaster(join(folder, 'postgres'))
    // No server is started a moment later, either.
    await sleep(300)
    expect([milliseconds, left, findPostmaster(join(folder, 'postgres'))]).toEqual([milliseconds, null, null])
  }
})

test('a server that is killed is started again', async () => {
  const embedded = await start()
  const { pid } = embedded
  process.kill(pid, 'SIGKILL')
  await expect.poll(() => embedded.pid).not.toBe(pid)
  expect(await ask(embedded, 'SELECT 1')).toBe('1')
})

test('the server of a process that was killed is adopted', async () => {
  await build({
    stdin: {
      contents: `import { startEmbedded } from './src/server/embedded/index.ts'
        const embedded = await startEmbedded(process.argv[2])
        console.log(embedded.pid)
        setInterval(() => {}, 1000)`,
      resolveDir: process.cwd(),
    },
    ...{ bundle: true, format: 'esm', platform: 'node', packages: 'external', outfile: join(folder, 'start.mjs') },
    define: { 'import.meta.url': JSON.stringify(import.meta.url) },
  })
  const data = join(folder, 'data')
  const child = spawn(process.execPath, [join(folder, 'start.mjs'), data], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [output] = await once(child.stdout, 'data')
  child.kill('SIGKILL')
  await once(child, 'exit')
  const embedded = await start(data)
  expect([embedded.pid, embedded.wasRunning]).toEqual([Number(String(output)), true])
  await embedded.stop()
  expect(isAlive(embedded.pid)).toBe(false)
})

test('a lock file with the number of another process does not count as a server, and that process is left alone', async () => {
  const first = await start()
  await first.stop()
  const stranger = spawn('sleep', ['60'])
  await writeFile(
    join(folder, 'postgres', 'postmaster.pid'),
    `${stranger.pid}\n/proc/self/cwd\n0\n5432\n.\n\n\nready   \n`,
  )
  const second = await startEmbedded(folder).catch((error: Error) => error)
  stranger.kill('SIGKILL')
  if (second instanceof Error) throw second
  running.push(second)
  expect(stranger.exitCode).toBeNull()
  expect(second.pid).not.toBe(stranger.pid)
})

test('a folder of another major version is rejected with the remedy, and nothing is changed', async () => {
  const first = await start()
  await first.stop()
  const version = join(folder, 'postgres', 'PG_VERSION')
  await writeFile(version, '17\n')
  await expect(startEmbedded(folder)).rejects.toThrow(/PostgreSQL 17, this is 18.*blockmark-server export/)
  expect(await readFile(version, 'utf8')).toBe('17\n')
  expect(existsSync(join(folder, 'postgres', 'postmaster.pid'))).toBe(false)
})

test('the folder of an interrupted first start does not count as a cluster', async () => {
  const left = join(folder, 'postgres.new-abc123')
  await mkdir(left)
  const first = await start()
  expect(await ask(first, 'SELECT 1')).toBe('1')
  await first.stop()
  // It is removed when no process can be at work on it any more, which may be long after the cluster exists.
  expect(existsSync(left)).toBe(true)
  const anHourAgo = new Date(Date.now() - 3_600_000)
  await utimes(left, anHourAgo, anHourAgo)
  await start()
  expect(existsSync(left)).toBe(false)
})
