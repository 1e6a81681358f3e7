/**
 * How many times as fast as the last release is this build? `--commit` names another commit. Both builds run in one process,
 * in turn, on the same messages. `parse` while trees are kept is measured in a new thread, because V8 decides from the first
 * trees where later nodes are allocated.
 */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { bytesOf, type Corpus, makeCorpus } from './corpora.js'
import type { KeptTrees, KeptTreesResult } from './kept-trees.js'
import { type Library, libraryUrl, loadLibrary } from './modules.js'
import type { Amount, Answer, Figure } from './question.js'
import { at, interleave, type Ratio, ratioOf } from './statistics.js'
import { printTable } from './table.js'

interface Row {
  task: string
  corpus: string
  megabytesPerSecond: number
  ratio: Ratio
}

const tasks: readonly (readonly [name: string, run: (library: Library, message: string) => number])[] = [
  ['toHtml(string)', ({ toHtml }, message) => toHtml(message).length],
  ['toHtml(parse(string))', ({ toHtml, parse }, message) => toHtml(parse(message)).length],
  ['parse', ({ parse }, message) => parse(message).children.length],
]

const TREES = 1_000

/**
 * Compares this build with an older one.
 *
 * @param before - a folder that holds the older build
 */
export async function last(amount: Amount, before: string | null): Promise<Answer> {
  if (before === null) throw new Error('no release: name a commit with --commit')
  const libraries = [await loadLibrary(), await loadLibrary(before)]
  const corpora = (['chat', 'post', 'plain'] as const).map((name) => makeCorpus(name, amount === 'full' ? 0.5 : 0.03))
  const rows = corpora.flatMap((corpus) => tasks.map((task) => compare(corpus, task, libraries, amount)))
  printTable(
    'This build and the last one',
    ['task', 'corpus', 'MB/s', '× as fast', 'best'],
    rows.map(({ task, corpus, megabytesPerSecond, ratio }) => {
      return [task, corpus, megabytesPerSecond.toFixed(1), ratio.paired.median.toFixed(2), ratio.best.toFixed(2)]
    }),
  )
  const kept = [await keepTrees(libraryUrl.href, amount), await keepTrees(`file://${before}/dist/index.js`, amount)]
  printTable(
    `parse of a chat message while ${TREES} trees are kept`,
    ['build', 'ns, no trees kept', `ns, ${TREES} kept`, '× as long'],
    kept.map(({ alone, among }, index) => {
      return [index === 0 ? 'this' : 'last', alone.toFixed(0), among.toFixed(0), (among / alone).toFixed(2)]
    }),
  )
  const [own] = kept
  if (own === undefined) throw new Error('no result')
  const figures = rows.map(({ task, corpus, ratio }): Figure => {
    return {
      name: `${task} against the last build, ${corpus}`,
      reached: ratio.paired.median,
      byBestSamples: ratio.best,
      atLeast: 0.97,
      unit: '×',
    }
  })
  figures.push({
    name: `parse while ${TREES} trees are kept, as a multiple of parse without them`,
    reached: own.among / own.alone,
    atMost: 2,
    unit: '×',
  })
  return { figures, details: { rows, kept } }
}

function compare(
  corpus: Corpus,
  [task, run]: (typeof tasks)[number],
  libraries: readonly Library[],
  amount: Amount,
): Row {
  const rounds = amount === 'full' ? 32 : 2
  const passes = libraries.map((library) => () => {
    let sum = 0
    for (const message of corpus.messages) sum += run(library, message)
    if (sum < corpus.messages.length) throw new Error(`${task}: nothing came out of ${corpus.name}`)
  })
  if (amount === 'full') for (let round = 0; round < 4; round += 1) for (const pass of passes) pass()
  const samples = interleave(passes, rounds, () => globalThis.gc?.({ type: 'minor' }))
  const [own, older] = [at(samples, 0), at(samples, 1)]
  const best = Math.min(...own.map(({ cpu }) => cpu))
  return {
    task,
    corpus: corpus.name,
    megabytesPerSecond: bytesOf(corpus.messages) / 1e3 / best,
    ratio: ratioOf(older, own),
  }
}

/** Measures `parse` in two threads: one keeps no trees, the other keeps some. */
async function keepTrees(library: string, amount: Amount): Promise<{ alone: number; among: number }> {
  const [alone, among] = [await nanoseconds(library, 0, amount), await nanoseconds(library, TREES, amount)]
  return { alone, among }
}

async function nanoseconds(library: string, trees: number, amount: Amount): Promise<number> {
  const workerData: KeptTrees = { library, trees, milliseconds: amount === 'full' ? 3_000 : 50 }
  const thread = new Worker(new URL('./kept-trees.js', import.meta.url), { workerData })
  const [result]: [KeptTreesResult] = (await once(thread, 'message')) as [KeptTreesResult]
  await thread.terminate()
  return result.nanoseconds
}
