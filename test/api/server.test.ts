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
import { endpointNames } from '../../src/api/contract/endpoints.js'
import { openBackend } from '../../src/server/backend.js'
import { type Config, readConfig, siteUrlOf } from '../../src/server/config.js'
import { freeBytes } from '../../src/server/disk.js'
import { createService } from '../../src/server/index.js'
import { examine } from '../../src/server/operator/doctor.js'
import { type RunningServer, serve } from '../../src/server/serve.js'
import { migrations } from '../../src/server/store/migrate.js'
import { openEmbedded, sharedFolder, testFolder } from './support/backends.js'
import { buildCli } from './support/cli.js'

const folder = sharedFolder()
let server: RunningServer
let key = ''

beforeAll(async () => {
  server = await serve(settings({}), { welcome: true })
  key = server.first?.key ?? ''
})

afterAll(() => server.close())

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

test('an invalid setting is rejected in one line that names it', () => {
  const wrong = {
    ...{ PORT: '70000', DATABASE_URL: 'mysql://x', SITE_URL: 'https://example.com/path', FILES: 'gs://x' },
    ...{ RATE_LIMIT: '-1', TRUST_PROXY: 'maybe', LOG_LEVEL: 'loud', UPLOAD_LIMIT: '1e3', DATABASE_CONNECTIONS: '0' },
  }
  for (const [name, value] of Object.entries(wrong)) {
    expect(() => readConfig({ [name]: value }), name).toThrow(new RegExp(`^${name}: expected [^\\n]+$`))
  }
  expect(() => readConfig({ SITE_URL: 'no address' })).toThrow('SITE_URL: expected a URL that starts with http:')
  const { host, port, data, siteUrl, trustedProxies } = readConfig({ XDG_DATA_HOME: '/x' })
  expect({ host, port, data, siteUrl, trustedProxies }).toEqual({
    ...{ host: '127.0.0.1', port: 3000, data: '/x/blockmark', siteUrl: null, trustedProxies: 0 },
  })
})

test('TRUST_PROXY is a number of proxies; on is one, and off is none', () => {
  const proxies = (TRUST_PROXY: string): number => readConfig({ TRUST_PROXY }).trustedProxies
  expect(['on', 'off', '0', '1', '2'].map(proxies)).toEqual([1, 0, 0, 1, 2])
})

