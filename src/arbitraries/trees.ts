/** Trees made from the content table (§5), with any values in their fields. */
import fc from 'fast-check'
import { parse, stringify } from '../index.js'
import { type AnyNode, content, type FieldMap, type NodeType, type Phrasing, type Root, typesOf } from '../tree.js'
import { hostileHref, hostileText } from './pieces.js'
import { anySource } from './sources.js'

/** Few different words, so that neighbors are often equal, or together nearly form a construct. */
const words: readonly string[] = [
  ...['a', 'a', 'b', 'a b', '', '', ' ', '  ', ' a', 'a ', ' a ', '.', ',', '(', ')', '"', '中', '。', '🎉'],
  ...['\u00A0', '\n', 'a\nb', 'a\n\nb', '\r\n', 'a\rb', '\t', '\0', '\uD83D', '\uDE00', '\u2028'],
  ...['*', '**', '_', '-', '`', '``', '[', ']', '(x:y)', '*a*', '_a_', '-a-', '**a**', '[a](bb:c)', '<@1>', '`a`'],
  ...['http://a', 'http:', '//a', '://', 'https://a.b/c_d_', '\\', '\\\\', '\\*', '1', '/', '5*3', 'snake_case'],
  ...['\u2063', '\u2063*', '*\u2063', '\u2063*a*\u2063', '_\u2063', '\u2063-', 'a\u2063b', '」', '…'],
  ...['# a', '* a', '```', '<!1|>', '#', '- a', '¯\\_(ツ)_/¯', '¯_(ツ)_/¯'],
]

const anyText: fc.Arbitrary<string> = fc.oneof(
  { withCrossShrink: true },
  { arbitrary: fc.constantFrom(...words), weight: 8 },
  { arbitrary: hostileText, weight: 2 },
  { arbitrary: anySource, weight: 1 },
)

