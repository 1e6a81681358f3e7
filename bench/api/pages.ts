/**
 * How long does a page of a long list take to its first byte, and how large is it? A thread with 10,000 comments, a chat
 * with 10,000 messages, a channel with 10,000 threads, each from its beginning, from its middle, and around one message.
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMemoryStore } from '../../src/api/store/memory.js'
import { type Backend, openBackend } from '../../src/server/backend.js'
import { readConfig, serve } from '../../src/server/index.js'
import { printBounded } from './bounds.js'

const text = `**Build** of \`core_api\` by <@100001|> took 12 minutes, see https://ci.example.com/b/1_2\n* one\n* _two_ and more`

const FIRST_BYTE_MILLISECONDS_MAX = 50
const PAGE_BYTES_MAX = 200_000

interface Site {
  readonly url: string
  readonly key: string
  readonly run: Backend['database']['run']
}

/**
 * Measures each page.
 *
 * @param rounds - the number of measurements
 * @param rows - the number of rows of each list
 * @param isBounded - whether the results must keep the bounds
 */
export async function measurePages(rounds: number, rows: number, isBounded: boolean): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'blockmark-bench-'))
  const config = readConfig({ PORT: '0', DATA: folder, LOG_LEVEL: 'silent', RATE_LIMIT: '0' })
  const server = await serve({ ...config, welcome: true })
  const backend = await openBackend(config)
  const site = { url: server.siteUrl, key: server.first?.key ?? '', run: backend.database.run }
  const results: [name: string, value: number, bound: number | null][] = []
  for (const [name, path] of Object.entries(await fill(site, rows))) {
    const samples = []
    for (let round = 0; round < rounds + 10; round += 1) {
      const sample = await measure(site, path)
      // The first requests are not measured.
      if (round >= 10) samples.push(sample)
    }
    const times = samples.map(({ firstByte }) => firstByte).sort((one, other) => one - other)
    const [median = 0, late = 0] = [times[Math.floor(times.length / 2)], times[Math.floor(times.length * 0.99)]]
    results.push([`${name}: first byte, ms`, median, FIRST_BYTE_MILLISECONDS_MAX])
    results.push([`${name}: 99 of 100, ms`, late, null])
    results.push([`${name}: bytes`, samples[0]?.bytes ?? 0, PAGE_BYTES_MAX])
  }
  printBounded(`Pages of lists of ${rows}`, results, isBounded)
  await backend.close()
  await server.close()
  rmSync(folder, { recursive: true, force: true })
}

/** Fills the lists with statements, because only reading is measured. */
async function fill(site: Site, rows: number): Promise<Record<string, string>> {
  const { channelID = '' } = await call(site, 'createChannel', { name: 'long' })
  const { threadID = '', threadURL = '' } = await call(site, 'postThread', { channelID, blocks: [text] })
  const { chatID = '' } = await call(site, 'createChat', { name: 'long' })
  const { run } = site
  const [start, author] = [Date.now() - rows * 1000, `(SELECT author_id FROM threads WHERE id = ${threadID})`]
  const known = `FROM organizations, generate_series(1, ${rows}) AS n`
  await run(
    `INSERT INTO comments (organization, id, thread_id, parent_id, author_id, blocks, created_at)
    SELECT organization, 10000000 + n, ${threadID}, CASE WHEN n % 3 = 0 THEN 10000000 + n - 1 END, ${author}, ARRAY[$1], now() ${known}`,
    [text],
  )
  await run(
    `INSERT INTO threads (organization, id, channel_id, author_id, blocks, share_token, created_at) SELECT organization, 20000000 + n, ${channelID}, ${author}, ARRAY[$1, $1], 's' || n, now() ${known}`,
    [text],
  )
  const { nextUUID } = createMemoryStore().tables
  const ids = Array.from({ length: rows }, (_, index) => nextUUID(new Date(start + index * 1000)))
  await run(
    `INSERT INTO messages (organization, id, chat_id, author_id, body, created_at) SELECT organization, n, $1, ${author}, $2, now() FROM organizations, unnest($3::uuid[]) AS n`,
    [chatID, text, ids],
  )
  await run('ANALYZE')
  const middle = Math.floor(rows / 2)
  const share = new URL(threadURL).search
  return {
    'thread, newest comments': `/${threadID}${share}`,
    'thread, middle': `/${threadID}${share}&from=${10_000_000 + middle}`,
    'one comment': `/${10_000_000 + middle}${share}`,
    'chat, newest messages': `/${chatID}`,
    'chat, middle': `/${chatID}?from=${ids[middle]}`,
    'one message': `/${chatID}/${ids[middle]}`,
    'channel, newest threads': `/${channelID}`,
    'channel, middle': `/${channelID}?from=${20_000_000 + middle}`,
  }
}

async function call({ url, key }: Site, name: string, body: object): Promise<Record<string, string>> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const address = `${url}/api/public/${name}`
  const response = await fetch(address, { method: 'POST', headers, body: JSON.stringify(body) })
  const answer: { result: Record<string, string> } = JSON.parse(await response.text())
  return answer.result
}

/** Returns the milliseconds to the first byte, and the bytes of the whole page. */
function measure({ url, key }: Site, path: string): Promise<{ firstByte: number; bytes: number }> {
  const started = performance.now()
  return new Promise((resolve, reject) => {
    const request = get(url + path, { headers: { authorization: `Bearer ${key}` } }, (response) => {
      const firstByte = performance.now() - started
      let bytes = 0
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.byteLength
      })
      response.on('end', () =>
        response.statusCode === 200
          ? resolve({ firstByte, bytes })
          : reject(new Error(`${path}: ${response.statusCode}`)),
      )
    })
    request.on('error', reject)
  })
}
