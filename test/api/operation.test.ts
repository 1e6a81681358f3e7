/** Operation: `decisions` on settings, addresses, limits in time, and a server that stops or cannot start. */

import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, symlink } from 'node:fs/promises'
import { Agent, request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { packageFolder } from '../../src/server/embedded/binaries.js'
import { postmasterOf } from '../../src/server/embedded/index.js'
import { dataFolder, freePort, sharedFolder } from './support/backends.js'
import { type BuiltCli, buildCli, buildCliIn, type Outcome, type Running, runCli, startCli } from './support/cli.js'
import { canMount, onSmallDisk } from './support/small-disk.js'

const folder = sharedFolder()
let cli: BuiltCli

beforeAll(async () => {
  cli = await buildCli()
})

interface Server extends Running {
  readonly site: string
  readonly port: number
  readonly key: string
}

/** Starts a server in a separate process, which is stopped with the test. */
async function serving(environment: Record<string, string>, before: readonly string[] = []): Promise<Server> {
  if (environment['DATA'] !== undefined && !existsSync(environment['DATA'])) await dataFolder(environment['DATA'])
  const running = startCli(cli, ['serve', '--welcome'], { PORT: '0', ...environment }, before)
  onTestFinished(async () => {
    running.child.kill('SIGTERM')
    await running.ended
  })
  const site = await running.printed(/ready on (\S+),/)
  const key = /wsk_\w{49}/.exec(running.stdout())?.[0] ?? ''
  return { ...running, site, key, port: Number(new URL(site).port) }
}

async function call(site: string, key: string, name: string, body: object): Promise<Response> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  return fetch(`${site}/api/public/${name}`, { method: 'POST', headers, body: JSON.stringify(body) })
}

describe('a server that cannot start gives the reason in one line, and changes nothing', () => {
  const refused = async (environment: Record<string, string>): Promise<Outcome> => {
    const data = join(folder, 'refused')
    const outcome = await runCli(cli, ['serve', '--welcome'], { PORT: '0', DATA: data, ...environment })
    expect(existsSync(join(data, 'postgres'))).toBe(false)
    return outcome
  }

  test('a wrong setting is named', async () => {
    const wrong = {
      ...{ PORT: '70000', SITE_URL: 'https://example.com/path', FILES: 'gs://x', TRUST_PROXY: 'maybe' },
      ...{ HOST: '192.0.2.1', DATA: '/dev/null/nowhere', DATABASE_URL: 'postgres://secret@127.0.0.1:1/x' },
    }
    await Promise.all(
      [...Object.entries(wrong), ['DATA', '/proc/nowhere'] as const].map(async ([name, value]) => {
        const { code, stdout, stderr } = await refused({ [name]: value })
        expect([name, code, stdout]).toEqual([name, 1, ''])
        expect(stderr).toMatch(new RegExp(`^blockmark-server: ${name}: [^\\n]+\\n$`))
        expect(stderr).not.toContain('secret')
        if (name === 'PORT') expect(stderr).toContain('expected a number from 0 to 65535, received 70000')
      }),
    )
  })

  test('without an embedded PostgreSQL, installed or for the platform, it reports that before it changes anything', async () => {
    const bare = join(folder, 'bare')
    await mkdir(join(bare, 'node_modules'), { recursive: true })
    for (const name of ['@fastify', 'fastify', 'pg', 'pino', 'prom-client']) {
      await symlink(join(process.cwd(), 'node_modules', name), join(bare, 'node_modules', name))
    }
    const alone = await buildCliIn(bare)
    const { code, stderr } = await runCli(alone, ['serve', '--welcome'], { PORT: '0', DATA: join(folder, 'none') })
    expect([code, stderr]).toEqual([
      1,
      `blockmark-server: PostgreSQL for ${process.platform}-${process.arch} was not installed: install again, without leaving optional dependencies out, or set DATABASE_URL to a PostgreSQL server, for example postgres://user:password@host/database\n`,
    ])
    expect(existsSync(join(folder, 'none/postgres'))).toBe(false)
    for (const platform of ['win32-x64', 'freebsd-x64', 'linux-riscv64']) {
      expect(() => packageFolder(platform)).toThrow(
        `there is no embedded PostgreSQL for ${platform}: set DATABASE_URL to a PostgreSQL server, for example postgres://user:password@host/database`,
      )
    }
  })
})

