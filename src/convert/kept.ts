/** Keeps the results for nodes that are converted again and again while only the last one grows, as in the tail of a stream. */
import type { Nodes } from 'mdast'
import type { ListItem } from '../tree.js'
import type { Conversion, Kept } from './conversion.js'
import type { Gap, Outline } from './outline.js'

/** Adds nodes to an outline one by one. */
export function addEach<Node extends Nodes>(
  { kept }: Conversion,
  outline: Outline,
  nodes: readonly Node[],
  gap: Gap,
  add: (node: Node, index: number) => void,
): void {
  const [first] = nodes
  const known = first === undefined ? undefined : kept?.get(first)
  const isSame = known?.last === undefined || known.last === nodes[known.count - 1]
  const isKnown = known?.outline !== undefined && known.gap === gap && known.count < nodes.length && isSame
  const start = isKnown ? known.count : 0
  // The states inside contain the blocks before these nodes, which are made again.
  if (!isKnown && known !== undefined) for (const node of nodes) forget(kept, node)
  if (isKnown && known.outline !== undefined) outline.restore(known.outline)
  for (const [place, node] of nodes.slice(start).entries()) {
    const index = start + place
    if (first !== undefined && index === nodes.length - 1 && index > start) {
      const last = node.type === 'table' ? nodes[index - 1] : undefined
      kept?.set(first, { count: index, last, gap, outline: outline.save() })
    }
    add(node, index)
    // Otherwise the states in all items of a list together would take quadratic memory.
    if (index < nodes.length - 1) forget(kept, node)
  }
}

/** Deletes the states in a node that has ended. */
function forget(kept: Conversion['kept'], node: Nodes): void {
  for (let last: Nodes | undefined = node; last !== undefined && 'children' in last; last = last.children.at(-1)) {
    const [first] = last.children
    if (first !== undefined) kept?.delete(first)
  }
}

/** Returns the items of a list made from nodes. */
export function keptItems<Node extends Nodes>(
  { kept }: Conversion,
  nodes: readonly Node[],
  make: (node: Node) => ListItem[],
): ListItem[] {
  const [first] = nodes
  const { items: before = [], count: start = 0 } = knownItems(kept, first) ?? {}
  const items = [...before]
  for (const [place, node] of nodes.slice(start).entries()) {
    const index = start + place
    if (first !== undefined && index === nodes.length - 1 && index > start)
      kept?.set(first, { count: index, gap: 'line', items: [...items] })
    items.push(...make(node))
  }
  return items
}

/** Returns the kept items of the siblings that start with `first`. */
export function knownItems(kept: Conversion['kept'], first: object | undefined): Kept | undefined {
  const known = first === undefined ? undefined : kept?.get(first)
  return known?.items === undefined ? undefined : known
}
