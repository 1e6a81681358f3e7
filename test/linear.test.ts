/**
 * Parsing and rendering take time linear in the length of any input (§1): four times the input takes at most eight times the time of the
 * input itself, measured at the same moment. Growth with the square would take sixteen times. `SEED` repeats a draw.
 */
import { describe, expect, test } from 'vitest'
import { parse, toHast, toHtml, toText } from '../src/index.js'
import { isLong, partOf } from './amount.js'
import { allFamilies, build, type Family, familyByChance } from './families.js'
import { toVisible } from './fixtures/invisible.js'
import { pick, seededRandom } from './random.js'
import { expectToBeFast } from './timing.js'

const { SEED } = process.env
const seed = SEED === undefined ? Date.now() % 2 ** 32 : Number(SEED)

/** The length at which a quadratic step takes longer than all linear ones. */
const LENGTH = isLong ? 2 ** 20 : 2 ** 18
const COUNT = isLong ? 600 : 10

describe(`four times the input takes at most eight times the time, SEED=${seed}`, () => {
  const random = seededRandom(seed)
  const draw = (make: () => Family): Family[] => Array.from({ length: COUNT }, make)
  const families = [
    ...allFamilies().flatMap((families) => {
      const kind = [...families]
      return draw(() => pick(random, kind))
    }),
    ...draw(() => familyByChance(random)),
  ]

  test.each(families.map((family) => [JSON.stringify(family), family] as const))('%s', (_, family) => {
    const { whole, quarter } = build(family, LENGTH / 4)
    const [treeOfWhole, treeOfQuarter] = [parse(whole), parse(quarter)]
    expectGrowth(
      () => parse(whole),
      () => parse(quarter),
    )
    expectGrowth(
      () => toHtml(whole),
      () => toHtml(quarter),
    )
    expectGrowth(
      () => toHtml(treeOfWhole),
      () => toHtml(treeOfQuarter),
    )
    expectGrowth(
      () => toText(treeOfWhole),
      () => toText(treeOfQuarter),
    )
  })

  test('finds a task that grows faster', () => {
    const square = (length: number) => () => {
      let sum = 0
      for (let at = 0; at < length ** 2; at += 1) sum += at % 7
      return sum
    }
    expect(() => expectGrowth(square(4_000), square(1_000))).toThrow(/multiple of the ordinary time/)
  })
})

/** Expects four times the work to take at most eight times the time, unless it takes too little time to compare. */
function expectGrowth(whole: () => unknown, quarter: () => unknown): void {
  quarter()
  expectToBeFast(whole, { milliseconds: 0.5, times: 8, ordinary: quarter })
}

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
