/**
 * How many milliseconds does the first import take, more than that of an empty file? Each import has a fresh process;
 * the packages take turns.
 */
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { libraryUrl } from './contenders.js'
import type { Amount, Answer } from './question.js'
import { at, interleave, type Sample, type Spread, spreadOf } from './statistics.js'
import { printTable } from './table.js'

const subjects: readonly (readonly [name: string, module: string])[] = [
  ['an empty file', './empty.js'],
  ['blockmark', libraryUrl.href],
  ['marked', 'marked'],
  ['markdown-it', 'markdown-it'],
  ['commonmark', 'commonmark'],
  ['micromark', 'micromark'],
  ['snarkdown', 'snarkdown'],
  ['md4w', 'md4w'],
  ['message-parser', '@rocket.chat/message-parser'],
  ['mdast-util-from-markdown', 'mdast-util-from-markdown'],
]

interface Row {
  name: string
  /** The import alone, as the process itself sees it: by the clock, and the processor time. */
  wall: Spread
  cpu: Spread
  /** The process from its start to its end, by the clock. */
  process: Spread
}

export async function coldImport(amount: Amount): Promise<Answer> {
  const rounds = amount === 'full' ? 60 : 2
  const program = fileURLToPath(new URL('import-one.js', import.meta.url))
  const importing = subjects.map((): Sample[] => [])
  const tasks = subjects.map(([, module], index) => () => {
    at(importing, index).push(JSON.parse(execFileSync(process.execPath, [program, module], { encoding: 'utf8' })))
  })
  const processes = interleave(tasks, rounds, () => {})
  const rows = subjects.map(([name], index): Row => {
    const samples = at(importing, index)
    return {
      name,
      wall: spreadOf(samples.map((sample) => sample.wall)),
      cpu: spreadOf(samples.map((sample) => sample.cpu)),
      process: spreadOf(at(processes, index).map((sample) => sample.wall)),
    }
  })
  print(rows)
  const [empty, own] = [at(rows, 0), at(rows, 1)]
  const name = 'import, more than an empty file'
  const reached = own.wall.median - empty.wall.median
  return {
    figures: [{ name, reached, byBestSamples: own.wall.min - empty.wall.min, atMost: 2, unit: 'ms' }],
    details: rows,
  }
}

function print(rows: readonly Row[]): void {
  const empty = at(rows, 0)
  printTable(
    'Cold import, in milliseconds: median of fresh processes (quartiles), and how much more than an empty file',
    ['module', 'import', 'more', 'processor time', 'more', 'whole process', 'more'],
    rows.map((row) => [
      row.name,
      ...[text(row.wall), more(row.wall, empty.wall)],
      ...[text(row.cpu), more(row.cpu, empty.cpu)],
      ...[text(row.process), more(row.process, empty.process)],
    ]),
  )
}

function text({ median, quartiles: [first, third] }: Spread): string {
  return `${median.toFixed(1)} (${first.toFixed(1)}–${third.toFixed(1)})`
}

function more(spread: Spread, empty: Spread): string {
  return (spread.median - empty.median).toFixed(1)
}
