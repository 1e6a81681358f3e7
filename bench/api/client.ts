/**
 * How long until a test has its service, and what does a call cost beside a bare fetch?
 *
 * Run: `npx esbuild bench/api/client.ts --bundle --format=esm --platform=node --packages=external
 * --outfile=node_modules/.bench/client.mjs && node node_modules/.bench/client.mjs [ROUNDS]`
 */

import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { createClient } from '../../src/api/client/index.js'
import { createTestService } from '../../src/testing/index.js'

const rounds = Number(process.argv[2] ?? 20)
const seeds = { users: ['Ann', 'Bob'], channels: ['deploys', 'general'], chats: ['ops'] }

if (process.argv[3] === 'ready') console.log(JSON.stringify(await readiness()))
else {
  printReadiness()
  await printOverhead()
}

interface Readiness {
  /** Until `createTestService` has returned. */
  readonly ready: number
  /** Until the first answer after that; most of it is Node's own loading of `Request` and `Response`. */
  readonly first: number
}

async function readiness(): Promise<Readiness> {
  const started = performance.now()
  const { apiKey, baseUrl, fetch } = createTestService(seeds)
  const ready = performance.now()
  await fetch(`${baseUrl}/api/public/ping`, { headers: { authorization: `Bearer ${apiKey}` } })
  return { ready: ready - started, first: performance.now() - ready }
}

/** Each in a process of its own, where nothing is compiled yet. */
function printReadiness(): void {
  const all = Array.from({ length: rounds }, (): Readiness => {
    const { stdout } = spawnSync(process.execPath, [fileURLToPath(import.meta.url), '1', 'ready'], { encoding: 'utf8' })
    return JSON.parse(stdout)
  })
  console.log('a new process | median ms | worst ms')
  for (const what of ['ready', 'first'] as const) {
    const sorted = all.map((each) => each[what]).sort((one, other) => one - other)
    console.log(`${what} | ${median(sorted).toFixed(1)} | ${sorted.at(-1)?.toFixed(1)}`)
  }
}

/** Against a fetch that answers at once, so that nothing but the client is measured; in turns, each round anew. */
async function printOverhead(): Promise<void> {
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
      // The first rounds are of code that is not compiled yet.
      if (round >= 3) times[kind].push(((performance.now() - started) / 500) * 1000)
    }
  }
  console.log('\na call | median µs | best µs')
  for (const [kind, all] of Object.entries(times)) {
    const sorted = all.toSorted((one, other) => one - other)
    console.log(`${kind} | ${median(sorted).toFixed(0)} | ${sorted[0]?.toFixed(0)}`)
  }
}

function median(sorted: readonly number[]): number {
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
