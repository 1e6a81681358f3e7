/** The attacker of the question `strangers`, as a separate process: it works on one attack until it gets a signal. */

import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { createKey } from '../../src/api/keys.js'

/** The server, the API key of the attacker, the path of an expensive page, and threads to delete. */
export interface Target {
  readonly url: string
  readonly key: string
  readonly page: string
  readonly threadIDs: readonly string[]
}

type Attack = (target: Target) => Promise<unknown>

/** The number of responses and ended connections. */
let count = 0

const FORM = 'multipart/form-data; boundary=b'
const FIELD = '--b\r\ncontent-disposition: form-data; name="other"\r\n\r\n'

export const attacks: Readonly<Record<string, Attack>> = {
  nothing: () => sleep(1e9),
  '20,000 pipelined files, no API key': (target) => pipeline(target, 1, 20_000, () => get('/files/100001?s=x')),
  '150,000 pipelined files on 4 connections': (target) => pipeline(target, 4, 37_500, () => get('/files/100001?s=x')),
  '20,000 pages with a made-up session': (target) =>
    pipeline(target, 4, 5000, () => get('/', `cookie: blockmark-session=${randomUUID()}.${'x'.repeat(43)}\r\n`)),
  'pages with made-up sessions on 64 connections': (target) =>
    often(target, 64, () => ({
      path: '/',
      headers: { cookie: `blockmark-session=${randomUUID()}.${'x'.repeat(43)}` },
    })),
  'made-up API keys on 64 connections': (target) => often(target, 64, () => ping(createKey())),
  '/readyz on 64 connections': (target) => often(target, 64, () => ({ path: '/readyz' })),
  '/openapi.json on 64 connections': (target) => often(target, 64, () => ({ path: '/openapi.json' })),
  'all documents in two codings, on 64 connections': (target) =>
    often(target, 64, (index) => ({
      path: DOCUMENTS[index % DOCUMENTS.length] ?? '',
      headers: { 'accept-encoding': Math.floor(index / DOCUMENTS.length) % 2 === 0 ? 'br' : 'gzip' },
    })),
  '50,000 pipelined pings, one good API key': (target) =>
    pipeline(target, 4, 12_500, () => get('/api/public/ping', `authorization: Bearer ${target.key}\r\n`)),
  'a page of 39,000 fences, 40 at once': (target) => often(target, 40, () => ({ path: target.page })),
  '40 bodies of 7.8 MB, with an Idempotency-Key': (target) =>
    often(target, 40, (index) => post(target, 'createChat', LARGE, { 'idempotency-key': String(index) })),
  'posts of 100 blocks that parse slowly, 100 a second': (target) =>
    steadily(100, () => send(target, post(target, 'postThread', SLOW))),
  'lists of 3,000 channels, 100 a second, not read': (target) => steadily(100, () => unread(target)),
  'lists of 3,000 channels on 20 connections': (target) =>
    often(target, 20, () => ({ path: '/api/public/channels', headers: { authorization: `Bearer ${target.key}` } })),
  'lists of 3,000 channels with an Idempotency-Key': (target) =>
    often(target, 20, (index) => post(target, 'channels', Buffer.from('{}'), { 'idempotency-key': String(index) })),
  '1,000 threads deleted, 100 a second': async (target) => {
    for (const threadID of target.threadIDs) {
      void send(target, post(target, 'deleteThread', Buffer.from(JSON.stringify({ threadID }))))
      await sleep(10)
    }
  },
  'posts on 400 connections, DATABASE_CONNECTIONS=200': (target) =>
    often(target, 400, () => post(target, 'postThread', SMALL)),
  'uploads to an S3 that never answers, 5 a second': (target) =>
    steadily(5, () => send(target, post(target, 'upload', upload(randomUUID()), { 'content-type': FORM }))),
  'an upload field that never ends, 4 connections': (target) =>
    Promise.all([1, 2, 3, 4].map(() => endless(target, 'upload', FORM, FIELD, `10000\r\n${'x'.repeat(65_536)}\r\n`))),
  'bodies in chunks of one byte, 8 connections': (target) =>
    Promise.all(
      Array.from({ length: 8 }, () =>
        endless(target, 'createChat', 'application/json', '{', '1\r\n \r\n'.repeat(10_000)),
      ),
    ),
  'connections that are reset with requests left, 200 a second': (target) => steadily(200, () => reset(target)),
}

