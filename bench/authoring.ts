/**
 * How many messages a second does a bot write with `md`, how many megabytes a second does `stringify` write and `lint` read?
 * How many messages a second does React show in the two ways that LIBRARY.md describes?
 * `md` is compared with the text helpers of slack-block-builder, which join strings and escape nothing; `lint` with markdownlint.
 */
import { lintContenders, type Report, reactContenders, treeWriters, writingContenders } from './authoring-contenders.js'
import type { Contender } from './contenders.js'
import { boundedCorpusNames, bytesOf, makeCorpus } from './corpora.js'
import { loadLibrary } from './modules.js'
import type { Amount, Answer, Figure } from './question.js'
import { createRandom } from './random.js'
import { at, interleave, type Ratio, ratioOf, type Sample, type Spread, spreadOf } from './statistics.js'
import { printTable } from './table.js'

interface Row {
  task: string
  contender: string
  /** Messages, in thousands, or megabytes. */
  perSecond: Spread
  /** How many times slower than the first contender of its task. */
  ratio: Ratio
}

export async function authoring(amount: Amount): Promise<Answer> {
  const rounds = amount === 'full' ? 21 : 1
  const rows: Row[] = []
  const figures: Figure[] = []
  const reports = makeReports(amount === 'full' ? 2_000 : 50)
  const writing = measure(await writingContenders(), reports, rounds)
  rows.push(...rowsOf('a failed build, thousands of messages a second', writing, reports.length / 1e3))
  const { parse } = await loadLibrary()
  const writers = await treeWriters()
  for (const name of boundedCorpusNames) {
    const { messages } = makeCorpus(name, amount === 'full' ? 1 : 0.03)
    const trees = messages.map((message) => parse(message, { position: false }))
    const written = measure(writers, trees, Math.ceil(rounds / 3))
    const task = rowsOf(`trees of ${name} written back, megabytes a second`, written, bytesOf(messages) / 1e6)
    rows.push(...task)
    const ratio = task[1]?.ratio
    if (ratio === undefined) continue
    figures.push({
      name: `stringify against mdast-util-to-markdown, ${name}`,
      reached: ratio.paired.median,
      byBestSamples: ratio.best,
      atLeast: 12,
      unit: '×',
    })
  }
  const linters = await lintContenders()
  for (const name of boundedCorpusNames) {
    const corpus = makeCorpus(name, amount === 'full' ? 0.25 : 0.03)
    const linting = measure(linters, corpus.messages, Math.ceil(rounds / 3))
    rows.push(...rowsOf(`lint of ${name}, megabytes a second`, linting, bytesOf(corpus.messages) / 1e6))
  }
  const { messages } = makeCorpus('chat', amount === 'full' ? 0.25 : 0.03)
  const rendering = measure(await reactContenders(), messages, Math.ceil(rounds / 3))
  rows.push(...rowsOf('chat messages shown with React, thousands a second', rendering, messages.length / 1e3))
  for (const task of new Set(rows.map((row) => row.task))) print(task, rows)
  return { figures, details: rows }
}

/** A bot's message about a build: names, texts and URLs contain markup characters, as they do in practice. */
function makeReports(count: number): Report[] {
  const random = createRandom(4)
  const name = () => ['core_api', 'web-client', '*tools*', 'docs [old]'][random(4)] ?? ''
  return Array.from({ length: count }, (_, index) => ({
    build: index,
    repository: name(),
    userID: String(10_000_000 + random(1_000_000)),
    url: `https://ci.example.com/${name().replace(/\W/g, '_')}/${index}`,
    steps: Array.from({ length: 1 + random(4) }, () => ({
      name: `${name()}_${random(100)}`,
      error: `expected ${random(10)} ** ${random(10)}, received <${random(100)}> in ${name()}.ts`,
    })),
  }))
}

/** Number of unmeasured passes: a running bot does not wait for compilation. */
const warmUpRounds = 4

/** Measures the contenders of a task. Each round writes or reads all inputs. */
function measure<Input>(
  contenders: readonly Contender<unknown, Input>[],
  inputs: readonly Input[],
  rounds: number,
): Map<string, Sample[]> {
  const tasks = contenders.map(({ name, run }) => () => {
    for (const input of inputs) if (!isSomething(run(input))) throw new Error(`${name}: nothing came out`)
  })
  for (let round = 0; round < Math.min(warmUpRounds, rounds - 1); round += 1) for (const task of tasks) task()
  const samples = interleave(tasks, rounds, () => globalThis.gc?.({ type: 'minor' }))
  return new Map(contenders.map(({ name }, index) => [name, at(samples, index)]))
}

/** Reads the last character, like `throughput.ts`: the engine must then join the pieces of the string. */
function isSomething(output: unknown): boolean {
  return typeof output !== 'string' || output.charCodeAt(output.length - 1) >= 0
}

function rowsOf(task: string, measured: ReadonlyMap<string, Sample[]>, units: number): Row[] {
  const [first = []] = measured.values()
  return Array.from(measured, ([contender, samples]) => ({
    task,
    contender,
    perSecond: spreadOf(samples.map(({ wall }) => (units * 1e3) / wall)),
    ratio: ratioOf(samples, first),
  }))
}

function print(task: string, rows: readonly Row[]): void {
  const text = (value: number) => String(Number(value.toPrecision(3)))
  printTable(
    task[0]?.toUpperCase() + task.slice(1),
    ['contender', 'median', 'best', '× slower than the first', 'best'],
    rows
      .filter((row) => row.task === task)
      .map(({ contender, perSecond, ratio }) => [
        contender,
        text(perSecond.median),
        text(perSecond.max),
        text(ratio.paired.median),
        text(ratio.best),
      ]),
  )
}
