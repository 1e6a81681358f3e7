/**
 * How does the service behave for a long time at 70 % of its maximum, then at twice the maximum, and afterwards? Requests
 * are sent on schedule, without waiting for earlier responses, and their times count from the scheduled moment.
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { printTable } from '../table.js'
import { load, memoryOf, post, type Server, start, type Target } from './load.js'

const SHARE = 0.7
/** Enough connections that more requests arrive than the service lets wait. */
const CONNECTIONS_MAX = 12_000
const TICK_MILLISECONDS = 5

/** The requests of a period, and their responses. */
interface Phase {
  readonly seconds: number
  readonly asked: number
  /** The number of responses of each status; 0 is a broken connection. */
  readonly statuses: ReadonlyMap<number, number>
  /** Responses with 429 or 503 that have no Retry-After. */
  readonly silent: number
  /** The times of successful requests, in milliseconds, sorted. */
  readonly times: readonly number[]
  readonly memory: number
  /** The time from the end of the period to the last response. */
  readonly drained: number
}

/**
 * Measures all periods.
 *
 * @param seconds - the duration at 70 %
 */
export async function measureOverload(seconds: number): Promise<void> {
  const most = await measureWith('0', seconds)
  await measureWith(String(Math.max(1, Math.floor(most))), Math.min(seconds, 60))
}

/** Returns the maximum number of posts a second. */
async function measureWith(rateLimit: string, seconds: number): Promise<number> {
  const data = mkdtempSync(join(tmpdir(), 'blockmark-bench-'))
  const server = await start('service', { DATA: data, RATE_LIMIT: rateLimit })
  await post(server, 'createChannel', { name: 'bench' }, new Agent())
  const send = (agent: Agent): Promise<unknown> => ask(server, agent)
  // Requests over a rate limit are rejected at once, which does not show the maximum.
  const mostNow = async (): Promise<number> =>
    rateLimit === '0' ? (await load(send, 64, Math.min(20, seconds))).perSecond : Number(rateLimit)
  const most = await mostNow()
  const rows: string[][] = []
  const windows = seconds >= 60 ? 10 : 3
  for (let window = 1; window <= windows; window += 1) {
    rows.push(cells(`70 %, ${window} of ${windows}`, await phase(server, most * SHARE, seconds / windows)))
  }
  const short = Math.min(60, seconds)
  // The maximum is measured again: if the machine is faster now, twice the old maximum would not overload it.
  const twice = 2 * Math.max(most, await mostNow())
  rows.push(cells(`200 %, ${short.toFixed(0)} s`, await phase(server, twice, short)))
  rows.push(cells('70 % again', await phase(server, most * SHARE, short / 2)))
  const title = rateLimit === '0' ? 'no limit for a bot' : `a bot has ${rateLimit} requests a second`
  const columns = [
    'at',
    'asked/s',
    'done/s',
    'p50 ms',
    'p99 ms',
    'others',
    'without Retry-After',
    'MiB',
    's until all were answered',
  ]
  printTable(
    `Overload: ${most.toFixed(0)} posts a second at most, ${(seconds / 60).toFixed(1)} minutes, ${title}`,
    columns,
    rows,
  )
  await server.stop()
  rmSync(data, { recursive: true, force: true })
  return most
}

function cells(name: string, phase: Phase): string[] {
  const { asked, seconds, statuses, silent, times, memory, drained } = phase
  const at = (share: number): string => (times[Math.floor((times.length - 1) * share)] ?? 0).toFixed(1)
  const others = [...statuses].filter(([status]) => status !== 200).map(([status, count]) => `${count} × ${status}`)
  const perSecond = [asked, times.length].map((count) => (count / seconds).toFixed(0))
  const refused = [others.join(', ') || '–', String(silent)]
  return [name, ...perSecond, at(0.5), at(0.99), ...refused, memory.toFixed(0), drained.toFixed(1)]
}

/** Sends the given number of requests a second for a while, and waits for all responses. */
async function phase(server: Server, perSecond: number, seconds: number): Promise<Phase> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS_MAX })
  const statuses = new Map<number, number>()
  const times: number[] = []
  const under = new Set<Promise<void>>()
  let [asked, silent] = [0, 0]
  const started = performance.now()
  const one = async (due: number): Promise<void> => {
    const { status, isSilent } = await ask(server, agent)
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
    if (isSilent) silent += 1
    if (status === 200) times.push(performance.now() - due)
  }
  for (;;) {
    const now = performance.now() - started
    if (now >= seconds * 1000) break
    for (; asked < (now / 1000) * perSecond; asked += 1) {
      const working: Promise<void> = one(started + (asked / perSecond) * 1000).finally(() => under.delete(working))
      under.add(working)
    }
    await sleep(TICK_MILLISECONDS)
  }
  const memory = memoryOf(server.pid) / 1024
  const ended = performance.now()
  await Promise.all(under)
  agent.destroy()
  times.sort((one, other) => one - other)
  return { asked, statuses, silent, times, memory, seconds, drained: (performance.now() - ended) / 1000 }
}

const content = JSON.stringify({
  channel: 'bench',
  blocks: ['# Build 7', 'of **main** is _out_, see https://ci.test/7'],
})

/** Posts a thread, and accepts any response. */
function ask({ url, key }: Target, agent: Agent): Promise<{ status: number; isSilent: boolean }> {
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(content),
  }
  return new Promise((resolve) => {
    const sending = request(`${url}/api/public/postThread`, { method: 'POST', headers, agent }, (response) => {
      const { statusCode: status = 0 } = response
      const isSilent = [429, 503].includes(status) && response.headers['retry-after'] === undefined
      response.resume().once('close', () => resolve({ status, isSilent }))
    })
    sending.once('error', () => resolve({ status: 0, isSilent: false }))
    sending.end(content)
  })
}
