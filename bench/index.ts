/**
 * The benchmark: `npm run bench [-- QUESTION …] [--against FOLDER] [--commit COMMIT] [--json FILE]`. `npm run bench:smoke`
 * quickly checks that all of it runs. Prints tables, then one line of JSON, which `--json` writes to a file instead.
 */
import { fork, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { contenderVersions } from './modules.js'
import { type Amount, type Answer, type Figure, isQuestionName, type QuestionName, questionNames } from './question.js'
import { printTable } from './table.js'

const engineFlags: Readonly<Record<QuestionName, readonly string[]>> = {
  throughput: ['--expose-gc'],
  last: ['--expose-gc'],
  authoring: ['--expose-gc'],
  streaming: [],
  'cold-import': [],
  size: [],
}

/** The folder of the checkout, above that of the compiled benchmark. */
const top = fileURLToPath(new URL('../..', import.meta.url))

await main()

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: {
      smoke: { type: 'boolean', default: false },
      against: { type: 'string' },
      commit: { type: 'string' },
      json: { type: 'string' },
    },
    allowPositionals: true,
  })
  const amount: Amount = values.smoke ? 'smoke' : 'full'
  const before = values.against === undefined ? null : built(values.against)
  installPeers()
  const answers: Record<string, Answer> = {}
  for (const name of chosen(positionals)) {
    if (name === 'last') answers[name] = await askLast(amount, values.commit ?? lastRelease() ?? 'HEAD')
    else answers[name] = await ask(name, amount, before)
  }
  const figures = Object.values(answers).flatMap((answer) => answer.figures)
  if (amount === 'full' && figures.length > 0) printFigures(figures)
  const json = JSON.stringify({ amount, machine: machine(), contenders: contenderVersions(), figures, answers })
  if (values.json === undefined) console.log(`\n${json}`)
  else writeFileSync(values.json, `${json}\n`)
}

/** Returns the folder of another checkout of this package, which must be built. */
function built(folder: string): string {
  const place = resolve(folder)
  if (existsSync(join(place, 'dist', 'index.js'))) return place
  throw new Error(`--against: expected a checkout that is built, received ${folder}; run npm ci && npm run build there`)
}

/** Returns the tag of the last release; null if nothing was released. */
function lastRelease(): string | null {
  const { status, stdout } = spawnSync('git', ['describe', '--tags', '--abbrev=0'], { cwd: top, encoding: 'utf8' })
  return status === 0 ? stdout.trim() : null
}

/** Asks `last`: builds a commit in a temporary folder, with its own build and the packages that are installed here. */
async function askLast(amount: Amount, commit: string): Promise<Answer> {
  const folder = mkdtempSync(join(tmpdir(), 'blockmark-last-'))
  try {
    run('git', ['-C', top, 'archive', '--output', join(folder, 'source.tar'), commit])
    run('tar', ['-xf', 'source.tar'], folder)
    symlinkSync(join(top, 'node_modules'), join(folder, 'node_modules'), 'junction')
    run(process.execPath, ['.ci/build.js'], folder)
    return await ask('last', amount, folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function run(program: string, parameters: readonly string[], cwd: string = top): void {
  const { status } = spawnSync(program, parameters, { cwd, stdio: ['ignore', 2, 2] })
  if (status !== 0) throw new Error(`${program} ${parameters.join(' ')} failed`)
}

/** Installs the contenders, unless exactly these versions are installed. */
function installPeers(): void {
  const folder = new URL('..', import.meta.url)
  const isInstalled = Object.entries(contenderVersions()).every(([name, version]) => {
    const manifest = new URL(`node_modules/${name}/package.json`, folder)
    return existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).version === version
  })
  if (isInstalled) return
  const command = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  const { status } = spawnSync('npm', command, {
    cwd: folder,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  })
  if (status !== 0) throw new Error('the contenders in bench/package.json could not be installed')
}

/** Returns the questions that the command line names; all if it names none. */
function chosen(names: readonly string[]): readonly QuestionName[] {
  for (const name of names)
    if (!isQuestionName(name)) throw new Error(`expected one of ${questionNames.join(', ')}, received ${name}`)
  return names.length === 0 ? questionNames : questionNames.filter((name) => names.includes(name))
}

/** Runs a question in a new process, so that it does not inherit another's heap or compiled code. */
function ask(name: QuestionName, amount: Amount, before: string | null): Promise<Answer> {
  const program = fileURLToPath(new URL('run-question.js', import.meta.url))
  const child = fork(program, [name, amount, ...(before === null ? [] : [before])], {
    execArgv: [...engineFlags[name]],
  })
  return new Promise((resolve, reject) => {
    let answer: Answer | undefined
    child.on('message', (message: Answer) => {
      answer = message
    })
    child.on('error', reject)
    child.on('exit', (code) => {
      if (code === 0 && answer !== undefined) resolve(answer)
      else reject(new Error(`${name} failed with exit code ${code}`))
    })
  })
}

function printFigures(figures: readonly Figure[]): void {
  const rows = figures.map(({ name, reached, byBestSamples, atLeast, atMost, unit }) => {
    const isReached =
      reached >= (atLeast ?? Number.NEGATIVE_INFINITY) && reached <= (atMost ?? Number.POSITIVE_INFINITY)
    const bound = atLeast === undefined ? `at most ${atMost}` : `at least ${atLeast}`
    return [
      name,
      bound,
      text(reached),
      byBestSamples === undefined ? '' : text(byBestSamples),
      unit,
      isReached ? 'yes' : 'NO',
    ]
  })
  printTable('Figures', ['figure', 'to reach', 'median', 'best samples', 'unit', 'reached'], rows)
}

function text(value: number): string {
  return String(Number(value.toPrecision(4)))
}

function machine(): Record<string, string | number> {
  const processors = cpus()
  return {
    date: new Date().toISOString().slice(0, 10),
    node: process.version,
    engine: process.versions.v8,
    platform: `${process.platform} ${process.arch}`,
    processor: processors[0]?.model ?? 'unknown',
    processors: processors.length,
  }
}
