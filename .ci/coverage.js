/**
 * Which branches of `src` no test takes: `npm run coverage`, and `npm run coverage -- --again` for what was measured last.
 * The tests of the source run, properties in their short form. What they leave stands in `test/branches-left.json` with its
 * reason, or is listed here as what still wants a test or a reason; what is taken may not stand there, and the share may not
 * fall.
 */

import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { mergeScriptCovs } from '@bcoe/v8-coverage'
import { convert } from 'ast-v8-to-istanbul'
import { parseSync } from 'oxc-parser'
import { nodesOf } from './nodes.js'

const top = fileURLToPath(new URL('..', import.meta.url))
const folder = join(top, 'node_modules', '.cache', 'coverage')
/** What V8 counted in processes that the tests started, which run programs built of `src`. */
const processes = join(folder, 'processes')
/** Those programs, as `test/api/support/cli.ts` builds them; they stay, for `--again`. */
const programs = join(top, 'node_modules', '.blockmark-test')
/** Of all branches that are measured, in percent: what they were when this was last looked at. The aim is 99. */
const SHARE_MIN = 99

const isTested = process.argv.includes('--again') || runTests()

/**
 * `elsewhere`: folders that these tests do not run in their own process, and where they are tested. `reasons`: why a
 * branch may be left. `left`: by file, the code that a branch begins with, and the name of its reason.
 */
const { elsewhere, reasons, left } = JSON.parse(readFileSync(join(top, 'test', 'branches-left.json'), 'utf8'))

const takenThere = await takenInProcesses()
const measured = Object.values(JSON.parse(readFileSync(join(folder, 'coverage-final.json'), 'utf8')))
  .map((file) => ({ ...file, path: relative(top, file.path) }))
  .filter(({ path }) => !Object.keys(elsewhere).some((place) => path.startsWith(place)))
  .sort((one, other) => one.path.localeCompare(other.path))
const branches = measured.flatMap(branchesOf)
const counted = branches.filter(({ isForCompiler }) => !isForCompiler)
const missed = counted.filter(({ count }) => count === 0)
const named = Object.entries(left).flatMap(([path, codes]) => Object.keys(codes).map((code) => `${path}: ${code}`))
const isNamed = ({ path, code }) => named.includes(`${path}: ${code}`)
const unnamed = missed.filter((branch) => !isNamed(branch))
const stale = named.filter((name) => !missed.some(({ path, code }) => `${path}: ${code}` === name))
const unknown = Object.values(left).flatMap((codes) => Object.values(codes).filter((reason) => !(reason in reasons)))
const share = (100 * (counted.length - missed.length)) / counted.length

for (const [place, reason] of Object.entries(elsewhere)) console.log(`not measured: ${place}: ${reason}`)
for (const { path, line, code } of unnamed) console.log(`no test takes ${path}:${line}: ${code}`)
for (const name of stale) console.log(`taken or gone, but named: ${name}`)
for (const reason of unknown) console.log(`no reason: ${reason}`)
console.log(`${branches.length - counted.length} constants that only the compiler asks for are not counted`)
console.log(
  `${share.toFixed(2)} % of ${counted.length} branches are taken; ${missed.length} are left, ${unnamed.length} of them without a reason`,
)
const isRight = isTested && share >= SHARE_MIN && stale.length + unknown.length === 0
process.exitCode = isRight ? 0 : 1

/** Whether all tests pass; what they took is known even if one does not. */
function runTests() {
  // In a process that many files share V8 has forgotten some of what the first ones ran.
  const words = ['vitest', 'run', '--config', 'test/vitest.config.ts', '--maxWorkers', '1', '--isolate']
  words.push('--project', 'library', '--project', 'service', '--testTimeout', '300000')
  words.push('--coverage.enabled', '--coverage.provider=v8', '--coverage.include=src/**/*.ts')
  words.push('--coverage.reportOnFailure', '--coverage.reporter=json', `--coverage.reportsDirectory=${folder}`)
  for (const old of [processes, programs]) rmSync(old, { recursive: true, force: true })
  const env = { CI: 'true', RUNS: '500', SEED: '1', ...process.env, PROCESS_COVERAGE: processes }
  const { status } = spawnSync('npx', words, { cwd: top, stdio: 'inherit', env })
  return status === 0
}

