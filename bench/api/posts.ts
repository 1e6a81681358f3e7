/**
 * How many posts a second does the service take, beside a bare node:http handler that runs the same statements by hand?
 *
 * Run: `npx esbuild bench/api/posts.ts --bundle --format=esm --platform=node --packages=external --loader:.sql=text
 * --outfile=node_modules/.bench/posts.mjs && node node_modules/.bench/posts.mjs [SECONDS] [MESSAGES]`; with MESSAGES
 * so many are in the database first. `DATABASE_URL` measures another PostgreSQL than the embedded one.
 */

import { type ChildProcess, fork } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, createServer, request } from 'node:http'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { readConfig, serve } from '../../src/api/server/index.js'
import { startEmbedded } from '../../src/api/store/embedded/index.js'
import { sql } from '../../src/api/store/postgres/sql.js'

interface Target {
  readonly url: string
  readonly key: string
}

interface Measured {
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
}

/** Enough that a neighbour on the machine does not decide. */
const ROUNDS = 9

const environment: { ROLE?: string; DATA?: string; KEY?: string; DATABASE_URL?: string } = process.env

if (environment.ROLE === 'service') await runService()
else if (environment.ROLE === 'bare') await runBare()
else await compare(Number(process.argv[2] ?? 5), Number(process.argv[3] ?? 0))

async function compare(seconds: number, messages: number): Promise<void> {
  const data = mkdtempSync(join(tmpdir(), 'blockmark-bench-'))
  const service = await start('service', { DATA: data })
  const bare = await start('bare', { DATA: data, KEY: service.target.key })
  await post(service.target, 'createChannel', { name: 'bench' }, new Agent())
  if (messages > 0) await fill(data, messages)
  console.log(
    `Node ${process.version}, ${availableParallelism()} cores, ${messages} messages in the database, ${seconds} s each`,
  )
  console.log('connections | service/s  p50 ms  p99 ms | bare/s  p50 ms  p99 ms | ratio')
  for (const connections of [1, 8, 64]) {
    await load(service.target, connections, 1)
    await load(bare.target, connections, 1)
    // In turns, so that what else the machine does meets both.
    const rounds = { service: [] as Measured[], bare: [] as Measured[] }
    for (let round = 0; round < ROUNDS; round += 1) {
      rounds.service.push(await load(service.target, connections, seconds / ROUNDS))
      rounds.bare.push(await load(bare.target, connections, seconds / ROUNDS))
    }
    const [ours, theirs] = [median(rounds.service), median(rounds.bare)]
    const cells = ({ perSecond, p50, p99 }: Measured): string =>
      `${perSecond.toFixed(0)}  ${p50.toFixed(1)}  ${p99.toFixed(1)}`
    console.log(
      `${connections} | ${cells(ours)} | ${cells(theirs)} | ${(ours.perSecond / theirs.perSecond).toFixed(2)}`,
    )
  }
  bare.child.kill('SIGTERM')
  await new Promise((resolve) => bare.child.once('exit', resolve))
  service.child.kill('SIGTERM')
  await new Promise((resolve) => service.child.once('exit', resolve))
  rmSync(data, { recursive: true, force: true })
}

function median(rounds: readonly Measured[]): Measured {
  const sorted = rounds.toSorted((one, other) => one.perSecond - other.perSecond)
  return sorted[Math.floor(sorted.length / 2)] ?? { perSecond: 0, p50: 0, p99: 0 }
}

async function start(role: string, more: Record<string, string>): Promise<{ child: ChildProcess; target: Target }> {
  const child = fork(process.argv[1] ?? '', [], { env: { ...process.env, ROLE: role, ...more } })
  const target = await new Promise<Target>((resolve) => child.once('message', (message: Target) => resolve(message)))
  return { child, target }
}

async function load(target: Target, connections: number, seconds: number): Promise<Measured> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const end = performance.now() + seconds * 1000
  const times: number[] = []
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (performance.now() < end) {
        const started = performance.now()
        await post(
          target,
          'postThread',
          { channel: 'bench', blocks: ['# Build 7', 'of **main** is _out_, see https://ci.test/7'] },
          agent,
        )
        times.push(performance.now() - started)
      }
    }),
  )
  agent.destroy()
  times.sort((one, other) => one - other)
  const at = (share: number): number => times[Math.floor(times.length * share)] ?? 0
  return { perSecond: times.length / seconds, p50: at(0.5), p99: at(0.99) }
}

