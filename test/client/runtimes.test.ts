/** The client in every runtime, over a socket that breaks. */

import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listenBreaking } from './support.js'

let folder = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'blockmark-runtimes-'))
  await build({
    ...{ entryPoints: ['test/client/story.ts'], bundle: true, format: 'esm', platform: 'neutral', target: 'es2022' },
    ...{ outfile: join(folder, 'story.mjs'), logLevel: 'error' },
  })
  const main = `import { tell } from './story.mjs'\nconsole.log(await tell(process.argv[2], process.argv[3]))\n`
  await writeFile(join(folder, 'main.mjs'), main)
  const worker = `import { tell } from 'story.mjs'
export default { async test(_, { BASE_URL, KEY }) { console.log(await tell(BASE_URL, KEY)) } }
`
  await writeFile(join(folder, 'worker.mjs'), worker)
})

afterAll(() => rm(folder, { recursive: true, force: true }))

/** The runtimes that `npm --prefix test/runtimes ci` installs: the program, and the words that run a module. */
const runtimes: Readonly<Record<string, readonly string[]>> = {
  'node-20': ['bin/node'],
  'node-22': ['bin/node'],
  'node-24': ['bin/node'],
  bun: ['bin/bun', 'run'],
  deno: ['deno', 'run', '--allow-net', '--allow-read', '--no-remote'],
}

function programOf(name: string, program: string): string {
  return join(process.cwd(), 'test/runtimes/node_modules', name, program)
}

/** The runtimes get no settings of npm or of a proxy. */
const env = { PATH: process.env['PATH'] ?? '', HOME: tmpdir() }

for (const [name, [program = '', ...words]] of Object.entries(runtimes)) {
  const path = programOf(name, program)
  test.skipIf(!existsSync(path))(`tells its story on ${name} (npm --prefix test/runtimes ci installs it)`, async () => {
    const { service, baseUrl, expectStory, close } = await listenBreaking()
    const given = [...words, 'main.mjs', baseUrl, service.apiKey]
    const { stdout } = await promisify(execFile)(path, given, { cwd: folder, env })
    expect(stdout).toBe('the story is complete\n')
    expectStory()
    await close()
  })
}

const workerd = programOf('workerd', 'bin/workerd')

test.skipIf(!existsSync(workerd))(
  'tells its story on workerd (npm --prefix test/runtimes ci installs it)',
  async () => {
    const { service, baseUrl, expectStory, close } = await listenBreaking()
    const config = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (services = [
  (name = "main", worker = .worker),
  (name = "internet", network = (allow = ["private"])),
]);
const worker :Workerd.Worker = (
  modules = [
    (name = "worker.mjs", esModule = embed "worker.mjs"),
    (name = "story.mjs", esModule = embed "story.mjs"),
  ],
  bindings = [(name = "BASE_URL", text = "${baseUrl}"), (name = "KEY", text = "${service.apiKey}")],
  compatibilityDate = "2026-01-01",
);
`
    await writeFile(join(folder, 'story.capnp'), config)
    const { stdout, stderr } = await promisify(execFile)(workerd, ['test', 'story.capnp'], { cwd: folder, env })
    expect(stdout + stderr).toContain('the story is complete\n')
    expectStory()
    await close()
  },
)
