/**
 * `npm run mutants -- FOLDER [--sample N] [--seed S] [--again]`: changes the code of `src/FOLDER` in one place after the
 * other, and says which changes none of the project's tests sees. `--again` looks only at those that lived the last time.
 */

import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { seededRandom } from '../reference/generate.js'
import { type Bundle, bundleOf } from './bundle.js'
import { folders, without } from './folders.js'
import { findMutants, type Mutant } from './mutate.js'
import { type Outcome, type Result, Tests } from './tests.js'

/** Mutants that behave as the original does, by file. */
type Equals = Readonly<Record<string, readonly { was: string; is: string; why: string }[]>>

type Fate = 'killed' | 'lived' | 'equal' | 'invalid'

interface Told {
  file: string
  line: number
  kind: string
  was: string
  is: string
  fate: Fate
  /** Which test killed it, or why no test was asked. */
  by: string
}

/** After so many modules a thread has too much in its memory. */
const modulesPerThread = 60

const cache = 'node_modules/.cache/mutants'
const equals: Equals = JSON.parse(readFileSync('test/mutants/equal.json', 'utf8'))

/** What is known of the tests of a folder once they have run on the original. */
interface Known {
  names: ReadonlySet<string>
  durations: Map<string, number>
  /** The tests that reach a mutant; none for a mutant that is reached while modules are loaded: every test may see it. */
  reaching: ReadonlyMap<string, readonly string[]>
  loaded: ReadonlySet<string>
}

await main()

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      sample: { type: 'string', default: '0' },
      seed: { type: 'string', default: '1' },
      again: { type: 'boolean', default: false },
    },
  })
  const name = positionals[0] ?? ''
  const folder = folders[name]
  if (folder === undefined) throw new Error(`expected one of ${Object.keys(folders).join(', ')}, received ${name}`)
  const files = [name, ...(folder.with ?? [])].flatMap((each) => sourcesOf(`src/${each}`))
  const report = `${cache}/${name.replace('/', '-')}.json`
  const module = report.replace('.json', '.mjs')
  const { mutants, counting } = await findMutants(files)
  const chosen = values.again ? livedIn(report, mutants) : sampled(mutants, Number(values.sample), Number(values.seed))
  console.log(`${name}: ${chosen.length} of ${mutants.length} mutants, seed ${values.seed}`)
  mkdirSync(cache, { recursive: true })
  const bundle = await bundleOf(folder.tests, module)
  const durations = new Map<string, number>()
  const unwanted = [...without, ...(folder.without ?? [])]
  const tests = new Tests(module, { without: unwanted, runs: folder.runs ?? 200 }, durations)
  try {
    const known = await learn(bundle, tests, counting, durations)
    const told = await tryAll(chosen, { bundle, tests, known })
    const all = values.again ? [...readReport(report).filter(({ fate }) => fate !== 'lived'), ...told] : told
    writeFileSync(report, JSON.stringify(all, null, 1))
    summarize(all)
  } finally {
    await tests.end()
    await bundle.end()
    rmSync(module, { force: true })
  }
}

function sourcesOf(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .flatMap((entry) => {
      const path = `${folder}/${entry.name}`
      return entry.isDirectory() ? sourcesOf(path) : path.endsWith('.ts') ? [path] : []
    })
    .sort()
}

/** So many mutants, every one as likely as the others; all for 0. They stay in the order of their files. */
function sampled(mutants: readonly Mutant[], count: number, seed: number): readonly Mutant[] {
  if (count === 0) return mutants
  const random = seededRandom(seed)
  const drawn = mutants.map((mutant) => ({ mutant, key: random() })).sort((one, other) => one.key - other.key)
  const chosen = new Set(drawn.slice(0, count).map(({ mutant }) => mutant))
  return mutants.filter((mutant) => chosen.has(mutant))
}

function livedIn(report: string, mutants: readonly Mutant[]): Mutant[] {
  const lived = new Set(
    readReport(report)
      .filter(({ fate }) => fate === 'lived')
      .map(keyOf),
  )
  return mutants.filter((mutant) => lived.has(keyOf(mutant)))
}

function readReport(report: string): Told[] {
  return JSON.parse(readFileSync(report, 'utf8'))
}

function keyOf({ file, was, is }: Pick<Mutant, 'file' | 'was' | 'is'>): string {
  return JSON.stringify([file, was, is])
}

