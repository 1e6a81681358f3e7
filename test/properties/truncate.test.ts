/** Properties of the preview of every message. */

import fc from 'fast-check'
import { type AnyNode, type Block, normalize, parse, type Root, stringify, toText, truncate } from '../../src/index.js'
import { property, type Sample } from './property.js'
import { same } from './same.js'
import { source } from './sources.js'

interface Message extends Sample {
  sources: readonly [string]
  length: number
}

function withLength(sources: fc.Arbitrary<string>): fc.Arbitrary<Message> {
  return fc.record({ sources: fc.tuple(sources), length: fc.integer({ min: 0, max: 40 }) })
}

const some = withLength(source)
const ofWords = withLength(
  fc
    .array(fc.constantFrom('a', 'bb', 'ccc.', 'snake_case', 'well-known', 'e\u0301t\u0301', 'Überraschung'), {
      minLength: 1,
    })
    .chain((words) =>
      fc.array(fc.constantFrom(' ', '\n', '\n\n'), { minLength: words.length, maxLength: words.length }).map((gaps) =>
        words
          .map((word, index) => `${word}${gaps[index]}`)
          .join('')
          .trim(),
      ),
    ),
)

property(
  'a preview has at most its length',
  some,
  ({ sources: [input], length }) => {
    const text = textOf(truncate(input, { length }))
    if (graphemesIn(text) > length) throw new Error(`${JSON.stringify(text)} is longer than ${length}`)
  },
  { cost: 20 },
)

property(
  'a message that fits is returned whole',
  some,
  ({ sources: [input] }) => {
    const length = graphemesIn(toText(input))
    same(stringify(truncate(input, { length })), stringify(parse(input)))
  },
  { cost: 20 },
)

property(
  'a preview is the beginning of the text, with an ellipsis',
  some,
  ({ sources: [input], length }) => {
    const [text, whole] = [truncate(input, { length }), parse(input)].map((tree) => withoutSpaces(textOf(tree)))
    if (text === undefined || whole === undefined || text === whole || text === '') return
    if (!text.endsWith('…') || !whole.startsWith(text.slice(0, -1)))
      throw new Error(`${JSON.stringify(text)} does not begin it`)
  },
  { cost: 20 },
)

property(
  'a preview can be written',
  some,
  ({ sources: [input], length }) => {
    const preview = truncate(input, { length })
    same(normalize(preview).diagnostics, [])
    same(toText(stringify(preview)), toText(preview))
  },
  { cost: 20 },
)

property(
  'a preview ends with a whole word if one fits',
  ofWords,
  ({ sources: [input], length }) => {
    const text = toText(truncate(input, { length }))
    if (!text.endsWith('…')) return
    const words = text.slice(0, -1).split(/\s+/)
    if (words.length > 1) same(input.split(/\s+/).slice(0, words.length), words)
  },
  { cost: 20 },
)

property(
  'a preview of one line is one paragraph without breaks, and begins with the same words',
  some,
  ({ sources: [input], length }) => {
    const preview = truncate(input, { length, lines: 1 })
    const text = textOf(preview)
    if (graphemesIn(text) > length || /[\r\n]/.test(text)) throw new Error(`${JSON.stringify(text)} is too long`)
    same(
      preview.children
        .map(({ type }) => type)
        .join()
        .replace('paragraph', ''),
      '',
    )
    const words = withoutSpaces(text).replace(/…$/, '')
    const whole = withoutSpaces(textOf(parse(input))).replaceAll('•', '')
    if (!whole.startsWith(words.replaceAll('•', ''))) throw new Error(`${JSON.stringify(text)} does not begin it`)
  },
  { cost: 20 },
)

/** The plain text in which a named link shows only its text. */
function textOf(tree: Root): string {
  return toText({ ...tree, children: tree.children.map((block) => withoutLinks(block) as Block) })
}

function withoutLinks(node: AnyNode): AnyNode {
  if (!('children' in node)) return node
  const children: AnyNode[] = node.children
  // Strong text instead of a link has the same children.
  const type = node.type === 'link' ? 'strong' : node.type
  return { ...node, type, children: children.map(withoutLinks) } as AnyNode
}

function graphemesIn(text: string): number {
  return Array.from(new Intl.Segmenter('en').segment(text)).length
}

function withoutSpaces(text: string): string {
  return text.replace(/[\s\p{Z}]/gu, '')
}
