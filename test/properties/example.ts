/** Writes a failing source as an example for a chapter of `fixtures/`, with the current outputs, to be corrected by hand. */

import { parse, type RenderOptions, toHtml, toText } from '../../src/index.js'
import type { AnyNode, Root } from '../../src/tree.js'
import { toLines } from '../fixtures/chapter.js'
import { quote } from '../fixtures/quoted.js'
import { printTrees } from '../fixtures/tree-lines.js'

/**
 * Writes an example.
 *
 * @param source - the input
 * @param options - the resolvers with which it was rendered
 * @returns its lines, joined
 */
export function exampleOf(source: string, options: RenderOptions = {}): string {
  const backticks = Array.from(source.matchAll(/`+/g), ([run]) => run.length)
  const fence = '`'.repeat(Math.max(3, ...backticks) + 1)
  const parts = [
    `${fence} example NAME-OF-THE-BEHAVIOR`,
    ...toLines(source),
    ...attempt(() => resolverPart(parse(source), options)),
    '=> tree',
    ...attempt(() => printTrees([parse(source)], [])),
    '=> html',
    ...attempt(() => toLines(toHtml(source, options))),
    '=> text',
    ...attempt(() => toLines(toText(source, options))),
    fence,
  ]
  return parts.join('\n')
}

/** Returns the lines, or the error instead: the failing function may be the one that is called here. */
function attempt(lines: () => string[]): string[] {
  try {
    return lines()
  } catch (error) {
    return [String(error)]
  }
}

/** Returns the results of the callbacks for the ids in the tree. */
function resolverPart(tree: Root, { mention, file }: RenderOptions): string[] {
  const lines = nodesOf(tree).flatMap((node) => {
    if (node.type === 'file') return resultLine('file', node.fileID, file?.(node.fileID, node.label))
    if (node.type !== 'mention') return []
    const asFile = node.label === null ? file?.(node.userID, null) : undefined
    const asMention = resultLine('mention', node.userID, mention?.(node.userID, node.label))
    return [...asMention, ...resultLine('file', node.userID, asFile)]
  })
  return lines.length === 0 ? [] : ['=> resolvers', ...new Set(lines)]
}

function resultLine(kind: 'mention' | 'file', id: string, result: object | undefined): string[] {
  if (result === undefined) return []
  const fields = Object.entries(result).filter(([, value]) => value !== undefined)
  return [
    `${kind} ${id} ${fields.map(([name, value]) => `${name}=${typeof value === 'string' ? quote(value) : value}`).join(' ')}`,
  ]
}

/**
 * Returns all nodes of a tree.
 *
 * @param tree - the tree
 * @returns its nodes in their order in the source, parents first
 */
export function nodesOf(tree: Root): AnyNode[] {
  const nodes: AnyNode[] = []
  const open: AnyNode[] = [tree]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    nodes.push(node)
    if ('children' in node) open.push(...node.children.toReversed())
  }
  return nodes
}
