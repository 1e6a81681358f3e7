/**
 * What does each construct cost? How many nanoseconds one more of it adds to a message is asked in two ways: of all
 * corpora, by least squares over batches of messages of like shape; and of samples, equally long messages that hold the
 * construct once to five times. The samples are the same a thousand times over, which processors learn to foresee.
 */
import { type ConstructName, type Counts, constructNames, countConstructs } from './construct-counts.js'
import { countMax, samples } from './construct-samples.js'
import { corpusNames, makeCorpus } from './corpora.js'
import { type Estimate, leastSquares } from './least-squares.js'
import { loadLibrary } from './modules.js'
import type { Amount, Answer } from './question.js'
import { createRandom } from './random.js'
import { at, interleave, type Spread, spreadOf } from './statistics.js'
import { printTable } from './table.js'

/** Something that reads a message, and gives a number that depends on all that it made. */
interface Reader {
  name: string
  read: (message: string) => number
}

/** Messages that hold much the same, and what they hold together. */
interface Batch {
  messages: string[]
  totals: Counts
}

interface Column {
  reader: string
  /** The middle of what the batches differ from what was fitted, as a share. */
  residual: number
  byRegression: Record<string, Estimate | null>
  bySamples: Record<string, Spread>
}

/**
 * Answers for HTML and for the tree with positions.
 *
 * @param before - a folder that holds an older build of this package, which is asked too
 */
export async function constructs(amount: Amount, before: string | null): Promise<Answer> {
  const readers = [...(await readersOf('')), ...(before === null ? [] : await readersOf('before ', before))]
  const batches = await makeBatches(amount)
  const columns = readers.map(({ name }): Column => ({ reader: name, residual: 0, byRegression: {}, bySamples: {} }))
  measureBatches(readers, batches, amount === 'full' ? 31 : 1, columns)
  measureSamples(readers, amount === 'full' ? 101 : 1, columns)
  print(columns, batches)
  return { figures: [], details: columns }
}

async function readersOf(prefix: string, folder?: string): Promise<Reader[]> {
  const { parse, toHtml } = await loadLibrary(folder)
  return [
    {
      name: `${prefix}toHtml`,
      read: (message) => {
        const html = toHtml(message)
        // The last character: the engine first puts the pieces of the string together.
        return html.charCodeAt(html.length - 1)
      },
    },
    { name: `${prefix}parse`, read: (message) => parse(message).children.length },
  ]
}

/** Neither shorter, for the clock, nor much longer, so that batches differ, in characters. */
const batchLength = 5_000

async function makeBatches(amount: Amount): Promise<Batch[]> {
  const { parse, toHtml } = await loadLibrary()
  const batches: Batch[] = []
  for (const name of corpusNames) {
    const counted = makeCorpus(name, amount === 'full' ? 1 : 0.03).messages.map((message) => {
      const counts = countConstructs(message, parse(message), toHtml(message))
      return { message, counts, key: keyOf(counts) }
    })
    counted.sort((left, right) => (left.key < right.key ? -1 : Number(left.key > right.key)))
    let batch: Batch | undefined
    for (const { message, counts } of counted) {
      if (batch === undefined || (batch.totals.get('character') ?? 0) >= batchLength) {
        batch = { messages: [], totals: new Map() }
        batches.push(batch)
      }
      batch.messages.push(message)
      for (const [each, count] of counts) batch.totals.set(each, (batch.totals.get(each) ?? 0) + count)
    }
  }
  return batches
}

/** Sorts messages by what they hold, those that hold the same by their length. */
function keyOf(counts: Counts): string {
  // The length is named early, so that in reverse it decides last.
  return constructNames
    .map((name) => String(counts.get(name) ?? 0).padStart(5, '0'))
    .reverse()
    .join()
}

