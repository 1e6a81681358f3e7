/** How many posts a second does the service handle, compared with a bare handler that runs the same statements? */

import { mkdtempSync, rmSync } from 'node:fs'
import { Agent } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { printTable } from '../table.js'
import { alternate, type Measured, post, type Send, start, type Target } from './load.js'

const thread = { channel: 'bench', blocks: ['# Build 7', 'of **main** is _out_, see https://ci.test/7'] }

const posting =
  (target: Target): Send =>
  (agent) =>
    post(target, 'postThread', thread, agent)

/**
 * Measures with 1, 8 and 64 connections.
 *
 * @param where - the name of the database
 * @param environment - the settings that select the database
 * @param seconds - the duration for each server and each number of connections
 */
export async function measurePosts(where: string, environment: Record<string, string>, seconds: number): Promise<void> {
  const data = mkdtempSync(join(tmpdir(), 'blockmark-bench-'))
  const service = await start('service', { ...environment, DATA: data })
  const bare = await start('bare', { ...environment, DATA: data, KEY: service.key })
  await post(service, 'createChannel', { name: 'bench' }, new Agent())
  const rows: string[][] = []
  for (const connections of [1, 8, 64]) {
    const [ours, theirs] = await alternate(posting(service), posting(bare), connections, seconds)
    const ratio = (ours.perSecond / theirs.perSecond).toFixed(2)
    rows.push([String(connections), ...cells(ours), ...cells(theirs), ratio])
  }
  const columns = ['connections', 'posts/s', 'p50 ms', 'p99 ms', 'bare posts/s', 'p50 ms', 'p99 ms', 'of bare']
  printTable(`Posts, on ${where}`, columns, rows)
  await bare.stop()
  await service.stop()
  rmSync(data, { recursive: true, force: true })
}

function cells({ perSecond, p50, p99 }: Measured): string[] {
  return [perSecond.toFixed(0), p50.toFixed(1), p99.toFixed(1)]
}
