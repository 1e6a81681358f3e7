/** Three processes on one database with HAProxy before them, as in the server's README. */

import { spawn } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort, sharedFolder } from './support/backends.js'
import { buildCli, type Running, startCli } from './support/cli.js'
import { isDebianInstalled, type Server, startDebian } from './support/debian.js'
import { programOf, retrying } from './support/programs.js'

const HAPROXY = programOf('haproxy', 'HAPROXY')
const missing = HAPROXY === null || !isDebianInstalled

describe.skipIf(missing)('three processes with HAProxy before them (needs haproxy and postgresql)', () => {
  const folder = sharedFolder()
  let postgres: Server
  const ports: number[] = []
  const processes: Running[] = []
  let site = ''
  let key = ''
  let stopProxy: () => Promise<void>

  async function start(index: number): Promise<Running> {
    const settings = {
      ...{ PORT: String(ports[index]), DATA: join(folder, 'data'), DATABASE_URL: postgres.url, SITE_URL: site },
      ...{ TRUST_PROXY: 'on', LOG_LEVEL: 'silent', RATE_LIMIT: '0' },
    }
    const running = startCli(await buildCli(), ['serve', '--welcome'], settings)
    await running.printed(/ready on (\S+),/)
    return running
  }

  beforeAll(async () => {
    postgres = await startDebian(folder, await freePort())
    for (let count = 0; count < 3; count += 1) ports.push(await freePort())
    site = `http://127.0.0.1:${await freePort()}`
    for (const index of ports.keys()) processes.push(await start(index))
    key = /wsk_\w{49}/.exec(processes[0]?.stdout() ?? '')?.[0] ?? ''
    stopProxy = await startProxy(folder, site, ports)
    expect(await post('createChat', { name: 'c' })).toBe(200)
  })

  afterAll(async () => {
    await stopProxy()
    for (const { child } of processes) child.kill('SIGTERM')
    await Promise.all(processes.map(({ ended }) => ended))
    await postgres.stop()
  })

  /** Sends a request once, without a retry. Returns its status, or 0 if there is no complete response. */
  function post(name: string, body: object, agent = new Agent()): Promise<number> {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    return new Promise((resolve) => {
      const sending = request(`${site}/api/public/${name}`, { method: 'POST', headers, agent }, (response) => {
        response.resume().on('close', () => resolve(response.complete ? (response.statusCode ?? 0) : 0))
      })
      sending.on('error', () => resolve(0))
      sending.end(JSON.stringify(body))
    })
  }

  test('one process after the other is stopped and started, and no request is lost', async () => {
    let isOver = false
    const statuses: number[] = []
    const clients = Array.from({ length: 12 }, async (_, client) => {
      const agent = new Agent({ keepAlive: client % 2 === 0, maxSockets: 1 })
      for (let index = 0; !isOver; index += 1) {
        statuses.push(await post('postChatMessage', { chat: 'c', body: `${client} ${index}` }, agent))
      }
      agent.destroy()
    })
    for (const index of ports.keys()) {
      const before = statuses.length
      await expect.poll(() => statuses.length).toBeGreaterThan(before + 50)
      processes[index]?.child.kill('SIGTERM')
      expect((await processes[index]?.ended)?.code).toBe(0)
      processes[index] = await start(index)
      // The next process is stopped only when the proxy sends requests to the restarted one again.
      const posts = /blockmark_http_requests_total\{endpoint="postChatMessage"/
      const metrics = (): Promise<string> =>
        fetch(`http://127.0.0.1:${ports[index]}/metrics`).then((page) => page.text())
      await expect.poll(metrics).toMatch(posts)
    }
    isOver = true
    await Promise.all(clients)
    expect(new Set(statuses)).toEqual(new Set([200]))
    expect(statuses.length).toBeGreaterThan(100)
    const client = new pg.Client(postgres.url)
    await client.connect()
    const { rows } = await client.query<{ body: string }>('SELECT body FROM messages')
    await client.end()
    expect([rows.length, new Set(rows.map(({ body }) => body)).size]).toEqual([statuses.length, statuses.length])
  })
})

/** Runs the configuration of the server's README on the ports of this test. */
async function startProxy(folder: string, site: string, ports: readonly number[]): Promise<() => Promise<void>> {
  const readme = await readFile(new URL('../../src/server/README.md', import.meta.url), 'utf8')
  let text = /```haproxy\n([^`]*)```/.exec(readme)?.[1] ?? ''
  expect(text.match(/^ *server .*$/gm)).toHaveLength(ports.length)
  text = text.replace(/bind \S+/, `bind ${new URL(site).host}`)
  // On a busy machine, a process may respond late. The proxy finds a stopped process by its rejected connections.
  text = text.replace('defaults\n', 'defaults\n  timeout check 60s\n')
  for (const [index, port] of ports.entries()) text = text.replace(`127.0.0.1:300${index + 1}`, `127.0.0.1:${port}`)
  const path = join(folder, 'haproxy.cfg')
  await writeFile(path, text)
  const child = spawn(HAPROXY ?? '', ['-db', '-f', path], { stdio: 'ignore' })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const ready = async (): Promise<void> => expect((await fetch(`${site}/readyz`)).status).toBe(200)
  await retrying(ready, () => child.exitCode === null)
  return async () => {
    child.kill('SIGKILL')
    await ended
  }
}
