/** A tree of code as a list. */

import { visitorKeys } from 'oxc-parser'

/**
 * Gives a node and all in it, in the order of the code.
 *
 * @param {any} node
 * @returns {Generator<any>}
 */
export function* nodesOf(node) {
  yield node
  for (const key of visitorKeys[node.type] ?? []) {
    for (const child of [node[key]].flat()) if (typeof child?.type === 'string') yield* nodesOf(child)
  }
}
