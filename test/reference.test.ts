/**
 * The reference parser (`reference/`) on every example of `fixtures/`: it returns the tree, HTML and text of the chapters,
 * and the package agrees with it on the rest, for example on all positions.
 */

import { expect, test } from 'vitest'
import { type Example, type Part, placeOf, readChapters, toLines } from './fixtures/chapter.js'
import { readResolvers } from './fixtures/resolvers.js'
import { printTrees } from './fixtures/tree-lines.js'
import { differenceOn } from './reference/differential.js'
import { referenceParse } from './reference/parse.js'
import { referenceHtml, referenceText } from './reference/render.js'

for (const example of readChapters().flatMap(({ examples }) => examples)) {
  test(`${example.chapter} › ${example.name}: the reference parser`, () => {
    for (const part of example.parts) expect(linesOf(example, part), placeOf(example, part)).toEqual(part.lines)
  })

  test(`${example.chapter} › ${example.name}: the package agrees`, () => {
    for (const block of example.blocks) expect(differenceOn(block), placeOf(example)).toBe(null)
  })
}

/** The reference parser's lines of a part; the part's own lines if the reference parser has none. */
function linesOf({ blocks, parts }: Example, { name, lines }: Part): string[] {
  const trees = blocks.map((block) => referenceParse(block))
  const options = readResolvers(parts.find((part) => part.name === 'resolvers')?.lines ?? [])
  const children = trees.flatMap((tree) => tree.children)
  switch (name) {
    case 'tree':
      return printTrees(trees, lines)
    case 'html':
      return toLines(referenceHtml({ type: 'root', children }, options))
    case 'text':
      return toLines(referenceText({ type: 'root', children }, options))
    default:
      return lines
  }
}
