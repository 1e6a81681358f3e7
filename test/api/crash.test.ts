/** No acknowledged post is ever lost, with any process killed at any time. */

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { startEmbedded } from '../../src/server/embedded/index.js'
import { isThorough } from '../amount.js'
import { freePort, temporaryFolder } from './support/backends.js'
import { type BuiltCli, buildCli } from './support/cli.js'

const WRITERS = 8
const environment: { KILLS?: string } = process.env
/** The number of kills. `KILLS=50` is for an idle machine. */
const ROUNDS = Number(environment.KILLS ?? (isThorough ? 6 : 3))

interface World {
  readonly cli: BuiltCli
  readonly folder: string
  readonly port: number
  server: ChildProcess
  isOver: boolean
}

function start({ cli, folder, port }: Pick<World, 'cli' | 'folder' | 'port'>): ChildProcess {
  const environment = { ...process.env, PORT: String(port), DATA: folder, RATE_LIMIT: '0', LOG_LEVEL: 'silent' }
  return spawn(process.execPath, [cli.path, 'serve', '--welcome'], {
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

/** Restarts the server when it is gone, as a service manager does. */
async function keepServing(world: World): Promise<void> {
  while (!world.isOver) {
    await once(world.server, 'exit')
    if (!world.isOver) world.server = start(world)
  }
}

/** Posts one message after the other, each with its own idempotency key, and repeats it until there is a response. */
async function write(
  world: World,
  writer: number,
  acknowledged: string[],
  api: (path: string, body: object, key: string) => Promise<boolean>,
): Promise<void> {
  for (let index = 0; !world.isOver; index += 1) {
    const body = `${writer}-${index}`
    let isDone = false
    while (!isDone && !world.isOver) {
      isDone = await api('postChatMessage', { chat: 'crash', body }, body).catch(() => false)
      if (!isDone) await sleep(20)
    }
    if (isDone) acknowledged.push(body)
  }
}

test('server and database are killed in rounds while eight write: every acknowledged post exists exactly once', async () => {
  const cli = await buildCli()
  const folder = await temporaryFolder()
  const port = await freePort()
  const world: World = { cli, folder, port, server: start({ cli, folder, port }), isOver: false }
  onTestFinished(async () => {
    world.isOver = true
    world.server.kill('SIGTERM')
    await rm(folder, { recursive: true, force: true })
  })
  let output = ''
  world.server.stdout?.on('data', (chunk) => {
    output += String(chunk)
  })
  while (!output.includes('/postThread\n')) await sleep(20)
  const key = /wsk_\w{49}/.exec(output)?.[0] ?? ''
  const api = async (path: string, body: object, idempotencyKey: string): Promise<boolean> => {
    const headers = {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'idempotency-key': idempotencyKey,
    }
    const init = { method: 'POST', headers, body: JSON.stringify(body), signal: AbortSignal.timeout(10_000) }
    const response = await fetch(`http://127.0.0.1:${port}/api/public/${path}`, init)
    await response.text()
    return response.status === 200
  }
  await expect.poll(() => api('createChat', { name: 'crash' }, 'chat').catch(() => false)).toBe(true)
  const serving = keepServing(world)
  const acknowledged: string[] = []
  const writing = Array.from({ length: WRITERS }, (_, writer) => write(world, writer, acknowledged, api))
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = acknowledged.length
    // Kills come during writes, and not before the server has confirmed some.
    await expect.poll(() => acknowledged.length).toBeGreaterThan(before + 50)
    const kills = ['server', 'database', 'both'][round % 3]
    const database = Number(readFileSync(join(folder, 'postgres/postmaster.pid'), 'utf8').split('\n')[0])
    if (kills !== 'server') process.kill(database, 'SIGKILL')
    if (kills !== 'database') world.server.kill('SIGKILL')
    const isBack = (): Promise<boolean> => api('createChat', { name: 'x' }, `round ${round}`).catch(() => false)
    await expect.poll(isBack, { message: `round ${round}: ${kills}` }).toBe(true)
  }
  const before = acknowledged.length
  await expect.poll(() => acknowledged.length).toBeGreaterThan(before + 50)
  world.isOver = true
  await Promise.all(writing)
  world.server.kill('SIGTERM')
  await serving
  const embedded = await startEmbedded(folder)
  const client = new pg.Client({ ...embedded.address })
  await client.connect()
  const { rows } = await client.query<{ body: string }>('SELECT body FROM messages')
  await client.end()
  await embedded.stop()
  const kept = rows.map(({ body }) => body)
  const distinct = new Set(kept)
  const lost = acknowledged.filter((body) => !distinct.has(body))
  const [answered, twice] = [acknowledged.length, kept.length - distinct.size]
  console.log(
    `${ROUNDS} kills, ${answered} messages answered, ${kept.length} rows: ${lost.length} lost, ${twice} twice`,
  )
  expect([lost, twice]).toEqual([[], 0])
  expect(answered).toBeGreaterThan(100)
})
