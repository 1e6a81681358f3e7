/** The service as the README starts it: with one command in an empty folder. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { isThorough } from '../amount.js'
import { environmentOf } from './managers.js'
import { openRegistry, type Registry } from './registry.js'

let home: string
let registry: Registry

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'server-'))
  registry = await openRegistry(Object.values(inject('installed').tarballs))
})

afterAll(() => {
  registry.close()
  rmSync(home, { recursive: true })
})

interface Run {
  /** The standard output until the service is ready. */
  readonly output: string
  /** Ends the command like Ctrl-C, and waits for all processes that it has started. */
  stop(): Promise<void>
}

/** Runs the command until it has printed its instructions. */
async function npx(folder: string): Promise<Run> {
  const env = { ...environmentOf(join(home, 'user'), registry.url), PORT: '0' }
  const words = ['--yes', 'blockmark-server', '--welcome']
  // A process group, as a terminal makes one: all its processes get the signal.
  const child = spawn('npx', words, { cwd: folder, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  const closed = once(child, 'close')
  let [output, errors] = ['', '']
  child.stderr.on('data', (chunk) => {
    errors += String(chunk)
  })
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (chunk) => {
      output += String(chunk)
      if (/ people link EMAIL$/m.test(output)) resolve()
    })
    child.on('exit', () => reject(new Error(`${output}\n${errors}`)))
  })
  return {
    output,
    async stop() {
      process.kill(-(child.pid ?? 0), 'SIGINT')
      await closed
    },
  }
}

test.runIf(isThorough)(
  'npx blockmark-server --welcome starts in an empty folder, and again (if CI is set)',
  async () => {
    const folder = join(home, 'empty')
    mkdirSync(folder)
    const first = await npx(folder)
    const siteUrl = /^blockmark is ready on (\S+),/m.exec(first.output)?.[1] ?? ''
    const key = /^export BLOCKMARK_API_KEY=(wsk_\w+)$/m.exec(first.output)?.[1] ?? ''
    const channels = await fetch(`${siteUrl}/api/public/channels`, { headers: { authorization: `Bearer ${key}` } })
    expect(await channels.json()).toMatchObject({ ok: true, result: [{ name: 'welcome' }] })
    await first.stop()
    const second = await npx(folder)
    expect(second.output).toContain('The database exists already')
    expect(second.output).toContain('blockmark-server keys create')
    await second.stop()
    expect(readdirSync(folder)).toEqual([])
  },
)
