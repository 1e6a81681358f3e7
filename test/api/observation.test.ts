/** The operator's view: metrics, on a separate port if set, and the headers of responses for browsers. */

import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type Config, readConfig } from '../../src/server/config.js'
import { type RunningServer, serve } from '../../src/server/serve.js'
import { dataFolder, freePort, sharedFolder } from './support/backends.js'

const folder = sharedFolder()
let server: RunningServer

beforeAll(async () => {
  server = await serve(settings({ DATA: await dataFolder(join(folder, 'data')) }), { welcome: true })
})

afterAll(() => server.close())

function settings(environment: Record<string, string>): Config {
  return readConfig({ PORT: '0', LOG_LEVEL: 'silent', RATE_LIMIT: '0', ...environment })
}

async function metric(name: string): Promise<number> {
  const text = await (await fetch(`${server.siteUrl}/metrics`)).text()
  const found = new RegExp(`^${name.replace(/[{}"]/g, '\\$&')} (\\S+)$`, 'm').exec(text)?.[1]
  return found === undefined ? Number.NaN : Number(found)
}

test('the metrics describe the pool, the disk, the database and the event loop', async () => {
  expect(await metric('blockmark_database_connections{state="open"}')).toBeGreaterThan(0)
  expect(await metric('blockmark_database_connections{state="waiting"}')).toBe(0)
  expect(await metric('blockmark_disk_free_bytes')).toBeGreaterThan(1_000_000)
  expect(await metric('blockmark_database_restarts_total')).toBe(0)
  expect(await metric('blockmark_nodejs_eventloop_lag_p99_seconds')).toBeGreaterThan(0)
})

test('the event loop is watched, and blocks of more than 100 ms are counted', async () => {
  // Earlier blocks do not count.
  await sleep(100)
  const before = await metric('blockmark_event_loop_blocked_total')
  const end = performance.now() + 300
  while (performance.now() < end);
  // The page is drawn once a second.
  await expect.poll(() => metric('blockmark_event_loop_blocked_total')).toBeGreaterThan(before)
})

test('with METRICS_PORT the metrics are only on that port', async () => {
  const port = await freePort()
  const own = await serve(settings({ DATA: join(folder, 'own'), METRICS_PORT: String(port) }), { welcome: true })
  onTestFinished(() => own.close())
  const statusOf = async (url: string): Promise<number> => (await fetch(url)).status
  expect(await statusOf(`${own.siteUrl}/metrics`)).toBe(404)
  expect(await statusOf(`http://127.0.0.1:${port}/metrics`)).toBe(200)
  expect(await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()).toContain('blockmark_http_requests_total')
  for (const path of ['/', '/healthz', '/api/public/ping']) {
    expect([path, await statusOf(`http://127.0.0.1:${port}${path}`)]).toEqual([path, 404])
  }
  await expect(serve(settings({ DATA: join(folder, 'third'), METRICS_PORT: String(port) }))).rejects.toThrow(
    `port ${port} of 127.0.0.1 is in use: set METRICS_PORT to another one`,
  )
})

test('a site on https tells browsers to stay there; one on http does not', async () => {
  const plain = await fetch(`${server.siteUrl}/healthz`)
  expect(plain.headers.get('strict-transport-security')).toBeNull()
  const secure = await serve(settings({ DATA: join(folder, 'secure'), SITE_URL: 'https://example.com' }), {
    welcome: true,
  })
  onTestFinished(() => secure.close())
  for (const path of ['/', '/api/public/ping', '/openapi.json']) {
    const answer = await fetch(`http://127.0.0.1:${secure.port}${path}`)
    expect([path, answer.headers.get('strict-transport-security')]).toEqual([path, 'max-age=31536000'])
  }
})
