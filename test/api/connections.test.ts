/** Connections: responses before the body has arrived, further requests on the same connection, and the end of each. */

import { once } from 'node:events'
import type { Server, ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { listen, stopListening } from '../../src/server/http/listen.js'
import { bodyOf } from '../../src/server/http/request.js'
import { portOf } from './support/programs.js'
import { type Connected, connectTo, serveHere } from './support/server.js'

let server: Awaited<ReturnType<typeof serveHere>>

beforeAll(async () => {
  server = await serveHere({ UPLOAD_LIMIT: '1000000' })
})

afterAll(() => server.close())

const open = (bytes = ''): Connected => connectTo(server.port, bytes)

function head(name: string, headers: Readonly<Record<string, string>>, authorization = `Bearer ${server.key}`): string {
  const all = Object.entries({ host: 'x', authorization, ...headers })
  return `POST /api/public/${name} HTTP/1.1\r\n${all.map(([header, value]) => `${header}: ${value}\r\n`).join('')}\r\n`
}

const FORM = 'multipart/form-data; boundary=b'
const PING = 'GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n'
const STATUS_OF_PING = /HTTP\/1\.1 200 OK\r\n(?:(?!HTTP\/)[\s\S])*ok\n$/

test('a request after an upload that was rejected early is answered on the same connection', async () => {
  const form = '--b\r\ncontent-disposition: form-data; name="data"; filename="a"\r\n\r\n'
  const bodies = {
    'a part without an end': [FORM, `${form}abc`, 400],
    'no boundary': ['multipart/form-data', 'x'.repeat(300_000), 400],
    'a file that is too large': [FORM, `${form}${'x'.repeat(1_500_000)}\r\n--b--\r\n`, 413],
    'a type that is not taken': [FORM, `${form}\x01${'x'.repeat(900_000)}\r\n--b--\r\n`, 415],
    'another type': ['text/plain', 'x'.repeat(900_000), 415],
  } as const
  for (const [name, [type, body, status]] of Object.entries(bodies)) {
    const { socket, until, received } = open()
    socket.write(head('upload', { 'content-type': type, 'content-length': String(body.length) }))
    socket.write(body.slice(0, 100_000))
    // A body of the wrong type is rejected before the rest of it arrives.
    if (type !== FORM) await until(/HTTP\/1\.1 4\d\d/)
    socket.write(body.slice(100_000))
    socket.write(PING)
    await until(STATUS_OF_PING)
    expect([name, received().match(/HTTP\/1\.1 \d+/g)]).toEqual([name, [`HTTP/1.1 ${status}`, 'HTTP/1.1 200']])
    socket.destroy()
  }
})

test('the response to a HEAD, and a response without a body, end with their headers', async () => {
  const left = await fetch(`${server.site}/sign-out`, { redirect: 'manual' })
  expect([left.status, left.headers.get('location'), await left.text()]).toEqual([303, '/', ''])
  const head = await fetch(`${server.site}/healthz`, { method: 'HEAD' })
  expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '3', ''])
})

test('an idle connection ends after a time, a connection that waits for a response does not', async () => {
  const { server: own, port } = await listening()
  const ended = async (asked: string): Promise<boolean> => {
    const taken = once(own, 'connection')
    const client = connect(port, '127.0.0.1')
    const [socket]: Socket[] = await taken
    const asking = asked === '' ? null : once(own, 'request')
    client.write(asked)
    await asking
    socket?.emit('timeout')
    client.destroy()
    return socket?.destroyed === true
  }
  expect(await ended('')).toBe(true)
  expect(await ended('GET / HTTP/1.0\r\n\r\n')).toBe(false)
})

/** Sends one request, and returns its response. */
async function answerTo(request: string): Promise<string> {
  const { ended, received } = open(`${request}\r\n\r\n`)
  await ended
  return received()
}

test.each(
  [
    // A path that is not written in its normal form is rejected, because a rule of a proxy would not see it.
    ...['/x\\..\\metrics', '\\metrics', '/x/../metrics', '/./metrics', '/%2e%2e/metrics', '/x/%2E%2E/metrics'],
    ...['http://x/x/../metrics', 'http:\\\\x\\metrics', 'http://x\\metrics', '/metrics#x', '/m\tetrics', '/%ff%00'],
  ]
    .map((target): [string, number] => [target, 400])
    .concat(
      ['/metrics', '/metrics?a=/../b', 'http://x/metrics', 'http://x/metrics?\\', 'http://evil.test/healthz'].map(
        (target) => [target, 200],
      ),
      ['/%70ing', '/api/public/%70ing', '/%6detrics', '//metrics', '/metrics%00', '//evil.test/api/public/ping'].map(
        (target) => [target, 404],
      ),
    ),
)('the target %s gets %i', async (target, status) => {
  expect(await answerTo(`GET ${target} HTTP/1.1\r\nhost: x\r\nconnection: close`)).toMatch(
    new RegExp(`^HTTP/1.1 ${status} `),
  )
})

