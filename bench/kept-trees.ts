/** A thread that keeps trees from its start, then parses for a while and keeps nothing. */
import { parentPort, workerData } from 'node:worker_threads'
import { makeCorpus } from './corpora.js'
import { type Library, load } from './modules.js'

export interface KeptTrees {
  readonly library: string
  readonly trees: number
  readonly milliseconds: number
}

export interface KeptTreesResult {
  /** The median processor time of a message, of ten windows without the first three, in which the code is compiled. */
  readonly nanoseconds: number
}

const { library, trees, milliseconds }: KeptTrees = workerData
const { parse } = await load<Library>(library)
const { messages } = makeCorpus('chat', 0.5)
const kept = Array.from({ length: trees }, (_, index) => parse(messages[index % messages.length] ?? ''))

const windows: number[] = []
let next = 0
for (let window = 0; window < 10; window += 1) {
  const [used, start] = [process.cpuUsage(), performance.now()]
  let count = 0
  while (performance.now() - start < milliseconds / 10) {
    for (let message = 0; message < 100; message += 1, next += 1) parse(messages[next % messages.length] ?? '')
    count += 100
  }
  const { user, system } = process.cpuUsage(used)
  windows.push(((user + system) * 1e3) / count)
}
const sorted = windows.slice(3).sort((one, other) => one - other)
const result: KeptTreesResult = { nanoseconds: sorted[sorted.length >> 1] ?? 0 }
// The trees are read here, so that the engine keeps them until the measurement ends.
if (kept.length === trees) parentPort?.postMessage(result)