test('two servers on one data folder share its database; the last to go stops it', async () => {
  const data = join(folder, 'shared')
  const first = await serving({ DATA: data, LOG_LEVEL: 'silent' })
  const second = await serving({ DATA: data, LOG_LEVEL: 'silent' })
  expect(second.key).toBe('')
  await call(first.site, first.key, 'createChannel', { name: 'seen by both' })
  first.child.kill('SIGTERM')
  expect((await first.ended).code).toBe(0)
  expect((await call(second.site, first.key, 'createChannel', { name: 'Seen by both' })).status).toBe(409)
  expect(postmasterOf(join(data, 'postgres'))).not.toBeNull()
  second.child.kill('SIGTERM')
  expect((await second.ended).code).toBe(0)
  // PostgreSQL removes its lock file when it has written everything.
  expect(existsSync(join(data, 'postgres/postmaster.pid'))).toBe(false)
})

test('SIGTERM while the database is starting, or being started again, ends everything with exit code 0', async () => {
  const data = join(folder, 'ending')
  const cluster = join(data, 'postgres')
  for (const milliseconds of [0, 100, 250]) {
    const { child, ended } = await serving({ DATA: data, LOG_LEVEL: 'silent' })
    process.kill(postmasterOf(cluster)?.pid ?? 0, 'SIGKILL')
    await sleep(milliseconds)
    child.kill('SIGTERM')
    expect([milliseconds, (await ended).code, postmasterOf(cluster)]).toEqual([milliseconds, 0, null])
  }
  const starting = startCli(cli, ['serve'], { PORT: '0', DATA: data, LOG_LEVEL: 'silent' })
  while (postmasterOf(cluster) === null) await sleep(5)
  starting.child.kill('SIGTERM')
  expect([(await starting.ended).code, postmasterOf(cluster)]).toEqual([0, null])
})

test('the IP address in the log is that of the connection, or the one that a trusted proxy names, and a 404 has its path', async () => {
  const seen = async (trust: string, forwarded: readonly string[]): Promise<unknown[]> => {
    const { site, child, ended } = await serving({ DATA: join(folder, 'addresses'), TRUST_PROXY: trust })
    await fetch(`${site}/no/such/page?secret=1`)
    for (const value of forwarded) await fetch(`${site}/healthz`, { headers: { 'x-forwarded-for': value } })
    child.kill('SIGTERM')
    const entries = (await ended).stderr
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    const warnings: string[] = entries.filter(({ level }) => level === 40).map(({ msg }) => msg)
    // The requests of the welcome come before the start.
    const start = entries.findIndex(({ msg }) => msg === 'started')
    const answered = entries.slice(start).filter(({ address }) => address !== undefined)
    // Only a path that does not exist is logged.
    expect(answered.map(({ path }) => path)).toEqual(['/no/such/page', ...forwarded.map(() => undefined)])
    return [warnings, ...answered.slice(1).map(({ address }) => address)]
  }
  // The log says once that the header is ignored.
  const ignored = 'X-Forwarded-For arrived while TRUST_PROXY is off: all clients of a proxy share one limit'
  expect(await seen('off', ['203.0.113.7', '203.0.113.8'])).toEqual([[ignored], '127.0.0.1', '127.0.0.1'])
  const unreadable = 'X-Forwarded-For cannot be read: all clients of a proxy share one limit'
  expect(await seen('on', ['198.51.100.1, 203.0.113.7', '2001:db8::7', 'unknown', 'unknown'])).toEqual([
    ...[[unreadable], '203.0.113.7', '2001:db8::7', '127.0.0.1', '127.0.0.1'],
  ])
  expect(await seen('2', ['198.51.100.1, 203.0.113.7:4444, [2001:db8::1]:443', '203.0.113.8'])).toEqual([
    ...[[], '203.0.113.7', '203.0.113.8'],
  ])
})

test('bytes that are not HTTP, and a request without a host, are rejected with a request id', async () => {
  const { port } = await serving({ DATA: join(folder, 'strange'), LOG_LEVEL: 'silent' })
  const answerTo = async (text: string): Promise<string> => {
    const socket = connect(port, '127.0.0.1')
    socket.write(text)
    let answer = ''
    for await (const chunk of socket) answer += String(chunk)
    return answer
  }
  const wrong = {
    'nonsense\r\n\r\n': 400,
    'GET / HTTP/1.1\r\nconnection: close\r\n\r\n': 400,
    'GET http://[ HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n': 400,
    [`GET / HTTP/1.1\r\nhost: x\r\nbig: ${'x'.repeat(20_000)}\r\n\r\n`]: 431,
  }
  for (const [text, status] of Object.entries(wrong)) {
    const answer = await answerTo(text)
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    const id = /^x-request-id: ([\w-]{36})\r$/im.exec(answer)?.[1]
    expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toMatchObject({
      ...{ ok: false, error: { code: 'invalid_request', requestID: id } },
    })
  }
  expect(await answerTo('GET /healthz HTTP/1.1\r\nhost: x\r\nexpect: gold\r\nconnection: close\r\n\r\n')).toMatch(
    / 200 OK/,
  )
})