test.each([
  ['nonsense', 400],
  ['GET / HTTP/1.1\r\nconnection: close', 400],
  ['GET http://[ HTTP/1.1\r\nhost: x\r\nconnection: close', 400],
  [`GET / HTTP/1.1\r\nhost: x\r\nbig: ${'x'.repeat(20_000)}`, 431],
])('bytes that are not a valid request are rejected with a request id: %.40s', async (request, status) => {
  const answer = await answerTo(request)
  expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  const requestID = /^x-request-id: ([\w-]{36})\r$/im.exec(answer)?.[1]
  const error = { code: 'invalid_request', requestID }
  expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toMatchObject({ ok: false, error })
})

test.each([
  ['TRACE / HTTP/1.1', / 4\d\d /],
  ['OPTIONS * HTTP/1.1', / 4\d\d /],
  ['GET /healthz HTTP/1.1\r\nexpect: gold', / 200 OK/],
])('an unusual request gets a response: %s', async (request, expected) => {
  expect(await answerTo(`${request}\r\nhost: x\r\nconnection: close`)).toMatch(expected)
})

test('a browser gets a page about a path that is not valid, except below the API', async () => {
  const typeOf = async (target: string): Promise<string | undefined> => {
    const answer = await answerTo(`GET ${target} HTTP/1.1\r\nhost: x\r\naccept: text/html\r\nconnection: close`)
    return /^content-type: ([\w/]+)/im.exec(answer)?.[1]
  }
  expect(await typeOf('/x/../y')).toBe('text/html')
  for (const target of ['/api/public/../y', 'http://x/api/public/../y', '/api/public/nothing']) {
    expect([target, await typeOf(target)]).toEqual([target, 'application/json'])
  }
})

/** A server that ends with the test; without a handler, its responses wait. */
async function listening(
  handler?: Parameters<typeof listen>[1],
): Promise<{ server: Server; port: number; waiting: ServerResponse[] }> {
  const waiting: ServerResponse[] = []
  const own = await listen(
    { host: '127.0.0.1', port: 0 },
    handler ?? (async (_, outgoing) => void waiting.push(outgoing)),
  )
  onTestFinished(() => void own.close())
  return { server: own, port: portOf(own), waiting }
}

test('headers have 10 s to arrive, and an upload has no total limit', async () => {
  const { headersTimeout, requestTimeout } = (await listening()).server
  expect([headersTimeout, requestTimeout]).toEqual([10_000, 0])
  const { socket, until } = open('GET / HTTP/1.1\r\nhost: x\r\n')
  const dripping = setInterval(() => socket.write('x: y\r\n'), 2000)
  onTestFinished(() => clearInterval(dripping))
  await until(/^HTTP\/1\.1 408 [\s\S]*x-request-id: /)
})

test('connections that are kept alive, or opened ahead and never used, do not delay the end', async () => {
  const { server: stopping, port } = await listening(async (_, outgoing) => void outgoing.end('ok\n'))
  const unused = connectTo(port)
  await once(unused.socket, 'connect')
  const kept = connectTo(port, PING)
  await kept.until(STATUS_OF_PING)
  // The body arrives after the response.
  const early = connectTo(port, PING.replace('\r\n\r\n', '\r\ncontent-length: 5\r\n\r\n'))
  await early.until(STATUS_OF_PING)
  early.socket.write('hello')
  // Requests in progress have ten seconds to finish. With fake timers, the ten seconds never pass.
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const ended = stopListening(stopping)
  await vi.advanceTimersByTimeAsync(1000)
  await ended
})

test('a response that its client reads slowly is sent completely before a server ends', async () => {
  const body = 'x'.repeat(30_000_000)
  const { server: stopping, port } = await listening(async (_, outgoing) => void outgoing.end(body))
  const unused = connectTo(port)
  await once(unused.socket, 'connect')
  const reader = connectTo(port, PING)
  await reader.until(/content-length/i)
  reader.socket.pause()
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const ended = stopListening(stopping)
  // The server has ended the connections that it considers idle.
  await unused.ended
  reader.socket.resume()
  await ended
  await reader.ended
  expect(reader.received().length).toBeGreaterThan(body.length)
})

