/** Finds the nearest tree that can be written (§8). */
import { type Diagnostic, printable } from '../diagnostic.js'
import { parse } from '../parse/index.js'
import type { Root } from '../tree.js'
import { write } from './stringify.js'
import type { Change } from './token.js'

/**
 * Returns the nearest tree that can be written, and reports the changes (§8). No visible character is lost.
 *
 * @param tree - any tree of §5; it is not changed
 * @returns the tree that `parse(stringify(tree))` returns, without positions, and a diagnostic with the path of every node
 * that was changed
 * @throws {BlockmarkError} `tree/child`, `tree/field`, `tree/cycle` or `tree/depth` if the tree is not valid (§5)
 * @example
 * normalize(root(paragraph('done '))).diagnostics[0]?.reason
 * // => 'spaces at the ends of a line, and blank lines, have no meaning: left out'
 */
export function normalize(tree: Root): { tree: Root; diagnostics: Diagnostic[] } {
  const changes: Changes = new Map()
  const source = write(tree, (node, change) => {
    changes.set(node, (changes.get(node) ?? new Set()).add(change))
  })
  return { tree: parse(source, { position: false }), diagnostics: diagnosticsOf(tree, [], changes) }
}

type Changes = Map<object, Set<Change>>

const reasons: Readonly<Record<Change, string>> = {
  adjacent: 'two of a kind side by side are one: joined',
  break: 'a line ending cannot be here: written as a break or a space',
  character: 'U+0000 cannot be written: replaced by U+FFFD',
  empty: 'it shows nothing: left out',
  encoded: 'a URL has no white space or control character: percent-encoded',
  info: 'a fence has only a language, one word with a letter: the rest left out',
  nested: 'formatting inside another of its kind: replaced by its children',
  outside: 'formatting has no white space or line ending at its ends: moved out',
  reference: 'the id or label cannot be written: replaced by its visible text',
  space: 'spaces at the ends of a line, and blank lines, have no meaning: left out',
  title: 'a link has no title: left out',
  url: 'the URL cannot be written: replaced by its visible text',
}

/** Returns the diagnostics of a node and its descendants, in the order of the tree. */
function diagnosticsOf(node: object, path: readonly (string | number)[], changes: Changes): Diagnostic[] {
  if (changes.size === 0) return []
  const own = Array.from(changes.get(node) ?? [], (change): Diagnostic => {
    return printable({ reason: reasons[change], ruleId: change, source: 'blockmark', fatal: false, path })
  })
  const children: readonly object[] = 'children' in node && Array.isArray(node.children) ? node.children : []
  return own.concat(children.flatMap((child, index) => diagnosticsOf(child, [...path, 'children', index], changes)))
}
