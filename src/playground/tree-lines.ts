/** A tree as lines: a node's type, fields and position; its children are indented by two spaces. */

import type { AnyNode, Root } from '../index.js'

export interface TreeLine {
  readonly line: string
  readonly node: AnyNode
}

/** Fields that add nothing to the type. */
const unshown = new Set(['type', 'children', 'position', 'ordered', 'spread', 'title'])

export function treeLines(tree: Root): readonly TreeLine[] {
  const lines: TreeLine[] = []
  const open: { node: AnyNode; depth: number }[] = [{ node: tree, depth: 0 }]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, depth } = next
    lines.push({ line: '  '.repeat(depth) + lineOf(node), node })
    if ('children' in node) for (const child of node.children.toReversed()) open.push({ node: child, depth: depth + 1 })
  }
  return lines
}

function lineOf(node: AnyNode): string {
  const fields = Object.entries(node).filter(([name]) => !unshown.has(name))
  const shown = fields.map(([name, value]) =>
    name === 'value' ? JSON.stringify(value) : `${name}=${JSON.stringify(value)}`,
  )
  const { position } = node
  const place = position === undefined ? [] : [`@${position.start.offset}–${position.end.offset}`]
  return [node.type, ...shown, ...place].join(' ')
}
