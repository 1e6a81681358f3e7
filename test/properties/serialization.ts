/** Properties of serialization that hold for every tree (§8). */

import { isFormatting } from '../../src/delimiters.js'
import { type Diagnostic, normalize, parse, stringify, toText } from '../../src/index.js'
import type { AnyNode, Root } from '../../src/tree.js'
import { same } from './same.js'

/**
 * Checks the properties of `stringify` and `normalize`.
 *
 * @param tree - any tree of §5
 * @returns the serialized text, and the diagnostics of `normalize`
 * @throws {Error} if a property does not hold
 */
export function checkSerialization(tree: Root): { written: string; diagnostics: readonly Diagnostic[] } {
  const { tree: normal, diagnostics } = normalize(tree)
  const written = stringify(tree)
  same(parse(written, { position: false }), normal, { 'parse(stringify(t)) equals normalize(t)': tree })
  same(normalize(normal), { tree: normal, diagnostics: [] }, { 'normalize is idempotent': tree })
  const comparable = comparableOf(tree)
  same(comparable(toText(normal)), comparable(toText(tree)), { 'toText(normalize(t)) equals toText(t)': tree })
  const after = formattedUnits(normal, comparable)
  let at = 0
  for (const unit of formattedUnits(tree, comparable)) {
    at = after.indexOf(unit, at) + 1
    if (at === 0) throw new Error(`${unit} is not there: ${JSON.stringify(tree)}`)
  }
  return { written, diagnostics }
}

/** Removes white space. A label or an id with U+0000 becomes text, in which U+0000 is U+FFFD (§1), so it is replaced too. */
export function withoutSpace(text: string): string {
  return text.replaceAll('\0', '\uFFFD').replace(/[\s\p{Z}]/gu, '')
}

/** Returns how to make texts comparable with that of a tree before it is written. */
export function comparableOf(tree: Root): (text: string) => string {
  return nodesOf(tree).some(hasEncodedUrl) ? withoutEncodedSpace : withoutSpace
}

/** Whether a link's URL is written with percent-encoded white space or control characters. */
function hasEncodedUrl(node: AnyNode): boolean {
  return node.type === 'link' && SPACE.test(node.url)
}

const SPACE = /[\p{Z}\p{Cc}]/u
const ENCODED_SPACE = new RegExp(
  Array.from({ length: 0x10000 }, (_, unit) => String.fromCharCode(unit))
    .filter((unit) => SPACE.test(unit))
    .map(encodeURIComponent)
    .join('|'),
  'g',
)

/** Removes white space and control characters, percent-encoded ones too. Characters that end a bare link may be encoded next to them. */
function withoutEncodedSpace(text: string): string {
  const decoded = text.replaceAll('%00', '\uFFFD').replace(/%(?:22|3C|3E|60)/g, decodeURIComponent)
  return withoutSpace(decoded.replace(ENCODED_SPACE, '')).replace(/\p{Cc}/gu, '')
}

function nodesOf(node: AnyNode): AnyNode[] {
  return 'children' in node ? [node, ...node.children.flatMap(nodesOf)] : [node]
}

/** Returns the visible code units of text and code, each with the kinds of formatting around it. */
function formattedUnits(root: Root, comparable: (text: string) => string): string[] {
  const units: string[] = []
  const open: { node: AnyNode; kinds: readonly string[] }[] = [{ node: root, kinds: [] }]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, kinds } = next
    if ('value' in node) for (const unit of comparable(node.value).split('')) units.push(unit + kinds.toSorted().join())
    if (!('children' in node)) continue
    const within = isFormatting(node) ? [...new Set([...kinds, node.type])] : kinds
    for (const child of node.children.toReversed()) open.push({ node: child, kinds: within })
  }
  return units
}
