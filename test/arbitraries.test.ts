/** `blockmark/arbitraries`: the code that its values reach, and the counterexamples that they shrink to. */

import fc from 'fast-check'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { describe, expect, test } from 'vitest'
import { anySource, anyTree, hostileText, writableTree } from '../src/arbitraries/index.js'
import { assertTree, parse, stringify, toHtml } from '../src/index.js'
import { type AnyNode, content } from '../src/tree.js'
import { commonMark } from './convert/common-mark.js'
import { branchesNotTaken } from './coverage.js'
import { nodesOf } from './properties/example.js'
import { referenceParse } from './reference/parse.js'

const sample = { numRuns: 40_000, seed: 7 }

describe('anySource', () => {
  test('takes every branch of the parser', async () => {
    const missed = await branchesNotTaken(fc.sample(anySource, sample))
    // The right sides of `??` and the ends of switches exist only for the compiler, `state.trace` only for `explain`.
    const isForCompiler = /^\S+: (?:\?\? |\?\.\(|state\.trace\(|default:\s+return unreachable\()|^unreachable: function/
    const left = missed.filter((branch) => !isForCompiler.test(branch)).map((branch) => branch.split(/\n| \$\{/)[0])
    // Sorted, because the bundler chooses the order of the functions.
    expect(left.sort()).toEqual(
      [
        // Every source is a string.
        'describe: function describe(value) {',
        'kindOf: function kindOf(value) {',
        'shorten: function shorten(text, lengthMax) {',
        'parse: throw new TypeError(`parse: expected a string, received',
        'withoutNull: ? text', // called only for a text with U+0000
        'createMemory: ? {}', // a runtime without Buffer
        'createMemory: : null',
        'releaseState: return;', // more than 16,384 characters
        'addRun: state.events = grow(state.events);', // more than a hundred events where a run begins
        'endLink: ', // brackets more than 32 deep
        'canBegin: return false;', // a host that is a named link
        'matches: return false;', // a delimiter whose table has an entry for a run of two and none for one
        'startRange: else {', // a leaf that is cut off
        'endRange: return sequenceEnd;',
        'findStops: stops = state.stops = grow(stops);', // more than 512 stops
        'addLine: state.lines = grow(state.lines);', // more than 512 lines
        'toNormalForm: && eventStart(events, event) === edge', // a leaf that is cut off
        'toNormalForm: edge = eventEnd(events, event);',
      ].sort(),
    )
  })

  test('contains pairs of separators everywhere: in text, in each other, in labels', () => {
    const places = new Set<string>()
    for (const source of fc.sample(anySource, { numRuns: 5000, seed: 7 })) {
      for (const parent of nodesOf(referenceParse(source))) {
        if (!('children' in parent)) continue
        for (const child of parent.children) if (isForced(source, child)) places.add(`${parent.type} ${child.type}`)
      }
    }
    const kinds = ['strong', 'emphasis', 'underline', 'delete']
    const parents = ['paragraph', 'link', ...kinds]
    const all = parents.flatMap((parent) => kinds.filter((kind) => kind !== parent).map((kind) => `${parent} ${kind}`))
    expect(all.filter((place) => !places.has(place))).toEqual([])
  })

  for (const type of Object.keys(content)) {
    if (type === 'root') continue
    test(`${type}: a counterexample shrinks to a readable source`, () => {
      const has = (source: string) => nodesOf(parse(source)).some((node) => node.type === type)
      const { counterexample } = fc.check(
        fc.property(anySource, (source) => !has(source)),
        { numRuns: 10_000, seed: 3 },
      )
      const [source = ''] = counterexample ?? []
      expect(has(source)).toBe(true)
      expect([source, source.length <= 24]).toEqual([source, true])
    })
  }
})

/** Returns whether a node begins with a separator, which forces its formatting (§3.6). */
function isForced(source: string, { type, position }: AnyNode): boolean {
  return type !== 'text' && source[position?.start.offset ?? source.length] === '\u2063'
}

describe('anyTree', () => {
  const trees = fc.sample(anyTree, { numRuns: 3000, seed: 7 })

  test('generates trees of §5 with every type of node, and all of them render', () => {
    for (const tree of trees) {
      assertTree(tree)
      toHtml(tree)
    }
    const types = new Set(trees.flatMap((tree) => nodesOf(tree).map(({ type }) => type)))
    expect([...types].sort()).toEqual(Object.keys(content).sort())
  })

  test('shrinks to a few nodes', () => {
    const { counterexample } = fc.check(
      fc.property(anyTree, (tree) => !nodesOf(tree).some(({ type }) => type === 'link')),
      { numRuns: 10_000, seed: 3 },
    )
    const [tree] = counterexample ?? []
    expect(tree === undefined ? [] : nodesOf(tree).map(({ type }) => type).length).toBeLessThan(6)
  })
})

test('writableTree is written and read without a change', () => {
  for (const tree of fc.sample(writableTree, { numRuns: 300, seed: 7 })) {
    assertTree(tree)
    expect(parse(stringify(tree), { position: false })).toEqual(tree)
  }
})

test('hostileText contains the characters that open markup, elements, attributes and schemes', () => {
  const texts = fc.sample(hostileText, { numRuns: 3000, seed: 7 }).join('\n')
  for (const part of ['<script', 'onerror=', '"', "'", '\0', 'javascript:', '<!channel>', '```', '\uD800'])
    expect(texts).toContain(part)
})

test('commonMark reaches every construct of CommonMark', () => {
  const types = new Set<string>()
  const collect = (node: { type: string; children?: { type: string }[] }): void => {
    types.add(node.type)
    node.children?.forEach(collect)
  }
  for (const source of fc.sample(commonMark, { numRuns: 400, seed: 7 })) collect(fromMarkdown(source))
  const constructs = ['root', 'paragraph', 'heading', 'thematicBreak', 'blockquote', 'list', 'listItem', 'html', 'code']
  constructs.push('definition', 'text', 'emphasis', 'strong', 'inlineCode', 'break', 'link', 'image')
  expect([...types].sort()).toEqual([...constructs, 'linkReference', 'imageReference'].sort())
})