test('headers have 10 s to arrive, an upload takes as long as it takes', async () => {
  const { port, site, key } = await serving({ DATA: join(folder, 'slow'), LOG_LEVEL: 'silent' })
  const started = performance.now()
  const seconds = (): number => (performance.now() - started) / 1000
  const slowHeaders = async (): Promise<void> => {
    const socket = connect(port, '127.0.0.1')
    socket.write('GET / HTTP/1.1\r\nhost: x\r\n')
    const dripping = setInterval(() => socket.write('x: y\r\n'), 2000)
    let answer = ''
    for await (const chunk of socket) answer += String(chunk)
    clearInterval(dripping)
    expect(answer).toMatch(/^HTTP\/1.1 408 [\s\S]*x-request-id: /)
    expect(seconds()).toBeGreaterThan(9)
    expect(seconds()).toBeLessThan(20)
  }
  const slowUpload = async (): Promise<void> => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'multipart/form-data; boundary=b' }
    const sending = httpRequest(`${site}/api/public/upload`, { method: 'POST', headers })
    const answered = once(sending, 'response')
    sending.write('--b\r\ncontent-disposition: form-data; name="data"; filename="a.txt"\r\n\r\n')
    for (let part = 0; part < 4; part += 1) {
      await sleep(9000)
      sending.write('some text\n')
    }
    sending.end('\r\n--b--\r\n')
    const [response] = await answered
    expect(response.statusCode).toBe(200)
    response.resume()
  }
  await Promise.all([slowHeaders(), slowUpload()])
})

test('a request that is still in progress 10 s after SIGTERM is ended, and the exit code is 0', async () => {
  const { port, key, child, ended } = await serving({ DATA: join(folder, 'stuck'), LOG_LEVEL: 'silent' })
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  socket.write(
    `POST /api/public/createChat HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\n` +
      'content-type: application/json\r\nexpect: 100-continue\r\ncontent-length: 100\r\n\r\n{"name":',
  )
  // The server reads the body.
  await once(socket, 'data')
  const started = performance.now()
  child.kill('SIGTERM')
  expect((await ended).code).toBe(0)
  const seconds = (performance.now() - started) / 1000
  expect(seconds).toBeGreaterThan(9)
  expect(seconds).toBeLessThan(20)
})

test('connections that are kept alive, or opened ahead and never used, do not hold up the end', async () => {
  const { port, child, ended } = await serving({ DATA: join(folder, 'alive'), LOG_LEVEL: 'silent' })
  const unused = connect(port, '127.0.0.1')
  await once(unused, 'connect')
  const socket = connect(port, '127.0.0.1')
  socket.write('GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n')
  await once(socket, 'data')
  const started = performance.now()
  child.kill('SIGTERM')
  expect((await ended).code).toBe(0)
  // Requests that are in progress would have ten seconds.
  expect(performance.now() - started).toBeLessThan(10_000)
})

test('a request before SIGTERM gets a response that ends the connection', async () => {
  const { port, key, child, ended } = await serving({ DATA: join(folder, 'asked'), LOG_LEVEL: 'silent' })
  // A server that has been busy finds the requests and the signal at once.
  child.kill('SIGSTOP')
  const request = `GET /api/public/ping HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\n\r\n`
  const sockets = Array.from({ length: 100 }, () => connect(port, '127.0.0.1'))
  await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.write(request, resolve))))
  const answers = sockets.map(async (socket) => {
    let answer = ''
    for await (const chunk of socket) answer += String(chunk)
    return answer
  })
  child.kill('SIGTERM')
  child.kill('SIGCONT')
  await sleep(20)
  // A terminal signals the whole group, and npm signals once more.
  child.kill('SIGTERM')
  child.kill('SIGINT')
  for (const answer of await Promise.all(answers)) {
    expect(answer).toMatch(/^HTTP\/1\.1 200 [\s\S]*connection: close[\s\S]*"ok":true/i)
  }
  expect((await ended).code).toBe(0)
})

