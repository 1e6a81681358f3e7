/** A disk that fills during writes, an upload and a checkpoint of PostgreSQL: when it has room again, all acknowledged posts exist. */

import { closeSync, openSync, writeSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from './support/backends.js'
import { buildCli, startCli } from './support/cli.js'
import { canMount, onSmallDisk } from './support/small-disk.js'

/** Fills a disk to the last byte. */
function fill(path: string): void {
  const file = openSync(path, 'w')
  for (const size of [1_000_000, 4096, 1]) {
    try {
      for (;;) if (writeSync(file, Buffer.alloc(size)) < size) break
    } catch {
      // It is full for pieces of this size.
    }
  }
  closeSync(file)
}

describe.skipIf(!canMount)('a disk that fills (needs the right to mount)', () => {
  test('loses no acknowledged post: during writes, an upload and a checkpoint', async () => {
    const folder = await temporaryFolder()
    const data = join(folder, 'data')
    await mkdir(data)
    const cli = await buildCli()
    const settings = { PORT: '0', DATA: data, RATE_LIMIT: '0', LOG_LEVEL: 'silent' }
    const server = startCli(cli, ['serve', '--welcome'], settings, onSmallDisk(data, 130))
    onTestFinished(async () => {
      server.child.kill('SIGTERM')
      await server.ended
      await rm(folder, { recursive: true, force: true })
    })
    const site = await server.printed(/ready on (\S+),/)
    const key = /wsk_\w{49}/.exec(server.stdout())?.[0] ?? ''
    const authorization = `Bearer ${key}`
    const statuses = new Map<string, number>()
    const send = async (path: string, body: string | FormData, key: string): Promise<boolean> => {
      const type: Record<string, string> = typeof body === 'string' ? { 'content-type': 'application/json' } : {}
      const headers = { authorization, 'idempotency-key': key, ...type }
      const answer = await fetch(`${site}/api/public/${path}`, { method: 'POST', headers, body })
      const code = /"code":"(\w+)"/.exec(await answer.text())?.[1] ?? 'ok'
      statuses.set(code, (statuses.get(code) ?? 0) + 1)
      expect([code, code === 'ok' || answer.headers.has('retry-after')]).toEqual([code, true])
      return answer.status === 200
    }
    expect(await send('createChat', '{"name":"full"}', 'chat')).toBe(true)
    // Only the process itself sees this disk, and processes that can look into it.
    const inside = `/proc/${server.child.pid}/root${data}`
    const acknowledged: string[] = []
    let [count, isOver] = [0, false]
    const writing = Array.from({ length: 4 }, async () => {
      while (!isOver) {
        count += 1
        const name = `message ${count}`
        while (
          !(await send('postChatMessage', JSON.stringify({ chat: 'full', body: `${name} ${'x'.repeat(8000)}` }), name))
        )
          await sleep(20)
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
    await sleep(300)
    fill(join(inside, 'ballast'))
    const form = new FormData()
    form.append('data', new Blob(['x'.repeat(2_000_000)]), 'a.txt')
    expect(await send('upload', form, 'upload')).toBe(false)
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
    const kept = (
      await ask<{ name: string }>("SELECT substring(body FROM '^message [0-9]+') AS name FROM messages")
    ).map(({ name }) => name)
    const seen = [...statuses].map(([code, times]) => `${times} ${code}`).join(', ')
    console.log(`${acknowledged.length} messages answered, ${kept.length} rows; ${seen}`)
    expect(kept.toSorted()).toEqual(acknowledged.toSorted())
    expect(
      [...statuses.keys()].filter((code) => !['ok', 'storage_full', 'storage_unavailable'].includes(code)),
    ).toEqual([])
  })
})
