/** How much slower are posting and the page of a thread with a million messages in the database than with none? */

import { mkdtempSync, rmSync } from 'node:fs'
import { Agent } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startEmbedded } from '../../src/server/embedded/index.js'
import { printTable } from '../table.js'
import { alternate, exchange, post, type Send, type Server, start } from './load.js'

/** Number of comments of the thread, which fit on one page. */
const COMMENTS = 20

interface Filled {
  readonly data: string
  readonly server: Server
  readonly channelID: string
  readonly threadURL: string
}

/**
 * Measures an empty database and a full one alternately.
 *
 * @param messages - the number of messages in the full one
 * @param seconds - the duration for each database
 */
export async function measureScale(messages: number, seconds: number): Promise<void> {
  const empty = await prepare(0)
  const full = await prepare(messages)
  const kinds: Readonly<Record<string, (where: Filled) => Send>> = {
    'postThread, 1 connection': posting,
    'postThread, 8 connections': posting,
    "a thread's page, 1 connection": reading,
    "a thread's page, 8 connections": reading,
  }
  const rows: string[][] = []
  for (const [name, send] of Object.entries(kinds)) {
    const connections = name.includes('8') ? 8 : 1
    const [without, with_] = await alternate(send(empty), send(full), connections, seconds)
    const slower = (without.perSecond / with_.perSecond).toFixed(2)
    rows.push([name, without.perSecond.toFixed(0), with_.perSecond.toFixed(0), with_.p99.toFixed(1), slower])
  }
  const count = messages.toLocaleString('en')
  printTable('Scale', ['what', 'per s, empty', `per s, ${count} messages`, 'p99 ms', 'times slower'], rows)
  for (const { server, data } of [empty, full]) {
    await server.stop()
    rmSync(data, { recursive: true, force: true })
  }
}

const posting =
  ({ server, channelID }: Filled): Send =>
  (agent) =>
    post(server, 'postThread', { channelID, blocks: ['# Build 7', 'of **main** is _out_'] }, agent)

const reading =
  ({ threadURL }: Filled): Send =>
  (agent) =>
    exchange(threadURL, { agent }, '')

async function prepare(messages: number): Promise<Filled> {
  const data = mkdtempSync(join(tmpdir(), 'blockmark-bench-'))
  const server = await start('service', { DATA: data })
  const agent = new Agent({ keepAlive: true })
  const call = (name: string, body: object): Promise<Record<string, string>> => post(server, name, body, agent)
  await call('createChannel', { name: 'others' })
  await call('createChat', { name: 'others' })
  if (messages > 0) await fill(data, messages)
  const { channelID = '' } = await call('createChannel', { name: 'bench' })
  const { threadID, threadURL = '' } = await call('postThread', { channelID, blocks: ['# A thread', 'of **many**'] })
  for (let count = 0; count < COMMENTS; count += 1) {
    await call('postComment', { threadID, blocks: [`comment _${count}_`] })
  }
  agent.destroy()
  return { data, server, channelID, threadURL }
}

/** Fills a database. Of ten messages, four are threads, three are comments on them, and three are chat messages. */
async function fill(data: string, messages: number): Promise<void> {
  const embedded = await startEmbedded(data)
  const client = new pg.Client(embedded.address)
  await client.connect()
  await client.query(
    `INSERT INTO threads (organization, id, channel_id, author_id, blocks, share_token, created_at)
    SELECT c.organization, nextval('ids'), c.id, c.creator_id, ARRAY['a message of usual length, number ' || n],
      'token' || n, now()
    FROM channels c, generate_series(1, $1::int) AS n`,
    [Math.round(messages * 0.4)],
  )
  await client.query(
    `INSERT INTO comments (organization, id, thread_id, author_id, blocks, created_at)
    SELECT organization, nextval('ids'), id, author_id, ARRAY['a comment on ' || id], now() FROM threads LIMIT $1`,
    [Math.round(messages * 0.3)],
  )
  await client.query(
    `INSERT INTO messages (organization, id, chat_id, author_id, body, created_at)
    SELECT c.organization, gen_random_uuid(), c.id, c.creator_id, 'message number ' || n, now()
    FROM chats c, generate_series(1, $1::int) AS n`,
    [Math.round(messages * 0.3)],
  )
  await client.query('VACUUM ANALYZE')
  await client.end()
  await embedded.stop()
}
