/** How long does a ping of one organization take while strangers and another organization attack the service? */

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { Agent } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { startEmbedded } from '../../src/server/embedded/index.js'
import { createBotKey } from '../../src/server/operator/keys.js'
import { openDatabase } from '../../src/server/store/database.js'
import { printTable } from '../table.js'
import { exchange, memoryOf, post, type Server, start } from './load.js'

const PING_MILLISECONDS = 25
/** Milliseconds within which an attacker that stops is served again. */
const CALM_MILLISECONDS = 5000

/**
 * Measures each attack.
 *
 * @param seconds - the time that each attack takes
 * @param only - a part of the names of the attacks to measure
 */
export async function measureStrangers(seconds: number, only = ''): Promise<void> {
  const names = (await namesOfAttacks()).filter((name) => name.includes(only))
  const rows: string[][] = []
  // Each attack gets a new service, so that it does not inherit the memory of the one before.
  for (const name of names) {
    rows.push([name, ...(await measure(name, seconds))])
    console.error(rows.at(-1)?.join(' | '))
  }
  const columns = ['attack', 'answered', 'pings', 'failed', 'p50 ms', 'p99 ms', 'MB', 'data MB', 'served after s']
  printTable('A ping of another organization', columns, rows)
}

async function measure(name: string, seconds: number): Promise<string[]> {
  const data = mkdtempSync(join(tmpdir(), 'blockmark-bench-'))
  // This server accepts connections and sends nothing.
  const silent = createServer(() => undefined).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const address = silent.address()
  const port = typeof address === 'object' ? address?.port : 0
  const bucket = { AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b', AWS_ENDPOINT_URL: `http://127.0.0.1:${port}` }
  const files = name.includes('S3') ? { FILES: 's3://bucket', ...bucket } : {}
  // Some names state the settings that they need.
  const settings = Object.fromEntries([...name.matchAll(/([A-Z_]{8,})=(\d+)/g)].map(([, key, value]) => [key, value]))
  const server = await start('service', { DATA: data, RATE_LIMIT: '100', ...files, ...settings })
  const key = await otherKey(server, data)
  const target = { ...server, ...(await prepare(server, name)) }
  const before = sizeOf(data)
  const attacker = await startAttacker()
  attacker.send({ name, target })
  const { times, failed, memory } = await pings({ ...server, key }, seconds)
  const stopped = once(attacker, 'message')
  attacker.kill('SIGTERM')
  const [{ count }] = await stopped
  const served = await servedAfter(server)
  const stored = (sizeOf(data) - before) / 1e6
  await server.stop()
  silent.close()
  rmSync(data, { recursive: true, force: true })
  times.sort((one, other) => one - other)
  const at = (share: number): string => (times[Math.floor((times.length - 1) * share)] ?? 0).toFixed(0)
  return [count, times.length, failed, at(0.5), at(0.99), (memory / 1000).toFixed(0), stored.toFixed(0), served].map(
    String,
  )
}

/** Pings until the time is over; the memory is the largest that was seen, in KiB. */
async function pings(
  { url, key, pid }: Server,
  seconds: number,
): Promise<{ times: number[]; failed: number; memory: number }> {
  const agent = new Agent({ keepAlive: true })
  const headers = { authorization: `Bearer ${key}` }
  const times: number[] = []
  let [failed, memory] = [0, 0]
  const waiting = new Set<Promise<void>>()
  for (const end = performance.now() + seconds * 1000; performance.now() < end; ) {
    const sent = performance.now()
    const ping: Promise<void> = exchange(`${url}/api/public/ping`, { headers, agent, timeout: 30_000 }, '')
      .catch(() => {
        failed += 1
      })
      .then(() => {
        times.push(performance.now() - sent)
        waiting.delete(ping)
      })
    waiting.add(ping)
    memory = Math.max(memory, memoryOf(pid))
    await sleep(PING_MILLISECONDS)
  }
  await Promise.all(waiting)
  agent.destroy()
  return { times, failed, memory }
}

/** Returns the seconds until the attacker gets a page and a ping. */
async function servedAfter({ url, key }: Server): Promise<string> {
  const started = performance.now()
  const headers = { authorization: `Bearer ${key}` }
  for (;;) {
    const found = await Promise.all([fetch(`${url}/`), fetch(`${url}/api/public/ping`, { headers })])
    const seconds = (performance.now() - started) / 1000
    if (found.every(({ ok }) => ok)) return seconds.toFixed(1)
    if (seconds > (2 * CALM_MILLISECONDS) / 1000) return 'never'
    await sleep(100)
  }
}

async function otherKey({ url }: Server, data: string): Promise<string> {
  const embedded = await startEmbedded(data)
  const database = await openDatabase({
    connection: { ...embedded.address },
    areStatementsNamed: true,
    connectionsMax: 2,
  })
  const { key } = await createBotKey(database.run, { organization: 'Another', bot: 'Pinger', siteUrl: url })
  await database.close()
  await embedded.stop()
  return key
}

/** Returns the bytes of all files in a folder. */
function sizeOf(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return files.reduce((sum, { parentPath, name }) => {
    return sum + (statSync(join(parentPath, name), { throwIfNoEntry: false })?.size ?? 0)
  }, 0)
}

/** Creates the objects that the attack needs. */
async function prepare(server: Server, name: string): Promise<{ page: string; threadIDs: readonly string[] }> {
  const agent = new Agent({ keepAlive: true })
  await post(server, 'createChannel', { name: 'c' }, agent)
  const blocks = Array(100).fill('```\n```\n'.repeat(490))
  const { threadURL = '' } = await post(server, 'postThread', { channel: 'c', blocks }, agent)
  const description = 'd'.repeat(1000)
  for (let index = 0; name.includes('channels') && index < 3000; index += 1) {
    await post(server, 'createChannel', { name: `c${index}`, description }, agent)
    await sleep(10)
  }
  const threadIDs: string[] = []
  while (name.includes('deleted') && threadIDs.length < 1000) {
    const { threadID = '' } = await post(server, 'postThread', { channel: 'c', blocks: ['x'] }, agent)
    threadIDs.push(threadID)
    await sleep(10)
  }
  agent.destroy()
  const { pathname, search } = new URL(threadURL)
  return { page: pathname + search, threadIDs }
}

async function startAttacker(): Promise<ChildProcess> {
  const child = fork(fileURLToPath(new URL('attacker.js', import.meta.url)))
  await once(child, 'message')
  return child
}

async function namesOfAttacks(): Promise<readonly string[]> {
  const child = fork(fileURLToPath(new URL('attacker.js', import.meta.url)))
  const [{ names }] = await once(child, 'message')
  child.kill('SIGKILL')
  return names
}
