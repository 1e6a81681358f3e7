/**
 * The benchmark of the service: `npm run bench:service [-- QUESTION …]` prints a table for each question. `--smoke` asks
 * all questions with little input, to check that they run. `--minutes` is the duration of `load`, and `--only` is a part of
 * the names of the attacks that `strangers` measures.
 */

import { spawnSync } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { measureAttacks } from './attacks.js'
import { measureClient } from './client.js'
import { measureConnections } from './connections.js'
import { startDebian } from './debian.js'
import { measureOverload } from './overload.js'
import { measurePages } from './pages.js'
import { measurePosts } from './posts.js'
import { measureScale } from './scale.js'
import { measureStart } from './start.js'
import { measureStrangers } from './strangers.js'
import { measureUpload } from './upload.js'

const { values, positionals } = parseArgs({
  options: {
    ...{ smoke: { type: 'boolean', default: false }, minutes: { type: 'string', default: '10' } },
    only: { type: 'string', default: '' },
  },
  allowPositionals: true,
})
const { smoke } = values

const questions: Readonly<Record<string, () => Promise<void>>> = {
  start: () => measureStart(smoke ? 1 : 7),
  posts: async () => {
    const seconds = smoke ? 0.2 : 20
    await measurePosts('the embedded PostgreSQL', {}, seconds)
    const debian = smoke ? null : await startDebian()
    if (debian === null) return
    await measurePosts("Debian's PostgreSQL, by DATABASE_URL", { DATABASE_URL: debian.url }, seconds)
    await debian.stop()
  },
  scale: () => measureScale(smoke ? 1000 : 1_000_000, smoke ? 0.2 : 20),
  attacks: () => measureAttacks(smoke ? 0.2 : 10, smoke ? 1000 : 1_000_000),
  strangers: () => measureStrangers(smoke ? 0.2 : 10, smoke ? '/readyz' : values.only),
  connections: () => (smoke ? measureConnections(20, 10, 0.2) : measureConnections(10_000, 1000, 10)),
  load: () => measureOverload(smoke ? 0.6 : Number(values.minutes) * 60),
  upload: () => measureUpload(smoke ? 5 : 300),
  pages: () => (smoke ? measurePages(2, 200, false) : measurePages(200, 10_000, true)),
  client: () => measureClient(smoke ? 1 : 20),
  playground: async () => measurePlayground(),
}

const unknown = positionals.filter((name) => !Object.hasOwn(questions, name))
if (unknown.length > 0) throw new Error(`expected one of ${Object.keys(questions).join(', ')}, received ${unknown[0]}`)
console.log(`Node ${process.version}, ${availableParallelism()} cores`)
for (const [name, ask] of Object.entries(questions)) {
  if (positionals.length === 0 || positionals.includes(name)) await ask()
}

/** Runs in its own process, because code for a page is compiled with the types of a browser. */
function measurePlayground(): void {
  const program = fileURLToPath(new URL('./playground.js', import.meta.url))
  const { status } = spawnSync(process.execPath, [program, ...(smoke ? ['--smoke'] : [])], { stdio: 'inherit' })
  if (status !== 0) process.exitCode = 1
}
