/** Measures the allocations of one parser, in a new process: `node FLAGS memory-of-one.js NAME full|smoke`. */
import { argv } from 'node:process'
import { fileURLToPath } from 'node:url'
import { GCProfiler } from 'node:v8'
import { treeContenders } from './contenders.js'
import { makeCorpus } from './corpora.js'
import { loadLibrary } from './modules.js'
import { at, spreadOf } from './statistics.js'

export interface MemoryOfOne {
  name: string
  /** Bytes allocated for each byte of input, in the heap and outside of it. */
  bytesPerByte: number
  /** The part of it in typed arrays. */
  outsideHeap: number
}

export const memoryContenderNames: readonly string[] = [
  'blockmark parse',
  'blockmark parse, no positions',
  'mdast-util-from-markdown',
  'message-parser',
]

/** Number of messages between two collections. Even the parser that allocates most stays in the young generation. */
const sliceLength = 1_000

type Use = { heap: number; outside: number }

if (argv[1] === fileURLToPath(import.meta.url)) await main(at(argv, 2), argv[3] === 'full')

async function main(name: string, full: boolean): Promise<void> {
  const { bytes, messages } = makeCorpus('chat', full ? 1 : 0.03)
  const parse = await parserOf(name)
  const passes = Array.from({ length: full ? 6 : 2 }, (): Use => measure(messages, parse))
  // The first passes still compile. A service runs the optimized code, so that is measured.
  const warm = passes.slice(passes.length / 2)
  const result: MemoryOfOne = {
    name,
    bytesPerByte: spreadOf(warm.map((use) => use.heap + use.outside)).median / bytes,
    outsideHeap: spreadOf(warm.map((use) => use.outside)).median / bytes,
  }
  console.log(JSON.stringify(result))
}

async function parserOf(name: string): Promise<(message: string) => object> {
  if (name === 'blockmark parse, no positions') {
    const { parse } = await loadLibrary()
    return (message) => parse(message, { position: false })
  }
  const contender = (await treeContenders(null)).find((each) => each.name === name)
  if (contender === undefined) throw new Error(`no contender ${name}`)
  return contender.run
}

function measure(messages: readonly string[], parse: (message: string) => object): Use {
  const use: Use = { heap: 0, outside: 0 }
  for (let start = 0; start < messages.length; start += sliceLength) {
    const { heap, outside } = measureSlice(messages.slice(start, start + sliceLength), parse)
    use.heap += heap
    use.outside += outside
  }
  return use
}

/** Repeats the measurement if V8 collected garbage meanwhile. */
function measureSlice(slice: readonly string[], parse: (message: string) => object): Use {
  for (let attempt = 0; attempt < 10; attempt += 1) {
    globalThis.gc?.()
    const profiler = new GCProfiler()
    profiler.start()
    const before = process.memoryUsage()
    for (const message of slice) parse(message)
    const after = process.memoryUsage()
    if (profiler.stop().statistics.length > 0) continue
    return { heap: after.heapUsed - before.heapUsed, outside: after.arrayBuffers - before.arrayBuffers }
  }
  throw new Error(`garbage was collected every time that ${slice.length} messages were measured`)
}
