/**
 * How many milliseconds does the first import take, compared with an empty file, and the first call of `toHtml` after it?
 * Each import runs in a new process, and the packages alternate.
 */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { libraryUrl } from './modules.js'
import type { Amount, Answer, Figure } from './question.js'
import { at, interleave, type Sample, type Spread, spreadOf } from './statistics.js'
import { printTable } from './table.js'

const contenders: readonly (readonly [name: string, module: string])[] = [
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
  /** The import alone, measured inside the process: wall-clock time and processor time. */
  wall: Spread
  cpu: Spread
  /** Wall-clock time of the first call of `toHtml`; null if the package has no such function. */
  first: Spread | null
  /** Wall-clock time of the whole process. */
  process: Spread
}

/** The measured entries, and the milliseconds that their import may take in addition to an empty file's. */
const bounds: Readonly<Record<string, number>> = { blockmark: 6.5 }
/** Maximum milliseconds of the first call of `toHtml`. */
const firstCallBound = 2

/**
 * Measures this package and its contenders.
 *
 * @param before - a folder with an older build of this package, which is measured too
 */
export async function coldImport(amount: Amount, before: string | null): Promise<Answer> {
  const rounds = amount === 'full' ? 60 : 2
  const subjects = subjectsWith(before)
  const program = fileURLToPath(new URL('import-one.js', import.meta.url))
  const importing = subjects.map((): (Sample & { first: number | null })[] => [])
  const tasks = subjects.map(([, module], index) => () => {
    at(importing, index).push(JSON.parse(execFileSync(process.execPath, [program, module], { encoding: 'utf8' })))
  })
  const processes = interleave(tasks, rounds, () => {})
  const rows = subjects.map(([name], index): Row => {
    const samples = at(importing, index)
    const first = samples.flatMap((sample) => sample.first ?? [])
    return {
      name,
      wall: spreadOf(samples.map((sample) => sample.wall)),
      cpu: spreadOf(samples.map((sample) => sample.cpu)),
      first: first.length === 0 ? null : spreadOf(first),
      process: spreadOf(at(processes, index).map((sample) => sample.wall)),
    }
  })
  print(rows)
  return { figures: figuresOf(rows), details: rows }
}

function subjectsWith(before: string | null): (readonly [name: string, module: string])[] {
  return [
    ['an empty file', './empty.js'],
    ['blockmark', libraryUrl.href],
    ...(before === null ? [] : [['before', pathToFileURL(join(before, 'dist', 'index.js')).href] as const]),
    ...contenders,
  ]
}

function figuresOf(rows: readonly Row[]): Figure[] {
  const empty = at(rows, 0)
  return rows.flatMap(({ name, wall, first }): Figure[] => {
    const atMost = bounds[name]
    if (atMost === undefined) return []
    const figure: Figure = {
      name: `import of ${name}, more than an empty file`,
      reached: wall.median - empty.wall.median,
      byBestSamples: wall.min - empty.wall.min,
      atMost,
      unit: 'ms',
    }
    if (first === null) return [figure]
    const { median: reached, min: byBestSamples } = first
    return [figure, { name: `first toHtml of ${name}`, reached, byBestSamples, atMost: firstCallBound, unit: 'ms' }]
  })
}

function print(rows: readonly Row[]): void {
  const empty = at(rows, 0)
  printTable(
    'Cold import, in milliseconds: median of fresh processes (quartiles), and how much more than an empty file',
    ['module', 'import', 'more', 'processor time', 'more', 'first toHtml', 'whole process', 'more'],
    rows.map((row) => [
      row.name,
      ...[text(row.wall), more(row.wall, empty.wall)],
      ...[text(row.cpu), more(row.cpu, empty.cpu)],
      row.first === null ? '' : text(row.first),
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
