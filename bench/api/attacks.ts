/** How long does a ping take while a client sends expensive requests, one after the other on two connections? */

import { mkdtempSync, rmSync } from 'node:fs'
import { Agent } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startEmbedded } from '../../src/server/embedded/index.js'
import { printTable } from '../table.js'
import { exchange, post, type Server, start } from './load.js'

const BODY_BYTES = 8 * 1024 * 1024

interface Attack {
  readonly path: string
  readonly method?: 'GET'
  readonly type?: string
  readonly body?: Buffer
}

/** Requests that once blocked the event loop, each of the largest accepted or the most expensive size. */
function attacksOn(pagePath: string): Readonly<Record<string, Attack>> {
  const api = (name: string, text: string): Attack => ({ path: `/api/public/${name}`, body: Buffer.from(text) })
  const fields = Array.from({ length: 600_000 }, (_, index) => `"${index}":0`)
  const block = '*_a*_b'.repeat(666)
  return {
    'a name of 160 kB of marks': api('createChat', `{"name":"${'\u0301\u0323'.repeat(40_000)}"}`),
    'a name of 8 MB of marks': api('createChat', `{"name":"${'\u0301\u0323'.repeat(BODY_BYTES / 4 - 10)}"}`),
    '600,000 fields': api('createChat', `{${fields.join(',')}}`),
    'four million brackets': api('createChat', '['.repeat(BODY_BYTES / 2) + ']'.repeat(BODY_BYTES / 2)),
    '1,000 addresses of marks': api(
      'createChat',
      JSON.stringify({ name: 'c', emails: Array(1000).fill('\u0301\u0323'.repeat(160)) }),
    ),
    '8 MB of text': api('postChatMessage', `{"body":"${'é'.repeat(BODY_BYTES / 2 - 20)}"}`),
    'the longest post': api('postThread', JSON.stringify({ channel: 'c', blocks: Array(100).fill(block) })),
    'a photograph of 7,280 notes': {
      path: '/api/public/upload',
      type: 'multipart/form-data; boundary=b',
      body: photograph(),
    },
    'a page of 51 comments of 400 kB': { path: pagePath, method: 'GET' },
    'a list of channels of 500 members': { path: '/api/public/channels', method: 'GET' },
  }
}

function photograph(): Buffer {
  const note = [0xff, 0xe1, 0, 34, ...Buffer.from('Exif\0\0MM\0*\0\0\0\b\x04\0', 'latin1'), ...Array(16).fill(0)]
  return Buffer.concat([
    Buffer.from('--b\r\ncontent-disposition: form-data; name="data"; filename="a.jpg"\r\n\r\n\xff\xd8', 'latin1'),
    ...Array(7280).fill(Buffer.from(note)),
    Buffer.from('\r\n--b--\r\n'),
  ])
}

/**
 * Measures pings during each attack.
 *
 * @param seconds - the duration of each attack
 * @param comments - the number of comments on the thread that is deleted at the end
 */
export async function measureAttacks(seconds: number, comments: number): Promise<void> {
  const data = mkdtempSync(join(tmpdir(), 'blockmark-bench-'))
  const server = await start('service', { DATA: data })
  const { page, threadID } = await prepare(server, data, comments)
  const rows = [await row('nothing', server, seconds, null)]
  for (const [name, attack] of Object.entries(attacksOn(page))) rows.push(await row(name, server, seconds, attack))
  const deleting = { path: '/api/public/deleteThread', body: Buffer.from(JSON.stringify({ threadID })) }
  const name = `a thread of ${comments.toLocaleString('en')} comments is deleted`
  rows.push(await row(name, server, seconds, deleting))
  printTable('A ping during an attack', ['attack', 'attacks', 'p50 ms', 'p99 ms', 'worst ms', 'blocked ms'], rows)
  await server.stop()
  rmSync(data, { recursive: true, force: true })
}