test('a request that is arriving on a kept connection gets a response when the server stops', async () => {
  const { port, child, ended } = await serving({ DATA: join(folder, 'kept'), LOG_LEVEL: 'silent' })
  const sockets = Array.from({ length: 20 }, () => connect(port, '127.0.0.1'))
  for (const socket of sockets) {
    socket.write('GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n')
    await once(socket, 'data')
  }
  // The server considers these connections idle when it gets the signal: the sent bytes are still in the kernel.
  child.kill('SIGSTOP')
  const answers = sockets.map(async (socket) => {
    socket.write('GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n')
    let answer = ''
    for await (const chunk of socket) answer += String(chunk)
    return answer
  })
  child.kill('SIGTERM')
  await sleep(200)
  child.kill('SIGCONT')
  for (const answer of await Promise.all(answers)) expect(answer).toMatch(/^HTTP\/1\.1 200 [\s\S]*ok\n$/)
  expect((await ended).code).toBe(0)
})

test('under load, every request on an open connection gets a response, until no connection can be opened', async () => {
  const { site, key, child, ended } = await serving({
    DATA: join(folder, 'load'),
    LOG_LEVEL: 'silent',
    RATE_LIMIT: '0',
  })
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const send = (agent: Agent): Promise<string> =>
    new Promise((resolve) => {
      const sending = httpRequest(`${site}/api/public/createChat`, { agent, method: 'POST', headers }, (response) => {
        response.resume().once('close', () => resolve(response.complete ? String(response.statusCode) : 'broken'))
      })
      sending.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? ''))
      sending.end('{"name":"x"}')
    })
  const outcomes: string[] = []
  const client = async (keepAlive: boolean): Promise<void> => {
    const agent = new Agent({ keepAlive, maxSockets: 1 })
    while (outcomes.at(-1) !== 'ECONNREFUSED') outcomes.push(await send(agent))
    agent.destroy()
  }
  const clients = Array.from({ length: 60 }, (_, index) => client(index % 3 === 0))
  await expect.poll(() => outcomes.length).toBeGreaterThan(200)
  child.kill('SIGTERM')
  expect((await ended).code).toBe(0)
  await Promise.all(clients)
  expect(new Set(outcomes)).toEqual(new Set(['200', 'ECONNREFUSED']))
})

/** A server whose disk is full, and the response to the upload that did not fit. */
async function fullServer(name: string): Promise<Server & { readonly refusal: Response }> {
  const data = join(folder, name)
  await mkdir(data)
  const environment = { DATA: data, RATE_LIMIT: '0', LOG_LEVEL: 'silent', PORT: String(await freePort()) }
  const server = await serving(environment, onSmallDisk(data, 150))
  expect((await fetch(`${server.site}/readyz`)).status).toBe(200)
  for (let count = 0; ; count += 1) {
    expect(count).toBeLessThan(60)
    const body = new FormData()
    body.append('data', new Blob([`${Math.random()}`, 'x'.repeat(4_000_000)]), 'a.txt')
    const headers = { authorization: `Bearer ${server.key}` }
    const refusal = await fetch(`${server.site}/api/public/upload`, { method: 'POST', headers, body })
    if (refusal.status !== 200) return { ...server, refusal }
  }
}

describe.skipIf(!canMount)('a full disk (needs the right to mount)', () => {
  test('is storage_full with Retry-After, and reading goes on', async () => {
    const { site, key, refusal } = await fullServer('full')
    expect([refusal.status, refusal.headers.get('retry-after')]).toEqual([503, expect.stringMatching(/^\d+$/)])
    expect(await refusal.json()).toMatchObject({ ok: false, error: { code: 'storage_full' } })
    expect((await fetch(`${site}/api/public/ping`, { headers: { authorization: `Bearer ${key}` } })).status).toBe(200)
  })

  test('makes the server not ready, with the reason', async () => {
    const { site } = await fullServer('unready')
    const answer = await fetch(`${site}/readyz`)
    expect([answer.status, await answer.json()]).toMatchObject([503, { error: { code: 'storage_full' } }])
    expect((await fetch(`${site}/healthz`)).status).toBe(200)
  })

  test('is the reason if no database can be created', async () => {
    const data = join(folder, 'tiny')
    await mkdir(data)
    const { ended } = startCli(cli, ['serve', '--welcome'], { DATA: data, PORT: '0' }, onSmallDisk(data, 8))
    const { code, stderr } = await ended
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^blockmark-server: initdb failed: .*No space left on device\n$/),
    ])
  })
})
