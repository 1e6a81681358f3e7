/** A full disk: the reason is reported, reading goes on, and all acknowledged posts exist when there is space again. */

import { closeSync, openSync, writeSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { sharedFolder } from './support/backends.js'
import { buildCli, startCli } from './support/cli.js'
import { formOf, startServer } from './support/server.js'
import { canMount, onSmallDisk } from './support/small-disk.js'

/** Fills a disk to the last byte. */
function fill(path: string): void {
  const file = openSync(path, 'w')
  for (const size of [1_000_000, 4096, 1]) {
    try {
      for (;;) if (writeSync(file, Buffer.alloc(size)) < size) break
    } catch {
      // The disk has no space for a piece of this size.
    }
  }
  closeSync(file)
}

describe.skipIf(!canMount)('a disk that fills (needs the right to mount)', () => {
  const folder = sharedFolder()

  async function emptyFolder(name: string): Promise<string> {
    await mkdir(join(folder, name))
    return join(folder, name)
  }

  test('is the reason if no database can be created', async () => {
    const data = await emptyFolder('tiny')
    const running = startCli(await buildCli(), ['serve'], { DATA: data, PORT: '0' }, onSmallDisk(data, 8))
    const { code, stderr } = await running.ended
    expect([code, stderr]).toEqual([
      ...[1, expect.stringMatching(/^blockmark-server: initdb failed: .*No space left on device\n$/)],
    ])
  })

  test('loses no acknowledged post: during writes, an upload and a checkpoint', async () => {
    const data = await emptyFolder('small')
    const { site, child, call } = await startServer({ DATA: data }, onSmallDisk(data, 130))
    const statuses = new Map<string, number>()
    const send = async (path: string, body: string | FormData, key: string): Promise<boolean> => {
      const answer = await call(path, body, { 'idempotency-key': key })
      const code = /"code":"(\w+)"/.exec(await answer.text())?.[1] ?? 'ok'
      statuses.set(code, (statuses.get(code) ?? 0) + 1)
      expect([code, code === 'ok' || answer.headers.has('retry-after')]).toEqual([code, true])
      return answer.status === 200
    }
    expect(await send('createChat', '{"name":"full"}', 'chat')).toBe(true)
    // The disk is mounted only for this process. Others reach it through `/proc`.
    const inside = `/proc/${child.pid}/root${data}`
    const acknowledged: string[] = []
    let [count, isOver] = [0, false]
    const writing = Array.from({ length: 4 }, async () => {
      while (!isOver) {
        count += 1
        const name = `message ${count}`
        const message = JSON.stringify({ chat: 'full', body: `${name} ${'x'.repeat(8000)}` })
        while (!(await send('postChatMessage', message, name))) await sleep(20)
        acknowledged.push(name)
      }
    })
    const ask = async <Row extends pg.QueryResultRow>(question: string): Promise<Row[]> => {
      const client = new pg.Client({ host: join(inside, 'postgres'), user: 'blockmark', database: 'postgres' })
      client.on('error', () => undefined)
      await client.connect()
      try {
        return (await client.query<Row>(question)).rows
      } finally {
        await client.end()
      }
    }
    await expect.poll(() => acknowledged.length).toBeGreaterThan(20)
    fill(join(inside, 'ballast'))
    const form = formOf('x'.repeat(2_000_000))
    const refused = await call('upload', form)
    expect([refused.status, await refused.json()]).toMatchObject([503, { error: { code: 'storage_full' } }])
    const statusOf = async (path: string): Promise<string> => {
      const answer = await fetch(site + path)
      return `${answer.status} ${await answer.text()}`
    }
    await expect.poll(() => statusOf('/readyz')).toMatch(/^503 .*"storage_full"/)
    expect([await statusOf('/healthz'), (await call('ping')).status]).toEqual(['200 ok\n', 200])
    await ask('CHECKPOINT').catch(() => undefined)
    // PostgreSQL fills the existing segments of its log, and then cannot create another one.
    const rejected = (): number => (statuses.get('storage_full') ?? 0) + (statuses.get('storage_unavailable') ?? 0)
    await expect.poll(rejected).toBeGreaterThan(50)
    await ask('CHECKPOINT').catch(() => undefined)
    const before = acknowledged.length
    await rm(join(inside, 'ballast'))
    await expect.poll(() => acknowledged.length).toBeGreaterThan(before + 20)
    isOver = true
    await Promise.all(writing)
    expect(await send('upload', form, 'upload')).toBe(true)
    const names = "SELECT substring(body FROM '^message [0-9]+') AS name FROM messages"
    const kept = (await ask<{ name: string }>(names)).map(({ name }) => name)
    expect(kept.toSorted()).toEqual(acknowledged.toSorted())
    const codes = ['ok', 'storage_full', 'storage_unavailable']
    expect([...statuses.keys()].filter((code) => !codes.includes(code))).toEqual([])
  })
})
