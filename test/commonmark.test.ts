/**
 * `fixtures/commonmark/` against the whole CommonMark specification: every example in scope is present and unchanged, and the
 * statements of its README are true. `fixtures.test.ts` checks the dialect's HTML of the examples.
 */

import { describe, expect, test } from 'vitest'
import { toHtml } from '../src/index.js'
import { isInScope } from './commonmark/scope.js'
import { specExamples } from './commonmark/spec.js'
import { type Example, readChapters, toLines } from './fixtures/chapter.js'

const same = examplesOf('commonmark/examples')
const different = examplesOf('commonmark/differences')

test('every example in scope is in one of the two chapters, and no other', () => {
  const inScope = specExamples.filter(({ markdown }) => isInScope(`${markdown}\n`)).map(({ number }) => number)
  const numbers = [...same.keys(), ...different.keys()]
  expect(numbers.toSorted((a, b) => a - b)).toEqual(inScope)
})

test('no example outside of the scope has the same HTML here', () => {
  const others = specExamples.filter(({ number }) => !same.has(number))
  expect(others.filter(({ markdown, html }) => toHtml(markdown) === html)).toEqual([])
})

describe('examples that hold', () => {
  for (const [number, { blocks, parts }] of same) {
    test(`commonmark-${number}`, () => {
      const spec = specExample(number)
      expect(blocks).toEqual([spec.markdown])
      expect(parts.map(({ name, lines }) => ({ name, lines }))).toEqual([{ name: 'html', lines: toLines(spec.html) }])
    })
  }
})

describe('examples that differ', () => {
  for (const [number, { blocks, parts }] of different) {
    test(`commonmark-${number}`, () => {
      const spec = specExample(number)
      expect(blocks).toEqual([spec.markdown])
      expect(parts[0]?.lines).not.toEqual(toLines(spec.html))
    })
  }
})

function specExample(number: number): (typeof specExamples)[number] {
  const found = specExamples.find((example) => example.number === number)
  if (found === undefined) throw new Error(`the specification has no example ${number}`)
  return found
}

/** The examples of a chapter by their numbers. */
function examplesOf(chapter: string): Map<number, Example> {
  const examples = readChapters().flatMap((each) => each.examples)
  return new Map(
    examples
      .filter((example) => example.chapter === chapter)
      .map((example) => [Number(/^commonmark-(\d+)$/.exec(example.name)?.[1]), example]),
  )
}
