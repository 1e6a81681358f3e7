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
 * @returns the tree that `parse(stringify(tree))` returns, without positions, and a diagnostic with the path of every changed node
 * @throws {BlockmarkError} `tree/child`, `tree/field`, `tree/cycle` or `tree/depth` if the tree is not valid (§5)
 * @example
 * normalize(root(paragraph('done '))).diagnostics[0]?.reason
 * // => 'white space at an end of a line, or a blank line: left out'
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
  adjacent: 'two of a kind side by side: joined',
  break: 'a line ending: written as a break or a space',
  character: 'U+0000: replaced by U+FFFD',
  empty: 'nothing visible: left out',
  encoded: 'white space or a control character in a URL: percent-encoded',
  info: 'more than a language after a fence: left out',
  nested: 'formatting inside its own kind: removed',
  outside: 'white space at an end of formatting: moved out',
  reference: 'an id or a label that is not valid: replaced by its visible text',
  space: 'white space at an end of a line, or a blank line: left out',
  title: 'the title of a link: left out',
  url: 'a URL that is not valid: replaced by its visible text',
}

/** Returns the diagnostics of a node and its descendants, in the order of the tree. */
function diagnosticsOf(node: object, path: readonly (string | number)[], changes: Changes): Diagnostic[] {
  if (changes.size === 0) return []
  const ownDiagnostics = Array.from(changes.get(node) ?? [], (change): Diagnostic => {
    return printable({ reason: reasons[change], ruleId: change, source: 'blockmark', fatal: false, path })
  })
  const children: readonly object[] = 'children' in node && Array.isArray(node.children) ? node.children : []
  return ownDiagnostics.concat(
    children.flatMap((child, index) => diagnosticsOf(child, [...path, 'children', index], changes)),
  )
}
