/** What the benchmark computes: costs from sums, counts of constructs, samples that differ by one construct alone. */
import { describe, expect, test } from 'vitest'
import { type ConstructName, constructNames, countConstructs } from '../bench/construct-counts.js'
import { countMax, samples } from '../bench/construct-samples.js'
import { leastSquares } from '../bench/least-squares.js'
import { createRandom } from '../bench/random.js'
import { parse, toHtml } from '../src/index.js'

describe('least squares', () => {
  const counts = Array.from({ length: 40 }, (_, row) => [1, row % 7, (row * row) % 11])

  test('find the costs that times were made of', () => {
    const times = counts.map(([a = 0, b = 0, c = 0]) => 50 * a + 3 * b + 0.25 * c)
    const { estimates, residual } = leastSquares(counts, times)
    expect(estimates.map((estimate) => estimate?.value)).toEqual([50, 3, 0.25].map((cost) => expect.closeTo(cost, 8)))
    expect(residual).toBeCloseTo(0, 8)
  })

  test('say how far a cost may be off, where the times are', () => {
    const times = counts.map(
      ([a = 0, b = 0, c = 0], row) => (50 * a + 3 * b + 0.25 * c) * (row % 2 === 0 ? 1.05 : 0.95),
    )
    for (const [index, cost] of [50, 3, 0.25].entries()) {
      const { value = 0, error = 0 } = leastSquares(counts, times).estimates[index] ?? {}
      expect(error).toBeGreaterThan(0)
      expect(Math.abs(value - cost)).toBeLessThan(3 * error)
    }
  })

  test('give none to what occurs only with another, nor to what does not occur', () => {
    const doubled = counts.map(([a = 0, b = 0]) => [a, b, 2 * b, 0])
    const { estimates } = leastSquares(
      doubled,
      doubled.map(([a = 0, b = 0]) => 50 * a + 3 * b),
    )
    expect(estimates.map((estimate) => estimate?.value)).toEqual([
      expect.closeTo(50, 8),
      expect.closeTo(3, 8),
      undefined,
      undefined,
    ])
  })
})

describe('counts of constructs', () => {
  test('are those of a message', () => {
    const source = [
      '# Ünit',
      '**a** *b* _c_ -d- `e` \\* - & <',
      '<@1|Ann> [f](https://example.com/f) https://example.com/g',
      '* h',
      '* i',
      '',
      'j',
      '```',
      'k',
      '```',
    ].join('\n')
    expect(Object.fromEntries(counted([source]))).toEqual({
      message: 1,
      'message with markup': 1,
      character: source.length,
      'character outside ASCII': 1,
      strong: 1,
      emphasis: 1,
      underline: 1,
      delete: 1,
      'named link': 1,
      'bare url': 1,
      mention: 1,
      'code span': 1,
      item: 2,
      heading: 1,
      'further paragraph': 1,
      break: 1,
      '& or <': 2,
      escape: 1,
      'sign that stays text': 2,
      'line of fenced code': 3,
    })
  })
})

describe('a sample with one more', () => {
  for (const name of constructNames) {
    const sample = samples[name]
    if (sample === null) continue
    test(`has one more of ${name}, and no more of anything else`, () => {
      const made = Array.from({ length: countMax }, (_, index) => counted(sample.make(index + 1, createRandom(index))))
      const [first] = made
      for (const [index, counts] of made.entries()) {
        const expected = new Map(first)
        expected.set(name, (expected.get(name) ?? 0) + index * sample.step)
        expect(Object.fromEntries(counts)).toEqual(Object.fromEntries(expected))
      }
    })
  }
})

/** Of several messages together. */
function counted(messages: readonly string[]): Map<ConstructName, number> {
  const totals = new Map<ConstructName, number>()
  for (const message of messages)
    for (const [name, count] of countConstructs(message, parse(message), toHtml(message)))
      totals.set(name, (totals.get(name) ?? 0) + count)
  return totals
}
