/** The built package in every runtime: its entries can be imported, and it passes the conformance data. */

import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { buildSync } from 'esbuild'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { top } from './source.js'

const { folder: project } = inject('installed')
const home = join(project, 'node_modules', 'blockmark')
const data = gunzipSync(readFileSync(join(home, 'dist', 'conformance.json.gz'))).toString()
const passed = `${JSON.parse(data).cases.length} cases pass\n`

/** The entries that need no other package. */
const entries = ['blockmark', 'blockmark/unified', 'blockmark/client', 'blockmark/messengers']

/** The runtimes that `npm --prefix test/runtimes ci` installs: their programs, and how they run a module. */
const runtimes: Readonly<Record<string, readonly string[]>> = {
  'node-20': ['bin/node'],
  'node-22': ['bin/node'],
  'node-24': ['bin/node'],
  bun: ['bin/bun', 'run'],
  deno: ['deno', 'run', '--allow-read', '--no-remote'],
}

beforeAll(() => {
  for (const path of ['runtimes/run.mjs', 'runtimes/worker.js', 'runtimes/workerd.capnp', 'conformance/results.mjs'])
    copyFileSync(join(top, 'test', path), join(project, basename(path)))
  writeFileSync(join(project, 'conformance.json'), data)
  const options = { bundle: true, format: 'esm', charset: 'utf8', outfile: join(project, 'blockmark.js') } as const
  buildSync({ ...options, entryPoints: [join(home, 'dist', 'index.js')] })
})

describe('runs the conformance data on', () => {
  for (const [name, [program = '', ...words]] of Object.entries(runtimes)) {
    test.skipIf(!isInstalled(name, program))(`${name} (npm --prefix test/runtimes ci installs it)`, () => {
      expect(run(name, program, [...words, 'run.mjs', ...entries])).toEqual([passed, 0])
    })
  }

  test.skipIf(!isInstalled('workerd', 'bin/workerd'))('workerd (npm --prefix test/runtimes ci installs it)', () => {
    const [stdout, status] = run('workerd', 'bin/workerd', ['test', 'workerd.capnp'])
    expect(stdout).toContain(passed)
    expect(status).toBe(0)
  })
})

function programOf(name: string, program: string): string {
  return join(top, 'test', 'runtimes', 'node_modules', name, program)
}

function isInstalled(name: string, program: string): boolean {
  return existsSync(programOf(name, program))
}

function run(name: string, program: string, words: readonly string[]): [output: string, status: number | null] {
  const { stdout, stderr, status } = spawnSync(programOf(name, program), words, { cwd: project, encoding: 'utf8' })
  return [stdout + stderr, status]
}
