/** The server: its settings, its health, its log, bodies of any size, and how it stops. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, rm } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type Config, readConfig } from '../../src/server/config.js'
import { type RunningServer, serve } from '../../src/server/serve.js'
import { temporaryFolder } from './support/backends.js'
import { buildCli } from './support/cli.js'

let folder = ''
let server: RunningServer
let key = ''

beforeAll(async () => {
  folder = await temporaryFolder()
  server = await serve(settings({}))
  key = server.first?.key ?? ''
})

afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

function settings(environment: Record<string, string>): Config {
  const quiet = {
    PORT: '0',
    DATA: join(folder, 'data'),
    LOG_LEVEL: 'silent',
    UPLOAD_LIMIT: '50000000',
    RATE_LIMIT: '0',
  }
  return readConfig({ ...quiet, ...environment })
}

const api = (path: string): string => `${server.siteUrl}/api/public/${path}`

async function made(path: string, body: object): Promise<Record<string, string>> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const response = await fetch(api(path), { method: 'POST', headers, body: JSON.stringify(body) })
  const answer: { result: Record<string, string> } = JSON.parse(await response.text())
  return answer.result
}

test('a wrong setting is refused in one line that names it', () => {
  const wrong = {
    ...{ PORT: '70000', DATABASE_URL: 'mysql://x', SITE_URL: 'https://example.com/path', FILES: 'gs://x' },
    ...{ RATE_LIMIT: '-1', TRUST_PROXY: 'maybe', LOG_LEVEL: 'loud', UPLOAD_LIMIT: '1e3', DATABASE_CONNECTIONS: '0' },
  }
  for (const [name, value] of Object.entries(wrong)) {
    expect(() => readConfig({ [name]: value }), name).toThrow(new RegExp(`^${name}: expected [^\\n]+$`))
  }
  const { host, port, data, siteUrl, trustsProxy } = readConfig({ XDG_DATA_HOME: '/x' })
  expect({ host, port, data, siteUrl, trustsProxy }).toEqual({
    ...{ host: '127.0.0.1', port: 3000, data: '/x/blockmark', siteUrl: null, trustsProxy: false },
  })
})

test('a DATABASE_URL with several hosts says what to use instead', () => {
  const several = [
    'postgres://u:p,w@a:5432,b:5432/db',
    'postgres://a,b/db',
    'postgresql://a/db?host=b',
    'postgres://a/db?target_session_attrs=primary',
  ]
  for (const url of several) {
    expect(() => readConfig({ DATABASE_URL: url }), url).toThrow(
      'DATABASE_URL: expected one host: name a proxy that leads to the primary, as HAProxy or PgBouncer do',
    )
  }
  expect(readConfig({ DATABASE_URL: 'postgres://u:p,w@a:5432/db?sslmode=require' }).databaseUrl).toContain('@a:5432/db')
})

test('the first start makes an organization, a bot and a key; a port that is taken is one clear line', async () => {
  expect(key).toMatch(/^wsk_[0-9A-Za-z]{49}$/)
  const ping = await fetch(api('ping'), { headers: { authorization: `Bearer ${key}` } })
  expect(await ping.json()).toEqual({ ok: true, result: { name: 'Bot', organization: 'Workspace' } })
  await expect(serve(settings({ PORT: String(server.port) }))).rejects.toThrow(
    `port ${server.port} of 127.0.0.1 is in use: set PORT to another one`,
  )
})

test('health, readiness, metrics, the OpenAPI document and its page answer', async () => {
  const get = async (path: string): Promise<[number, string]> => {
    const response = await fetch(server.siteUrl + path)
    return [response.status, await response.text()]
  }
  expect(await get('/healthz')).toEqual([200, 'ok\n'])
  expect(await get('/readyz')).toEqual([200, 'ready\n'])
  expect((await get('/metrics'))[1]).toMatch(/http_requests_total\{endpoint="ping",status="200"\} \d/)
  expect(JSON.parse((await get('/openapi.json'))[1])).toMatchObject({ openapi: '3.1.0' })
  expect((await get('/docs'))[1]).not.toMatch(/(?:src|href)="(?:https?:)?\/\//)
  expect((await get('/'))[0]).toBe(200)
})

test('every returned url answers, and says nothing of what may not be seen', async () => {
  const { channelURL = '' } = await made('createChannel', { name: 'urls' })
  const blocks = ['# Title', '<script>x</script> **bold**']
  const { threadID = '', threadURL = '' } = await made('postThread', { channel: 'urls', blocks })
  const { commentURL = '' } = await made('postComment', { threadID, blocks: ['a comment'] })
  const { chatID = '', chatURL = '' } = await made('createChat', { name: 'urls' })
  const { chatMessageURL = '' } = await made('postChatMessage', { chatID, body: 'hello' })
  const page = await (await fetch(threadURL)).text()
  expect(page).toContain('<h1>Title</h1>')
  expect(page).toContain('&lt;script>x&lt;/script> <strong>bold</strong>')
  expect(await (await fetch(commentURL)).text()).toMatch(/aria-current="true"[\s\S]*a comment/)
  const headers = { authorization: `Bearer ${key}` }
  for (const url of [channelURL, chatURL, chatMessageURL, `${server.siteUrl}/messages/${chatID}`]) {
    expect([url, (await fetch(url)).status, (await fetch(url, { headers })).status]).toEqual([url, 404, 200])
  }
  const missing = async (url: string): Promise<string> =>
    (await (await fetch(url)).text())
      .replaceAll(new URL(url).pathname.slice(1), 'ID')
      .replace(/[\da-f-]{36}/, 'REQUEST')
  expect(await missing(`${server.siteUrl}/987654321`)).toBe(await missing(channelURL))
  expect((await fetch(threadURL.slice(0, -1))).status).toBe(404)
  expect((await fetch(threadURL)).headers.get('content-security-policy')).toContain("default-src 'none'")
})

test('a plain shell script with curl does every endpoint', async () => {
  const environment = { ...process.env, KEY: key }
  const script = new URL('every-endpoint.sh', import.meta.url).pathname
  const shell = spawn('sh', [script, server.siteUrl], { env: environment, stdio: ['ignore', 'pipe', 'pipe'] })
  const [output, complaint] = await Promise.all([text(shell.stdout), text(shell.stderr)])
  expect(complaint).toBe('')
  expect(output.trim().split('\n')).toHaveLength(20)
  expect(output).toMatch(/^(\w+: ok\n)+$/)
})

test('a large upload is streamed, and one over the limit is answered while it is still being sent', async () => {
  const upload = (size: number): Promise<{ status: number; sent: number }> =>
    new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'multipart/form-data; boundary=b' }
      let sent = 0
      const sending = httpRequest(api('upload'), { method: 'POST', headers }, (response) => {
        response.resume()
        resolve({ status: response.statusCode ?? 0, sent })
      })
      sending.on('error', reject)
      sending.write('--b\r\ncontent-disposition: form-data; name="data"; filename="a.txt"\r\n\r\n')
      const chunk = Buffer.alloc(1_000_000, 'x')
      const more = (): void => {
        while (sent < size) {
          sent += chunk.byteLength
          if (!sending.write(chunk)) return void sending.once('drain', more)
        }
        sending.end('\r\n--b--\r\n')
      }
      more()
    })
  expect((await upload(50_000_000)).status).toBe(200)
  const refused = await upload(500_000_000)
  expect(refused.status).toBe(413)
  expect(refused.sent).toBeLessThan(200_000_000)
})

test('an upload that breaks off leaves nothing behind', async () => {
  const socket = connect(server.port, '127.0.0.1')
  socket.write(
    `POST /api/public/upload HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\ncontent-length: 1000000\r\n` +
      'content-type: multipart/form-data; boundary=b\r\n\r\n--b\r\ncontent-disposition: form-data; name="data"; filename="a"\r\n\r\nxxx',
  )
  const incoming = join(folder, 'data/files/incoming')
  while ((await readdir(incoming)).length === 0) await sleep(10)
  socket.destroy()
  for (let attempt = 0; (await readdir(incoming)).length > 0; attempt += 1) {
    expect(attempt).toBeLessThan(300)
    await sleep(10)
  }
})

test('a body that breaks off is no failure of ours', async () => {
  const socket = connect(server.port, '127.0.0.1')
  socket.write(
    `POST /api/public/deleteThread HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\n` +
      'content-type: application/json\r\ncontent-length: 100\r\n\r\n{"threadID":',
  )
  await sleep(200)
  socket.destroy()
  const counted = /http_requests_total\{endpoint="deleteThread",status="([45]\d\d)"\}/
  let metrics = ''
  for (let attempt = 0; !counted.test(metrics); attempt += 1) {
    expect(attempt).toBeLessThan(300)
    await sleep(10)
    metrics = await (await fetch(`${server.siteUrl}/metrics`)).text()
  }
  expect(counted.exec(metrics)?.[1]).toBe('400')
})

test('strange requests are answered and harm nobody', async () => {
  const raw = async (head: string): Promise<string> => {
    const socket = connect(server.port, '127.0.0.1')
    socket.end(`${head}\r\nhost: x\r\nconnection: close\r\n\r\n`)
    let answer = ''
    for await (const chunk of socket) answer += String(chunk)
    return answer.split('\r\n', 1)[0] ?? ''
  }
  expect(await raw('GET //evil.test/api/public/ping HTTP/1.1')).toMatch(/ 404 /)
  expect(await raw('GET http://evil.test/healthz HTTP/1.1')).toMatch(/ 200 /)
  expect(await raw('TRACE / HTTP/1.1')).toMatch(/ 4\d\d /)
  expect(await raw('OPTIONS * HTTP/1.1')).toMatch(/ 4\d\d /)
  expect(await raw('GET /%ff%00 HTTP/1.1')).toMatch(/ 404 /)
  expect((await fetch(`${server.siteUrl}/healthz`)).status).toBe(200)
})

test('the command prints what to do first, logs neither content nor keys, and SIGTERM finishes what is under way', async () => {
  const cli = await buildCli()
  onTestFinished(() => cli.remove())
  const environment = { ...process.env, PORT: '0', DATA: join(folder, 'cli-data') }
  const child = spawn(process.execPath, [cli.path, 'serve'], { env: environment, stdio: ['ignore', 'pipe', 'pipe'] })
  let log = ''
  child.stderr.on('data', (chunk) => {
    log += String(chunk)
  })
  let output = ''
  child.stdout.on('data', (chunk) => {
    output += String(chunk)
  })
  onTestFinished(() => void child.kill('SIGTERM'))
  while (!output.includes('/postThread\n')) {
    expect([child.exitCode, log]).toEqual([null, expect.anything()])
    await sleep(20)
  }
  const site = /ready on (\S+),/.exec(output)?.[1] ?? ''
  const first = /wsk_\w{49}/.exec(output)?.[0] ?? ''
  const curl = output.split('\n').find((line) => line.startsWith('curl ')) ?? ''
  const shell = spawn('sh', ['-c', `${curl} -s`], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [answer] = await once(shell.stdout, 'data')
  expect(String(answer)).toContain('"ok":true')
  const headers = { authorization: `Bearer ${first}`, 'content-type': 'application/json' }
  const secret = 'what-nobody-reads'
  const body = JSON.stringify({ channel: secret, blocks: [secret] })
  expect((await fetch(`${site}/api/public/postThread`, { method: 'POST', headers, body })).status).toBe(404)
  // A body that arrives slowly is under way when the signal comes, and is still answered.
  const slow = httpRequest(`${site}/api/public/createChat`, { method: 'POST', headers })
  slow.write('{"name":')
  await sleep(300)
  child.kill('SIGTERM')
  await sleep(300)
  const refused = connect(Number(new URL(site).port), '127.0.0.1')
  expect(await once(refused, 'error')).toMatchObject([{ code: 'ECONNREFUSED' }])
  slow.end('"slow"}')
  const [response] = await once(slow, 'response')
  expect(response.statusCode).toBe(200)
  response.resume()
  const [code] = await once(child, 'exit')
  expect(code).toBe(0)
  const entries = log
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(entries.find((entry) => entry.status === 404)).toMatchObject({ endpoint: 'postThread', method: 'POST' })
  expect(entries.every((entry) => typeof entry.requestID === 'string')).toBe(true)
  expect(log).not.toContain(secret)
  expect(log).not.toContain('wsk_')
})