test.each(['host', 'authorization', 'content-type', 'idempotency-key'])(
  'two headers %s are rejected, the same or not, in JSON for a browser too',
  async (name) => {
    const first = { host: 'x', authorization: `Bearer ${server.key}` }[name] ?? 'x'
    for (const second of [first, 'y']) {
      const { socket, until } = open()
      socket.write(
        `${head('channels', { accept: 'text/html', [name]: first }).replace('\r\n', `\r\n${name.toUpperCase()}: ${second}\r\n`)}`,
      )
      expect(await until(/HTTP\/1\.1 \d+/)).toBe('HTTP/1.1 400')
      expect(await until(/"message":"[^"]+"/)).toBe(`"message":"Send the header ${name} only once."`)
      socket.destroy()
    }
  },
)

test('a transfer coding other than chunked, or any in HTTP/1.0, is rejected and ends the connection', async () => {
  const body = '5\r\n{"a":\r\n0\r\n\r\n'
  for (const [version, coding] of [
    ['1.1', 'gzip, chunked'],
    ['1.1', 'identity, chunked'],
    ['1.0', 'chunked'],
  ] as const) {
    const { socket, ended, received } = open()
    const request = head('createChat', { 'content-type': 'application/json', 'transfer-encoding': coding })
    socket.write(request.replace('HTTP/1.1', `HTTP/${version}`) + body + PING)
    await ended
    expect([coding, received().match(/HTTP\/1\.1 \d+/g)]).toEqual([coding, ['HTTP/1.1 400']])
  }
  const { socket, until } = open()
  socket.write(`${head('createChat', { 'content-type': 'application/json', 'transfer-encoding': 'Chunked' })}${body}`)
  expect(await until(/"code":"\w+"/)).toBe('"code":"invalid_json"')
  socket.destroy()
})

test('pipelined requests are processed one at a time, and their responses are in order', async () => {
  let [active, most] = [0, 0]
  const { port } = await listening(async (incoming, outgoing) => {
    active += 1
    most = Math.max(most, active)
    let size = 0
    for await (const { length } of incoming) size += length
    await sleep(0)
    outgoing.once('close', () => {
      active -= 1
    })
    outgoing.end(`${incoming.url} ${size}\n`)
  })
  const socket = connect(port, '127.0.0.1')
  const sizes = Array.from({ length: 600 }, (_, index) => (index % 50 === 7 ? 200_000 : index % 3 === 0 ? 100 : 0))
  for (const [index, size] of sizes.entries()) {
    socket.write(`POST /${index} HTTP/1.1\r\nhost: x\r\ncontent-length: ${size}\r\n\r\n${'x'.repeat(size)}`)
  }
  let text = ''
  for await (const part of socket) {
    text += String(part)
    if (text.includes(`/599 ${sizes[599]}\n`)) break
  }
  const answered = [...text.matchAll(/^\/(\d+) (\d+)$/gm)].map(([, index, size]) => [Number(index), Number(size)])
  expect(answered).toEqual(sizes.map((size, index) => [index, size]))
  expect(most).toBe(1)
})

test('all connections together hold 16 MiB of requests sent ahead; connections over that limit end', async () => {
  const { port, waiting } = await listening()
  const request = 'GET / HTTP/1.1\r\nhost: x\r\n\r\n'
  const sockets = Array.from({ length: 400 }, () => connect(port, '127.0.0.1'))
  let ended = 0
  const ahead = `${request}GET / HTTP/1.1\r\nx: ${'x'.repeat(64_000)}`
  for (const socket of sockets) socket.once('close', () => (ended += 1)).write(ahead)
  await expect.poll(() => waiting.length, { timeout: 20_000 }).toBe(400)
  await expect.poll(() => ended).toBeGreaterThan(50)
  expect(ended).toBeLessThan(300)
  for (const socket of sockets) socket.destroy()
  await expect.poll(() => waiting.every(({ closed }) => closed)).toBe(true)
  // The closed connections use none of the 16 MiB any more, so a new one may send ahead.
  const socket = connect(port, '127.0.0.1')
  socket.write(ahead)
  await expect.poll(() => waiting.length).toBe(401)
  await sleep(100)
  expect(socket.destroyed).toBe(false)
  socket.destroy()
})

test('bytes that a connection had sent before it ended are not parsed', async () => {
  const { port, waiting } = await listening()
  const request = `GET / HTTP/1.1\r\nhost: x\r\nx: ${'x'.repeat(5000)}\r\n\r\n`
  for (const count of [1, 2, 3]) {
    const socket = connect(port, '127.0.0.1')
    socket.write(request.repeat(10))
    await expect.poll(() => waiting.length).toBe(count)
    socket.resetAndDestroy()
    // Node reuses the parser of this connection for the next one.
    const ended = waiting.at(-1)
    if (ended?.closed === false) await once(ended, 'close')
    await sleep(10)
  }
  expect(waiting).toHaveLength(3)
})

test('chunks of one byte each are parsed a few at a time, and their bytes are read together', async () => {
  const parts: number[] = []
  const { port } = await listening(async (incoming, outgoing) => {
    for await (const { length } of bodyOf(incoming, outgoing)) parts.push(length)
    outgoing.end()
  })
  const socket = connect(port, '127.0.0.1')
  const count = 100_000
  socket.write(`POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n${'1\r\nx\r\n'.repeat(count)}0\r\n\r\n`)
  await once(socket, 'data')
  expect(parts.reduce((sum, length) => sum + length)).toBe(count)
  expect(parts.length).toBeLessThan(count / 100)
  expect(Math.max(...parts)).toBeLessThan(count / 10)
  socket.destroy()
})

test('100 Continue is sent after the check of the API key and the announced size, not before', async () => {
  const expecting = { expect: '100-continue', 'content-type': 'application/json' }
  const refusals: readonly (readonly [string, string])[] = [
    [head('createChat', { ...expecting, 'content-length': '10' }, 'Bearer wsk_wrong'), '401'],
    [head('createChat', { ...expecting, 'content-length': '8388609' }), '413'],
    [head('createChat', { ...expecting, 'content-type': 'text/plain', 'content-length': '10' }), '415'],
    [head('upload', { ...expecting, 'content-type': FORM, 'content-length': '2000000' }), '413'],
  ]
  for (const [request, status] of refusals) {
    const { socket, ended, received } = open()
    socket.write(request)
    await ended
    expect(received()).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    expect(received()).toMatch(/^connection: close\r$/im)
  }
  const { socket, until } = open()
  const body = '{"name":"continued"}'
  socket.write(head('createChat', { ...expecting, 'content-length': String(body.length) }))
  expect(await until(/^HTTP\/1\.1 \d+/)).toBe('HTTP/1.1 100')
  socket.write(body)
  await until(/HTTP\/1\.1 200 OK[\s\S]*"ok":true/)
  socket.destroy()
})

test('hundreds of idle or very slow connections delay no other client', async () => {
  const idle = Array.from({ length: 300 }, () => open(PING))
  await Promise.all(idle.map(({ until }) => until(STATUS_OF_PING)))
  const body = '{"name":"slow"}'
  const headers = { 'content-type': 'application/json', 'content-length': String(body.length), expect: '100-continue' }
  const slow = Array.from({ length: 100 }, () => open(head('createChat', headers)))
  await Promise.all(slow.map(({ until }) => until(/^HTTP\/1\.1 100 /)))
  for (const { socket } of slow) socket.write(body.slice(0, 5))
  const answers = [await server.call('ping'), await server.call('createChat', { name: 'fast' })]
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  for (const { socket } of slow) socket.write(body.slice(5))
  // Every slow request was open until then, because each still gets its response.
  await Promise.all(slow.map(({ until }) => until(/HTTP\/1\.1 200 OK[\s\S]*"ok":true/)))
  for (const { socket } of [...idle, ...slow]) socket.destroy()
})

test('a body of which nothing arrives for 30 s gets 408, and the connection ends', async () => {
  const json = open()
  json.socket.write(`${head('createChat', { 'content-type': 'application/json', 'content-length': '100' })}{"name":`)
  const upload = open()
  upload.socket.write(
    `${head('upload', { 'content-type': FORM, 'content-length': '1000' })}--b\r\ncontent-disposition: form-data; name="data"; filename="a"\r\n\r\nabc`,
  )
  await Promise.all([json.ended, upload.ended])
  for (const { received } of [json, upload]) {
    expect(received()).toMatch(/^HTTP\/1\.1 408 /)
    expect(received()).toMatch(/^connection: close\r$/im)
    expect(received()).toContain('"code":"timeout"')
  }
})

test('a connection is kept longer than proxies keep theirs', async () => {
  const { socket, until } = open()
  socket.write(PING)
  expect(Number(/timeout=(\d+)/.exec(await until(/^keep-alive: .*$/im))?.[1])).toBeGreaterThan(60)
  socket.destroy()
})

test('an error page has no links to other sites', async () => {
  for (const target of ['//evil.example/x', 'http://evil.example//evil.example']) {
    const { socket, until, received } = open()
    socket.write(`POST ${target} HTTP/1.1\r\nhost: x\r\naccept: text/html\r\nconnection: close\r\n\r\n`)
    await until(/<\/html>/)
    expect(received()).toMatch(/^HTTP\/1\.1 405 /)
    const links = [...received().matchAll(/(?:href|action|src)="([^"]*)"/g)].map(([, link = '']) => link)
    expect(links.length).toBeGreaterThan(2)
    for (const link of links) expect(new URL(link, server.site).origin).toBe(server.site)
  }
})