/** Runs all tests on the original, and once more, backwards, to see which mutants each of them reaches. */
async function learn(
  bundle: Bundle,
  tests: Tests,
  counting: ReadonlyMap<string, string>,
  durations: Map<string, number>,
): Promise<Known> {
  const all = { tests: null, known: new Set<string>(), bails: false }
  await bundle.write(new Map())
  const first = passed(await tests.run(all))
  await bundle.write(counting)
  // A test that needs another one before it would kill mutants that it does not see.
  const { coverage } = passed(await tests.run({ ...all, isReversed: true }))
  await tests.end()
  for (const [name, duration] of Object.entries(first.durations)) durations.set(name, duration)
  const total = [...durations.values()].reduce((sum, each) => sum + each, 0)
  console.log(`${durations.size} tests pass, in ${(total / 1000).toFixed(1)} s`)
  const slowest = [...durations].sort(([, one], [, other]) => other - one).slice(0, 8)
  for (const [name, duration] of slowest) console.log(`  ${(duration / 1000).toFixed(1)} s ${name}`)
  const reaching = new Map<string, string[]>()
  for (const [name, counts] of Object.entries(coverage?.perTest ?? {}))
    for (const id of Object.keys(counts)) reaching.set(id, [...(reaching.get(id) ?? []), name])
  return { names: new Set(durations.keys()), durations, reaching, loaded: new Set(Object.keys(coverage?.static ?? {})) }
}

function passed(result: Result): Outcome {
  if ('ended' in result) throw new Error(`the original: ${result.ended}`)
  const [failure] = result.failures
  if (failure !== undefined) throw new Error(`the original: ${failure.name}: ${failure.message}`)
  return result
}

interface Trying {
  bundle: Bundle
  tests: Tests
  known: Known
}

async function tryAll(mutants: readonly Mutant[], trying: Trying): Promise<Told[]> {
  const { bundle, tests, known } = trying
  const told: Told[] = []
  /** How many mutants of a file each test has killed: the next one of this file is for it first. */
  let kills = new Map<string, number>()
  let file = ''
  let killers = new Set<string>()
  let modules = 0
  const begin = Date.now()
  for (const mutant of mutants) {
    if (mutant.file !== file) kills = new Map()
    file = mutant.file
    const { fate, by } = await tryOne(mutant, trying, kills)
    const { line, kind, was, is } = mutant
    told.push({ file, line, kind, was, is, fate, by })
    if (fate === 'lived') console.log(`\n${file}:${line} ${kind} (${by})\n  - ${was}\n  + ${is}`)
    if (fate === 'killed' && known.names.has(by)) {
      kills.set(by, (kills.get(by) ?? 0) + 1)
      killers.add(by)
    }
    if (told.length % 50 === 0) {
      const seconds = (Date.now() - begin) / 1000
      console.log(
        `… ${told.length} in ${seconds.toFixed(0)} s, ${told.filter((each) => each.fate === 'lived').length} lived`,
      )
    }
    modules += 1
    if (modules < modulesPerThread && told.length < mutants.length) continue
    // Whoever killed must let the original live, in the same thread and after all that has happened in it.
    await bundle.write(new Map())
    passed(await tests.run({ tests: [...killers], known: known.names, bails: false }))
    await tests.end()
    killers = new Set()
    modules = 0
  }
  return told
}

async function tryOne(
  mutant: Mutant,
  trying: Trying,
  kills: ReadonlyMap<string, number>,
): Promise<{ fate: Fate; by: string }> {
  const { bundle, tests, known } = trying
  const equal = equals[mutant.file]?.find(({ was, is }) => was === mutant.was && is === mutant.is)
  if (equal !== undefined) return { fate: 'equal', by: equal.why }
  const reaching = known.loaded.has(mutant.id) ? [...known.names] : (known.reaching.get(mutant.id) ?? [])
  if (reaching.length === 0) return { fate: 'lived', by: 'no test gets there' }
  try {
    await bundle.write(new Map([[mutant.file, mutant.source]]))
  } catch (error) {
    return { fate: 'invalid', by: String(error).slice(0, 200) }
  }
  const priceOf = (name: string) => (known.durations.get(name) ?? 0) / (1 + 20 * (kills.get(name) ?? 0))
  const order = {
    tests: [...reaching].sort((one, other) => priceOf(one) - priceOf(other)),
    known: known.names,
    bails: true,
  }
  const wasFresh = tests.isFresh
  let result = await tests.run(order)
  // What was left behind by the mutant before must not end this one.
  if ('ended' in result && !wasFresh) result = await tests.run(order)
  if ('ended' in result) return { fate: 'killed', by: result.ended }
  const [failure] = result.failures
  return failure === undefined
    ? { fate: 'lived', by: `${reaching.length} tests` }
    : { fate: 'killed', by: failure.name }
}

function summarize(told: readonly Told[]): void {
  const files = [...new Set(told.map(({ file }) => file))].sort()
  for (const file of [...files, '']) {
    const own = told.filter((each) => file === '' || each.file === file)
    const count = (fate: Fate) => own.filter((each) => each.fate === fate).length
    const score = (100 * count('killed')) / Math.max(count('killed') + count('lived'), 1)
    const rest = `${count('lived')} lived, ${count('equal')} equal, ${count('invalid')} invalid`
    console.log(
      `${score.toFixed(1).padStart(6)} %  ${file === '' ? 'in all' : file}: ${count('killed')} killed, ${rest}`,
    )
  }
}