const DOCS = ['search.json', 'dialect-3', 'dialect-4', 'reference-blockmark', 'server', 'errors', 'none', 'lint']
const DOCUMENTS = ['/playground', '/docs', '/metrics', ...DOCS.map((slug) => `/docs/${slug}`)]
const SMALL = Buffer.from(JSON.stringify({ channel: 'c', blocks: ['x'] }))
const LARGE = Buffer.from(`{"name":7,"x":"${'x'.repeat(7_800_000)}"}`)
const SLOW = Buffer.from(JSON.stringify({ channel: 'c', blocks: Array(100).fill(`${'**a*'.repeat(995)}<@`) }))

interface Sending {
  readonly path: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string | number>>
  readonly body?: Buffer
}

function get(path: string, headers = ''): string {
  return `GET ${path} HTTP/1.1\r\nhost: a\r\n${headers}\r\n`
}

function ping(key: string): Sending {
  return { path: '/api/public/ping', headers: { authorization: `Bearer ${key}` } }
}

function post({ key }: Target, name: string, body: Buffer, headers: Record<string, string> = {}): Sending {
  const all = { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers }
  return { path: `/api/public/${name}`, method: 'POST', headers: { ...all, 'content-length': body.length }, body }
}

function upload(text: string): Buffer {
  return Buffer.from(`--b\r\ncontent-disposition: form-data; name="data"; filename="a"\r\n\r\n${text}\r\n--b--\r\n`)
}

/** Sends requests without waiting for responses, again whenever the connection ends. */
async function pipeline({ url }: Target, connections: number, requests: number, text: () => string): Promise<void> {
  const bytes = Array.from({ length: requests }, text).join('')
  const one = async (): Promise<never> => {
    for (;;) {
      const socket = connect(Number(new URL(url).port), '127.0.0.1')
      socket.on('data', (part) => {
        count += String(part).split('HTTP/1.1 ').length - 1
      })
      socket.on('error', () => undefined)
      socket.write(bytes)
      await new Promise((resolve) => socket.once('close', resolve))
      count += 1
    }
  }
  await Promise.all(Array.from({ length: connections }, one))
}

/** Sends one request after the other on each connection. */
async function often(target: Target, connections: number, sending: (index: number) => Sending): Promise<void> {
  let index = 0
  const one = async (): Promise<never> => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    for (;;) {
      index += 1
      await send(target, sending(index), agent)
    }
  }
  await Promise.all(Array.from({ length: connections }, one))
}

async function steadily(perSecond: number, work: () => unknown): Promise<never> {
  for (;;) {
    work()
    await sleep(1000 / perSecond)
  }
}

function send({ url }: Target, { path, method = 'GET', headers, body }: Sending, agent?: Agent): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      count += 1
      resolve()
    }
    const sending = request(url + path, { method, headers: { ...headers }, agent: agent ?? false }, (response) => {
      response
        .resume()
        .once('close', end)
        .once('error', () => undefined)
    })
    sending.once('error', end)
    sending.end(body)
  })
}

function unread({ url, key }: Target): void {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.on('error', () => undefined)
  socket.write(get('/api/public/channels', `authorization: Bearer ${key}\r\n`))
  socket.pause()
  count += 1
}

/** Resets a connection while the first of its requests is worked on. */
function reset({ url }: Target): void {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.on('error', () => undefined).once('close', () => (count += 1))
  socket.write(get('/openapi.json', `x: ${'x'.repeat(5000)}\r\n`).repeat(10))
  setTimeout(() => socket.resetAndDestroy(), 50 * Math.random())
}

/** Sends a chunked body until the connection ends, again and again. */
async function endless({ url, key }: Target, name: string, type: string, start: string, chunk: string): Promise<never> {
  const headers = `host: a\r\nauthorization: Bearer ${key}\r\ncontent-type: ${type}\r\ntransfer-encoding: chunked`
  for (;;) {
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    socket.on('error', () => undefined).resume()
    const head = `POST /api/public/${name} HTTP/1.1\r\n${headers}\r\n\r\n`
    socket.write(`${head}${start.length.toString(16)}\r\n${start}\r\n`)
    while (!socket.destroyed) {
      if (socket.write(chunk)) continue
      const ended = new AbortController()
      await Promise.race([once(socket, 'drain', { signal: ended.signal }), sleep(100)]).catch(() => undefined)
      ended.abort()
    }
    count += 1
  }
}

process.on('message', ({ name, target }: { name: string; target: Target }) => {
  void attacks[name]?.(target)
  process.once('SIGTERM', () => process.send?.({ count }, () => process.exit()))
})
process.send?.({ names: Object.keys(attacks) })
