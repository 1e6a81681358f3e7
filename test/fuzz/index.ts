/**
 * The fuzzer, as a program: `npm run fuzz -- TARGET… [--minutes N] [--runs N] [--seed S] [--seeds N] [--finds N]`.
 *
 * Without a target, it runs all targets. `--minutes` is for all together, `--runs` for each. `--seeds` limits the number of
 * examples at the start, `--finds` the number of failures of a target. It is bundled into one script, whose blocks V8 counts. The
 * script is in `node_modules/.cache`, as deep as the folders of the tests, because they find the fixtures by relative paths.
 */

import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import { watchBlocks } from './blocks.js'
import { convertTargets } from './convert.js'
import { dialectTargets } from './dialect.js'
import { fuzz } from './fuzz.js'
import { serviceTargets } from './service.js'
import type { Input, Target } from './target.js'
import { writingTargets } from './writing.js'

const targets: readonly Target[] = [...dialectTargets, ...writingTargets, ...convertTargets, ...serviceTargets]

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    minutes: { type: 'string' },
    runs: { type: 'string' },
    seed: { type: 'string' },
    seeds: { type: 'string' },
    finds: { type: 'string' },
  },
})
const unknown = positionals.filter((name) => !targets.some((target) => target.name === name))
if (unknown.length > 0) {
  console.error(`no target: ${unknown.join(', ')}\ntargets: ${targets.map(({ name }) => name).join(', ')}`)
  process.exit(2)
}
const chosen = targets.filter(({ name }) => positionals.length === 0 || positionals.includes(name))
const runs = values.runs === undefined ? Number.POSITIVE_INFINITY : Number(values.runs)
const minutes =
  values.minutes === undefined ? (values.runs === undefined ? 10 : Number.POSITIVE_INFINITY) : Number(values.minutes)
const findsMax = Number(values.finds ?? 8)
const seedCount = Number(values.seeds ?? Number.POSITIVE_INFINITY)
const seed = values.seed === undefined ? Date.now() % 2 ** 31 : Number(values.seed)

const watch = watchForHanging()
const blocks = watchBlocks(new URL(import.meta.url), (path) => path.startsWith('src/'))
let found = 0
for (const target of chosen) {
  const milliseconds = (minutes * 60_000) / chosen.length
  const outcome = await fuzz(target, { seed, seedCount, findsMax, runs, milliseconds, blocks, before: watch.before })
  found += outcome.finds.length
  for (const { error, input, example } of outcome.finds) {
    console.log(`\n${target.name}, SEED=${seed}: ${error}\n\ninput: ${JSON.stringify(input)}\n\n${example}\n`)
  }
  const { ran, all } = blocks.counts
  const share = `${((100 * ran) / all).toFixed(2)} % of the functions' characters that ran`
  console.log(
    `${target.name}: ${outcome.runs} inputs, ${outcome.kept} kept, ${outcome.finds.length} finds; ${share}; SEED=${seed}`,
  )
}
await watch.stop()
process.exitCode = found > 0 ? 1 : 0

/** Watches for an input that never ends: this thread cannot stop it, so another thread names it and ends the program. */
function watchForHanging(): { before(target: string, input: Input): void; stop(): Promise<number> } {
  const SECONDS = 300
  const memory = new SharedArrayBuffer(64 * 1024)
  const code = `const { workerData } = require('node:worker_threads')
    const view = new DataView(workerData), bytes = new Uint8Array(workerData)
    let last = -1
    setInterval(() => {
      const now = view.getInt32(0)
      if (now === last) {
        const text = Buffer.from(bytes.slice(8, 8 + view.getInt32(4))).toString()
        require('node:fs').writeSync(1, 'takes more than ${SECONDS} seconds: ' + text + '\\n')
        process.kill(process.pid, 'SIGKILL')
      }
      last = now
    }, ${SECONDS * 1000})`
  const worker = new Worker(code, { eval: true, workerData: memory })
  worker.unref()
  const view = new DataView(memory)
  let count = 0
  return {
    before(target, input) {
      count += 1
      const { written } = new TextEncoder().encodeInto(JSON.stringify([target, input]), new Uint8Array(memory, 8))
      view.setInt32(4, written)
      view.setInt32(0, count)
    },
    stop: () => worker.terminate(),
  }
}