const ids: fc.Arbitrary<string> = fc.oneof(
  { withCrossShrink: true },
  fc.constantFrom('1', 'a', 'user-7', '_', 'é', '\uD83D', 'x'.repeat(128)),
  hostileText.map((text) => text.replace(/[\p{Z}\p{Cc}<>|`]/gu, '').slice(0, 64) || '1'),
)

const labels: fc.Arbitrary<string> = fc.oneof(
  { withCrossShrink: true },
  fc.constantFrom('Ann', 'Ann <a@b.c>', 'a|b', '|', 'a\nb', '\u0007', '🎉'.repeat(256), '🎉'.repeat(257)),
  anyText,
)

const urls: fc.Arbitrary<string> = fc.oneof(
  { withCrossShrink: true },
  fc.constantFrom(
    ...['http://a', 'http://a', 'https://a.b/c_d_', 'https://a/*', 'xx:y', 'mailto:a@b.c', 'a', '', 'http://a b'],
    ...['HTTP://a.', 'http://a(b', 'http://a)b', 'http://a(b)c', 'http://a\\', 'http://a\\)', 'http://a<b', 'http://'],
    ...['http://a\n', 'xx:\0', 'http://a-', 'http://a_', 'http://a*', 'http://a`', 'http://¯\\_(ツ)_/¯', 'ht\\-tp:a'],
    'http://a/\u2063*b*\u2063',
    `xx:${'('.repeat(40)}${')'.repeat(40)}`,
  ),
  hostileHref,
)

/** Arbitraries for the kinds of fields in the table. */
const fieldArbitraries: { readonly [Kind in keyof FieldMap]: fc.Arbitrary<unknown> } = {
  '1 or 2': fc.constantFrom(1, 2),
  false: fc.constant(false),
  null: fc.constant(null),
  id: ids,
  string: anyText,
  'string or null': fc.option(labels),
}

function fieldOf(name: string, kind: keyof FieldMap): fc.Arbitrary<unknown> {
  return name === 'url' ? urls : fieldArbitraries[kind]
}

type Nodes = { readonly [Type in NodeType]: fc.Arbitrary<AnyNode> }

/** One arbitrary for each node type, made from the table. */
const nodeArbitraries: Nodes = fc.letrec<{ [Type in NodeType]: AnyNode }>((tie) => {
  const types = Object.keys(content) as NodeType[] // The table has one row for each node type.
  return Object.fromEntries(types.map((type) => [type, nodeOf(type, tie)])) as Nodes
})

function nodeOf(type: NodeType, tie: (type: NodeType) => fc.Arbitrary<AnyNode>): fc.Arbitrary<AnyNode> {
  const { children: kind, childCount, fields } = content[type]
  const entries = Object.entries<keyof FieldMap>(fields).map(([name, field]) => [name, fieldOf(name, field)] as const)
  const record: Record<string, fc.Arbitrary<unknown>> = { type: fc.constant(type), ...Object.fromEntries(entries) }
  if (kind !== null) {
    const child = fc.oneof({ depthSize: 'medium', withCrossShrink: true }, ...byWeight(typesOf(kind), tie))
    const count = { minLength: childCount ?? 0, maxLength: childCount ?? 4 }
    record['children'] = fc.array(child, { ...count, depthIdentifier: 'tree' })
  }
  // The fields come from the table, so the cast holds.
  return fc.record(record, { noNullPrototype: true }) as fc.Arbitrary<unknown> as fc.Arbitrary<AnyNode>
}

/** Text and paragraphs are the most frequent nodes. Their arbitraries come first, because fast-check shrinks other nodes to the first one. */
function byWeight(
  types: readonly NodeType[],
  tie: (type: NodeType) => fc.Arbitrary<AnyNode>,
): fc.MaybeWeightedArbitrary<AnyNode>[] {
  const weights: Partial<Record<NodeType, number>> = { text: 6, paragraph: 6, break: 2, link: 2, inlineCode: 2 }
  const mostFrequent = types.filter((type) => weights[type] === 6)
  const others = types.filter((type) => weights[type] !== 6)
  return [...mostFrequent, ...others].map((type) => ({ arbitrary: tie(type), weight: weights[type] ?? 1 }))
}

/** A tree of one paragraph, because most rules are about inline nodes. */
const paragraphTree: fc.Arbitrary<Root> = fc
  .array(fc.oneof({ withCrossShrink: true }, ...byWeight(typesOf('phrasing'), (type) => nodeArbitraries[type])), {
    minLength: 1,
    maxLength: 6,
  })
  .map((children) => ({ type: 'root', children: [{ type: 'paragraph', children: children as Phrasing[] }] }))

/** Any nesting of the nodes of the table, including nodes that an ancestor forbids, for example a link in a link. */
export const unprunedTree: fc.Arbitrary<Root> = fc.oneof(
  { withCrossShrink: true },
  paragraphTree,
  nodeArbitraries.root as fc.Arbitrary<Root>, // The entry of a type has that type.
)

/**
 * Any tree of §5, without positions, for example with empty texts, a line ending in a label or an invalid URL. It passes `assertTree`.
 */
export const anyTree: fc.Arbitrary<Root> = unprunedTree.map((tree) => {
  removeForbidden(tree, [])
  return tree
})

/** A tree that can be written unchanged (§8): `parse(stringify(tree), { position: false })` equals the tree. */
export const writableTree: fc.Arbitrary<Root> = anyTree
  .map(writeAndParse)
  .filter((tree) => JSON.stringify(writeAndParse(tree)) === JSON.stringify(tree))

function writeAndParse(tree: Root): Root {
  return parse(stringify(tree), { position: false })
}

/** Removes nodes that an ancestor forbids. */
function removeForbidden(node: AnyNode, without: readonly NodeType[]): void {
  if (!('children' in node)) return
  const ownForbiddenType = content[node.type].without
  const forbiddenTypes = ownForbiddenType === undefined ? without : [...without, ownForbiddenType]
  const children: AnyNode[] = node.children
  children.splice(0, children.length, ...children.filter(({ type }) => !forbiddenTypes.includes(type)))
  for (const child of children) removeForbidden(child, forbiddenTypes)
}