async function row(name: string, server: Server, seconds: number, attack: Attack | null): Promise<string[]> {
  // Each page of the metrics has the longest delay since the page before, so this call starts a new period.
  await longestDelay(server)
  const end = performance.now() + seconds * 1000
  let count = 0
  const attacking = Array.from({ length: attack === null ? 0 : 2 }, async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    while (performance.now() < end && attack !== null) {
      await send(server, attack, agent)
      count += 1
    }
    agent.destroy()
  })
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const times: number[] = []
  const headers = { authorization: `Bearer ${server.key}` }
  do {
    const sent = performance.now()
    await exchange(`${server.url}/api/public/ping`, { headers, agent }, '')
    times.push(performance.now() - sent)
  } while (performance.now() < end)
  await Promise.all(attacking)
  agent.destroy()
  times.sort((one, other) => one - other)
  const at = (share: number): string => (times[Math.floor((times.length - 1) * share)] ?? 0).toFixed(1)
  return [name, String(count), at(0.5), at(0.99), at(1), (await longestDelay(server)).toFixed(1)]
}

/** Returns the milliseconds for which the server's event loop was blocked at most. The time of a ping also includes waits of this process. */
async function longestDelay({ url }: Server): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  return 1000 * Number(/^blockmark_nodejs_eventloop_lag_max_seconds (\S+)$/m.exec(text)?.[1])
}

/** Sends a request of an attack. Most are rejected, and any response counts. */
async function send(
  { url, key }: Server,
  { path, method = undefined, type, body }: Attack,
  agent: Agent,
): Promise<void> {
  const content = body ?? Buffer.alloc(0)
  const headers = {
    authorization: `Bearer ${key}`,
    ...(method === 'GET' ? {} : { 'content-type': type ?? 'application/json', 'content-length': content.byteLength }),
  }
  await exchange(url + path, { method: method ?? 'POST', headers, agent }, content).catch(() => undefined)
}

async function prepare(server: Server, data: string, comments: number): Promise<{ page: string; threadID: string }> {
  const agent = new Agent({ keepAlive: true })
  const call = (name: string, body: object): Promise<Record<string, string>> => post(server, name, body, agent)
  await call('createChannel', { name: 'c' })
  await call('createChat', { name: 'c' })
  const { threadID: large = '', threadURL = '' } = await call('postThread', { channel: 'c', blocks: ['large'] })
  const blocks = Array(100).fill('x *y* _z_ '.repeat(400))
  for (let count = 0; count < 51; count += 1) await call('postComment', { threadID: large, blocks })
  const { threadID = '' } = await call('postThread', { channel: 'c', blocks: ['long'] })
  agent.destroy()
  const embedded = await startEmbedded(data)
  const client = new pg.Client(embedded.address)
  await client.connect()
  await client.query(
    `INSERT INTO comments (organization, id, thread_id, author_id, blocks, created_at)
    SELECT organization, nextval('ids'), id, author_id, ARRAY['a comment'], now() FROM threads, generate_series(1, $2::int)
    WHERE id = $1`,
    [threadID, comments],
  )
  // The channels and their members are created by statements, because a bot would need minutes.
  await client.query(
    `INSERT INTO users (organization, id, name, email, email_key, is_bot)
    SELECT organization, nextval('ids'), 'u', 'u' || n, 'u' || n, false FROM organizations, generate_series(1, 500) n`,
  )
  await client.query(
    `INSERT INTO channels (organization, id, name, name_key, description, is_private, creator_id)
    SELECT c.organization, nextval('ids'), 'c' || n, 'c' || n, '', false, c.creator_id
    FROM channels c, generate_series(1, $1::int) n WHERE c.name = 'c'`,
    [Math.ceil(comments / 200)],
  )
  await client.query(
    `INSERT INTO channel_members (organization, channel_id, user_id)
    SELECT c.organization, c.id, u.id FROM channels c JOIN users u USING (organization) WHERE u.name = 'u'`,
  )
  await client.query('VACUUM ANALYZE')
  await client.end()
  await embedded.stop()
  const { pathname, search } = new URL(threadURL)
  return { page: pathname + search, threadID }
}
