/** The laws of writing that hold for every tree (§8). */

import { isDeepStrictEqual } from 'node:util'
import { isFormatting } from '../../src/delimiters.js'
import { type Message, normalize, parse, stringify, toText } from '../../src/index.js'
import type { AnyNode, Root } from '../../src/tree.js'

/**
 * Checks laws 2 to 4.
 *
 * @param tree - any tree of §5
 * @returns the written text, and the messages of `normalize`
 * @throws {Error} if a property does not hold
 */
export function checkLaws(tree: Root): { written: string; messages: readonly Message[] } {
  const { tree: normal, messages } = normalize(tree)
  const written = stringify(tree)
  same('parse(stringify(t)) equals normalize(t)', parse(written, { position: false }), normal, tree)
  same('normalize is idempotent', normalize(normal), { tree: normal, messages: [] }, tree)
  const text = 'toText(normalize(t)) equals toText(t) up to white space'
  same(text, withoutSpace(toText(normal)), withoutSpace(toText(tree)), tree)
  const after = formattedUnits(normal)
  let at = 0
  for (const unit of formattedUnits(tree)) {
    at = after.indexOf(unit, at) + 1
    if (at === 0) throw new Error(`${unit} is not there: ${JSON.stringify(tree)}`)
  }
  return { written, messages }
}

function same(law: string, received: unknown, expected: unknown, tree: Root): void {
  if (isDeepStrictEqual(received, expected)) return
  throw new Error(
    `${law}: ${JSON.stringify(received)}\nis not ${JSON.stringify(expected)}\nfor ${JSON.stringify(tree)}`,
  )
}

/** A label or an id with U+0000 cannot be written and becomes text, where U+0000 is read as U+FFFD (§1). */
export function withoutSpace(text: string): string {
  return text.replaceAll('\0', '\uFFFD').replace(/[\s\p{Z}]/gu, '')
}

/** The visible code units of text and code, each with the kinds of formatting around it. */
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
