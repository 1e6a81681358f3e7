/** The server: its settings, health, metrics and URLs, uploads of any size, and the service without a server. */

import { spawn } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { endpointNames } from '../../src/api/contract/endpoints.js'
import { type Config, configOf, readConfig, siteUrlOf } from '../../src/server/config.js'
import { createService, serve } from '../../src/server/index.js'
import { freePort } from './support/backends.js'
import { connectTo, newSettings, serveHere } from './support/server.js'

let server: Awaited<ReturnType<typeof serveHere>>

beforeAll(async () => {
  server = await serveHere({ UPLOAD_LIMIT: '50000000' })
})

afterAll(() => server.close())

describe('a setting', () => {
  test.each([
    ['PORT', '70000'],
    ['DATABASE_URL', 'mysql://x'],
    ['SITE_URL', 'https://example.com/path'],
    ['SITE_URL', 'no address'],
    ['FILES', 'gs://x'],
    ['FILES', 's3:///prefix'],
    ['RATE_LIMIT', '-1'],
    ['TRUST_PROXY', 'maybe'],
    ['LOG_LEVEL', 'loud'],
    ['UPLOAD_LIMIT', '1e3'],
    ['DATABASE_CONNECTIONS', '0'],
  ])('%s cannot be %j, in one line that says what is expected', (name, value) => {
    expect(() => readConfig({ [name]: value })).toThrow(new RegExp(`^${name}: expected [^\\n]+$`))
  })

  test('has a default', () => {
    expect(readConfig({ XDG_DATA_HOME: '/x' })).toMatchObject({
      ...{ host: '127.0.0.1', port: 3000, data: '/x/blockmark', siteUrl: null, trustedProxies: 0 },
    })
  })

  test.each(['https://a.test/path', 'no address', ''])('siteUrl of a program cannot be %j', (siteUrl) => {
    expect(() => createService({ siteUrl })).toThrow(/^(?:siteUrl|SITE_URL): expected [^\n]+$/)
    expect(() => Reflect.apply(createService, null, [])).toThrow(/^siteUrl: expected [^\n]+$/)
  })

  test('of a program is its default if it is undefined; a slash at the end of siteUrl is removed', () => {
    const options = { siteUrl: 'https://a.test/', port: undefined, databaseUrl: undefined }
    expect(configOf(options)).toEqual(readConfig({ SITE_URL: 'https://a.test' }))
    expect(() => configOf({ ...{ PORT: 8080 }, port: 1 })).toThrow(
      /^PORT: there is no such setting: choose from host, port, /,
    )
  })

  test('TRUST_PROXY is a number of proxies; on is one, and off is none', () => {
    const proxies = (TRUST_PROXY: string): number => readConfig({ TRUST_PROXY }).trustedProxies
    expect(['on', 'off', '0', '1', '2'].map(proxies)).toEqual([1, 0, 0, 1, 2])
  })

  test('FILES is read with the usual variables of AWS, S3’s own endpoint before the general one', () => {
    const account = { AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b' }
    const files = (FILES: string, more = {}): Config['files'] => readConfig({ FILES, ...account, ...more }).files
    const bucket = { bucket: 'files', prefix: '', region: 'us-east-1', accessKeyId: 'a', secretAccessKey: 'b' }
    expect(files('s3://files', { AWS_ENDPOINT_URL: 'https://all.test' })).toEqual({
      ...bucket,
      endpoint: 'https://all.test',
    })
    const all = { AWS_ENDPOINT_URL: 'https://all.test', AWS_ENDPOINT_URL_S3: 'https://s3.test', AWS_SESSION_TOKEN: 'c' }
    expect(files('s3://files/a/b/', { ...all, AWS_REGION: 'eu-central-1' })).toEqual({
      ...{ ...bucket, prefix: 'a/b', region: 'eu-central-1', sessionToken: 'c', endpoint: 'https://s3.test' },
    })
    expect(() => files('s3://files', { AWS_ACCESS_KEY_ID: '' })).toThrow('FILES: set AWS_ACCESS_KEY_ID and')
  })

  test('SITE_URL is by default the IP address and port that the server listens on', () => {
    const start = (host: string, siteUrl: string | null = null): string => siteUrlOf({ host, siteUrl }, 3000)
    expect(start('127.0.0.1', 'https://site.test')).toBe('https://site.test')
    expect(['127.0.0.1', '::1', '0.0.0.0', '::'].map((host) => start(host))).toEqual([
      ...['http://127.0.0.1:3000', 'http://[::1]:3000', 'http://localhost:3000', 'http://localhost:3000'],
    ])
  })
})

describe('the metrics', () => {
  async function metric(name: string): Promise<number> {
    const page = await (await fetch(`${server.site}/metrics`)).text()
    const found = new RegExp(`^${name.replace(/[{}"]/g, '\\$&')} (\\S+)$`, 'm').exec(page)?.[1]
    return Number(found ?? Number.NaN)
  }

  test('describe requests, the pool and the event loop', async () => {
    // A file was uploaded before this test.
    expect(await metric('blockmark_http_requests_total{endpoint="upload",status="200"}')).toBeGreaterThan(0)
    expect(await metric('blockmark_database_connections')).toBeGreaterThan(0)
    expect(await metric('blockmark_nodejs_eventloop_lag_p99_seconds')).toBeGreaterThan(0)
  })

  test('are only on METRICS_PORT if it is set; a port in use is an error of one line', async () => {
    const port = await freePort()
    const own = await serveHere({ METRICS_PORT: String(port) })
    onTestFinished(() => own.close())
    const page = `http://127.0.0.1:${port}`
    expect((await fetch(`${own.site}/metrics`)).status).toBe(404)
    expect(await (await fetch(`${page}/metrics`)).text()).toContain('blockmark_http_requests_total')
    for (const path of ['/', '/healthz', '/api/public/ping']) expect((await fetch(page + path)).status).toBe(404)
    const { settings, remove } = await newSettings()
    onTestFinished(remove)
    for (const name of ['METRICS_PORT', 'PORT']) {
      await expect(serve(readConfig({ ...settings, [name]: String(port) }))).rejects.toThrow(
        `port ${port} of 127.0.0.1 is in use: set ${name} to another one`,
      )
    }
  })
})

test('health, readiness and the OpenAPI document respond', async () => {
  const get = async (path: string): Promise<string> => (await fetch(server.site + path)).text()
  expect([await get('/healthz'), await get('/readyz')]).toEqual(['ok\n', 'ready\n'])
  expect(JSON.parse(await get('/openapi.json'))).toMatchObject({ openapi: '3.1.0' })
})

test('a site on https tells browsers to stay there; one on http does not', async () => {
  expect((await fetch(`${server.site}/healthz`)).headers.get('strict-transport-security')).toBeNull()
  const secure = await serveHere({ SITE_URL: 'https://example.com' })
  onTestFinished(() => secure.close())
  for (const path of ['/', '/api/public/ping', '/openapi.json']) {
    const { headers } = await fetch(secure.site + path)
    expect([path, headers.get('strict-transport-security')]).toEqual([path, 'max-age=31536000'])
  }
})

test('a service without a server waits for its database, and is 503 if the database cannot be opened', async () => {
  const { settings, remove } = await newSettings()
  onTestFinished(remove)
  const siteUrl = 'https://messages.test'
  const statusOf = async (databaseUrl = ''): Promise<number> => {
    const service = createService({
      siteUrl: `${siteUrl}/`,
      logLevel: 'silent',
      data: settings['DATA'] ?? '',
      databaseUrl,
    })
    const { status } = await service(new Request(`${siteUrl}/readyz`))
    await service.close()
    return status
  }
  // On a busy machine, the first check of readiness may time out.
  await expect.poll(() => statusOf(settings['DATABASE_URL'])).toBe(200)
  expect(await statusOf('postgres://127.0.0.1:1/none')).toBe(503)
})

test('a shell script with curl calls every endpoint', async () => {
  const environment = { ...process.env, KEY: server.key }
  const script = new URL('every-endpoint.sh', import.meta.url).pathname
  const shell = spawn('sh', [script, server.site], { env: environment, stdio: ['ignore', 'pipe', 'pipe'] })
  const [output, complaint] = await Promise.all([text(shell.stdout), text(shell.stderr)])
  expect(complaint).toBe('')
  for (const name of endpointNames) expect(output).toContain(`${name}: ok\n`)
})

test('a large upload is streamed, and an upload over the limit is rejected before its end', async () => {
  const headers = { authorization: `Bearer ${server.key}`, 'content-type': 'multipart/form-data; boundary=b' }
  const upload = (size: number): Promise<{ status: number; sent: number }> =>
    new Promise((resolve, reject) => {
      let sent = 0
      const sending = httpRequest(`${server.site}/api/public/upload`, { method: 'POST', headers }, (response) => {
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
  expect((await upload(49_000_000)).status).toBe(200)
  const refused = await upload(500_000_000)
  expect(refused.status).toBe(413)
  expect(refused.sent).toBeLessThan(200_000_000)
})

test('an interrupted upload leaves no file', async () => {
  const { socket } = connectTo(
    server.port,
    `POST /api/public/upload HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${server.key}\r\ncontent-length: 1000000\r\n` +
      'content-type: multipart/form-data; boundary=b\r\n\r\n--b\r\ncontent-disposition: form-data; name="data"; filename="a"\r\n\r\nxxx',
  )
  const incoming = join(server.data, 'files/incoming')
  await expect.poll(() => readdir(incoming)).toHaveLength(1)
  socket.destroy()
  await expect.poll(() => readdir(incoming)).toEqual([])
})
