/**
 * Parsing and rendering take time linear in the length of any input (§1). The tests count steps in an instrumented copy of
 * the package (`linear/meter.ts` defines a step), for all short sequences of the dialect's symbols, repeated. `SEED` draws
 * some of them; `LINEAR=all` runs all, in about twenty minutes on two cores, and prints the results.
 */
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse, toHast, toHtml, toText } from '../src/index.js'
import { isLong, partOf } from './amount.js'
import { toVisible } from './fixtures/invisible.js'
import { bundle } from './linear/bundle.js'
import type { Share } from './linear/counting-thread.js'
import { addFindings, examine, type Findings, newFindings, type Outputs } from './linear/examine.js'
import { type Family, type Kind, kindsOf } from './linear/families.js'
import { meter } from './linear/meter.js'
import { expectToBeFast } from './timing.js'

const { LINEAR, SEED } = process.env
const isAll = LINEAR === 'all'
const LENGTH = isLong ? 2 ** 20 : 2 ** 18
const seed = SEED === undefined ? Date.now() % 2 ** 32 : Number(SEED)

describe(`steps grow at most linearly, ${isAll ? 'all' : 'a part'}, SEED=${seed}`, () => {
  const threads: Worker[] = []

  beforeAll(async () => {
    const code = await bundle('counting-thread.ts')
    const count = availableParallelism()
    for (let index = 0; index < count; index += 1) {
      const workerData: Share = { isAll, seed, index, count }
      threads.push(new Worker(code, { eval: true, workerData }))
    }
  })

  afterAll(() => Promise.all(threads.map((thread) => thread.terminate())))

  test.each(kindsOf(seed))('$name, $length characters', async ({ name }) => {
    const [all, ...others] = await Promise.all(threads.map((thread) => ask(thread, name)))
    if (all === undefined) throw new Error('all threads have ended')
    for (const each of others) addFindings(all, each)
    if (isAll) console.log(JSON.stringify({ kind: name, ...all }, null, 1))
    expect(all.failures).toEqual([])
    expect(all.families).toBeGreaterThan(0)
    expect(all.of.every(({ stepsPerCharacter }) => stepsPerCharacter.value > 0)).toBe(true)
  })
})

function ask(thread: Worker, kindName: string): Promise<Findings> {
  return new Promise((resolve, reject) => {
    thread.once('error', reject)
    thread.once('message', (findings: Findings) => {
      thread.off('error', reject)
      resolve(findings)
    })
    thread.postMessage(kindName)
  })
}

describe('the test finds a count that is not linear', () => {
  const family: Family = { before: '', unit: 'a', closer: '', after: '', isGrowing: false }
  const kind: Kind = { name: '', length: 4096, share: 1, families: () => [family] }

  test.each([
    ['steps that grow faster', (length: number) => (meter.steps += length ** 1.05)],
    ['too many steps for each character', (length: number) => (meter.steps += length * 1000)],
    ['too many numbers for each character', (length: number) => (meter.numbers += length * 1000)],
  ])('%s', (_, count) => {
    const outputs: Outputs = [['parse', (source) => count(source.length)]]
    const findings = newFindings(outputs)
    examine(findings, family, kind, outputs)
    expect(findings.failures).toHaveLength(1)
  })
})

describe(`${LENGTH} characters take well under a second`, () => {
  const units = [
    ...['*_', '[', '`', '` `` ``` ', '`a``a```a', '<@', '<@1|', '(', '](', '[a](b:', '\\', '* ', '\n', '#', 'a '],
    ...['\u2063', '\u2063*', '*\u2063', '[\u2063*a]*\u2063'],
  ]
  const inputs: [name: string, input: string][] = [
    ...units.map((unit): [string, string] => [JSON.stringify(toVisible(unit)), unit.repeat(LENGTH / unit.length)]),
    ['backtick runs that get longer', Array.from({ length: 1447 }, (_, length) => '`'.repeat(length)).join(' ')],
    ['"http://a.b/" and then "("', `http://a.b/${'('.repeat(LENGTH)}`],
    ['"http://a.b/((((" again and again', 'http://a.b/(((('.repeat(LENGTH / 15)],
    ['100,000 forced pairs in each other', `${'\u2063*'.repeat(100_000)}a${'*\u2063'.repeat(100_000)}`],
    ['100,000 forced pairs of two kinds', `${'\u2063-\u2063_a'.repeat(50_000)}b${'_\u2063-\u2063'.repeat(50_000)}`],
    ['100,000 forced pairs side by side', '\u2063*a*\u2063 '.repeat(100_000)],
    ['"http://a.b/(((( " again and again', 'http://a.b/(((( '.repeat(LENGTH / 16)],
  ]

  const ordinary = 'some **bold** words, and `code`. '.repeat(2 ** 15)

  test.each(partOf(inputs, 5))('%s', (_, input) => {
    const tree = parse(input)
    const tasks = [() => parse(input), () => toHtml(input), () => toHtml(tree), () => toHast(tree), () => toText(tree)]
    for (const task of tasks) expectToBeFast(task, { milliseconds: 1000, times: 16, ordinary: () => parse(ordinary) })
  })
})