test('FILES takes the usual variables of AWS along, the endpoint of S3 before that of everything', () => {
  const account = { AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b' }
  const files = (FILES: string, more = {}): Config['files'] => readConfig({ FILES, ...account, ...more }).files
  const bucket = { bucket: 'files', prefix: '', region: 'us-east-1', accessKeyId: 'a', secretAccessKey: 'b' }
  expect(files('s3://files')).toEqual(bucket)
  expect(files('s3://files/a/b/', { AWS_REGION: 'eu-central-1', AWS_SESSION_TOKEN: 'c' })).toEqual({
    ...bucket,
    ...{ prefix: 'a/b', region: 'eu-central-1', sessionToken: 'c' },
  })
  const all = { AWS_ENDPOINT_URL: 'https://all.test' }
  expect(files('s3://files', all)).toEqual({ ...bucket, endpoint: 'https://all.test' })
  const both = { ...all, AWS_ENDPOINT_URL_S3: 'https://s3.test' }
  expect(files('s3://files', both)).toEqual({ ...bucket, endpoint: 'https://s3.test' })
  expect(() => files('s3:///prefix')).toThrow('FILES: expected s3://BUCKET/PREFIX')
  for (const name of Object.keys(account))
    expect(() => files('s3://files', { [name]: '' })).toThrow('FILES: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY')
})

test('URLs of pages start with SITE_URL, or with the address that the server listens on', () => {
  const addressOf = (host: string, siteUrl: string | null = null): string => siteUrlOf({ host, siteUrl }, 3000)
  expect(addressOf('127.0.0.1', 'https://site.test')).toBe('https://site.test')
  expect(['127.0.0.1', '::1', '0.0.0.0', '::'].map((host) => addressOf(host))).toEqual([
    ...['http://127.0.0.1:3000', 'http://[::1]:3000', 'http://localhost:3000', 'http://localhost:3000'],
  ])
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

test('the first start creates an organization, a bot and an API key; a port in use is an error of one line', async () => {
  expect(key).toMatch(/^wsk_[0-9A-Za-z]{49}$/)
  const ping = await fetch(api('ping'), { headers: { authorization: `Bearer ${key}` } })
  expect(await ping.json()).toEqual({ ok: true, result: { name: 'Bot', organization: 'Workspace' } })
  await expect(serve(settings({ PORT: String(server.port) }))).rejects.toThrow(
    `port ${server.port} of 127.0.0.1 is in use: set PORT to another one`,
  )
})

test('health, readiness, metrics, the OpenAPI document and its page respond', async () => {
  const get = async (path: string): Promise<[number, string]> => {
    const response = await fetch(server.siteUrl + path)
    return [response.status, await response.text()]
  }
  expect(await get('/healthz')).toEqual([200, 'ok\n'])
  expect(await get('/readyz')).toEqual([200, 'ready\n'])
  expect((await get('/metrics'))[1]).toMatch(/blockmark_http_requests_total\{endpoint="ping",status="200"\} \d/)
  expect(JSON.parse((await get('/openapi.json'))[1])).toMatchObject({ openapi: '3.1.0' })
  expect((await get('/docs'))[1]).not.toMatch(/(?:src|href)="(?:https?:)?\/\//)
  expect((await get('/'))[0]).toBe(200)
})

test('a service of createService waits for its database, and is 503 if the database cannot be opened', async () => {
  const data = await testFolder()
  const siteUrl = 'https://messages.test'
  const statusOf = async (options: { data: string; databaseUrl?: string }): Promise<number> => {
    const service = createService({ siteUrl, logLevel: 'silent', ...options })
    const { status } = await service(new Request(`${siteUrl}/readyz`))
    await service.close()
    return status
  }
  // On a busy machine, readiness may take too long.
  await expect.poll(() => statusOf({ data })).toBe(200)
  expect(await statusOf({ data, databaseUrl: 'postgres://127.0.0.1:1/none' })).toBe(503)
})

test('a backend has its database and its files elsewhere if set so', async () => {
  const embedded = await openEmbedded()
  const { host = '', user, database } = embedded.connection
  const databaseUrl = `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host)}`
  const files = { bucket: 'b', prefix: '', region: 'us-east-1', accessKeyId: 'a', secretAccessKey: 'b' }
  const endpoint = 'http://127.0.0.1:1'
  const data = join(folder, 'nothing')
  const config = { ...settings({}), data, databaseUrl, files: { ...files, endpoint } }
  const backend = await openBackend(config)
  expect((await backend.database.run('', 'SELECT 1 AS one', [])).rows).toEqual([{ one: 1 }])
  expect(backend.restarts()).toBe(0)
  await backend.close()
  const kept = await openBackend({ ...config, files: null })
  await kept.files.ready()
  await kept.close()
  expect(await readdir(data)).toEqual(['files'])
  await expect(openBackend({ ...config, databaseUrl: 'postgres://127.0.0.1:1/x' })).rejects.toThrow(
    'DATABASE_URL: connect ECONNREFUSED 127.0.0.1:1',
  )
  await embedded.close()
})

test('the doctor reports present and missing parts', async () => {
  const config = settings({ DATA: join(folder, 'examined') })
  const examined = await serve(config, { welcome: true })
  // The free disk space depends on this machine.
  const found = async (): Promise<[string, boolean][]> =>
    (await examine(config)).slice(1).map(({ what, isFine }) => [what, isFine])
  const all = ['database', 'schema', 'clock', 'file data']
  expect(await found()).toEqual(all.map((what) => [what, true]))
  const form = new FormData()
  form.append('data', new Blob(['a file that goes']), 'a.txt')
  const headers = { authorization: `Bearer ${examined.first?.key}` }
  const upload = `${examined.siteUrl}/api/public/upload`
  expect((await fetch(upload, { method: 'POST', headers, body: form })).status).toBe(200)
  expect(await found()).toEqual(all.map((what) => [what, true]))
  await rm(join(config.data, 'files'), { recursive: true })
  expect(await found()).toEqual(all.map((what) => [what, what !== 'file data']))
  expect((await examine(config)).at(-1)?.note).toMatch(
    /^0 of 2 can be read in DATA\/files: restore [\da-f-]{36}\/[\da-f]{64} and 1 more from a backup$/,
  )
  await examined.close()
  const elsewhere = { ...config, databaseUrl: 'postgres://127.0.0.1:1/none' }
  expect((await examine(elsewhere)).slice(1)).toEqual([
    { what: 'database', isFine: false, note: expect.stringMatching(/^DATABASE_URL: /) },
  ])
})

test('the free disk space of a missing folder is that of the nearest existing one above it', async () => {
  const bytes = await freeBytes(join(folder, 'not', 'yet'))
  // Other processes write at the same time.
  expect(bytes / (await freeBytes(folder))).toBeCloseTo(1, 1)
})

test('every returned URL responds, and reveals nothing that the reader may not see', async () => {
  const { channelURL = '' } = await made('createChannel', { name: 'urls' })
  const blocks = ['# Title', '<script>x</script> **bold**']
  const { threadID = '', threadURL = '' } = await made('postThread', { channel: 'urls', blocks })
  const { commentURL = '' } = await made('postComment', { threadID, blocks: ['a comment'] })
  const { chatID = '', chatURL = '' } = await made('createChat', { name: 'urls' })
  const { chatMessageURL = '' } = await made('postChatMessage', { chatID, body: 'hello' })
  const page = await (await fetch(threadURL)).text()
  expect(page).toContain('<h2>Title</h2>')
  expect(page).toContain('&lt;script>x&lt;/script> <strong>bold</strong>')
  expect(await (await fetch(commentURL)).text()).toMatch(/aria-current="true"[\s\S]*a comment/)
  const headers = { authorization: `Bearer ${key}` }
  for (const url of [channelURL, chatURL, chatMessageURL, `${server.siteUrl}/messages/${chatID}`]) {
    const guest = await fetch(url, { redirect: 'manual' })
    expect([url, guest.status, (await fetch(url, { headers })).status]).toEqual([url, 303, 200])
  }
  const missing = async (url: string): Promise<string> =>
    String((await fetch(url, { redirect: 'manual' })).headers.get('location'))
      .replaceAll(new URL(url).pathname.slice(1), 'ID')
      .replace(/[\da-f-]{36}/, 'REQUEST')
  expect(await missing(`${server.siteUrl}/987654321`)).toBe(await missing(channelURL))
  expect((await fetch(threadURL.slice(0, -1))).status).toBe(404)
  expect((await fetch(threadURL)).headers.get('content-security-policy')).toContain("default-src 'none'")
})

test('a shell script with curl calls every endpoint', async () => {
  const environment = { ...process.env, KEY: key }
  const script = new URL('every-endpoint.sh', import.meta.url).pathname
  const shell = spawn('sh', [script, server.siteUrl], { env: environment, stdio: ['ignore', 'pipe', 'pipe'] })
  const [output, complaint] = await Promise.all([text(shell.stdout), text(shell.stderr)])
  expect(complaint).toBe('')
  expect(output).toMatch(/^(\w+: ok\n)+$/)
  for (const name of endpointNames) expect(output).toContain(`${name}: ok\n`)
})

test('a large upload is streamed, and an upload over the limit is rejected before its end', async () => {
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

test('an interrupted upload leaves no file', async () => {
  const socket = connect(server.port, '127.0.0.1')
  socket.write(
    `POST /api/public/upload HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\ncontent-length: 1000000\r\n` +
      'content-type: multipart/form-data; boundary=b\r\n\r\n--b\r\ncontent-disposition: form-data; name="data"; filename="a"\r\n\r\nxxx',
  )
  const incoming = join(folder, 'data/files/incoming')
  await expect.poll(() => readdir(incoming)).toHaveLength(1)
  socket.destroy()
  await expect.poll(() => readdir(incoming)).toEqual([])
})

test('an interrupted body is not an error of the service', async () => {
  const socket = connect(server.port, '127.0.0.1')
  socket.write(
    `POST /api/public/deleteThread HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\n` +
      'content-type: application/json\r\nexpect: 100-continue\r\ncontent-length: 100\r\n\r\n{"threadID":',
  )
  // The server reads the body.
  await once(socket, 'data')
  socket.destroy()
  const counted = /blockmark_http_requests_total\{endpoint="deleteThread",status="([45]\d\d)"\}/
  const status = async (): Promise<string | undefined> =>
    counted.exec(await (await fetch(`${server.siteUrl}/metrics`)).text())?.[1]
  await expect.poll(status).toBeDefined()
  expect(await status()).toBe('400')
})

test('strange requests get a response and do no harm', async () => {
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
  expect(await raw('GET /%ff%00 HTTP/1.1')).toMatch(/ 400 /)
  expect((await fetch(`${server.siteUrl}/healthz`)).status).toBe(200)
})

test('the command prints the first steps, logs neither content nor API keys, and finishes open requests on SIGTERM', async () => {
  const cli = await buildCli()
  const environment = { ...process.env, PORT: '0', DATA: join(folder, 'cli-data') }
  const child = spawn(process.execPath, [cli.path, 'serve', '--welcome'], {
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
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
  const commands = output.split('\n').filter((line) => /^(?:export|curl) /.test(line))
  const shell = spawn('sh', ['-c', `${commands.join('\n')} -s`], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [answer] = await once(shell.stdout, 'data')
  expect(String(answer)).toContain('"ok":true')
  const headers = { authorization: `Bearer ${first}`, 'content-type': 'application/json' }
  const secret = 'secret-content'
  const body = JSON.stringify({ channel: secret, blocks: [secret] })
  expect((await fetch(`${site}/api/public/postThread`, { method: 'POST', headers, body })).status).toBe(404)
  // A body is still arriving when the signal comes, and its request still gets a response.
  const expecting = { ...headers, expect: '100-continue' }
  const slow = httpRequest(`${site}/api/public/createChat`, { method: 'POST', headers: expecting })
  slow.flushHeaders()
  await once(slow, 'continue')
  slow.write('{"name":')
  child.kill('SIGTERM')
  const connecting = async (): Promise<unknown> => {
    const socket = connect(Number(new URL(site).port), '127.0.0.1')
    const outcome = await once(socket, 'connect').catch(({ code }) => code)
    socket.destroy()
    return outcome
  }
  await expect.poll(connecting).toBe('ECONNREFUSED')
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
  expect(entries.find((entry) => entry.status === 404)).toMatchObject({
    ...{ endpoint: 'postThread', method: 'POST', code: 'not_found' },
  })
  expect(entries.every(({ msg, requestID }) => (msg === 'answered') === (typeof requestID === 'string'))).toBe(true)
  const events = entries.filter(({ msg }) => msg !== 'answered' && msg !== 'cleaned up')
  expect(events).toMatchObject([
    { msg: 'migrated', from: 0, to: migrations.length },
    { msg: 'started', site },
    { msg: 'stopping' },
    { msg: 'stopped' },
  ])
  expect(log).not.toContain(secret)
  expect(log).not.toContain('wsk_')
})