function measureBatches(
  readers: readonly Reader[],
  batches: readonly Batch[],
  rounds: number,
  columns: Column[],
): void {
  const tasks = readers.flatMap(({ read }) =>
    batches.map(
      ({ messages }) =>
        () =>
          readAll(read, messages),
    ),
  )
  for (let round = 0; round < 4; round += 1) for (const task of tasks) task()
  const times = interleave(tasks, rounds, () => {}).map((taken) => spreadOf(taken.map(({ wall }) => wall * 1e6)).median)
  const counts = batches.map(({ totals }) => constructNames.map((name) => totals.get(name) ?? 0))
  for (const [index, column] of columns.entries()) {
    const own = times.slice(index * batches.length, (index + 1) * batches.length)
    const { estimates, residual } = leastSquares(counts, own)
    column.residual = residual
    for (const [place, name] of constructNames.entries()) column.byRegression[name] = at(estimates, place)
  }
}

/** So many messages with the same number of a construct, read so many times in a row. */
const sampleCount = 20
const repeats = 5

function measureSamples(readers: readonly Reader[], rounds: number, columns: Column[]): void {
  const random = createRandom(6)
  const sets = constructNames.flatMap((name) => {
    const sample = samples[name]
    if (sample === null) return []
    const make = (count: number) => Array.from({ length: sampleCount }, () => sample.make(count, random)).flat()
    return [{ name, step: sample.step, byCount: Array.from({ length: countMax }, (_, index) => make(index + 1)) }]
  })
  const tasks = readers.flatMap(({ read }) =>
    sets.flatMap(({ byCount }) =>
      byCount.map((messages) => () => {
        for (let repeat = 0; repeat < repeats; repeat += 1) readAll(read, messages)
      }),
    ),
  )
  for (let round = 0; round < rounds / 5; round += 1) for (const task of tasks) task()
  const taken = interleave(tasks, rounds, () => {})
  for (const [index, column] of columns.entries()) {
    for (const [place, { name, step }] of sets.entries()) {
      const first = (index * sets.length + place) * countMax
      const slopes = Array.from({ length: rounds }, (_, round) =>
        slopeOf(taken.slice(first, first + countMax).map((row) => at(row, round).wall)),
      )
      column.bySamples[name] = spreadOf(slopes.map((slope) => (slope * 1e6) / (sampleCount * repeats * step)))
    }
  }
}

/** By how much one value is more than the one before it: the slope of the line that fits them best. */
function slopeOf(values: readonly number[]): number {
  const middle = (values.length - 1) / 2
  const weights = values.map((_, index) => index - middle)
  const scale = weights.reduce((sum, weight) => sum + weight * weight, 0)
  return values.reduce((sum, value, index) => sum + at(weights, index) * value, 0) / scale
}

function readAll(read: (message: string) => number, messages: readonly string[]): void {
  let sum = 0
  for (const message of messages) sum += read(message)
  if (!(sum > 0)) throw new Error('nothing came out')
}

function print(columns: readonly Column[], batches: readonly Batch[]): void {
  const total = (name: ConstructName) => batches.reduce((sum, { totals }) => sum + (totals.get(name) ?? 0), 0)
  const text = (value: number) => value.toFixed(Math.abs(value) < 10 ? 1 : 0)
  const fitted = columns.map(({ reader, residual }) => `${reader} ${(100 * residual).toFixed(0)} %`).join(', ')
  printTable(
    `What one more costs, in nanoseconds: by regression (one standard error; batches differ by ${fitted}), by samples`,
    ['construct', 'in the corpora', ...columns.flatMap(({ reader }) => [`${reader}, regression`, 'samples'])],
    constructNames.map((name) => [
      name,
      String(total(name)),
      ...columns.flatMap(({ byRegression, bySamples }) => {
        const estimate = byRegression[name]
        const sampled = bySamples[name]
        return [
          estimate == null ? '–' : `${text(estimate.value)} ± ${text(estimate.error)}`,
          sampled === undefined ? '–' : text(sampled.median),
        ]
      }),
    ]),
  )
}
