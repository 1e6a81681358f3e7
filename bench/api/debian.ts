/** Debian's PostgreSQL on a free port, reached through DATABASE_URL, with all durability settings on. */

import { spawn, spawnSync } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

const PROGRAMS = '/usr/lib/postgresql/15/bin'
const PORT = 54_321

export interface Debian {
  readonly url: string
  stop(): Promise<void>
}

/** Starts Debian's PostgreSQL; returns null if it is not installed. */
export async function startDebian(): Promise<Debian | null> {
  if (!existsSync(PROGRAMS)) return null
  const folder = mkdtempSync(join(tmpdir(), 'blockmark-bench-'))
  const data = join(folder, 'data')
  const isRoot = process.getuid?.() === 0
  const account = isRoot ? { uid: 65_534, gid: 65_534 } : {}
  if (isRoot) chownSync(folder, 65_534, 65_534)
  spawnSync(join(PROGRAMS, 'initdb'), ['-D', data, '-U', 'bench', '-A', 'trust', '-E', 'UTF8'], account)
  const server = spawn(join(PROGRAMS, 'postgres'), ['-D', data, '-p', String(PORT), '-k', ''], {
    stdio: 'ignore',
    ...account,
  })
  const ended = new Promise((resolve) => server.once('close', resolve))
  const url = `postgres://bench@127.0.0.1:${PORT}/postgres`
  await untilReady(url)
  return {
    url,
    async stop() {
      server.kill('SIGINT')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function untilReady(url: string): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    const client = new pg.Client(url)
    try {
      await client.connect()
      return await client.end()
    } catch (error) {
      if (attempt === 100) throw error
      await sleep(100)
    }
  }
}
