/**
 * How long until the embedded PostgreSQL answers: in an empty folder, and in one that it knows?
 *
 * Run: `npx esbuild bench/api/start.ts --bundle --format=esm --platform=node --packages=external
 * --outfile=node_modules/.bench/start.mjs && node node_modules/.bench/start.mjs [ROUNDS]`
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startEmbedded } from '../../src/api/store/embedded/index.js'

const rounds = Number(process.argv[2] ?? 5)
const times = { 'empty folder': [] as number[], 'known folder': [] as number[], stop: [] as number[] }

for (let round = 0; round < rounds; round += 1) {
  const folder = mkdtempSync(join(tmpdir(), 'blockmark-bench-'))
  for (const what of ['empty folder', 'known folder'] as const) {
    const started = performance.now()
    const embedded = await startEmbedded(folder)
    const client = new pg.Client({ ...embedded.address })
    await client.connect()
    await client.query('SELECT 1')
    times[what].push(performance.now() - started)
    await client.end()
    const stopping = performance.now()
    await embedded.stop()
    times.stop.push(performance.now() - stopping)
  }
  rmSync(folder, { recursive: true, force: true })
}

console.log('what | median ms | worst ms')
for (const [what, all] of Object.entries(times)) {
  const sorted = all.toSorted((one, other) => one - other)
  console.log(`${what} | ${sorted[Math.floor(sorted.length / 2)]?.toFixed(0)} | ${sorted.at(-1)?.toFixed(0)}`)
}
