/** How long until the embedded PostgreSQL and the whole service are ready, in an empty folder and in an existing data folder? */

import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startEmbedded } from '../../src/server/embedded/index.js'
import { printTable } from '../table.js'
import { start } from './load.js'

/**
 * Measures starts.
 *
 * @param rounds - the number of measurements of each start
 */
export async function measureStart(rounds: number): Promise<void> {
  const times: Record<string, number[]> = {}
  const measure = async <Result>(name: string, work: () => Promise<Result>): Promise<Result> => {
    const started = performance.now()
    const result = await work()
    const known = times[name] ?? []
    times[name] = [...known, performance.now() - started]
    return result
  }
  const all = mkdtempSync(join(tmpdir(), 'blockmark-bench-'))
  // The account that runs PostgreSQL must be able to open the folder.
  chmodSync(all, 0o711)
  for (let round = 0; round < rounds; round += 1) {
    for (const after of ['PostgreSQL', 'the service']) {
      const folder = mkdtempSync(join(all, 'data-'))
      for (const what of ['an empty folder', 'a known folder']) {
        const stop = await measure(
          `${after}, ${what}`,
          after === 'PostgreSQL' ? () => open(folder) : () => serve(folder),
        )
        await measure(`${after}, stop`, stop)
      }
    }
  }
  // The folders are not removed between the rounds: for minutes after many files were removed, ext4 is slow at creating new ones.
  rmSync(all, { recursive: true, force: true })
  const rows = Object.entries(times).map(([name, all]) => {
    const sorted = all.toSorted((one, other) => one - other)
    return [name, sorted[Math.floor(sorted.length / 2)] ?? 0, sorted.at(-1) ?? 0].map((cell) =>
      typeof cell === 'number' ? cell.toFixed(0) : cell,
    )
  })
  printTable('Start', ['what', 'median ms', 'worst ms'], rows)
}

async function open(folder: string): Promise<() => Promise<void>> {
  const embedded = await startEmbedded(folder)
  const client = new pg.Client({ ...embedded.address })
  await client.connect()
  await client.query('SELECT 1')
  return async () => {
    await client.end()
    await embedded.stop()
  }
}

/** Starts the service in a process, and waits for its first response. Returns the function that stops it. */
async function serve(folder: string): Promise<() => Promise<void>> {
  const server = await start('service', { DATA: folder })
  await fetch(`${server.url}/readyz`).then((answer) => answer.text())
  return () => server.stop()
}
