/**
 * Every example of `fixtures/`: its tree, HTML and text, and the properties of every input. `UPDATE=1` writes the current output
 * instead of comparing; read the diff.
 */

import { toHtml as hastToHtml } from 'hast-util-to-html'
import { afterAll, expect, test } from 'vitest'
import { parse, type RenderOptions, stringify, toHast, toHtml, toText } from '../src/index.js'
import { lint } from '../src/lint/index.js'
import type { Root } from '../src/tree.js'
import {
  type Example,
  type Part,
  type PartName,
  placeOf,
  readChapters,
  toLines,
  writeChapter,
} from './fixtures/chapter.js'
import { pictureOf } from './fixtures/cuts.js'
import { readFamily } from './fixtures/growth.js'
import { printWarnings, readLimits } from './fixtures/lint-lines.js'
import { readResolvers } from './fixtures/resolvers.js'
import { printTrees, readTrees } from './fixtures/tree-lines.js'
import { checkPositions, withoutPositions } from './positions.js'
import { referenceHtml, referenceText } from './reference/render.js'
import { leastTimeOf } from './timing.js'

const { UPDATE } = process.env
const isUpdate = UPDATE !== undefined
const chapters = readChapters()
const examples = chapters.flatMap((chapter) => chapter.examples)

test('every example has a unique name', () => {
  const firsts = new Map<string, Example>()
  const again = examples.flatMap((example) => {
    const first = firsts.get(example.name)
    if (first === undefined) firsts.set(example.name, example)
    return first === undefined ? [] : [`${placeOf(example)}: ${example.name} is also at ${placeOf(first)}`]
  })
  expect(again).toEqual([])
})

for (const example of examples) {
  test(`${example.chapter} › ${example.name}`, () => {
    if (isUpdate) update(example)
    for (const part of example.parts) expect(actualLines(example, part), placeOf(example, part)).toEqual(part.lines)
    at(placeOf(example), () => {
      checkRenderers(example)
      for (const block of example.blocks) checkSource(block)
    })
  })
}

test('stringify returns the input of the examples of §8 without a dialect part', () => {
  const examples8 = examples.filter(({ chapter, parts }) => /^8-/.test(chapter) && !parts.some(isDialect))
  expect(examples8.map(({ blocks }) => blocks.map((block) => stringify(parse(block))))).toEqual(
    examples8.map(({ blocks }) => blocks),
  )
})

function isDialect({ name }: Part): boolean {
  return name === 'dialect'
}

afterAll(() => {
  if (isUpdate) for (const chapter of chapters) writeChapter(chapter)
})

function update(example: Example): void {
  for (const part of example.parts) part.lines = actualLines(example, part)
}

/** Returns the expected content of a part. A part that is not computed is returned unchanged. */
function actualLines(example: Example, part: Part): string[] {
  const { blocks } = example
  const options = optionsOf(example)
  switch (part.name) {
    case 'tree':
      return printTrees(
        blocks.map((block) => parse(block)),
        part.lines,
      )
    case 'html':
      return toLines(toHtml(blocks, options))
    case 'text':
      return toLines(toText(blocks, options))
    case 'dialect':
      return toLines(blocks.map((block) => stringify(parse(block))).join('\n\n'))
    case 'lint':
      return printWarnings(lint(blocks.length === 1 ? (blocks[0] ?? '') : blocks, readLimits(part.argument)))
    case 'bodies':
    case 'blocks':
    case 'preview':
      return pictureOf(part.name, part.argument, blocks)
    case 'growth':
    case 'resolvers':
      return part.lines
  }
}

function optionsOf(example: Example): RenderOptions {
  return readResolvers(partOf(example, 'resolvers')?.lines ?? [])
}

function partOf(example: Example, name: PartName): Part | undefined {
  return example.parts.find((part) => part.name === name)
}

/**
 * Checks that all of these have the same HTML and text: the string, the parsed tree, the tree of the chapter, the hast tree,
 * and the reference renderer of §6 and §7.
 */
function checkRenderers(example: Example): void {
  const options = optionsOf(example)
  const trees = example.blocks.map((block) => parse(block))
  const html = toHtml(example.blocks, options)
  const text = toText(example.blocks, options)
  const whole: Root = { type: 'root', children: trees.flatMap(({ children }) => children) }
  expect(text).toBe(referenceText(whole, options))
  expect(html).toBe(referenceHtml(whole, options))
  const sources: (readonly (string | Root)[])[] = [example.blocks, trees]
  const tree = partOf(example, 'tree')
  if (tree !== undefined) sources.push(readTrees(tree.lines))
  for (const source of sources) {
    expect(toHtml(source, options)).toBe(html)
    expect(hastToHtml(toHast(source, options), { characterReferences: { useNamedReferences: true } })).toBe(html)
    expect(toText(source, options)).toBe(text)
  }
}

/** Checks the positions, also of every prefix. Without positions, and after `stringify`, the tree is the same (§5, §8). */
function checkSource(source: string): void {
  for (let end = 0; end <= source.length; end += 1) {
    const prefix = source.slice(0, end)
    checkPositions(prefix, parse(prefix))
  }
  const tree = parse(source, { position: false })
  expect(tree).toEqual(withoutPositions(parse(source)))
  expect(parse(stringify(tree), { position: false })).toEqual(tree)
}

for (const example of examples) {
  const growth = partOf(example, 'growth')
  if (growth === undefined) continue
  test(`${example.chapter} › ${example.name}: grows linearly`, () => {
    at(placeOf(example, growth), () => checkGrowth(example, growth))
  })
}

/** Checks that the example belongs to its family, and that 64 KiB of the family take much less time than a quadratic step would. */
function checkGrowth(example: Example, growth: Part): void {
  const family = readFamily(growth.lines.join(''))
  const n = Number(growth.argument)
  expect(example.blocks).toEqual([family(n)])
  const perStep = family(n + 1).length - family(n).length
  const source = family(Math.ceil(2 ** 16 / perStep))
  const render = () => [parse(source), toHtml(source)]
  expect(leastTimeOf(render, { enough: 1500 }), `${source.length} characters`).toBeLessThan(1500)
}

/** Runs a check, and names the position of its example if it fails. */
function at(place: string, check: () => void): void {
  try {
    check()
  } catch (error) {
    if (error instanceof Error) error.message = `${place}: ${error.message}`
    throw error
  }
}
