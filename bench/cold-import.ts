/**
 * How many milliseconds does the first import take, more than that of an empty file, and the first call of `toHtml` after it?
 * Each import has a fresh process; the packages take turns.
 */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { libraryUrl, renderEntry } from './modules.js'
import type { Amount, Answer, Figure } from './question.js'
import { at, interleave, type Sample, type Spread, spreadOf } from './statistics.js'
import { printTable } from './table.js'

const peers: readonly (readonly [name: string, module: string])[] = [
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
  /** The first call of `toHtml`, by the clock; null for who has no such function. */
  first: Spread | null
  /** The process from its start to its end, by the clock. */
  process: Spread
}

/** The entries that are measured, and the milliseconds that an import may take over an empty file. */
const bounds: Readonly<Record<string, number>> = { blockmark: 8, 'blockmark/render': 4 }
/** And the first call of the one that is there to start fast. */
const firstCallBound = 2

/**
 * Answers for this package and its peers.
 *
 * @param before - a folder that holds an older build of this package, which is asked too
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
  const render = renderEntry()
  if (render === null)
    console.log('\nblockmark/render is not measured: package.json exports no such entry that is built')
  return [
    ['an empty file', './empty.js'],
    ['blockmark', libraryUrl.href],
    ...(render === null ? [] : [['blockmark/render', render.href] as const]),
    ...(before === null ? [] : [['before', pathToFileURL(join(before, 'dist', 'index.js')).href] as const]),
    ...peers,
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
    if (first === null || name !== 'blockmark/render') return [figure]
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
