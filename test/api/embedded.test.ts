/** The embedded PostgreSQL: finding, starting, adopting and restarting it, and never two at once. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, statSync, writeFileSync } from 'node:fs'
import { appendFile, chmod, mkdir, readdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { findBinaries } from '../../src/server/embedded/binaries.js'
import { type Embedded, startEmbedded } from '../../src/server/embedded/index.js'
import { dataFolder, temporaryFolder } from './support/backends.js'
import { postgresOf } from './support/server.js'

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

/** Starts a server in the folder, which gets a cluster first: creating one takes most of the time of a first start. */
async function startKept(): Promise<Embedded> {
  return start(await dataFolder(folder))
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

test('a real PostgreSQL 18 runs unprivileged, on a socket that only its user can open', async () => {
  // The user of PostgreSQL cannot open a folder above the data, and the path is too long for a socket.
  const data = join(folder, 'closed', 'long-'.repeat(30))
  await mkdir(join(folder, 'closed'), { mode: 0o700 })
  const embedded = await start(data)
  expect(await ask(embedded, 'SHOW server_version')).toMatch(/^18\./)
  expect(await ask(embedded, 'SHOW listen_addresses')).toBe('')
  expect(await ask(embedded, 'SHOW fsync')).toBe('on')
  expect(statSync(join(data, 'postgres')).mode & 0o777).toBe(0o700)
  const status = await readFile(`/proc/${postgresOf(data)}/status`, 'utf8')
  expect(status).not.toMatch(/^Uid:\s+0\b/m)
  expect(await readdir(data)).toEqual(['postgres', 'postgres.log'])
  await embedded.stop()
  expect(postgresOf(data)).toBe(0)
})

test('a cluster that cannot be created reports the reason of initdb', async () => {
  await mkdir(join(folder, 'postgres'))
  await writeFile(join(folder, 'postgres/taken'), '')
  await expect(startEmbedded(folder)).rejects.toThrow(/^initdb failed: .*ENOTEMPTY/)
  expect((await readdir(folder)).toSorted()).toEqual(['postgres'])
})

describe('the programs of PostgreSQL', () => {
  /** A package with one program, which needs a link between two libraries. */
  async function installed(name: string): Promise<string> {
    const path = join(folder, name)
    await mkdir(join(path, 'native/bin'), { recursive: true })
    await mkdir(join(path, 'native/lib'))
    await writeFile(join(path, 'package.json'), '{"version":"18.1.0-test"}')
    const links = [{ source: 'native/lib/one', target: 'native/lib/two' }]
    await writeFile(join(path, 'native/pg-symlinks.json'), JSON.stringify(links))
    await writeFile(join(path, 'native/lib/one'), 'a library')
    const script = '#!/bin/sh\nexec grep library "$(dirname "$0")/../lib/two"\n'
    await writeFile(join(path, 'native/bin/postgres'), script, { mode: 0o755 })
    return path
  }
  const own = {}

  test('are run in place, with their links, by a user who can read them', async () => {
    const path = await installed('open')
    for (let time = 0; time < 2; time += 1) {
      expect(await findBinaries(own, folder, path)).toBe(join(path, 'native/bin'))
      expect(await readFile(join(path, 'native/lib/two'), 'utf8')).toBe('a library')
    }
  })

  test('are copied once if they cannot be run where they are', async () => {
    const path = await installed('broken')
    // A dangling link cannot be replaced in the package, and the copy has the same dangling link.
    await symlink('nothing', join(path, 'native/lib/two'))
    await expect(findBinaries(own, folder, path)).rejects.toThrow('cannot be run')
    await rm(join(path, 'native/lib/two'))
    await rm(join(folder, 'postgresql-18.1.0-test'), { recursive: true })
    // As root, PostgreSQL runs as another user, who cannot open this folder.
    if (process.geteuid?.() !== 0) return
    const nobody = { uid: 65_534, gid: 65_534 }
    await chmod(folder, 0o700)
    const bin = await findBinaries(nobody, folder, path)
    onTestFinished(() => rm(dirname(bin), { recursive: true, force: true }))
    expect(bin).toMatch(/blockmark.*\/postgresql-18\.1\.0-test\/bin$/)
    const { ino } = statSync(dirname(bin))
    expect(await findBinaries(nobody, folder, path)).toBe(bin)
    expect(statSync(dirname(bin)).ino).toBe(ino)
  })

  test('are not copied to a folder that others can write to, nor run from a copy that others own', async () => {
    const path = await installed('unusable')
    await chmod(join(path, 'native/bin/postgres'), 0o644)
    const copy = join(folder, 'postgresql-18.1.0-test')
    await mkdir(join(copy, 'bin'), { recursive: true })
    await writeFile(join(copy, 'bin/postgres'), '#!/bin/sh\n', { mode: 0o755 })
    await chmod(copy, 0o777)
    const refused = /^PostgreSQL's programs in .* cannot be run by uid .*: install them elsewhere$/
    await expect(findBinaries(own, folder, path)).rejects.toThrow(refused)
    await rm(copy, { recursive: true })
    await chmod(folder, 0o777)
    await expect(findBinaries(own, folder, path)).rejects.toThrow(refused)
    expect(await readdir(folder)).toEqual(['unusable'])
  })
})

test('the last of several processes stops the server, however the others ended', async () => {
  const first = await startKept()
  // A process that uses the server and is killed: it has no other way to release it.
  const source = `const { default: pg } = await import('pg')
const client = new pg.Client(${JSON.stringify({ ...first.address, host: join(folder, 'postgres') })})
await client.connect()
await client.query('SELECT pg_advisory_lock_shared(7260148210338)')
console.log('uses it')`
  const other = spawn(process.execPath, ['--input-type=module', '--eval', source], { cwd: process.cwd() })
  await once(other.stdout, 'data')
  await first.stop()
  expect(postgresOf(folder)).toBeGreaterThan(0)
  const second = await start()
  other.kill('SIGKILL')
  await once(other, 'close')
  const others = `SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'`
  await expect.poll(() => ask(second, others)).toBe('1')
  await second.stop()
  expect(postgresOf(folder)).toBe(0)
})

test('a server that is killed is started again', async () => {
  const embedded = await startKept()
  const first = postgresOf(folder)
  process.kill(first, 'SIGKILL')
  await expect.poll(() => ask(embedded, 'SELECT 1').catch(() => '')).toBe('1')
  expect(postgresOf(folder)).not.toBe(first)
})

/** Whether a stopped process has got `SIGINT`, which it handles when it continues. */
async function isInterrupted(pid: number): Promise<boolean> {
  const [, pending = ''] = /^ShdPnd:\s+(\w+)$/m.exec(await readFile(`/proc/${pid}/status`, 'utf8')) ?? []
  return (Number.parseInt(pending.slice(-1), 16) & (1 << (constants.signals.SIGINT - 1))) > 0
}

// The clock stands still, so a process that waits for the next server exceeds the timeout of its test.
describe('a process that stops the server does not wait for the end of the next server', { timeout: 60_000 }, () => {
  test.each([true, false])('if it started the server: %s', async (isOwn) => {
    const first = await startKept()
    const last = isOwn ? first : await start()
    if (!isOwn) await first.stop()
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    const pid = postgresOf(folder)
    process.kill(pid, 'SIGSTOP')
    const stopping = last.stop()
    try {
      await expect.poll(() => isInterrupted(pid)).toBe(true)
    } finally {
      process.kill(pid, 'SIGCONT')
    }
    // This loop blocks the process, which thus finds the lock file of the next server when the first server has ended.
    const lock = join(folder, 'postgres/postmaster.pid')
    while (existsSync(lock));
    writeFileSync(lock, `${process.pid}\n`)
    await stopping
  })
})

test('a server that cannot start is tried again, with pauses that become longer', async () => {
  await dataFolder(folder)
  await appendFile(join(folder, 'postgres/postgresql.conf'), 'nonsense = 1\n')
  await expect(start()).rejects.toThrow(`PostgreSQL does not start on ${folder}/postgres: see ${folder}/postgres.log`)
  const log = await readFile(join(folder, 'postgres.log'), 'utf8')
  const starts = log.match(/"nonsense"/g)?.length
  expect(starts).toBeGreaterThan(1)
  expect(starts).toBeLessThan(20)
})

test('a server whose folder was deleted is tried again after pauses', async () => {
  await startKept()
  const attempts = vi.spyOn(pg.Client.prototype, 'connect')
  onTestFinished(() => attempts.mockRestore())
  const pid = postgresOf(folder)
  await rm(folder, { recursive: true, force: true })
  const killedAt = performance.now()
  process.kill(pid, 'SIGKILL')
  await expect.poll(() => attempts.mock.calls.length).toBeGreaterThan(3)
  // A machine may be slower, but no attempt comes before the end of the pause.
  const pauseCount = attempts.mock.calls.length - 2
  expect(performance.now() - killedAt).toBeGreaterThan(pauseCount * 100)
})

test('a server that is restarting is stopped, too, before it accepts connections', async () => {
  const embedded = await startKept()
  // The server is held, like one whose recovery takes long. If it was ready already, it is killed again.
  const hold = async (): Promise<number> => {
    const first = postgresOf(folder)
    process.kill(first, 'SIGKILL')
    await expect.poll(() => postgresOf(folder), { interval: 1 }).not.toBeOneOf([0, first])
    const second = postgresOf(folder)
    process.kill(second, 'SIGSTOP')
    await sleep(100)
    const lock = await readFile(join(folder, 'postgres/postmaster.pid'), 'utf8')
    return lock.includes('ready') ? hold() : second
  }
  const second = await hold()
  const stopping = embedded.stop()
  try {
    await expect.poll(() => isInterrupted(second)).toBe(true)
  } finally {
    process.kill(second, 'SIGCONT')
  }
  await stopping
  expect(postgresOf(folder)).toBe(0)
})

test('a lock file with the number of another process does not count as a server, and that process is left alone', async () => {
  const first = await startKept()
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
  expect(postgresOf(folder)).not.toBe(stranger.pid)
})

test('a server that needs longer than ten seconds is waited for; folders of unfinished clusters are removed', async () => {
  await dataFolder(folder)
  const unfinished = join(folder, 'postgres.new-1')
  await mkdir(unfinished)
  await utimes(unfinished, 0, 0)
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const starting = start()
  await expect.poll(() => postgresOf(folder), { interval: 1 }).toBeGreaterThan(0)
  vi.setSystemTime(Date.now() + 60_000)
  expect([await ask(await starting, 'SELECT 1'), existsSync(unfinished)]).toEqual(['1', false])
})

test('a folder of another major version is rejected with the remedy, and nothing is changed', async () => {
  const first = await startKept()
  await first.stop()
  const version = join(folder, 'postgres', 'PG_VERSION')
  await writeFile(version, '17\n')
  await expect(startEmbedded(folder)).rejects.toThrow(/PostgreSQL 17, this is 18.*blockmark-server export/)
  expect(await readFile(version, 'utf8')).toBe('17\n')
  expect(existsSync(join(folder, 'postgres', 'postmaster.pid'))).toBe(false)
})
