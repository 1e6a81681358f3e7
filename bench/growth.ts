/**
 * How much longer does twice the input take? Measured with the fifty worst inputs found, from 2 KiB to 1 MiB; linear work
 * gives 2. The young generation is large enough for all garbage: otherwise the collector's share would grow.
 */
import { readFileSync } from 'node:fs'
import { loadLibrary } from './modules.js'
import type { Amount, Answer } from './question.js'
import { at, interleave, spreadOf } from './statistics.js'
import { printTable } from './table.js'
import { buildInput, type WorstCase } from './worst-case.js'

/** Minimum number of characters in a sample. Small inputs are read several times, so the clock can tell them apart. */
const sampleLength = 64 * 1024

interface Row extends WorstCase {
  output: string
  /** Megabytes a second of the largest input, by the median sample. */
  nanosecondsPerCharacter: number
  /** t(2n)/t(n) for each n, by the medians of the samples' processor time. */
  ratios: number[]
  median: number
  max: number
}

export async function growth(amount: Amount): Promise<Answer> {
  const { parse, toHtml } = await loadLibrary()
  const file = new URL('../worst-cases.json', import.meta.url)
  const worstCases: WorstCase[] = JSON.parse(readFileSync(file, 'utf8'))
  const cases = amount === 'full' ? worstCases : worstCases.slice(0, 5)
  const lengths = amount === 'full' ? doublings(2 * 1024, 1024 * 1024) : doublings(2 * 1024, 16 * 1024)
  const outputs: [name: string, run: (input: string) => unknown][] = [
    ['toHtml(string)', (input) => toHtml(input)],
    ['toHtml(parse(string))', (input) => toHtml(parse(input))],
  ]
  const rows = cases.flatMap((worstCase) =>
    outputs.map(([output, run]): Row => ({ ...worstCase, output, ...measure(worstCase, lengths, run, amount) })),
  )
  rows.sort((left, right) => right.median - left.median)
  print(rows, lengths)
  return { figures: figuresOf(rows, lengths), details: { lengths, rows } }
}

function doublings(from: number, to: number): number[] {
  return from > to ? [] : [from, ...doublings(from * 2, to)]
}

function measure(
  worstCase: WorstCase,
  lengths: readonly number[],
  run: (input: string) => unknown,
  amount: Amount,
): Pick<Row, 'nanosecondsPerCharacter' | 'ratios' | 'median' | 'max'> {
  const inputs = lengths.map((length) => buildInput(worstCase, length))
  const repeats = lengths.map((length) => Math.max(1, sampleLength / length))
  const tasks = inputs.map((input, index) => () => {
    for (let count = at(repeats, index); count > 0; count -= 1) run(input)
  })
  for (const task of tasks) task()
  const samples = interleave(tasks, amount === 'full' ? 5 : 1, () => globalThis.gc?.({ type: 'minor' }))
  const times = samples.map((row, index) => spreadOf(row.map((sample) => sample.cpu)).median / at(repeats, index))
  const ratios = times.slice(1).map((time, index) => time / at(times, index))
  const { median, max } = spreadOf(ratios)
  return {
    nanosecondsPerCharacter: (at(times, times.length - 1) * 1e6) / at(lengths, lengths.length - 1),
    ratios,
    median,
    max,
  }
}

function print(rows: readonly Row[], lengths: readonly number[]): void {
  printTable(
    `Growth, from ${at(lengths, 0)} characters to ${at(lengths, lengths.length - 1)}: t(2n)/t(n)`,
    ['input', 'output', 'median', 'max', 'ns a character'],
    rows.map((row) => [
      JSON.stringify([row.before, row.unit, row.closer, row.after]),
      row.output,
      row.median.toFixed(2),
      row.max.toFixed(2),
      row.nanosecondsPerCharacter.toFixed(1),
    ]),
  )
}

function figuresOf(rows: readonly Row[], lengths: readonly number[]): Answer['figures'] {
  const worst = Math.max(...rows.map((row) => row.median))
  const steepest = lengths.slice(1).map((_, index) => spreadOf(rows.map((row) => at(row.ratios, index))).median)
  return [
    { name: 't(2n)/t(n), the worst input’s median', reached: worst, atMost: 2.5, unit: '×' },
    { name: 't(2n)/t(n), the worst doubling’s median', reached: Math.max(...steepest), atMost: 2.5, unit: '×' },
  ]
}