function post({ url, key }: Target, name: string, body: object, agent: Agent): Promise<void> {
  const text = JSON.stringify(body)
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
  }
  return new Promise((resolve, reject) => {
    const sending = request(`${url}/api/public/${name}`, { method: 'POST', headers, agent }, (response) => {
      let answer = ''
      response.on('data', (chunk) => {
        answer += String(chunk)
      })
      response.on('end', () => (response.statusCode === 200 ? resolve() : reject(new Error(answer))))
    })
    sending.on('error', reject)
    sending.end(text)
  })
}

async function runService(): Promise<void> {
  const server = await serve(readConfig({ ...process.env, PORT: '0', RATE_LIMIT: '0', LOG_LEVEL: 'silent' }))
  process.send?.({ url: server.siteUrl, key: server.first?.key ?? '' })
  process.once('SIGTERM', () => void server.close().then(() => process.disconnect()))
}

/** What somebody would write who needs nothing but this one endpoint to be fast: the same statements, no checks. */
async function runBare(): Promise<void> {
  const url = environment.DATABASE_URL
  const embedded = url === undefined ? await startEmbedded(environment.DATA ?? '') : null
  const pool = new pg.Pool({ ...(embedded === null ? { connectionString: url } : embedded.address), max: 20 })
  const named = embedded !== null
  const server = createServer(async (incoming, outgoing) => {
    let text = ''
    for await (const chunk of incoming) text += String(chunk)
    const { channel, blocks } = JSON.parse(text)
    const hash = createHash('sha256')
      .update(incoming.headers.authorization?.slice(7) ?? '')
      .digest()
    const client = await pool.connect()
    const run = (name: keyof typeof sql, ...values: unknown[]): Promise<pg.QueryResult> =>
      client.query({ text: sql[name], values, ...(named ? { name } : {}) })
    const { organization } = (await run('organizationOfKey', hash)).rows[0]
    const bot = (await run('identify', organization, hash, new Date())).rows[0]
    await client.query('BEGIN')
    const found = (await run('channelNamed', organization, channel, bot.botID)).rows[0]
    const { id } = (await run('addThread', organization, found.id, bot.botID, blocks, 'token', new Date())).rows[0]
    await run('addLocation', organization, id, 'thread')
    await client.query('COMMIT')
    client.release()
    outgoing.setHeader('content-type', 'application/json')
    outgoing.end(JSON.stringify({ ok: true, result: { threadID: id, threadURL: `http://x/${id}` } }))
  })
  server.listen(0, '127.0.0.1', () => {
    const address = server.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    process.send?.({ url: `http://127.0.0.1:${port}`, key: environment.KEY ?? '' })
  })
  process.once('SIGTERM', () => {
    server.close()
    server.closeAllConnections()
    void pool
      .end()
      .then(() => embedded?.stop({ keepRunning: true }))
      .then(() => process.disconnect())
  })
}

/** Threads in other channels, each with comments, written by one statement. */
async function fill(data: string, messages: number): Promise<void> {
  const url = environment.DATABASE_URL
  const embedded = url === undefined ? await startEmbedded(data) : null
  const client = new pg.Client(embedded === null ? { connectionString: url } : embedded.address)
  await client.connect()
  await client.query(
    `INSERT INTO threads (organization, id, channel_id, author_id, blocks, share_token, created_at)
    SELECT c.organization, nextval('ids'), c.id, c.creator_id, ARRAY['a message of usual length, number ' || n], 'token' || n, now()
    FROM channels c, generate_series(1, $1) AS n`,
    [messages],
  )
  await client.query(
    `INSERT INTO id_directory SELECT id::text, organization, 'thread' FROM threads ON CONFLICT DO NOTHING`,
  )
  await client.query('VACUUM ANALYZE')
  await client.end()
  await embedded?.stop({ keepRunning: true })
}
