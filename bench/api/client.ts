/** How long until a test has its service, and how much does a call cost compared with a bare fetch? */

import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { createClient } from '../../src/api/client/index.js'
import { printTable } from '../table.js'

/**
 * Measures the start of a test service and the cost of a call.
 *
 * @param rounds - the number of measurements
 */
export async function measureClient(rounds: number): Promise<void> {
  measureReadiness(rounds)
  await measureOverhead(rounds)
}

interface Readiness {
  /** Milliseconds until `createTestService` has returned. */
  readonly ready: number
  /** Milliseconds until the first response after that; Node's loading of `Request` and `Response` takes most of it. */
  readonly first: number
}

/** Each measurement runs in a new process, in which nothing is compiled yet. */
function measureReadiness(rounds: number): void {
  const program = fileURLToPath(new URL('./ready.js', import.meta.url))
  const all = Array.from({ length: rounds }, (): Readiness => {
    return JSON.parse(spawnSync(process.execPath, [program], { encoding: 'utf8' }).stdout)
  })
  const rows = (['ready', 'first'] as const).map((what) => {
    const sorted = all.map((each) => each[what]).sort((one, other) => one - other)
    return [what, median(sorted).toFixed(1), (sorted.at(-1) ?? 0).toFixed(1)]
  })
  printTable('A test service in a new process', ['until', 'median ms', 'worst ms'], rows)
}

/** Uses a fetch that returns at once, so that only the client is measured. The two kinds of calls alternate. */
async function measureOverhead(rounds: number): Promise<void> {
  const answer = JSON.stringify({ ok: true, result: { threadID: '1', threadURL: 'https://x.test/1?s=x' } })
  const fetch = async (): Promise<Response> => new Response(answer, { headers: { ratelimit: '"requests";r=99;t=1' } })
  const bot = createClient({ baseUrl: 'https://x.test', apiKey: 'wsk_example', fetch })
  const body = { channel: 'deploys', blocks: ['# v7', 'is **out**'] }
  const kinds = {
    'a bare fetch': async () => {
      const response = await fetch()
      JSON.stringify(body)
      return JSON.parse(await response.text())
    },
    'the client': () => bot.postThread(body),
  }
  const times: Record<keyof typeof kinds, number[]> = { 'a bare fetch': [], 'the client': [] }
  for (let round = 0; round < rounds + 3; round += 1) {
    for (const kind of Object.keys(kinds) as (keyof typeof kinds)[]) {
      const started = performance.now()
      for (let count = 0; count < 500; count += 1) await kinds[kind]()
      // In the first rounds, the code is not compiled yet.
      if (round >= 3) times[kind].push(((performance.now() - started) / 500) * 1000)
    }
  }
  const rows = Object.entries(times).map(([kind, all]) => {
    const sorted = all.toSorted((one, other) => one - other)
    return [kind, median(sorted).toFixed(0), (sorted[0] ?? 0).toFixed(0)]
  })
  printTable('A call of the client', ['what', 'median µs', 'best µs'], rows)
}

function median(sorted: readonly number[]): number {
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
