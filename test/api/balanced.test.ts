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
    expect((await post('createChat', { name: 'c' }, null)).status).toBe(200)
  })

  afterAll(async () => {
    await stopProxy()
    for (const { child } of processes) child.kill('SIGTERM')
    await Promise.all(processes.map(({ ended }) => ended))
    await postgres.stop()
  })

  interface Answer {
    readonly status: number
    readonly text: string
  }

  /** Sends a request once, without a retry. */
  function post(name: string, body: object, idempotencyKey: string | null, agent = new Agent()): Promise<Answer> {
    const headers = {
      ...{ authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(idempotencyKey === null ? {} : { 'idempotency-key': idempotencyKey }),
    }
    return new Promise((resolve) => {
      const sending = request(`${site}/api/public/${name}`, { method: 'POST', headers, agent }, (response) => {
        let text = ''
        response.on('data', (chunk) => {
          text += String(chunk)
        })
        response.on('close', () => resolve({ status: response.complete ? (response.statusCode ?? 0) : 0, text }))
      })
      sending.on('error', (error) => resolve({ status: 0, text: error.message }))
      sending.end(JSON.stringify(body))
    })
  }

  async function rowsOf(bodies: string): Promise<string[]> {
    const client = new pg.Client(postgres.url)
    await client.connect()
    const { rows } = await client.query<{ body: string }>('SELECT body FROM messages WHERE body LIKE $1', [bodies])
    await client.end()
    return rows.map(({ body }) => body)
  }

  test('one process after the other is stopped and started, and no request is lost', async () => {
    let isOver = false
    const answers: Answer[] = []
    const clients = Array.from({ length: 12 }, async (_, client) => {
      const agent = new Agent({ keepAlive: client % 2 === 0, maxSockets: 1 })
      for (let index = 0; !isOver; index += 1) {
        answers.push(await post('postChatMessage', { chat: 'c', body: `rolling ${client} ${index}` }, null, agent))
      }
      agent.destroy()
    })
    for (const index of ports.keys()) {
      const before = answers.length
      await expect.poll(() => answers.length).toBeGreaterThan(before + 50)
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
    expect(answers.filter(({ status }) => status !== 200)).toEqual([])
    expect(answers.length).toBeGreaterThan(100)
    const rows = await rowsOf('rolling%')
    expect([rows.length, new Set(rows).size]).toEqual([answers.length, answers.length])
  })

  test('the same idempotency key, sent to all of them at once, makes one row', async () => {
    for (let round = 0; round < 10; round += 1) {
      const body = { chat: 'c', body: `raced ${round}` }
      const answers = await Promise.all(
        Array.from({ length: 30 }, () => post('postChatMessage', body, `race ${round}`)),
      )
      const done = new Set(answers.filter(({ status }) => status === 200).map(({ text }) => text))
      expect(done.size).toBe(1)
      expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true)
    }
    const rows = await rowsOf('raced%')
    expect(rows.toSorted()).toEqual(Array.from({ length: 10 }, (_, round) => `raced ${round}`))
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