/** The branches that were taken in processes: where they begin, by file. */
async function takenInProcesses() {
  if (!existsSync(processes)) return new Set()
  const scripts = new Map()
  for (const name of readdirSync(processes)) {
    const { result } = JSON.parse(readFileSync(join(processes, name), 'utf8'))
    for (const script of result) {
      if (!existsSync(mapOf(script.url))) continue
      scripts.set(script.url, [...(scripts.get(script.url) ?? []), script])
    }
  }
  const taken = new Set()
  for (const [url, counts] of scripts) {
    const code = readFileSync(fileURLToPath(url), 'utf8')
    const { program } = parseSync('code.js', code)
    const sourceMap = JSON.parse(readFileSync(mapOf(url), 'utf8'))
    const coverage = mergeScriptCovs(counts)
    for (const file of Object.values(await convert({ ast: program, code, wrapperLength: 0, coverage, sourceMap }))) {
      const path = relative(top, file.path)
      if (!path.startsWith('src/')) continue
      const starts = lineStartsOf(readFileSync(file.path, 'utf8'))
      for (const [id, { loc, locations }] of Object.entries(file.branchMap)) {
        for (const [index, location] of locations.entries()) {
          if (file.b[id][index] > 0) taken.add(keyOf(path, startOf(location, loc, starts)))
        }
      }
    }
  }
  return taken
}

function mapOf(url) {
  return url.startsWith('file:') ? `${fileURLToPath(url)}.map` : ''
}

function lineStartsOf(text) {
  return [0, ...Array.from(text.matchAll(/\n/g), ({ index }) => index + 1)]
}

/** Where a branch begins: an `if` without an `else` has one without a place of its own. */
function startOf({ start }, loc, lineStarts) {
  const isElse = start.line === undefined
  const { line, column } = isElse ? loc.start : start
  return { line, start: (lineStarts[line - 1] ?? 0) + column, isElse }
}

function keyOf(path, { start, isElse }) {
  return `${path} ${isElse ? 'else ' : ''}${start}`
}

/** The branches of a file: where each begins, and how often it was taken. */
function branchesOf({ path, branchMap, b }) {
  const text = readFileSync(join(top, path), 'utf8')
  const lineStarts = lineStartsOf(text)
  const constants = constantsOf(path, text)
  return Object.entries(branchMap).flatMap(([id, { loc, locations }]) =>
    locations.map((location, index) => {
      const { line, start, isElse } = startOf(location, loc, lineStarts)
      const code = `${isElse ? 'else of ' : ''}${text.slice(start).replace(/\s+/g, ' ').slice(0, 60).trim()}`
      const count = b[id][index] + (takenThere.has(keyOf(path, { start, isElse })) ? 1 : 0)
      return { path, line, code, count, isForCompiler: constants.has(start) }
    }),
  )
}

/**
 * What stands for the compiler alone: a constant behind `??`, where an index or an optional field is asked that is always
 * there, and the end of a `switch` that has every case. With all indexes unchecked it would not be there.
 */
function constantsOf(path, text) {
  const { program } = parseSync(path, text, { lang: 'ts' })
  const starts = new Set()
  for (const node of nodesOf(program)) {
    if (node.type === 'LogicalExpression' && node.operator === '??' && isConstant(node.right) && isIndex(node.left)) {
      starts.add(node.right.start)
    }
    const isLast = node.type === 'SwitchCase' && node.test === null
    if (isLast && /^default:\s+(?:return )?unreachable\(/.test(text.slice(node.start, node.end))) starts.add(node.start)
  }
  return starts
}

function isConstant({ type, name, elements, properties, expressions }) {
  if (type === 'Identifier') return name === 'undefined' || /^[A-Z_]+$/.test(name)
  return type === 'Literal' || type === 'UnaryExpression' || (elements ?? properties ?? expressions)?.length === 0
}

/** Whether it is `a[b]`, `a.at(b)`, a character of a text, or a chain with `?.`. */
function isIndex({ type, computed, expression, callee, right }) {
  if (type === 'ParenthesizedExpression') return isIndex(expression)
  if (type === 'LogicalExpression') return isIndex(right)
  if (type === 'CallExpression') return ['at', 'codePointAt'].includes(callee.property?.name)
  return type === 'ChainExpression' || (type === 'MemberExpression' && computed)
}
