/** Many tests rely on `checkPositions`: it must report wrong positions. */

import { expect, test } from 'vitest'
import { parse, type Root } from '../src/index.js'
import { checkPositions } from './positions.js'

const source = '# a *b*\n\nc \\_ [d](https://e.f)\r\ng\n'

test('positions of a parsed tree hold', () => {
  checkPositions(source, parse(source))
})

test('reads the whole of a long text, with correct positions', () => {
  const part = 'a *b* `c` [d](https://e.f) <@7|g> https://h.i/(j) \\*'
  for (const between of ['\n', '\n\n', '\n* ', ' ']) {
    const long = Array(3_000).fill(part).join(between)
    const tree = parse(long)
    checkPositions(long, tree)
    expect(JSON.stringify(tree).match(/"type":"emphasis"/g)).toHaveLength(3_000)
  }
  const open = '[ *a **b _c -d '.repeat(3_000)
  expect(parse(open)).toMatchObject({ children: [{ children: [{ type: 'text', value: open.trimEnd() }] }] })
})

test('positions without positions do not hold', () => {
  expect(() => checkPositions(source, parse(source, { position: false }))).toThrow('root has no position')
})

test('no point of a tree can be moved without being noticed', () => {
  const count = pointsOf(parse(source)).length
  expect(count).toBeGreaterThan(20)
  for (let i = 0; i < count; i += 1) {
    for (const step of [-1, 1]) {
      const tree = parse(source)
      const point = pointsOf(tree)[i]
      if (point === undefined) throw new Error('a tree has as many points each time it is parsed')
      point.offset += step
      point.column += step
      expect(() => checkPositions(source, tree), `point ${i} moved by ${step}`).toThrow()
    }
  }
})

test('no line and no column can be wrong without being noticed', () => {
  for (const field of ['line', 'column'] as const) {
    for (let i = 0; i < pointsOf(parse(source)).length; i += 1) {
      const tree = parse(source)
      const point = pointsOf(tree)[i]
      if (point !== undefined) point[field] += 1
      expect(() => checkPositions(source, tree), `${field} of point ${i}`).toThrow()
    }
  }
})

function pointsOf(tree: Root): { line: number; column: number; offset: number }[] {
  const points: { line: number; column: number; offset: number }[] = []
  JSON.stringify(tree, (key, value) => {
    if (key === 'start' || key === 'end') points.push(value)
    return value
  })
  return points
}
