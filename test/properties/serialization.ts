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
  same(withoutSpace(toText(normal)), withoutSpace(toText(tree)), { 'toText(normalize(t)) equals toText(t)': tree })
  const after = formattedUnits(normal)
  let at = 0
  for (const unit of formattedUnits(tree)) {
    at = after.indexOf(unit, at) + 1
    if (at === 0) throw new Error(`${unit} is not there: ${JSON.stringify(tree)}`)
  }
  return { written, diagnostics }
}

/** Removes white space. A label or an id with U+0000 becomes text, in which U+0000 is U+FFFD (§1), so it is replaced too. */
export function withoutSpace(text: string): string {
  return text.replaceAll('\0', '\uFFFD').replace(/[\s\p{Z}]/gu, '')
}

/** Returns the visible code units of text and code, each with the kinds of formatting around it. */
function formattedUnits(root: Root): string[] {
  const units: string[] = []
  const open: { node: AnyNode; kinds: readonly string[] }[] = [{ node: root, kinds: [] }]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, kinds } = next
    if ('value' in node)
      for (const unit of withoutSpace(node.value).split('')) units.push(unit + kinds.toSorted().join())
    if (!('children' in node)) continue
    const within = isFormatting(node) ? [...new Set([...kinds, node.type])] : kinds
    for (const child of node.children.toReversed()) open.push({ node: child, kinds: within })
  }
  return units
}
