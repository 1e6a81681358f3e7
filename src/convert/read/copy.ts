/** Copies a structure, so that a line can be tried without a change to the original. */
import type { ListItem } from 'mdast'
import type { Container } from './container.js'
import type { Entry, Leaf } from './leaf.js'
import type { Structure } from './state.js'

/** Copies the open containers and the open leaf; both structures share the closed ones. */
export function copyStructure(structure: Structure): Structure {
  const open = structure.open.map(copyContainer)
  const parent = open.at(-1)?.node
  const leaf = structure.leaf === null ? null : copyLeaf(structure.leaf, parent?.type === 'listItem' ? parent : null)
  const lists = [[...structure.entries], ...open.map(({ entries }) => entries)]
  const innermost: readonly (Entry | null)[] = [...open.map(({ node }) => node), leaf]
  // An open node is the last child of its parent.
  for (const [depth, entry] of innermost.entries()) if (entry !== null) lists[depth]?.splice(-1, 1, entry)
  return { ...structure, entries: lists[0] ?? [], open, leaf, steps: [], tag: structure.tag && { ...structure.tag } }
}

function copyContainer(container: Container): Container {
  const { node, entries } = container
  // The children are those of the node's type.
  const copy = { ...node, children: [...node.children] } as typeof node
  return { ...container, node: copy, entries: [...entries] }
}

function copyLeaf(leaf: Leaf, item: ListItem | null): Leaf {
  if ('lines' in leaf)
    return { ...leaf, lines: [...leaf.lines], again: leaf.again && { ...leaf.again, lines: [...leaf.again.lines] } }
  if (leaf.kind === 'table') {
    const nodes = leaf.nodes.map((table) => ({ ...table, children: [...table.children] }))
    return { ...leaf, pieces: [...leaf.pieces], nodes }
  }
  return { ...leaf, pieces: [...leaf.pieces], item: leaf.item === null ? null : item }
}
